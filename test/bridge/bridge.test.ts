import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readArguments, runBridge } from '../../electron/bridge/bridge.ts';
import { takeStartLock } from '../../electron/bridge/start-gateway.ts';
import { LineReader } from '../../electron/gateway/lines.ts';
import { APP, World, at, eventually, isRunning, textOf, tool } from '../gateway/harness.ts';
import type { Message } from '../gateway/harness.ts';

const FAKE = fileURLToPath(new URL('../fixtures/fake-gateway.mjs', import.meta.url));
const ENTRY = fileURLToPath(new URL('../../electron/bridge/bridge.ts', import.meta.url));
const built = mkdtempSync(path.join(tmpdir(), 'hf-bridge-built-'));
const BRIDGE = path.join(built, 'bridge.cjs');

let home: string;
const bridges: Bridge[] = [];

beforeAll(async () => {
  await build({
    entryPoints: [ENTRY],
    outfile: BRIDGE,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node18',
  });
});
afterAll(() => rmSync(built, { recursive: true }));
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'hf-home-'));
});
afterEach(() => {
  for (const bridge of bridges.splice(0)) bridge.child.kill('SIGKILL');
  for (const start of starts()) {
    if (isRunning(start.pid)) process.kill(start.pid, 'SIGKILL');
  }
  rmSync(home, { recursive: true, force: true });
});

interface Start {
  readonly pid: number;
  readonly asNode?: string;
  readonly nodeOptions?: string;
  readonly mark?: string;
  readonly argv?: readonly string[];
}
const startsFile = (): string => path.join(home, 'starts');
function starts(): Start[] {
  try {
    const lines = readFileSync(startsFile(), 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Start); // written by the fake gateway
  } catch {
    return [];
  }
}

/** Says how to start the fake gateway, as a real one would have at its last start. */
function canStart(options: object = {}, launch: object = {}): void {
  writeFileSync(path.join(home, 'fake.json'), JSON.stringify(options));
  const file = { command: process.execPath, args: [FAKE, home, startsFile()], env: { MARK: 'set' }, ...launch };
  writeFileSync(path.join(home, 'launch.json'), JSON.stringify(file));
}

class Bridge {
  readonly child: ChildProcess;
  readonly messages: Message[] = [];
  stderr = '';
  exit: number | null | undefined;

  constructor(dir = home, env: NodeJS.ProcessEnv = process.env) {
    const args = [BRIDGE, 'connect', APP, '--home', dir, '--owner', 'x', '--no-sandbox'];
    this.child = spawn(process.execPath, args, { env });
    bridges.push(this);
    const reader = new LineReader(
      (line) => this.messages.push(JSON.parse(line.toString('utf8')) as Message), // bridges pass objects
      () => undefined,
    );
    this.child.stdout?.on('data', (chunk: Buffer) => reader.push(chunk));
    this.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk));
    this.child.once('close', (code) => (this.exit = code));
  }

  send(id: number | undefined, method: string, params: object = {}): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  }

  answer(id: number): Promise<Message> {
    return eventually(() => this.messages.find((message) => message.id === id), `answer ${id}: ${this.stderr}`);
  }
}

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
    await eventually(() => bridge.exit === 0);
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
    canStart({ delayMs: 300 });
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--no-warnings' };
    const bridge = new Bridge(home, env);
    bridge.send(1, 'initialize', { held: true });
    expect(at(await bridge.answer(1), 'result.params')).toEqual({ held: true });
    const [start] = starts();
    expect(start).toMatchObject({ mark: 'set' });
    expect(start).not.toHaveProperty('asNode');
    expect(start).not.toHaveProperty('nodeOptions');
    const hello = JSON.parse(readFileSync(path.join(home, 'hello.json'), 'utf8')) as unknown;
    expect(hello).toMatchObject({ holdfast: 1, role: 'bridge', consumer: APP, token: 'fake-token' });
  });

  it('puts last what has to come last', async () => {
    canStart({}, { trailing: ['--no-sandbox'] });
    const bridge = new Bridge();
    bridge.send(1, 'ping');
    await bridge.answer(1);
    expect(starts()[0]?.argv?.at(-1)).toBe('--no-sandbox');
  });

  it('leaves it running when it ends itself', async () => {
    canStart();
    const bridge = new Bridge();
    bridge.send(1, 'ping');
    await bridge.answer(1);
    bridge.child.stdin?.end();
    await eventually(() => bridge.exit === 0);
    expect(isRunning(starts()[0]?.pid ?? 0)).toBe(true);
  });

  it('runs it as Node where its launch says so', async () => {
    canStart({}, { env: { ELECTRON_RUN_AS_NODE: '1' } });
    const bridge = new Bridge();
    bridge.send(1, 'ping');
    await bridge.answer(1);
    expect(starts()[0]).toMatchObject({ asNode: '1' });
  });

  it('is one of five that start it once', async () => {
    canStart({ delayMs: 400 });
    const five = Array.from({ length: 5 }, () => new Bridge());
    for (const bridge of five) bridge.send(1, 'ping');
    const answers = await Promise.all(five.map((bridge) => bridge.answer(1)));
    expect(new Set(answers.map((answer) => at(answer, 'result.pid'))).size).toBe(1);
    expect(starts()).toHaveLength(1);
  });

  it('starts it though an earlier bridge died while it did', async () => {
    canStart();
    const lock = path.join(home, 'bridge-start.lock');
    writeFileSync(lock, '999999999');
    const bridge = new Bridge();
    bridge.send(1, 'ping');
    await bridge.answer(1);
    expect(() => statSync(lock)).toThrow();
  });

  it.each([
    ['was never started', () => undefined],
    ['has a launch file that is no JSON', () => writeFileSync(path.join(home, 'launch.json'), '{')],
    ['has a launch file without a command', () => writeFileSync(path.join(home, 'launch.json'), '{"args":[]}')],
    ['cannot be started', () => canStart({}, { command: path.join(home, 'gone') })],
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
    canStart({ delayMs: 60_000 });
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const status = runBridge({ app: APP, home, stdin, stdout, stderr, waitMs: 300 });
    stdin.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    expect(await status).toBe(1);
    expect(String(stdout.read())).toBe('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\n');
    expect(String(stderr.read())).toContain('Holdfast isn’t running');
  });
});

describe('the right to start the gateway', () => {
  it('is one bridge’s at a time', () => {
    const giveBack = takeStartLock(home);
    expect(giveBack).not.toBe(null);
    expect(takeStartLock(home)).toBe(null);
    giveBack?.();
    expect(takeStartLock(home)).not.toBe(null);
  });

  it('is free again after 30 s, whoever holds it', () => {
    takeStartLock(home);
    const old = Date.now() / 1000 - 31;
    utimesSync(path.join(home, 'bridge-start.lock'), old, old);
    expect(takeStartLock(home)).not.toBe(null);
  });
});

describe('the arguments of the bridge', () => {
  it('are the app and the data folder, whatever else there is', () => {
    expect(readArguments(['connect', 'cursor', '--home', '/d', '--owner', 'x', '--no-sandbox'])).toEqual({
      app: 'cursor',
      home: '/d',
    });
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
