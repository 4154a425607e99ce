import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOUNDS } from '../../electron/core/bounds.ts';
import type { JsonObject, Route } from '../../electron/core/model.ts';
import { IdCache } from '../../electron/gateway/id-cache.ts';
import { isTooDeep } from '../../electron/gateway/json-span.ts';
import { Lister } from '../../electron/gateway/lister.ts';
import { ProcessTransport } from '../../electron/gateway/process-transport.ts';
import type { LineTransport } from '../../electron/gateway/process-transport.ts';
import { DEFAULT_TIMINGS } from '../../electron/gateway/timings.ts';
import { Upstream } from '../../electron/gateway/upstream.ts';
import { APP, OTHER, SERVER, World, at, eventually, idOf, isRunning, textOf, tool } from './harness.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const search = tool('search');

describe('a message that is nested deeply', () => {
  it.each([
    [nested(BOUNDS.messageDepth.value), false],
    [nested(BOUNDS.messageDepth.value + 1), true],
    [`{"a":"${'['.repeat(2_000)}\\"${'['.repeat(2_000)}"}`, false],
    [`[${'[],'.repeat(2_000)}[]]`, false],
  ])('is told by its bytes (%#)', (text, expected) => {
    expect(isTooDeep(Buffer.from(text))).toBe(expected);
  });

  /** An upstream without a process, and the reasons for which its connection was ended. */
  const upstream = (): { server: Upstream; events: string[]; says: (line: string) => void } => {
    const events: string[] = [];
    const transport: LineTransport = {
      start: () => Promise.resolve(),
      send: () => Promise.resolve(),
      close: () => Promise.resolve(),
      sendLine: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
      kill: () => undefined,
      fail: (reason) => events.push(reason),
      endReason: null,
      lastWords: [],
      hasRoomFor: () => true,
      pid: undefined,
    };
    const server = new Upstream(transport, {
      onRequest: () => events.push('request'),
      onNotification: (method) => {
        events.push(method);
        if (method === 'throw') throw new RangeError('too much');
      },
      onEnd: () => undefined,
    });
    return { server, events, says: (line) => transport.online?.(Buffer.from(line)) };
  };
  const TOO_DEEP = 'it sent a message that is nested too deeply';

  it.each([
    `{"jsonrpc":"2.0","id":${nested(5000)},"method":"roots/list"}`,
    `{"jsonrpc":"2.0","method":"notifications/progress","params":{"a":${nested(5000)}}}`,
    `[{"jsonrpc":"2.0","method":"notifications/progress","params":{"a":${nested(5000)}}}]`,
  ])('ends the connection to the server that sent it (%#)', (line) => {
    const { events, says } = upstream();
    says(line);
    says('{"jsonrpc":"2.0","method":"notifications/progress"}');
    expect(events).toEqual([TOO_DEEP]);
  });

  it('is passed on where it is an answer to an app', () => {
    const { server, events, says } = upstream();
    server.request(7, 'tools/call', '{}', (answer) => events.push(answer ? 'answered' : 'lost'));
    says(`{"jsonrpc":"2.0","id":7,"result":${nested(5000)}}`);
    expect(events).toEqual(['answered']);
  });

  it('makes a list fail', async () => {
    const { server, says } = upstream();
    const answer = server.ask('tools/list', {}, 1000);
    says(`{"jsonrpc":"2.0","id":1,"result":{"tools":${nested(5000)}}}`);
    expect(await answer).toEqual({ type: 'none', reason: TOO_DEEP });
  });

  it('and whatever else cannot be handled ends no more than that connection', () => {
    const { events, says } = upstream();
    says('{"jsonrpc":"2.0","id":{"a":1},"method":"roots/list"}');
    says('{"jsonrpc":"2.0","method":"throw"}');
    expect(events).toEqual(['throw', 'it sent a message that cannot be handled']);
  });
});

