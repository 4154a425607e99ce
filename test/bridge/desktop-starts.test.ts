import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { desktopStarts, type DesktopProgram } from '../../electron/desktop-starts.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'holdfast-desktop-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function program(more: Partial<DesktopProgram> = {}): DesktopProgram {
  return {
    dataDir: path.join(root, 'data'),
    execPath: '/opt/Holdfast/holdfast',
    isPackaged: true,
    appPath: '/opt/Holdfast/resources/app.asar',
    resourcesPath: path.join(root, 'resources'),
    argv: [],
    env: {},
    ...more,
  };
}

/** As a package has it. */
function packNode(): string {
  const { platform, arch } = process;
  const name = platform === 'win32' ? 'node/node.exe' : 'node/bin/node';
  const file = path.join(root, 'resources/runtimes', `${platform}-${arch}`, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  return file;
}

test('a package runs bridge and servers on the Node that it carries, and its own program as nothing but itself', () => {
  const file = packNode();
  const starts = desktopStarts(program());
  expect(starts.runtimeSource).toBe(file);
  expect(starts.runtimes).toMatchObject([{ node: { file, env: {} }, isPackaged: true }]);
  expect(starts.launch).toMatchObject({ command: '/opt/Holdfast/holdfast', args: ['--hidden'] });
});

test('a package without one runs the bridge on its own program, and offers servers nothing', () => {
  const starts = desktopStarts(program());
  expect(starts.runtimeSource).toBe(undefined);
  expect(starts.runtimes).toEqual([]);
  expect(starts.runtime).toMatchObject({ env: { ELECTRON_RUN_AS_NODE: '1' }, trailing: ['--no-sandbox'] });
});

test('from a checkout servers may have Electron as their Node, whatever a package would carry', () => {
  packNode();
  const starts = desktopStarts(program({ isPackaged: false, execPath: '/electron', appPath: '/checkout' }));
  expect(starts.runtimes).toMatchObject([
    { node: { file: '/electron', env: { ELECTRON_RUN_AS_NODE: '1' } }, isPackaged: false },
  ]);
  expect(starts.launch.args).toEqual(['/checkout', '--hidden']);
});

test('an AppImage is started by the file that it is in, not by the mount that it runs from', () => {
  const starts = desktopStarts(
    program({ env: { APPIMAGE: '/home/a/Holdfast.AppImage' }, execPath: '/tmp/.mount_x/holdfast' }),
  );
  expect([starts.launch.command, starts.runtime.command]).toEqual([
    '/home/a/Holdfast.AppImage',
    '/home/a/Holdfast.AppImage',
  ]);
});
