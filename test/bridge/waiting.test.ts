import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runBridge } from '../../electron/bridge/bridge.ts';
import { endpointFor } from '../../electron/bridge/endpoint.ts';
import { isWalled, type Surroundings } from '../../electron/bridge/walled.ts';
import { APP, at, eventually, isRunning } from '../gateway/harness.ts';
import { Bridge, FakeHome, buildBridge } from './harness.ts';

const NEVER_MS = 600_000;
let built: Awaited<ReturnType<typeof buildBridge>>;
/** Looks for its parent at once, and often. */
let watchful: Awaited<ReturnType<typeof buildBridge>>;
let home: FakeHome;
const bridges: Bridge[] = [];

beforeAll(async () => {
  built = await buildBridge();
  watchful = await buildBridge('settleMs: 0, everyMs: 20');
});
afterAll(() => {
  built.remove();
  watchful.remove();
});
beforeEach(() => {
  home = new FakeHome();
});
afterEach(() => {
  for (const bridge of bridges.splice(0)) bridge.child.kill('SIGKILL');
  home.remove();
});

function bridge(command: readonly string[] = [built.file]): Bridge {
  const made = new Bridge(command, home.dir);
  bridges.push(made);
  return made;
}

/** The bridge in this process, with streams of its own. */
function here(options: { waitMs?: number; isWalled?: boolean } = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const said = { out: '', err: '' };
  stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const status = runBridge({ app: APP, home: home.dir, stdin, stdout, stderr, waitMs: NEVER_MS, ...options });
  const answers = (): { id: number }[] =>
    said.out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { id: number }); // bridges pass objects
  return { stdin, stdout, said, status, answers };
}
const request = (id: number, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;

describe('a bridge that waits for a gateway', () => {
  beforeEach(() => home.canStart({ delayMs: NEVER_MS }));

  it('ends well when its host app leaves without having asked for anything', async () => {
    const waiting = bridge();
    await eventually(() => home.starts.length === 1);
    waiting.child.stdin?.end();
    await eventually(() => waiting.exit === 0);
    expect(waiting.stderr).toBe('');
  });

  it('answers what its host app has asked when that leaves, and says by its status that nothing was reached', async () => {
    const waiting = bridge();
    waiting.send(1, 'tools/call', { name: 'x' });
    await eventually(() => home.starts.length === 1);
    waiting.child.stdin?.end();
    await eventually(() => waiting.exit === 1);
    expect((await waiting.answer(1))['result']).toMatchObject({ isError: true });
    expect(waiting.stderr).toContain('Holdfast isn’t running');
  });

  it('ends when its host app reads no more', async () => {
    const { stdin, stdout, status } = here();
    stdin.write(request(1));
    await eventually(() => home.starts.length === 1);
    stdout.destroy();
    expect(await status).toBe(0);
  });

  it.runIf(process.platform !== 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends by %s',
    async (signal) => {
      const waiting = bridge();
      await eventually(() => home.starts.length === 1);
      waiting.child.kill(signal);
      await eventually(() => waiting.signal === signal);
    },
  );

  it('leaves the right to start the gateway to others when it ends', async () => {
    const first = bridge();
    await eventually(() => home.starts.length === 1);
    home.canStart();
    first.child.stdin?.end();
    await eventually(() => first.exit === 0);
    const second = bridge();
    second.send(1, 'ping');
    await second.answer(1);
  });
});

describe('what a host app sends while the bridge waits', () => {
  it('reaches the gateway in its order, up to 1 MiB', async () => {
    home.canStart({ delayMs: 400 });
    const { stdin, status, answers } = here();
    for (let id = 1; id <= 10; id++) stdin.write(request(id, { padding: 'x'.repeat(100_000) }));
    await eventually(() => answers().length === 10);
    expect(answers().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    stdin.end();
    expect(await status).toBe(0);
  });

  it('is answered with a sentence beyond that, and so is everything after it', async () => {
    home.canStart({ delayMs: NEVER_MS });
    const { stdin, said, status, answers } = here();
    for (let id = 1; id <= 11; id++) stdin.write(request(id, { padding: 'x'.repeat(100_000) }));
    await eventually(() => answers().length === 11);
    stdin.write(request(12));
    await eventually(() => answers().length === 12);
    for (const answer of answers()) {
      expect(at(answer, 'result.content.0.text')).toMatch(/^Holdfast is still starting and can’t take this much yet/);
    }
    stdin.end();
    expect(await status).toBe(1);
    expect(said.err).toContain('can’t take this much');
  });

  it('is not kept where one message is longer than that; later ones are answered', async () => {
    const { stdin, status, answers } = here();
    stdin.write(request(1, { padding: 'x'.repeat(3 * 1024 * 1024) }));
    stdin.end(request(2));
    expect(await status).toBe(1);
    expect(answers().map(({ id }) => id)).toEqual([2]);
  });
});

describe('a bridge behind the wall of its host app', () => {
  it('starts nothing, and says what to do', async () => {
    home.canStart();
    const { stdin, said, status, answers } = here({ isWalled: true });
    stdin.end(request(1));
    expect(await status).toBe(1);
    expect(at(answers()[0], 'result.content.0.text')).toMatch(/open Holdfast, and then to restart this app/);
    expect(said.err).toContain('can’t open it by itself');
    expect(home.starts).toEqual([]);
  });

  it('reaches a gateway that runs', async () => {
    home.canStart();
    const first = bridge();
    first.send(1, 'ping');
    await first.answer(1);
    const { stdin, status, answers } = here({ isWalled: true });
    stdin.write(request(2));
    await eventually(() => answers().length === 1);
    expect(JSON.stringify(answers()[0])).not.toContain('Holdfast isn’t running');
    stdin.end();
    expect(await status).toBe(0);
  });

  const around = (more: Partial<Surroundings>): Surroundings => ({
    env: { HOME: '/home/a' },
    exists: () => false,
    read: () => {
      throw new Error('there is no AppArmor');
    },
    ...more,
  });
  it.each<[string, Partial<Surroundings>, boolean]>([
    ['flatpak', { exists: (file) => file === '/.flatpak-info' }, true],
    ['a confined snap', { read: () => 'snap.chat.chat (enforce)\n' }, true],
    ['a confined snap without AppArmor', { env: { SNAP: '/snap/chat/7', HOME: '/home/a/snap/chat/7' } }, true],
    ['a classic snap', { read: () => 'snap.code.code (complain)\n', env: { SNAP: '/snap/code/7' } }, false],
    ['no wall', { read: () => 'unconfined\n' }, false],
    ['another system', {}, false],
  ])('finds by itself that there is one: %s', (_, more, is) => {
    expect(isWalled(around(more))).toBe(is);
  });
});

describe('a bridge whose gateway is gone from the computer', () => {
  it.each(['/no/such/program', process.execPath])('says so, and starts nothing: %s', async (command) => {
    home.canStart({}, { command, args: ['/no/such/cli.cjs'] });
    const { stdin, said, status, answers } = here({ waitMs: 100 });
    stdin.end(request(1));
    expect(await status).toBe(1);
    expect(at(answers()[0], 'result.content.0.text')).toMatch(/^Holdfast is no longer on this computer, or was moved/);
    expect(said.err).toMatch(/\/no\/such\/\S+ is no longer there/);
  });

  it('waits a moment, for an update may be putting it in place', async () => {
    home.canStart();
    const launch = JSON.parse(readFileSync(path.join(home.dir, 'launch.json'), 'utf8')) as object;
    home.canStart({}, { command: '/no/such/program' });
    const { stdin, status, answers } = here();
    stdin.write(request(1));
    setTimeout(() => home.canStart({}, launch), 200);
    await eventually(() => answers().length === 1);
    expect(home.starts).toHaveLength(1);
    stdin.end();
    expect(await status).toBe(0);
  });
});

describe('a bridge that is to start nothing', () => {
  const withhold = (withheld: string): void =>
    writeFileSync(path.join(home.dir, 'launch.json'), `{"withheld":"${withheld}"}`);

  it('waits for an update to come up by itself, and connects then', async () => {
    home.canStart();
    const launch = JSON.parse(readFileSync(path.join(home.dir, 'launch.json'), 'utf8')) as object;
    withhold('update');
    const { stdin, status, answers } = here();
    stdin.write(request(1));
    setTimeout(() => home.canStart({}, launch), 200);
    await eventually(() => answers().length === 1);
    expect(home.starts).toHaveLength(1);
    stdin.end();
    expect(await status).toBe(0);
  });

  it('says so where an update never comes up', async () => {
    withhold('update');
    const { stdin, status, answers } = here({ waitMs: 100 });
    stdin.end(request(1));
    expect(await status).toBe(1);
    expect(at(answers()[0], 'result.content.0.text')).toMatch(/^Holdfast isn’t running/);
    expect(home.starts).toEqual([]);
  });

  it('says at once that it was removed', async () => {
    withhold('removed');
    const { stdin, said, status, answers } = here();
    stdin.end(request(1));
    expect(await status).toBe(1);
    expect(at(answers()[0], 'result.content.0.text')).toMatch(/^Holdfast is no longer on this computer/);
    expect(said.err).toContain('it was taken out of every app');
  });
});

describe('a gateway that ends', () => {
  it('before it serves is started again, and is given up when that goes on', async () => {
    const file = JSON.stringify(home.startsFile);
    const code = `require('fs').appendFileSync(${file}, '{"pid":' + process.pid + '}\\n'); process.exit(1)`;
    home.canStart({}, { args: ['-e', code] });
    const waiting = bridge();
    waiting.send(1, 'tools/call', { name: 'x' });
    expect((await waiting.answer(1))['result']).toMatchObject({ isError: true });
    expect(home.starts).toHaveLength(4);
    expect(waiting.stderr).toContain('it ended again and again while it was starting');
    waiting.child.stdin?.end();
    await eventually(() => waiting.exit === 1);
  });

  it('with a request under way ends the bridge, which starts no other one', async () => {
    home.canStart();
    const served = bridge();
    served.send(1, 'ping');
    await served.answer(1);
    served.send(2, 'tools/call', { slowMs: NEVER_MS });
    process.kill(home.starts[0]?.pid ?? 0, 'SIGKILL');
    await eventually(() => served.exit === 1);
    expect(served.stderr).toContain('Holdfast closed the connection');
    expect(served.messages).toHaveLength(1);
    expect(home.starts).toHaveLength(1);
  });
});

describe.runIf(process.platform !== 'win32')('a host app that dies while something else keeps its pipes open', () => {
  /** A process that only holds the pipes, the host app that it has started, and the bridge of that. */
  async function throughParent(file: string, isConnected: boolean) {
    const [holder, parent] = [path.join(home.dir, 'holder.cjs'), path.join(home.dir, 'parent.cjs')];
    const starts = (program: string): string =>
      `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, [${JSON.stringify(program)}, ...process.argv.slice(2)], { stdio: 'inherit' });
      require('node:fs').writeFileSync(__filename + '.pid', String(child.pid));
      setInterval(() => undefined, 1000);`;
    writeFileSync(holder, starts(parent));
    writeFileSync(parent, starts(file));
    const held = bridge([holder]);
    held.send(1, 'ping');
    await eventually(() => home.starts.length === 1);
    if (isConnected) await held.answer(1);
    const [hostApp, pid] = [holder, parent].map((script) => Number(readFileSync(`${script}.pid`, 'utf8')));
    return { held, hostApp: hostApp ?? 0, pid: pid ?? 0 };
  }

  it.each(['waits', 'is connected'])('takes along a bridge that %s', async (state) => {
    const isConnected = state === 'is connected';
    home.canStart(isConnected ? {} : { delayMs: NEVER_MS });
    const { hostApp, pid } = await throughParent(watchful.file, isConnected);
    expect(isRunning(pid)).toBe(true);
    process.kill(hostApp, 'SIGKILL');
    await eventually(() => !isRunning(pid));
  });

  it('does not when it has only been a launcher in between', async () => {
    home.canStart();
    const { held, hostApp, pid } = await throughParent(built.file, true);
    process.kill(hostApp, 'SIGKILL');
    await eventually(() => !isRunning(hostApp));
    held.send(2, 'ping');
    await held.answer(2);
    process.kill(pid, 'SIGKILL');
  });
});

describe.runIf(process.platform !== 'win32')('a data folder with two names', () => {
  it('has one endpoint, also where that is not in the folder', () => {
    const base = mkdtempSync(path.join(tmpdir(), 'hf-names-'));
    for (const name of ['short', 'long'.repeat(30)]) {
      const [folder, link] = [path.join(base, name), path.join(base, `${name}-link`)];
      mkdirSync(folder);
      symlinkSync(folder, link);
      expect(endpointFor(link)).toBe(endpointFor(folder));
    }
    rmSync(base, { recursive: true });
  });
});
