import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { electronExecutable } from './get-runtime.mjs';
import { endProcesses, Installation, ROOT, until } from './holdfast.ts';

/** The built tray app in its own data folder. */
export class DesktopApp {
  readonly installation: Installation;
  #app: ElectronApplication | undefined;
  #executable = '';

  constructor(installation = new Installation()) {
    this.installation = installation;
  }

  get app(): ElectronApplication {
    if (this.#app === undefined) throw new Error('The app does not run.');
    return this.#app;
  }

  /** Variables that the app is started without. */
  without: readonly string[] = [];

  /** Whether its first start is to be a first run. Most tests are about what comes after it. */
  isFirstRun = false;

  async start(...args: readonly string[]): Promise<void> {
    if (!this.isFirstRun) this.#skipFirstRun();
    this.#executable = await electronExecutable();
    this.#app = await _electron.launch({
      executablePath: this.#executable,
      args: [ROOT, ...args],
      env: this.#env(),
    });
  }

  #skipFirstRun(): void {
    const file = path.join(this.installation.data, 'setup.json');
    if (existsSync(file)) return;
    mkdirSync(this.installation.data, { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify({ format: 1, step: 'over', usedBy: null }));
  }

  /** The window's page, once it shows its first screen. */
  async page(): Promise<Page> {
    const page = await this.app.firstWindow();
    await page.locator('h1').waitFor();
    return page;
  }

  /** Resolves when the gateway inside answers the command line. */
  async isServing(): Promise<void> {
    await until(
      () => existsSync(path.join(this.installation.data, 'gateway.sock')),
      (isThere) => isThere,
    );
    await this.installation.ok('servers', 'list');
  }

  isWindowVisible(): Promise<boolean> {
    return this.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((w) => w.isVisible()));
  }

  /** Starts the app a second time, as a click on its icon does, and waits until that start has ended. */
  async startAgain(...args: readonly string[]): Promise<number | null> {
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const second = spawn(this.#executable, [...sandbox, ROOT, ...args], { env: this.#env(), stdio: 'ignore' });
    return new Promise((resolve) => second.once('exit', resolve));
  }

  /** The clock of the main process goes on, and it is told what a system tells after sleep. */
  sleepFiveHours(): Promise<void> {
    return this.app.evaluate(({ powerMonitor }) => {
      const real = Date.now;
      Date.now = () => real() + 5 * 60 * 60 * 1_000;
      powerMonitor.emit('resume');
    });
  }

  async close(): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
  }

  /** Resolves when the app has ended by itself. */
  async ended(): Promise<void> {
    const child = this.app.process();
    this.#app = undefined;
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  }

  /** Processes of this installation that still run, where the system tells: every one of them names its folder. */
  running(): string[] {
    if (process.platform !== 'linux') return [];
    return readdirSync('/proc').flatMap((pid) => {
      const line = /^\d+$/.test(pid) ? commandLine(pid) : '';
      return line.includes(this.installation.home) ? [line] : [];
    });
  }

  async dispose(): Promise<void> {
    await this.close();
    if (process.platform === 'linux') await endProcesses(this.installation.home);
    await this.installation.dispose();
  }

  #env(): Record<string, string> {
    const env: NodeJS.ProcessEnv = { ...this.installation.env, HOLDFAST_HOME: this.installation.data };
    const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return Object.fromEntries(given.filter(([name]) => !this.without.includes(name)));
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // it ended meanwhile
  }
}
