import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerId } from '../../electron/core/model.ts';
import { APP, SERVER, World, at, entryOf, eventually, textOf, tool } from './harness.ts';
import type { HostApp } from './harness.ts';

let world: World;
let app: HostApp;
const search = tool('search');
const prompt = { name: 'ask' };
const listed = { name: 'listed', uri: 'x://listed' };
const template = { name: 'page', uriTemplate: 'page://{id}' };
const published = [
  { kind: 'tool', definition: search },
  { kind: 'prompt', definition: prompt, name: 'demo_ask' },
  { kind: 'resource', definition: listed },
  { kind: 'resourceTemplate', definition: template },
] as const;

beforeEach(async () => {
  world = await new World().listen();
  world.server({ tools: [search], prompts: [prompt], resources: [listed], resourceTemplates: [template] });
  world.publish(APP, published);
  app = await world.app();
});
afterEach(() => world.close());

const read = async (uri: string): Promise<unknown> => {
  const answer = await app.ask('resources/read', { uri });
  return at(answer, 'result.contents.0.text') ?? at(answer, 'error.code');
};
const link = (uri: string): Promise<unknown> =>
  app.call('search', { do: 'result', result: { content: [{ type: 'resource_link', name: 'x', uri }] } });

describe('reading a resource', () => {
  it('goes to the server that lists it, without rewriting the URI', async () => {
    expect(await read('x://listed')).toBe('content of x://listed');
  });

  it('goes through an approved template, and is traced to it', async () => {
    expect(await read('page://7')).toBe('content of page://7');
    const line = await eventually(() => world.traces[0]);
    expect(line).toMatchObject({
      name: 'page://7',
      ref: entryOf({ kind: 'resourceTemplate', definition: template }).ref,
    });
  });

  it('is refused for a URI that nothing shows', async () => {
    expect(await read('x://unlisted')).toBe(-32602);
    expect(await read('page://7/deeper')).toBe(-32602);
  });

  it('is allowed for a URI that an approved tool returned in this connection, and only there', async () => {
    await link('x://returned');
    expect(await read('x://returned')).toBe('content of x://returned');
    const line = await eventually(() => world.traces.find((each) => each.name === 'x://returned'));
    expect(line.ref).toBe(entryOf({ kind: 'tool', definition: search }).ref);
    const second = await world.app();
    expect((await second.ask('resources/read', { uri: 'x://returned' }))['error']).toMatchObject({ code: -32602 });
  });

  it('is refused once the tool that returned the URI is off', async () => {
    await link('x://returned');
    world.publish(APP, published.slice(1));
    expect(await read('x://returned')).toBe(-32602);
  });

  it('is refused for a resource that is off, though a template or a tool would reach it', async () => {
    await link('page://off');
    const { ref } = entryOf({ kind: 'resource', definition: { uri: 'page://off' } });
    world.publish(APP, published, { refusals: { 'resource/page://off': { reason: 'changed', server: SERVER, ref } } });
    expect(await read('page://off')).toBe(-32000);
  });

  it('is refused through a template that is off, with the reason', async () => {
    const { ref } = entryOf({ kind: 'resourceTemplate', definition: template });
    const refusals = { 'resourceTemplate/page://{id}': { reason: 'rejected', server: SERVER, ref } } as const;
    world.publish(APP, published.slice(0, 3), { refusals });
    expect(await read('page://7')).toBe(-32000);
  });

  it('is refused where templates of two servers match', async () => {
    const server = 'two' as ServerId;
    world.server({ resourceTemplates: [template] }, server);
    world.publish(APP, [
      ...published,
      { kind: 'resourceTemplate', definition: { ...template, uriTemplate: 'page://{+any}' }, server },
    ]);
    expect(await read('page://7')).toBe(-32602);
    expect(await read('page://7/8')).toBe(-32000); // matches the second alone, whose server lists another template
  });

  it('is refused where the list shows another definition of the template', async () => {
    const other = { ...template, description: 'another' };
    world.publish(APP, [{ kind: 'resourceTemplate', definition: other }]);
    expect(await read('page://7')).toBe(-32000);
    expect(world.received('resources/read')).toEqual([]);
  });
});

