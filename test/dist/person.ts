import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { CLI, Installation, ROOT } from '../support/holdfast.ts';

export const isRoot = process.getuid?.() === 0;
const NAME = 'holdfast-tests';

/** What a person runs by hand here, and may not be able to read where the checkout lies. */
const TOOLS = ['dist/cli.cjs', 'dist/engine.cjs', 'dist/bridge.cjs', 'dist/demo.cjs', 'test/fixtures/upstream.mjs'];

/**
 * A person of this computer who is no administrator, with a home folder of their own and the usual data folder in it.
 * Whoever runs the tests is that person, but for root, who makes one and removes them again.
 */
export class Person extends Installation {
  constructor() {
    super();
    for (const folder of ['user', 'tools']) mkdirSync(path.join(this.home, folder), { mode: 0o755 });
    delete this.env['XDG_CONFIG_HOME'];
    // The tests' bus would not talk to another user, and the app has to do without one.
    delete this.env['DBUS_SESSION_BUS_ADDRESS'];
    this.env['XDG_RUNTIME_DIR'] = this.home;
    for (const file of [...TOOLS.map((tool) => path.join(ROOT, tool)), process.execPath])
      copyFileSync(file, this.#tool(file));
    this.wrap = (program) => [...this.begin, ...program.map((word) => this.#readable(word))];
    if (isRoot) this.#arrive();
    this.#takeDisplayKey();
    this.own();
  }

  override get data(): string {
    return path.join(this.home, 'user/.config/Holdfast');
  }

  /** What a command line begins with that this person runs. */
  get begin(): readonly string[] {
    return isRoot ? ['setpriv', `--reuid=${NAME}`, `--regid=${NAME}`, '--init-groups'] : [];
  }

  /** Gives the home to the person. */
  own(): void {
    chmodSync(this.home, 0o755);
    if (isRoot) execFileSync('chown', ['-R', `${NAME}:${NAME}`, this.home]);
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    if (isRoot) execFileSync('userdel', [NAME], { stdio: 'ignore' });
  }

  #arrive(): void {
    spawnSync('userdel', [NAME]); // of tests that were killed
    const home = ['--no-create-home', '--home-dir', path.join(this.home, 'user')];
    execFileSync('useradd', [...home, '--user-group', '--shell', '/bin/sh', NAME]);
  }

  #tool(file: string): string {
    return path.join(this.home, 'tools', path.basename(file));
  }

  #readable(word: string): string {
    const isTool = word === process.execPath || word === CLI || TOOLS.some((tool) => word === path.join(ROOT, tool));
    return isTool ? this.#tool(word) : word;
  }

  #takeDisplayKey(): void {
    const key = process.env['XAUTHORITY'];
    if (key === undefined) return;
    const copy = path.join(this.home, 'xauthority');
    copyFileSync(key, copy);
    chownSync(copy, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    this.env['XAUTHORITY'] = copy;
  }
}
