import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from '@playwright/test';
import { CLOCK, Demo } from '../support/desktop-demo.ts';
import { ROOT } from '../support/holdfast.ts';
import { COMMAND, InstalledApp, PACKAGED } from './installed-app.ts';
import { isRoot, type Person } from './person.ts';
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
let person: Person;
let demo: Demo;
let host: Client;
let connected: Entry;

const inData = (...names: readonly string[]): string => path.join(person.data, ...names);
const settingsFile = (): string => path.join(person.home, 'user/.cursor/mcp.json');
const signInFile = (): string => path.join(person.home, 'user/.config/autostart/holdfast.desktop');
const entry = (): Entry => {
  const settings = JSON.parse(readFileSync(settingsFile(), 'utf8')) as { mcpServers: { holdfast: Entry } }; // as written
  return settings.mcpServers.holdfast;
};
const launched = (): string => readFileSync(inData('launch.json'), 'utf8');
const listed = async (): Promise<string[]> => (await host.listTools()).tools.map(({ name }) => name);
const call = (deed: string): Promise<unknown> => host.callTool({ name: 'clock', arguments: { do: deed } });

/** Starts what the settings said last, with as little of the environment as such an app gives. */
async function startBridge(): Promise<void> {
  host = new Client({ name: 'cursor', version: '1' });
  const [command = '', ...args] = person.wrap([connected.command, ...connected.args]);
  await host.connect(new StdioClientTransport({ command, args, stderr: 'pipe' }));
}

async function connectHost(): Promise<void> {
  // A start that goes on puts the Node in place first.
  await expect.poll(() => existsSync(inData('bin/node.from.json'))).toBe(true);
  await expect.poll(() => existsSync(inData('gateway.sock'))).toBe(true);
  connected = entry();
  await startBridge();
}

/** Everything that runs has ended, and with it whatever the app had started. */
async function ended(): Promise<void> {
  await host.close();
  await installed.close();
  await expect.poll(() => installed.running()).toEqual([]);
}

test.beforeAll(() => {
  installed = new InstalledApp();
  ({ person } = installed);
  installed.install();
  demo = new Demo(person);
  mkdirSync(path.dirname(settingsFile()), { recursive: true });
  writeFileSync(settingsFile(), SETTINGS);
  // What an earlier version left: it is taken over.
  cpSync(path.join(ROOT, 'test/store/fixtures/format-1'), person.data, { recursive: true });
  person.own();
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
  expect(readdirSync(inData('backups')).filter((name) => name.startsWith('state-v1-'))).toHaveLength(1);
  const { servers } = await person.ok<{ servers: { name: string }[] }>('servers', 'list');
  expect(servers.length).toBeGreaterThan(0);
});

test('connects an app, which starts the bridge on the package’s own Node', async () => {
  demo.offer([CLOCK]);
  person.own();
  await person.ok('servers', 'add', 'Clockwork', '--', process.execPath, ...demo.args);
  await person.ok('servers', 'policy', 'Clockwork', 'review');
  await person.ok('apps', 'connect', 'cursor');
  await person.ok('expose', 'cursor', 'Clockwork', 'tool', 'clock');
  expect(entry().command).toBe(inData('bin/node'));
  await connectHost();
  expect(await listed()).toEqual(['clock', KEPT]);
});

test('takes a changed tool away until a click in the window', async () => {
  demo.offer([{ ...CLOCK, description: 'Tells the time in a city.' }]);
  person.own();
  await expect.poll(listed).toEqual([KEPT]);
  const page = await installed.page();
  await page.getByRole('button', { name: 'Approve: Clock' }).click();
  await expect.poll(listed).toEqual(['clock', KEPT]);
});

test('starts at sign-in once that is switched on, and has no say in updates where it is not updated by itself', async () => {
  const page = await installed.page();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: 'Start when I sign in' }).click();
  await expect.poll(() => existsSync(signInFile())).toBe(true);
  expect(readFileSync(signInFile(), 'utf8')).toContain(`Exec="${installed.executable}" "--hidden"`);
  await expect(page.getByRole('checkbox', { name: 'Look for updates' })).toHaveCount(0);
});

test('starts hidden without a window, puts its own Node in place anew, and keeps what the app starts', async () => {
  const before = entry();
  await ended();
  writeFileSync(inData('bin/node'), 'of an older version');
  const begin = performance.now();
  await installed.start('--hidden');
  await connectHost();
  console.log(`hidden start until an app has its tools: ${Math.round(performance.now() - begin)} ms`);
  expect(await listed()).toEqual(['clock', KEPT]);
  expect(installed.app.windows()).toHaveLength(0);
  expect(entry()).toEqual(before);
});

