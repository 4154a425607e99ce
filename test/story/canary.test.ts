import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROWS } from '../../electron/cli/arguments.ts';
import { connectToGateway, runRemotely } from '../../electron/cli/client.ts';
import { COMMANDS } from '../../electron/control/commands.ts';
import { CLI, Installation, ROOT, until } from '../support/holdfast.ts';

const FIXTURE = path.join(ROOT, 'test/fixtures/upstream.mjs');
/** Throws when told to by a signal, with what the file holds: nothing of this is in the product. */
const CRASHER = (file: string): string =>
  `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs';
  process.on('SIGUSR2', () => {
    const { how, message } = JSON.parse(readFileSync(${JSON.stringify(file)}, 'utf8'));
    if (how === 'reject') void Promise.reject(new TypeError(message));
    else throw new TypeError(message);
  });
`)}`;

let installation: Installation;
/** For what is not Holdfast's own. */
let outside: string;
let core: string;
let secret: string;
/** Everything that the program said, by who said it. */
let said: Record<string, string>;
const clients: Client[] = [];
const gateways: ChildProcess[] = [];

beforeEach(() => {
  installation = new Installation();
  // The settings folder of an app, so that connecting it has something to do.
  mkdirSync(path.join(installation.home, 'config', 'Claude'), { recursive: true });
  outside = mkdtempSync(path.join(os.tmpdir(), 'holdfast-canary-'));
  core = randomBytes(9).toString('hex');
  secret = `k/${core}+é="&`;
  said = {};
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const gateway of gateways.splice(0)) {
    gateway.kill('SIGTERM');
    await ended(gateway);
  }
  await installation.dispose();
  rmSync(outside, { recursive: true, force: true });
});

/** Writes what a server is to do, in one step. */
function control(name: string, content: object): string {
  const file = path.join(outside, `${name}.json`);
  writeFileSync(`${file}.new`, JSON.stringify(content));
  renameSync(`${file}.new`, file);
  return file;
}

function hear(who: string, stream: NodeJS.ReadableStream | null): void {
  stream?.on('data', (chunk: Buffer) => (said[who] = `${said[who] ?? ''}${chunk.toString()}`));
}

async function run(...args: readonly string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const ran = await installation.run(...args);
  said[`${args.join(' ')} ${Object.keys(said).length}`] = ran.stdout + ran.stderr;
  return ran;
}

/** `holdfast serve`, with the means to make it crash. */
async function serve(): Promise<ChildProcess> {
  const args = ['--import', CRASHER(path.join(outside, 'crash.json')), CLI, 'serve', '--json', '--home'];
  const gateway = spawn(process.execPath, [...args, installation.data], { env: installation.env });
  gateways.push(gateway);
  const who = `serve ${gateway.pid}`;
  hear(who, gateway.stdout);
  hear(who, gateway.stderr);
  await until(
    () => said[who] ?? '',
    (text) => text.includes('"ready":true') || gateway.exitCode !== null,
  );
  return gateway;
}

const ended = (gateway: ChildProcess): Promise<number | null> =>
  gateway.exitCode === null && gateway.signalCode === null
    ? new Promise((resolve) => gateway.once('exit', (code) => resolve(code)))
    : Promise.resolve(gateway.exitCode);

async function stop(gateway: ChildProcess): Promise<void> {
  gateway.kill('SIGTERM');
  expect(await ended(gateway)).toBe(0);
}

/** Adds a server whose key comes from the environment of the one who adds it. */
async function add(name: string, content: object, extra: readonly string[] = []): Promise<void> {
  const file = control(name, content);
  const ran = await withKey(() =>
    run('servers', 'add', name, '--env', 'CANARY', '--', process.execPath, FIXTURE, file, ...extra),
  );
  expect([ran.status, ran.stderr]).toEqual([0, '']);
}

async function hostApp(app: string): Promise<Client> {
  const client = new Client({ name: app, version: '1.0.0' }, { capabilities: {} });
  const args = [CLI, 'connect', app, '--home', installation.data];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  await client.connect(transport);
  hear(`bridge of ${app}`, transport.stderr as NodeJS.ReadableStream | null); // piped, as asked for above
  clients.push(client);
  return client;
}

