import { expect, test } from '@playwright/test';
import { DesktopApp } from '../support/desktop-app.ts';
import { FakeDesktop, type ShownNote } from '../support/desktop.ts';
import { CLOCK, Demo } from '../support/desktop-demo.ts';

test.skip(process.platform !== 'linux', 'The desktop that is played here is a Linux one.');

const OTHER_CLOCK = { ...CLOCK, description: 'Tells the time in a city.' };
const DELETING_CLOCK = { ...CLOCK, annotations: { readOnlyHint: false, destructiveHint: true } };

let panel: FakeDesktop;
let desktop: DesktopApp;
let demo: Demo;

test.beforeEach(async () => {
  panel = await FakeDesktop.start();
  desktop = new DesktopApp();
  demo = new Demo(desktop.installation);
  await desktop.start('--hidden');
  await desktop.isServing();
  await demo.start();
  await expect.poll(() => panel.tooltip()).toMatch(/^All good\. 1 /);
});
test.afterEach(async () => {
  await desktop.dispose();
  panel.stop();
});

/** The note of that number. What is no risk is collected and told rarely; so the computer sleeps for five hours. */
const note = async (at: number): Promise<ShownNote> => {
  await expect
    .poll(async () => {
      if (panel.notes.length <= at) await desktop.sleepFiveHours();
      return panel.notes.length;
    })
    .toBeGreaterThan(at);
  return panel.notes[at]!;
};

test('a change turns the tool off, tells about it once, and Approve in the notification turns it on again', async () => {
  const iconWhenGood = await panel.icon();
  demo.offer([OTHER_CLOCK]);

  const shown = await note(0);
  expect(shown.summary).toBe('Clock changed');
  expect(shown.body).toContain('It’s off in Claude Desktop until you decide.');
  expect(shown.actions.map(({ label }) => label)).toEqual(['Review', 'Approve']);
  expect(shown.hints).toMatchObject({ urgency: 1 });
  expect(await demo.inForce()).toEqual([]);
  await expect.poll(() => panel.tooltip()).toBe('1 tool is waiting for your OK');
  expect((await panel.menu())[0]).toMatchObject({ label: '1 tool is waiting for your OK', isEnabled: false });
  expect(await panel.icon()).not.toBe(iconWhenGood);

  panel.pressButton(shown);
  await expect.poll(() => demo.inForce()).toEqual(['clock']);
  await expect.poll(() => panel.tooltip()).toMatch(/^All good\. 1 /);
  expect(await panel.icon()).toBe(iconWhenGood);
  expect(desktop.app.windows()).toHaveLength(0);
  expect(panel.notes).toHaveLength(1);
});

test('a change that adds risk has no Approve outside the window, and there the button says the risk', async () => {
  demo.offer([DELETING_CLOCK]);
  const shown = await note(0);
  expect(shown.summary).toBe('Clock can do more now');
  expect(shown.actions.map(({ label }) => label)).toEqual(['Review', 'Review']);

  panel.pressButton(shown);
  const page = await desktop.page();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Clock can do more now');
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0);
  // Enter pressed blindly decides nothing.
  await page.keyboard.press('Enter');
  expect(await demo.inForce()).toEqual([]);
  await page.getByRole('button', { name: 'Approve: it can delete things' }).click();
  await expect(page.getByText('Clock is on again in Claude Desktop').first()).toBeVisible();
  expect(await demo.inForce()).toEqual(['clock']);

  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => demo.inForce()).toEqual([]);
  await expect(page.getByRole('button', { name: 'Review: Clock' })).toBeVisible();
});

test('a notification whose tool has changed again approves nothing and shows what there is now', async () => {
  demo.offer([OTHER_CLOCK]);
  const first = await note(0);
  demo.offer([{ ...CLOCK, description: 'Tells any time.' }]);
  await expect.poll(() => panel.closed).toContain(first.id);
  const second = await note(1);

  // As if the press had crossed the change on its way: on this desktop, or on one that kept the number.
  panel.pressButton(first);
  panel.pressNote(second.id, first.actions[1]!.key);
  await desktop.page();
  expect(await demo.inForce()).toEqual([]);
  await expect.poll(() => desktop.isWindowVisible()).toBe(true);
});

test('what is decided elsewhere takes its notification away', async () => {
  demo.offer([OTHER_CLOCK]);
  const shown = await note(0);
  const { reviews } = await desktop.installation.ok<{ reviews: { id: string }[] }>('review', 'list');
  await desktop.installation.ok('review', 'keep-off', reviews[0]!.id);
  await expect.poll(() => panel.closed).toContain(shown.id);
  await expect.poll(() => panel.tooltip()).toMatch(/^All good\. 0 /);
});

test('a tool that is gone is told without a question', async () => {
  demo.offer([]);
  const shown = await note(0);
  expect(shown.summary).toBe('Clock is gone from Demo');
  expect(shown.actions.map(({ key }) => key)).toEqual(['default']);
  expect(await demo.inForce()).toEqual([]);
});

test('an app that tries a tool that waits makes a note of its own', async () => {
  demo.offer([DELETING_CLOCK]);
  await note(0);
  const host = await desktop.installation.hostApp('claude-desktop');
  const { isError } = await host.client.callTool({ name: 'clock', arguments: {} });
  expect(isError).toBe(true);
  await expect.poll(() => panel.notes.length).toBe(2);
  expect(panel.notes[1]).toMatchObject({
    summary: 'Claude Desktop tried to use Clock',
    body: 'It’s waiting for your OK. Nothing was run.',
  });
});

test('a desktop without buttons tells as well, and the tray leads to the review', async () => {
  panel.capabilities = ['body'];
  demo.offer([OTHER_CLOCK]);
  const shown = await note(0);
  expect(shown.summary).toBe('Clock changed');
  expect(shown.actions).toEqual([]);
  await panel.clickMenu('Review changes…');
  const page = await desktop.page();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Clock changed');
  await page.getByRole('button', { name: 'Keep off' }).click();
  await expect(page.getByText('Clock stays off').first()).toBeVisible();
  expect(await demo.inForce()).toEqual([]);
});

test('the icon is made anew after sleep, and for a panel that has restarted', async () => {
  const before = panel.icons;
  await desktop.app.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
  await expect.poll(() => panel.icons).toBeGreaterThan(before);
  expect(await panel.tooltip()).toMatch(/^All good\. 1 /);

  panel.stop();
  panel = await FakeDesktop.start();
  await expect.poll(() => panel.icons).toBeGreaterThan(0);
  // Electron announces the old icon to the new panel, too, until the new one has taken its place.
  await expect(() => panel.clickMenu('Pause all tools', 'Until I resume')).toPass();
  await expect.poll(() => panel.tooltip()).toBe('Paused. Your AI apps can’t use tools');
});

test('the tray pauses, resumes, opens the window and quits', async () => {
  await panel.clickMenu('Pause all tools', 'Until I resume');
  await expect.poll(() => panel.tooltip()).toBe('Paused. Your AI apps can’t use tools');
  await panel.clickMenu('Resume');
  await expect.poll(() => panel.tooltip()).toMatch(/^All good\. 1 /);
  await panel.clickTray();
  await desktop.page();
  await expect.poll(() => desktop.isWindowVisible()).toBe(true);
  await panel.clickMenu('Quit (tools stop working)');
  await desktop.ended();
  await expect.poll(() => desktop.running()).toEqual([]);
});
