import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { buildSync } from 'esbuild';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Bundles } from '../../electron/getting/bundles.ts';
import { fillOffer } from '../../electron/getting/fill-offer.ts';
import { bundleOf } from '../getting/zip.ts';
import { Installation, ROOT, type Ran } from '../support/holdfast.ts';

const EVERYTHING = path.join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
let installation: Installation;
let program: Buffer;

// A real server in one file, as packers of bundles make it.
beforeAll(() => {
  const built = buildSync({
    stdin: {
      contents: `
        import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
        import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
        const server = new McpServer({ name: 'notes', version: process.argv[2] });
        server.registerTool('read_note', { description: 'Reads a note.' }, () => ({
          content: [{ type: 'text', text: JSON.stringify([process.argv.slice(2), process.env.NOTES_KEY]) }],
        }));
        await server.connect(new StdioServerTransport());`,
      resolveDir: ROOT,
    },
    ...{ bundle: true, platform: 'node', format: 'esm', write: false, minify: true, logLevel: 'error' },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  program = Buffer.from(built.outputFiles[0]?.contents ?? []);
});
beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.dispose());

const settings = (version: string) => ({
  version,
  server: {
    type: 'node',
    entry_point: 'server/index.mjs',
    mcp_config: {
      command: process.execPath,
      args: ['${__dirname}/server/index.mjs', version, '${user_config.folders}'],
      env: { NOTES_KEY: 'Bearer ${user_config.key}' },
    },
  },
  user_config: {
    folders: { type: 'directory', title: 'Folders', description: 'Where', multiple: true, required: true },
    key: { type: 'string', title: 'Key', description: 'Of yours', sensitive: true, required: true },
  },
});

function bundle(version: string): string {
  const file = path.join(installation.home, `notes-${version}.mcpb`);
  fs.writeFileSync(file, bundleOf(settings(version), [{ name: 'server/index.mjs', content: program }]));
  return file;
}

const refusalOf = ({ stdout }: Ran): string => (JSON.parse(stdout) as { error: { code: string } }).error.code;
const bundlesThere = (): string[] => {
  const folder = path.join(installation.data, 'bundles');
  return fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }).map(String) : [];
};

interface Added {
  added: boolean;
  command: string;
  args: string[];
  missing: string[];
  updates: string[];
  restored?: boolean;
}

test('a bundle is shown whole, added when a person says so, started for an app, and updated with its choices kept', async () => {
  const file = bundle('1.0.0');
  const shown = await installation.run('--json', 'add', file);
  expect(shown.status).toBe(1);
  const view = JSON.parse(shown.stdout) as Added;
  expect(view).toMatchObject({ added: false, command: process.execPath, missing: ['folders', 'key'] });
  expect(view.args[0]).toMatch(/bundles\/notes-[0-9a-f]{8}\/1\.0\.0-[0-9a-f]{12}\/server\/index\.mjs$/);
  expect(bundlesThere()).toEqual([]);
  expect(refusalOf(await installation.run('--json', 'add', file, '--yes', '--set', 'folders=/a'))).toBe(
    'OFFER_REFUSED',
  );
  expect(bundlesThere()).toEqual([]);

  installation.env['key'] = 'very-secret-value';
  const given = ['--set', 'folders=/a b', '--set', 'folders=/c', '--set', 'key', '--name', 'My notes'];
  await installation.ok('add', file, '--yes', ...given);
  const state = fs.readFileSync(path.join(installation.data, 'state.json'), 'utf8');
  expect(state).not.toContain('very-secret-value');
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('expose', 'cursor', 'My notes');
  await installation.serve();
  const { client } = await installation.hostApp('cursor');
  const [content] = (await client.callTool({ name: 'read_note' })).content as [{ text: string }];
  expect(JSON.parse(content.text)).toEqual([['1.0.0', '/a b', '/c'], 'Bearer very-secret-value']);

  const next = bundle('2.0.0');
  const offered = JSON.parse((await installation.run('--json', 'add', next)).stdout) as Added;
  expect(offered.updates).toEqual(['My notes']);
  await installation.ok('add', next, '--yes', '--update', 'My notes', '--set', 'folders=/new');
  // Choices are carried over with the first list of the new version.
  await installation.ok('servers', 'check', 'My notes');
  const [newer] = (await client.callTool({ name: 'read_note' })).content as [{ text: string }];
  expect(JSON.parse(newer.text)).toEqual([['2.0.0', '/new'], 'Bearer very-secret-value']);
  expect(
    bundlesThere().filter((name) => /^notes-[0-9a-f]{8}\/[^/]+$/.test(name) && !name.endsWith('.json')),
  ).toHaveLength(2);

  await installation.ok('servers', 'remove', 'My notes');
  expect(refusalOf(await installation.run('--json', 'add', next, '--yes', ...given))).toBe('UPSTREAM_KNOWN_BEFORE');
  expect(await installation.ok<Added>('add', next, '--yes', '--restore', ...given)).toMatchObject({ restored: true });
});

