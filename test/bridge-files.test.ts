import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLaunch, readWithheld } from '../electron/bridge/start-gateway.ts';
import {
  bridgePath,
  bridgeRuntimePath,
  giveLaunchBack,
  installBridge,
  installBridgeRuntime,
  withholdLaunch,
  writeLaunch,
} from '../electron/bridge-files.ts';
import { desktopStarts } from '../electron/desktop-starts.ts';
import { appsToRenew } from '../electron/hosts/host-apps-access.ts';

let folder: string;
let data: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-files-'));
  data = path.join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function source(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text, { mode: 0o755 });
  return file;
}

const printing = (word: string): string => `#!/bin/sh\nwhile read -r line; do echo "${word} $line"; done\n`;

test('a Node that a bridge runs on is replaced under it: that bridge goes on, the next one has the new one', async () => {
  await installBridgeRuntime(data, source('first', printing('first')));
  const running = spawn(bridgeRuntimePath(data), { stdio: ['pipe', 'pipe', 'inherit'] });
  const answer = (child: typeof running): Promise<string> =>
    new Promise((resolve) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
      child.stdin.write('call\n');
    });
  expect(await answer(running)).toBe('first call\n');
  await installBridgeRuntime(data, source('second', printing('the second')));
  expect(await answer(running)).toBe('first call\n');
  running.stdin.end();
  const next = spawn(bridgeRuntimePath(data), { stdio: ['pipe', 'pipe', 'inherit'] });
  expect(await answer(next)).toBe('the second call\n');
  next.stdin.end();
  expect(readdirSync(path.join(data, 'bin')).sort()).toEqual(['node', 'node.from.json']);
});

test('a Node that is there is not copied again, one that was damaged or half replaced is', async () => {
  const from = source('node', 'one');
  await installBridgeRuntime(data, from);
  const before = statSync(bridgeRuntimePath(data)).ino;
  await installBridgeRuntime(data, from);
  expect(statSync(bridgeRuntimePath(data)).ino).toBe(before);
  writeFileSync(bridgeRuntimePath(data), 'cut');
  rmSync(`${bridgeRuntimePath(data)}.from.json`);
  await installBridgeRuntime(data, from);
  expect(readFileSync(bridgeRuntimePath(data), 'utf8')).toBe('one');
});

test('what cannot be copied leaves the Node that is there', async () => {
  await installBridgeRuntime(data, source('node', 'one'));
  await expect(installBridgeRuntime(data, path.join(folder, 'gone'))).rejects.toMatchObject({
    code: 'STORE_WRITE_FAILED',
  });
  expect(readFileSync(bridgeRuntimePath(data), 'utf8')).toBe('one');
});

test('the bridge itself is replaced by that of this version', () => {
  installBridge(data, source('bridge', 'one'));
  installBridge(data, source('bridge', 'another'));
  expect(readFileSync(bridgePath(data), 'utf8')).toBe('another');
});

test('bridges start nothing while the program is replaced, until it leaves word again', () => {
  const start = { command: '/opt/Holdfast/holdfast', args: ['--hidden'], env: {} };
  writeLaunch(data, start);
  expect([readLaunch(data), readWithheld(data)]).toEqual([start, null]);
  withholdLaunch(data, 'update');
  expect([readLaunch(data), readWithheld(data)]).toEqual([null, 'update']);
  giveLaunchBack(data, start); // an app that is connected meanwhile waits as well
  expect(readLaunch(data)).toBeNull();
  writeLaunch(data, start);
  expect([readLaunch(data), readWithheld(data)]).toEqual([start, null]);
});

test('what was removed is started again only by one of the apps that is connected anew', () => {
  const start = { command: '/opt/Holdfast/holdfast', args: ['--hidden'], env: {} };
  withholdLaunch(data, 'removed');
  expect(existsSync(data)).toBe(false); // nothing ever ran: nothing is left behind
  writeLaunch(data, start);
  giveLaunchBack(data, { ...start, command: 'another' });
  expect(readLaunch(data)).toEqual(start);
  withholdLaunch(data, 'removed');
  expect([readLaunch(data), readWithheld(data)]).toEqual([null, 'removed']);
  giveLaunchBack(data, start);
  expect(readLaunch(data)).toEqual(start);
});

const program = (more: object = {}) => ({
  ...{
    dataDir: data,
    execPath: '/opt/Holdfast/holdfast',
    isPackaged: true,
    appPath: '/opt/Holdfast/resources/app.asar',
  },
  ...{ resourcesPath: path.join(folder, 'resources'), argv: [], env: {}, platform: 'linux' as const, arch: 'x64' },
  ...more,
});

test('host apps start a package’s own Node, outside the package', () => {
  const packaged = path.join(folder, 'resources/runtimes/linux-x64/node/bin/node');
  mkdirSync(path.dirname(packaged), { recursive: true });
  writeFileSync(packaged, '');
  expect(desktopStarts(program())).toMatchObject({
    runtime: { command: path.join(data, 'bin/node'), args: [], env: {} },
    runtimeSource: packaged,
    retired: ['/opt/Holdfast/holdfast'],
  });
  expect(existsSync(data)).toBe(false);
});

test('a package without a Node, and a checkout, start the bridge on Electron as Node', () => {
  const asNode = { args: [], trailing: ['--no-sandbox'], env: { ELECTRON_RUN_AS_NODE: '1' } };
  expect(desktopStarts(program()).runtime).toEqual({ command: '/opt/Holdfast/holdfast', ...asNode });
  const moved = program({ env: { APPIMAGE: '/home/a/Holdfast.AppImage' } });
  expect(desktopStarts(moved).runtime).toEqual({ command: '/home/a/Holdfast.AppImage', ...asNode });
});

test('entries are written again whose program has moved or carries no bridge any more, and nobody else’s', () => {
  const entry = (id: string, command: string, isOurs = true) => ({
    id,
    look: { kind: 'entry' as const, isOurs, command, args: [] },
  });
  const seen = [
    entry('moved', '/old/Holdfast.AppImage'),
    entry('retired', '/opt/Holdfast/holdfast'),
    entry('current', '/data/bin/node'),
    entry('by-name', 'node'),
    entry('another', '/usr/bin/node'),
    entry('not-ours', '/old/Holdfast.AppImage', false),
    { id: 'empty', look: { kind: 'no-entry' as const, wasConnected: true } },
  ];
  const exists = (file: string): boolean => !file.startsWith('/old/') && file !== '/data/bin/node';
  expect(appsToRenew(seen, '/data/bin/node', ['/opt/Holdfast/holdfast'], exists)).toEqual(['moved', 'retired']);
});
