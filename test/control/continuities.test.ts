import { beforeEach, describe, expect, test } from 'vitest';
import type { Control } from '../../electron/control/control.ts';
import type { ContinuityView, ReviewView } from '../../electron/control/snapshot.ts';
import { controlOn, DEMO, exposeDemo, observed } from '../store/control.ts';
import { openStore, temporaryFolder } from '../store/support.ts';

let control: Control;
beforeEach(async () => {
  const { store } = await openStore(temporaryFolder());
  control = controlOn(store);
});

const ref = (name: string): string => `${DEMO}/tool/${name}`;
const questions = (): readonly ContinuityView[] => control.snapshot().continuity;
const only = (): ContinuityView => {
  const [question, ...more] = questions();
  expect(more).toEqual([]);
  return question!;
};
const on = (): string[] =>
  [...(control.surface('claude-desktop' as never)?.entries.keys() ?? [])].map((key) => key.replace('tool/', '')).sort(); // the app of the sample
/** Everything of the first list is on, and then the server offers the second one. */
async function upgrade(before: Record<string, string>, after: Record<string, string>): Promise<void> {
  await exposeDemo(control, before);
  await control.dispatch(observed(after));
}
type Answer = { readonly reviews: readonly ReviewView[] };
const rebind = (id: string, to: string | null) =>
  control.run('continuity.rebind', { id, ref: to === null ? null : ref(to) }) as Promise<Answer>;

const OLD = { crawl_page: 'Reads a page of the web.', search: 'Finds pages.' };
const NEW = { read_page: 'Reads a page of the web. Replaces crawl_page.', search: 'Finds pages.' };

describe('a tool that went while another one came', () => {
  test('is asked about, stays off, and goes on once a person says that it is the same', async () => {
    await upgrade(OLD, NEW);
    expect(only()).toMatchObject({
      type: 'renamed',
      serverName: 'Demo',
      apps: ['Claude Desktop'],
      old: [{ ref: ref('crawl_page'), title: 'Crawl page', wasUsed: true }],
      now: [{ ref: ref('read_page'), title: 'Read page', basis: 'told' }],
    });
    expect(on()).toEqual(['search']);
    const { reviews } = await rebind(only().id, 'read_page');
    expect(on()).toEqual(['read_page', 'search']);
    expect(questions()).toEqual([]);
    expect(reviews).toMatchObject([{ originKey: 'read_page', state: 'approved', decidedBy: 'person' }]);

    await control.run('review.undo', { id: reviews[0]?.id, decision: reviews[0]?.decision });
    expect(on()).toEqual(['search']);
    expect(only().type).toBe('renamed');
  });

  test('is not asked about again once a person says that it is another one', async () => {
    await upgrade(OLD, NEW);
    expect(await rebind(only().id, null)).toEqual({ reviews: [] });
    expect([questions(), on()]).toEqual([[], ['search']]);
  });

  test('is a guess where the server says nothing, and no percentage decides', async () => {
    await upgrade(OLD, { 'read-page': OLD.crawl_page, search: OLD.search });
    expect(only().now).toMatchObject([{ ref: ref('read-page'), basis: 'guess' }]);
    expect(on()).toEqual(['search']);
  });

  test('is another question where what is new has changed since it was shown', async () => {
    await upgrade(OLD, NEW);
    const { id } = only();
    await control.dispatch(observed({ ...NEW, read_page: 'Reads a page of the web, too. Replaces crawl_page.' }));
    await expect(rebind(id, 'read_page')).rejects.toThrow('REVIEW_STALE');
    await expect(rebind(only().id, 'search')).rejects.toThrow('REVIEW_STALE');
    expect(on()).toEqual(['search']);
  });

  test('is not asked about where nobody had it, or nothing is like it', async () => {
    await upgrade(OLD, { send_mail: 'Posts a letter to somebody.', search: OLD.search });
    expect(questions()).toEqual([]);
  });
});

test('several that became one are approved together or kept off together', async () => {
  const old = { crawl_one: 'Reads one page.', crawl_many: 'Reads many pages.' };
  await upgrade(old, { crawl: 'Reads pages. Replaces crawl_one and crawl_many.' });
  expect(only()).toMatchObject({ type: 'merged', now: [{ ref: ref('crawl') }] });
  expect(
    only()
      .old.map((each) => each.ref)
      .sort(),
  ).toEqual([ref('crawl_many'), ref('crawl_one')]);
  await control.run('continuity.merge', { id: only().id, verdict: 'approve' });
  expect([on(), questions()]).toEqual([['crawl'], []]);
});

test('one that became several is offered piece by piece, and what is not chosen stays off', async () => {
  const after = { page_read: 'Reads a page. Replaces edit_page.', page_write: 'Writes a page. Replaces edit_page.' };
  await upgrade({ edit_page: 'Reads and writes a page.' }, after);
  expect(only()).toMatchObject({ type: 'split', old: [{ ref: ref('edit_page') }] });
  await control.run('continuity.split', { id: only().id, refs: [ref('page_read')] });
  expect([on(), questions()]).toEqual([['page_read'], []]);
});
