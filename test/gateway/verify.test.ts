import { afterEach, describe, expect, it } from 'vitest';
import { APP, SERVER, World, eventually, idOf, textOf, tool } from './harness.ts';
import type { HostApp } from './harness.ts';
import type { Timings } from '../../electron/gateway/timings.ts';

let world: World;
let app: HostApp;
const pinned = tool('search');
const changed = tool('search', 'does something else');

async function serve(control: object = {}, timings: Partial<Timings> = {}): Promise<void> {
  world = await new World(timings).listen();
  world.server({ tools: [pinned], ...control });
  world.publish(APP, [{ kind: 'tool', definition: pinned }]);
  app = await world.app();
}
const lists = (): number => world.received('tools/list').length;
const calls = (): number => world.received('tools/call').length;
afterEach(() => world.close());

describe('verify before use', () => {
  it('lets a call wait until a list has shown exactly the pinned definition', async () => {
    await serve({ faults: { startDelayMs: 300, listDelayMs: 300 } });
    const answer = await app.call('search');
    expect(textOf(answer)).toBe('search of srv 1.0.0');
    const methods = world.received().map((line) => line.method);
    expect(methods.indexOf('tools/list')).toBeLessThan(methods.indexOf('tools/call'));
  });

  it('lists once for the first call, and not again for the next', async () => {
    await serve();
    await app.call('search');
    await app.call('search');
    expect(lists()).toBe(1);
  });

  it('refuses at once what a list shows to be another definition, and runs nothing', async () => {
    await serve({ tools: [changed] });
    expect(textOf(await app.call('search'))).toMatch(/^chat\.blocked/);
    expect(calls()).toBe(0);
    expect(world.traces.at(-1)?.reason).toBe('definition-differs');
  });

  it('refuses what a complete list no longer shows', async () => {
    await serve({ tools: [tool('other')] });
    expect(textOf(await app.call('search'))).toMatch(/^chat\.missing/);
  });

  it.each([
    ['first', [pinned, changed]],
    ['last', [changed, pinned]],
    ['twice', [pinned, changed, pinned]],
  ])('refuses a key that is listed with two definitions, the pinned one %s', async (_where, tools) => {
    await serve({ tools });
    expect(textOf(await app.call('search'))).toMatch(/^chat\.blocked/);
    expect(calls()).toBe(0);
  });

  it('takes one good page as proof, though the list breaks off after it', async () => {
    await serve({ tools: [pinned, tool('b')], pageSize: 1, faults: { list: { tools: 'fail-2' } } });
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
  });

  it('refuses at once where an incomplete list showed another definition', async () => {
    await serve({ tools: [changed, tool('b')], pageSize: 1, faults: { list: { tools: 'fail-2' } } });
    expect(textOf(await app.call('search'))).toMatch(/^chat\.blocked/);
  });

  it('blocks calls but keeps the list where listing fails', async () => {
    await serve({ faults: { list: { tools: 'fail' } } });
    expect(textOf(await app.call('search'))).toMatch(/^chat\.notWorking/);
    expect((await app.ask('tools/list'))['result']).toEqual({ tools: [pinned] });
    expect(calls()).toBe(0);
  });

  it('lets calls through again once listing works again', async () => {
    await serve({ faults: { list: { tools: 'fail' } } });
    await app.call('search');
    world.server({ tools: [pinned] });
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
  });

  it('forgets what it verified when the server says that its list changed', async () => {
    await serve();
    await app.call('search');
    world.server({ tools: [changed] });
    await eventually(() => lists() > 1);
    expect(textOf(await app.call('search'))).toMatch(/^chat\.blocked/);
    expect(calls()).toBe(1);
  });

  it('runs a call that was blocked when the definition is the approved one again', async () => {
    await serve({ tools: [changed] });
    await app.call('search');
    world.server({ tools: [pinned] });
    await eventually(() => world.observations.length > 1);
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
  });

  it('holds no call back for a notice about another list', async () => {
    await serve({ prompts: [] });
    await app.call('search');
    world.server({ tools: [pinned], prompts: [{ name: 'p' }], faults: { list: { prompts: 'hang' } } });
    await eventually(() => world.received('prompts/list').length > 1);
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
    expect(lists()).toBe(1);
  });

  it('needs one list begun after the call came in, whatever notices arrive since', async () => {
    await serve();
    await app.call('search');
    world.server({ tools: [pinned], faults: { changeDuringList: 50 } });
    app.send('tools/call', { name: 'search', arguments: { do: 'storm', count: 1 } });
    await eventually(() => lists() > 1);
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
  });

  it('says that the server is starting when nothing is known in time, and lets the start go on', async () => {
    await serve({ faults: { startDelayMs: 1500 } }, { verifyMs: 100 });
    expect(textOf(await app.call('search'))).toMatch(/^chat\.starting/);
    expect(world.gateway.status(SERVER).state).toBe('starting');
    await eventually(() => world.gateway.status(SERVER).state === 'working');
    await eventually(() => world.observations.length > 0);
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
    expect(calls()).toBe(1);
  });

  it('is not confused by a server whose list hangs', async () => {
    await serve({ faults: { list: { tools: 'hang' } } }, { pageMs: 150 });
    expect(textOf(await app.call('search'))).toMatch(/^chat\.notWorking/);
    await eventually(() => world.received('notifications/cancelled').length > 0);
  });

  it('never answers a call that was cancelled while it waited', async () => {
    await serve({ faults: { startDelayMs: 300 } });
    const id = app.send('tools/call', { name: 'search' });
    app.notify('notifications/cancelled', { requestId: id });
    await app.call('search');
    expect(app.messages.some((message) => message.id === id)).toBe(false);
    expect(calls()).toBe(1);
  });

  it('keeps the surface that a waiting call was resolved against', async () => {
    await serve({ tools: [changed], faults: { startDelayMs: 300 } });
    const id = app.send('tools/call', { name: 'search' });
    await eventually(() => world.gateway.status(SERVER).state === 'starting');
    // Approved meanwhile: the queued call meant the old definition all the same.
    world.publish(APP, [{ kind: 'tool', definition: changed }]);
    expect(textOf(await app.answer(id))).toMatch(/^chat\.blocked/);
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
  });

  it('verifies anew after a restart', async () => {
    await serve();
    await app.call('search', { do: 'exit' });
    world.server({ tools: [changed], silent: true });
    expect(textOf(await app.call('search'))).toMatch(/^chat\.blocked/);
  });
});

