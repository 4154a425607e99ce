import { realpathSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LISTED_KINDS } from '../../electron/core/model.ts';
import type { KindOutcome, Observation } from '../../electron/core/model.ts';
import { APP, OTHER, SERVER, World, eventually, textOf, tool } from './harness.ts';
import type { Control } from './harness.ts';

// What published servers were seen to do, each with a real process.

let world: World;
const good = tool('good');
beforeEach(async () => {
  world = await new World({ pageMs: 5_000 }).listen();
  world.publish(APP, [{ kind: 'tool', definition: good }]);
});
afterEach(() => world.close());

async function observe(control: Control): Promise<Observation> {
  world.server({ tools: [good], prompts: [{ name: 'p' }], ...control });
  return world.gateway.observeNow(SERVER);
}
const items = (outcome: KindOutcome | undefined): object =>
  outcome?.status === 'complete'
    ? Object.fromEntries(
        outcome.items.map((item) => [item.originKey, 'id' in item ? item.id : { invalid: item.invalid }]),
      )
    : { ...outcome };

describe('while it starts, a server', () => {
  it('that asks its client for roots is listed whole, and each app gets a process of its own', async () => {
    const { kinds } = await observe({ faults: { askRootsAtStart: true } });
    expect(kinds.tool?.status).toBe('complete');
    await eventually(() => world.asks.length > 0);
    const app = await world.app({ capabilities: { roots: {} } });
    app.answers.set('roots/list', () => ({ result: { roots: [] } }));
    expect(textOf(await app.call('good'))).toBe('good of srv 1.0.0');
    const own = await eventually(() => world.observations.find(({ consumer }) => consumer === APP));
    expect(items(own.kinds.tool)).toEqual(items(kinds.tool));
  });

  it('that sends log messages and announces changes of each list ends up with the same lists', async () => {
    const { kinds } = await observe({ faults: { chattyStart: true, earlyNotice: true } });
    expect([kinds.tool?.status, kinds.prompt?.status]).toEqual(['complete', 'complete']);
    const app = await world.app();
    expect(textOf(await app.call('good'))).toBe('good of srv 1.0.0');
    for (const observation of world.observations) {
      if (observation.kinds.tool) expect(items(observation.kinds.tool)).toEqual(items(kinds.tool));
    }
  });

  it('that writes 5,000 lines to stderr is listed all the same', async () => {
    const stderr = Array.from({ length: 5_000 }, (_, line) => `warning ${line}: ${'x'.repeat(80)}`).join('\n');
    expect((await observe({ faults: { stderr } })).kinds.tool?.status).toBe('complete');
  });

  it('that prints telemetry to stdout, as JSON that is no message, is listed and called all the same', async () => {
    const { kinds } = await observe({ faults: { telemetry: true, noise: true } });
    expect(kinds.tool?.status).toBe('complete');
    const app = await world.app();
    expect(textOf(await app.call('good'))).toBe('good of srv 1.0.0');
    expect(world.asks).toEqual([]);
  });

  it('that never answers initialize fails in the time that it is given, and is ended', async () => {
    await world.close();
    world = await new World({ initializeMs: 300 }).listen();
    const { kinds } = await observe({ faults: { start: 'hang' } });
    expect(kinds.tool?.status).toBe('failed');
    expect(world.received('initialize')).toHaveLength(1);
  });
});

