import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endProcesses, Installation, ROOT } from '../support/holdfast.ts';

const EVERYTHING = path.join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
let installation: Installation;
let settings: string;

beforeEach(() => {
  installation = new Installation();
  settings = path.join(installation.home, 'config', 'Claude', 'claude_desktop_config.json');
  mkdirSync(path.dirname(settings), { recursive: true });
});
afterEach(() => installation.dispose());

interface Edit {
  app: string;
  file: string;
  changed: boolean;
  backup?: string;
  entry: string;
  needsRestart: boolean;
  dryRun: boolean;
  diff?: string;
}
interface Entry {
  command: string;
  args: string[];
}

function entryIn(file: string): Entry | undefined {
  const parsed = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers?: { holdfast?: Entry } }; // a settings file
  return parsed.mcpServers?.holdfast;
}

test('connecting writes one entry, twice is once, and disconnecting gives the exact bytes back', async () => {
  const before =
    '{\r\n    "preferences": {"x": 1.10},\r\n    "mcpServers": {\r\n        "other": {"command": "a"}\r\n    }\r\n}';
  writeFileSync(settings, before);
  chmodSync(settings, 0o640);
  const first = await installation.ok<Edit>('apps', 'connect', 'claude-desktop');
  expect(first).toMatchObject({
    app: 'claude-desktop',
    file: settings,
    changed: true,
    entry: 'holdfast',
    needsRestart: true,
  });
  expect(readFileSync(first.backup ?? '', 'utf8')).toBe(before);
  const second = await installation.ok<Edit>('apps', 'connect', 'claude-desktop');
  expect(second.changed).toBe(false);
  await installation.ok<Edit>('apps', 'disconnect', 'claude-desktop');
  expect(readFileSync(settings, 'utf8')).toBe(before);
  expect(statSync(settings).mode & 0o777).toBe(0o640);
});

test('an app that is here and not connected is found, until it is', async () => {
  interface Listed {
    apps: { id: string }[];
    found: { id: string; name: string; servers: number }[];
  }
  writeFileSync(settings, '{"mcpServers": {"other": {"command": "a"}}}');
  const before = await installation.ok<Listed>('apps', 'list');
  expect(before).toEqual({
    apps: [],
    found: [{ id: 'claude-desktop', name: 'Claude Desktop', servers: 1, isReadable: true }],
  });
  await installation.ok('apps', 'connect', 'claude-desktop');
  const { apps, found } = await installation.ok<Listed>('apps', 'list');
  expect([apps.map(({ id }) => id), found]).toEqual([['claude-desktop'], []]);
});

test('a dry run shows the edit, adds no app and writes nothing', async () => {
  const shown = await installation.ok<Edit>('apps', 'connect', 'claude-desktop', '--dry-run');
  expect(shown).toMatchObject({ dryRun: true, changed: true });
  expect(shown.diff).toContain('+');
  expect(existsSync(settings)).toBe(false);
  expect(await installation.ok('apps', 'list')).toMatchObject({ apps: [] });
});

test('a settings file with a mistake is left alone and the place is named', async () => {
  writeFileSync(settings, '{\n  "mcpServers": {\n    // mine\n  }\n}\n');
  const ran = await installation.run('--json', 'apps', 'connect', 'claude-desktop');
  expect(ran.status).toBe(1);
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'HOST_CONFIG_UNREADABLE' } });
  expect(ran.stderr).toContain(settings);
  expect(readFileSync(settings, 'utf8')).toContain('// mine');
  expect(await installation.ok('apps', 'list')).toMatchObject({ apps: [] });
});

test('an app whose settings cannot be written yet gets the entry to add by hand', async () => {
  const ran = await installation.run('--json', 'apps', 'connect', 'my-own-app');
  expect(ran.status).toBe(1);
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'HOST_UNSUPPORTED' } });
  expect(ran.stdout).toContain('bridge.cjs');
});

test('the entry that was written starts the gateway by itself and serves a real server', async () => {
  await installation.ok('servers', 'add', 'Everything', '--', process.execPath, EVERYTHING);
  await installation.ok('apps', 'connect', 'claude-desktop');
  await installation.ok('expose', 'claude-desktop', 'Everything', 'tool', 'echo');
  const entry = entryIn(settings);
  if (entry === undefined) throw new Error('no entry was written');
  const client = new Client({ name: 'claude', version: '1' });
  await client.connect(new StdioClientTransport({ command: entry.command, args: entry.args, stderr: 'pipe' }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
  const answer = await client.callTool({ name: 'echo', arguments: { message: 'holdfast' } });
  expect(JSON.stringify(answer.content)).toContain('holdfast');
  await client.close();
  expect(await endProcesses(`serve\0--home\0${installation.data}`, 'SIGTERM')).toBe(1);
});
