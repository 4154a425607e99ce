import { mount, tick, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Snapshot } from '../../electron/control/snapshot.ts';
import App from '../../renderer/App.svelte';
import { Client } from '../../renderer/client.svelte.ts';
import { BEHIND_APPS, SETUPS } from '../gallery/samples.ts';
import { FakeApi } from './fake-api.ts';

let api: FakeApi;
let client: Client;
let app: Record<string, unknown>;

async function show(given: Partial<Snapshot>): Promise<void> {
  api = new FakeApi(given);
  api.answers = {
    'profiles.list': () => ({ ok: true, value: { profiles: [] } }),
    'apps.restart': () => ({ ok: true, value: { app: 'claude' } }),
  };
  client = new Client(api);
  app = mount(App, { target: document.body, props: { client } });
  await client.start();
  if (given.setup === undefined) client.go({ screen: 'apps' });
  await settle();
}
const settle = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await tick();
};
const buttons = (): HTMLButtonElement[] => [...document.querySelectorAll<HTMLButtonElement>('main button')];
const labels = (): string[] => buttons().map((one) => one.textContent.trim());
async function press(label: string): Promise<void> {
  const found = buttons().find((one) => one.textContent.trim() === label);
  if (found === undefined) throw new Error(`no button “${label}”: ${labels().join(' | ')}`);
  found.click();
  await settle();
}
const asked = (): unknown[] => api.asked.filter(([command]) => /^(?:apps\.restart|setup\.)/.test(command));

beforeEach(() => {
  document.body.innerHTML = '';
});
afterEach(async () => {
  await unmount(app);
  client.dispose();
});

test('a restart is offered only for an app that shows an older list and that can be restarted from here', async () => {
  await show({ apps: BEHIND_APPS });
  expect(labels().filter((label) => label.startsWith('Restart'))).toEqual(['Restart Claude']);
  expect(document.body.textContent).toContain('Restart Codex to see the update');
  expect(document.body.textContent).toContain('quit Codex completely, then open it again');
  expect(document.body.textContent).not.toContain('Restart Cursor');
});

test('it asks first, as it closes a window; the question has the focus, and leaving it does nothing', async () => {
  await show({ apps: BEHIND_APPS });
  await press('Restart Claude');
  expect(document.activeElement?.textContent).toContain('Finish what you are typing there first.');
  await press('Cancel');
  await press('Restart Claude');
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  await settle();
  expect(labels()).toContain('Restart Claude');
  expect(asked()).toEqual([]);
  await press('Restart Claude');
  await press('Close and reopen it now');
  expect(asked()).toEqual([['apps.restart', { app: 'claude' }]]);
});

test('where it fails, the person is told to do it, and can try again', async () => {
  await show({ apps: BEHIND_APPS });
  const error = {
    code: 'HOST_RESTART_FAILED',
    message: 'Holdfast could not restart Claude.',
    next: 'Close Claude and open it yourself.',
  } as const;
  api.answers = { ...api.answers, 'apps.restart': () => ({ ok: false, error }) };
  await press('Restart Claude');
  await press('Close and reopen it now');
  expect(document.querySelector('[role=alert]')?.textContent).toContain('Close Claude and open it yourself.');
  expect(labels()).toContain('Restart Claude');
});

test('first run restarts the app and goes on by itself', async () => {
  await show({ setup: SETUPS.restart });
  expect([...document.querySelectorAll('.button.filled')].map((one) => one.textContent.trim())).toEqual([
    'Restart Claude',
  ]);
  await press('Restart Claude');
  await press('Close and reopen it now');
  expect(asked()).toEqual([
    ['apps.restart', { app: 'claude' }],
    ['setup.next', { to: 'try' }],
  ]);
});
