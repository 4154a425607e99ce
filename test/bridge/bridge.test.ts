import { spawn } from 'node:child_process';
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readArguments, runBridge } from '../../electron/bridge/bridge.ts';
import { takeStartLock } from '../../electron/bridge/start-gateway.ts';
import { APP, World, at, eventually, isRunning, textOf, tool } from '../gateway/harness.ts';
import { Bridge as BridgeProcess, FakeHome, buildBridge } from './harness.ts';

let BRIDGE: string;
let removeBuilt: () => void;
let home: FakeHome;
const bridges: BridgeProcess[] = [];

class Bridge extends BridgeProcess {
  constructor(dir = home.dir, env: NodeJS.ProcessEnv = process.env) {
    super([BRIDGE], dir, env);
    bridges.push(this);
  }
}

beforeAll(async () => {
  ({ file: BRIDGE, remove: removeBuilt } = await buildBridge());
});
afterAll(() => removeBuilt());
beforeEach(() => {
  home = new FakeHome();
});
afterEach(() => {
  for (const bridge of bridges.splice(0)) bridge.child.kill('SIGKILL');
  home.remove();
});

describe('a bridge to a gateway that runs', () => {
  let world: World;
  beforeEach(async () => {
    world = await new World().listen();
    world.server({ tools: [tool('search')] });
    world.publish(APP, [{ kind: 'tool', definition: tool('search'), name: 'demo_search' }], { instructions: 'hello' });
  });
  afterEach(() => world.close());

  it('serves a host app that uses the SDK from start to end', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BRIDGE, 'connect', APP, '--home', world.dir],
      stderr: 'pipe',
    });
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(transport);
    expect(client.getServerVersion()).toMatchObject({ name: 'holdfast' });
    expect(client.getInstructions()).toBe('hello');
    expect((await client.listTools()).tools.map((each) => each.name)).toEqual(['demo_search']);
    const result = await client.callTool({ name: 'demo_search', arguments: {} });
    expect(result.content).toEqual([{ type: 'text', text: 'search of srv 1.0.0' }]);
    await client.close();
    await eventually(() => world.gateway.connections(APP) === 0);
  });

  it('ends when its host app closes its input, after the answers under way', async () => {
    const bridge = new Bridge(world.dir);
    bridge.send(1, 'tools/call', { name: 'demo_search', arguments: { do: 'wait', ms: 300 } });
    bridge.child.stdin?.end();
    expect(textOf(await bridge.answer(1))).toBe('waited');
    await eventually(() => bridge.exit === 0);
  });

  it('does not wait for an answer that does not come', async () => {
    const bridge = new Bridge(world.dir);
    bridge.send(1, 'tools/call', { name: 'demo_search', arguments: { do: 'hang' } });
    await eventually(() => world.received('tools/call')[0]);
    bridge.child.stdin?.end();
    await eventually(() => bridge.exit !== undefined);
    await eventually(() => world.received('notifications/cancelled')[0]);
  });

  it('ends when the gateway ends', async () => {
    const bridge = new Bridge(world.dir);
    bridge.send(1, 'ping');
    await bridge.answer(1);
    await world.gateway.close();
    await eventually(() => bridge.exit === 1);
    expect(bridge.stderr).toBe(
      'holdfast: Holdfast closed the connection. Nothing was lost; restart “holdfast” in the app to go on.\n',
    );
  });

  it('passes on what the gateway says to calls under way when that ends', async () => {
    const bridge = new Bridge(world.dir);
    bridge.send(1, 'tools/call', { name: 'demo_search', arguments: { do: 'hang' } });
    await eventually(() => world.received('tools/call')[0]);
    await world.gateway.close();
    await eventually(() => bridge.exit === 1);
    const error = { code: -32000, message: 'Holdfast was closed before the answer came.' };
    expect(bridge.messages).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
  });

  it('ends with its host app though that does not read what the gateway has sent', async () => {
    const bridge = new Bridge(world.dir);
    const ended = new Promise((resolve) => bridge.child.once('exit', resolve));
    bridge.send(1, 'ping');
    await bridge.answer(1);
    bridge.child.stdout?.pause();
    bridge.send(2, 'tools/call', { name: 'demo_search', arguments: { do: 'big', bytes: 4 * 1024 * 1024 } });
    await eventually(() => world.traces.find((line) => line.method === 'tools/call'));
    await world.gateway.close();
    bridge.child.stdin?.end();
    await ended;
  });

  it('passes on an answer of 11 MiB', async () => {
    const bridge = new Bridge(world.dir);
    const bytes = 11 * 1024 * 1024;
    bridge.send(1, 'tools/call', { name: 'demo_search', arguments: { do: 'big', bytes } });
    expect(textOf(await bridge.answer(1))).toHaveLength(bytes);
  });

  it('tells the host app what the gateway says when it says no', async () => {
    world.surfaces.clear();
    const bridge = new Bridge(world.dir);
    bridge.send(1, 'initialize', { protocolVersion: '2025-06-18' });
    const { result } = await bridge.answer(1);
    expect(result).toMatchObject({ instructions: 'message of CONSUMER_NOT_FOUND next step' });
    expect(bridge.stderr).toContain('message of CONSUMER_NOT_FOUND');
  });
});

