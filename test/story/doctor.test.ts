import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endpointFor } from '../../electron/bridge/endpoint.ts';
import { examine as judge } from '../../electron/doctor/checks.ts';
import { lookAtMachine } from '../../electron/doctor/look.ts';
import { report } from '../../electron/doctor/report.ts';
import { doctorPorts } from '../../electron/doctor-ports.ts';
import { endProcesses, Installation, ROOT, until } from '../support/holdfast.ts';

const UPSTREAM = path.join(ROOT, 'test/fixtures/upstream.mjs');
let installation: Installation;

beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.dispose());

interface Check {
  readonly id: string;
  readonly found: string;
  readonly status: 'ok' | 'note' | 'problem';
  readonly server?: string;
  readonly message: string;
  readonly fix?: string;
  readonly command?: string;
}
interface Examined {
  readonly ok: boolean;
  readonly checks: readonly Check[];
  /** `<check>.<found>` of all that is not fine. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** Looks, and makes sure that looking changed nothing on the disk. */
async function examine(): Promise<Examined> {
  const before = everything(installation.home);
  const user = { home: installation.env['HOME'] ?? '', env: installation.env };
  const ports = doctorPorts(installation.data, path.join(ROOT, 'dist/bridge.cjs'), user);
  const { ok, checks } = report(judge(await lookAtMachine(ports)), 'en');
  expect(everything(installation.home)).toEqual(before);
  const named = (status: string): string[] =>
    checks.filter((check) => check.status === status).map(({ id, found }) => `${id}.${found}`);
  return { ok, checks, problems: named('problem'), notes: named('note') };
}

/** Every file with its mode, size and time; what a running gateway adds to is left out. */
function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/\/(traces|journal|lock-|processes)/.test(file))
    .map((file) => {
      const { mode, size, mtimeMs } = lstatSync(file);
      return `${file} ${mode} ${size} ${mtimeMs}`;
    })
    .sort();
}

const data = (...parts: readonly string[]): string => path.join(installation.data, ...parts);

/** A server of the project’s own with one tool, turned on in an app. */
async function withServer(faults: object = {}): Promise<string> {
  const control = path.join(installation.home, 'control.json');
  const tools = [{ name: 'ask', inputSchema: { type: 'object' } }];
  writeFileSync(control, JSON.stringify({ tools, capabilities: { tools: {} }, faults }));
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('servers', 'add', 'Demo', '--', process.execPath, UPSTREAM, control);
  await installation.ok('expose', 'cursor', 'Demo');
  return control;
}

test('a machine on which nothing was set up yet has no problem, and is told how to begin', async () => {
  const ran = await installation.run('--json', 'doctor');
  const { ok, problems, notes, checks } = await examine();
  expect([ran.status, ok, problems]).toEqual([0, true, []]);
  expect((JSON.parse(ran.stdout) as Examined).checks.map(({ id }) => id)).toEqual(checks.map(({ id }) => id)); // its shape
  expect(notes).toEqual(['folder.missing', 'gateway.stopped', 'servers.none']);
  expect(checks.find(({ id }) => id === 'servers')?.command).toBe('holdfast servers add NAME -- COMMAND');
  expect(readdirSync(installation.home)).not.toContain('data');
});

test('a machine on which everything runs is told so, server by server and app by app', async () => {
  await withServer();
  await installation.serve();
  await until(examine, ({ checks }) => checks.some(({ id, found }) => id === 'server-state' && found === 'ok'));
  const { ok, problems, checks } = await examine();
  expect([ok, problems]).toEqual([true, []]);
  const found = checks.map((check) => `${check.id}.${check.found}`);
  expect(found).toEqual(
    expect.arrayContaining([
      ...['folder.ok', 'state.ok', 'gateway.ok', 'only-one.ok', 'socket.ok', 'token.ok', 'bridge.ok', 'launch.ok'],
      ...['left-over.none', 'clock.ok', 'server-program.ok', 'server-state.ok', 'server-lists.ok', 'app-state.idle'],
    ]),
  );
});

