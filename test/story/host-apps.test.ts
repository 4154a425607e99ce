import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { parse as parseToml } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { endProcesses, Installation, ROOT, until } from '../support/holdfast.ts';

const EVERYTHING = path.join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
let installation: Installation;

beforeEach(() => {
  installation = new Installation();
  for (const folder of ['.cursor', '.codex'])
    mkdirSync(path.join(installation.home, 'user', folder), { recursive: true });
  for (const folder of ['goose', 'Code/User'])
    mkdirSync(path.join(installation.home, 'config', folder), { recursive: true });
});
afterEach(() => installation.dispose());

interface Entry {
  command?: string;
  cmd?: string;
  args: string[];
  env?: Record<string, string>;
}

interface Codex {
  mcp_servers: { holdfast: Entry };
}

const FILES: Record<string, readonly [folder: 'user' | 'config', file: string, read: (text: string) => Entry]> = {
  cursor: ['user', '.cursor/mcp.json', (text) => JSON.parse(text).mcpServers.holdfast],
  'claude-code': ['user', '.claude.json', (text) => JSON.parse(text).mcpServers.holdfast],
  vscode: ['config', 'Code/User/mcp.json', (text) => JSON.parse(text).servers.holdfast],
  codex: ['user', '.codex/config.toml', (text) => (parseToml(text) as unknown as Codex).mcp_servers.holdfast], // what was written
  goose: ['config', 'goose/config.yaml', (text) => parseYaml(text).extensions.holdfast],
};

function fileOf(app: string): string {
  const [folder = '', file = ''] = FILES[app] ?? [];
  return path.join(installation.home, folder, file);
}

describe.each(Object.keys(FILES))('the entry that is written for %s', (app) => {
  test('starts Holdfast with no more of the environment than such an app gives it', async () => {
    await installation.ok('servers', 'add', 'Everything', '--', process.execPath, EVERYTHING);
    await installation.ok('apps', 'connect', app);
    await installation.ok('expose', app, 'Everything', 'tool', 'echo');
    const { command, cmd, args, env } = FILES[app]![2](readFileSync(fileOf(app), 'utf8'));
    const client = new Client({ name: app, version: '1' });
    const start = { command: command ?? cmd ?? '', args, ...(env && { env }), stderr: 'pipe' } as const;
    await client.connect(new StdioClientTransport(start));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    await client.close();
    expect(await endProcesses(`serve\0--home\0${installation.data}`, 'SIGTERM')).toBe(1);
  });
});

/** What the entry of Cursor answers, started as it is written and with no more than such an app passes on. */
async function instructionsOf(entry: Entry): Promise<string> {
  const client = new Client({ name: 'cursor', version: '1' });
  const { command = '', args, env } = entry;
  await client.connect(new StdioClientTransport({ command, args, ...(env && { env }), stderr: 'pipe' }));
  const instructions = client.getInstructions() ?? '';
  await client.close();
  return instructions;
}

test('an entry has no spaces though the data folder has, stays as it is over updates, and speaks when all else is gone', async () => {
  const data = path.join(installation.home, 'Application Support', 'Holdfast');
  Object.defineProperty(installation, 'data', { value: data });
  mkdirSync(path.join(installation.home, 'user'), { recursive: true });
  // As a package brings it along.
  const node = path.join(data, 'runtimes', `${process.platform}-${process.arch}`, 'node/bin/node');
  mkdirSync(path.dirname(node), { recursive: true });
  copyFileSync(process.execPath, node);
  await installation.ok('apps', 'connect', 'cursor');
  const entry = FILES['cursor']![2](readFileSync(fileOf('cursor'), 'utf8'));
  expect([entry.command, ...entry.args].filter((word) => word === undefined || /\s/.test(word))).toEqual([]);
  expect(path.isAbsolute(entry.command ?? '')).toBe(true);
  expect(entry.args).toContainEqual(expect.stringMatching(/^hf-[0-9a-f]{12}$/));
  // The next version brings another Node, from another place.
  utimesSync(node, new Date(), new Date(Date.now() + 60_000));
  expect(await installation.ok('apps', 'connect', 'cursor')).toMatchObject({ changed: false });
  await instructionsOf(entry);
  expect(await endProcesses(`serve\0--home\0${data}`, 'SIGTERM')).toBe(1);
  // Uninstalled: what started it is gone, and so is what it was packed with; the data folder is not.
  rmSync(path.join(data, 'runtimes'), { recursive: true });
  const launch = { command: '/opt/holdfast/holdfast', args: ['--hidden'], env: {} };
  await until(
    () => existsSync(path.join(data, 'gateway.sock')),
    (is) => !is,
  );
  writeFileSync(path.join(data, 'launch.json'), JSON.stringify(launch));
  expect(await instructionsOf(entry)).toMatch(/^Holdfast is no longer on this computer/);
});