describe('a bridge to a gateway that does not run', () => {
  it('starts it as it was started last, and holds what the host app says until then', async () => {
    home.canStart({ delayMs: 300 });
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--no-warnings' };
    const bridge = new Bridge(home.dir, env);
    bridge.send(1, 'initialize', { held: true });
    expect(at(await bridge.answer(1), 'result.params')).toEqual({ held: true });
    const [start] = home.starts;
    expect(start).toMatchObject({ mark: 'set' });
    expect(start).not.toHaveProperty('asNode');
    expect(start).not.toHaveProperty('nodeOptions');
    const hello = JSON.parse(readFileSync(path.join(home.dir, 'hello.json'), 'utf8')) as unknown;
    expect(hello).toMatchObject({ holdfast: 1, role: 'bridge', consumer: APP, token: 'fake-token' });
  });

  it('puts last what has to come last', async () => {
    home.canStart({}, { trailing: ['--no-sandbox'] });
    const bridge = new Bridge();
    bridge.send(1, 'ping');
    await bridge.answer(1);
    expect(home.starts[0]?.argv?.at(-1)).toBe('--no-sandbox');
  });

  it('leaves it running when it ends itself', async () => {
    home.canStart();
    const bridge = new Bridge();
    bridge.send(1, 'ping');
    await bridge.answer(1);
    bridge.child.stdin?.end();
    await eventually(() => bridge.exit === 0);
    expect(isRunning(home.starts[0]?.pid ?? 0)).toBe(true);
  });

  it('runs it as Node where its launch says so', async () => {
    home.canStart({}, { env: { ELECTRON_RUN_AS_NODE: '1' } });
    const bridge = new Bridge();
    bridge.send(1, 'ping');
    await bridge.answer(1);
    expect(home.starts[0]).toMatchObject({ asNode: '1' });
  });

  it('is one of five that start it once', async () => {
    home.canStart({ delayMs: 400 });
    const five = Array.from({ length: 5 }, () => new Bridge());
    for (const bridge of five) bridge.send(1, 'ping');
    const answers = await Promise.all(five.map((bridge) => bridge.answer(1)));
    expect(new Set(answers.map((answer) => at(answer, 'result.pid'))).size).toBe(1);
    expect(home.starts).toHaveLength(1);
  });

  it('starts it though an earlier bridge died while it did', async () => {
    home.canStart();
    const lock = path.join(home.dir, 'bridge-start.lock');
    writeFileSync(lock, '999999999');
    const bridge = new Bridge();
    bridge.send(1, 'ping');
    await bridge.answer(1);
    expect(() => statSync(lock)).toThrow();
  });

  it.each([
    ['was never started', () => undefined],
    ['has a launch file that is no JSON', () => writeFileSync(path.join(home.dir, 'launch.json'), '{')],
    ['has a launch file without a command', () => writeFileSync(path.join(home.dir, 'launch.json'), '{"args":[]}')],
    ['cannot be started', () => home.canStart({}, { command: home.dir })],
  ])('answers in its place where it %s', async (_, arrange) => {
    arrange();
    const bridge = new Bridge();
    bridge.send(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {} });
    bridge.send(undefined, 'notifications/initialized');
    const { result } = await bridge.answer(1);
    expect(result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'holdfast' } });
    expect(result).toMatchObject({ instructions: expect.stringMatching(/^Holdfast isn’t running/) as string });
    bridge.send(2, 'tools/list');
    expect((await bridge.answer(2))['result']).toEqual({ tools: [] });
    bridge.send(3, 'tools/call', { name: 'x' });
    expect((await bridge.answer(3))['result']).toMatchObject({ isError: true });
    bridge.send(4, 'prompts/get', { name: 'x' });
    expect((await bridge.answer(4))['error']).toMatchObject({ code: -32000 });
    bridge.send(5, 'odd/method');
    expect((await bridge.answer(5))['error']).toMatchObject({ code: -32601 });
    bridge.send(6, 'ping');
    expect((await bridge.answer(6))['result']).toEqual({});
    expect(bridge.stderr).toContain('Holdfast isn’t running');
    bridge.child.stdin?.end();
    await eventually(() => bridge.exit === 1);
  });

  it('gives up in time where the gateway never answers', async () => {
    home.canStart({ delayMs: 60_000 });
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const status = runBridge({ app: APP, home: home.dir, stdin, stdout, stderr, waitMs: 300 });
    stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    const answer = await new Promise((resolve) => stdout.once('data', resolve));
    stdin.end();
    expect(await status).toBe(1);
    expect(String(answer)).toBe('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\n');
    expect(String(stderr.read())).toContain('Holdfast isn’t running');
  });
});

describe('the right to start the gateway', () => {
  it('is one bridge’s at a time', () => {
    const giveBack = takeStartLock(home.dir);
    expect(giveBack).not.toBe(null);
    expect(takeStartLock(home.dir)).toBe(null);
    giveBack?.();
    expect(takeStartLock(home.dir)).not.toBe(null);
  });

  it('is free again after 30 s, whoever holds it', () => {
    takeStartLock(home.dir);
    const old = Date.now() / 1000 - 31;
    utimesSync(path.join(home.dir, 'bridge-start.lock'), old, old);
    expect(takeStartLock(home.dir)).not.toBe(null);
  });
});

describe('the arguments of the bridge', () => {
  it('are the app and the data folder, whatever else there is', () => {
    const given = ['connect', 'cursor', '--home', '/d', '--owner', 'x', '--no-sandbox'];
    expect(readArguments(given)).toEqual({ app: 'cursor', home: '/d', isWalled: false });
    expect(readArguments([...given, '--walled'])).toEqual({ app: 'cursor', home: '/d', isWalled: true });
  });

  it.each([
    [[]],
    [['connect']],
    [['connect', 'cursor']],
    [['connect', '--home', '/d']],
    [['serve', 'a', '--home', '/d']],
  ])('are refused when they are %j', (args) => {
    expect(readArguments(args)).toBe(null);
  });

  it('are explained where they are wrong', async () => {
    const child = spawn(process.execPath, [BRIDGE, 'connect']);
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(2);
  });
});