test('people read the problems first, each with what to do', async () => {
  await installation.ok('servers', 'add', 'My server', '--', 'no-such-program-at-all');
  const { status, stdout } = await installation.run('doctor');
  expect(status).toBe(1);
  const lines = stdout.split('\n');
  expect(lines[0]).toBe('One thing is wrong; it comes first, with what to do.');
  expect(lines.slice(2, 5)).toEqual([
    '! My server: program: “no-such-program-at-all” was not found. Nothing you use was changed.',
    '    Install it, or give the whole path of the program.',
    '    holdfast servers set "My server" -- COMMAND',
  ]);
});

test('a program, a script and a start that fail are each found where they are', async () => {
  const script = path.join(installation.home, 'gone.js');
  const plain = path.join(installation.home, 'plain.txt');
  writeFileSync(plain, 'no program');
  writeFileSync(script, '');
  await installation.ok('servers', 'add', 'Script', '--', process.execPath, script);
  await installation.ok('servers', 'add', 'Plain', '--', plain);
  rmSync(script);
  const { checks, problems } = await examine();
  expect([...problems].sort()).toEqual(['server-program.notProgram', 'server-script.missing']);
  expect(checks.find(({ id }) => id === 'server-script')).toMatchObject({ server: 'Script' });
  expect(checks.find(({ id, found }) => id === 'server-script' && found === 'missing')?.message).toContain(script);
});

test('a server that does not start while Holdfast runs is a problem, with what it said', async () => {
  await withServer();
  writeFileSync(path.join(installation.home, 'control.json'), JSON.stringify({ faults: { start: 'exit' } }));
  await installation.serve();
  await installation.run('servers', 'check', 'Demo');
  const { ok, checks } = await examine();
  expect(ok).toBe(false);
  expect(checks.find(({ id }) => id === 'server-state')).toMatchObject({
    found: 'problem',
    server: 'Demo',
    command: 'holdfast servers check Demo',
  });
  expect(checks.find(({ id }) => id === 'server-state')?.message).toContain('it exited with code 3');
  expect(checks.find(({ id }) => id === 'server-lists')?.found).toBe('failed');
});

test('damage is told apart: the settings, with and without a good copy; files set aside; a newer version', async () => {
  await withServer();
  const whole = readFileSync(data('state.json'));
  writeFileSync(data('state.json'), '{"holdfast":');
  expect((await examine()).problems).toEqual(['state.damaged']);
  rmSync(data('state.json'));
  const halved = await examine();
  expect(halved.problems).toEqual(['state.damaged']);
  expect(halved.checks.find(({ id }) => id === 'state')?.message).toContain('missing or damaged. The last good copy');
  writeFileSync(data('state.previous.json'), '{');
  expect((await examine()).problems).toEqual(['state.lost']);
  writeFileSync(data('state.json'), '{"holdfast":999,"state":{}}');
  expect((await examine()).problems).toEqual(['state.newer']);
  writeFileSync(data('state.json'), whole);
  writeFileSync(data('journal', '2020-01.damaged-x.jsonl'), 'x');
  const { problems, notes } = await examine();
  expect(problems).toEqual([]);
  expect(notes).toEqual(expect.arrayContaining(['state.previous', 'set-aside.some']));
});

test('settings of which both files are gone are missing, not “none yet”', async () => {
  await withServer();
  rmSync(data('state.json'));
  rmSync(data('state.previous.json'));
  const { ok, problems } = await examine();
  expect([ok, problems]).toEqual([false, ['state.gone']]);
  expect((await installation.run('doctor')).status).toBe(1);
});

test('a gateway that says no for a reason of its own is quoted, and the token is not blamed', async () => {
  await installation.ok('apps', 'add', 'cursor');
  const error = { code: 'LIMIT_REACHED', message: 'Too many commands are waiting.', next: 'Wait.' };
  const other = await impostor(endpointFor(installation.data), { error });
  const { problems, checks } = await examine();
  expect(problems).toEqual(['gateway.said']);
  expect(checks.find(({ id }) => id === 'gateway')?.message).toContain(error.message);
  await new Promise((resolve) => other.close(resolve));
});

