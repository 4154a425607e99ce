import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realFiles } from '../../electron/store/files.ts';
import { Secrets, type SecretBox } from '../../electron/store/secrets.ts';
import { Installation, ROOT, until, type Ran } from '../support/holdfast.ts';

const FIXTURE = path.join(ROOT, 'test/fixtures/upstream.mjs');
const AT = '2026-11-30T00:00:00.000Z';
const KEY = 'the-key-of-the-server';
/** The key store of a desktop session that the command line has no part in. */
const BOX: SecretBox = {
  kind: 'system',
  seal: (text) => Buffer.from(text, 'utf8').reverse(),
  open: (bytes) => Buffer.from(bytes).reverse().toString('utf8'),
};
const tool = (name: string): object => ({ name, description: name, inputSchema: { type: 'object' } });

interface Surface {
  readonly entries: readonly { readonly originKey: string }[];
  readonly withheld: readonly unknown[];
}

let installation: Installation;
let log: string;

beforeEach(async () => {
  installation = new Installation();
  log = path.join(installation.home, 'keyed.log');
  // Without its key it offers less, as many servers do.
  const keyed = {
    log,
    tools: [tool('look')],
    variants: [{ env: { KEY }, set: { tools: [tool('look'), tool('work')] } }],
  };
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('servers', 'add', 'Keyed', '--env', `KEY=${KEY}`, '--', ...program('keyed', keyed));
  await installation.ok('servers', 'add', 'Plain', '--', ...program('plain', { tools: [tool('clock')] }));
  await installation.ok('expose', 'cursor', 'Keyed');
  await installation.ok('expose', 'cursor', 'Plain');
});
afterEach(() => installation.dispose());

function program(name: string, content: object): string[] {
  const file = path.join(installation.home, `${name}.json`);
  writeFileSync(file, JSON.stringify(content));
  return [process.execPath, FIXTURE, file];
}

const secretsFile = (): string => path.join(installation.data, 'secrets.json');
const starts = (): number =>
  existsSync(log) ? readFileSync(log, 'utf8').split('"method":"initialize"').length - 1 : 0;
const offered = async (): Promise<string[]> =>
  (await installation.ok<Surface>('surface', 'cursor')).entries.map(({ originKey }) => originKey);
const codeOf = ({ stdout }: Ran): unknown => (JSON.parse(stdout) as { error?: { code?: unknown } }).error?.code;

async function seal(): Promise<Buffer> {
  const { secrets } = await Secrets.open(realFiles, installation.data, AT, BOX);
  expect(secrets.keeping).toBe('sealed');
  return readFileSync(secretsFile());
}

async function expectUnreached(reason: string): Promise<void> {
  const before = starts();
  const checked = await installation.run('--json', 'servers', 'check', 'Keyed');
  expect(checked.status).toBe(1);
  const failed = { status: 'failed', reason: expect.stringContaining(reason) as string };
  expect(JSON.parse(checked.stdout)).toMatchObject({
    complete: false,
    kinds: { tool: failed, prompt: failed },
    changes: [],
  });
  expect(starts()).toBe(before);
  expect(await offered()).toEqual(['clock', 'look', 'work']);
}

test('a server whose keys are locked is not started without them, and nothing of it goes off', async () => {
  expect(await offered()).toEqual(['clock', 'look', 'work']);
  const sealed = await seal();
  await expectUnreached('its keys are locked; end Holdfast where it runs without the app, then open the Holdfast app');
  const list = await installation.ok<{ keys: string }>('servers', 'list');
  expect(list.keys).toBe('locked');

  await installation.serve();
  const { client } = await installation.hostApp('cursor');
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toHaveLength(3);
  const call = (part: string) => client.callTool({ name: names.find((name) => name.includes(part)) ?? '' });
  expect(JSON.stringify(await call('clock'))).toContain('clock of demo');
  const refused = JSON.stringify(await call('work').catch(String));
  expect(refused).toContain('Keyed isn’t working right now. Nothing was run.');
  expect((await client.listTools()).tools).toHaveLength(3);
  await installation.stop();
  expect(readFileSync(secretsFile()).equals(sealed)).toBe(true);
  expect((await Secrets.open(realFiles, installation.data, AT, BOX)).secrets.known).toContain(KEY);
});

