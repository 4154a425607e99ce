import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { APP, OTHER, SERVER, World, at, entryOf, eventually, idOf, textOf, tool } from './harness.ts';
import type { ConsumerId, ServerId } from '../../electron/core/model.ts';
import type { HostApp } from './harness.ts';

let world: World;
let app: HostApp;

async function serve(control: object = {}): Promise<void> {
  world = await new World().listen();
  world.server({ tools: [tool('search')], ...control });
  world.publish(APP, [{ kind: 'tool', definition: tool('search'), name: 'demo_search' }]);
  app = await world.app();
}
afterEach(() => world.close());

describe('a call that is allowed', () => {
  beforeEach(() => serve());

  it('reaches the server under the name the server gave it', async () => {
    expect(textOf(await app.call('demo_search'))).toBe('search of srv 1.0.0');
  });

  it('passes on every other param as it came, numbers beyond 2^53 included', async () => {
    app.write(
      '{"jsonrpc":"2.0","id":"odd","method":"tools/call","params":{"zeta":[1],"name":"demo_search",' +
        '"arguments":{"do":"echo","big":12345678901234567890,"one":1.0},"_meta":{"x/y":{"a":1}}}}',
    );
    const [call] = await eventually(() =>
      world.received('tools/call').length > 0 ? world.received('tools/call') : null,
    );
    expect(call?.params).toMatchObject({ zeta: [1], name: 'search', _meta: { 'x/y': { a: 1 } } });
    await eventually(() => app.lines.find((line) => line.includes('"odd"')));
  });

  it('sends arguments byte for byte', async () => {
    const { forwardedParams } = await import('../../electron/gateway/use.ts');
    const line = Buffer.from(
      '{"params":{"name":"demo_search","arguments":{"n":12345678901234567890,"f":1.0, "s":"\\u00e9"}}}',
    );
    const request = {
      method: 'tools/call',
      params: { name: 'demo_search', arguments: { n: 1 } },
      idText: '1',
      line,
    };
    const entry = entryOf({ kind: 'tool', definition: tool('search'), name: 'demo_search' });
    expect(forwardedParams(request, entry, 7)).toBe(
      '{"name":"search","arguments":{"n":12345678901234567890,"f":1.0, "s":"\\u00e9"}}',
    );
  });

  it('keeps the app’s id as it is, text or number', async () => {
    app.write('{"jsonrpc":"2.0","id":"a \\"b\\"","method":"tools/call","params":{"name":"demo_search"}}');
    const answer = await eventually(() => app.messages.find((message) => message.id === 'a "b"'));
    expect(textOf(answer)).toBe('search of srv 1.0.0');
  });

  it('gives back fields that no schema knows, in the order the server sent them', async () => {
    const result = {
      zeta: 1,
      content: [{ type: 'video', xBlock: { a: [1] } }],
      structuredContent: [1, 2],
      alpha: null,
    };
    app.send('tools/call', { name: 'demo_search', arguments: { do: 'result', result } });
    await eventually(() => app.lines.find((line) => line.includes(`"result":${JSON.stringify(result)}`)));
  });

  it('gives back an error with its code, message and data', async () => {
    const error = {
      code: -32042,
      message: 'Need a URL',
      data: { elicitations: [{ url: 'https://x', odd: 1 }] },
      odd: 2,
    };
    expect((await app.call('demo_search', { do: 'error', error }))['error']).toEqual(error);
  });

  it('leaves a result that is an error to the server', async () => {
    const result = { content: [{ type: 'text', text: 'no such page' }], isError: true };
    expect((await app.call('demo_search', { do: 'result', result }))['result']).toEqual(result);
    await eventually(() => world.traces.find((line) => line.outcome === 'tool-error'));
  });

  it('passes on a result of 11 MiB', async () => {
    const bytes = 11 * 1024 * 1024;
    expect(textOf(await app.call('demo_search', { do: 'big', bytes }))).toHaveLength(bytes);
  });

  it('reports progress under the app’s own token', async () => {
    const params = { name: 'demo_search', arguments: { do: 'progress', count: 2 }, _meta: { progressToken: 'mine' } };
    await app.ask('tools/call', params);
    const notices = app.received('notifications/progress').map((message) => message['params']);
    expect(notices).toEqual([
      { progressToken: 'mine', progress: 1, odd: true },
      { progressToken: 'mine', progress: 2, odd: true },
    ]);
  });

  it('is given up at the server when the app cancels it, and never answered', async () => {
    await app.call('demo_search');
    const id = app.send('tools/call', { name: 'demo_search', arguments: { do: 'hang' } });
    const call = await eventually(() => world.received('tools/call').at(1));
    app.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
    const cancelled = await eventually(() => world.received('notifications/cancelled')[0]);
    expect(cancelled.params).toEqual({ requestId: call.id, reason: 'enough' });
    await app.call('demo_search', { do: 'release' });
    expect(app.messages.some((message) => message.id === id)).toBe(false);
    await eventually(() => world.traces.find((line) => line.outcome === 'cancelled'));
  });

  it('is given up at the server when the app disconnects', async () => {
    app.send('tools/call', { name: 'demo_search', arguments: { do: 'hang' } });
    await eventually(() => world.received('tools/call')[0]);
    app.close();
    await eventually(() => world.received('notifications/cancelled')[0]);
    await eventually(() => world.gateway.connections(APP) === 0);
  });

  it('is answered with an error that names the server when the server dies', async () => {
    const answer = await app.call('demo_search', { do: 'exit' });
    expect(answer['error']).toMatchObject({ code: -32000, message: 'Demo stopped before it answered.' });
  });

  it('leaves a trace without arguments or results', async () => {
    await app.call('demo_search', { do: 'echo', secret: 'hunter2' });
    const line = await eventually(() => world.traces[0]);
    const entry = entryOf({ kind: 'tool', definition: tool('search'), name: 'demo_search' });
    expect(line).toMatchObject({
      consumer: APP,
      method: 'tools/call',
      name: 'demo_search',
      ref: entry.ref,
      id: entry.id,
      epoch: 1,
      build: 'srv 1.0.0',
      outcome: 'result',
    });
    expect(JSON.stringify(line)).not.toContain('hunter2');
  });

  it('is served before the app has introduced itself', async () => {
    const early = await world.app({ introduce: false });
    expect(textOf(await early.call('demo_search'))).toBe('search of srv 1.0.0');
  });

  it('shares one process with all sessions of all apps', async () => {
    world.publish(OTHER, [{ kind: 'tool', definition: tool('search') }]);
    const second = await world.app();
    const other = await world.app({ consumer: OTHER });
    await Promise.all([app.call('demo_search'), second.call('demo_search'), other.call('search')]);
    expect(new Set(world.received('tools/call').map((line) => line.pid)).size).toBe(1);
    expect(world.received('initialize')).toHaveLength(1);
  });

  it('takes several messages in one line, as older versions of the protocol allow', async () => {
    const call = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"demo_search"}}`;
    app.write(`[${call(71)},${call(72)}]`);
    expect(textOf(await app.answer(71))).toBe(textOf(await app.answer(72)));
  });
});

describe.each(['tail', 'head', 'middle', 'spaced'])('a server that has the id at the %s of its answers', (idPlace) => {
  beforeEach(() => serve({ idPlace }));

  it('is understood, and its results arrive as they are', async () => {
    const result = { content: [{ type: 'text', text: '{"id":1} "id":2}' }], id: 99, odd: '\u2028"' };
    const answer = await app.call('demo_search', { do: 'result', result });
    expect(answer['result']).toEqual(result);
    expect(
      (await app.call('demo_search', { do: 'error', error: { code: 1, message: 'm', data: [1] } }))['error'],
    ).toEqual({
      code: 1,
      message: 'm',
      data: [1],
    });
  });
});

describe('a call that is refused', () => {
  const refused = async (reason: string, key: string): Promise<void> => {
    const { ref } = entryOf({ kind: 'tool', definition: tool('search') });
    const refusals = { 'tool/demo_search': { reason: reason as 'changed', server: SERVER, ref } };
    world.publish(APP, [], { refusals });
    const answer = await app.call('demo_search');
    expect(answer['result']).toMatchObject({ isError: true });
    expect(textOf(answer)).toBe(
      `${key} ${JSON.stringify({ app: 'Holdfast', tool: 'demo_search', server: 'Demo', consumer: 'name of app' })}`,
    );
    await eventually(() => world.traces.find((line) => line.outcome === 'refused' && line.reason === reason));
    expect(world.received('tools/call')).toEqual([]);
  };
  beforeEach(() => serve());

  it.each([
    ['changed', 'chat.blocked'],
    ['new', 'chat.blocked'],
    ['conflict', 'chat.blocked'],
    ['invalid', 'chat.blocked'],
    ['rejected', 'chat.keptOff'],
    ['missing', 'chat.missing'],
    ['hidden', 'chat.missing'],
  ])('for being %s says so in words of %s', (reason, key) => refused(reason, key));

  it('because all is paused runs nothing', async () => {
    world.isPaused = true;
    expect(textOf(await app.call('demo_search'))).toMatch(/^chat\.paused/);
    expect(world.received()).toEqual([]);
  });

  it('because nothing has that name is an invalid request', async () => {
    expect((await app.call('search'))['error']).toMatchObject({ code: -32602 });
  });

  it('for a prompt is an error, because a prompt has no result to say it in', async () => {
    const { ref } = entryOf({ kind: 'prompt', definition: { name: 'p' } });
    world.publish(APP, [], { refusals: { 'prompt/p': { reason: 'rejected', server: SERVER, ref } } });
    const answer = await app.ask('prompts/get', { name: 'p' });
    expect(answer['error']).toMatchObject({ code: -32000 });
    expect(at(answer, 'error.message')).toMatch(/^chat\.keptOff/);
  });

  it('because the server does not start says so at once', async () => {
    world.spec({ command: '/no/such/program' });
    expect(textOf(await app.call('demo_search'))).toMatch(/^chat\.notWorking/);
    expect(world.gateway.status(SERVER)).toMatchObject({ state: 'problem' });
    const failed = await eventually(() => world.observations[0]);
    expect(Object.values(failed.kinds).map((outcome) => outcome.status)).toEqual(Array(5).fill('failed'));
  });

  it('because the app that asks is gone from the store is an error', async () => {
    world.surfaces.delete(APP);
    expect((await app.call('demo_search'))['error']).toMatchObject({ code: -32602 });
  });
});

describe('a definition that changed after the app listed it', () => {
  const changed = tool('search', 'does something else');
  beforeEach(async () => {
    await serve({ tools: [changed] });
    await app.ask('tools/list');
    world.publish(APP, [{ kind: 'tool', definition: changed, name: 'demo_search' }]);
  });

  it.each(['breaking', 'security'] as const)('is refused where the change is %s, with a notice', async (severity) => {
    world.severity = severity;
    expect(textOf(await app.call('demo_search'))).toMatch(/^chat\.changedSinceListed/);
    expect(app.received('notifications/tools/list_changed')).toHaveLength(1);
    await app.ask('tools/list');
    expect(textOf(await app.call('demo_search'))).toBe('search of srv 1.0.0');
  });

  it('runs where the change is harmless, and the trace holds both ids', async () => {
    world.severity = 'review';
    await app.call('demo_search');
    const line = await eventually(() => world.traces.at(-1));
    expect(line.id).toBe(idOf(SERVER, 'tool', changed));
    expect(line.listedId).toBe(idOf(SERVER, 'tool', tool('search')));
  });

  it('is judged by the last stored list for a connection that never listed', async () => {
    world.severity = 'breaking';
    const [first] = world.listed;
    if (first) world.stored.set(`${APP}/tool`, first[2]);
    const late = await world.app();
    expect(textOf(await late.call('demo_search'))).toMatch(/^chat\.changedSinceListed/);
  });

  it('is not refused for an app that never listed anything', async () => {
    world.severity = 'security';
    world.publish(OTHER, [{ kind: 'tool', definition: changed }]);
    const other = await world.app({ consumer: OTHER });
    expect(textOf(await other.call('search'))).toBe('search of srv 1.0.0');
  });
});

describe('two servers', () => {
  it('answer each for itself', async () => {
    await serve();
    const second = 'two' as ServerId;
    world.server({ tools: [tool('search')] }, second);
    world.publish('both' as ConsumerId, [
      { kind: 'tool', definition: tool('search') },
      { kind: 'tool', definition: tool('search'), name: 'two_search', server: second },
    ]);
    const both = await world.app({ consumer: 'both' as ConsumerId });
    const answers = await Promise.all([both.call('search'), both.call('two_search')]);
    expect(answers.map(textOf)).toEqual(['search of srv 1.0.0', 'search of two 1.0.0']);
  });
});
