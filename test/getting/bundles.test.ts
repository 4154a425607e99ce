import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HoldfastError } from '../../electron/core/errors.ts';
import { Bundles, type OpenedBundle } from '../../electron/getting/bundles.ts';
import { bundleOffer } from '../../electron/getting/bundle-offer.ts';
import { fillOffer } from '../../electron/getting/fill-offer.ts';
import { readManifest } from '../../electron/getting/manifest.ts';
import { bundleOf, manifest, zipOf } from './zip.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bundles-'));
});
afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));

const free = (): boolean => false;
const bundles = () => new Bundles({ dataDir, home: '/home/ada', platform: 'linux' });
const under = (): string[] => fs.readdirSync(path.join(dataDir, 'bundles'), { recursive: true }).map(String).sort();

function open(bytes: Buffer): Promise<OpenedBundle> {
  return bundles().openBytes(bytes, 'notes.mcpb', free);
}

async function refusal(opened: Promise<unknown>): Promise<unknown> {
  const error: unknown = await opened.catch((thrown: unknown) => thrown);
  return error instanceof HoldfastError ? error.details['refusal'] : 'taken';
}

const place = { folder: '/data/b', platform: 'linux', home: '/home/ada' } as const;
const offerOf = (other: Record<string, unknown>, at: Parameters<typeof bundleOffer>[1] = place) => {
  const read = readManifest(JSON.stringify(manifest(other)), 'x.mcpb');
  return bundleOffer(read, at, new Set(['server/index.js', 'bin/run', 'bin/run.exe', 'src/main.py']), 'x.mcpb');
};
const server = (mcp: Record<string, unknown>, type = 'node') => ({
  server: { type, entry_point: 'server/index.js', mcp_config: mcp },
});
const field = (more: Record<string, unknown> = {}) => ({ type: 'string', title: 'A', description: 'B', ...more });

/** A bundle that brings a variable along, on this system only. */
const steered = (name: string, value: string): Buffer =>
  bundleOf(server({ command: 'npx', args: ['notes'], platform_overrides: { linux: { env: { [name]: value } } } }));
/** A bundle that asks where packages are fetched from, with what it suggests. */
const suggesting = (value?: string): Buffer =>
  bundleOf({
    ...server({ command: 'npx', args: ['notes'], env: { npm_config_registry: '${user_config.place}' } }),
    user_config: { place: field(value === undefined ? {} : { default: value }) },
  });

test('a bundle is unpacked into the place that its content names, and started from there', async () => {
  const { offer, folder, digest } = await open(bundleOf());
  const hash = createHash('sha256').update('notes').digest('hex').slice(0, 8);
  expect(folder).toBe(path.join(dataDir, `bundles/notes-${hash}`, `1.2.0-${digest.slice(7, 19)}`));
  expect([offer.command, offer.args]).toEqual(['node', [[[folder, '/server/index.js']]]]);
  expect(fs.existsSync(path.join(folder, 'server/index.js'))).toBe(true);
  expect((await open(bundleOf())).folder).toBe(folder);
});

test('a manifest of the older name and form is taken, one of a later form is not', async () => {
  for (const form of [{ dxt_version: '0.1' }, { manifest_version: '0.1' }, { manifest_version: '0.4' }])
    expect(await refusal(open(bundleOf({ manifest_version: undefined, ...form })))).toBe('taken');
  expect(await refusal(open(bundleOf({ manifest_version: '7.0' })))).toBe('newer');
});

