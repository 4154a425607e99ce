import { mount, tick, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import App from '../../renderer/App.svelte';
import { Client } from '../../renderer/client.svelte.ts';
import { FakeApi } from './fake-api.ts';

const NOTES = {
  ...{ id: '0123456789abcdef', name: 'notes', isKnown: false, command: 'npx', args: ['-y', 'notes@1.4.2', 'a b'] },
  ...{ folder: null, isRemote: false, env: [{ name: 'NOTES_TOKEN', isSecret: true, value: '•••' }], blanks: [] },
  isSuggested: true,
  apps: [{ app: 'cursor', title: 'Cursor', isDisabled: false, canMove: true }],
};
const ASKS = {
  ...{ ...NOTES, id: 'fedcba9876543210', name: 'asks', isSuggested: false },
  blanks: [{ token: '${input:place}', label: 'The place', isSecret: false, fallback: null }],
};
const FOUND = {
  servers: [NOTES, ASKS],
  skipped: [
    {
      app: 'cursor',
      title: 'Cursor',
      file: '/f',
      entry: 'empty',
      reason: { en: 'It names no program.', 'zh-CN': '没有程序。' },
    },
  ],
  unread: [],
};
const TAKEN = { dryRun: false, taken: [{ name: 'notes' }], left: [], edits: [{ app: 'cursor', changed: true }] };
let api: FakeApi;
let client: Client;
let app: Record<string, unknown>;

async function text(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await tick();
  return document.querySelector('main')?.textContent ?? '';
}

function press(name: RegExp): void {
  const buttons = [...document.querySelectorAll('button')];
  buttons.find((button) => name.test(button.textContent))?.click();
}

beforeEach(async () => {
  document.body.innerHTML = '';
  api = new FakeApi();
  api.answers = {
    'import.look': () => ({ ok: true, value: FOUND }),
    'import.try': () => ({ ok: true, value: { name: 'notes', ok: true, problem: null, tools: ['a', 'b'] } }),
    'import.take': () => ({ ok: true, value: TAKEN }),
    'apps.disconnect': () => ({ ok: true, value: {} }),
  };
  client = new Client(api);
  app = mount(App, { target: document.body, props: { client } });
  await client.start();
  client.go({ screen: 'servers' });
  await text();
  press(/Bring in/);
  await text();
});
afterEach(async () => {
  await unmount(app);
  client.dispose();
});

test('each server is shown with its whole command, ticked where it needs nothing, and nothing has started', async () => {
  expect(await text()).toContain('npx -y notes@1.4.2 "a b"');
  expect([...document.querySelectorAll('[role=checkbox]')].map((box) => box.getAttribute('aria-checked'))).toEqual([
    'true',
    'false',
  ]);
  expect(await text()).toContain('empty · Cursor: It names no program.');
  expect(api.asked.map(([command]) => command)).not.toContain('import.try');
  api.push({ language: 'zh-CN' });
  expect(await text()).toContain('没有程序。');
});

test('one is tried only when asked for, and what is ticked is moved with one click and put back with another', async () => {
  press(/Try it/);
  expect(await text()).toContain('It works. It has 2 tools.');
  press(/Move 1 server here/);
  expect(await text()).toContain('1 server is here now');
  expect(api.asked.at(-1)).toEqual(['import.take', { servers: [{ id: NOTES.id, values: {} }] }]);
  press(/Put my old settings back/);
  await text();
  expect(api.asked).toContainEqual(['apps.disconnect', { app: 'cursor' }]);
});

test('what only the app knows is asked for and sent along', async () => {
  document.querySelectorAll<HTMLElement>('[role=checkbox]')[1]?.click();
  const field = document.querySelector<HTMLInputElement>('main input.input');
  if (field !== null) field.value = 'Home';
  field?.dispatchEvent(new Event('input', { bubbles: true }));
  await text();
  press(/Move 2 servers here/);
  await text();
  const values = { '${input:place}': 'Home' };
  expect(api.asked.at(-1)).toEqual([
    'import.take',
    {
      servers: [
        { id: NOTES.id, values: {} },
        { id: ASKS.id, values },
      ],
    },
  ]);
});