test('a token, a bridge and a launch file that are not what they should be are found', async () => {
  await withServer();
  await installation.serve();
  appendFileSync(data('bin', 'bridge.cjs'), '\n// other\n');
  writeFileSync(data('launch.json'), JSON.stringify({ command: '/gone/holdfast', args: [], env: {} }));
  expect((await examine()).problems).toEqual(['bridge.different', 'launch.programGone']);
  writeFileSync(data('token'), 'f'.repeat(64));
  writeFileSync(data('launch.json'), '{');
  expect((await examine()).problems).toEqual(['gateway.refused', 'bridge.different', 'launch.unreadable']);
  rmSync(data('token'));
  rmSync(data('bin'), { recursive: true });
  expect((await examine()).problems).toEqual(expect.arrayContaining(['token.missing', 'gateway.noToken']));
  mkdirSync(data('token'));
  expect((await examine()).problems).toEqual(expect.arrayContaining(['token.unreadable', 'gateway.noToken']));
});

test('what other users may see is a problem: the folder, the socket, the token, the keys', async () => {
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('servers', 'add', 'Keyed', '--env', 'KEY=value-of-key', '--', process.execPath);
  const before = await examine();
  expect(before.problems).toEqual([]);
  expect(before.notes).toContain('keys.plain');
  await installation.serve();
  for (const name of ['gateway.sock', 'token', 'secrets.json']) chmodSync(data(name), 0o644);
  chmodSync(installation.data, 0o755);
  expect([...(await examine()).problems].sort()).toEqual(['folder.open', 'keys.open', 'socket.open', 'token.open']);
});

test('a gateway that does not answer is told with its process, and its fix needs no command', async () => {
  const gateway = await installation.serve();
  gateway.kill('SIGSTOP');
  try {
    const { ok, checks } = await examine();
    const check = checks.find(({ id }) => id === 'gateway');
    expect([ok, check?.found]).toEqual([false, 'silent']);
    expect(check?.fix).toContain(`process ${gateway.pid}`);
  } finally {
    gateway.kill('SIGCONT');
  }
});

test('a second program that has the same data folder is found', async () => {
  const gateway = await installation.serve();
  const claim = data(`lock-zzzzzzzzzz-${'0'.repeat(16)}.json`);
  writeFileSync(claim, JSON.stringify({ pid: process.pid, startedAt: null }));
  const { problems, checks } = await examine();
  expect(problems).toEqual(['only-one.two']);
  const message = checks.find(({ id }) => id === 'only-one')?.message;
  expect(message).toContain(String(gateway.pid));
  expect(message).toContain(String(process.pid));
  rmSync(claim);
});

test('a gateway of another version is told apart from this one, also one that knows less', async () => {
  await installation.ok('apps', 'add', 'cursor');
  for (const answer of [
    { result: { version: '0.0.1', pid: process.pid, path: null } },
    { error: { code: 'COMMAND_BAD_INPUT', message: 'no', next: 'no' } },
  ]) {
    const other = await impostor(endpointFor(installation.data), answer);
    const { problems, checks } = await examine();
    expect(problems).toEqual(['gateway.otherVersion']);
    expect(checks.find(({ id }) => id === 'gateway')?.message).toMatch(/Version (0\.0\.1|\?) is running/);
    await new Promise((resolve) => other.close(resolve));
  }
});

