import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { DesktopApp } from '../support/desktop-app.ts';
import { FakeDesktop } from '../support/desktop.ts';

test.skip(process.platform !== 'linux', 'The desktop that is played here is a Linux one.');

interface Entry {
  readonly command: string;
  readonly args: string[];
  readonly env?: Record<string, string>;
}

let panel: FakeDesktop;
let desktop: DesktopApp;
let clicks: string[];

test.beforeEach(async () => {
  panel = await FakeDesktop.start();
  desktop = new DesktopApp();
  desktop.isFirstRun = true;
  // No app of this machine but those that are put there.
  desktop.installation.env['PATH'] = path.dirname(process.execPath);
  clicks = [];
});
test.afterEach(async () => {
  await desktop.dispose();
  panel.stop();
});

async function click(page: Page, name: string): Promise<void> {
  clicks.push(name);
  await page.getByRole('button', { name, exact: true }).click();
}

/** An AI app that does what its settings say. */
async function startApp(settings: string): Promise<Client> {
  const { mcpServers } = JSON.parse(readFileSync(settings, 'utf8')) as { mcpServers: { holdfast: Entry } };
  const { command, args, env } = mcpServers.holdfast;
  const client = new Client({ name: 'claude-desktop', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, ...(env && { env }), stderr: 'ignore' }));
  return client;
}

test('three clicks and no typing: an app is set up and uses its first tool; then a change is lived through', async () => {
  const settings = path.join(desktop.installation.home, 'config', 'Claude', 'claude_desktop_config.json');
  mkdirSync(path.dirname(settings), { recursive: true });
  writeFileSync(settings, '{\n  "mcpServers": {"notes": {"command": "notes-server"}}\n}\n');
  await desktop.start();
  const page = await desktop.page();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your AI tools, safe and in one place');
  await expect(page.getByText('We found 1 server in Claude Desktop.')).toBeVisible();

  await click(page, 'Set it up for me');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('It is set up');
  await expect(page.getByText('A copy of your settings is saved')).toBeVisible();
  const claude = await startApp(settings);
  await click(page, 'I have done that');
  await expect(page.getByText('Ask Claude Desktop: “What time is it in Tokyo?”')).toBeVisible();
  const call = async (): Promise<string> =>
    JSON.stringify((await claude.callTool({ name: 'clock', arguments: { city: 'Tokyo' } })).content);
  await claude.listTools();
  expect(await call()).toMatch(/It is \d\d:\d\d in Tokyo/);
  await expect(page.getByText('It works! Claude Desktop just used Clock.')).toBeVisible();

  await click(page, 'Show me what happens when a tool changes');
  expect(clicks).toHaveLength(3);
  await expect(page.getByText('The clock has just changed, so it went off.')).toBeVisible();
  await expect.poll(() => panel.tooltip()).toBe('1 tool is waiting for your OK');
  await expect.poll(call).toContain('has changed and is off');
  await page.getByRole('button', { name: 'Approve: Clock' }).click();
  await expect(page.getByText('Clock is on again in Claude Desktop').first()).toBeVisible();
  await claude.listTools();
  expect(await call()).toMatch(/It is \d\d:\d\d in Tokyo/);

  await click(page, 'Show me a risky one');
  await expect(page.getByText('Now the clock wants to delete things.')).toBeVisible();
  await page.getByRole('button', { name: 'Review: Clock' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Clock can do more now');
  await click(page, 'Keep off');
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click();
  await expect(page.getByText('That is all.')).toBeVisible();
  await click(page, 'End the demo');
  await expect(page.getByRole('region', { name: 'What happens when a tool changes' })).toHaveCount(0);
  await claude.close();

  // It is over for good; the demo stays until it is removed, as any server does.
  await desktop.close();
  await desktop.start();
  const again = await desktop.page();
  await expect(again.getByRole('heading', { level: 1 })).toHaveText('Waiting for your OK');
  await again.getByRole('button', { name: 'Servers' }).click();
  await expect(again.getByText('Example', { exact: true })).toBeVisible();
});

test('with no app at all the demo makes a real call, and a notification tells of a change once the window is away', async () => {
  await desktop.start();
  const page = await desktop.page();
  await click(page, 'Try the demo');
  await click(page, 'Ask the clock for the time');
  await expect(page.getByText(/It is \d\d:\d\d in Tokyo\./)).toBeVisible();
  await expect(page.getByText('It works! Example app just used Clock.')).toBeVisible();
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => desktop.isWindowVisible()).toBe(false);
  await desktop.installation.ok('demo', 'change', 'small');
  await expect.poll(() => panel.tooltip()).toBe('1 tool is waiting for your OK');
  await desktop.sleepFiveHours();
  await expect.poll(() => panel.notes.length).toBe(1);
  const [note] = panel.notes;
  expect(note?.summary).toBe('Clock changed');
  panel.pressButton(note!);
  await expect.poll(() => panel.tooltip()).toMatch(/^All good\. 1 /);
});
