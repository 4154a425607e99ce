import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Installation, ROOT, until } from '../support/holdfast.ts';

const EVERYTHING = path.join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const FILESYSTEM = path.join(ROOT, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
let installation: Installation;

beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.dispose());

interface Surface {
  entries: { name: string; originKey: string; kind: string }[];
  withheld: { originKey: string; reason: string }[];
}

test('a server that goes from one process to one per app does not get new things approved on the way', async () => {
  await installation.ok('servers', 'add', 'Everything', '--', process.execPath, EVERYTHING);
  await installation.ok('apps', 'add', 'cursor');
  await installation.serve();
  await installation.ok('expose', 'cursor', 'Everything');
  const shared = await installation.ok<Surface>('surface', 'cursor');
  const app = await installation.hostApp('cursor');
  const echoed = await app.client.callTool({ name: 'echo', arguments: { message: 'hello' } });
  expect(JSON.stringify(echoed.content)).toContain('hello');
  // It asks its client for roots, which nobody could answer for all apps: each app gets its own process from then on.
  await until(
    () => installation.ok<{ servers: { perApp: boolean }[] }>('servers', 'list'),
    ({ servers }) => servers[0]?.perApp === true,
  );
  const again = await app.client.callTool({ name: 'echo', arguments: { message: 'again' } });
  expect(JSON.stringify(again.content)).toContain('again');
  const own = await until(
    () => installation.ok<Surface>('surface', 'cursor'),
    ({ withheld }) => withheld.some(({ reason }) => reason === 'hidden'),
  );
  const before = shared.entries.map(({ kind, originKey }) => `${kind}/${originKey}`);
  expect(own.entries.filter(({ kind, originKey }) => !before.includes(`${kind}/${originKey}`))).toEqual([]);
  expect(own.withheld.map(({ reason }) => reason)).not.toContain('missing');
});

test('a real file server reads a file through the gateway, and hiding one tool refuses exactly that one', async () => {
  const folder = path.join(installation.home, 'documents');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'note.txt'), 'the contents');
  await installation.ok('servers', 'add', 'Files', '--', process.execPath, FILESYSTEM, folder);
  await installation.ok('apps', 'add', 'cursor');
  await installation.serve();
  await installation.ok('expose', 'cursor', 'Files');
  const app = await installation.hostApp('cursor');
  const read = { name: 'read_text_file', arguments: { path: path.join(folder, 'note.txt') } };
  expect(JSON.stringify((await app.client.callTool(read)).content)).toContain('the contents');
  await installation.ok('hide', 'cursor', 'Files', 'tool', 'read_text_file');
  const refused = await app.client.callTool(read);
  expect(JSON.stringify(refused.content)).toContain('was turned off by the user');
  const listed = await app.client.callTool({ name: 'list_directory', arguments: { path: folder } });
  expect(JSON.stringify(listed.content)).toContain('note.txt');
});

test('a tool set given to an app serves its tools; taking one tool out of it takes it out of the app', async () => {
  await installation.ok('servers', 'add', 'Files', '--', process.execPath, FILESYSTEM, installation.home);
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('profiles', 'create', 'Reading');
  await installation.ok('profiles', 'add', 'Reading', 'Files', 'tool', 'read_text_file');
  await installation.ok('profiles', 'add', 'Reading', 'Files', 'tool', 'list_directory');
  await installation.ok('profiles', 'assign', 'Reading', 'cursor');
  const names = async (): Promise<string[]> =>
    (await installation.ok<Surface>('surface', 'cursor')).entries.map(({ name }) => name);
  expect(await names()).toEqual(['list_directory', 'read_text_file']);
  await installation.ok('profiles', 'remove', 'Reading', 'Files', 'tool', 'list_directory');
  expect(await names()).toEqual(['read_text_file']);
  await installation.ok('hide', 'cursor', 'Files', 'tool', 'read_text_file');
  expect(await names()).toEqual([]);
});

test('a removed server comes back with its choices when they are wanted', async () => {
  const add = ['servers', 'add', 'Files', '--', process.execPath, FILESYSTEM, installation.home];
  await installation.ok(...add);
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('expose', 'cursor', 'Files', 'tool', 'read_text_file');
  const before = await installation.ok<Surface>('surface', 'cursor');
  await installation.ok('servers', 'remove', 'Files');
  expect((await installation.ok<Surface>('surface', 'cursor')).entries).toEqual([]);
  const asked = await installation.run('--json', ...add);
  expect(asked.status).toBe(1);
  expect(JSON.parse(asked.stdout)).toMatchObject({ error: { code: 'UPSTREAM_KNOWN_BEFORE' } });
  await installation.ok('servers', 'add', 'Files', '--restore', ...add.slice(3));
  expect((await installation.ok<Surface>('surface', 'cursor')).entries).toEqual(before.entries);
});