/** Greets everybody and answers every command alike. */
async function impostor(endpoint: string, answer: object): Promise<net.Server> {
  const server = net.createServer((socket) => {
    let lines = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      lines += 1;
      socket.write(lines === 1 ? '{"ok":true}\n' : `${JSON.stringify({ id: 1, ...answer })}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(endpoint, resolve));
  chmodSync(endpoint, 0o600);
  return server;
}

test('servers that a killed gateway left running are found, and are gone after the next start', async () => {
  const control = await withServer({ ignoreEof: true });
  const gateway = await installation.serve();
  await until(examine, ({ checks }) => checks.some(({ id, found }) => id === 'server-state' && found === 'ok'));
  gateway.kill('SIGKILL');
  await new Promise((resolve) => gateway.once('exit', resolve));
  try {
    const { problems } = await examine();
    expect(problems).toEqual(['left-over.some']);
    await installation.serve();
    await installation.stop();
    expect((await examine()).problems).toEqual([]);
  } finally {
    await endProcesses(control);
  }
});

test('a host app’s settings are read: connected, taken out, damaged, and naming something else', async () => {
  const folder = path.join(installation.home, 'config', 'Claude');
  const file = path.join(folder, 'claude_desktop_config.json');
  const app = async (): Promise<string | undefined> =>
    (await examine()).checks.find(({ id }) => id === 'app-settings')?.found;
  expect(await app()).toBe('notInstalled');
  mkdirSync(folder, { recursive: true });
  expect(await app()).toBe('notConnected');
  await installation.ok('apps', 'connect', 'claude-desktop');
  expect(await app()).toBe('connected');
  const connected = readFileSync(file, 'utf8');
  writeFileSync(file, connected.replace(JSON.stringify(process.execPath), '"/gone/node"'));
  expect(await app()).toBe('programGone');
  writeFileSync(file, connected.replaceAll(installation.data, `${installation.data}-other`));
  expect(await app()).toBe('elsewhere');
  writeFileSync(file, connected.replaceAll(/hf-[0-9a-f]+/g, 'hf-000000000000'));
  expect(await app()).toBe('elsewhere');
  writeFileSync(file, '{"mcpServers":{}}');
  expect(await app()).toBe('gone');
  writeFileSync(file, '{"mcpServers":');
  expect(await app()).toBe('unreadable');
  writeFileSync(file, connected);
  await installation.ok('apps', 'disconnect', 'claude-desktop');
  expect(await app()).toBe('notConnected');
});

test('a clock that was set back is found by what was saved', async () => {
  await installation.ok('apps', 'add', 'cursor');
  const [name = ''] = readdirSync(data('journal'));
  const lines = readFileSync(data('journal', name), 'utf8').trim().split('\n');
  const last = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>; // a line of our own
  const line = { ...last, index: null, at: new Date(Date.now() + 3_600_000).toISOString() };
  appendFileSync(data('journal', name), `${JSON.stringify(line)}\n`);
  expect((await examine()).notes).toContain('clock.back');
});

test('a disk without room is told, also where no data folder could be made', async () => {
  // The system's own file systems have no room at all.
  const facts = await lookAtMachine(doctorPorts('/proc/holdfast', path.join(ROOT, 'dist/bridge.cjs')));
  const { ok, checks } = report(judge(facts), 'en');
  expect(ok).toBe(false);
  expect(checks.find(({ id }) => id === 'space')).toMatchObject({ found: 'full', status: 'problem' });
});

test('a folder that may be read but not written, and one that may not even be opened, are told apart', async () => {
  await installation.ok('apps', 'add', 'cursor');
  // Root may write everywhere, so another user looks.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  const asked = async (): Promise<Check[]> => {
    const copy = path.join(realpathSync(installation.home), 'copy');
    cpSync(path.join(ROOT, 'dist'), copy, { recursive: true });
    chmodSync(installation.home, 0o755);
    const args = [path.join(copy, 'cli.cjs'), '--home', installation.data, '--json', 'doctor'];
    const options = { env: installation.env, ...(uid !== undefined && { uid, gid: uid }) };
    const out = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, options, (_, stdout) => resolve(stdout));
    });
    return (JSON.parse(out) as { checks: Check[] }).checks; // the documented shape
  };
  const foundIn = (checks: readonly Check[]): string | undefined => checks.find(({ id }) => id === 'folder')?.found;
  if (uid !== undefined) chownSync(installation.data, uid, uid);
  chmodSync(installation.data, 0o500);
  expect(foundIn(await asked())).toBe('unwritable');
  chmodSync(installation.data, 0o000);
  const checks = await asked();
  expect(foundIn(checks)).toBe('unreadable');
  expect(checks.find(({ id }) => id === 'state')?.found).toBe('unreadable');
  chmodSync(installation.data, 0o700);
});
