import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Installation, ROOT } from '../support/holdfast.ts';

const UPSTREAM = path.join(ROOT, 'test/fixtures/upstream.mjs');
const CLOCK = path.join(ROOT, 'test/fixtures/clock.cjs');
const YEARS = 365 * 86_400_000;
const RIGHT = 0;
const AHEAD = 10 * YEARS;
const BEHIND = -30 * YEARS;
let installation: Installation;

beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.dispose());

/** What is started from now on has a clock that is wrong by so much. */
function setClock(offsetMs: number): void {
  Object.assign(installation.env, { NODE_OPTIONS: `--require=${CLOCK}`, HOLDFAST_TEST_CLOCK_MS: String(offsetMs) });
}

function offer(description: string): void {
  const file = path.join(installation.home, 'control.json');
  const tools = [{ name: 'search', description, inputSchema: { type: 'object' } }];
  writeFileSync(`${file}.new`, JSON.stringify({ tools }));
  renameSync(`${file}.new`, file);
}

async function exposeDemo(): Promise<void> {
  offer('one');
  await installation.ok('apps', 'add', 'cursor');
  const control = path.join(installation.home, 'control.json');
  await installation.ok('servers', 'add', 'Demo', '--', process.execPath, UPSTREAM, control);
  await installation.ok('expose', 'cursor', 'Demo');
}

async function tools(): Promise<number> {
  const { entries } = await installation.ok<{ entries: unknown[] }>('surface', 'cursor');
  return entries.length;
}

/** The server lists another definition, and the person decides on it. */
async function decide(description: string, verdict: 'approve' | 'keep-off'): Promise<void> {
  offer(description);
  await installation.ok('servers', 'check', 'Demo');
  const { reviews } = await installation.ok<{ reviews: { id: string; state: string }[] }>('review', 'list');
  const pending = reviews.find(({ state }) => state === 'pending');
  await installation.ok('review', verdict, pending?.id ?? 'none');
}

/** Calls the tool through a running gateway, as an app does; says whether it was run. */
async function call(): Promise<boolean> {
  await installation.serve();
  const { client } = await installation.hostApp('cursor');
  const { isError } = await client.callTool({ name: 'search' });
  await client.close();
  await installation.stop();
  return isError !== true;
}

const namesIn = (folder: string): string[] => readdirSync(path.join(installation.data, folder)).sort();

test('the last decision counts, whatever the clock said when it was made', async () => {
  setClock(AHEAD);
  await exposeDemo();
  await decide('two', 'approve');
  expect(await tools()).toBe(1);
  setClock(BEHIND);
  expect(await tools()).toBe(1);
  await decide('three', 'keep-off');
  expect(await tools()).toBe(0);
  setClock(RIGHT);
  expect(await tools()).toBe(0);
  offer('two');
  await installation.ok('servers', 'check', 'Demo');
  expect(await tools()).toBe(1);
  setClock(AHEAD);
  expect(await tools()).toBe(1);
});

test('history and traces survive a clock that jumps ten years ahead, and one that is set back', async () => {
  setClock(RIGHT);
  await exposeDemo();
  expect(await call()).toBe(true);
  const [trace = 'none'] = namesIn('traces');
  const [history = 'none'] = namesIn('journal');
  setClock(AHEAD);
  expect(await call()).toBe(true);
  setClock(BEHIND);
  expect(await call()).toBe(true);
  setClock(RIGHT);
  expect(await call()).toBe(true);
  expect(namesIn('traces')).toContain(trace);
  expect(namesIn('journal')).toContain(history);
  const traced = await installation.ok<Record<string, readonly unknown[]>>('trace');
  expect(Object.values(traced).find(Array.isArray)).toHaveLength(4);
});

test('a pause outlasts a clock that is set back, until the person resumes; a jump ahead ends it, and turns nothing on', async () => {
  setClock(RIGHT);
  await exposeDemo();
  offer('two');
  await installation.ok('servers', 'check', 'Demo');
  await installation.ok('pause', '60');
  offer('one');
  await installation.ok('servers', 'check', 'Demo');
  setClock(BEHIND);
  expect(await call()).toBe(false);
  setClock(AHEAD);
  expect(await call()).toBe(true);
  setClock(BEHIND);
  expect(await call()).toBe(false);
  await installation.ok('resume');
  expect(await call()).toBe(true);
});

test('a folder is taken over from a dead process, and refused while a living one has it, whatever the clocks say', async () => {
  setClock(AHEAD);
  await exposeDemo();
  const gateway = await installation.serve();
  setClock(BEHIND);
  const second = await installation.run('serve');
  expect([second.status, second.stderr]).toEqual([1, expect.stringContaining(`process ${gateway.pid}`)]);
  await installation.stop('SIGKILL');
  expect(await call()).toBe(true);
});