/** The key in every form in which somebody could read it. */
function forms(): string[] {
  const bytes = Buffer.from(secret);
  return [core, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}

/** Every place that holds one of these texts: files, what was said, and the command lines of all processes. */
function placesOf(texts: readonly string[], isOwn: (file: string) => boolean = () => false): string[] {
  const has = (content: string): boolean => texts.some((text) => content.includes(text));
  const files = readdirSync(installation.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !isOwn(path.relative(installation.data, file)));
  const lines = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return [
    ...files.filter((file) => has(file) || has(readFileSync(file, 'latin1')) || has(readFileSync(file, 'utf8'))),
    ...Object.entries(said).flatMap(([who, text]) => (has(text) ? [`said by: ${who}`] : [])),
    ...lines.map((pid) => `/proc/${pid}/cmdline`).filter((file) => has(readOrNothing(file))),
  ];
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it ended meanwhile
  }
}

const isSecretsFile = (file: string): boolean => file === 'secrets.json';
const isTokenFile = (file: string): boolean => file === 'token';
const tokenOf = (): string => readFileSync(path.join(installation.data, 'token'), 'utf8');

/** Nowhere but where they belong. */
function expectNothing(): void {
  expect(placesOf(forms(), isSecretsFile)).toEqual([]);
  expect(placesOf([tokenOf()], isTokenFile)).toEqual([]);
}

/** Text of all files of a folder below the data folder. */
function recorded(folder: string): string {
  const dir = path.join(installation.data, folder);
  return readdirSync(dir)
    .map((name) => readFileSync(path.join(dir, name), 'utf8'))
    .join('');
}

const TOOL = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };
const LEAKY = { tools: [TOOL], leakEnv: 'CANARY', faults: { list: { resources: 'fail' }, noise: true } };
const SERVERS: Readonly<Record<string, object>> = {
  Leaky: LEAKY,
  Refusing: { leakEnv: 'CANARY', faults: { start: 'error' } },
  Exiting: { leakEnv: 'CANARY', faults: { start: 'exit' } },
  Unlisted: { leakEnv: 'CANARY', faults: { list: { tools: 'fail', prompts: 'exit' } } },
};

/** What each command is given; a command without a row that needs words is a mistake of this test. */
const WORDS: Readonly<Record<string, (review: string) => readonly (readonly string[])[]>> = {
  'servers add': () => [
    ['Leaky', '--', 'node'],
    ['Other', '--env', 'NOT_SET', '--', 'node'],
  ],
  'servers set': () => [['Leaky', '--env', 'OTHER=1']],
  'servers remove': () => [['Exiting']],
  'servers show': () => Object.keys(SERVERS).map((name) => [name]),
  'servers check': () => Object.keys(SERVERS).map((name) => [name]),
  'servers policy': () => [['Leaky'], ['Leaky', 'follow', '--apply']],
  'apps add': () => [['other'], ['cursor']],
  'apps connect': () => [['cursor'], ['claude-desktop', '--dry-run'], ['claude-desktop']],
  'apps disconnect': () => [['claude-desktop']],
  'apps bundle': () => [['claude-desktop', '--out', path.join(installation.home, 'bridge.mcpb')]],
  add: () => [['catalogue:filesystem']],
  'apps repair': () => [['claude-desktop'], ['cursor']],
  'profiles create': () => [['Work']],
  'profiles add': () => [
    ['Work', 'Leaky'],
    ['Work', 'Refusing'],
  ],
  'profiles remove': () => [['Work', 'Refusing']],
  'profiles assign': () => [['Work', 'other']],
  'profiles unassign': () => [['Work', 'other']],
  expose: () => [
    ['other', 'Leaky'],
    ['other', 'Refusing'],
    ['cursor', 'Unlisted', 'tool', 'none'],
  ],
  hide: () => [['other', 'Refusing']],
  surface: () => [['cursor'], ['other']],
  why: () => [
    ['cursor', 'Leaky', 'read'],
    ['other', 'Refusing', 'tool', 'none'],
  ],
  'review show': (review) => [[review]],
  'review approve': (review) => [[review]],
  'review keep-off': (review) => [[review]],
  'review undo': (review) => [[review]],
  'demo change': () => [['small']],
  pause: () => [['1']],
  diagnostics: () => [['-o', path.join(installation.home, 'diagnostics.json')]],
  snapshot: () => [
    ['--env', 'CANARY', '--', ...program('Whole')],
    ['--env', 'CANARY', '--', ...program('Leaky')],
  ],
  diff: () => [[contract(), contract()]],
  verify: () => [[path.join(outside, 'samples.jsonl'), '--env', 'CANARY', '--', ...program('Whole')]],
};
const program = (name: string): string[] => [process.execPath, FIXTURE, path.join(outside, `${name}.json`)];
const contract = (): string => path.join(installation.home, 'contract.json');

