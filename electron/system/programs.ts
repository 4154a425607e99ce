import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DEFAULT_PATH, endingsIn, programFile } from './find-program.ts';
import { knownFolders } from './known-folders.ts';
import { isFromTerminal, readLoginPath } from './login-path.ts';
import type { Runtimes } from './runtimes.ts';
import { startPlan, type Plan } from './start-plan.ts';
import { readWindowsPath } from './windows-path.ts';
import { isFile, readSmall } from './small-files.ts';

/** A process that is about to be started. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Whose process it is. */
  readonly server?: string | undefined;
}

export interface ProgramsOptions {
  readonly dataDir: string;
  /** The first choice first. */
  readonly runtimes: readonly Runtimes[];
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
  /** How long a login shell may take. */
  readonly loginMs?: number;
  /** A program that is not found is looked for anew, but no more often than this. */
  readonly askAgainMs?: number;
}

const ASK_AGAIN_MS = 60_000;

const MAX_SHIM_BYTES = 16 * 1024;

/** Where programs are on this machine. What the machine has to be asked for is asked once, at the first use. */
export class Programs {
  readonly #options: Required<Omit<ProgramsOptions, 'loginMs'>> & Pick<ProgramsOptions, 'loginMs'>;
  #folders: Promise<readonly string[]> | null = null;
  /** On the clock of `performance.now`. */
  #askedAt = 0;

  constructor(options: ProgramsOptions) {
    const here = { env: process.env, platform: process.platform, home: os.homedir(), askAgainMs: ASK_AGAIN_MS };
    this.#options = { ...here, ...options };
  }

  /** Folders that programs are looked up in, the first that counts first. Never rejects. */
  folders(): Promise<readonly string[]> {
    if (this.#folders) return this.#folders;
    this.#askedAt = performance.now();
    this.#folders = this.#ask();
    return this.#folders;
  }

  /** How a process is started here. Prepares the folder it runs in. */
  async plan(start: Start): Promise<Plan> {
    const planned = this.#planIn(await this.folders(), start);
    if (planned.isFound || performance.now() - this.#askedAt < this.#options.askAgainMs) return planned.plan;
    // It may have been installed since, and then a person tries again.
    this.#folders = null;
    return this.#planIn(await this.folders(), start).plan;
  }

  #planIn(folders: readonly string[], start: Start): { readonly plan: Plan; readonly isFound: boolean } {
    const { dataDir, platform, env, runtimes } = this.#options;
    const delimiter = platform === 'win32' ? ';' : ':';
    const own = Object.entries(start.env).find(([name]) => isPath(name, platform))?.[1];
    const place = {
      path: own ?? folders.join(delimiter),
      cwd: start.cwd,
      platform,
      endings: endingsIn(env['PATHEXT']),
    };
    const wanted = { ...start, cacheDir: path.join(dataDir, 'caches', start.server ?? 'other') };
    const plan = startPlan(wanted, {
      platform,
      runtimes,
      path: folders,
      find: (command) => programFile(command, place),
      isFile,
      read: (file) => readSmall(file, MAX_SHIM_BYTES),
      interpreter: env['ComSpec'] ?? env['COMSPEC'] ?? 'C:\\Windows\\System32\\cmd.exe',
    });
    const isOurs = start.cwd.startsWith(path.join(dataDir, 'servers') + path.sep);
    if (isOurs && Object.hasOwn(plan.env, 'npm_config_cache')) endSearch(start.cwd);
    return { plan, isFound: plan.command !== start.command || programFile(start.command, place) !== null };
  }

  async #ask(): Promise<readonly string[]> {
    const { env, platform, home, runtimes } = this.#options;
    const delimiter = platform === 'win32' ? ';' : ':';
    const own = (env['PATH'] ?? env['Path'] ?? (platform === 'win32' ? '' : DEFAULT_PATH))
      .split(delimiter)
      .filter((folder) => folder !== '');
    const told = platform === 'win32' ? await readWindowsPath(env) : await this.#fromLogin();
    const packaged = runtimes.filter(({ isPackaged }) => isPackaged);
    const last = packaged.flatMap(({ node, uv }) =>
      [node?.file, uv].flatMap((file) => (file ? [path.dirname(file)] : [])),
    );
    // On Windows a program's own PATH is the present one and more; elsewhere a desktop's is a stub of the shell's.
    const first = platform === 'win32' ? [...own, ...told] : [...told, ...own];
    return [...new Set([...first, ...knownFolders({ platform, home, env }), ...last])];
  }

  async #fromLogin(): Promise<readonly string[]> {
    const { env, loginMs } = this.#options;
    if (isFromTerminal(env)) return [];
    const shell = env['SHELL'] ?? userShell();
    const asked = { shell, env, ...(loginMs !== undefined && { timeoutMs: loginMs }) };
    return (await readLoginPath(asked).catch(() => null)) ?? [];
  }
}

function isPath(name: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? name.toUpperCase() === 'PATH' : name === 'PATH';
}

function userShell(): string {
  try {
    return os.userInfo().shell ?? '';
  } catch {
    return ''; // this user is in no list of users
  }
}

/** npm looks for a package in every folder above, up to the home folder and whatever lies about in it; in a folder of ours it stops. */
function endSearch(cwd: string): void {
  const file = path.join(cwd, 'package.json');
  try {
    fs.mkdirSync(cwd, { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, '{ "private": true }\n', { flag: 'wx' });
  } catch {
    // there already; or nothing can be written, which the start will tell
  }
}
