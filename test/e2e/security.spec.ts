import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { DesktopApp } from '../support/desktop-app.ts';
import { ROOT } from '../support/holdfast.ts';

// Electron's list of what a safe app does; app.spec.ts has what the page itself cannot do.
test.describe.configure({ mode: 'serial' });

let desktop: DesktopApp;
let page: Page;

test.beforeAll(async () => {
  desktop = new DesktopApp();
  await desktop.start();
  page = await desktop.page();
});
test.afterAll(() => desktop.dispose());

test('a window that is not ours gets no answer, though it shows our page with our preload script', async () => {
  const answer = await desktop.app.evaluate(
    async ({ BrowserWindow }, [preload, file]) => {
      const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      await other.loadFile(file);
      const said: unknown = await other.webContents.executeJavaScript('window.holdfast.invoke("snapshot", {})');
      other.destroy();
      return said;
    },
    [path.join(ROOT, 'dist/preload.cjs'), path.join(ROOT, 'dist/renderer/index.html')] as const,
  );
  expect(answer).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
});

test('a frame inside our page is not loaded, and gets no answer', async () => {
  const reached = await page.evaluate(async () => {
    const frame = document.createElement('iframe');
    frame.src = location.href;
    document.body.append(frame);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const inside = frame.contentWindow;
    frame.remove();
    return inside !== null && 'holdfast' in inside;
  });
  expect(reached).toBe(false);
});

test('no contents inside the contents: a webview is an element like any other', async () => {
  await page.evaluate(() => {
    const view = document.createElement('webview');
    view.setAttribute('src', 'https://example.invalid/');
    document.body.append(view);
    view.remove();
  });
  expect(await desktop.app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
});

test('any other contents open no window and go nowhere, too', async () => {
  const opened = await desktop.app.evaluate(async ({ BrowserWindow }) => {
    const other = new BrowserWindow({ show: false });
    await other.loadURL('about:blank');
    await other.webContents.executeJavaScript('window.open("about:blank") && 0', true);
    const count = BrowserWindow.getAllWindows().length;
    other.destroy();
    return count;
  });
  expect(opened).toBe(2);
});

test('every permission is refused, whichever way it is asked for', async () => {
  const asked = await page.evaluate(async () => {
    const name = (error: unknown): string => (error instanceof Error ? error.name : String(error));
    const media = navigator.mediaDevices as MediaDevices | undefined;
    return {
      notifications: await Notification.requestPermission(),
      camera: media === undefined ? 'not there' : await media.getUserMedia({ video: true }).then(() => 'granted', name),
      clipboard: await navigator.clipboard.readText().then(() => 'granted', name),
      place: await new Promise((resolve) => {
        navigator.geolocation.getCurrentPosition(
          () => resolve('granted'),
          (error) => resolve(error.code),
        );
      }),
    };
  });
  expect(asked.notifications).toBe('denied');
  expect(asked.place).toBe(1);
  expect([asked.camera, asked.clipboard]).not.toContain('granted');
});

test('nothing of the page comes from elsewhere, and its policy allows nothing that would', () => {
  const folder = path.join(ROOT, 'dist/renderer');
  const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(html)?.[1] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-|https?:|\*|blob:/);
  const loaded = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
  expect(loaded.length).toBeGreaterThan(0);
  for (const url of loaded) expect(url).toMatch(/^\.\//);
  for (const name of readdirSync(path.join(folder, 'assets')).filter((file) => file.endsWith('.css')))
    expect(readFileSync(path.join(folder, 'assets', name), 'utf8')).not.toMatch(/url\(\s*["']?https?:/);
});