describe('a bundle that does not say what it is, or does not fit, is refused and leaves nothing', () => {
  const bad: [string, string, Buffer][] = [
    ['without a manifest', 'no-manifest', zipOf([{ name: 'a' }])],
    ['with the manifest one folder down', 'no-manifest', zipOf([{ name: 'x/manifest.json', content: '{}' }])],
    ['with a manifest that is no JSON', 'manifest', zipOf([{ name: 'manifest.json', content: '{' }])],
    ['with a manifest that is no UTF-8', 'damaged', zipOf([{ name: 'manifest.json', content: Buffer.from([255]) }])],
    ['without a form', 'manifest', bundleOf({ manifest_version: undefined })],
    ['without an author', 'manifest', bundleOf({ author: undefined })],
    ['of an unknown kind', 'manifest', bundleOf(server({ command: 'x' }, 'ruby'))],
    ['for another system', 'platform', bundleOf({ compatibility: { platforms: ['win32'] } })],
    ['with a version that is a path', 'manifest', bundleOf({ version: '../../x' })],
    ['that starts what is not in it', 'no-entry', bundleOf(server({ command: '${__dirname}/bin/run' }))],
    ['that starts what is beside it', 'no-entry', bundleOf(server({ command: '${__dirname}/../x' }))],
    ['that starts by a relative path', 'no-entry', bundleOf(server({ command: './x/run' }))],
    ['with a blank that nothing fills', 'manifest', bundleOf(server({ command: 'node', args: ['${user_config.x}'] }))],
    [
      'with a key on the command line',
      'secret',
      bundleOf({
        ...server({ command: 'node', args: ['--key=${user_config.k}'] }),
        user_config: { k: field({ sensitive: true }) },
      }),
    ],
    ['that fetches its packages elsewhere', 'steers', steered('npm_config_registry', 'https://packages.invalid')],
    ['that has settings for what fetches in it', 'steers', steered('NPM_CONFIG_GLOBALCONFIG', '${__dirname}/npmrc')],
    ['that loads a script before what is started', 'steers', steered('NODE_OPTIONS', '--require ${__dirname}/x.js')],
    ['that loads a library into what is started', 'steers', steered('LD_PRELOAD', '${__dirname}/x.so')],
    ['that looks for programs elsewhere', 'steers', steered('Path', '${__dirname}/bin')],
    ['that loads parts from beside it', 'steers', steered('PYTHONPATH', '${__dirname}/lib:${__dirname}/../x')],
    ['that moves the home folder', 'steers', steered('HOME', '${HOME}/x')],
    ['that suggests another place to fetch from', 'steers', suggesting('https://packages.invalid')],
  ];
  test.each(bad)('%s', async (_, expected, bytes) => {
    expect(await refusal(open(bytes))).toBe(expected);
    expect(fs.existsSync(path.join(dataDir, 'bundles'))).toBe(false);
  });
});

test.each([
  ['loads its own parts', steered('PYTHONPATH', '${__dirname}/lib:${__dirname}/server')],
  ['names the home folder as it is', steered('HOME', '${HOME}')],
  ['says how text is spelled', steered('PYTHONIOENCODING', 'utf-8')],
  ['asks the person, and suggests nothing', suggesting()],
])('a bundle that %s is taken', async (_, bytes) => {
  expect(await refusal(open(bytes))).toBe('taken');
});

test('a name and a version of any letters make a plain folder', async () => {
  for (const name of ['Con', '../../up', 'Ünï côdé 深', '...', 'A'.repeat(200)]) {
    const { folder } = await open(bundleOf({ name }));
    expect(path.relative(path.join(dataDir, 'bundles'), folder)).toMatch(/^[a-z0-9][a-z0-9.-]*\/1\.2\.0-[0-9a-f]{12}$/);
  }
});

describe('what a bundle starts', () => {
  test('is what its manifest says for this system', () => {
    const config = {
      command: 'node',
      args: ['a'],
      env: { A: '1', B: '2' },
      platform_overrides: { win32: { command: '${__dirname}/bin/run', env: { B: '3' } }, darwin: { args: ['m'] } },
    };
    const on = (platform: NodeJS.Platform, folder = '/data/b') =>
      fillOffer(offerOf(server(config), { ...place, platform, folder }), {});
    expect(on('linux')).toMatchObject({ command: 'node', args: ['a'], env: { A: '1', B: '2' } });
    expect(on('darwin')).toMatchObject({ command: 'node', args: ['m'] });
    expect(on('win32', 'C:\\d')).toMatchObject({ command: 'C:\\d\\bin\\run', args: ['a'], env: { A: '1', B: '3' } });
  });

  test('is uv with the entry, for Python that uv starts and that does not say how', () => {
    const offer = offerOf({ server: { type: 'uv', entry_point: 'src/main.py' } });
    expect(fillOffer(offer, {})).toMatchObject({
      command: 'uv',
      args: ['run', '--directory', '/data/b', 'src/main.py'],
    });
  });

  test('has the places of this computer filled in', () => {
    const args = ['${HOME}', '${DESKTOP}${/}x', '${DOCUMENTS}', '${DOWNLOADS}'];
    expect(fillOffer(offerOf(server({ command: 'node', args })), {}).args).toEqual([
      '/home/ada',
      '/home/ada/Desktop/x',
      '/home/ada/Documents',
      '/home/ada/Downloads',
    ]);
  });
});

