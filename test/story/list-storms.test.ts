import { afterEach, describe, expect, test } from 'vitest';
import { LISTED_KINDS } from '../../electron/core/model.ts';
import { LISTS } from '../../electron/core/observe.ts';
import { at, eventually } from '../gateway/harness.ts';
import type { HostApp } from '../gateway/harness.ts';
import { until } from '../support/holdfast.ts';
import { ENTRY, Product, use } from './running-product.ts';

// Servers that announce changes as fast as they can: few lists, the right end, and nobody else notices.

let product: Product;
afterEach(() => product.close());

async function start(): Promise<HostApp> {
  product = await Product.open({ pageMs: 15_000 });
  const app = await product.exposed();
  await product.server({ tools: [ENTRY.tool('calm')] }, 'Calm');
  await product.run('expose', { app: 'cursor', server: 'Calm' });
  return app;
}
/** Starts a storm and gives the promise of its end. */
const storm = (app: HostApp, list: string, args: object): Promise<unknown> =>
  app.ask('tools/call', { name: 'b', arguments: { list, ...args } });

describe.each(['tools', 'prompts', 'resources'])('10,000 notices about %s in one burst', (group) => {
  const kinds = LISTED_KINDS.filter((kind) => LISTS[kind].capability === group);
  const [kind = 'tool'] = kinds;
  const { field, method } = LISTS[kind];
  const lists = (): number => product.received(method).length;

  test('lead to a few lists and the right end, and leave little behind', async () => {
    const app = await start();
    for (const each of LISTED_KINDS) expect(await use(app, each, 'a')).toBe('answered');
    const before = { lists: lists(), lines: product.journalLines(), bytes: product.stateBytes() };
    const ended = storm(app, group, { do: 'storm', count: 10_000 });
    for (let call = 0; call < 20; call++) expect(at(await app.call('calm'), 'result.isError')).toBeUndefined();
    await ended;
    await product.server({ [field]: [ENTRY[kind]('a'), ENTRY[kind]('c')] });
    await storm(app, group, { do: 'storm', count: 10_000 });
    await until(
      () => product.surface(),
      (surface) => surface.withheld.some(({ reason }) => reason === 'missing'),
    );
    expect(lists() - before.lists).toBeLessThan(25);
    expect(product.journalLines() - before.lines).toBeLessThan(30);
    expect(product.stateBytes() - before.bytes).toBeLessThan(10_000);
    const withheld = (await product.surface()).withheld.filter(({ reason }) => reason === 'missing');
    expect(withheld).toMatchObject([{ kind, originKey: ENTRY[kind]('b')[LISTS[kind].key] }]);
    expect(await use(app, kind, 'a')).toBe('answered');
  });
});

test('a notice every 5 ms leads to a few lists, and calls of this server and of others go on', async () => {
  const app = await start();
  const lists = (): number => product.received('tools/list').length;
  expect(await use(app, 'tool', 'a')).toBe('answered');
  const before = { lists: lists(), lines: product.journalLines() };
  const drizzle = { isOver: false };
  const ended = storm(app, 'prompts', { do: 'drizzle', everyMs: 5, ms: 3_000 }).then(() => (drizzle.isOver = true));
  let calls = 0;
  while (!drizzle.isOver) {
    expect(at(await app.call('calm'), 'result.isError')).toBeUndefined();
    expect(await use(app, 'tool', 'a')).toBe('answered');
    calls++;
  }
  await ended;
  expect(calls).toBeGreaterThan(0);
  expect(product.received('prompts/list').length).toBeLessThan(40);
  expect(product.journalLines() - before.lines).toBeLessThan(30);
  // Nothing was announced about tools, so that nothing was listed again for the calls.
  expect(lists()).toBe(before.lists);
  await product.server({ prompts: [ENTRY.prompt('a')] });
  await storm(app, 'prompts', { do: 'storm', count: 1 });
  await until(
    () => product.surface(),
    ({ withheld }) => withheld.some(({ kind, originKey }) => kind === 'prompt' && originKey === 'b'),
  );
});

test('a server that announces a change after each of its lists is not listed for ever without a gap', async () => {
  const app = await start();
  await product.server({ faults: { list: { tools: 'notice' } } });
  const lines = product.journalLines();
  await storm(app, 'tools', { do: 'storm', count: 1 });
  const lists = (): number => product.received('tools/list').length;
  await eventually(() => lists() > 8);
  expect(product.journalLines() - lines).toBeLessThan(lists());
  for (let call = 0; call < 5; call++) expect(await use(app, 'tool', 'a')).toBe('answered');
  expect(at(await app.call('calm'), 'result.isError')).toBeUndefined();
});
