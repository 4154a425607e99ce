import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { Gallery } from '../support/gallery.ts';
import { ROOT } from '../support/holdfast.ts';

const folder = path.join(ROOT, 'test/.results/pictures');
const LOOKS = [
  { name: 'en-light', language: 'en', look: 'light' },
  { name: 'zh-dark', language: 'zh-CN', look: 'dark' },
] as const;
/** Only these, where a few are wanted: names with commas between them. */
const wanted = process.env['HOLDFAST_PICTURES']?.split(',');
const widths = (process.env['HOLDFAST_WIDTHS'] ?? '900').split(',').map(Number);

test('every screen is a picture', async () => {
  test.setTimeout(10 * 60_000);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const gallery = await Gallery.open();
  for (const width of widths) {
    await gallery.resize(width);
    for (const name of gallery.names.filter((one) => wanted?.includes(one) ?? true)) {
      for (const { name: suffix, ...options } of LOOKS) {
        await gallery.show(name, options);
        const size = width === 900 ? '' : `-${width}`;
        // As high as its page: what sticks to the window's edges then is where it is for a person who has scrolled.
        await gallery.resize(width);
        await gallery.resize(width, await gallery.height());
        const picture = path.join(folder, `${name}-${suffix}${size}.png`);
        await gallery.page.screenshot({ path: picture });
      }
    }
  }
  await gallery.close();
  expect(gallery.names.length).toBeGreaterThan(40);
});
