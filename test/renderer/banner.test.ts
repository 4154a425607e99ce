import { mount, tick, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Banner } from '../../electron/control/snapshot.ts';
import App from '../../renderer/App.svelte';
import { Client } from '../../renderer/client.svelte.ts';
import { server } from '../gallery/samples.ts';
import { review } from '../support/desktop-samples.ts';
import { FakeApi } from './fake-api.ts';

let api: FakeApi;
let client: Client;
let app: Record<string, unknown>;

const settle = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await tick();
};
const banners = (): string[] =>
  [...document.querySelectorAll('.banner[role=status]')].map((one) => one.textContent.trim().replaceAll(/\s+/g, ' '));
async function press(label: string): Promise<void> {
  const all = [...document.querySelectorAll<HTMLButtonElement>('.banner button')];
  all.find((one) => one.textContent.trim() === label)?.click();
  await settle();
}
async function tell(more: Partial<Banner> = {}): Promise<void> {
  const told = { title: 'Fetch page changed', body: 'It’s off in Claude until you decide.', openLabel: 'Review' };
  api.banner({ ...told, place: review().id, reviews: [review().id], ...more });
  await settle();
}

beforeEach(async () => {
  document.body.innerHTML = '';
  api = new FakeApi({ reviews: [review()] });
  client = new Client(api);
  app = mount(App, { target: document.body, props: { client } });
  await client.start();
  client.go({ screen: 'settings' });
  await settle();
});
afterEach(async () => {
  await unmount(app);
  client.dispose();
});

test('what happens while the person looks at the window is one banner there, and its button leads to it', async () => {
  await tell({ title: 'An earlier one' });
  await tell();
  expect(banners()).toEqual(['Fetch page changed It’s off in Claude until you decide. Review Close']);
  await press('Review');
  expect(document.querySelector('h1')?.textContent).toBe('Fetch page changed');
  expect(banners()).toEqual([]);
});

test('it takes no focus, and can be closed without a decision', async () => {
  const focused = document.activeElement;
  await tell();
  expect(document.activeElement).toBe(focused);
  await press('Close');
  expect(banners()).toEqual([]);
  expect(client.waiting).toBe(1);
});

test('it goes once what it asks about is decided anywhere', async () => {
  await tell();
  api.push({ reviews: [review({ state: 'approved', decision: 4 })] });
  await settle();
  expect(banners()).toEqual([]);
});

test('what asks nothing stays until it is closed', async () => {
  api.push({ servers: [server({ state: 'problem' })] });
  await tell({ title: 'Exa isn’t working', place: 'servers', reviews: [] });
  api.push({ reviews: [] });
  await settle();
  expect(banners()).toHaveLength(1);
  await press('Review');
  expect(client.view).toEqual({ screen: 'servers' });
});

test('that a server does not work is told until it does', async () => {
  const exa = server({ state: 'problem' });
  api.push({ servers: [exa] });
  await tell({ title: 'Exa isn’t working', place: 'servers', reviews: [] });
  expect(banners()).toHaveLength(1);
  api.push({ servers: [{ ...exa, state: 'working' }] });
  await settle();
  expect(banners()).toEqual([]);
});
