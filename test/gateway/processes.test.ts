import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { BOUNDS } from '../../electron/core/bounds.ts';
import { ProcessTransport } from '../../electron/gateway/process-transport.ts';
import type { Timings } from '../../electron/gateway/timings.ts';
import { APP, SERVER, World, at, eventually, isRunning, textOf, tool } from './harness.ts';
import type { HostApp } from './harness.ts';

let world: World;
let app: HostApp;
let isOpen = false;

async function serve(control: object = {}, timings: Partial<Timings> = {}): Promise<void> {
  world = await new World(timings).listen();
  isOpen = true;
  world.server({ tools: [tool('search')], ...control });
  world.publish(APP, [{ kind: 'tool', definition: tool('search') }]);
  app = await world.app();
}
const close = async (): Promise<void> => {
  if (isOpen) await world.close();
  isOpen = false;
};
const pids = (): number[] => [...new Set(world.received('initialize').map((line) => line.pid))];
const starts = (): number => world.received('initialize').length;
afterEach(close);

describe('a server process', () => {
  it('is started only when something needs it, once for all who wait', async () => {
    await serve({ faults: { startDelayMs: 200 } });
    expect(world.gateway.status(SERVER).state).toBe('idle');
    await Promise.all([app.call('search'), app.call('search'), world.gateway.observeNow(SERVER)]);
    expect(starts()).toBe(1);
  });

  it('runs in its own folder with a whitelisted environment and what the person set', async () => {
    process.env['HOLDFAST_TEST_SECRET'] = 'not for servers';
    await serve();
    world.spec({ env: { API_KEY: 'set by the person' } });
    await app.call('search');
    delete process.env['HOLDFAST_TEST_SECRET'];
    const [start] = world.received('initialize');
    expect(start?.cwd).toBe(path.join(world.dir, 'servers', SERVER));
    expect(start?.env).toMatchObject({ API_KEY: 'set by the person', PATH: process.env['PATH'] });
    expect(start?.env).not.toHaveProperty('HOLDFAST_TEST_SECRET');
  });

  it('is told of every client ability where apps share it', async () => {
    await serve();
    await app.call('search');
    expect(world.received('initialize')[0]?.params).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} },
      clientInfo: { name: 'holdfast', version: '9.9.9' },
    });
  });

  it('ends with the gateway', async () => {
    await serve();
    await app.call('search');
    const [pid = 0] = pids();
    expect(isRunning(pid)).toBe(true);
    await close();
    expect(isRunning(pid)).toBe(false);
  });

  it('ends though it ignores the end of its input and SIGTERM', async () => {
    await serve({ faults: { ignoreEof: true } });
    await app.call('search');
    const [pid = 0] = pids();
    await close();
    expect(isRunning(pid)).toBe(false);
  });

  it('takes along what it has started', async () => {
    await serve();
    const file = path.join(world.dir, 'grandchild');
    world.server({ tools: [tool('search')], faults: { grandchild: file } });
    await app.call('search');
    const grandchild = Number(readFileSync(file, 'utf8'));
    expect(isRunning(grandchild)).toBe(true);
    await world.gateway.stopServer(SERVER);
    expect(isRunning(grandchild)).toBe(false);
  });

  it('takes along what it has started when it dies by itself', async () => {
    await serve();
    const file = path.join(world.dir, 'grandchild');
    world.server({ tools: [tool('search')], faults: { grandchild: file } });
    await app.call('search');
    const grandchild = Number(readFileSync(file, 'utf8'));
    await app.call('search', { do: 'exit' });
    await eventually(() => !isRunning(grandchild));
  });

  it('that ends while starting is not left over', async () => {
    await serve({ faults: { start: 'hang' } }, { initializeMs: 200 });
    expect(textOf(await app.call('search'))).toMatch(/^chat\.notWorking/);
    await eventually(() => pids().every((pid) => !isRunning(pid)));
  });

  it('shows the last it said on stderr where it does not start', async () => {
    await serve({ faults: { start: 'exit', stderr: 'API_KEY is missing' } });
    await app.call('search');
    expect(world.gateway.status(SERVER)).toMatchObject({ state: 'problem', lastWord: 'API_KEY is missing' });
    expect(world.gateway.details(SERVER).lastWords).toEqual(['API_KEY is missing']);
  });
});

