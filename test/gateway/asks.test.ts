import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { APP, OTHER, SERVER, World, at, eventually, textOf, tool } from './harness.ts';
import type { HostApp } from './harness.ts';

let world: World;
const search = tool('search');
const SAMPLING = { do: 'ask', method: 'sampling/createMessage', params: { messages: [], odd: { z: 1 } } };

beforeEach(async () => {
  world = await new World().listen();
  world.server({ tools: [search] });
  for (const consumer of [APP, OTHER]) world.publish(consumer, [{ kind: 'tool', definition: search }]);
});
afterEach(() => world.close());

const sampler = async (options: { consumer?: typeof APP; says?: string } = {}): Promise<HostApp> => {
  const app = await world.app({ ...options, capabilities: { sampling: {} } });
  app.answers.set('sampling/createMessage', (params) => ({ result: { says: options.says ?? 'hi', params } }));
  return app;
};

describe('a request of a shared server', () => {
  it('goes to the one app with a call under way, and its answer back, both as they are', async () => {
    const app = await sampler();
    await world.app({ consumer: OTHER, capabilities: { sampling: {} } });
    const answer = JSON.parse(textOf(await app.call('search', SAMPLING))) as unknown;
    expect(answer).toEqual({ result: { says: 'hi', params: SAMPLING.params } });
    expect(world.asks).toEqual([]);
    const line = await eventually(() => world.traces.find((each) => each.method === 'sampling/createMessage'));
    expect(line).toMatchObject({ consumer: APP, outcome: 'result' });
    expect(line.causedBy).toBe(world.traces.find((each) => each.method === 'tools/call')?.call);
  });

  it('goes to the session that made the call', async () => {
    const [first, second] = [await sampler({ says: 'first' }), await sampler({ says: 'second' })];
    expect(textOf(await first.call('search', SAMPLING))).toContain('first');
    expect(textOf(await second.call('search', SAMPLING))).toContain('second');
  });

  it('gets the app’s error as it is', async () => {
    const app = await sampler();
    const error = { code: -1, message: 'the user said no', data: { odd: 1 } };
    app.answers.set('sampling/createMessage', () => ({ error }));
    expect(JSON.parse(textOf(await app.call('search', SAMPLING)))).toEqual({ error });
  });

  it('gets the standard error where two apps have calls under way; then each app has its own process', async () => {
    const [app, other] = [await sampler(), await sampler({ consumer: OTHER, says: 'other' })];
    await app.call('search');
    other.send('tools/call', { name: 'search', arguments: { do: 'hang' } });
    await eventually(() => world.received('tools/call').at(1));
    expect(textOf(await app.call('search', SAMPLING))).toContain('-32601');
    expect(world.asks).toEqual([SERVER]);
    const [first, second] = await Promise.all([app.call('search', SAMPLING), other.call('search', SAMPLING)]);
    expect([textOf(first), textOf(second)]).toEqual([expect.stringContaining('hi'), expect.stringContaining('other')]);
    expect(world.received('initialize')).toHaveLength(3);
  });

  it('gets the standard error where the app did not declare that it can answer', async () => {
    const app = await world.app();
    expect(textOf(await app.call('search', SAMPLING))).toContain('-32601');
    expect(app.received('sampling/createMessage')).toEqual([]);
  });

  it('with no call under way makes it a server that asks', async () => {
    world.server({ tools: [search], faults: { askRootsAtStart: true } });
    await world.gateway.observeNow(SERVER);
    await eventually(() => world.asks[0]);
    await eventually(() => world.received().find((line) => line.method === undefined));
  });

  it('is given up at the app when the server cancels it', async () => {
    const app = await world.app({ capabilities: { sampling: {} } });
    await app.call('search', { ...SAMPLING, do: 'cancelAsk' });
    const asked = await eventually(() => app.received('sampling/createMessage')[0]);
    const cancelled = await eventually(() => app.received('notifications/cancelled')[0]);
    expect(cancelled['params']).toEqual({ requestId: asked.id, reason: 'changed my mind' });
  });

  it('is answered with an error when the app disconnects instead of answering', async () => {
    const [app] = [await world.app({ capabilities: { sampling: {} } })];
    app.send('tools/call', { name: 'search', arguments: SAMPLING });
    await eventually(() => app.received('sampling/createMessage')[0]);
    app.close();
    await eventually(() => world.received().find((line) => line.method === undefined));
  });

  it('is given up at the app when the server dies', async () => {
    const app = await world.app({ capabilities: { sampling: {} } });
    app.send('tools/call', { name: 'search', arguments: SAMPLING });
    await eventually(() => app.received('sampling/createMessage')[0]);
    await app.call('search', { do: 'exit' });
    await eventually(() => app.received('notifications/cancelled')[0]);
  });

  it('for a ping is answered by Holdfast', async () => {
    const app = await world.app();
    const answer = textOf(await app.call('search', { do: 'ask', method: 'ping' }));
    expect(JSON.parse(answer)).toEqual({ result: {} });
    expect(app.received('ping')).toEqual([]);
  });

  it('with a progress token gets the app’s progress under that token', async () => {
    const app = await world.app({ capabilities: { sampling: {} } });
    const params = { messages: [], _meta: { progressToken: 'theirs' } };
    const id = app.send('tools/call', { name: 'search', arguments: { ...SAMPLING, params } });
    const asked = await eventually(() => app.received('sampling/createMessage')[0]);
    const progressToken = at(asked, 'params._meta.progressToken');
    app.notify('notifications/progress', { progressToken, progress: 1 });
    app.write(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: {} }));
    await app.answer(id);
    const progress = world.received('notifications/progress')[0];
    expect(progress?.params).toEqual({ progressToken: 'theirs', progress: 1 });
  });
});