/** What people who publish a server have: a contract of it, and calls of yesterday. */
async function publish(): Promise<void> {
  control('Whole', { tools: [TOOL], leakEnv: 'CANARY' });
  const sample = {
    name: 'read',
    arguments: { do: 'error', error: { code: -32000, message: 'no' } },
    expect: 'refused',
  };
  writeFileSync(path.join(outside, 'samples.jsonl'), `${JSON.stringify(sample)}\n`);
  const ran = await withKey(() => run('snapshot', '-o', contract(), '--env', 'CANARY', '--', ...program('Whole')));
  expect([ran.status, ran.stderr]).toEqual([0, ran.stderr]);
}

/** The key comes from the environment of who types the command. */
async function withKey<T>(work: () => Promise<T>): Promise<T> {
  installation.env['CANARY'] = secret;
  return work().finally(() => delete installation.env['CANARY']);
}

/** Removing comes last, so that the others have something to say. */
const ORDER = Object.keys(ROWS).sort((a, b) => Number(a === 'servers remove') - Number(b === 'servers remove'));

/** What the window gives to the commands that only it has. */
const INPUTS: Readonly<Record<string, object>> = {
  language: { language: 'zh-CN' },
  'servers.tools': { name: 'Leaky' },
  'servers.read': { text: 'npx -y some-server' },
  'servers.apply-policy': { name: 'Leaky' },
  'setup.go': { apps: ['claude-desktop'] },
  'setup.next': { to: 'try' },
  'getting.pick': { name: 'filesystem' },
  'getting.add-from': { listed: 'filesystem', yes: false },
};

/** Take the id of something that was found, laid out or downloaded, or an app that runs; there is none here. */
const ELSEWHERE: readonly string[] = [
  'apps.restart',
  'import.try',
  'continuity.rebind',
  'continuity.merge',
  'continuity.split',
  'getting.open',
  'getting.link',
  'getting.fill',
  'getting.add',
  'getting.drop',
  'update.restart',
];

async function runEverything(review: string, flags: readonly string[]): Promise<void> {
  for (const name of ORDER) {
    const row = ROWS[name];
    const words = WORDS[name]?.(review) ?? (row?.words[0] === 0 ? [[]] : undefined);
    if (words === undefined) throw new Error(`this test has no words for “${name}”`);
    for (const given of words) {
      const type = () => run(...flags, ...name.split(' '), ...given);
      const ran = await (given.includes('CANARY') ? withKey(type) : type());
      const isMeant = ran.status < 2 || given.includes('NOT_SET');
      expect([name, isMeant, ran.stderr]).toEqual([name, true, isMeant ? ran.stderr : '']);
    }
  }
  // What only the window asks for.
  const reached = new Set(Object.keys(ROWS).map((name) => name.replace(' ', '.')));
  for (const name of Object.keys(COMMANDS).filter((each) => !reached.has(each) && !ELSEWHERE.includes(each))) {
    const socket = await connectToGateway(installation.data);
    if (socket === undefined) throw new Error('no gateway');
    said[`window: ${name}`] = JSON.stringify(await runRemotely(socket, installation.data, name, INPUTS[name] ?? {}));
  }
}

async function crash(gateway: ChildProcess, how: 'throw' | 'reject'): Promise<string> {
  writeFileSync(path.join(outside, 'crash.json'), JSON.stringify({ how, message: `no answer for ${secret}` }));
  const before = said[`serve ${gateway.pid}`]?.length ?? 0;
  gateway.kill('SIGUSR2');
  expect(await ended(gateway)).toBe(1);
  return (said[`serve ${gateway.pid}`] ?? '').slice(before);
}

/** Processes whose command line names this file. */
const processesOf = (file: string): string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && readOrNothing(`/proc/${name}/cmdline`).includes(file));

