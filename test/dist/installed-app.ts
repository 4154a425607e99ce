import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { endProcesses, ROOT, type Ran } from '../support/holdfast.ts';
import { isRoot, Person } from './person.ts';

/** Where `npm run test:dist` has put the packages. */
export const RELEASE = path.join(ROOT, 'release/test');
/** Where the package for Debian puts the program, and the name that it can be typed by. */
export const PACKAGED = '/opt/Holdfast';
export const COMMAND = '/usr/bin/holdfast';

/** The package of this kind. */
export function packageFile(ending: '.deb' | '.tar.gz'): string {
  const [name = ''] = readdirSync(RELEASE).filter((file) => file.endsWith(ending));
  return path.join(RELEASE, name);
}

/** A package that is installed and started by a person who is no administrator, with Chromium's sandbox on. */
export class InstalledApp {
  readonly person = new Person();
  folder = '';
  #app: ElectronApplication | undefined;
  #hasPackage = false;

  get executable(): string {
    return path.join(this.folder, 'holdfast');
  }

  get app(): ElectronApplication {
    if (this.#app === undefined) throw new Error('The app does not run.');
    return this.#app;
  }

  /** By the system's own means where those may be used here, else out of the archive. */
  install(): void {
    if (isRoot) this.installPackage();
    else this.unpack('programs');
  }

  installPackage(): void {
    if (!this.#hasPackage && existsSync(PACKAGED))
      throw new Error(`There is a Holdfast in ${PACKAGED}, which these tests would replace. Remove it first.`);
    this.#hasPackage = true;
    // Nobody needs it to outlive a power cut.
    dpkg('--force-unsafe-io', '--install', packageFile('.deb'));
    this.folder = PACKAGED;
  }

  removePackage(): void {
    dpkg('--remove', 'holdfast');
  }

  /** Out of the archive, into a folder of the person's. */
  unpack(into: string): void {
    const place = path.join(this.person.home, into);
    mkdirSync(place);
    execFileSync('tar', ['-xzf', packageFile('.tar.gz'), '-C', place, '--no-same-owner']);
    const [name = ''] = readdirSync(place);
    this.folder = path.join(place, name);
    this.person.own();
  }

  async start(...args: readonly string[]): Promise<void> {
    const starter = path.join(this.person.home, 'start.sh');
    const words = [...this.person.begin, this.executable].map((word) => `'${word}'`).join(' ');
    writeFileSync(starter, `#!/bin/sh\nexec ${words} "$@"\n`);
    chmodSync(starter, 0o755);
    this.#app = await _electron.launch({
      executablePath: starter,
      args: [...args],
      env: this.#env(),
      chromiumSandbox: true,
      cwd: this.person.home,
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

  /** Runs the program to its end. */
  run(...args: readonly string[]): Promise<Ran> {
    const [program = '', ...rest] = this.person.wrap([this.executable, ...args]);
    const env = this.#env();
    return promisify(execFile)(program, rest, { env, timeout: 60_000 }).then(
      (ran) => ({ status: 0, ...ran }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        status: code,
        stdout,
        stderr,
      }),
    );
  }

  /** Has it look for updates there, as an AppImage does, which is replaced as one file; returns that file. */
  updatesFrom(url: string): string {
    const { home, env } = this.person;
    const settings = ['provider: generic', `url: ${url}`, 'updaterCacheDirName: holdfast-test', ''].join('\n');
    writeFileSync(path.join(this.folder, 'resources/app-update.yml'), settings);
    const program = path.join(home, 'Holdfast.AppImage');
    writeFileSync(program, 'the old one', { mode: 0o755 });
    rmSync(path.join(home, 'started'), { force: true });
    env['APPIMAGE'] = program;
    env['XDG_CACHE_HOME'] = path.join(home, `cache-${Date.now()}`);
    this.person.own();
    return program;
  }

  /** No AppImage and no updates any more. */
  updatesFromNowhere(): void {
    delete this.person.env['APPIMAGE'];
    rmSync(path.join(this.folder, 'resources/app-update.yml'));
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
        const isOne = line.includes(this.person.home) || (this.#hasPackage && line.includes(PACKAGED));
        return isOne ? [line] : [];
      } catch {
        return []; // no process, or one that has ended
      }
    });
  }

  async dispose(): Promise<void> {
    await this.close();
    await endProcesses(this.person.home);
    if (this.#hasPackage) {
      await endProcesses(PACKAGED);
      spawnSync('dpkg', ['--purge', 'holdfast']);
    }
    await this.person.dispose();
  }

  #env(): Record<string, string> {
    const entries = Object.entries(this.person.env);
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }
}

function dpkg(...args: readonly string[]): void {
  // What the system does about menus and icons need not outlive a power cut either.
  const env = { ...process.env, PKGSYSTEM_ENABLE_FSYNC: '0', DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync('dpkg', args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`dpkg ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
}