test('what is no bundle, and a server that is not in the list, are refused with a sentence', async () => {
  const file = path.join(installation.home, 'evil.mcpb');
  fs.writeFileSync(file, bundleOf({}, [{ name: '../../evil', content: 'x' }]));
  const refused = await installation.run('add', file, '--yes');
  expect([refused.status, refused.stderr]).toEqual([
    1,
    '“../../evil” in evil.mcpb would be put where it does not belong, or cannot be on every computer. Nothing was added. Ask whoever publishes the server for another file.\n',
  ]);
  expect(refusalOf(await installation.run('--json', 'add', 'catalogue:nothing', '--yes'))).toBe('OFFER_REFUSED');
  expect(refusalOf(await installation.run('--json', 'add', file, '--set', 'x'))).toBe('COMMAND_BAD_INPUT');
});

test('a server of the list is found without a connection, shown, and added with what it asks for', async () => {
  installation.env['HOLDFAST_REGISTRY'] = 'http://127.0.0.1:1';
  const listed = await installation.run('catalogue', 'search', 'files');
  expect(listed.stdout).toContain('catalogue:filesystem');
  const shown = await installation.run('add', 'catalogue:filesystem');
  expect(shown.stdout).toContain('npx -y @modelcontextprotocol/server-filesystem@');
  const { fields } = JSON.parse((await installation.run('--json', 'add', 'catalogue:filesystem')).stdout) as {
    fields: { key: string }[];
  };
  await installation.ok('add', 'catalogue:filesystem', '--yes', '--set', `${fields[0]?.key}=/tmp/x`);
  const { servers } = await installation.ok<{ servers: { name: string; args: string[] }[] }>('servers', 'list');
  expect(servers).toMatchObject([{ name: 'Files', args: ['-y', expect.stringContaining('filesystem@'), '/tmp/x'] }]);
});

test('a bundle of the bridge is a bundle like any other, and connects the app that starts it as its manifest says', async () => {
  await installation.ok('servers', 'add', 'Everything', '--', process.execPath, EVERYTHING);
  const file = path.join(installation.home, 'holdfast.mcpb');
  await installation.ok('apps', 'bundle', 'claude-desktop', '--out', file);
  expect(refusalOf(await installation.run('--json', 'apps', 'bundle', 'claude-desktop', '--out', file))).toBe(
    'FILE_EXISTS',
  );
  await installation.ok('expose', 'claude-desktop', 'Everything', 'tool', 'echo');
  await installation.serve();
  const shelf = new Bundles({ dataDir: path.join(installation.home, 'claude'), home: '/h', platform: 'linux' });
  const { offer } = await shelf.open(file, () => false);
  const { command, args } = fillOffer(offer, {});
  expect(command).toBe('node');
  const client = new Client({ name: 'claude', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'pipe' }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
  await client.close();
});
