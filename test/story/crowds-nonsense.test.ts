import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { endpointFor, tokenFile } from '../../electron/bridge/endpoint.ts';
import { HostApp, isRunning, textOf, tool } from '../gateway/harness.ts';
import { until } from '../support/holdfast.ts';
import { Crowd, memoryOf } from './crowd.ts';
import type { AppBridge } from './crowd.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });
const MIB = 1024 * 1024;
let crowd: Crowd;
let gateway: number;
/** Has a call under way all the time. */
let bystander: AppBridge;
let underWay: number;

beforeAll(async () => {
  crowd = new Crowd();
  gateway = await crowd.serve();
  await crowd.server('Demo', 'search');
  for (const app of ['cursor', 'claude']) await crowd.app(app, 'Demo');
  bystander = await crowd.connected('claude');
});
afterAll(() => crowd.close());

/** Calls that the server has received. */
const calls = (): number => crowd.received('Demo', 'tools/call').length;
const callsBecome = (count: number): Promise<number> => until(calls, (now) => now === count);

beforeEach(async () => {
  const before = calls();
  underWay = bystander.begin('search', { do: 'hang' });
  await callsBecome(before + 1);
});

/** Nothing of it concerned others: not their calls, not their server, not the gateway. */
async function othersGoOn(): Promise<void> {
  expect(isRunning(gateway)).toBe(true);
  await bystander.call('search', { do: 'release' });
  expect(textOf(await bystander.answer(underWay))).toBe('released');
  expect(crowd.processes('Demo')).toHaveLength(1);
  await until(
    () => crowd.connections(),
    ({ cursor }) => cursor === 0,
    60_000,
  );
}

function open(): HostApp {
  const app = new HostApp(connect(endpointFor(crowd.data)));
  opened.push(app);
  return app;
}
const opened: HostApp[] = [];
afterEach(() => {
  for (const app of opened.splice(0)) app.close();
});

const closed = (app: HostApp): Promise<boolean> =>
  until(
    () => app.isClosed,
    (is) => is,
    60_000,
  );
const hello = (changes: object = {}): string => {
  const token = readFileSync(tokenFile(crowd.data), 'utf8').trim();
  return JSON.stringify({ holdfast: 1, role: 'bridge', consumer: 'cursor', token, pid: 1, ...changes });
};
async function greeted(consumer = 'cursor'): Promise<HostApp> {
  const app = open();
  app.write(hello({ consumer }));
  await until(
    () => app.messages.length,
    (count) => count === 1,
  );
  app.messages.length = 0;
  return app;
}

/** The same bytes every time. */
function noise(bytes: number): Buffer {
  let state = 1;
  return Buffer.from(Array.from({ length: bytes }, () => (state = (state * 48271) % 2147483647) & 255));
}

describe('who says nonsense before the greeting is over', () => {
  test.each([
    ['random bytes', () => noise(64 * 1024)],
    ['random bytes and a line end', () => Buffer.concat([noise(900), Buffer.from('\n')])],
    ['a greeting of 5,000 bytes', () => `${hello({ padding: 'x'.repeat(5000) })}\n`],
    ['a greeting with a wrong token', () => `${hello({ token: 'f'.repeat(64) })}\n`],
    ['a greeting with no token', () => `${hello({ token: undefined })}\n`],
    ['an app that is not known', () => `${hello({ consumer: 'nobody' })}\n`],
    ['an app by a name that every object has', () => `${hello({ consumer: '__proto__' })}\n`],
    ['an app that is no text', () => `${hello({ consumer: { id: 'cursor' } })}\n`],
    ['half a greeting, then nothing more', () => hello().slice(0, 40)],
  ])('is turned away alone: %s', async (_, bytes) => {
    const app = open();
    app.socket.write(bytes());
    await closed(app);
    for (const message of app.messages)
      expect(message).toMatchObject({ error: { message: expect.any(String) as string } });
    await othersGoOn();
  });

  test('leaves nothing when it leaves in the middle of the greeting', async () => {
    for (let n = 0; n < 200; n++) open().socket.end(hello().slice(0, n));
    await until(
      () => opened.filter((app) => !app.isClosed).length,
      (count) => count === 0,
    );
    await othersGoOn();
  });
});

