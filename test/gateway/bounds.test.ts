import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endpointFor } from '../../electron/bridge/endpoint.ts';
import { BOUNDS } from '../../electron/core/bounds.ts';
import type { BoundName } from '../../electron/core/bounds.ts';
import type { ServerId } from '../../electron/core/model.ts';
import { Rate } from '../../electron/gateway/rate.ts';
import { APP, HostApp, OTHER, TOKEN, World, at, eventually, textOf, tool } from './harness.ts';
import type { Message } from './harness.ts';

const search = tool('search');
const { value: IN_FLIGHT } = BOUNDS.requestsInFlight;
const sentence = (name: BoundName): string => BOUNDS[name].then.en;

let world: World;
let sockets: HostApp[];
beforeEach(async () => {
  sockets = [];
  world = await new World().listen();
  world.server({ tools: [search], resourceTemplates: [{ uriTemplate: 'x://{id}', name: 'x' }] });
  for (const consumer of [APP, OTHER]) {
    world.publish(consumer, [
      { kind: 'tool', definition: search },
      { kind: 'resourceTemplate', definition: { uriTemplate: 'x://{id}', name: 'x' } },
    ]);
  }
});
afterEach(async () => {
  for (const app of sockets) app.close();
  await world.close();
});

const works = async (app: HostApp): Promise<void> =>
  expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
const error = (message: Message | undefined): unknown => at(message, 'error.message');
const refusals = (app: HostApp, name: BoundName): Message[] =>
  app.messages.filter((message) => error(message) === sentence(name));
const refusal = (app: HostApp, name: BoundName): Promise<Message> =>
  eventually(() => refusals(app, name)[0], `a refusal for ${name}`);

function open(hello: object): HostApp {
  const app = new HostApp(connect(endpointFor(world.dir)));
  sockets.push(app);
  app.write(JSON.stringify({ holdfast: 1, token: TOKEN, ...hello }));
  return app;
}
const greeted = (app: HostApp): Promise<Message> => eventually(() => app.messages[0], 'a greeting');

