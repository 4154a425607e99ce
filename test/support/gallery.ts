import path from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { buildGallery } from '../gallery/build.mjs';
import type { ShowOptions } from '../gallery/main.ts';
import type { StateName } from '../gallery/states.ts';
import { electronExecutable } from './get-runtime.mjs';
import { ROOT } from './holdfast.ts';

/** One build serves all files of a run. */
let built: Promise<string> | undefined;

/** The window's screens with a gateway that is played, in a real Electron. */
export class Gallery {
  readonly page: Page;
  readonly names: readonly StateName[];
  /** Errors of the page, and what its security policy has refused. */
  readonly complaints: string[] = [];
  readonly #app: ElectronApplication;
  readonly #home: string;

  private constructor(app: ElectronApplication, page: Page, names: readonly StateName[], home: string) {
    this.#app = app;
    this.page = page;
    this.names = names;
    this.#home = home;
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
  }

  static async open(): Promise<Gallery> {
    built ??= buildGallery();
    const file = await built;
    const home = mkdtempSync(path.join(tmpdir(), 'holdfast-gallery-'));
    const app = await _electron.launch({
      executablePath: await electronExecutable(),
      args: [path.join(ROOT, 'test/gallery/window.cjs'), `--user-data-dir=${home}`, file],
      env: { ...environment(), LANG: 'en_US.UTF-8' },
    });
    const page = await app.firstWindow();
    await page.waitForFunction(() => 'gallery' in window && document.querySelector('h1') !== null);
    return new Gallery(app, page, await page.evaluate(() => window.gallery.names), home);
  }

  /** Shows one state from scratch. */
  async show(name: StateName, options: ShowOptions = {}): Promise<void> {
    await this.page.evaluate(([which, given]) => window.gallery.show(which, given), [name, options] as const);
  }

  /** Sets the size of the page, in CSS pixels. */
  async resize(width: number, height = 640): Promise<void> {
    await this.#app.evaluate(({ BrowserWindow }, [w, h]) => BrowserWindow.getAllWindows()[0]?.setContentSize(w, h), [
      width,
      height,
    ] as const);
    await this.page.waitForFunction(([w, h]) => window.innerWidth === w && window.innerHeight === h, [width, height]);
  }

  /** Height of the whole page, or of the window where that is higher. */
  height(): Promise<number> {
    return this.page.evaluate(() => Math.max(640, document.documentElement.scrollHeight));
  }

  /** Commands that were asked for since the state was shown, but for those that only look. */
  async asked(): Promise<[string, unknown][]> {
    const all = await this.page.evaluate(() => window.gallery.asked());
    const looks = /^(?:snapshot|history|about|.*\.(?:list|show|tools|search))$/;
    return all.filter(([command]) => !looks.test(command)).map(([command, input]) => [command, input]);
  }

  async close(): Promise<void> {
    await this.#app.close();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function environment(): Record<string, string> {
  const given = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given);
}
