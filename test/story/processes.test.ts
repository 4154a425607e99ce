import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Installation, ROOT, until } from '../support/holdfast.ts';

const FIXTURE = path.join(ROOT, 'test/fixtures/upstream.mjs');
let installation: Installation;

interface Shown {
  state: string;
  problem: string | null;
  lastWords: string[];
  noise: number;
  crashes: number;
  processes: { pid: number; consumer: string | null }[];
}

const search = { name: 'search', description: 'Searches.', inputSchema: { type: 'object' } };

function control(content: object): string {
  const file = path.join(installation.home, 'control.json');
  writeFileSync(file, JSON.stringify({ name: 'demo', tools: [search], ...content }));
  return file;
}
const add = (file: string) => installation.ok('servers', 'add', 'Demo', '--', process.execPath, FIXTURE, file);
const show = (): Promise<Shown> => installation.ok<Shown>('servers', 'show', 'Demo');

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.dispose());

test('a server that a killed gateway left behind is ended by the next start, and a new one serves', async () => {
  await add(control({ faults: { ignoreEof: true } }));
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('expose', 'cursor', 'Demo');
  const gateway = await installation.serve();
  const before = await until(show, ({ state }) => state === 'working');
  const left = before.processes.map(({ pid }) => pid);
  expect(left).toHaveLength(1);
  gateway.kill('SIGKILL');
  await until(
    () => gateway.signalCode,
    (signal) => signal === 'SIGKILL',
  );
  expect(left.map(isRunning)).toEqual([true]);
  await installation.serve();
  expect(left.map(isRunning)).toEqual([false]);
  const after = await until(show, ({ state }) => state === 'working');
  expect(after.processes.map(({ pid }) => left.includes(pid))).toEqual([false]);
  await installation.stop();
  expect(after.processes.map(({ pid }) => isRunning(pid))).toEqual([false]);
  const records = path.join(installation.data, 'processes');
  expect(existsSync(records) ? readdirSync(records) : []).toEqual([]);
});

test('a server that cannot run says in its last words why, and is started again once it can', async () => {
  const file = control({ faults: { start: 'exit', stderr: 'The folder to search is missing.' } });
  await add(file);
  await installation.ok('apps', 'add', 'cursor');
  await installation.serve();
  const exposed = await installation.run('--json', 'expose', 'cursor', 'Demo');
  expect(exposed.status).toBe(1);
  const broken = await until(show, ({ problem }) => problem !== null);
  expect(broken.problem).toContain('The folder to search is missing.');
  expect(broken.lastWords).toContain('The folder to search is missing.');
  const printed = await installation.run('servers', 'show', 'Demo');
  expect(printed.status).toBe(0);
  expect(printed.stdout).toContain('What it said last:\n  The folder to search is missing.\n');
  control({});
  await installation.ok('servers', 'check', 'Demo');
  expect(await show()).toMatchObject({ state: 'working', problem: null, crashes: 0 });
});