describe('observing', () => {
  const outcome = (kind: 'tool' | 'prompt' | 'resource' | 'resourceTemplate' | 'instructions'): unknown =>
    world.observations.at(-1)?.kinds[kind];

  it('tells all kinds in one observation at each start of a process', async () => {
    await serve({
      version: '2.0.0',
      instructions: 'be nice',
      prompts: [{ name: 'p' }],
      resources: [],
      resourceTemplates: [{ name: 't', uriTemplate: 'x://{id}' }],
      capabilities: { tools: {}, prompts: {}, resources: {} },
      faults: { list: { resourceTemplates: 'missing' } },
    });
    await world.gateway.observeNow(SERVER);
    expect(world.observations[0]).toMatchObject({
      server: SERVER,
      consumer: null,
      version: '2.0.0',
      context: { era: '2025', launch: 'one', signedIn: false },
    });
    expect(outcome('tool')).toMatchObject({
      status: 'complete',
      items: [{ originKey: 'search', id: idOf(SERVER, 'tool', pinned) }],
    });
    expect(outcome('prompt')).toMatchObject({ status: 'complete' });
    expect(outcome('resource')).toEqual({ status: 'complete-empty' });
    expect(outcome('resourceTemplate')).toEqual({ status: 'unsupported' });
    expect(outcome('instructions')).toMatchObject({
      status: 'complete',
      items: [{ originKey: '', definition: { instructions: 'be nice' } }],
    });
  });

  it('does not ask for what a server does not declare', async () => {
    await serve({ capabilities: { tools: {} } });
    const { kinds } = await world.gateway.observeNow(SERVER);
    expect(kinds).toMatchObject({ prompt: { status: 'unsupported' }, resource: { status: 'unsupported' } });
    expect(world.received('prompts/list')).toEqual([]);
  });

  it('reads all pages', async () => {
    await serve({ tools: ['a', 'b', 'c', 'd', 'e'].map((name) => tool(name)), pageSize: 2 });
    const { kinds } = await world.gateway.observeNow(SERVER);
    expect(kinds.tool?.status === 'complete' && kinds.tool.items).toHaveLength(5);
  });

  it.each([
    ['fail', 'failed'],
    ['hang', 'failed'],
    ['exit', 'failed'],
    ['missing', 'failed'],
    ['not-array', 'failed'],
    ['fail-2', 'incomplete'],
    ['hang-2', 'incomplete'],
    ['exit-2', 'incomplete'],
    ['loop', 'incomplete'],
    ['endless', 'incomplete'],
    ['number-cursor', 'incomplete'],
    ['null-cursor', 'complete'],
  ])('calls a tool list that does “%s” %s', async (fault, status) => {
    const tools = fault === 'null-cursor' ? [pinned] : [pinned, tool('b')];
    await serve(
      { tools, pageSize: fault === 'null-cursor' ? 9 : 1, faults: { list: { tools: fault } } },
      { pageMs: 300 },
    );
    const { kinds } = await world.gateway.observeNow(SERVER);
    expect(kinds.tool?.status).toBe(status);
  });

  it('is failed in every kind where the server does not answer initialize', async () => {
    await serve({ faults: { start: 'hang' } }, { initializeMs: 200 });
    const { kinds } = await world.gateway.observeNow(SERVER);
    expect(Object.values(kinds).map((each) => each.status)).toEqual(Array(5).fill('failed'));
    expect(world.observations).toHaveLength(1);
  });

  it('ignores what a server prints that is no message', async () => {
    await serve({ faults: { noise: true } });
    expect((await world.gateway.observeNow(SERVER)).kinds.tool?.status).toBe('complete');
  });

  it('does not take a server for one without tools because it speaks before it is introduced', async () => {
    await serve({ faults: { earlyNotice: true, startDelayMs: 200 } });
    await world.gateway.observeNow(SERVER);
    const statuses = world.observations.map((each) => each.kinds.tool?.status);
    expect(new Set(statuses)).toEqual(new Set(['complete']));
  });

  it('lists again when the list changed in the middle', async () => {
    await serve({ faults: { changeDuringList: 1 } });
    expect((await world.gateway.observeNow(SERVER)).kinds.tool?.status).toBe('complete');
    expect(lists()).toBeGreaterThan(1);
  });

  it('takes two lists in a row that are the same, though changes are announced all the time', async () => {
    await serve({ faults: { changeDuringList: 1000 } });
    expect((await world.gateway.observeNow(SERVER)).kinds.tool?.status).toBe('complete');
  });

  it('observes on a notice, that list only', async () => {
    await serve();
    await world.gateway.observeNow(SERVER);
    world.server({ tools: [pinned, tool('new')] });
    const later = await eventually(() => world.observations.find((each) => !('prompt' in each.kinds)));
    expect(Object.keys(later.kinds)).toEqual(['tool']);
    expect(later.kinds.tool?.status === 'complete' && later.kinds.tool.items).toHaveLength(2);
  });

  it('survives a storm of notices with few lists and the right end', async () => {
    await serve();
    await app.call('search', { do: 'storm', count: 200 });
    world.server({ tools: [pinned, tool('last')], silent: true });
    await app.call('search', { do: 'storm', count: 200 });
    await eventually(() => {
      const last = world.observations.at(-1)?.kinds.tool;
      return last?.status === 'complete' && last.items.length === 2;
    });
    expect(lists()).toBeLessThan(15);
    expect(app.received('notifications/tools/list_changed')).toEqual([]);
    expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
  });

  it('confirms through a second process and leaves the first alone', async () => {
    await serve();
    await app.call('search');
    const first = world.received('initialize')[0]?.pid;
    const observation = await world.gateway.confirm(SERVER);
    expect(world.received('initialize')).toHaveLength(2);
    expect(observation.connection).not.toBe(world.observations[0]?.connection);
    await app.call('search');
    expect(world.received('tools/call').every((line) => line.pid === first)).toBe(true);
  });

  it('records a confirmation that fails as failed', async () => {
    await serve({ faults: { start: 'exit' } });
    const { kinds } = await world.gateway.confirm(SERVER);
    expect(kinds.tool?.status).toBe('failed');
    expect(world.observations).toHaveLength(1);
  });

  it('starts what is in use one after another and observes it', async () => {
    await serve();
    await world.gateway.observeInUse([SERVER]);
    await eventually(() => world.observations[0]);
  });

  it('refuses to observe a server that is not there', async () => {
    await serve();
    world.specs.clear();
    await expect(world.gateway.observeNow(SERVER)).rejects.toMatchObject({ code: 'UPSTREAM_NOT_FOUND' });
  });
});