describe('in its lists, a server', () => {
  it('with tools that have no “type: object” among good ones loses those alone', async () => {
    const bad = [
      { name: 'no-schema' },
      { name: 'no-type', inputSchema: { properties: {} } },
      { name: 'dialect-only', inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#' } },
    ];
    const { kinds } = await observe({ tools: [...bad, good] });
    expect(items(kinds.tool)).toEqual({
      'no-schema': { invalid: 'its “inputSchema” is missing or malformed' },
      'no-type': { invalid: 'its “inputSchema.type” is missing or malformed' },
      'dialect-only': { invalid: 'its “inputSchema.type” is missing or malformed' },
      good: expect.stringMatching(/^sha256:/) as string,
    });
    const app = await world.app();
    expect(textOf(await app.call('good'))).toBe('good of srv 1.0.0');
  });

  it('that writes the folder it runs in into a description has the same ids at each start', async () => {
    const control = { tools: [tool('save', 'Saves below {cwd}')] };
    const first = await observe(control);
    await world.gateway.stopServer(SERVER);
    const second = await observe(control);
    const folder = realpathSync(path.join(world.dir, 'servers', SERVER));
    expect(JSON.stringify(first.kinds.tool)).toContain(`Saves below ${folder}`);
    expect(items(second.kinds.tool)).toEqual(items(first.kinds.tool));
    expect(second.connection).not.toBe(first.connection);
  });

  it('of the same version with another listing is another listing', async () => {
    const first = await observe({ version: '3.0.0' });
    await world.gateway.stopServer(SERVER);
    const changed = { ...good, inputSchema: { type: 'object', additionalProperties: false } };
    const second = await observe({ version: '3.0.0', tools: [changed] });
    expect(second.version).toBe(first.version);
    expect(items(second.kinds.tool)).not.toEqual(items(first.kinds.tool));
    const app = await world.app();
    expect(textOf(await app.call('good'))).toMatch(/^chat\.blocked/);
  });

  it.each([
    ['no version', { name: 'odd' }, null],
    ['a version that is no text', { name: 'odd', version: 3 }, null],
    ['nothing', {}, null],
    ['a version that is not that of its package', { name: 'odd', version: '1.0.0' }, '1.0.0'],
  ])('that says %s of itself is listed, and its ids are the same as ever', async (_what, serverInfo, version) => {
    const first = await observe({});
    await world.gateway.stopServer(SERVER);
    const second = await observe({ serverInfo });
    expect(second.version).toBe(version);
    expect(items(second.kinds.tool)).toEqual(items(first.kinds.tool));
  });

  it('whose backend is down for resources alone has its tools and prompts complete in the same session', async () => {
    const { kinds } = await observe({ faults: { list: { resources: 'fail' } } });
    expect([kinds.tool?.status, kinds.prompt?.status, kinds.resource?.status]).toEqual([
      'complete',
      'complete',
      'failed',
    ]);
    const app = await world.app();
    expect(textOf(await app.call('good'))).toBe('good of srv 1.0.0');
  });

  it('that exits while one list is read keeps what the others had shown, and fails in that one', async () => {
    const { kinds } = await observe({
      capabilities: { tools: {}, prompts: {} },
      faults: { list: { prompts: 'exit-2' } },
      pageSize: 1,
      prompts: [{ name: 'p' }, { name: 'q' }],
    });
    expect(kinds.tool?.status).toBe('complete');
    expect(kinds.prompt).toMatchObject({ status: 'incomplete', reason: 'it exited with code 3' });
  });
});

describe('a server that lists by what it was started with', () => {
  it('shows more to a client that can do more, each observed under its own context', async () => {
    const variants = [{ client: 'sampling', set: { tools: [good, tool('summarise')] } }];
    world.server({ tools: [good], variants });
    world.spec({ asks: true });
    world.publish(OTHER, [{ kind: 'tool', definition: good }]);
    const [able, plain] = [
      await world.app({ capabilities: { sampling: {} } }),
      await world.app({ consumer: OTHER, capabilities: {} }),
    ];
    expect(textOf(await able.call('good'))).toBe('good of srv 1.0.0');
    expect(textOf(await plain.call('good'))).toBe('good of srv 1.0.0');
    const of = (consumer: string): Promise<Observation> =>
      eventually(() => world.observations.find((each) => each.consumer === consumer));
    const [ofAble, ofPlain] = [await of(APP), await of(OTHER)];
    expect(Object.keys(items(ofAble.kinds.tool))).toEqual(['good', 'summarise']);
    expect(Object.keys(items(ofPlain.kinds.tool))).toEqual(['good']);
    expect(ofPlain.context).toEqual({ ...ofAble.context, capabilities: expect.any(String) as string });
    expect(ofPlain.context.capabilities).not.toBe(ofAble.context.capabilities);
  });

  it('and whose program file was not published fails in every list, and works once it is there', async () => {
    world.server({ tools: [good] });
    const { command, args } = world.specs.get(SERVER) ?? { command: '', args: [] };
    world.spec({ command: process.execPath, args: [path.join(world.dir, 'not-published.js')] });
    const failed = await world.gateway.observeNow(SERVER);
    for (const kind of LISTED_KINDS) expect(failed.kinds[kind]?.status).toBe('failed');
    world.spec({ command, args, digest: 'two' });
    await world.gateway.stopServer(SERVER);
    expect((await world.gateway.observeNow(SERVER)).kinds.tool?.status).toBe('complete');
  });
});
