import { mount, tick, unmount } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import App from '../../renderer/App.svelte';
import { Client } from '../../renderer/client.svelte.ts';
import type { ServerView, Snapshot } from '../../electron/control/snapshot.ts';
import { FakeApi } from './fake-api.ts';

const FILES = {
  id: 'srv-1',
  name: 'Files',
  version: null,
  state: 'idle',
  problem: null,
  cause: null,
  tools: 3,
} as ServerView; // a sample id
let api: FakeApi;
let client: Client;
let app: Record<string, unknown>;

async function show(given: Partial<Snapshot>): Promise<string> {
  document.body.innerHTML = '';
  api = new FakeApi({ servers: [FILES], ...given });
  client = new Client(api);
  app = mount(App, { target: document.body, props: { client } });
  await client.start();
  client.go({ screen: 'servers' });
  return text();
}

async function text(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await tick();
  return document.querySelector('main')?.textContent ?? '';
}

afterEach(async () => {
  await unmount(app);
  client.dispose();
});

test('keys in a plain file are said to be there, in one calm line', async () => {
  expect(await show({ keys: 'file' })).toContain('Keys are kept in a file that only you can read');
  expect(document.querySelector('.banner')).toBeNull();
  api.push({ language: 'zh-CN' });
  expect(await text()).toContain('密钥保存在只有你能读取的文件中');
});

test('locked keys come with what to do', async () => {
  const shown = await show({ keys: 'no-key-store' });
  expect(shown).toContain('nothing is lost. Unlock this computer’s key store, then open Holdfast again.');
  expect(document.querySelector('.banner')?.getAttribute('role')).toBe('status');
  api.push({ language: 'zh-CN' });
  expect(await text()).toContain('请解锁这台电脑的密钥存储');
});

test('keys that the key store does not open come with where to see what to do', async () => {
  const shown = await show({ keys: 'unopenable' });
  expect(shown).toContain('does not open your servers’ keys; the file is kept. Run “holdfast doctor”');
  expect(shown).not.toContain('Unlock this computer');
  api.push({ language: 'zh-CN' });
  expect(await text()).toContain('密钥存储打不开服务的密钥');
});

test.each(['none', 'sealed'] as const)('nothing is said of keys that are %s', async (keys) => {
  expect(await show({ keys })).not.toMatch(/[Kk]eys|key store/);
  api.push({ keys: 'file' });
  expect(await text()).toMatch(/Keys are kept/);
});
