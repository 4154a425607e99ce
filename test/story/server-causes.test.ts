import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerView, Snapshot } from '../../electron/control/snapshot.ts';
import { Product } from './running-product.ts';

let product: Product;
beforeAll(async () => {
  product = await Product.open({ initializeMs: 700, firstInitializeMs: 700 });
});
afterAll(() => product.close());

async function causeOf(name: string): Promise<ServerView['cause'] | undefined> {
  await product.check(name);
  const { servers } = await product.run<Snapshot>('snapshot');
  return servers.find((server) => server.name === name)?.cause;
}

test('a program that is not there is named', async () => {
  await product.run('servers.add', { name: 'Gone', command: 'holdfast-no-such-program', args: [] });
  expect(await causeOf('Gone')).toEqual({ kind: 'program', program: 'holdfast-no-such-program' });
});

test('a script that is not there is named', async () => {
  await product.run('servers.add', { name: 'Lost', command: process.execPath, args: ['/nowhere/lost.mjs'] });
  expect(await causeOf('Lost')).toMatchObject({
    kind: 'other',
    told: { sentence: expect.stringContaining('/nowhere/lost.mjs') as string },
  });
});

test('one that ends and says which key it wants is asked for that key', async () => {
  const script = "console.error('DEMO_API_KEY is required'); process.exit(1)";
  await product.run('servers.add', { name: 'Keyed', command: process.execPath, args: ['-e', script] });
  expect(await causeOf('Keyed')).toEqual({ kind: 'key', name: 'DEMO_API_KEY' });
});

test('one that ends, one that hangs and one that is read in part are told apart', async () => {
  await product.server({ faults: { start: 'exit' } }, 'Crash');
  await product.server({ faults: { start: 'hang' } }, 'Slow');
  await product.server({ faults: { list: { prompts: 'fail' } } }, 'Partial');
  expect(await causeOf('Crash')).toEqual({ kind: 'crash', told: null });
  expect(await causeOf('Slow')).toEqual({ kind: 'slow', told: null });
  expect(await causeOf('Partial')).toEqual({ kind: 'partial' });
  await product.server({}, 'Crash');
  expect(await causeOf('Crash')).toBeNull();
});
