import { mount, tick, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../electron/control/snapshot.ts';
import App from '../../renderer/App.svelte';
import { Client } from '../../renderer/client.svelte.ts';
import { CONTINUITY, UPGRADES } from '../gallery/samples.ts';
import { FakeApi } from './fake-api.ts';

let api: FakeApi;
let client: Client;
let app: Record<string, unknown>;

async function show(given: Partial<Snapshot>): Promise<void> {
  api = new FakeApi(given);
  client = new Client(api);
  app = mount(App, { target: document.body, props: { client } });
  await client.start();
  await settle();
}
const settle = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await tick();
};
const heading = (): string => document.querySelector('h1')?.textContent ?? '';
const texts = (selector: string): string[] =>
  [...document.querySelectorAll(selector)].map((one) => one.textContent.trim().replaceAll(/\s+/g, ' '));
async function press(label: string): Promise<void> {
  const all = [...document.querySelectorAll<HTMLButtonElement>('main button')];
  const found = all.find((one) => one.textContent.trim() === label || one.getAttribute('aria-label') === label);
  if (found === undefined) throw new Error(`no button “${label}”: ${texts('main button').join(' | ')}`);
  found.click();
  await settle();
}
/** What was asked to be decided; the reviews of one upgrade by their ids. */
const decisions = (): unknown[] =>
  api.asked.flatMap(([command, input]) => {
    if (!/^review\.(?!show)/.test(command)) return [];
    const { reviews, ...rest } = input as { readonly reviews?: readonly string[] };
    return [[command, reviews === undefined ? rest : { ...rest, reviews: [...reviews].sort() }]];
  });
const idsOf = (reviews: readonly { readonly id: string }[]): string[] => reviews.map(({ id }) => id).sort();

beforeEach(() => {
  document.body.innerHTML = '';
});
afterEach(async () => {
  await unmount(app);
  client.dispose();
});

describe('changes of one upgrade in the inbox', () => {
  test('are one row that says how many of what; a row with something risky can only be opened', async () => {
    await show(UPGRADES.mixed);
    expect(texts('main li .name')).toEqual(['Exa made 6 changes']);
    expect(texts('main li .note')).toEqual([
      'From version 1.2.0 to 1.3.0',
      '1 needs care · 3 say they do no harm · 2 small changes · off in Claude and Cursor',
    ]);
    expect(texts('main li .acts button')).toEqual(['Review']);
    expect(texts('nav').join()).toContain('6');
  });

  test('are decided in the row where none of them is risky', async () => {
    await show(UPGRADES.small);
    await press('Approve 2 changes: Exa');
    expect(decisions()).toEqual([['review.approve', { id: 'inc-1', reviews: idsOf(UPGRADES.small.reviews) }]]);
    expect(document.body.textContent).toContain('2 changes are on in Claude and Cursor');
    expect(client.waiting).toBe(0);
    await press('Undo');
    expect(client.waiting).toBe(2);
    expect(decisions()).toHaveLength(1 + UPGRADES.small.reviews.length);
  });

  test('with only one of them left, that one is a row of its own', async () => {
    await show(UPGRADES.small);
    const [first, second, ...rest] = UPGRADES.small.reviews;
    const decided = [first, second].map((one) => ({ ...one!, state: 'approved' as const, decision: 4 }));
    api.push({ reviews: [...decided, ...rest] });
    await settle();
    expect(texts('main li .name')).toEqual(['Answer']);
  });
});

describe('the page of one upgrade', () => {
  test('approves as a whole only what carries no risk, and says what is left', async () => {
    await show(UPGRADES.mixed);
    await press('Review: Exa made 6 changes');
    expect(document.activeElement?.tagName).toBe('H1');
    expect(texts('h2')).toEqual(['1 needs care', '3 say they do no harm', '2 small changes']);
    expect(document.body.textContent).toContain('1 is gone from Exa.');
    expect(document.body.textContent).toContain('4 have buttons of their own.');
    expect(texts('.button.filled')).toEqual(['Approve 2 changes']);
    await press('Approve 2 changes');
    expect(decisions()).toEqual([
      [
        'review.approve',
        { id: 'inc-1', reviews: idsOf(UPGRADES.mixed.reviews.filter((one) => one.severity !== 'security')) },
      ],
    ]);
    expect(heading()).toBe('Exa made 4 changes');
    expect(document.activeElement?.tagName).toBe('H1');
    expect(texts('.button.filled')).toEqual(['Keep all off']);
  });

  test('tries it in one app first', async () => {
    await show(UPGRADES.small);
    await press('Exa made 2 changes');
    await press('Try them in Claude first');
    const inClaude = UPGRADES.small.reviews.filter((one) => one.appName === 'Claude');
    expect(decisions()).toEqual([['review.approve', { id: 'inc-1', reviews: idsOf(inClaude), app: 'claude' }]]);
    expect(document.body.textContent).toContain('Off in Cursor until you decide');
  });

  test('one by one: a change that was opened there leads back to it', async () => {
    await show(UPGRADES.mixed);
    await press('Review: Exa made 6 changes');
    await press('Review: Fetch page');
    expect(heading()).toBe('Fetch page can do more now');
    document.querySelector<HTMLButtonElement>('.bar .button.filled')?.click();
    await settle();
    await settle(); // it is off in two apps
    expect(heading()).toBe('Exa made 5 changes');
  });

  test('what a server says of itself is asked once, in a click of its own that names it', async () => {
    await show(UPGRADES.claims);
    await press('Review: Exa made 3 changes');
    expect(document.body.textContent).toContain('We can’t check it.');
    expect(texts('.button.filled')).toEqual(['Keep all off']);
    await press('Approve: they say they do no harm');
    expect(decisions()).toEqual([
      ['review.approve', { id: 'inc-1.0a1b2c3d', reviews: idsOf(UPGRADES.claims.reviews) }],
    ]);
    expect(heading()).toBe('Waiting for your OK');
  });

  test('opens when a notification asks for it', async () => {
    await show(UPGRADES.mixed);
    api.focus('inc-1');
    await settle();
    expect(heading()).toBe('Exa made 6 changes');
  });
});

test('another name is settled by the click on its notification and one more', async () => {
  await show({ continuity: [CONTINUITY.renamed] });
  api.answers = { 'continuity.rebind': () => ({ ok: true, value: { reviews: [] } }) };
  api.focus('con-1');
  await settle();
  expect(heading()).toBe('Is this the same tool?');
  await press('Yes, use Fetch page');
  expect(api.asked.at(-1)).toEqual(['continuity.rebind', { id: 'con-1', ref: 'srv-1/tool/fetch_page' }]);
  expect(document.body.textContent).toContain('Fetch page takes the place of Crawl page');
});
