import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLI, Installation, ROOT } from '../support/holdfast.ts';

const UPSTREAM = path.join(ROOT, 'test/fixtures/upstream.mjs');
let installation: Installation;

beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.dispose());

/** Runs a command in a folder of its own. */
function runIn(
  folder: string,
  ...args: readonly string[]
): Promise<{ status: number; stdout: string; stderr: string }> {
  mkdirSync(folder, { recursive: true });
  return new Promise((resolve) => {
    const options = { env: installation.env, cwd: folder };
    execFile(process.execPath, [CLI, '--home', installation.data, ...args], options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

interface Server {
  readonly server: string;
  readonly state: string | null;
  readonly offers: Readonly<Record<string, number>>;
}
interface Diagnostics {
  readonly doctor: readonly { readonly id: string; readonly found: string }[];
  readonly servers: readonly Server[];
  readonly calls: readonly { readonly server: string; readonly calls: number }[];
  readonly counts: Readonly<Record<string, unknown>>;
}

const read = (file: string): Diagnostics => JSON.parse(readFileSync(file, 'utf8')) as Diagnostics; // its documented shape

const CANARIES = {
  server: 'Canaryserver',
  tool: 'canarytool',
  description: 'canarydescription',
  prompt: 'canaryprompt',
  app: 'canaryapp',
  appName: 'Canarytitle',
  profile: 'canaryprofile',
  key: 'CANARYKEY',
  value: 'canaryvalue-0123456789',
  argument: 'canaryargument',
  message: 'canarymessage',
  words: 'canarywords',
  question: 'canaryquestion',
  folder: 'canaryfolder',
} as const;

/** An installation in which every text that can be somebody’s is a canary, and in which something went wrong. */
async function sing(): Promise<void> {
  const control = path.join(installation.home, `${CANARIES.folder}.json`);
  const { tool, description, prompt, message, words } = CANARIES;
  const offer = (faults: object): void =>
    writeFileSync(
      control,
      JSON.stringify({
        name: words,
        version: words,
        instructions: words,
        tools: [{ name: tool, description, inputSchema: { type: 'object' } }],
        prompts: [{ name: prompt }],
        faults: { stderr: message, ...faults },
      }),
    );
  offer({});
  await installation.ok('apps', 'add', CANARIES.app, '--name', CANARIES.appName);
  const program = [process.execPath, UPSTREAM, control, CANARIES.argument];
  const env = `${CANARIES.key}=${CANARIES.value}`;
  await installation.ok('servers', 'add', CANARIES.server, '--env', env, '--', ...program);
  await installation.ok(
    'servers',
    'add',
    `${CANARIES.server}2`,
    '--',
    path.join(installation.home, `${CANARIES.folder}-program`),
  );
  await installation.ok('profiles', 'create', CANARIES.profile);
  await installation.ok('expose', CANARIES.app, CANARIES.server);
  await installation.serve();
  const { client } = await installation.hostApp(CANARIES.app);
  await client.listTools();
  await client.callTool({ name: tool, arguments: { question: CANARIES.question } });
  const error = { code: -32000, message };
  await client.callTool({ name: tool, arguments: { do: 'error', error } }).catch(() => undefined);
  await client.callTool({ name: CANARIES.question, arguments: {} }).catch(() => undefined);
  offer({ list: { prompts: 'fail' } });
  await installation.run('servers', 'check', CANARIES.server);
  await installation.run('servers', 'check', `${CANARIES.server}2`);
}

test('a file to send has what helps, and nothing of a person, a machine or a server in it', async () => {
  await sing();
  const folder = path.join(installation.home, CANARIES.folder);
  const ran = await runIn(folder, 'diagnostics', '-o', 'to-send.json');
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  const file = path.join(folder, 'to-send.json');
  const text = readFileSync(file, 'utf8').toLowerCase();
  const words = [
    ...Object.values(CANARIES),
    'canary',
    installation.home,
    os.hostname(),
    path.basename(installation.home),
  ];
  expect(words.filter((word) => text.includes(word.toLowerCase()))).toEqual([]);
  // Not as a word either: a user may be called what is part of many words.
  expect(text).not.toMatch(new RegExp(`\\b${os.userInfo().username}\\b`));
  expect(text).not.toMatch(/(\/(home|users|tmp|usr|var|work)\/)|node_modules|\.mjs/);
  const { servers, doctor, calls } = read(file);
  expect(servers.map(({ server, state }) => [server, state])).toEqual([
    ['server-1', 'working'],
    ['server-2', 'problem'],
  ]);
  expect(servers[0]?.offers).toMatchObject({ tool: 1, prompt: 1 });
  expect(doctor).toContainEqual(
    expect.objectContaining({ id: 'server-program', found: 'missing', server: 'server-2' }),
  );
  expect(calls.find(({ server }) => server === 'server-1')?.calls).toBe(2);
});

test('the file has a name with the date, is this user’s alone, and never takes the place of another', async () => {
  const folder = path.join(installation.home, 'here');
  const ran = await runIn(folder, 'diagnostics');
  expect(ran.status).toBe(0);
  const [name = '', ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  expect(name).toMatch(/^holdfast-diagnostics-\d{4}-\d\d-\d\d\.json$/);
  expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
  const [file, about] = ran.stdout.trim().split('\n');
  expect(file).toBe(path.join(folder, name));
  expect(about).toMatch(/^It holds .* no names, paths, arguments, keys or texts/);
  writeFileSync(path.join(folder, name), 'mine');
  const again = await runIn(folder, '--json', 'diagnostics', '-o', name);
  expect([again.status, (JSON.parse(again.stdout) as { error: { code: string } }).error.code]).toEqual([
    1,
    'FILE_EXISTS',
  ]);
  expect(readFileSync(path.join(folder, name), 'utf8')).toBe('mine');
});

test('a folder that does not exist is said so, in a sentence', async () => {
  const ran = await runIn(path.join(installation.home, 'here'), '--json', 'diagnostics', '-o', 'no/such/file.json');
  expect([ran.status, (JSON.parse(ran.stdout) as { error: { code: string } }).error.code]).toEqual([
    1,
    'FILE_NOT_WRITTEN',
  ]);
});

test('it is written whatever the state of the data folder, and leaves that as it is', async () => {
  const folder = path.join(installation.home, 'here');
  expect((await runIn(folder, 'diagnostics', '-o', 'none.json')).status).toBe(0);
  expect(existsSync(installation.data)).toBe(false);
  mkdirSync(installation.data);
  for (const [name, content, found] of [
    ['newer', '{"holdfast":999,"state":{}}', 'newer'],
    ['damaged', '{"holdfast":', 'lost'],
  ] as const) {
    writeFileSync(path.join(installation.data, 'state.json'), content);
    expect((await runIn(folder, 'diagnostics', '-o', `${name}.json`)).status).toBe(0);
    expect(read(path.join(folder, `${name}.json`)).doctor.find(({ id }) => id === 'state')?.found).toBe(found);
    expect(readdirSync(installation.data)).toEqual(['state.json']);
    expect(readFileSync(path.join(installation.data, 'state.json'), 'utf8')).toBe(content);
  }
});