test('a key that servers give away wherever they can is found nowhere but in the secrets file', async () => {
  await run('apps', 'add', 'cursor');
  for (const [name, content] of Object.entries(SERVERS)) await add(name, content);
  await publish();
  let gateway = await serve();
  for (const name of Object.keys(SERVERS)) await run('expose', 'cursor', name);

  // What a server says to its own app is the app's; nothing of it is kept.
  const app = await hostApp('cursor');
  const logged: string[] = [];
  app.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void logged.push(JSON.stringify(params)),
  );
  const published = (await app.listTools()).tools[0]?.name ?? '';
  const answer = { content: [{ type: 'text', text: secret }] };
  const call = (args: Record<string, unknown>) => app.callTool({ name: published, arguments: args });
  expect(await call({ do: 'result', result: answer })).toMatchObject(answer);
  await expect(call({ do: 'error', error: { code: -32000, message: secret } })).rejects.toThrow(secret);
  await expect(app.callTool({ name: `x-${secret}` })).rejects.toThrow(core);
  await expect(app.readResource({ uri: `demo://${secret}` })).rejects.toThrow();
  await expect(call({ do: 'exit' })).rejects.toThrow();
  await until(
    () => call({}).then(String, () => ''),
    (text) => text !== '',
  );

  // A change waits for a decision.
  control('Leaky', {
    ...LEAKY,
    version: '2.0.0',
    tools: [{ ...TOOL, inputSchema: { type: 'object', required: ['x'] } }],
  });
  const review = await until(
    async () =>
      (JSON.parse((await run('--json', 'review', 'list')).stdout) as { reviews: { id: string }[] }).reviews[0]?.id,
    (id) => id !== undefined,
  );
  await runEverything(review ?? '', ['--json']);
  expectNothing();

  expect(await crash(gateway, 'throw')).toMatch(/^Holdfast stopped unexpectedly: TypeError: no answer for •••/);
  await until(
    () => processesOf(path.join(outside, 'Leaky.json')),
    (left) => left.length === 0,
  );
  gateway = await serve();
  await runEverything(review ?? '', []);
  await stop(gateway);
  expectNothing();

  // It did come that far: all of it was masked, not missing.
  const texts = Object.values(said).join('\n');
  for (const told of [
    'key •••',
    'stopped with •••',
    'The key is wrong with key •••',
    'The database is down with key •••',
  ])
    expect(texts).toContain(told);
  expect(recorded('journal')).toContain('-•••');
  expect(recorded('traces')).toContain('x-•••');
}, 300_000);

test.each(['throw', 'reject'] as const)('a crash (%s) is one line without keys, and leaves no process', async (how) => {
  await run('apps', 'add', 'cursor');
  await add('Leaky', LEAKY);
  const gateway = await serve();
  await run('servers', 'check', 'Leaky');
  const file = path.join(outside, 'Leaky.json');
  await until(
    () => processesOf(file),
    (running) => running.length > 0,
  );
  const line = await crash(gateway, how);
  expect(line).toMatch(/^Holdfast stopped unexpectedly: TypeError: no answer for ••• \| at .*\n$/);
  await until(
    () => processesOf(file),
    (left) => left.length === 0,
  );
  expectNothing();
});

test('a key among the arguments is given to the server and shown to nobody', async () => {
  const key = `arg${randomBytes(9).toString('hex')}`;
  const log = path.join(outside, 'log.jsonl');
  await run('apps', 'add', 'cursor');
  await add('Args', { tools: [TOOL], log }, ['--api-key', key, `--token=${key}`]);
  await run('expose', 'cursor', 'Args');
  for (const name of ['servers list', 'servers show', 'servers check', 'history', 'trace', 'doctor', 'diagnostics']) {
    const words = name.startsWith('servers ') && name !== 'servers list' ? ['Args'] : (WORDS[name]?.('')[0] ?? []);
    for (const flags of [['--json'], []]) await run(...flags, ...name.split(' '), ...words);
  }
  const held = placesOf([key]).map((place) => path.relative(installation.data, place));
  // What is started is what was asked for.
  expect(held.filter((place) => !/^(state\.(previous\.)?json|journal\/)/.test(place))).toEqual([]);
  const { servers } = await installation.ok<{ servers: { args: string[] }[] }>('servers', 'list');
  expect(servers[0]?.args.slice(2)).toEqual(['--api-key', '•••', '--token=•••']);
  const state = readFileSync(path.join(installation.data, 'state.json'), 'utf8');
  expect(state).toContain(`"--api-key","${key}","--token=${key}"`);
  expect(readFileSync(log, 'utf8')).toContain('"method":"initialize"');
}, 180_000);
