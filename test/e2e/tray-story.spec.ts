import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { DesktopApp } from '../support/desktop-app.ts';
import { FakeDesktop, type ShownNote } from '../support/desktop.ts';
import { ROOT } from '../support/holdfast.ts';

test.skip(process.platform !== 'linux', 'The desktop that is played here is a Linux one.');

const FIXTURE = path.join(ROOT, 'test/fixtures/upstream.mjs');
const CLOCK = {
  name: 'clock',
  title: 'Clock',
  description: 'Tells the time.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};
const OTHER_CLOCK = { ...CLOCK, description: 'Tells the time in a city.' };
const DELETING_CLOCK = { ...CLOCK, annotations: { readOnlyHint: false, destructiveHint: true } };

let panel: FakeDesktop;
let desktop: DesktopApp;

test.beforeEach(async () => {
  panel = await FakeDesktop.start();
  desktop = new DesktopApp();
  await desktop.start('--hidden');
  setTools([CLOCK]);
  const cli = desktop.installation;
  await expect.poll(() => cli.run('--json', 'servers', 'list').then(({ status }) => status)).toBe(0);
  await cli.ok('servers', 'add', 'Demo', '--', process.execPath, FIXTURE, controlFile());
  await cli.ok('apps', 'add', 'claude-desktop');
  await cli.ok('expose', 'claude-desktop', 'Demo', 'tool', 'clock');
});
test.afterEach(async () => {
  await desktop.dispose();
  panel.stop();
});

function controlFile(): string {
  return path.join(desktop.installation.home, 'demo.json');
}

/** What the server offers from now on; written in one step, because it watches the file. */
function setTools(tools: readonly unknown[]): void {
  const temporary = `${controlFile()}.new`;
  writeFileSync(temporary, JSON.stringify({ name: 'demo', version: '1.0.0', tools }));
  renameSync(temporary, controlFile());
}

interface Surface {
  readonly entries: readonly { readonly name: string; readonly id: string }[];
}
const namesInForce = async (): Promise<string[]> => {
  const { entries } = await desktop.installation.ok<Surface>('surface', 'claude-desktop');
  return entries.map(({ name }) => name);
};
const note = async (at: number): Promise<ShownNote> => {
  await expect.poll(() => panel.notes.length).toBeGreaterThan(at);
  return panel.notes[at]!;
};

test('a change turns the tool off, tells about it once, and Approve in the notification turns it on again', async () => {
  await expect.poll(() => panel.tooltip()).toBe('All good. 1 tools ready');
  const iconWhenGood = await panel.icon();
  setTools([OTHER_CLOCK]);

  const shown = await note(0);
  expect(shown.summary).toBe('Clock changed');
  expect(shown.body).toContain('It’s off in Claude Desktop until you decide.');
  expect(shown.actions.map(({ label }) => label)).toEqual(['Review', 'Approve']);
  expect(shown.hints).toMatchObject({ urgency: 1 });
  expect(await namesInForce()).toEqual([]);
  await expect.poll(() => panel.tooltip()).toBe('1 tool is waiting for your OK');
  expect((await panel.menu())[0]).toMatchObject({ label: '1 tool is waiting for your OK', isEnabled: false });
  expect(await panel.icon()).not.toBe(iconWhenGood);

  panel.pressNote(shown.id, 'approve');
  await expect.poll(namesInForce).toEqual(['clock']);
  await expect.poll(() => panel.tooltip()).toBe('All good. 1 tools ready');
  expect(await panel.icon()).toBe(iconWhenGood);
  expect(desktop.app.windows()).toHaveLength(0);
  expect(panel.notes).toHaveLength(1);
});

test('a change that adds risk has no Approve outside the window, and there the button says the risk', async () => {
  setTools([DELETING_CLOCK]);
  const shown = await note(0);
  expect(shown.summary).toBe('Clock can do more now');
  expect(shown.actions.map(({ key }) => key)).toEqual(['default', 'review']);

  panel.pressNote(shown.id, 'review');
  const page = await desktop.page();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Clock can do more now');
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0);
  // Enter pressed blindly decides nothing.
  await page.keyboard.press('Enter');
  expect(await namesInForce()).toEqual([]);
  await page.getByRole('button', { name: 'Approve: it can delete things' }).click();
  await expect(page.getByText('Clock is on again in Claude Desktop').first()).toBeVisible();
  expect(await namesInForce()).toEqual(['clock']);

  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(namesInForce).toEqual([]);
  await expect(page.getByRole('button', { name: 'Review: Clock' })).toBeVisible();
});

test('a notification whose tool has changed again approves nothing and shows what there is now', async () => {
  setTools([OTHER_CLOCK]);
  const first = await note(0);
  setTools([{ ...CLOCK, description: 'Tells any time.' }]);
  const second = await note(1);
  expect(panel.closed).toContain(first.id);

  // As if the press had crossed the change on its way.
  panel.pressNote(first.id, 'approve');
  expect(await namesInForce()).toEqual([]);
  panel.pressNote(second.id, 'approve');
  await expect.poll(namesInForce).toEqual(['clock']);
});

test('what is decided elsewhere takes its notification away', async () => {
  setTools([OTHER_CLOCK]);
  const shown = await note(0);
  const { reviews } = await desktop.installation.ok<{ reviews: { id: string }[] }>('review', 'list');
  await desktop.installation.ok('review', 'keep-off', reviews[0]!.id);
  await expect.poll(() => panel.closed).toContain(shown.id);
  await expect.poll(() => panel.tooltip()).toBe('All good. 0 tools ready');
});

test('a tool that is gone is told without a question', async () => {
  setTools([]);
  const shown = await note(0);
  expect(shown.summary).toBe('Clock is gone from Demo');
  expect(shown.actions.map(({ key }) => key)).toEqual(['default']);
  expect(await namesInForce()).toEqual([]);
});

test('the tray pauses, resumes, opens the window and quits', async () => {
  await panel.clickMenu('Pause all tools', 'Until I resume');
  await expect.poll(() => panel.tooltip()).toBe('Paused. Your AI apps can’t use tools');
  await panel.clickMenu('Resume');
  await expect.poll(() => panel.tooltip()).toBe('All good. 1 tools ready');
  await panel.clickTray();
  await desktop.page();
  await expect.poll(() => desktop.isWindowVisible()).toBe(true);
  await panel.clickMenu('Quit (tools stop working)');
  await desktop.ended();
  await expect.poll(() => desktop.running()).toEqual([]);
});
