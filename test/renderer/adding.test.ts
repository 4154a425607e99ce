import { mount, tick, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import App from '../../renderer/App.svelte';
import { Client } from '../../renderer/client.svelte.ts';
import { FakeApi } from './fake-api.ts';

const FIELD = {
  about: null,
  type: 'text',
  isSecret: false,
  isRequired: true,
  isMany: false,
  choices: [],
  min: null,
  max: null,
};
const OFFERED = {
  offer: 'offer-0123456789abcdef',
  from: 'file',
  source: 'notes.mcpb',
  reviewed: null,
  digest: 'sha256:abc',
  author: 'Ada',
  name: 'Notes',
  version: '1.2.0',
  about: 'Keeps notes.',
  isRemote: false,
  fields: [
    { ...FIELD, key: 'folders', title: 'Folders', isMany: true, default: ['/a'] },
    { ...FIELD, key: 'key', title: 'Key', isSecret: true, default: [] },
  ],
  updates: [],
  command: 'node',
  args: ['/data/bundles/notes/server.js', '/a'],
  env: [{ name: 'NOTES_KEY', value: null }],
  missing: ['key'],
  wrong: [],
};
const { command, args, env } = OFFERED;
const ok = (value: unknown) => () => ({ ok: true as const, value });
let api: FakeApi;
let client: Client;
let app: Record<string, unknown>;

beforeEach(async () => {
  document.body.innerHTML = '';
  api = new FakeApi();
  api.answers = {
    'getting.open': ok(OFFERED),
    'getting.pick': ok({ ...OFFERED, from: 'registry', source: 'a/notes', author: null }),
    'getting.fill': ({ values }: { values: Record<string, string[]> }) => ({
      ok: true,
      value: {
        command,
        args: [args[0], ...(values['folders'] ?? ['/a'])],
        env,
        missing: values['key'] ? [] : ['key'],
        wrong: [],
      },
    }),
    'getting.add': ok({ added: true, server: 'Notes', id: 'srv-1' }),
    'getting.drop': ok({ dropped: true }),
    'getting.search': ({ online }: { online: boolean }) => ({
      ok: true,
      value: {
        found: [
          {
            name: online ? 'a/notes' : 'files',
            title: online ? 'Public' : 'Ours',
            about: 'x',
            version: '1',
            from: online ? 'registry' : 'catalogue',
            isDeprecated: false,
          },
        ],
        isCut: false,
        asOf: null,
      },
    }),
  };
  client = new Client(api);
  app = mount(App, { target: document.body, props: { client } });
  await client.start();
  client.go({ screen: 'add-server' });
  await settled();
});
afterEach(async () => {
  await unmount(app);
  client.dispose();
});

async function settled(): Promise<string> {
  for (let turn = 0; turn < 4; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    await tick();
  }
  return document.querySelector('main')?.textContent ?? '';
}

const askedFor = (name: string): unknown[] => api.asked.filter(([asked]) => asked === name).map(([, input]) => input);
const button = (label: string): HTMLButtonElement | undefined =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === label);

function type(selector: string, value: string): void {
  const field = document.querySelector<HTMLInputElement>(selector)!;
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

test('a bundle that was opened is shown whole, and started only by the button that says so', async () => {
  api.open({ type: 'file', text: '/home/notes.mcpb' });
  const shown = await settled();
  expect(askedFor('getting.open')).toEqual([{ file: '/home/notes.mcpb' }]);
  expect(shown).toContain('node /data/bundles/notes/server.js /a');
  expect(shown).toContain('From the file notes.mcpb');
  expect(shown).toContain('Nobody checked that');
  expect(document.querySelectorAll('input[type=password]')).toHaveLength(1);
  button('Add and start')?.click();
  expect(await settled()).toContain('Fill in Key');
  expect(askedFor('getting.add')).toEqual([]);
  type('textarea', '/b\n/c');
  type('input[type=password]', 'secret');
  expect(await settled()).toContain('node /data/bundles/notes/server.js /b /c');
  button('Add and start')?.click();
  await settled();
  expect(askedFor('getting.add')).toEqual([
    { offer: OFFERED.offer, values: { folders: ['/b', '/c'], key: ['secret'] }, name: 'Notes', known: 'ask' },
  ]);
});

test('cancelling takes away what was unpacked', async () => {
  api.open({ type: 'file', text: '/home/notes.mcpb' });
  await settled();
  button('Cancel')?.click();
  expect(await settled()).toContain('Paste what the server’s page gives you');
  expect(askedFor('getting.drop')).toEqual([{ offer: OFFERED.offer }]);
});

test('a link only fills the screen in, and the screen says that it was a link', async () => {
  const pasted = { name: 'X', command: 'npx', args: ['-y', 'x@1.0.0'], env: [], holes: [], isRemote: false };
  api.answers = { ...api.answers, 'getting.link': ok({ laidOut: null, pasted }) };
  api.open({ type: 'link', text: 'holdfast://add?config=x' });
  const shown = await settled();
  expect(shown).toContain('npx -y x@1.0.0');
  expect(shown).toContain('A link asks for this');
  expect([...askedFor('servers.add'), ...askedFor('getting.add')]).toEqual([]);
});

test('our list is there at once; the public one is asked only by its button', async () => {
  expect(button('Ours')).toBeDefined();
  expect(askedFor('getting.search')).toEqual([{ word: '', online: false }]);
  type('input[type=search]', 'notes');
  await settled();
  button('Look in the public list, too')?.click();
  await settled();
  expect(askedFor('getting.search').at(-1)).toEqual({ word: 'notes', online: true });
  button('Public')?.click();
  expect(await settled()).toContain('We have not looked at it');
  expect(askedFor('getting.pick')).toEqual([{ name: 'a/notes' }]);
});