describe('prompts and completions', () => {
  it('go to the server under the prompt’s own name', async () => {
    const answer = await app.ask('prompts/get', { name: 'demo_ask', arguments: { a: '1' } });
    expect(at(answer, 'result.messages.0.content.text')).toBe('ask');
    const completion = await app.ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'demo_ask' },
      argument: { name: 'a', value: 'x' },
    });
    expect(at(completion, 'result.completion.values')).toEqual(['{"type":"ref/prompt","name":"ask"}']);
  });

  it('complete the arguments of a template', async () => {
    const ref = { type: 'ref/resource', uri: 'page://{id}' };
    const answer = await app.ask('completion/complete', { ref, argument: { name: 'id', value: '' } });
    expect(at(answer, 'result.completion.values')).toEqual([JSON.stringify(ref)]);
  });

  it('are refused for what is not published', async () => {
    const ref = { type: 'ref/prompt', name: 'ask' };
    const answer = await app.ask('completion/complete', { ref, argument: { name: 'a', value: '' } });
    expect(answer['error']).toMatchObject({ code: -32602 });
  });
});

describe('a subscription', () => {
  const updates = (of: HostApp): unknown[] =>
    of.received('notifications/resources/updated').map((each) => at(each, 'params.uri'));

  it('brings updates of the resource and its parts to the subscriber alone', async () => {
    const second = await world.app();
    await app.ask('resources/subscribe', { uri: 'x://listed' });
    await app.call('search', { do: 'updated', uri: 'x://listed' });
    await app.call('search', { do: 'updated', uri: 'x://listed/part' });
    await app.call('search', { do: 'updated', uri: 'x://listedelse' });
    await second.ask('ping');
    expect(updates(app)).toEqual(['x://listed', 'x://listed/part']);
    expect(updates(second)).toEqual([]);
  });

  it('is only ended at the server when the last subscriber goes', async () => {
    const second = await world.app();
    await app.ask('resources/subscribe', { uri: 'x://listed' });
    await second.ask('resources/subscribe', { uri: 'x://listed' });
    await app.ask('resources/unsubscribe', { uri: 'x://listed' });
    await second.call('search', { do: 'updated', uri: 'x://listed' });
    expect([updates(app), updates(second)]).toEqual([[], ['x://listed']]);
    expect(world.received('resources/unsubscribe')).toEqual([]);
    second.close();
    await eventually(() => world.received('resources/unsubscribe')[0]);
  });

  it('ends when its resource leaves what is in force', async () => {
    await app.ask('resources/subscribe', { uri: 'x://listed' });
    world.publish(APP, published.slice(0, 2));
    await app.call('search', { do: 'updated', uri: 'x://listed' });
    expect(updates(app)).toEqual([]);
    world.gateway.listChanged(APP, ['resource']);
    await eventually(() => world.received('resources/unsubscribe')[0]);
  });

  it('is taken up again after the server was restarted', async () => {
    await app.ask('resources/subscribe', { uri: 'x://listed' });
    await app.call('search', { do: 'exit' });
    await eventually(() => world.received('resources/subscribe').length === 2);
    await app.call('search', { do: 'updated', uri: 'x://listed' });
    expect(updates(app)).toEqual(['x://listed']);
  });

  it('is refused for what is not published', async () => {
    expect((await app.ask('resources/subscribe', { uri: 'x://unlisted' }))['error']).toMatchObject({ code: -32602 });
  });
});

describe('log messages', () => {
  it('go to the app with a call under way, from the level it asked for', async () => {
    const second = await world.app();
    await app.call('search');
    expect((await app.ask('logging/setLevel', { level: 'warning' }))['result']).toEqual({});
    await eventually(() => world.received('logging/setLevel')[0]);
    await app.call('search', { do: 'log', level: 'info' });
    await app.call('search', { do: 'log', level: 'error' });
    await second.ask('ping');
    const levels = app.received('notifications/message').map((each) => at(each, 'params.level'));
    expect(levels).toEqual(['error']);
    expect(second.received('notifications/message')).toEqual([]);
  });

  it('ask a server that is started later for the level, too', async () => {
    await app.ask('logging/setLevel', { level: 'debug' });
    await app.call('search');
    await eventually(() => world.received('logging/setLevel')[0]);
    expect((await app.ask('logging/setLevel', { level: 'loud' }))['error']).toMatchObject({ code: -32602 });
  });
});

it('finds nothing to read in a result that is no resource', async () => {
  const answer = await app.call('search', { do: 'result', result: { content: 'uri', _meta: { ui: null } } });
  expect(answer['result']).toEqual({ content: 'uri', _meta: { ui: null } });
  expect(textOf(await app.call('search'))).toBe('search of srv 1.0.0');
});
