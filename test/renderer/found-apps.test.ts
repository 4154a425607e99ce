import { mount, tick, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import App from '../../renderer/App.svelte';
import { Client } from '../../renderer/client.svelte.ts';
import { FakeApi } from './fake-api.ts';

const ZED = { id: 'zed', name: 'Zed', servers: 2, isReadable: true };
let api: FakeApi;
let client: Client;
let app: Record<string, unknown>;
let isHere: boolean;

beforeEach(async () => {
  document.body.innerHTML = '';
  api = new FakeApi({ apps: [] });
  isHere = false;
  api.answers = {
    'apps.list': () => ({ ok: true, value: { apps: [], found: isHere ? [ZED] : [] } }),
    'profiles.list': () => ({ ok: true, value: { profiles: [] } }),
    'apps.connect': () => {
      isHere = false;
      api.push({});
      return { ok: true, value: {} };
    },
  };
  client = new Client(api);
  app = mount(App, { target: document.body, props: { client } });
  await client.start();
  client.go({ screen: 'apps' });
  await settled();
});
afterEach(async () => {
  await unmount(app);
  client.dispose();
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await tick();
}
async function press(label: string): Promise<void> {
  const named = [...document.querySelectorAll('button')].find((button) => button.textContent.trim() === label);
  expect(named, label).toBeDefined();
  named?.click();
  await settled();
}

test('an app that comes later is found by looking again, and connected with one click', async () => {
  expect(document.body.textContent).toContain('No AI app found yet');
  isHere = true;
  await press('Look again');
  expect(document.body.textContent).toContain('2 servers of its own, which stay');
  await press('Connect Zed');
  expect(api.asked).toContainEqual(['apps.connect', { app: 'zed' }]);
  expect(document.body.textContent).toContain('Zed is connected');
  expect(document.body.textContent).not.toContain('Found, not connected');
});
