import { expect, test, type Page } from '@playwright/test';
import { DesktopApp } from '../support/desktop-app.ts';
import { CLOCK, Demo } from '../support/desktop-demo.ts';

let desktop: DesktopApp;

test.beforeEach(() => {
  desktop = new DesktopApp();
});
test.afterEach(() => desktop.dispose());

test('once first run is over, the inbox shows that there is nothing to decide', async () => {
  await desktop.start();
  const page = await desktop.page();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Waiting for your OK');
  await expect(page.getByRole('heading', { name: 'Nothing to decide' })).toBeVisible();
  await expect(page.locator('.button.filled')).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('the page is sandboxed: it reaches three functions and nothing else', async () => {
  await desktop.start();
  const page = await desktop.page();
  const preferences = await desktop.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    // Electron has it, its types do not.
    return (contents as unknown as { getLastWebPreferences(): object }).getLastWebPreferences();
  });
  expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false });
  expect(
    await page.evaluate(() => ['require', 'process', 'module', 'Buffer'].filter((name) => name in globalThis)),
  ).toEqual([]);
  expect(await page.evaluate(() => Object.keys(window.holdfast))).toEqual([
    'invoke',
    'onSnapshot',
    'onFocus',
    'onOpen',
    'onBanner',
    'pathOf',
  ]);
});

test('the page opens no window, goes nowhere, runs no text as code and fetches nothing', async () => {
  await desktop.start();
  const page = await desktop.page();
  const before = page.url();
  expect(await page.evaluate(() => window.open('https://example.invalid/'))).toBeNull();
  await page.evaluate(() => {
    location.href = 'https://example.invalid/';
  });
  // Time for a navigation that is not stopped to happen.
  await page.waitForTimeout(300);
  expect(page.url()).toBe(before);
  // An empty page is gone to unasked; the window returns from it.
  await page.evaluate(() => {
    location.href = 'about:blank';
  });
  await expect.poll(() => page.url()).toBe(before);
  await page.locator('h1').waitFor();
  expect(desktop.app.windows()).toHaveLength(1);
  expect(await refusal(page, 'eval')).toBe('EvalError');
  expect(await refusal(page, 'fetch')).toBe('TypeError');
  expect(await refusal(page, 'script')).toBe('blocked');
  const granted = await page.evaluate(async () => [
    Notification.permission,
    (await navigator.permissions.query({ name: 'geolocation' })).state,
  ]);
  expect(granted).toEqual(['denied', 'denied']);
});

/** How the page's policy stops one way out. */
function refusal(page: Page, way: 'eval' | 'fetch' | 'script'): Promise<string> {
  return page.evaluate(async (which) => {
    // What the debugger itself evaluates may use eval whatever the policy says; what a timer runs may not.
    await new Promise((resolve) => setTimeout(resolve, 0));
    try {
      // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is what has to fail
      if (which === 'eval') new Function('return 1')();
      else if (which === 'fetch') await fetch('https://example.invalid/');
      else {
        const script = document.createElement('script');
        script.textContent = 'globalThis.ran = true';
        document.head.append(script);
        return 'ran' in globalThis ? 'ran' : 'blocked';
      }
      return 'allowed';
    } catch (error) {
      return error instanceof Error ? error.name : 'not an error';
    }
  }, way);
}

test('only the window’s commands are answered, errors come as one sentence and the next step', async () => {
  await desktop.start();
  const page = await desktop.page();
  const ask = (command: string, input: unknown): Promise<unknown> =>
    page.evaluate(
      ([name, value]) =>
        window.holdfast.invoke(name as 'snapshot', value as never).catch((error: unknown) => String(error)),
      [command, input] as const,
    );
  expect(await ask('snapshot', {})).toMatchObject({ ok: true, value: { language: 'en', tray: 'ok' } });
  expect(await ask('servers.forget-keys', {})).toContain('no such command');
  expect(await ask('review.approve', { id: 'rev-0' })).toMatchObject({ ok: false, error: { code: 'REVIEW_UNKNOWN' } });
  expect(await ask('language', { language: 'fr' })).toMatchObject({ ok: false, error: { code: 'COMMAND_BAD_INPUT' } });
});

