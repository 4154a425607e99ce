import { beforeEach, expect, test } from 'vitest';
import { Client } from '../../renderer/client.svelte.ts';
import { review } from '../support/desktop-samples.ts';
import { FakeApi } from './fake-api.ts';

const inCursor = review({ id: 'rev-2', app: 'cursor', appName: 'Cursor' });
let api: FakeApi;
let client: Client;

beforeEach(async () => {
  api = new FakeApi({ reviews: [review(), inCursor] });
  client = new Client(api);
  await client.start();
  api.asked.length = 0;
});

const card = () => client.cards[0]!;

test('a decision names every app’s review and the definition on the screen', async () => {
  expect(await client.decide(card(), 'approve')).toBe(true);
  expect(api.asked).toEqual([
    ['review.approve', { id: 'rev-1', target: 'sha256:2' }],
    ['review.approve', { id: 'rev-2', target: 'sha256:2' }],
  ]);
  expect(client.done?.text).toBe('Fetch page is on again in Claude and Cursor');
  expect(client.announcement).toBe(client.done?.text);
});

test('undo takes exactly these decisions back', async () => {
  await client.decide(card(), 'keep-off');
  expect(client.done?.text).toBe('Fetch page stays off');
  api.asked.length = 0;
  await client.undo();
  expect(api.asked).toEqual([
    ['review.undo', { id: 'rev-1', decision: 2 }],
    ['review.undo', { id: 'rev-2', decision: 3 }],
  ]);
  expect(client.done).toBeNull();
  expect(client.inbox.waiting).toHaveLength(1);
});

test('a double click decides once', async () => {
  const [first, second] = await Promise.all([client.decide(card(), 'approve'), client.decide(card(), 'keep-off')]);
  expect([first, second]).toEqual([true, false]);
  expect(api.asked.map(([command]) => command)).toEqual(['review.approve', 'review.approve']);
});

test('an error stops the rest, stays on the screen, and goes with the next try', async () => {
  const error = { code: 'REVIEW_STALE', message: 'It has changed again.', next: 'Look once more.' } as const;
  api.answers = { 'review.approve': () => ({ ok: false, error }) };
  expect(await client.decide(card(), 'approve')).toBe(false);
  expect(api.asked).toHaveLength(1);
  expect([client.error, client.done]).toEqual([error, null]);
  api.answers = {};
  await client.decide(card(), 'approve');
  expect(client.error).toBeNull();
});

test('a main process that is gone is an error like any other', async () => {
  api.invoke = () => Promise.reject(new Error('gone'));
  expect(await client.ask('resume', {})).toBeNull();
  expect(client.error?.message).toBe('Holdfast did not answer.');
});

test('an older snapshot never replaces a newer one', () => {
  api.push({ sequence: 9, language: 'zh-CN' });
  api.push({ sequence: 8, language: 'en' });
  expect(client.language).toBe('zh-CN');
});

test('a review that is asked for opens, also when the window does not know it yet', () => {
  api.focus('rev-2');
  expect(client.view).toEqual({ screen: 'review', key: card().key });
  api.focus('rev-9');
  expect(client.view).toEqual({ screen: 'review', key: card().key });
  const later = review({ id: 'rev-9', ref: 'srv-1/tool/search', title: 'Search' });
  api.push({ reviews: [...api.current.reviews, later] });
  expect(client.view).toEqual({ screen: 'review', key: 'srv-1/tool/search sha256:2' });
});

test('a screen that is asked for opens, and a review that never came is no longer waited for', () => {
  api.focus('rev-9');
  api.focus('servers');
  expect(client.view).toEqual({ screen: 'servers' });
  api.push({ reviews: [...api.current.reviews, review({ id: 'rev-9', ref: 'srv-1/tool/search' })] });
  expect(client.view).toEqual({ screen: 'servers' });
});

test('something new is on, not on again', async () => {
  api.push({ reviews: [review({ change: { change: 'added' } })] });
  await client.decide(card(), 'approve');
  expect(client.done?.text).toBe('Fetch page is on in Claude');
});
