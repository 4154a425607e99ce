import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endpointFor } from '../../electron/bridge/endpoint.ts';
import { Installation, ROOT, type Ran } from '../support/holdfast.ts';

const FILESYSTEM = path.join(ROOT, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
let installation: Installation;

beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.dispose());

function errorOf({ stdout }: Ran): { code: string; message: string; next: string } {
  return (JSON.parse(stdout) as { error: { code: string; message: string; next: string } }).error; // the documented shape
}

test('an unknown app is named, with what to do next', async () => {
  const ran = await installation.run('--json', 'surface', 'cursor');
  expect(ran.status).toBe(1);
  expect(errorOf(ran)).toEqual({
    code: 'CONSUMER_NOT_FOUND',
    message: 'There is no app called “cursor”.',
    next: 'Run "holdfast apps list" to see your apps, or add it with "holdfast apps add cursor".',
  });
  expect(ran.stderr.trim()).toContain('There is no app called “cursor”.');
});

test('an unknown server is named', async () => {
  const ran = await installation.run('--json', 'servers', 'check', 'Exa');
  expect([ran.status, errorOf(ran).code]).toEqual([1, 'UPSTREAM_NOT_FOUND']);
});

test('words that are no command end with the usage status and change nothing', async () => {
  for (const words of [
    ['frobnicate'],
    ['servers', 'add'],
    ['servers', 'add', 'x', '--env', 'novalue', '--', 'y'],
    ['expose', 'a'],
  ]) {
    const ran = await installation.run('--json', ...words);
    expect([ran.status, errorOf(ran).code]).toEqual([2, 'COMMAND_BAD_INPUT']);
  }
});

test('a server that does not start says why, in the check and when it is exposed', async () => {
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('servers', 'add', 'Broken', '--', path.join(installation.home, 'no-such-program'));
  const checked = await installation.run('--json', 'servers', 'check', 'Broken');
  expect(checked.status).toBe(1);
  expect(JSON.parse(checked.stdout)).toMatchObject({ complete: false, kinds: { tool: { status: 'failed' } } });
  const exposed = await installation.run('--json', 'expose', 'cursor', 'Broken', 'tool', 'anything');
  expect([exposed.status, errorOf(exposed).code]).toEqual([1, 'UPSTREAM_START_FAILED']);
  expect(errorOf(exposed).message).toContain('Broken');
});

test('files named relative to where the command was typed are found, whatever folder the server runs in', async () => {
  const relative = path.relative(process.cwd(), FILESYSTEM);
  await installation.ok('servers', 'add', 'Files', '--', process.execPath, relative, installation.home);
  const { servers } = await installation.ok<{ servers: { args: string[] }[] }>('servers', 'list');
  expect(servers[0]?.args).toEqual([FILESYSTEM, installation.home]);
  expect((await installation.run('servers', 'check', 'Files')).status).toBe(0);
});

test('a program with the wrong token is turned away before anything else', async () => {
  await installation.ok('apps', 'add', 'cursor');
  await installation.serve();
  for (const role of [{ role: 'control' }, { role: 'bridge', consumer: 'cursor', pid: 1 }]) {
    const answer = await firstLine(endpointFor(installation.data), { holdfast: 1, ...role, token: 'f'.repeat(64) });
    expect(JSON.parse(answer)).toMatchObject({ error: { code: 'FORBIDDEN' } });
  }
});

function firstLine(endpoint: string, hello: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(endpoint, () => socket.write(`${JSON.stringify(hello)}\n`));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text);
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`closed after ${text}`)));
  });
}

test('a second gateway on the same data folder says that there is one', async () => {
  const gateway = await installation.serve();
  const second = await installation.run('serve');
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(`process ${gateway.pid}`);
});

test('a damaged state file is set aside, the last good one serves, and the person is told', async () => {
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('servers', 'add', 'Files', '--', process.execPath, FILESYSTEM, installation.home);
  await installation.ok('expose', 'cursor', 'Files');
  const before = await installation.ok<{ entries: unknown[] }>('surface', 'cursor');
  await installation.ok('hide', 'cursor', 'Files', 'tool', 'read_text_file');
  writeFileSync(path.join(installation.data, 'state.json'), '{"holdfast":1,"state":');
  const after = await installation.ok<{ entries: { originKey: string }[] }>('surface', 'cursor');
  // The generation before had it; what was taken away since is taken away again.
  expect(after.entries.map(({ originKey }) => originKey)).not.toContain('read_text_file');
  expect(after.entries).toHaveLength(before.entries.length - 1);
  expect(readdirSync(installation.data).some((name) => name.startsWith('state.damaged-'))).toBe(true);
});

test('a data folder of a newer Holdfast is refused and left as it is', async () => {
  mkdirSync(installation.data, { recursive: true });
  const file = path.join(installation.data, 'state.json');
  writeFileSync(file, '{"holdfast":999,"state":{}}');
  const ran = await installation.run('--json', 'apps', 'list');
  expect([ran.status, errorOf(ran).code]).toEqual([1, 'STORE_NEWER']);
  expect(readFileSync(file, 'utf8')).toBe('{"holdfast":999,"state":{}}');
});

test('keys of servers are in no file but the secrets file, which is private', async () => {
  const canary = 'canary-5f2c9d';
  await installation.ok('apps', 'add', 'cursor');
  const add = [
    'servers',
    'add',
    'Files',
    '--env',
    `SECRET=${canary}`,
    '--',
    process.execPath,
    FILESYSTEM,
    installation.home,
  ];
  await installation.ok(...add);
  await installation.ok('expose', 'cursor', 'Files');
  const files = readdirSync(installation.data, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const holding = files
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'utf8').includes(canary));
  expect(holding).toEqual([path.join(installation.data, 'secrets.json')]);
  expect(statSync(path.join(installation.data, 'secrets.json')).mode & 0o777).toBe(0o600);
});
