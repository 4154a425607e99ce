import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { endProcesses, Installation, ROOT } from '../support/holdfast.ts';

/** Where `npm run test:dist` has put the packages. */
export const RELEASE = path.join(ROOT, 'release/test');

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** A package, unpacked and started by a person who is no administrator, with Chromium's sandbox on. */
export class InstalledApp {
  readonly installation = new Installation();
  #app: ElectronApplication | undefined;

  constructor() {
    if (isRoot) this.installation.wrap = (program) => [...asNobody(), ...program];
    // The tests' bus would not talk to another user, and the app has to do without one.
    delete this.installation.env['DBUS_SESSION_BUS_ADDRESS'];
    this.installation.env['XDG_RUNTIME_DIR'] = this.installation.home;
    for (const folder of ['user', 'config', 'data'])
      mkdirSync(path.join(this.installation.home, folder), { mode: 0o700 });
    this.#takeDisplayKey();
    this.own();
  }

  /** The folder that the archive unpacks to. */
  get folder(): string {
    const [name = ''] = readdirSync(this.#programs);
    return path.join(this.#programs, name);
  }

  get executable(): string {
    return path.join(this.folder, 'holdfast');
  }

  get app(): ElectronApplication {
    if (this.#app === undefined) throw new Error('The app does not run.');
    return this.#app;
  }

  unpack(): void {
    mkdirSync(this.#programs);
    const [archive = ''] = readdirSync(RELEASE).filter((name) => name.endsWith('.tar.gz'));
    execFileSync('tar', ['-xzf', path.join(RELEASE, archive), '-C', this.#programs, '--no-same-owner']);
  }

  /** Starts it; resolves to the milliseconds until Electron was ready to be driven. */
  async start(...args: readonly string[]): Promise<void> {
    const starter = path.join(this.installation.home, 'start.sh');
    const words = [...(isRoot ? asNobody() : []), this.executable].map((word) => `'${word}'`).join(' ');
    writeFileSync(starter, `#!/bin/sh\nexec ${words} "$@"\n`);
    chmodSync(starter, 0o755);
    this.#app = await _electron.launch({
      executablePath: starter,
      args: [...args],
      env: this.#env(),
      chromiumSandbox: true,
      cwd: this.installation.home,
    });
  }

  async page(): Promise<Page> {
    const page = await this.app.firstWindow();
    await page.locator('h1').waitFor();
    return page;
  }

  async close(): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
  }

  /** Runs the program for an uninstaller, which knows of no display. */
  async run(...args: readonly string[]): Promise<void> {
    const [program = '', ...rest] = this.installation.wrap([this.executable, ...args]);
    const { DISPLAY: _, ...env } = this.#env();
    await promisify(execFile)(program, rest, { env, timeout: 60_000 });
  }

  /** Gives the home to the person. */
  own(): void {
    if (!isRoot) return;
    chmodSync(this.installation.home, 0o755);
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, this.installation.home]);
  }

  /** Has it look for updates there, as an AppImage does, which is replaced as one file; returns that file. */
  updatesFrom(url: string): string {
    const settings = ['provider: generic', `url: ${url}`, 'updaterCacheDirName: holdfast-test', ''].join('\n');
    writeFileSync(path.join(this.folder, 'resources/app-update.yml'), settings);
    const program = path.join(this.installation.home, 'Holdfast.AppImage');
    writeFileSync(program, 'the old one', { mode: 0o755 });
    rmSync(path.join(this.installation.home, 'started'), { force: true });
    this.installation.env['APPIMAGE'] = program;
    this.installation.env['XDG_CACHE_HOME'] = path.join(this.installation.home, `cache-${Date.now()}`);
    this.own();
    return program;
  }

  /** Resolves when it has ended by itself. */
  async ended(): Promise<void> {
    const child = this.app.process();
    this.#app = undefined;
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  }

  /** Command lines of what still runs of it. */
  running(): string[] {
    return readdirSync('/proc').flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(this.installation.home) ? [line] : [];
      } catch {
        return []; // no process, or one that has ended
      }
    });
  }

  async dispose(): Promise<void> {
    await this.close();
    await endProcesses(this.installation.home);
    await this.installation.dispose();
  }

  get #programs(): string {
    return path.join(this.installation.home, 'programs');
  }

  #env(): Record<string, string> {
    const env: NodeJS.ProcessEnv = { ...this.installation.env, HOLDFAST_HOME: this.installation.data };
    return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  #takeDisplayKey(): void {
    const key = process.env['XAUTHORITY'];
    if (key === undefined) return;
    const copy = path.join(this.installation.home, 'xauthority');
    copyFileSync(key, copy);
    if (isRoot) chownSync(copy, NOBODY, NOBODY);
    this.installation.env['XAUTHORITY'] = copy;
  }
}

function asNobody(): string[] {
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
}