describe('a server that dies', () => {
  it('is restarted at once while an app uses it', async () => {
    await serve();
    await app.call('search', { do: 'exit' });
    await eventually(() => starts() === 2);
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
  });

  it('has all it told taken in before what the next process tells, however long that takes', async () => {
    await serve({}, { firstGapMs: 1, maxGapMs: 1 });
    await app.call('search');
    const first = (await eventually(() => world.observations[0])).connection;
    let taken = (): void => undefined;
    world.taking = new Promise((resolve) => (taken = resolve));
    for (const name of ['one', 'two']) {
      const lists = world.received('tools/list').length;
      world.server({ tools: [tool('search'), tool(name)] });
      await eventually(() => world.received('tools/list').length > lists);
      await app.call('search');
    }
    world.server({ tools: [tool('search')], silent: true });
    await app.call('search', { do: 'exit' });
    await eventually(() => world.observations.some(({ connection }) => connection !== first));
    taken();
    await app.call('search');
    await world.gateway.observeNow(SERVER);
    const tellers = world.observations.map(({ connection }) => (connection === first ? 'first' : 'next'));
    expect(tellers.slice(0, 3)).toEqual(['first', 'first', 'first']);
    expect(tellers.lastIndexOf('first')).toBeLessThan(tellers.indexOf('next'));
  });

  it('is left alone while nobody uses it', async () => {
    await serve();
    await app.call('search');
    const [pid = 0] = pids();
    app.close();
    await eventually(() => world.gateway.connections(APP) === 0);
    process.kill(pid, 'SIGKILL');
    await eventually(() => world.gateway.status(SERVER).state === 'problem');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(starts()).toBe(1);
  });

  it('is given up after five quick crashes, until a person tries again', async () => {
    await serve({}, { firstRestartMs: 10 });
    await app.call('search');
    world.server({ tools: [tool('search')], faults: { list: { tools: 'exit' } }, silent: true });
    process.kill(pids()[0] ?? 0, 'SIGKILL');
    await eventually(() => world.gateway.details(SERVER).crashes === 5);
    expect(world.gateway.status(SERVER)).toMatchObject({
      state: 'problem',
      reason: 'it exited with code 3, 5 times in a row',
    });
    world.server({ tools: [tool('search')] });
    expect(textOf(await app.call('search'))).toMatch(/^chat\.notWorking/);
    expect(starts()).toBe(5);
    await world.gateway.observeNow(SERVER);
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
    expect(world.gateway.status(SERVER).state).toBe('working');
    expect(starts()).toBe(6);
  });

  it('gets another chance by itself after a while', async () => {
    await serve({}, { firstRestartMs: 10, maxRestartMs: 300 });
    await app.call('search');
    world.server({ tools: [tool('search')], faults: { list: { tools: 'exit' } }, silent: true });
    process.kill(pids()[0] ?? 0, 'SIGKILL');
    await eventually(() => world.gateway.details(SERVER).crashes === 5);
    world.server({ tools: [tool('search')] });
    let said = '';
    while (said !== 'search of srv 1.0.0') said = textOf(await app.call('search'));
    expect(world.gateway.status(SERVER).state).toBe('working');
  });

  it('makes calls wait for its next turn instead of starting it again and again', async () => {
    await serve({}, { firstRestartMs: 400 });
    await app.call('search', { do: 'exit' });
    await eventually(() => world.gateway.status(SERVER).state === 'working');
    await app.call('search', { do: 'exit' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.call('search')));
    expect(answers.map(textOf)).toEqual(Array.from({ length: 20 }, () => 'search of srv 1.0.0'));
    expect(starts()).toBe(3);
  });
});

