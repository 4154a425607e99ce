import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Snapshot } from '../../electron/control/snapshot.ts';
import type { HostApp } from '../gateway/harness.ts';
import { until } from '../support/holdfast.ts';
import { ENTRY, Product } from './running-product.ts';

let product: Product;
let app: HostApp;
beforeAll(async () => {
  product = await Product.open();
  app = await product.exposed({ tools: [ENTRY.tool('a'), ENTRY.tool('b')] });
});
afterAll(() => product.close());

const fetched = async () => (await product.run<Snapshot>('snapshot')).apps[0]?.fetched;

test('an app is asked to be restarted from the change of its list until each of its processes has the new one', async () => {
  expect(await fetched()).toBeNull();
  await app.ask('tools/list');
  const first = await until(fetched, (is) => is?.isCurrent === true);
  await product.server({ tools: [ENTRY.tool('a')] });
  await product.check();
  expect(await fetched()).toEqual({ at: first?.at, isCurrent: false });

  const second = await product.app();
  await second.ask('tools/list');
  expect(await fetched()).toMatchObject({ isCurrent: false });
  await app.ask('tools/list');
  expect(await until(fetched, (is) => is?.isCurrent === true)).toMatchObject({ isCurrent: true });
});

test('what the app does not list does not make its list an old one', async () => {
  await product.server({ tools: [ENTRY.tool('a')], prompts: [ENTRY.prompt('a')] });
  await product.check();
  expect((await product.surface()).entries).not.toContainEqual({ kind: 'prompt', originKey: 'b' });
  expect(await fetched()).toMatchObject({ isCurrent: true });
});

test('what a person is told of is kept, and the rest of the settings stays', async () => {
  expect(await product.run('settings.set', { tell: 'careful' })).toEqual({ tell: 'careful', startAtLogin: null });
  expect(product.state.settings).toMatchObject({ language: 'en', tell: 'careful', paused: null });
  expect((await product.run<Snapshot>('snapshot')).preferences.tell).toBe('careful');
  await expect(product.run('settings.set', { tell: 'none' })).rejects.toThrow('COMMAND_BAD_INPUT');
  await expect(product.run('settings.set', { startAtLogin: true })).rejects.toThrow('COMMAND_BAD_INPUT');
});