describe('what is asked for', () => {
  const offer = offerOf({
    ...server({
      command: 'node',
      args: ['${user_config.dirs}', '--max=${user_config.max}', '--fast=${user_config.fast}', '--tag', 'x'],
      env: { KEY: 'Bearer ${user_config.key}', NOTE: '${user_config.note}' },
    }),
    user_config: {
      dirs: field({ type: 'directory', multiple: true, required: true, default: ['${DESKTOP}'] }),
      key: field({ sensitive: true, required: true, default: 'published' }),
      max: field({ type: 'number', min: 1, max: 10 }),
      fast: field({ type: 'boolean', default: true }),
      note: field(),
    },
  });

  test('is told with its type, its default and whether it is kept unseen; a key has no default', () => {
    expect(offer.fields).toMatchObject([
      { key: 'dirs', type: 'folder', isMany: true, default: ['/home/ada/Desktop'], isSecret: false },
      { key: 'key', type: 'text', isSecret: true, isRequired: true, default: [] },
      { key: 'max', type: 'number', min: 1, max: 10, isRequired: false },
      { key: 'fast', type: 'yes-no', default: ['true'] },
      { key: 'note', type: 'text' },
    ]);
  });

  test('becomes the command line, several values one after another; what stays empty is left out', () => {
    const values = { dirs: ['/a', '/b c'], key: ['$& ${HOME}'], max: ['7'] };
    expect(fillOffer(offer, values)).toEqual({
      command: 'node',
      args: ['/a', '/b c', '--max=7', '--fast=true', '--tag', 'x'],
      env: { KEY: 'Bearer $& ${HOME}' },
      missing: [],
      wrong: [],
    });
  });

  test('that is missing or does not fit is named', () => {
    const values = { dirs: [''], max: ['11'], fast: ['maybe'], note: ['a', 'b'], other: ['x'] };
    expect(fillOffer(offer, values)).toMatchObject({ missing: ['dirs', 'key'], wrong: ['max', 'fast', 'note'] });
  });

  test('keeps the value of the version before, where nothing else is given', () => {
    expect(fillOffer(offer, { dirs: ['/a'] }, { KEY: 'old', OTHER: 'x' })).toMatchObject({
      env: { KEY: 'old' },
      missing: [],
    });
    expect(fillOffer(offer, { dirs: ['/a'], key: ['new'] }, { KEY: 'old' }).env).toEqual({ KEY: 'Bearer new' });
  });
});

test('what was not added is taken away, now or at the next start; what was added stays, beside its other versions', async () => {
  const shelf = bundles();
  const one = await open(bundleOf());
  await shelf.discard(one.folder, free);
  expect(under()).toEqual([]);
  const kept = await open(bundleOf());
  await shelf.keep(kept, '2026-11-30T12:00:00.000Z');
  const other = await open(bundleOf({ version: '2.0.0' }));
  expect(shelf.isVersionOf(other, ['node', `${kept.folder}/server/index.js`])).toBe(true);
  expect(shelf.isVersionOf(other, [`${dataDir}/bundles/notes-2/x`])).toBe(false);
  fs.mkdirSync(`${other.folder}.0123456789ab.unpacking`);
  await shelf.discard(kept.folder, free);
  await shelf.sweep(free);
  expect(fs.readdirSync(path.dirname(kept.folder)).sort()).toEqual(
    [path.basename(kept.folder), `${path.basename(kept.folder)}.json`].sort(),
  );
  expect(shelf.record(kept.folder)).toMatchObject({ name: 'notes', version: '1.2.0', digest: kept.digest });
});

describe('a bundle of another name is no other version of the one that is there', () => {
  const long = 'n'.repeat(48);
  test.each([
    ['笔记', '邮件'],
    ['notes', 'Notes!'],
    [`${long}-one`, `${long}-two`],
  ])('%s, %s', async (name, another) => {
    const shelf = bundles();
    const kept = await open(bundleOf({ name }));
    await shelf.keep(kept, '2026-11-30T12:00:00.000Z');
    const launch = ['node', path.join(kept.folder, 'server/index.js')];
    const other = await open(bundleOf({ name: another, version: '2.0.0' }));
    expect(path.dirname(other.folder)).not.toBe(path.dirname(kept.folder));
    expect(shelf.isVersionOf(other, launch)).toBe(false);
    // Even where it stood beside it.
    expect(shelf.isVersionOf({ ...kept, name: another }, launch)).toBe(false);
    expect(shelf.isVersionOf(await open(bundleOf({ name, version: '2.0.0' })), launch)).toBe(true);
  });
});

test('a file that is none, is not there or is too large is refused with its reason', async () => {
  const tiny = new Bundles({
    dataDir,
    home: '/',
    platform: 'linux',
    bounds: { packedBytes: 10, unpackedBytes: 1, entries: 1, ratio: 1, ratioFromBytes: 1 },
  });
  fs.writeFileSync(path.join(dataDir, 'big.mcpb'), 'x'.repeat(11));
  expect(await refusal(tiny.open(path.join(dataDir, 'big.mcpb'), free))).toBe('too-big');
  expect(await refusal(tiny.open(path.join(dataDir, 'none.mcpb'), free))).toBe('unreadable');
  expect(await refusal(tiny.open(dataDir, free))).toBe('unreadable');
});
