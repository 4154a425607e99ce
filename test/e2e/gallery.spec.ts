import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { Gallery } from '../support/gallery.ts';
import { jargonIn } from '../support/jargon.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let gallery: Gallery;

test.beforeAll(async () => {
  test.setTimeout(5 * 60_000);
  gallery = await Gallery.open();
  await gallery.page.evaluate(axe);
});
test.afterAll(() => gallery.close());
test.beforeEach(() => gallery.resize(900));

/** Rules broken by what is shown, each with the places. */
async function violations(): Promise<string[]> {
  const { violations: found } = await gallery.page.evaluate(
    () =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        resultTypes: ['violations'],
      }), // put there above
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
}

/** What sticks out of the window sideways, or is cut off by its own box. */
function clipped(): Promise<string[]> {
  return gallery.page.evaluate(() => {
    const isCut = (one: Element): boolean => {
      const { overflowX, clipPath } = getComputedStyle(one);
      const isHidden = clipPath !== 'none' || one.closest('[aria-hidden=true], .hidden') !== null;
      return !isHidden && overflowX !== 'auto' && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
    };
    const cut = [...document.body.querySelectorAll('*')].filter(isCut);
    const isWide = document.documentElement.scrollWidth > window.innerWidth;
    return [...(isWide ? ['the page'] : []), ...cut.map((one) => one.outerHTML.slice(0, 120))];
  });
}

for (const width of [900, 320]) {
  for (const language of ['en', 'zh-CN'] as const) {
    for (const look of ['light', 'dark'] as const) {
      test(`axe finds nothing on any screen: ${width} px, ${language}, ${look}`, async () => {
        test.setTimeout(10 * 60_000);
        await gallery.resize(width);
        const found: string[] = [];
        for (const name of gallery.names) {
          await gallery.show(name, { language, look });
          found.push(...[...(await violations()), ...(await clipped())].map((line) => `${name}: ${line}`));
        }
        expect(found).toEqual([]);
      });
    }
  }
}

test('every screen starts at its heading, with the filled buttons it should have and none too small to hit', async () => {
  test.setTimeout(5 * 60_000);
  const found: string[] = [];
  for (const name of gallery.names) {
    await gallery.show(name);
    const seen = await gallery.page.evaluate(() => ({
      filled: [...document.querySelectorAll('.button.filled')].length,
      focus: document.activeElement?.tagName,
      headings: document.querySelectorAll('h1').length,
      small: [...document.querySelectorAll('button, summary, input, textarea')]
        .map((one) => [one.getBoundingClientRect(), one.outerHTML] as const)
        .filter(([{ width, height }]) => width > 0 && (height < 24 || width < 24))
        .map(([, html]) => html.slice(0, 100)),
    }));
    const filled = await gallery.page.evaluate((which) => window.gallery.filled(which), name);
    if (filled !== 'any' && seen.filled !== filled) found.push(`${name}: ${seen.filled} filled buttons, not ${filled}`);
    const isUntouched = await gallery.page.evaluate((which) => window.gallery.isUntouched(which), name);
    if (isUntouched && seen.focus !== 'H1') found.push(`${name}: the focus is on ${seen.focus ?? 'nothing'}`);
    if (seen.headings !== 1) found.push(`${name}: ${seen.headings} headings`);
    found.push(...seen.small.map((html) => `${name}: too small: ${html}`));
  }
  expect([...found, ...gallery.complaints]).toEqual([]);
});

test('no screen has words of the trade outside the technical details', async () => {
  test.setTimeout(5 * 60_000);
  const found: string[] = [];
  for (const language of ['en', 'zh-CN'] as const) {
    for (const name of gallery.names) {
      await gallery.show(name, { language });
      const text = await gallery.page.evaluate(() => {
        const copy = document.body.cloneNode(true) as HTMLElement; // a copy of an element is one
        for (const one of copy.querySelectorAll('script, style, pre, code, .quoted, label')) one.remove();
        for (const one of copy.querySelectorAll('details')) {
          if (/Technical|技术/.test(one.querySelector('summary')?.textContent ?? '')) one.remove();
        }
        return copy.innerText;
      });
      found.push(...jargonIn(text, language).map((word) => `${name} (${language}): ${word}`));
    }
  }
  expect(found).toEqual([]);
});

for (const width of [900, 480]) {
  test(`texts as long as translations get are not clipped at ${width} px`, async () => {
    test.setTimeout(5 * 60_000);
    await gallery.resize(width);
    const found: string[] = [];
    for (const name of gallery.names) {
      await gallery.show(name, { isPseudo: true });
      found.push(...(await clipped()).map((line) => `${name}: ${line}`));
    }
    expect(found).toEqual([]);
  });
}

test('text of twice the size is not clipped, and nothing needs scrolling sideways', async () => {
  test.setTimeout(5 * 60_000);
  await gallery.page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const found: string[] = [];
  for (const name of gallery.names) {
    await gallery.show(name);
    found.push(...(await clipped()).map((line) => `${name}: ${line}`));
  }
  await gallery.page.evaluate(() => (document.documentElement.style.fontSize = ''));
  expect(found).toEqual([]);
});

test('nothing moves where motion is to be reduced', async () => {
  const durations = (): Promise<string[]> =>
    gallery.page.evaluate(() => [
      ...new Set([...document.querySelectorAll('*')].map((one) => getComputedStyle(one).transitionDuration)),
    ]);
  await gallery.show('server');
  expect(await durations()).toContain('0.12s');
  await gallery.page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await durations()).toEqual(['0s']);
  await gallery.page.emulateMedia({ reducedMotion: null });
});

test('with the colours of the system, every card, chip and button keeps its edge', async () => {
  await gallery.page.emulateMedia({ forcedColors: 'active' });
  await gallery.show('inbox');
  const bare = await gallery.page.evaluate(() =>
    [...document.querySelectorAll('.card, .chip, .button:not(.plain)')]
      .filter((one) => getComputedStyle(one).borderTopWidth === '0px')
      .map((one) => one.className),
  );
  await gallery.page.emulateMedia({ forcedColors: null });
  expect(bare).toEqual([]);
});

test('the window follows the system from light to dark while it is open', async () => {
  const paper = (): Promise<string> => gallery.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await gallery.page.emulateMedia({ colorScheme: 'light' });
  await gallery.show('inbox', { look: 'system' });
  expect(await paper()).toBe('rgb(255, 255, 255)');
  await gallery.page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(paper).toBe('rgb(22, 24, 28)');
  await gallery.page.emulateMedia({ colorScheme: null });
});