test('closing hides the window, a second start shows it again, a hidden second start does not', async () => {
  await desktop.start();
  await desktop.page();
  await expect.poll(() => desktop.isWindowVisible()).toBe(true);
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => desktop.isWindowVisible()).toBe(false);
  expect(await desktop.startAgain('--hidden')).toBe(0);
  expect(await desktop.isWindowVisible()).toBe(false);
  expect(await desktop.startAgain()).toBe(0);
  await expect.poll(() => desktop.isWindowVisible()).toBe(true);
  expect(desktop.app.windows()).toHaveLength(1);
});

test('the language is switched at once and kept', async () => {
  await desktop.start();
  const page = await desktop.page();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Language English' }).click();
  await page.getByRole('option', { name: '简体中文' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('设置');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await desktop.close();
  await desktop.start();
  await expect((await desktop.page()).getByRole('heading', { level: 1 })).toHaveText('等你确认');
});

test('a server is pasted, looked at, added and used, all in the window', async () => {
  await desktop.start();
  const demo = new Demo(desktop.installation);
  demo.offer([CLOCK]);
  await desktop.isServing();
  await desktop.installation.ok('apps', 'add', 'claude-desktop');
  const page = await desktop.page();
  await page.getByRole('button', { name: 'Servers' }).click();
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByLabel('Link, line or block from its page').fill(demo.line);
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByRole('region', { name: 'This will run on your computer' })).toContainText('upstream.mjs');
  expect(await desktop.installation.ok('servers', 'list')).toMatchObject({ servers: [] });
  await page.getByLabel('Name').fill('Demo');
  await page.getByRole('button', { name: 'Add and start' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Demo');
  await page.getByRole('switch', { name: 'Clock' }).click();
  await expect(page.getByRole('switch', { name: 'Clock' })).toBeChecked();
  await expect.poll(() => demo.inForce()).toEqual(['clock']);
  await page.getByRole('switch', { name: 'Clock' }).click();
  await expect.poll(() => demo.inForce()).toEqual([]);
});

test('a tool set is made and given to an app in the window', async () => {
  await desktop.start();
  const demo = new Demo(desktop.installation);
  await desktop.isServing();
  await demo.start();
  await desktop.installation.ok('hide', 'claude-desktop', 'Demo', 'tool', 'clock');
  const page = await desktop.page();
  await page.getByRole('button', { name: 'Tool sets' }).click();
  await page.getByRole('button', { name: 'Make a set' }).click();
  await page.getByLabel('Name of the set').fill('Work');
  await page.getByRole('button', { name: 'Make a set' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Work');
  await page.getByRole('checkbox', { name: 'Clock' }).click();
  await expect(page.getByRole('checkbox', { name: 'Clock' })).toBeChecked();
  await page.getByRole('checkbox', { name: 'Claude Desktop' }).click();
  await expect
    .poll(() => desktop.installation.ok('profiles', 'list'))
    .toMatchObject({
      profiles: [{ name: 'Work', apps: ['claude-desktop'] }],
    });
  await page.getByRole('button', { name: 'Activity' }).click();
  await expect(page.getByText('Work').first()).toBeVisible();
});

test('a hidden start has no window, and quitting leaves no process behind', async () => {
  await desktop.start('--hidden');
  await desktop.isServing();
  expect(desktop.app.windows()).toHaveLength(0);
  await desktop.close();
  await expect.poll(() => desktop.running()).toEqual([]);
});

test('without a session bus there is no tray, and changes are held back all the same', async () => {
  desktop.without = ['DBUS_SESSION_BUS_ADDRESS'];
  await desktop.start();
  const demo = new Demo(desktop.installation);
  const page = await desktop.page();
  await demo.start();
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  demo.offer([{ ...CLOCK, description: 'Tells the time in a city.' }]);
  await expect.poll(() => demo.inForce()).toEqual([]);
  // Time for a notification that goes nowhere to do its worst.
  await page.waitForTimeout(500);
  await expect(page.getByRole('button', { name: 'Approve: Clock' })).toHaveCount(1);
  expect(await desktop.startAgain()).toBe(0);
  await page.getByRole('button', { name: 'Approve: Clock' }).click();
  await expect.poll(() => demo.inForce()).toEqual(['clock']);
});