test('started from another folder, it is still found by the app, and by that one', async () => {
  const before = entry();
  await ended();
  installed.unpack('moved');
  await installed.start('--hidden');
  await connectHost();
  expect(await listed()).toEqual(['clock', KEPT]);
  expect(entry()).toEqual(before);
  expect(launched()).toContain(installed.executable);
});

test('downloads a newer version quietly, and installs it after a click, once the call that is under way has ended', async () => {
  await ended();
  const server = await updateServer('#!/bin/sh\necho "the new one was started with $*" > "$(dirname "$0")/started"\n');
  try {
    const program = installed.updatesFrom(server.url);
    await installed.start();
    const page = await installed.page();
    await expect(page.getByText('Holdfast 99.0.0 is ready.')).toBeVisible();
    expect(readFileSync(program, 'utf8')).toBe('the old one');
    await connectHost();
    const asked = call('hang');
    await page.getByRole('button', { name: 'Restart to update' }).click();
    expect(await call('echo')).toHaveProperty('content');
    expect(readFileSync(program, 'utf8')).toBe('the old one');
    await Promise.all([
      call('release'),
      expect(asked).resolves.toMatchObject({ content: [{ type: 'text', text: 'released' }] }),
    ]);
    await installed.ended();
    await expect.poll(() => existsSync(path.join(path.dirname(program), 'started'))).toBe(true);
    expect(readFileSync(program, 'utf8')).toContain('the new one');
    await host.close();
    await expect.poll(() => installed.running()).toEqual([]);
  } finally {
    server.close();
  }
});

test('refuses what was changed on the way, and asks nobody any more once that is switched off', async () => {
  const server = await updateServer('another', { digestOf: 'the right one' });
  try {
    const program = installed.updatesFrom(server.url);
    await installed.start();
    const page = await installed.page();
    await expect.poll(() => server.asked.filter((url) => url.includes('Holdfast-99.0.0')).length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Settings' }).click();
    await expect(page.getByRole('button', { name: 'Restart to update' })).toHaveCount(0);
    expect(readFileSync(program, 'utf8')).toBe('the old one');
    await page.getByRole('checkbox', { name: 'Look for updates' }).click();
    await expect.poll(() => existsSync(inData('updates.json'))).toBe(true);
    await installed.close();
    const before = server.asked.length;
    await installed.start();
    const again = await installed.page();
    await again.getByRole('button', { name: 'Settings' }).click();
    await expect(again.getByRole('checkbox', { name: 'Look for updates' })).not.toBeChecked();
    expect(server.asked.length).toBe(before);
  } finally {
    server.close();
    await installed.close();
    installed.updatesFromNowhere();
  }
});

test('an older version refuses the data folder of a newer one with a sentence, and changes nothing in it', async () => {
  const file = inData('state.json');
  const before = readFileSync(file, 'utf8');
  const newer = '{"holdfast":99,"anything":"else"}';
  writeFileSync(file, newer);
  try {
    const { status, stderr } = await installed.run('--hidden');
    expect(status).toBe(1);
    expect(stderr).toContain('written by a newer Holdfast');
    expect(readFileSync(file, 'utf8')).toBe(newer);
  } finally {
    writeFileSync(file, before);
    person.own();
  }
});

test.describe('the package for Debian', () => {
  // `npm run test:dist` says so.
  if (!isRoot) return;

  test('is replaced by its next version while it is used, and no app’s settings change', async () => {
    installed.installPackage();
    await installed.start('--hidden');
    await connectHost();
    const before = readFileSync(settingsFile(), 'utf8');
    installed.installPackage();
    expect(readFileSync(settingsFile(), 'utf8')).toBe(before);
    expect(await listed()).toEqual(['clock', KEPT]);
    expect(launched()).toContain(installed.executable);
    expect(lstatSync(COMMAND).isSymbolicLink()).toBe(true);
  });
});

test('is gone without a trace in other apps’ settings, while one of them still runs', async () => {
  expect(existsSync(signInFile())).toBe(true);
  if (isRoot) {
    installed.removePackage();
    await installed.ended();
  } else expect((await installed.run('--restore-hosts', '--quiet')).status).toBe(0);
  expect(readFileSync(settingsFile(), 'utf8')).toBe(SETTINGS);
  expect(readFileSync(inData('restore-hosts.log'), 'utf8')).toContain('"restored"');
  expect([signInFile(), ...(isRoot ? [PACKAGED, COMMAND] : [])].filter((file) => existsSync(file))).toEqual([]);
  await host.close();
  await expect.poll(() => installed.running()).toEqual([]);
  // What an app that still runs starts once more tells why there are no tools.
  await startBridge();
  expect(host.getInstructions()).toMatch(/^Holdfast is no longer on this computer/);
  await host.close();
  expect(installed.running()).toEqual([]);
  expect(existsSync(inData('state.json'))).toBe(true);
  rmSync(person.data, { recursive: true });
});
