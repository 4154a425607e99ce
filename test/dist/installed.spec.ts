import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from '@playwright/test';
import { CLOCK, Demo } from '../support/desktop-demo.ts';
import { ROOT } from '../support/holdfast.ts';
import { InstalledApp } from './installed-app.ts';
import { updateServer } from './update-server.ts';

// One installation, from the first start to the day it goes.
test.describe.configure({ mode: 'serial' });

const SETTINGS = '{\r\n\t"mcpServers" : { "other": { "command":"other" } }\r\n}\r\n';

/** What the earlier version gave the app. */
const KEPT = 'notes_search';

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

let installed: InstalledApp;
let demo: Demo;
let host: Client;

const settingsFile = (): string => path.join(installed.installation.home, 'user/.cursor/mcp.json');
const entry = (): Entry => {
  const settings = JSON.parse(readFileSync(settingsFile(), 'utf8')) as { mcpServers: { holdfast: Entry } }; // as written
  return settings.mcpServers.holdfast;
};
const listed = async (): Promise<string[]> => (await host.listTools()).tools.map(({ name }) => name);

/** Starts what the settings say, with as little of the environment as such an app gives. */
async function connectHost(): Promise<void> {
  // A start that goes on puts the Node in place first.
  await expect.poll(() => existsSync(path.join(installed.installation.data, 'bin/node.from.json'))).toBe(true);
  await expect.poll(() => existsSync(path.join(installed.installation.data, 'gateway.sock'))).toBe(true);
  host = new Client({ name: 'cursor', version: '1' });
  const [command = '', ...args] = installed.installation.wrap([entry().command, ...entry().args]);
  await host.connect(new StdioClientTransport({ command, args, stderr: 'pipe' }));
}

test.beforeAll(() => {
  installed = new InstalledApp();
  installed.unpack();
  demo = new Demo(installed.installation);
  mkdirSync(path.dirname(settingsFile()), { recursive: true });
  writeFileSync(settingsFile(), SETTINGS);
  // What an earlier version left: it is taken over.
  cpSync(path.join(ROOT, 'test/store/fixtures/format-1'), installed.installation.data, { recursive: true });
  installed.own();
});
test.afterAll(() => installed.dispose());

test('starts as an ordinary user in Chromium’s sandbox, and shows its window', async () => {
  const begin = performance.now();
  await installed.start();
  const page = await installed.page();
  console.log(`time to the first window: ${Math.round(performance.now() - begin)} ms`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const about = await installed.app.evaluate(({ app, BrowserWindow }) => ({
    isPackaged: app.isPackaged,
    appPath: app.getAppPath(),
    renderer: BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
    user: process.getuid?.(),
  }));
  expect(about).toMatchObject({ isPackaged: true, appPath: path.join(installed.folder, 'resources/app.asar') });
  expect(about.user).not.toBe(0);
  expect(readFileSync(`/proc/${about.renderer}/status`, 'utf8')).toMatch(/^Seccomp:\t2$/m);
});

test('has taken the data folder of an earlier version over, with a backup', async () => {
  const backups = readdirSync(path.join(installed.installation.data, 'backups'));
  expect(backups.filter((name) => name.startsWith('state-v1-'))).toHaveLength(1);
  const { servers } = await installed.installation.ok<{ servers: { name: string }[] }>('servers', 'list');
  expect(servers.length).toBeGreaterThan(0);
});

test('connects an app, which starts the bridge on the package’s own Node', async () => {
  const { installation } = installed;
  demo.offer([CLOCK]);
  installed.own();
  await installation.ok('servers', 'add', 'Clockwork', '--', process.execPath, ...demo.args);
  await installation.ok('servers', 'policy', 'Clockwork', 'review');
  await installation.ok('apps', 'connect', 'cursor');
  await installation.ok('expose', 'cursor', 'Clockwork', 'tool', 'clock');
  expect(entry().command).toBe(path.join(installation.data, 'bin/node'));
  await connectHost();
  expect(await listed()).toEqual(['clock', KEPT]);
});

test('takes a changed tool away until a click in the window', async () => {
  demo.offer([{ ...CLOCK, description: 'Tells the time in a city.' }]);
  installed.own();
  await expect.poll(listed).toEqual([KEPT]);
  const page = await installed.page();
  await page.getByRole('button', { name: 'Approve: Clock' }).click();
  await expect.poll(listed).toEqual(['clock', KEPT]);
});

test('starts hidden without a window, puts its own Node in place anew, and keeps what the app starts', async () => {
  const before = entry();
  await host.close();
  await installed.close();
  const runtime = path.join(installed.installation.data, 'bin/node');
  writeFileSync(runtime, 'of an older version');
  const begin = performance.now();
  await installed.start('--hidden');
  await connectHost();
  console.log(`hidden start until an app has its tools: ${Math.round(performance.now() - begin)} ms`);
  expect(await listed()).toEqual(['clock', KEPT]);
  expect(installed.app.windows()).toHaveLength(0);
  expect(entry()).toEqual(before);
});

test('downloads a newer version quietly, and installs it after a click when no call is under way', async () => {
  await host.close();
  await installed.close();
  const server = await updateServer('#!/bin/sh\necho "the new one was started with $*" > "$(dirname "$0")/started"\n');
  try {
    const program = installed.updatesFrom(server.url);
    await installed.start();
    const page = await installed.page();
    await expect(page.getByText('Holdfast 99.0.0 is ready.')).toBeVisible();
    expect(readFileSync(program, 'utf8')).toBe('the old one');
    await page.getByRole('button', { name: 'Restart to update' }).click();
    await installed.ended();
    await expect.poll(() => existsSync(path.join(path.dirname(program), 'started'))).toBe(true);
    expect(readFileSync(program, 'utf8')).toContain('the new one');
    await expect.poll(() => installed.running()).toEqual([]);
  } finally {
    server.close();
  }
});

test('refuses what was changed on the way', async () => {
  const server = await updateServer('another', { digestOf: 'the right one' });
  try {
    const program = installed.updatesFrom(server.url);
    await installed.start();
    const page = await installed.page();
    await expect.poll(() => server.asked.filter((url) => url.includes('Holdfast-99.0.0')).length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Settings' }).click();
    await expect(page.getByRole('button', { name: 'Restart to update' })).toHaveCount(0);
    expect(readFileSync(program, 'utf8')).toBe('the old one');
  } finally {
    server.close();
  }
});

test('is gone without a trace in other apps’ settings', async () => {
  await installed.close();
  await expect.poll(() => installed.running()).toEqual([]);
  await installed.run('--restore-hosts', '--quiet');
  expect(readFileSync(settingsFile(), 'utf8')).toBe(SETTINGS);
  expect(readFileSync(path.join(installed.installation.data, 'restore-hosts.log'), 'utf8')).toContain('"restored"');
});
