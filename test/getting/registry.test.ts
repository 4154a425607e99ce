import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { errorWords } from '../../electron/core/error-sentences.ts';
import { HoldfastError } from '../../electron/core/errors.ts';
import { Getting } from '../../electron/getting/getting.ts';
import { Registry } from '../../electron/getting/registry.ts';
import { FakeRegistry, listing } from './fake-registry.ts';
import { bundleOf } from './zip.ts';

let dataDir: string;
let registry: FakeRegistry;
beforeEach(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-registry-'));
  registry = await FakeRegistry.start(() => ({ body: { servers: [] } }));
});
afterEach(async () => {
  await registry.stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const AT = '2026-11-30T12:00:00.000Z';
const client = (more: { fetch?: typeof fetch } = {}) =>
  new Registry({ dataDir, base: registry.base, now: () => AT, fetch, ...more });
const getting = (more: { fetch?: typeof fetch } = {}) =>
  new Getting({
    dataDir,
    home: '/h',
    platform: 'linux',
    registry: registry.base,
    now: () => AT,
    fetch,
    bridgeSource: '',
    version: '1',
    ...more,
  });
const free = (): boolean => false;
const names = (found: readonly { server: { name: string } }[]): string[] => found.map(({ server }) => server.name);

async function refusal(asked: Promise<unknown>): Promise<unknown> {
  const error: unknown = await asked.catch((thrown: unknown) => thrown);
  if (!(error instanceof HoldfastError)) return 'taken';
  expect(errorWords(error, 'zh-CN').message).not.toContain('–');
  return error.details['refusal'];
}

test('all pages are read; entries that do not fit or were taken out are passed over', async () => {
  const pages: Record<string, unknown> = {
    '': {
      servers: [listing('a/one'), { server: { name: 'no slash' } }, listing('a/gone', {}, 'deleted'), 7],
      metadata: { nextCursor: 'c2' },
    },
    c2: { servers: [listing('a/two', {}, 'deprecated')], metadata: { count: 1 } },
  };
  registry.answer = (url) => ({ body: pages[url.searchParams.get('cursor') ?? ''] });
  const { found, isCut, asOf } = await client().search('note');
  expect([names(found), isCut, asOf]).toEqual([['a/one', 'a/two'], false, null]);
  expect(found[1]?.isDeprecated).toBe(true);
  expect(registry.asked[0]).toBe('/v0.1/servers?search=note&version=latest&limit=50');
});

test('a registry that never comes to an end is read for a few pages, and a cursor that returns ends it', async () => {
  let page = 0;
  registry.answer = () => ({ body: { servers: [listing(`a/s${++page}`)], metadata: { nextCursor: `c${page}` } } });
  expect(await client().search('x')).toMatchObject({ isCut: true });
  expect(registry.asked).toHaveLength(4);
  registry.answer = () => ({ body: { servers: [listing('a/s')], metadata: { nextCursor: 'same' } } });
  expect(await client().search('x')).toMatchObject({ isCut: false });
  expect(registry.asked).toHaveLength(6);
});

test('without a connection what was found before is found again, with the day it is from', async () => {
  registry.answer = () => ({ body: { servers: [listing('a/notes'), listing('a/mail')] } });
  await client().search('');
  registry.answer = () => undefined;
  const { found, asOf } = await client().search('NOTES');
  expect([names(found), asOf]).toEqual([['a/notes'], AT]);
  expect((await client().entry('a/mail')).server.name).toBe('a/mail');
  expect(await refusal(client().search('calendar'))).toBe('offline');
  fs.writeFileSync(path.join(dataDir, 'catalogue/registry.json'), '{"servers":[{}]}');
  expect(await refusal(client().search('notes'))).toBe('offline');
});

test.each([
  ['an answer that is no JSON', () => ({ raw: Buffer.from('<html>') })],
  ['an error', () => ({ status: 500 })],
  ['an answer of another shape', () => ({ body: { servers: 'many' } })],
  ['an answer without an end', () => ({ raw: Buffer.alloc(5 * 1024 * 1024, 32) })],
  ['a way to an open connection', () => ({ status: 302, location: 'http://localhost:1/' })],
  ['a way to a file', () => ({ status: 302, location: 'file:///etc/passwd' })],
  ['a way in circles', () => ({ status: 302, location: '/v0.1/servers' })],
])('%s is no list', async (_, answer) => {
  registry.answer = answer;
  expect(['offline', 'too-big']).toContain(await refusal(client().search('x')));
  expect(fs.existsSync(path.join(dataDir, 'catalogue'))).toBe(false);
});

test('an answer that does not come is waited for a while only', async () => {
  const never = ((_: unknown, options: RequestInit) =>
    new Promise((_resolve, reject) => {
      expect(options.signal).toBeInstanceOf(AbortSignal);
      reject(new DOMException('timed out', 'TimeoutError'));
    })) as typeof fetch;
  expect(await refusal(client({ fetch: never }).search('x'))).toBe('offline');
});

test('ours are found first and without asking anybody; the registry is asked only where a person wants that', async () => {
  registry.answer = () => ({ body: { servers: [listing('io.files/files')] } });
  expect((await getting().search('files', false, 'en')).found.map(({ name }) => name)).toEqual(['filesystem']);
  expect(registry.asked).toEqual([]);
  const { found } = await getting().search('files', true, 'zh-CN');
  expect(found.map(({ name, from }) => [name, from])).toEqual([
    ['filesystem', 'catalogue'],
    ['io.files/files', 'registry'],
  ]);
});

test('a server is picked by its exact name, and another one in its place is refused', async () => {
  registry.answer = ({ pathname }) =>
    pathname === '/v0.1/servers/a%2Fnotes/versions/latest' ? { body: listing('a/notes') } : { status: 404 };
  expect(await getting().pick('a/notes', 'en', free)).toMatchObject({ from: 'registry', offer: { command: 'npx' } });
  expect(await refusal(getting().pick('a/other', 'en', free))).toBe('not-listed');
  expect(await refusal(getting().pick('nothing-of-ours', 'en', free))).toBe('not-listed');
  registry.answer = () => ({ body: listing('a/evil') });
  expect(await refusal(getting().pick('a/safe', 'en', free))).toBe('offline');
});

test('of several packages the one that needs least is taken, and none that does not fit', async () => {
  const stdio = { transport: { type: 'stdio' }, version: '1.0.0' };
  const packages = [
    { registryType: 'oci', identifier: 'a/n:1', ...stdio },
    { registryType: 'npm', identifier: '../evil', ...stdio },
    { registryType: 'pypi', identifier: 'n', ...stdio },
    'nonsense',
  ];
  registry.answer = () => ({ body: listing('a/n', { packages }) });
  expect((await getting().pick('a/n', 'en', free)).offer.command).toBe('uvx');
  registry.answer = () => ({ body: listing('a/n', { packages: packages.slice(1, 2) }) });
  expect(await refusal(getting().pick('a/n', 'en', free))).toBe('no-way');
});

test('a bundle of the registry is fetched and unpacked only where it has the published fingerprint', async () => {
  const bytes = bundleOf();
  const pack = (fileSha256: string) => ({
    packages: [
      { registryType: 'mcpb', identifier: 'https://files.example/n.mcpb', fileSha256, transport: { type: 'stdio' } },
    ],
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const web = (async (address: string, options: RequestInit) =>
    address.startsWith('https://files.example/')
      ? new Response(new Uint8Array(bytes))
      : fetch(address, options)) as typeof fetch;
  registry.answer = () => ({ body: listing('a/n', pack(sha256)) });
  const { bundle } = await getting({ fetch: web }).pick('a/n', 'en', free);
  expect(bundle?.digest).toBe(`sha256:${sha256}`);
  fs.rmSync(path.join(dataDir, 'bundles'), { recursive: true });
  registry.answer = () => ({ body: listing('a/n', pack('0'.repeat(64))) });
  expect(await refusal(getting({ fetch: web }).pick('a/n', 'en', free))).toBe('digest');
  expect(fs.existsSync(path.join(dataDir, 'bundles'))).toBe(false);
});
