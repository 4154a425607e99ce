import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from '@playwright/test';
import { packageFile, RELEASE } from './installed-app.ts';

const UNPACKED = path.join(RELEASE, 'linux-unpacked');

function deb(flag: string, ...rest: readonly string[]): string {
  return execFileSync('dpkg-deb', [flag, packageFile('.deb'), ...rest], { encoding: 'utf8', maxBuffer: 1e8 });
}

test('the program’s fuses are those of a release, but for the one that tests need', async () => {
  const wire = await getCurrentFuseWire(path.join(UNPACKED, 'holdfast'));
  // The wire has characters; the package keeps their names to itself.
  const state = (fuse: FuseV1Options): string => ({ 48: 'DISABLE', 49: 'ENABLE' })[Number(wire[fuse])] ?? 'not there';
  expect({
    runAsNode: state(FuseV1Options.RunAsNode),
    nodeOptions: state(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    inspect: state(FuseV1Options.EnableNodeCliInspectArguments),
    integrity: state(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    onlyAsar: state(FuseV1Options.OnlyLoadAppFromAsar),
  }).toEqual({
    ...{ runAsNode: 'DISABLE', nodeOptions: 'DISABLE', integrity: 'ENABLE', onlyAsar: 'ENABLE' },
    inspect: 'ENABLE',
  });
});

test('the archive holds what runs, and no sources, maps, tools or other people’s packages', () => {
  const files = listPackage(path.join(UNPACKED, 'resources/app.asar'), { isPack: false });
  for (const file of ['/dist/main.cjs', '/dist/preload.cjs', '/dist/renderer/index.html', '/resources/icon.png'])
    expect(files).toContain(file);
  const odd = files.filter((file) =>
    /node_modules|\.map$|\.ts$|runtimes|\.nsh$|\.plist$|^\/(test|electron|renderer)/.test(file),
  );
  expect(odd).toEqual([]);
});

test('beside it are the bridge, and a Node with npm and its licence', () => {
  const resources = path.join(UNPACKED, 'resources');
  const node = path.join(resources, 'runtimes/linux-x64/node');
  expect(readdirSync(resources)).not.toContain('default_app.asar');
  expect(execFileSync(path.join(node, 'bin/node'), ['--version'], { encoding: 'utf8' })).toMatch(/^v\d+\.\d+\.\d+\n$/);
  const npx = path.join(node, 'lib/node_modules/npm/bin/npx-cli.js');
  expect(execFileSync(path.join(node, 'bin/node'), [npx, '--version'], { encoding: 'utf8' })).toMatch(
    /^\d+\.\d+\.\d+\n$/,
  );
  expect(readFileSync(path.join(node, 'LICENSE'), 'utf8')).toContain('Node.js');
  expect(readdirSync(resources)).toContain('bridge.cjs');
});

test('the package for Debian says what it needs, opens our links and bundles, and has a menu entry', () => {
  expect(deb('--field', 'Package', 'Depends')).toMatch(/^Package: holdfast\nDepends: libgtk-3-0, /);
  const contents = deb('--contents');
  expect(contents).toContain('./opt/Holdfast/holdfast\n');
  const [entry = ''] = /\.\/usr\/share\/applications\/\S+\.desktop/.exec(contents) ?? [];
  const text = execFileSync('sh', ['-c', 'dpkg-deb --fsys-tarfile "$0" | tar -xO "$1"', packageFile('.deb'), entry], {
    encoding: 'utf8',
  });
  expect(text).toMatch(/^MimeType=.*x-scheme-handler\/holdfast/m);
  expect(text).toMatch(/^MimeType=.*application\/vnd\.mcpb\+zip/m);
  expect(text).toMatch(/^Exec=\/opt\/Holdfast\/holdfast %U$/m);
});
