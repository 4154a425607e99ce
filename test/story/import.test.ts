import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Installation, ROOT } from '../support/holdfast.ts';

const SERVER = path.join(ROOT, 'test/fixtures/upstream.mjs');
const KEY = 'key-of-a-person-7f3a';
let installation: Installation;

interface Took {
  taken: { name: string; isNew: boolean; args: string[]; moved: { app: string }[] }[];
  left: { name: string; reason: { code: string; en: string } }[];
  edits: { app: string; diff?: string }[];
}
interface Surface {
  entries: { originKey: string; kind: string }[];
}

beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.dispose());

/** A server of a person: what starts it, with a key and a folder. */
function server(name: string, faults: object = {}): { command: string; args: string[] } {
  const control = path.join(installation.home, `${name}.json`);
  const tools = ['one', 'two'].map((tool) => ({ name: tool, description: '{cwd}', inputSchema: { type: 'object' } }));
  writeFileSync(control, JSON.stringify({ tools, faults, log: `${control}.log` }));
  return { command: process.execPath, args: [SERVER, control] };
}

function settings(file: string, servers: object): string {
  const whole = path.join(installation.home, 'user', file);
  mkdirSync(path.dirname(whole), { recursive: true });
  writeFileSync(whole, `${JSON.stringify({ mcpServers: servers, mine: 1 }, null, '\t')}\n`);
  return whole;
}

const namesIn = (file: string): string[] => Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers);

test('servers of two apps are shown, taken over with what they had, and given back to the byte', async () => {
  const folder = path.join(installation.home, 'folder of its own');
  mkdirSync(folder);
  const notes = { ...server('notes'), env: { NOTES_TOKEN: KEY }, cwd: folder };
  const cursor = settings('.cursor/mcp.json', {
    notes,
    off: { ...server('off'), disabled: true },
    broken: server('broken', { start: 'exit' }),
    asks: { command: 'x', args: ['${input:place}'] },
    empty: {},
  });
  const kiro = settings('.kiro/settings/mcp.json', { again: { ...notes, disabledTools: ['two'] } });
  const before = [cursor, kiro].map((file) => readFileSync(file, 'utf8'));

  const looked = await installation.run('import', '--look');
  expect(looked.stdout).toContain('notes: Cursor, Kiro\n');
  expect(looked.stdout).toContain(`runs: ${process.execPath} ${SERVER}`);
  expect(looked.stdout).toContain('empty stays in Cursor');
  expect(looked.stdout).toContain('needs: place');
  const shown = await installation.run('--json', 'import', '--dry-run');
  const plan = JSON.parse(shown.stdout) as Took; // the documented shape
  expect(plan.taken.map(({ name }) => name)).toEqual(['notes', 'off', 'broken']);
  expect(plan.edits.find(({ app }) => app === 'cursor')?.diff).toContain('-\t\t"notes"');
  expect(looked.stdout + shown.stdout).not.toContain(KEY);
  expect([cursor, kiro].map((file) => readFileSync(file, 'utf8'))).toEqual(before);
  expect(existsSync(path.join(installation.home, 'notes.json.log'))).toBe(false);

  const ran = await installation.run('--json', 'import');
  const took = JSON.parse(ran.stdout) as Took; // the documented shape
  expect(ran.status).toBe(1);
  expect(took.taken.map(({ name }) => name)).toEqual(['notes', 'off']);
  expect(took.left).toMatchObject([{ name: 'broken', reason: { code: 'not-started' } }]);
  expect(namesIn(cursor)).toEqual(['broken', 'asks', 'empty', 'holdfast']);
  expect(namesIn(kiro)).toEqual(['holdfast']);

  const surfaces = await Promise.all(['cursor', 'kiro'].map((app) => installation.ok<Surface>('surface', app)));
  const tools = surfaces.map(({ entries }) => entries.flatMap((one) => (one.kind === 'tool' ? [one.originKey] : [])));
  expect(tools).toEqual([['one', 'two'], ['one']]);
  expect(readFileSync(path.join(installation.data, 'state.json'), 'utf8')).not.toContain(KEY);
  const definitions = readdirSync(path.join(installation.data, 'definitions'), { recursive: true }).map(String);
  const texts = definitions
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(path.join(installation.data, 'definitions', name), 'utf8'));
  expect(texts.some((text) => text.includes(folder))).toBe(true);

  // Taking over once more finds nothing to do, and a server that came back is known.
  await installation.ok('apps', 'disconnect', 'kiro');
  expect(readFileSync(kiro, 'utf8')).toBe(before[1]);
  const again = await installation.ok<Took>('import', '--app', 'kiro');
  expect(again.taken).toMatchObject([{ name: 'notes', isNew: false, moved: [{ app: 'kiro' }] }]);
  const kept = await installation.ok<Surface>('surface', 'kiro');
  expect(kept.entries.flatMap((one) => (one.kind === 'tool' ? [one.originKey] : []))).toEqual(['one']);
  await installation.run('--restore-hosts', '--quiet');
  expect([cursor, kiro].map((file) => readFileSync(file, 'utf8'))).toEqual(before);
}, 60_000);

test('an app whose settings cannot be changed keeps its servers, and nothing is added', async () => {
  const file = settings('.codex/config.json', {});
  const codex = path.join(path.dirname(file), 'config.toml');
  const { command, args } = server('notes');
  writeFileSync(
    codex,
    `mcp_servers = { notes = { command = ${JSON.stringify(command)}, args = ${JSON.stringify(args)} } }\n`,
  );
  const before = readFileSync(codex, 'utf8');
  const ran = await installation.run('--json', 'import', 'notes');
  const took = JSON.parse(ran.stdout) as Took; // the documented shape
  expect(took).toMatchObject({ taken: [], left: [{ name: 'notes', reason: { code: 'settings' } }], edits: [] });
  expect(readFileSync(codex, 'utf8')).toBe(before);
  expect(await installation.ok('servers', 'list')).toMatchObject({ servers: [] });
}, 60_000);

test('a person can leave the settings as they are, and has the server in both places', async () => {
  const cursor = settings('.cursor/mcp.json', { notes: server('notes') });
  const before = readFileSync(cursor, 'utf8');
  const ran = await installation.run('import', '--leave');
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining('notes was taken over, from cursor.') });
  expect(readFileSync(cursor, 'utf8')).toBe(before);
  expect(await installation.ok('servers', 'list')).toMatchObject({ servers: [{ name: 'notes' }] });

  // What was turned off since stays off, whoever takes the server over again.
  await installation.ok('hide', 'cursor', 'notes', 'tool', 'two');
  await installation.ok('import', '--leave');
  const { entries } = await installation.ok<Surface>('surface', 'cursor');
  expect(entries.flatMap((one) => (one.kind === 'tool' ? [one.originKey] : []))).toEqual(['one']);
}, 60_000);
