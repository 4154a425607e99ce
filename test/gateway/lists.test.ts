import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { APP, OTHER, World, at, eventually, tool } from './harness.ts';

let world: World;
beforeEach(async () => {
  world = await new World().listen();
  world.server({ tools: [tool('search')], faults: { start: 'hang' } });
});
afterEach(() => world.close());

describe('what an app is told without asking any server', () => {
  it('introduces Holdfast with the version that the app speaks', async () => {
    world.publish(APP, [], { instructions: 'From Demo: be nice' });
    const app = await world.app({ introduce: false });
    const answer = await app.ask('initialize', { protocolVersion: '2025-03-26', capabilities: {} });
    expect(answer['result']).toEqual({
      protocolVersion: '2025-03-26',
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
      },
      serverInfo: { name: 'holdfast', version: '9.9.9' },
      instructions: 'From Demo: be nice',
    });
  });

  it('offers the newest version it knows where the app speaks an unknown one', async () => {
    world.publish(APP, []);
    const app = await world.app({ introduce: false });
    const answer = await app.ask('initialize', { protocolVersion: '2099-01-01', capabilities: {} });
    expect(answer['result']).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(answer['result']).not.toHaveProperty('instructions');
  });

  it('serves the four lists of the surface while the server hangs', async () => {
    const weird = { ...tool('weird'), 'x-vendor': { z: 1, a: [null] } };
    world.publish(APP, [
      { kind: 'tool', definition: weird, name: 'demo_weird' },
      { kind: 'prompt', definition: { name: 'p', xP: 1 } },
      { kind: 'resource', definition: { name: 'r', uri: 'x://r' } },
      { kind: 'resourceTemplate', definition: { name: 't', uriTemplate: 'x://{id}' } },
    ]);
    const app = await world.app();
    expect((await app.ask('tools/list'))['result']).toEqual({ tools: [{ ...weird, name: 'demo_weird' }] });
    expect((await app.ask('prompts/list'))['result']).toEqual({ prompts: [{ name: 'p', xP: 1 }] });
    expect((await app.ask('resources/list'))['result']).toEqual({ resources: [{ name: 'r', uri: 'x://r' }] });
    expect((await app.ask('resources/templates/list', {}))['result']).toEqual({
      resourceTemplates: [{ name: 't', uriTemplate: 'x://{id}' }],
    });
    expect(world.received()).toEqual([]);
  });

  it('remembers what each app listed', async () => {
    const manifestId = world.publish(APP, [{ kind: 'tool', definition: tool('search') }]);
    const app = await world.app();
    await app.ask('tools/list');
    expect(world.listed).toEqual([[APP, 'tool', manifestId]]);
  });

  it('answers pings, unknown methods and what cannot be read', async () => {
    world.publish(APP, []);
    const app = await world.app();
    expect((await app.ask('ping'))['result']).toEqual({});
    expect((await app.ask('tasks/list'))['error']).toMatchObject({ code: -32601 });
    expect((await app.ask('tools/list', { cursor: 'x' }))['error']).toMatchObject({ code: -32602 });
    app.write('no json');
    await eventually(() => app.messages.find((message) => at(message, 'error.code') === -32700));
    app.write('7');
    await eventually(() => app.messages.find((message) => at(message, 'error.code') === -32600));
  });

  it('lets every session of an app know once when lists change, and no other app', async () => {
    world.publish(APP, []);
    world.publish(OTHER, []);
    const [first, second, other] = [await world.app(), await world.app(), await world.app({ consumer: OTHER })];
    world.gateway.listChanged(APP, ['tool', 'resource', 'resourceTemplate', 'instructions']);
    for (const app of [first, second]) {
      await app.ask('ping');
      expect(app.messages.map((message) => message.method).filter(Boolean)).toEqual([
        'notifications/tools/list_changed',
        'notifications/resources/list_changed',
      ]);
    }
    await other.ask('ping');
    expect(other.messages.some((message) => message.method !== undefined)).toBe(false);
  });

  it('keeps a notice back until the app is ready for it', async () => {
    world.publish(APP, []);
    const app = await world.app({ introduce: false });
    await app.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    world.gateway.listChanged(APP, ['prompt']);
    await app.ask('ping');
    expect(app.received('notifications/prompts/list_changed')).toEqual([]);
    app.notify('notifications/initialized');
    await eventually(() => app.received('notifications/prompts/list_changed')[0]);
  });

  it('counts the connected processes of an app', async () => {
    world.publish(APP, []);
    const app = await world.app();
    await world.app();
    expect(world.gateway.connections(APP)).toBe(2);
    app.close();
    await eventually(() => world.gateway.connections(APP) === 1);
  });
});
