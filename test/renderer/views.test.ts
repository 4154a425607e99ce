import { mount, tick, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import App from '../../renderer/App.svelte';
import { Client } from '../../renderer/client.svelte.ts';
import { hint, review } from '../support/desktop-samples.ts';
import { FakeApi } from './fake-api.ts';

const careful = { severity: 'security', change: { facts: [hint('destructiveHint', true)] } } as const;
const clock = { ref: 'srv-2/tool/clock', originKey: 'clock', title: 'Clock', serverName: 'Demo' };
let api: FakeApi;
let client: Client;
let app: Record<string, unknown>;

async function show(...reviews: ReturnType<typeof review>[]): Promise<void> {
  api = new FakeApi({ reviews });
  api.answers = {
    'review.show': () => ({
      ok: true,
      value: {
        review: reviews[0],
        before: { description: 'Reads.', annotations: { readOnlyHint: true } },
        after: { description: 'Reads <b>and</b> writes.', inputSchema: { required: ['account_id'] } },
      },
    }),
  };
  client = new Client(api);
  app = mount(App, { target: document.body, props: { client } });
  await client.start();
  await settle();
}
const settle = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await tick();
};
const button = (label: string): HTMLButtonElement => {
  const all = [...document.querySelectorAll('button')];
  const found = all.find((one) => (one.getAttribute('aria-label') ?? one.textContent).trim() === label);
  if (found === undefined)
    throw new Error(`no button “${label}”: ${all.map((one) => one.textContent.trim()).join(' | ')}`);
  return found;
};
const labels = (): string[] => [...document.querySelectorAll('main button')].map((one) => one.textContent.trim());
const heading = (): string => document.querySelector('h1')?.textContent ?? '';
const key = async (name: string): Promise<void> => {
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
  await settle();
};
const decisions = (): unknown[] => api.asked.filter(([command]) => command !== 'snapshot' && command !== 'review.show');

beforeEach(() => {
  document.body.innerHTML = '';
});
afterEach(async () => {
  await unmount(app);
  client.dispose();
});

test('a small change is decided in the list; a careful one can only be opened there', async () => {
  await show(review(careful), review({ ...clock, id: 'rev-2' }));
  expect(labels()).toEqual(['Fetch page', 'Review', 'Clock', 'Approve', 'Keep off']);
  button('Approve: Clock').click();
  await settle();
  expect(decisions()).toEqual([['review.approve', { id: 'rev-2', target: 'sha256:2' }]]);
  expect(document.body.textContent).toContain('Clock is on again in Claude');
  expect(document.activeElement?.textContent).toBe('Fetch page');
});

test('keys decide only on a row that has the focus, and never a careful one', async () => {
  await show(review(careful), review({ ...clock, id: 'rev-2' }));
  await key('a');
  await key('Enter');
  expect(decisions()).toEqual([]);
  await key('ArrowDown');
  expect(document.activeElement?.textContent).toBe('Fetch page');
  await key('a');
  await key('k');
  expect(decisions()).toEqual([]);
  await key('ArrowDown');
  await key('k');
  expect(decisions()).toEqual([['review.keep-off', { id: 'rev-2', target: 'sha256:2' }]]);
  await key('z');
  expect(decisions()).toHaveLength(2);
});

test('a careful change: the safe button is the filled one, the other says the risk, focus is on the heading', async () => {
  await show(review(careful));
  button('Review: Fetch page').click();
  await settle();
  expect(heading()).toBe('Fetch page can do more now');
  expect(document.activeElement?.tagName).toBe('H1');
  const filled = [...document.querySelectorAll('.button.filled')].map((one) => one.textContent.trim());
  expect(filled).toEqual(['Keep off']);
  expect(labels()).not.toContain('Approve');
  await key('Enter');
  expect(decisions()).toEqual([]);
  button('Approve: it can delete things').click();
  await settle();
  expect(decisions()).toEqual([['review.approve', { id: 'rev-1', target: 'sha256:2' }]]);
  expect(heading()).toBe('Waiting for your OK');
});

test('Escape leaves a review undecided', async () => {
  await show(review());
  button('Fetch page').click();
  await settle();
  expect(heading()).toBe('Fetch page changed');
  await key('Escape');
  expect(heading()).toBe('Waiting for your OK');
  expect(decisions()).toEqual([]);
});

test('a server’s words are text, never markup, and stand as a quotation', async () => {
  await show(review({ title: '<img src=x onerror=alert(1)>' }));
  button('<img src=x onerror=alert(1)>').click();
  await settle();
  expect(document.querySelectorAll('img, b.injected')).toHaveLength(0);
  expect(document.querySelector('blockquote')?.textContent).toBe('Reads.');
  expect([...document.querySelectorAll('blockquote')].at(-1)?.textContent).toBe('Reads <b>and</b> writes.');
});

test('before and now stand side by side', async () => {
  await show(review());
  button('Fetch page').click();
  await settle();
  const cells = [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
  expect(cells).toEqual([
    ['What it may do', 'Read only, also online', 'Read, change and delete, also online'],
    ['Needs', 'none', 'account id'],
  ]);
});

test('each app can be decided by itself', async () => {
  await show(review(), review({ id: 'rev-2', app: 'cursor', appName: 'Cursor' }));
  button('Fetch page').click();
  await settle();
  const row = [...document.querySelectorAll('details li')].find((one) => one.textContent.includes('Cursor'));
  row?.querySelector('button')?.click();
  await settle();
  expect(decisions()).toEqual([['review.approve', { id: 'rev-2', target: 'sha256:2' }]]);
});

test('an error stands as a banner with the window’s own next step', async () => {
  await show(review());
  const error = {
    code: 'REVIEW_UNKNOWN',
    message: 'There is no such review.',
    next: 'Run "holdfast review list".',
  } as const;
  api.answers = { 'review.approve': () => ({ ok: false, error }) };
  button('Approve: Fetch page').click();
  await settle();
  const banner = document.querySelector('[role=alert]')?.textContent;
  expect(banner).toContain('There is no such review.');
  expect(banner).toContain('Go back to the list');
  expect(banner).not.toContain('holdfast review');
});

test('what is gone is told, what is paused can be resumed, what is empty has one filled button', async () => {
  await show();
  api.push({ tray: 'paused', missing: [{ app: 'Claude', serverName: 'Demo', title: 'Clock' }] });
  await settle();
  expect(document.body.textContent).toContain('Clock is gone from Demo. Claude can’t use it.');
  expect(document.querySelectorAll('.button.filled')).toHaveLength(1);
  button('Resume').click();
  await settle();
  expect(decisions()).toEqual([['resume', {}]]);
});

test('the whole window changes its language', async () => {
  await show(review());
  api.push({ language: 'zh-CN' });
  await settle();
  expect(heading()).toBe('等你确认');
  expect(document.documentElement.lang).toBe('zh-CN');
});
