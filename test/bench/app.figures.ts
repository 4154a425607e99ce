import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { DesktopApp } from '../support/desktop-app.ts';
import { FakeDesktop } from '../support/desktop.ts';
import { Gallery } from '../support/gallery.ts';
import { processesOf } from '../soak/processes.ts';
import { mib, ms, row, timed } from './figures.ts';

const SETTLE_MS = 3_000;
const TURNS = 40;

const tell = (what: string, figure: string): void => console.log(row(what, figure));

test('hidden, then shown from the tray', async () => {
  const panel = await FakeDesktop.start();
  const desktop = new DesktopApp();
  try {
    const start = await timed(async () => {
      await desktop.start('--hidden');
      await desktop.isServing();
    });
    tell('hidden start until the gateway serves', ms(start));
    await expect.poll(() => panel.tooltip()).not.toBe('');
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    tell('memory of the hidden app, shared parts shared', mib(await memory(desktop)));
    tell('the window, for the first time', ms(await shown(desktop, panel)));
    await desktop.page();
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(() => desktop.isWindowVisible()).toBe(false);
    tell('the window, again', ms(await shown(desktop, panel)));
    tell('memory with the window', mib(await memory(desktop)));
  } finally {
    await desktop.dispose();
    panel.stop();
  }
});

test('500 reviews and 2,000 tools', async () => {
  const gallery = await Gallery.open();
  const { page } = gallery;
  try {
    await page.evaluate(() => window.gallery.showLarge(500, 2_000));
    await expect(page.locator('[data-row]')).toHaveCount(500);
    tell('longest frame, 500 reviews scrolled', ms(await longestFrame(page, 'scroll')));
    await page.keyboard.press('Control+2');
    await page.getByRole('button', { name: 'Exa', exact: true }).click();
    await expect(page.getByRole('switch')).toHaveCount(200);
    for (let turn = 0; turn < 3; turn += 1) await page.getByRole('button', { name: 'Show more' }).click();
    await expect(page.getByRole('switch')).toHaveCount(800);
    tell('longest frame, 800 shown of 2,000 tools scrolled', ms(await longestFrame(page, 'scroll')));
    tell('longest frame, 2,000 tools filtered', ms(await longestFrame(page, 'filter')));
  } finally {
    await gallery.close();
  }
});

/** Milliseconds from a click on the tray until the window is on the screen, as the app's own clock has it. */
async function shown(desktop: DesktopApp, panel: FakeDesktop): Promise<number> {
  await desktop.app.evaluate(({ app, BrowserWindow }) => {
    const note = (window: Electron.BrowserWindow): void => {
      window.once('show', () => Object.assign(globalThis, { shownAt: Date.now() }));
    };
    Object.assign(globalThis, { shownAt: 0 });
    BrowserWindow.getAllWindows().forEach(note);
    app.once('browser-window-created', (_, window) => note(window));
  });
  const clicked = Date.now();
  await panel.clickTray();
  const at = (): Promise<number> => desktop.app.evaluate(() => (globalThis as { shownAt?: number }).shownAt ?? 0); // as above
  await expect.poll(at).toBeGreaterThan(0);
  return (await at()) - clicked;
}

/** Bytes of all processes of the app: what several share counts once. */
async function memory(desktop: DesktopApp): Promise<number> {
  const main = desktop.app.process().pid ?? 0;
  const all = processesOf('');
  const ours = new Set([main]);
  for (let size = 0; size < ours.size;) {
    size = ours.size;
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
  }
  return [...ours].reduce((sum, pid) => {
    const kb = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return sum + Number(kb ?? 0) * 1024;
  }, 0);
}

function longestFrame(page: Page, work: 'scroll' | 'filter'): Promise<number> {
  return page.evaluate(
    async ([what, turns]) => {
      let longest = 0;
      let last = performance.now();
      let isOver = false;
      const watch = (now: number): void => {
        longest = Math.max(longest, now - last);
        last = now;
        if (!isOver) requestAnimationFrame(watch);
      };
      requestAnimationFrame(watch);
      for (let turn = 0; turn < turns; turn += 1) {
        const field = document.querySelector<HTMLInputElement>('input[type=search]');
        if (what === 'scroll') window.scrollBy(0, 400);
        else if (field !== null) {
          field.value = `Tool ${turn}`;
          field.dispatchEvent(new Event('input'));
        }
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      isOver = true;
      return longest;
    },
    [work, TURNS] as const,
  );
}