const INVALID = { code: -32600 };
const NO_JSON = { code: -32700 };
describe('an app that says nonsense', () => {
  test.each([
    ['what is no JSON', '{"jsonrpc":', NO_JSON],
    ['random bytes', 'ÿ\u0000\u0001', NO_JSON],
    ['a number', '7', INVALID],
    ['null', 'null', INVALID],
    ['a list of nonsense', '[1]', INVALID],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', INVALID],
    ['an id that is a list', '{"jsonrpc":"2.0","id":[1],"method":"tools/call"}', INVALID],
    ['an id that is a truth value', '{"jsonrpc":"2.0","id":true,"method":"ping"}', INVALID],
  ])('is told so and may go on: %s', async (_, line, error) => {
    const app = await greeted();
    app.write(line);
    await until(
      () => app.messages[0],
      (message) => message !== undefined,
    );
    expect(app.messages[0]).toMatchObject({ id: null, error });
    expect((await app.ask('ping'))['result']).toEqual({});
    app.close();
    await othersGoOn();
  });

  test('is not answered where nothing can be answered, and may go on', async () => {
    const app = await greeted();
    for (const line of [
      '{}',
      '[]',
      '{"jsonrpc":"2.0","id":99}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":"g1","error":7}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":[]}',
    ]) {
      app.write(line);
    }
    expect((await app.ask('ping'))['result']).toEqual({});
    expect(app.messages).toHaveLength(1);
    app.close();
    await othersGoOn();
  });

  test('by one id for two requests at once has the second one refused, and the first one answered', async () => {
    const app = await greeted();
    const call = (args: object): void =>
      app.write(
        JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'search', arguments: args } }),
      );
    const before = calls();
    call({ do: 'hang' });
    call({ do: 'echo' });
    const refused = await app.answer(5);
    expect(refused).toMatchObject({ error: { ...INVALID, message: 'This request id is in use' } });
    await callsBecome(before + 1);
    await bystander.call('search', { do: 'release' });
    await until(
      () => app.messages.length,
      (count) => count === 2,
    );
    expect(textOf(app.messages[1] ?? {})).toBe('released');
    app.close();
    expect(textOf(await bystander.answer(underWay))).toBe('released');
  });

  test('by a line of 65 MB loses its connection', async () => {
    const app = await greeted();
    app.socket.write('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"padding":"');
    app.socket.write(Buffer.alloc(65 * MIB, 'x'));
    await closed(app);
    expect(app.messages).toEqual([]);
    await othersGoOn();
  });

  test('by a line of 65 MB from a real bridge ends that bridge', async () => {
    const bridge = await crowd.connected('cursor');
    bridge.child.stdin?.write(Buffer.alloc(65 * MIB, 'x'));
    await until(
      () => bridge.exit,
      (exit) => exit !== undefined,
      60_000,
    );
    expect(bridge.exit).toBe(1);
    await othersGoOn();
  });
});

describe('an app that asks and asks, and reads nothing', () => {
  const COUNT = 10_000;
  /** Meanwhile others are served. Returns by how many MiB the gateway has grown. */
  async function growthWhile(ask: () => void): Promise<number> {
    const before = memoryOf(gateway);
    let most = before;
    ask();
    for (let n = 0; n < 20; n++) {
      expect(textOf(await bystander.call('search'))).toBe('search of Demo 1.0.0');
      most = Math.max(most, memoryOf(gateway));
    }
    return most - before;
  }

  test('for lists costs the gateway little', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `tool-${n}`);
    await crowd.server('Big', ...names);
    crowd.offer('Big', { tools: names.map((name) => tool(name, 'x'.repeat(5_000))) });
    await crowd.command('servers.check', { name: 'Big' });
    await crowd.app('flood', 'Big');
    const app = await greeted('flood');
    const list = JSON.stringify(await app.ask('tools/list'));
    expect(list.length * COUNT).toBeGreaterThan(400 * MIB);
    app.socket.pause();
    const growth = await growthWhile(() => {
      for (let n = 0; n < COUNT; n++) app.send('tools/list');
    });
    expect(growth).toBeLessThan(200);
    app.close();
    await othersGoOn();
  });

  test('gets every answer, in order, once it reads', async () => {
    const app = await greeted();
    app.socket.pause();
    const ids: number[] = [];
    await growthWhile(() => {
      for (let n = 0; n < COUNT; n++) ids.push(app.send(n % 2 === 0 ? 'ping' : 'tools/list'));
    });
    app.socket.resume();
    await until(
      () => app.messages.length,
      (count) => count === COUNT,
    );
    expect(app.messages.map(({ id }) => id)).toEqual(ids);
    app.close();
    await othersGoOn();
  });

  test('for large results loses its connection once 64 MB wait for it, and its server goes on for others', async () => {
    const app = await greeted();
    app.socket.pause();
    const growth = await growthWhile(() => {
      for (let n = 0; n < 400; n++) {
        app.send('tools/call', { name: 'search', arguments: { do: 'big', bytes: 256 * 1024 } });
      }
    });
    expect(growth).toBeLessThan(200);
    await othersGoOn();
    app.socket.resume();
    await closed(app);
  });
});