describe('a server that does not start', () => {
  it('is tried again by itself while an app uses it', async () => {
    await serve({ faults: { start: 'exit' } }, { firstRestartMs: 50 });
    await world.gateway.observeInUse([SERVER]);
    await eventually(() => starts() >= 2);
    world.server({ tools: [tool('search')] });
    await eventually(() => world.gateway.status(SERVER).state === 'working');
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
  });

  it('is given up after five times', async () => {
    await serve({ faults: { start: 'exit' } }, { firstRestartMs: 10 });
    await world.gateway.observeInUse([SERVER]);
    await eventually(() => world.gateway.details(SERVER).crashes === 5);
    expect(textOf(await app.call('search'))).toMatch(/^chat\.notWorking/);
    expect(starts()).toBe(5);
  });

  it('is not tried again where nobody uses it', async () => {
    await serve({ faults: { start: 'exit' } }, { firstRestartMs: 1, maxRestartMs: 1 });
    world.publish(APP, []);
    await world.gateway.observeNow(SERVER);
    await world.gateway.observeNow(SERVER);
    expect(starts()).toBe(2);
    expect(world.observations.map(({ kinds }) => kinds.tool?.status)).toEqual(['failed', 'failed']);
  });
});

it('starts a server again whose first words ended its connection', async () => {
  const deep = `{"jsonrpc":"2.0","method":"x","params":${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
  await serve({ faults: { afterIntroduction: deep } });
  expect(textOf(await app.call('search'))).toMatch(/^chat\.notWorking/);
  world.server({ tools: [tool('search')] });
  await world.gateway.observeNow(SERVER);
  expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
});

it('does not count a look that nobody asked for as a new chance for a server that was given up', async () => {
  await serve({ faults: { start: 'exit' } }, { firstRestartMs: 10 });
  await world.gateway.observeInUse([SERVER]);
  await eventually(() => world.gateway.details(SERVER).crashes === 5);
  await world.gateway.observeInUse([SERVER]);
  await world.gateway.observeNow(SERVER, null, false);
  expect(starts()).toBe(5);
});

describe('what a server prints', () => {
  it('is counted and skipped on stdout where it is no message', async () => {
    await serve({ faults: { noise: true } });
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
    expect(world.gateway.details(SERVER).noise).toBeGreaterThan(4);
    expect(starts()).toBe(1);
  });

  it('is kept in its last lines only on stderr', async () => {
    const stderr = Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join('\n');
    await serve({ faults: { stderr } });
    await app.call('search');
    const said = (): readonly string[] => world.gateway.details(SERVER).lastWords;
    await eventually(() => said().at(-1) === 'line 4999');
    expect(said()).toEqual(Array.from({ length: 50 }, (_, line) => `line ${4_950 + line}`));
  });

  it('is still told of one that has stopped', async () => {
    await serve({ faults: { stderr: 'the last words' } });
    app.close();
    await world.gateway.observeNow(SERVER);
    process.kill(pids()[0] ?? 0, 'SIGKILL');
    await eventually(() => world.gateway.details(SERVER).processes.length === 0);
    expect(world.gateway.status(SERVER)).toMatchObject({ state: 'problem', lastWord: 'the last words' });
    expect(world.gateway.details(SERVER).lastWords).toEqual(['the last words']);
  });
});

describe('a long message', () => {
  it.each([1, 10, 63])('of %d MiB reaches its app whole', async (mebibytes) => {
    await serve();
    const bytes = mebibytes * 1024 * 1024;
    expect(textOf(await app.call('search', { do: 'big', bytes }))).toHaveLength(bytes);
  });

  it('of more than 64 MiB ends its server, whose app hears of it, and which is started again', async () => {
    await serve();
    const answer = await app.call('search', { do: 'big', bytes: 64 * 1024 * 1024 });
    expect(at(answer, 'error.message')).toBe('Demo stopped before it answered.');
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
    expect(starts()).toBe(2);
  });
});

it('tells an app at once that its server is at an end, though the process takes its time', async () => {
  await serve({ faults: { ignoreEof: true } }, { killStepMs: 600_000 });
  await app.call('search');
  const call = app.send('tools/call', { name: 'search', arguments: { do: 'big', bytes: 65 * 1024 * 1024 } });
  expect(at(await app.answer(call), 'error.message')).toBe('Demo stopped before it answered.');
  const [pid = 0] = pids();
  expect(isRunning(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
});

describe('a change of how a server is launched', () => {
  it('ends the old process and uses a new one', async () => {
    await serve();
    await app.call('search');
    const [old = 0] = pids();
    world.spec({ digest: 'two', env: { NEW: '1' } });
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
    expect(isRunning(old)).toBe(false);
    expect(world.received('tools/call').map((line) => line.pid === old)).toEqual([true, false]);
    await eventually(() => world.observations.at(-1)?.context.launch === 'two');
  });

  it('takes effect though the old launch is still starting', async () => {
    await serve({ faults: { startDelayMs: 300 } });
    const id = app.send('tools/call', { name: 'search' });
    await eventually(() => starts() === 1);
    world.spec({ digest: 'two' });
    expect(textOf(await app.answer(id))).toBe('search of srv 1.0.0');
    expect(starts()).toBe(2);
  });

  it('is not used by a server that was stopped for good', async () => {
    await serve();
    await app.call('search');
    world.specs.clear();
    await world.gateway.stopServer(SERVER);
    expect(world.gateway.status(SERVER).state).toBe('idle');
    expect(textOf(await app.call('search'))).toMatch(/^chat\.notWorking/);
  });
});

describe('an app that does not read', () => {
  it('holds the server back, and gets everything once it reads', async () => {
    await serve();
    await app.call('search');
    app.socket.pause();
    const count = 40;
    const ids = Array.from({ length: count }, () =>
      app.send('tools/call', { name: 'search', arguments: { do: 'big', bytes: 256 * 1024 } }),
    );
    await eventually(() => world.received('tools/call').length >= 10);
    app.socket.resume();
    for (const id of ids) expect(textOf(await app.answer(id))).toHaveLength(256 * 1024);
  });

  it('does not hold others back for long', async () => {
    await serve({}, { stallMs: 200 });
    const other = await world.app();
    await app.call('search');
    app.socket.pause();
    for (let i = 0; i < 12; i++)
      app.send('tools/call', { name: 'search', arguments: { do: 'big', bytes: 512 * 1024 } });
    await eventually(() => world.received('tools/call').length >= 10);
    expect(textOf(await other.call('search'))).toBe('search of srv 1.0.0');
  });
});

it('ends a server that sends a message without end', async () => {
  const code = `process.stdout.write('x'.repeat(5000)); setInterval(() => {}, 1000)`;
  const transport = new ProcessTransport({
    command: process.execPath,
    args: ['-e', code],
    env: {},
    cwd: tmpdir(),
    killStepMs: 300,
    maxLineBytes: 1000,
  });
  let isClosed = false;
  transport.onclose = () => (isClosed = true);
  await transport.start();
  await eventually(() => isClosed);
  expect(transport.endReason).toBe(BOUNDS.lineBytes.reason);
  await eventually(() => !isRunning(transport.pid ?? 0));
});

it('observes what runs from time to time', async () => {
  await serve({}, { periodicMs: 100 });
  await app.call('search');
  await eventually(() => world.observations.length >= 3);
  expect(starts()).toBe(1);
});

it('records nothing of a process that it ends itself in the middle of a list', async () => {
  await serve({ faults: { list: { tools: 'hang' } } });
  app.send('tools/call', { name: 'search' });
  await eventually(() => world.received('tools/list').length > 0);
  await world.gateway.stopServer(SERVER);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(world.observations).toEqual([]);
});
