import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReviewView, Snapshot } from '../../electron/control/snapshot.ts';
import type { HostApp } from '../gateway/harness.ts';
import { Product, use } from './running-product.ts';

const OLD = { name: 'crawl_page', description: 'Reads a page.', inputSchema: { type: 'object' } };
const NEW = { ...OLD, name: 'read_page', description: 'Reads a page. Replaces crawl_page.' };
let product: Product;
let app: HostApp;
beforeAll(async () => {
  product = await Product.open();
  app = await product.exposed({ tools: [OLD] });
});
afterAll(() => product.close());

const question = async () => (await product.run<Snapshot>('snapshot')).continuity[0];

test('a renamed tool stays off until a person says that it is the same, and goes off again when that is undone', async () => {
  expect(await use(app, 'tool', 'crawl_page')).toBe('answered');
  await product.server({ tools: [NEW] });
  await product.check();
  const asked = await question();
  expect(asked).toMatchObject({ type: 'renamed', now: [{ title: 'Read page', basis: 'told' }] });
  for (const name of ['crawl_page', 'read_page']) expect(await use(app, 'tool', name)).not.toBe('answered');

  const answer = { id: asked?.id, ref: asked?.now[0]?.ref };
  const { reviews } = await product.run<{ reviews: ReviewView[] }>('continuity.rebind', answer);
  expect(await use(app, 'tool', 'read_page')).toBe('answered');
  expect(await question()).toBeUndefined();

  await product.server({ tools: [OLD, NEW] });
  await product.check();
  expect(await use(app, 'tool', 'crawl_page')).not.toBe('answered');
  await product.run('review.undo', { id: reviews[0]?.id, decision: reviews[0]?.decision });
  expect(await use(app, 'tool', 'read_page')).not.toBe('answered');
  expect(await use(app, 'tool', 'crawl_page')).toBe('answered');
});