it('a definition that cannot be written as text is invalid', () => {
  const inspect = new IdCache(SERVER).inspectFor('script:x' as Route);
  const deep = JSON.parse(`{"name":"x","inputSchema":{"type":"object","a":${nested(20_000)}}}`) as JsonObject;
  expect(inspect('tool', 'x', deep)).toHaveProperty('invalid');
});

it('a list that throws fails, and the next one is read as ever', async () => {
  let isThrowing = true;
  const lister = new Lister({
    kinds: ['tool'],
    isDeclared: () => true,
    ask: () => Promise.resolve({ type: 'result', result: { tools: [search] } }),
    inspect: () => {
      if (isThrowing) throw new RangeError('too much');
      return { id: idOf(SERVER, 'tool', search) };
    },
    timings: DEFAULT_TIMINGS,
    onOutcomes: () => undefined,
  });
  const first = await lister.run();
  isThrowing = false;
  const second = await lister.run();
  expect([first.get('tool')?.status, second.get('tool')?.status]).toEqual(['failed', 'complete']);
});

it('ends a server that does not read what it is sent', async () => {
  const args = ['-e', 'setInterval(() => {}, 1000)'];
  const transport = new ProcessTransport({ command: process.execPath, args, env: {}, cwd: tmpdir(), killStepMs: 300 });
  let isClosed = false;
  transport.onclose = () => (isClosed = true);
  await transport.start();
  const mebibytes = BOUNDS.unreadBytes.value / (1024 * 1024);
  for (let i = 0; i < mebibytes + 2; i++) transport.sendLine('x'.repeat(1024 * 1024));
  await eventually(() => isClosed);
  expect(transport.endReason).toBe(BOUNDS.unreadBytes.reason);
});