describe('what one app sends', () => {
  it('more requests than may wait get an error each, and the connection goes on', async () => {
    const app = await world.app();
    await works(app);
    for (let i = 0; i < IN_FLIGHT + 2; i++) app.send('tools/call', { name: 'search', arguments: { do: 'hang' } });
    await eventually(() => refusals(app, 'requestsInFlight').length === 2);
    const ping = await app.ask('ping');
    expect(ping).toHaveProperty('result');
    await eventually(() => world.received('tools/call').length >= IN_FLIGHT);
    const answered = app.messages.filter((message) => message.method === undefined).length;
    const other = await world.app({ consumer: OTHER });
    await other.call('search', { do: 'release' });
    await eventually(() => app.messages.filter((m) => m.method === undefined).length === answered + IN_FLIGHT);
    await works(app);
    expect(refusals(app, 'requestsInFlight')).toHaveLength(2);
  });

  it(
    'requests that are large together are refused, and one that is given up makes room',
    { timeout: 180_000 },
    async () => {
      const app = await world.app();
      await works(app);
      // The server is not there yet, so that both wait in the gateway.
      world.server({ tools: [search], faults: { start: 'hang' } });
      world.spec({ digest: 'two' });
      const fill = 'x'.repeat(BOUNDS.unansweredBytes.value / 2 - 1_000);
      const line = JSON.stringify({ jsonrpc: '2.0', id: 'N', method: 'tools/call', params: { name: 'search', fill } });
      for (const id of ['a', 'b', 'c']) {
        app.write(line.replace('"N"', `"${id}"`));
        app.notify('notifications/cancelled', { requestId: 'none' });
        while (app.socket.writableLength > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect((await refusal(app, 'unansweredBytes')).id).toBe('c');
      app.notify('notifications/cancelled', { requestId: 'a' });
      app.write(line.replace('"N"', '"d"'));
      expect(await app.ask('ping')).toHaveProperty('result');
      expect(refusals(app, 'unansweredBytes').map(({ id }) => id)).toEqual(['c']);
    },
  );

  const one = { jsonrpc: '2.0', id: 'one', method: 'ping' };
  it.each<[BoundName, unknown, unknown]>([
    ['batchLength', Array.from({ length: BOUNDS.batchLength.value + 1 }, () => one), null],
    ['idLength', { ...one, id: 'i'.repeat(BOUNDS.idLength.value + 1) }, null],
    ['methodLength', { ...one, method: 'm'.repeat(BOUNDS.methodLength.value + 1) }, 'one'],
    [
      'progressTokenLength',
      { ...one, params: { _meta: { progressToken: 't'.repeat(BOUNDS.progressTokenLength.value + 1) } } },
      'one',
    ],
    [
      'capabilitiesLength',
      { ...one, method: 'initialize', params: { capabilities: { x: 'c'.repeat(BOUNDS.capabilitiesLength.value) } } },
      'one',
    ],
  ])('beyond %s is refused once, and the connection goes on', async (name, message, id) => {
    const app = await world.app();
    app.write(JSON.stringify(message));
    expect((await refusal(app, name)).id).toBe(id);
    await works(app);
    expect(refusals(app, name)).toHaveLength(1);
  });

  it('at the bounds is never noticed', async () => {
    const app = await world.app();
    const id = 'i'.repeat(BOUNDS.idLength.value);
    const batch = Array.from({ length: BOUNDS.batchLength.value }, (_, i) => ({ ...one, id: `${i}` }));
    app.write(JSON.stringify(batch));
    app.write(JSON.stringify({ ...one, id }));
    const token = 't'.repeat(BOUNDS.progressTokenLength.value);
    const call = app.send('tools/call', {
      name: 'search',
      arguments: { do: 'progress', count: 2 },
      _meta: { progressToken: token },
    });
    await app.answer(call);
    await eventually(() => app.messages.some((message) => message.id === id));
    expect(app.messages.filter((message) => message['error'] !== undefined)).toEqual([]);
    expect(app.received('notifications/progress').map((each) => at(each, 'params.progressToken'))).toEqual([
      token,
      token,
    ]);
    expect(batch.filter((each) => !app.messages.some((message) => message.id === each.id))).toEqual([]);
  });

  it.each(['9007199254740993', '1e400', '-1e400'])(
    'with the id %s has no answer that could be mistaken',
    async (id) => {
      const app = await world.app();
      app.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      const answer = await eventually(() => app.messages.find((message) => message.id === null));
      expect(at(answer, 'error.code')).toBe(-32600);
    },
  );

  it('arguments and _meta pass untouched, whatever their size', async () => {
    const app = await world.app();
    const meta = { own: 'm'.repeat(300_000), list: Array.from({ length: 5_000 }, (_, i) => i) };
    const fill = 'x'.repeat(1_000_000);
    const answer = await app.ask('tools/call', { name: 'search', arguments: { do: 'echo', fill }, _meta: meta });
    expect(JSON.parse(textOf(answer))).toEqual({ name: 'search', arguments: { do: 'echo', fill }, _meta: meta });
  });

  it('more subscriptions than an app may have are refused over all its connections, and one that ends makes room', async () => {
    const [first, second] = [await world.app(), await world.app()];
    const half = BOUNDS.subscriptions.value / 2;
    for (const [app, name] of [
      [first, 'a'],
      [second, 'b'],
    ] as const) {
      const ids = Array.from({ length: half }, (_, i) => app.send('resources/subscribe', { uri: `x://${name}${i}` }));
      await eventually(() => ids.every((id) => app.messages.some((message) => message.id === id)));
      expect(app.messages.filter((message) => message['error'] !== undefined)).toEqual([]);
    }
    await first.ask('resources/subscribe', { uri: 'x://more' });
    expect(refusals(first, 'subscriptions')).toHaveLength(1);
    await second.ask('resources/unsubscribe', { uri: 'x://b0' });
    expect(await first.ask('resources/subscribe', { uri: 'x://more' })).toHaveProperty('result');
    const other = await world.app({ consumer: OTHER });
    expect(await other.ask('resources/subscribe', { uri: 'x://mine' })).toHaveProperty('result');
  });

  it('without reading its answers is not read on, and gets all of them when it reads', async () => {
    const app = await world.app();
    await works(app);
    app.socket.pause();
    // Each of these is answered from memory, with a list that is large: read at once, they would fill it.
    world.publish(APP, [{ kind: 'tool', definition: tool('search', 'd'.repeat(200_000)) }]);
    const ids = Array.from({ length: 400 }, () => app.send('tools/list'));
    const other = await world.app({ consumer: OTHER });
    await works(other);
    expect(world.listed.filter(([consumer]) => consumer === APP).length).toBeLessThan(ids.length / 2);
    app.socket.resume();
    await eventually(() => ids.every((id) => app.messages.some((message) => message.id === id)));
  });

  it('and then ends its side is answered all the same', async () => {
    const app = await world.app();
    app.socket.pause();
    world.publish(APP, [{ kind: 'tool', definition: tool('search', 'd'.repeat(200_000)) }]);
    const ids = Array.from({ length: 100 }, () => app.send('tools/list'));
    app.socket.end();
    await works(await world.app({ consumer: OTHER }));
    app.socket.resume();
    await eventually(() => app.isClosed);
    expect(ids.filter((id) => !app.messages.some((message) => message.id === id))).toEqual([]);
  });
});

describe('connections', () => {
  it('of one app are refused beyond their bound with a sentence in the greeting; those of others are not', async () => {
    const bridges = Array.from({ length: BOUNDS.connectionsPerApp.value }, () =>
      open({ role: 'bridge', consumer: APP }),
    );
    for (const app of bridges) expect(await greeted(app)).toEqual({ ok: true });
    const next = open({ role: 'bridge', consumer: APP });
    expect(error(await greeted(next))).toBe(sentence('connectionsPerApp'));
    await eventually(() => next.isClosed);
    expect(await greeted(open({ role: 'bridge', consumer: OTHER }))).toEqual({ ok: true });
    bridges[0]!.close();
    await eventually(() => world.gateway.connections(APP) === BOUNDS.connectionsPerApp.value - 1);
    expect(await greeted(open({ role: 'bridge', consumer: APP }))).toEqual({ ok: true });
  });

  it('of all apps together are refused beyond their bound, and commands still come through', async () => {
    const apps = BOUNDS.connections.value / BOUNDS.connectionsPerApp.value;
    for (let i = 0; i < apps; i++) {
      const consumer = `app-${i}` as typeof APP;
      world.publish(consumer, []);
      const own = Array.from({ length: BOUNDS.connectionsPerApp.value }, () => open({ role: 'bridge', consumer }));
      for (const app of own) expect(await greeted(app)).toEqual({ ok: true });
    }
    expect(error(await greeted(open({ role: 'bridge', consumer: OTHER })))).toBe(sentence('connections'));
    expect(await greeted(open({ role: 'control' }))).toEqual({ ok: true });
  });

  it('that say nothing are refused beyond their bound, and those that are there go on', async () => {
    await world.close();
    world = await new World({ handshakeMs: 60_000 }).listen();
    world.publish(APP, []);
    const app = await world.app();
    // Not all in one go: that many at a time would not be accepted.
    const live = (): HostApp[] => sockets.filter(({ socket }) => socket.readyState === 'open');
    for (let left = BOUNDS.sockets.value - 1; left > 0; left = BOUNDS.sockets.value - 1 - live().length) {
      const some = Array.from({ length: Math.min(left, 100) }, () => new HostApp(connect(endpointFor(world.dir))));
      sockets.push(...some);
      await eventually(() => some.every(({ socket }) => !socket.connecting));
    }
    const next = open({ role: 'bridge', consumer: APP });
    expect(error(await greeted(next))).toBe(sentence('sockets'));
    expect(await app.ask('ping')).toHaveProperty('result');
    live()[0]!.close();
    await eventually(() => next.isClosed);
    // That the other one is gone may be heard of a moment later.
    for (let greeting: Message = {}; greeting['ok'] !== true;)
      greeting = await greeted(open({ role: 'bridge', consumer: APP }));
  });
});

describe('commands', () => {
  const control = async (): Promise<HostApp> => {
    const app = open({ role: 'control' });
    expect(await greeted(app)).toEqual({ ok: true });
    return app;
  };

  it('beyond those that may be carried out at a time are refused by id, and the others are answered', async () => {
    const releases: (() => void)[] = [];
    world.onCommand = () => new Promise((resolve) => releases.push(() => resolve('done')));
    const app = await control();
    const { value } = BOUNDS.commandsInFlight;
    for (let id = 1; id <= value + 1; id++) app.write(JSON.stringify({ id, command: 'servers.list' }));
    expect((await refusal(app, 'commandsInFlight')).id).toBe(value + 1);
    expect(releases).toHaveLength(value);
    for (const release of releases) release();
    await eventually(() => app.messages.filter((message) => message['result'] === 'done').length === value);
    app.write(JSON.stringify({ id: 'next', command: 'servers.list' }));
    await eventually(() => releases.length === value + 1);
  });

  it('that are too long are refused with a sentence, and carried out they are not', async () => {
    const app = await control();
    app.write(JSON.stringify({ id: 1, command: 'x', input: 'x'.repeat(8 * BOUNDS.commandBytes.value) }));
    expect(await refusal(app, 'commandBytes')).toMatchObject({ id: null });
    await eventually(() => app.isClosed);
    expect(world.commands).toEqual([]);
    const next = await control();
    next.write(JSON.stringify({ id: 1, command: 'x', input: 'x'.repeat(BOUNDS.commandBytes.value - 100) }));
    await eventually(() => world.commands.length === 1);
  });
});

describe('what one server sends', () => {
  const say = (app: HostApp, line: object, count: number): Promise<Message> =>
    app.call('search', { do: 'say', line: JSON.stringify({ jsonrpc: '2.0', ...line }), count });

  it('more log messages in a second than may pass are left out, and the app is told how many', async () => {
    const app = await world.app();
    const many = BOUNDS.logsPerSecond.value * 5;
    const logs = (): Message[] => app.received('notifications/message');
    const own = (): Message[] => logs().filter((each) => at(each, 'params.logger') === 'holdfast');
    await say(app, { method: 'notifications/message', params: { level: 'error', data: '{i}' } }, many);
    expect(logs().length).toBeLessThan(many);
    await eventually(() => {
      // Any later message tells what was left out; the second has to be over first.
      app.send('tools/call', { name: 'search', arguments: { do: 'log', level: 'error' } });
      return own()[0];
    });
    const count = /^(\d+) log messages were left out\.$/.exec(String(at(own()[0], 'params.data')))?.[1];
    const before = logs().slice(0, logs().indexOf(own()[0]!)).length;
    expect(Number(count)).toBeGreaterThanOrEqual(many - before);
    await works(app);
  });

  it('more progress in a second than may pass is left out, and the answer comes', async () => {
    const app = await world.app();
    const many = BOUNDS.progressPerSecond.value * 20;
    const answer = await app.ask('tools/call', {
      name: 'search',
      arguments: { do: 'progress', count: many },
      _meta: { progressToken: 1 },
    });
    expect(textOf(answer)).toBe('done');
    const passed = app.received('notifications/progress').length;
    expect(passed).toBeGreaterThanOrEqual(BOUNDS.progressPerSecond.value);
    expect(passed).toBeLessThan(many);
  });

  it('more requests than may be open to its apps are refused, and it goes on', async () => {
    world.spec({ asks: true });
    const app = await world.app({ capabilities: { sampling: {} } });
    const { value } = BOUNDS.serverRequests;
    await say(app, { id: 'ask-{i}', method: 'sampling/createMessage', params: {} }, value + 3);
    await eventually(() => app.received('sampling/createMessage').length === value);
    const refused = await eventually(() => {
      const answers = world.received().filter((line) => line.method === undefined && String(line.id).startsWith('ask'));
      return answers.length === 3 ? answers : null;
    });
    expect(refused.map((line) => Reflect.get(line, 'error'))).toEqual(
      Array.from({ length: 3 }, () => ({ code: -32000, message: sentence('serverRequests') })),
    );
    await works(app);
    expect(app.received('sampling/createMessage')).toHaveLength(value);
  });

  it('a batch that is too long ends its connection with the reason, and it is started again', async () => {
    const app = await world.app();
    await works(app);
    const batch = Array.from({ length: BOUNDS.batchLength.value + 1 }, () => ({ jsonrpc: '2.0', method: 'x' }));
    const answer = await app.call('search', { do: 'say', line: JSON.stringify(batch) });
    expect(answer['error']).toBeDefined();
    await works(app);
    expect(world.received('initialize')).toHaveLength(2);
  });

  it.each([
    [
      'what it can do',
      { capabilities: { tools: {}, x: 'c'.repeat(BOUNDS.capabilitiesLength.value) } },
      'capabilitiesLength',
    ],
  ] as const)('beyond the length of %s is not let in, and the reason is told', async (_, control, name) => {
    world.server({ tools: [search], ...control }, 'big' as ServerId);
    await world.gateway.observeNow('big' as ServerId);
    expect(world.observations.at(-1)?.kinds.tool).toEqual({ status: 'failed', reason: BOUNDS[name].reason });
    await works(await world.app());
  });

  it('instructions that are too long stay off, and its tools count', async () => {
    const instructions = 'i'.repeat(BOUNDS.instructionsLength.value + 1);
    world.server({ tools: [search], instructions }, 'wordy' as ServerId);
    const { kinds } = await world.gateway.observeNow('wordy' as ServerId);
    const { reason } = BOUNDS.instructionsLength;
    expect(kinds.instructions).toEqual({ status: 'complete', items: [{ originKey: '', invalid: reason }] });
    expect(kinds.tool?.status).toBe('complete');
  });

  it('a version and a name that are too long are cut', async () => {
    world.server({ tools: [search], version: 'v'.repeat(5_000), name: 'n'.repeat(5_000) }, 'long' as ServerId);
    const { version } = await world.gateway.observeNow('long' as ServerId);
    expect(version).toBe('v'.repeat(BOUNDS.versionLength.value));
  });

  it('a list with names that are too long together changes nothing', async () => {
    const name = (i: number): string => `${i}-${'n'.repeat(8_000)}`;
    const count = Math.ceil(BOUNDS.keysLength.value / 8_000);
    world.server({ tools: Array.from({ length: count }, (_, i) => tool(name(i), '')) }, 'names' as ServerId);
    const { kinds } = await world.gateway.observeNow('names' as ServerId);
    expect(kinds.tool).toEqual({ status: 'incomplete', reason: BOUNDS.keysLength.reason, count });
  });
});

describe('a rate', () => {
  it('lets so many pass in a second, counts the others, and starts anew in the next', () => {
    let now = 0;
    const rate = new Rate(2, () => now);
    expect([rate.take(), rate.take(), rate.take(), rate.take()]).toEqual([0, 0, null, null]);
    now = 999;
    expect(rate.take()).toBe(null);
    now = 1000;
    expect([rate.take(), rate.take(), rate.take()]).toEqual([3, 0, null]);
  });
});