describe('a server that asks', () => {
  beforeEach(() => {
    world.spec({ asks: true });
  });

  it('has a process per app, which is told what that app can do', async () => {
    const app = await sampler();
    const other = await world.app({ consumer: OTHER, capabilities: { roots: { listChanged: true } } });
    await Promise.all([app.call('search'), other.call('search')]);
    const declared = world.received('initialize').map((line) => JSON.stringify(line.params?.['capabilities']));
    expect(declared.sort()).toEqual(['{"roots":{"listChanged":true}}', '{"sampling":{}}']);
    await eventually(() => world.observations.length === 2);
    expect(world.observations.map((each) => each.consumer).sort()).toEqual([APP, OTHER]);
    const digests = new Set(world.observations.map((each) => each.context.capabilities));
    expect(digests.size).toBe(2);
  });

  it('asks the newest session of its app, also with no call under way', async () => {
    world.server({ tools: [search], faults: { askRootsAtStart: true } });
    const app = await world.app({ capabilities: { roots: {} } });
    app.answers.set('roots/list', () => ({ result: { roots: [{ uri: 'file:///home' }] } }));
    await app.call('search');
    await eventually(() => app.received('roots/list')[0]);
    await eventually(() => world.received().find((line) => line.method === undefined));
  });

  it('hears that the roots of its app have changed', async () => {
    const app = await world.app({ capabilities: { roots: { listChanged: true } } });
    await app.call('search');
    app.notify('notifications/roots/list_changed');
    await eventually(() => world.received('notifications/roots/list_changed')[0]);
  });

  it('shares one process between the sessions of an app', async () => {
    const [first, second] = [await sampler(), await sampler()];
    await Promise.all([first.call('search'), second.call('search')]);
    expect(world.received('initialize')).toHaveLength(1);
  });

  it('is started anew for an app that says what it can do only later', async () => {
    await world.gateway.observeNow(SERVER, APP);
    const app = await sampler();
    await app.call('search');
    const declared = world.received('initialize').map((line) => JSON.stringify(line.params?.['capabilities']));
    expect(declared).toEqual([expect.stringContaining('roots'), '{"sampling":{}}']);
  });

  it('is observed for one app, or for none through a passing process', async () => {
    expect((await world.gateway.observeNow(SERVER, APP)).consumer).toBe(APP);
    expect((await world.gateway.observeNow(SERVER)).consumer).toBe(null);
    expect((await world.gateway.confirm(SERVER, APP)).consumer).toBe(APP);
  });
});

it('ends the shared process once the server counts as one that asks and its calls are done', async () => {
  const app = await sampler();
  await app.call('search');
  const pid = world.received('initialize')[0]?.pid ?? 0;
  const id = app.send('tools/call', { name: 'search', arguments: { do: 'wait', ms: 300 } });
  await eventually(() => world.received('tools/call').at(1));
  world.spec({ asks: true });
  await app.call('search');
  expect(textOf(await app.answer(id))).toBe('waited');
  await eventually(() => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
});