describe('in a running gateway', () => {
  let world: World;
  let isOpen = false;
  const close = async (): Promise<void> => {
    if (isOpen) await world.close();
    isOpen = false;
  };
  beforeEach(async () => {
    world = await new World().listen();
    isOpen = true;
    world.server({ tools: [search] });
    for (const consumer of [APP, OTHER]) world.publish(consumer, [{ kind: 'tool', definition: search }]);
  });
  afterEach(close);

  it('an app that nests deeply gets an error, and goes on', async () => {
    const app = await world.app();
    app.write(`{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"search","x":${nested(5000)}}}`);
    await eventually(() => app.messages.find((each) => at(each, 'error.code') === -32700));
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
  });

  it('a template that no pattern could be made of does not end it', async () => {
    const template = { name: 'note', uriTemplate: 'my-notes://{id}' };
    world.server({ tools: [search], resourceTemplates: [template] });
    world.publish(APP, [{ kind: 'resourceTemplate', definition: template }]);
    const app = await world.app();
    const answer = await app.ask('resources/read', { uri: 'my-notes://7' });
    expect(at(answer, 'result.contents.0.text')).toBe('content of my-notes://7');
  });

  it('a process that is slow to stop has one successor, which is ended like any other', async () => {
    world.server({ tools: [search], faults: { ignoreEof: true } });
    await world.gateway.observeNow(SERVER);
    world.spec({ digest: 'two' });
    const stopped = world.gateway.stopServer(SERVER);
    const observation = await world.gateway.observeNow(SERVER);
    await stopped;
    expect(observation.kinds.tool?.status).toBe('complete');
    const pids = world.received('initialize').map((line) => line.pid);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isRunning)).toEqual(pids.slice(1));
    await close();
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('a process that is being stopped is ended by a close that comes meanwhile', async () => {
    world.server({ tools: [search], faults: { ignoreEof: true } });
    await world.gateway.observeNow(SERVER);
    const [pid] = world.received('initialize').map((line) => line.pid);
    const stopped = world.gateway.stopServer(SERVER);
    const next = world.gateway.observeNow(SERVER).catch(() => undefined);
    await world.gateway.close();
    expect(isRunning(pid ?? 0)).toBe(false);
    await Promise.all([stopped, next]);
    expect(world.received('initialize')).toHaveLength(1);
  });

  it('a process of one app asks the session whose call is under way', async () => {
    world.spec({ asks: true });
    const [first, second] = [
      await world.app({ capabilities: { sampling: {} } }),
      await world.app({ capabilities: { sampling: {} } }),
    ];
    first.answers.set('sampling/createMessage', () => ({ result: { says: 'first' } }));
    const answer = await first.call('search', { do: 'ask', method: 'sampling/createMessage', params: {} });
    expect(textOf(answer)).toContain('first');
    expect(second.received('sampling/createMessage')).toEqual([]);
  });

  it('log messages reach nobody while calls of two apps are under way', async () => {
    const [app, other] = [await world.app(), await world.app({ consumer: OTHER })];
    await other.call('search');
    const id = other.send('tools/call', { name: 'search', arguments: { do: 'hang' } });
    await eventually(() => world.received('tools/call').at(1));
    await app.call('search', { do: 'log', level: 'error' });
    await app.call('search', { do: 'release' });
    await other.answer(id);
    expect([...app.received('notifications/message'), ...other.received('notifications/message')]).toEqual([]);
  });

  it('a call that waited while everything was paused is not forwarded', async () => {
    world.server({ tools: [search], faults: { startDelayMs: 300 } });
    const app = await world.app();
    const id = app.send('tools/call', { name: 'search' });
    await eventually(() => world.received('initialize')[0]);
    world.isPaused = true;
    expect(textOf(await app.answer(id))).toMatch(/^chat\.paused/);
    expect(world.received('tools/call')).toEqual([]);
  });

  it('a request under an id that is in use is refused, and the first one is still answered', async () => {
    const app = await world.app();
    const hang = { jsonrpc: '2.0', id: 'same', method: 'tools/call', params: { name: 'search' } };
    app.write(JSON.stringify({ ...hang, params: { name: 'search', arguments: { do: 'hang' } } }));
    app.write(JSON.stringify(hang));
    await eventually(() => app.messages.find((each) => each.id === 'same' && at(each, 'error.code') === -32600));
    await eventually(() => world.received('tools/call')[0]);
    await app.call('search', { do: 'release' });
    await eventually(() => app.messages.find((each) => each.id === 'same' && each['result'] !== undefined));
  });

  it('a URI that an older definition returned is not readable through a newer one', async () => {
    const app = await world.app();
    const result = { content: [{ type: 'resource_link', name: 'x', uri: 'x://returned' }] };
    await app.call('search', { do: 'result', result });
    expect((await app.ask('resources/read', { uri: 'x://returned' }))['error']).toBe(undefined);
    const newer = tool('search', 'another');
    world.server({ tools: [newer] });
    world.publish(APP, [{ kind: 'tool', definition: newer }]);
    const answer = await app.ask('resources/read', { uri: 'x://returned' });
    expect(answer['error']).toMatchObject({ code: -32602 });
  });

  it('a resource that is withheld is refused though a template and a tool would reach it', async () => {
    const template = { name: 'page', uriTemplate: 'x://{id}' };
    world.server({ tools: [search], resourceTemplates: [template] });
    const app = await world.app();
    const result = { content: [{ type: 'resource_link', name: 'x', uri: 'x://off' }] };
    await app.call('search', { do: 'result', result });
    world.publish(
      APP,
      [
        { kind: 'tool', definition: search },
        { kind: 'resourceTemplate', definition: template },
      ],
      { refusals: { 'resource/x://off': { reason: 'new', server: SERVER, ref: 'r' as never } } },
    );
    expect((await app.ask('resources/read', { uri: 'x://off' }))['error']).toMatchObject({ code: -32000 });
    expect((await app.ask('resources/read', { uri: 'x://on' }))['error']).toBe(undefined);
  });

  it('a list of hostile definitions leaves each of them off with its reason, and the rest is served', async () => {
    const schema = '"inputSchema":{"type":"object"}';
    const entries = [
      `{"name":"deep","inputSchema":{"type":"object","a":${nested(500)}}}`,
      `{"name":"endless","inputSchema":{"type":"object","maximum":1e400}}`,
      `{"name":"half \\ud800",${schema}}`,
      `{"name":"wordy","description":"${'d'.repeat(5_000_000)}",${schema}}`,
      `{"name":"__proto__",${schema}}`,
      `{"name":"constructor",${schema},"name":"toString"}`,
      JSON.stringify(search),
    ];
    const proto = { name: '__proto__', inputSchema: { type: 'object' } };
    world.server({ listText: { tools: `[${entries.join(',')}]` } });
    world.server({ tools: [search] }, 'calm' as typeof SERVER);
    world.publish(APP, [
      { kind: 'tool', definition: search },
      { kind: 'tool', definition: proto },
      { kind: 'tool', definition: search, server: 'calm' as typeof SERVER, name: 'calm' },
    ]);
    const app = await world.app();
    const observed = world.gateway.observeNow(SERVER);
    expect(textOf(await app.call('calm'))).toBe('search of calm 1.0.0');
    const { tool: kind } = (await observed).kinds;
    const items = kind?.status === 'complete' ? kind.items : [];
    expect(items.map((item) => [item.originKey, 'id' in item ? 'id' : item.invalid])).toEqual([
      ['deep', BOUNDS.definitionDepth.reason],
      ['endless', 'a number beyond 2^53'],
      ['half \ud800', 'a lone surrogate in a text'],
      ['wordy', BOUNDS.definitionLength.reason],
      ['__proto__', 'id'],
      ['toString', 'id'],
      ['search', 'id'],
    ]);
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
    expect(textOf(await app.call('__proto__'))).toBe('__proto__ of srv 1.0.0');
    expect((await app.call('toString'))['error']).toMatchObject({ code: -32602 });
  });

  it('100 MB of small texts in one line end that server’s connection, while others are served', async () => {
    world.server({ tools: [search] }, 'calm' as typeof SERVER);
    const calm = { kind: 'tool', definition: search, server: 'calm' as typeof SERVER, name: 'calm' } as const;
    world.publish(APP, [{ kind: 'tool', definition: search }, calm]);
    const app = await world.app();
    await app.call('calm');
    const args = {
      do: 'say',
      line: '{"jsonrpc":"2.0","method":"x","params":[{fill}0]}',
      fill: '"small",',
      times: 12_500_000,
    };
    const flood = app.send('tools/call', { name: 'search', arguments: args });
    await eventually(() => world.received('tools/call')[0]);
    expect(textOf(await app.call('calm'))).toBe('search of calm 1.0.0');
    expect((await app.answer(flood))['error']).toMatchObject({ code: -32000 });
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'a request of a server called %s is none that it knows',
    async (method) => {
      const app = await world.app();
      await app.call('search', { do: 'say', line: JSON.stringify({ jsonrpc: '2.0', id: 'odd', method }) });
      const answer = await eventually(() =>
        world.received().find((line) => String(line.id) === 'odd' && line.method === undefined),
      );
      expect(Reflect.get(answer, 'error')).toEqual({ code: -32601, message: 'Method not found' });
      expect(world.asks).toEqual([]);
    },
  );

  it('what an app calls a tool is told back in one bounded line that turns nothing round', async () => {
    const app = await world.app();
    const answer = await app.call(`\u202Eevil\n${'x'.repeat(5_000_000)}`);
    const message = String(at(answer, 'error.message'));
    expect(message).toMatch(/^Unknown capability: evil x+…$/);
    await eventually(() => world.traces[0]);
    expect(world.traces[0]!.name.length).toBeLessThanOrEqual(BOUNDS.keyLength.value);
  });
});
