import { describe, expect, test } from 'vitest';
import { appNames, cardsOf, inboxOf, linesOf, missingOf, undecided } from '../../renderer/cards.ts';
import { wordsFor } from '../../renderer/words.ts';
import { hint, review, snapshot } from '../support/desktop-samples.ts';

const inCursor = { id: 'rev-2', app: 'cursor', appName: 'Cursor' };
const search = { id: 'rev-3', ref: 'srv-1/tool/search', originKey: 'search', title: 'Search' };

describe('cards', () => {
  test('one change is one card for all its apps; another definition is another card', () => {
    const cards = cardsOf([
      review(),
      review(inCursor),
      review({ ...search }),
      review({ id: 'rev-4', targetId: 'sha256:9' }),
    ]);
    expect(cards.map(({ title, reviews }) => [title, appNames(reviews)])).toEqual([
      ['Fetch page', ['Claude', 'Cursor']],
      ['Search', ['Claude']],
      ['Fetch page', ['Claude']],
    ]);
  });

  test('the most careful of its apps counts', () => {
    const facts = [hint('openWorldHint', true)];
    const [card] = cardsOf([review(), review({ ...inCursor, severity: 'security', change: { facts } })]);
    expect(card).toMatchObject({ tier: 'careful', risks: ['online'] });
  });

  test.each([
    [['pending', 'approved'], 'waiting'],
    [['kept-off', 'approved'], 'off'],
    [['approved', 'superseded'], 'on'],
    [['superseded', 'superseded'], 'outdated'],
  ] as const)('%s makes it %s', ([first, second], state) => {
    expect(cardsOf([review({ state: first }), review({ ...inCursor, state: second })])[0]?.state).toBe(state);
  });

  test('a decision on the card is about the apps that have not decided', () => {
    const [card] = cardsOf([review({ state: 'approved' }), review(inCursor)]);
    expect(undecided(card!).map(({ id }) => id)).toEqual(['rev-2']);
  });
});

describe('the inbox', () => {
  const apps = snapshot({
    apps: [
      {
        id: review().app,
        name: 'Claude',
        connected: 1,
        entries: 1,
        epoch: 1,
        fetched: null,
        trouble: null,
        withheld: [{ title: 'Search', kind: 'tool', reason: 'rejected' }],
      },
    ],
  }).apps;

  test('starts with what is risky; quiet changes do not ask', () => {
    const cards = cardsOf([
      review({ ...search, severity: 'compatible' }),
      review(),
      review({ id: 'rev-5', ref: 'srv-1/tool/zip', title: 'Zip', severity: 'security' }),
      review({ id: 'rev-6', ref: 'srv-1/tool/new', title: 'New', quiet: true }),
    ]);
    const { waiting, off } = inboxOf(cards);
    expect(waiting.map(({ title }) => title)).toEqual(['Zip', 'Fetch page', 'Search']);
    expect(off.map(({ title }) => title)).toEqual(['New']);
  });

  test('a backlog starts with what apps used last, and careful ones go on looking careful', () => {
    const cards = cardsOf([
      review({ id: 'rev-5', ref: 'srv-1/tool/zip', title: 'Zip', severity: 'security' }),
      review({ ...search, severity: 'compatible' }),
      review(),
    ]);
    const lastUsed = { [search.ref]: '2026-09-02T10:00:00.000Z', [review().ref]: '2026-09-01T10:00:00.000Z' };
    const { waiting } = inboxOf(cards, { apps: [], lastUsed });
    expect(waiting.map(({ title, tier }) => [title, tier])).toEqual([
      ['Search', 'small'],
      ['Fetch page', 'check'],
      ['Zip', 'careful'],
    ]);
  });

  test('what was kept off is listed while it holds something back', () => {
    const cards = cardsOf([
      review({ ...search, state: 'kept-off', decision: 3 }),
      review({ state: 'kept-off', decision: 4 }),
    ]);
    expect(inboxOf(cards, { apps }).off.map(({ title }) => title)).toEqual(['Search']);
  });

  test('a tool shows up once, with its newest change', () => {
    const older = { state: 'approved', decision: 2, targetId: 'sha256:1' } as const;
    const waiting = inboxOf(cardsOf([review(), review({ ...older, id: 'rev-7' })]), { apps });
    expect([waiting.waiting.length, waiting.on.length]).toEqual([1, 0]);
    const cards = cardsOf([review({ ...older, id: 'rev-7' }), review({ state: 'approved', decision: 5 })]);
    expect(inboxOf(cards, { apps }).on.map(({ reviews }) => reviews[0].decision)).toEqual([5]);
  });
});

describe('what changed', () => {
  const words = wordsFor('en');

  test('says the risk first, and no sentence twice', () => {
    const facts = [hint('readOnlyHint', false), hint('destructiveHint', true)];
    const risky = { severity: 'security', change: { facts } } as const;
    const [card] = cardsOf([review(risky), review({ ...inCursor, ...risky })]);
    expect(linesOf(card!, words)).toEqual([
      { text: 'Can now delete or overwrite things.', tier: 'careful' },
      { text: 'What it says about itself has changed.', tier: 'check' },
    ]);
  });

  test('a risk without words of its own is carried by the change’s sentence', () => {
    const [card] = cardsOf([review({ severity: 'security' })]);
    expect(linesOf(card!, words)).toEqual([{ text: 'What it says about itself has changed.', tier: 'careful' }]);
  });

  test('a first claim to be harmless is told once, as what the server says now', () => {
    const claim = { ...hint('readOnlyHint', true), class: 'hint.readOnlyHint.claimed' };
    const [card] = cardsOf([review({ severity: 'security', change: { facts: [claim] } })]);
    expect(linesOf(card!, words)).toEqual([{ text: 'What it says about itself has changed.', tier: 'careful' }]);
    expect(card!.risks).toEqual(['safer.changes']);
  });

  test('a breaking change says what may happen', () => {
    const [card] = cardsOf([review({ severity: 'breaking' })]);
    expect(linesOf(card!, words).at(-1)?.text).toBe('Something that works today may stop working.');
  });
});

test('what is gone is one line for all apps that miss it', () => {
  const gone = (app: string, title = 'Clock') => ({ app, serverName: 'Demo', title });
  expect(missingOf([gone('Claude'), gone('Cursor'), gone('Claude', 'Map')])).toEqual([
    { tool: 'Clock', server: 'Demo', apps: ['Claude', 'Cursor'] },
    { tool: 'Map', server: 'Demo', apps: ['Claude'] },
  ]);
});