test('an entry that the app has lost is put back, and one for an app that nobody added is not', async () => {
  const refused = await installation.run('--json', 'apps', 'repair', 'cursor');
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'CONSUMER_NOT_FOUND' } });
  await installation.ok('apps', 'connect', 'cursor');
  const connected = readFileSync(fileOf('cursor'), 'utf8');
  writeFileSync(fileOf('cursor'), '{}');
  const shown = await installation.run('apps', 'repair', 'cursor', '--dry-run');
  expect(shown.stdout).toMatch(/^--- .*mcp\.json\n\+\+\+ .*mcp\.json\n@@ [^\n]* @@\n-\{\}\n/);
  expect(readFileSync(fileOf('cursor'), 'utf8')).toBe('{}');
  await installation.ok('apps', 'repair', 'cursor');
  expect(JSON.parse(readFileSync(fileOf('cursor'), 'utf8'))).toEqual(JSON.parse(connected));
});

test('a disconnect finds the file that was written, although the environment names another one now', async () => {
  installation.env['CODEX_HOME'] = path.join(installation.home, 'elsewhere');
  mkdirSync(installation.env['CODEX_HOME']);
  const { file } = await installation.ok<{ file: string }>('apps', 'connect', 'codex');
  expect(path.dirname(file)).toBe(installation.env['CODEX_HOME']);
  delete installation.env['CODEX_HOME'];
  expect(await installation.ok('apps', 'disconnect', 'codex')).toMatchObject({ changed: true, file });
  expect(existsSync(file)).toBe(false);
});

test('an app that is connected by hand is told what to put where', async () => {
  const ran = await installation.run('apps', 'connect', 'trae');
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain('Trae');
  expect(ran.stderr).toContain('the MCP view of the settings');
  const { apps } = await installation.ok<{ apps: { id: string; name: string }[] }>('apps', 'list');
  expect(apps).toMatchObject([{ id: 'trae', name: 'Trae' }]);
});

test('one command takes Holdfast out of every app, byte for byte, and an app can be connected again', async () => {
  const before = 'model = "m" # mine\n';
  writeFileSync(fileOf('codex'), before);
  for (const app of ['cursor', 'codex']) await installation.ok('apps', 'connect', app);
  const entry = FILES['cursor']![2](readFileSync(fileOf('cursor'), 'utf8'));
  const { stdout } = await installation.run('apps', 'disconnect-all');
  expect(stdout.trim().split('\n').sort()).toEqual(
    [`${fileOf('codex')}: restored`, `${fileOf('cursor')}: restored`].sort(),
  );
  expect(existsSync(fileOf('cursor'))).toBe(false);
  expect(readFileSync(fileOf('codex'), 'utf8')).toBe(before);
  expect(await installation.ok('apps', 'disconnect-all')).toEqual({ files: [] });
  // An app that still runs starts what it knows of.
  expect(await instructionsOf(entry)).toMatch(/^Holdfast is no longer on this computer/);
  expect(await installation.ok('apps', 'connect', 'cursor')).toMatchObject({ changed: true });
  expect(readFileSync(path.join(installation.data, 'launch.json'), 'utf8')).toContain('"serve"');
});

describe('an uninstaller', () => {
  test('gives every app its settings back, also while a gateway runs, and leaves what it cannot read', async () => {
    const before = 'model = "m" # mine\n';
    writeFileSync(fileOf('codex'), before);
    for (const app of ['cursor', 'codex', 'goose']) await installation.ok('apps', 'connect', app);
    writeFileSync(fileOf('goose'), readFileSync(fileOf('goose'), 'utf8').replace('extensions:', 'extensions: ]'));
    await installation.serve();
    const ran = await installation.run('--restore-hosts', '--quiet');
    expect(ran).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(existsSync(fileOf('cursor'))).toBe(false);
    expect(readFileSync(fileOf('codex'), 'utf8')).toBe(before);
    expect(readFileSync(fileOf('goose'), 'utf8')).toContain('extensions: ]');
    const log = readFileSync(path.join(installation.data, 'restore-hosts.log'), 'utf8');
    const outcomes = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))));
    expect(outcomes).toEqual(
      expect.arrayContaining([
        { app: 'cursor', file: fileOf('cursor'), outcome: 'restored' },
        { app: 'codex', file: fileOf('codex'), outcome: 'restored' },
        { app: 'goose', file: fileOf('goose'), outcome: 'left', hint: expect.stringContaining('by hand') },
      ]),
    );
  });

  test('ends well where there was never a Holdfast', async () => {
    rmSync(installation.data, { recursive: true, force: true });
    expect(await installation.run('--restore-hosts')).toMatchObject({
      status: 0,
      stdout: 'Holdfast is in no app’s settings.\n',
    });
  });
});
