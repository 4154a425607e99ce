import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import type { ShowOptions } from '../gallery/main.ts';
import type { StateName } from '../gallery/states.ts';
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

interface Axe {
  run(options: object): Promise<AxeResults>;
}

/** What can be told of the colours of a page. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Rules broken by what is shown, each with the places; of all rules, or of these. */
async function violations(rules?: readonly string[]): Promise<string[]> {
  const found = await gallery.page.evaluate(
    (values) =>
      (globalThis as unknown as { axe: Axe }).axe // put there above
        .run({ resultTypes: ['violations'], ...(values !== undefined && { runOnly: { type: 'rule', values } }) })
        .then((results) => results.violations.map(({ id, nodes }) => ({ id, places: nodes.map(({ html }) => html) }))),
    rules,
  );
  return found.flatMap(({ id, places }) => places.map((html) => `${id}: ${html.slice(0, 120)}`));
}

/** What sticks out of the window sideways, or is cut off by its own box. */
function clipped(): Promise<string[]> {
  return gallery.page.evaluate(() => {
    const isCut = (one: Element): boolean => {
      const { overflowX, overflowY, clipPath } = getComputedStyle(one);
      const isHidden = clipPath !== 'none' || one.closest('[aria-hidden=true], .hidden') !== null;
      const isWide = overflowX !== 'auto' && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
      const isHigh = overflowY === 'hidden' && one.scrollHeight > one.clientHeight + 1;
      return !isHidden && (isWide || isHigh);
    };
    /** Where the box is too small for it, and what is around goes over it. */
    const sticksOut = (one: Element): boolean => {
      const { right, left, width } = one.getBoundingClientRect();
      return width > 0 && (right > window.innerWidth + 1 || left < -1) && one.closest('.hidden') === null;
    };
    const all = [...document.body.querySelectorAll('*')];
    const cut = all.filter((one) => isCut(one) || sticksOut(one));
    const isWide = document.documentElement.scrollWidth > window.innerWidth;
    return [...(isWide ? ['the page'] : []), ...cut.map((one) => one.outerHTML.slice(0, 120))];
  });
}

/** Goes through all states at one width, and says of each what is wrong with it. */
async function everywhere(options: ShowOptions, look: (name: StateName) => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  for (const name of gallery.names) {
    await gallery.show(name, options);
    found.push(...(await look(name)).map((line) => `${name}: ${line}`));
  }
  return found;
}

for (const width of [900, 320]) {
  for (const language of ['en', 'zh-CN'] as const) {
    test(`axe finds nothing on any screen, nothing is clipped and no word is of the trade: ${width} px, ${language}, light and dark`, async () => {
      test.setTimeout(5 * 60_000);
      await gallery.resize(width);
      // A colour on its way to another one is none that stays.
      await gallery.page.emulateMedia({ reducedMotion: 'reduce' });
      const found = await everywhere({ language }, async () => {
        const light = await violations();
        await gallery.page.evaluate(() => window.gallery.look('dark'));
        // The page is the same and only its colours are others, so only the rules about colour can tell more.
        const dark = (await violations(COLOURS)).map((line) => `dark: ${line}`);
        return [...light, ...dark, ...(await clipped()), ...(await jargon(language))];
      });
      await gallery.page.emulateMedia({ reducedMotion: null });
      expect(found).toEqual([]);
    });
  }
}

/** Words of the trade that are seen, but for the technical details and what servers say themselves. */
async function jargon(language: 'en' | 'zh-CN'): Promise<string[]> {
  const text = await gallery.page.evaluate(() => {
    const copy = document.body.cloneNode(true) as HTMLElement; // a copy of an element is one
    for (const one of copy.querySelectorAll('script, style, pre, code, .quoted, label')) one.remove();
    for (const one of copy.querySelectorAll('details')) {
      if (/Technical|技术/.test(one.querySelector('summary')?.textContent ?? '')) one.remove();
    }
    return copy.innerText;
  });
  return jargonIn(text, language);
}

test('every screen starts at its heading, with the filled buttons it should have and none too small to hit', async () => {
  test.setTimeout(5 * 60_000);
  const found = await everywhere({}, async (name) => {
    const seen = await gallery.page.evaluate(
      (which) => ({
        filled: [...document.querySelectorAll('.button.filled')].length,
        owed: window.gallery.filled(which),
        isUntouched: window.gallery.isUntouched(which),
        focus: document.activeElement?.tagName ?? 'nothing',
        headings: document.querySelectorAll('h1').length,
        small: [...document.querySelectorAll('button, summary, input, textarea, [role=menuitem], [role=option]')]
          .map((one) => [one.getBoundingClientRect(), one.outerHTML] as const)
          .filter(([{ width, height }]) => width > 0 && (height < 24 || width < 24))
          .map(([, html]) => html.slice(0, 100)),
      }),
      name,
    );
    return [
      ...(seen.owed === 'any' || seen.filled === seen.owed ? [] : [`${seen.filled} filled buttons, not ${seen.owed}`]),
      ...(seen.isUntouched && seen.focus !== 'H1' ? [`the focus is on ${seen.focus}`] : []),
      ...(seen.headings === 1 ? [] : [`${seen.headings} headings`]),
      ...seen.small.map((html) => `too small: ${html}`),
    ];
  });
  expect([...found, ...gallery.complaints]).toEqual([]);
});

for (const width of [900, 480]) {
  test(`texts as long as translations get are not clipped at ${width} px`, async () => {
    test.setTimeout(5 * 60_000);
    await gallery.resize(width);
    expect(await everywhere({ isPseudo: true }, clipped)).toEqual([]);
  });
}

test('text of twice the size is not clipped, and nothing needs scrolling sideways', async () => {
  test.setTimeout(5 * 60_000);
  await gallery.page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const found = await everywhere({}, clipped);
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