test('locked keys cannot be changed, which is said with what to do, and servers without keys are not affected', async () => {
  const sealed = await seal();
  const state = readFileSync(path.join(installation.data, 'state.json'), 'utf8');
  const refused = [
    ['servers', 'set', 'Keyed', '--env', 'KEY=other'],
    ['servers', 'set', 'Keyed', '--', 'other-program'],
    ['servers', 'set', 'Plain', '--env', 'KEY=new'],
    ['servers', 'add', 'New', '--env', 'KEY=new', '--', 'program'],
  ];
  for (const words of refused) {
    const ran = await installation.run('--json', ...words);
    expect([ran.status, codeOf(ran)]).toEqual([1, 'SECRETS_LOCKED']);
    expect(ran.stderr).toContain('nothing is lost. End the Holdfast that runs without the app');
  }
  expect(readFileSync(path.join(installation.data, 'state.json'), 'utf8')).toBe(state);
  expect(readFileSync(secretsFile()).equals(sealed)).toBe(true);

  await installation.ok('servers', 'add', 'Other', '--', ...program('other', { tools: [tool('other')] }));
  await installation.ok('servers', 'set', 'Plain', '--', ...program('plain', { tools: [tool('clock')] }), 'more');
  expect((await installation.run('servers', 'check', 'Plain')).status).toBe(0);
});

test('a gateway that cannot open the keys leaves word of the app that can, and is to be ended first', async () => {
  const launchFile = path.join(installation.data, 'launch.json');
  const app = path.join(installation.home, 'the-app');
  writeFileSync(app, '');
  const word = JSON.stringify({ command: app, args: ['--hidden'], env: {} });
  writeFileSync(launchFile, word);
  await seal();
  const gateway = await installation.serve();
  expect(readFileSync(launchFile, 'utf8')).toBe(word);
  const doctor = (await installation.run('doctor')).stdout;
  expect(doctor).toContain(`End the running Holdfast first (process ${gateway.pid}), then open the Holdfast app.`);
  expect(doctor).not.toMatch(/key store|holdfast serve\b/);
  await installation.stop();
  expect((await installation.run('doctor')).stdout).not.toMatch(/holdfast serve\b/);

  // An app that is gone starts nothing, and what needs no key goes on.
  rmSync(app);
  await installation.serve();
  expect(readFileSync(launchFile, 'utf8')).toContain('"serve"');
});

test('keys that are given up are put aside, and can be entered again', async () => {
  const sealed = await seal();
  const { file } = await installation.ok<{ file: string }>('servers', 'forget-keys');
  expect([readFileSync(file).equals(sealed), path.dirname(file)]).toEqual([true, realpathSync(installation.data)]);
  await expectUnreached('its keys are missing; enter them again');
  await installation.ok('servers', 'set', 'Keyed', '--env', `KEY=${KEY}`);
  expect((await installation.run('servers', 'check', 'Keyed')).status).toBe(0);
  const again = await installation.run('servers', 'forget-keys');
  expect([again.status, again.stdout]).toEqual([0, 'The keys can be opened, so nothing was put aside.\n']);
});

test('who lists the servers is told how their keys are kept', async () => {
  const listed = async (): Promise<string> => (await installation.run('servers', 'list')).stdout;
  expect(await listed()).toMatch(/\n\nKeys are kept in a file that only you can read, and not encrypted\.\n$/);
  await seal();
  expect(await listed()).toMatch(/\n\nYour servers’ keys cannot be opened, and nothing is lost\. .*\n$/);
  await installation.ok('servers', 'remove', 'Keyed');
  expect(await listed()).not.toContain('keys');
});

test('a removed server does not come back without its locked keys', async () => {
  await installation.ok('servers', 'remove', 'Keyed');
  await seal();
  const again = [process.execPath, FIXTURE, path.join(installation.home, 'keyed.json')];
  const ran = await installation.run('--json', 'servers', 'add', 'Keyed', '--restore', '--', ...again);
  expect([ran.status, codeOf(ran)]).toEqual([1, 'SECRETS_LOCKED']);
});

test('a server whose keys were lost with a damaged file waits for them, and nothing of it goes off', async () => {
  writeFileSync(secretsFile(), '{"format":2,');
  await expectUnreached('its keys are missing; enter them again');
  expect(readdirSync(installation.data).filter((name) => name.startsWith('secrets.damaged-'))).toHaveLength(1);
  await installation.ok('servers', 'set', 'Keyed', '--env', `KEY=${KEY}`);
  const checked = await installation.ok<{ complete: boolean }>('servers', 'check', 'Keyed');
  expect(checked.complete).toBe(true);
  await until(offered, (names) => names.join() === 'clock,look,work');
});

test('a key may come from the environment of the one who adds it, so that no command line shows it', async () => {
  installation.env['OWN'] = KEY;
  await installation.ok('servers', 'set', 'Plain', '--env', 'OWN', '--env', 'EMPTY=');
  delete installation.env['OWN'];
  const kept = JSON.parse(readFileSync(secretsFile(), 'utf8')) as { values: Record<string, object> };
  expect(Object.values(kept.values)).toContainEqual({ OWN: KEY });
  const ran = await installation.run('--json', 'servers', 'set', 'Plain', '--env', 'OWN');
  expect([ran.status, codeOf(ran)]).toEqual([2, 'COMMAND_BAD_INPUT']);
});
