import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Snapshot } from '../../electron/control/snapshot.ts';
import type { Definition } from '../gateway/harness.ts';
import { Product } from './running-product.ts';

let product: Product;
beforeAll(async () => {
  product = await Product.open();
  await product.exposed({ tools: [tool('a'), tool('b')] });
  await product.run('servers.policy', { name: 'Demo', policy: 'review' });
});
afterAll(() => product.close());

const tool = (name: string, ...inputs: string[]) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object', properties: Object.fromEntries(inputs.map((key) => [key, { type: 'string' }])) },
});
const snapshot = () => product.run<Snapshot>('snapshot');
const offers = async () => (await snapshot()).servers[0]?.offersAlways;

/** Shows these tools, and approves what waits then. */
async function approves(...tools: Definition[]): Promise<void> {
  await product.server({ tools });
  await product.check();
  const { reviews } = await snapshot();
  for (const { id, state } of reviews) if (state === 'pending') await product.run('review.approve', { id });
}

test('letting small changes through is offered after two were approved, and only while each of them asks', async () => {
  expect(await offers()).toBe(false);
  await approves(tool('a', 'one'), tool('b'));
  expect(await offers()).toBe(false);
  await approves({ ...tool('a', 'one'), description: 'does something else' }, tool('b'));
  expect(await offers()).toBe(false); // not a small one
  await approves({ ...tool('a', 'one'), description: 'does something else' }, tool('b', 'one'));
  expect(await offers()).toBe(true);
  await product.run('servers.policy', { name: 'Demo', policy: 'follow-safe' });
  expect(await offers()).toBe(false);
});
