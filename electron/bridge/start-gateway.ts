import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { launchFile } from './endpoint.ts';
import { isAlive } from './process-alive.ts';

/** How to start the gateway, written by the gateway itself at its last start. */
export interface LaunchFile {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const STALE_LOCK_MS = 30_000;

/** Reads how the gateway was started last; `null` where it never ran or the file is not what it should be. */
export function readLaunch(home: string): LaunchFile | null {
  try {
    return launchFrom(JSON.parse(readFileSync(launchFile(home), 'utf8')));
  } catch {
    return null;
  }
}

/** Why bridges are not to start the gateway: its files are being replaced, or it was taken out of every app to be removed. */
export type Withheld = 'update' | 'removed';

/** What stands in place of how the gateway is started; `null` where that stands there, or nothing. */
export function readWithheld(home: string): Withheld | null {
  try {
    const value: unknown = JSON.parse(readFileSync(launchFile(home), 'utf8'));
    const why = typeof value === 'object' && value !== null && 'withheld' in value ? value.withheld : null;
    return why === 'update' || why === 'removed' ? why : null;
  } catch {
    return null;
  }
}

function launchFrom(value: unknown): LaunchFile | null {
  if (typeof value !== 'object' || value === null) return null;
  const { command, args, env, trailing = [] } = value as Record<string, unknown>; // an object, checked above
  if (typeof command !== 'string' || command === '') return null;
  if (!isTexts(args) || !isTexts(trailing)) return null;
  const variables = typeof env === 'object' && env !== null ? Object.entries(env) : [];
  const texts = variables.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { command, args: [...args, ...trailing], env: Object.fromEntries(texts) };
}

/** The first file of what is to be started that is not there; `null` where all are. Names of programs are not looked up. */
export function missingIn({ command, args }: LaunchFile): string | null {
  const files = [command, args[0] ?? ''].filter((file) => path.isAbsolute(file));
  return files.find((file) => !existsSync(file)) ?? null;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

/**
 * Takes the right to start the gateway, so that bridges that come up together do not start it many times.
 * Returns how to give it back, or `null` where another bridge has it. The gateway's own lock is the real guard.
 */
export function takeStartLock(home: string): (() => void) | null {
  const file = path.join(home, 'bridge-start.lock');
  removeStale(file);
  try {
    const handle = openSync(file, 'wx', 0o600);
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return () => rmSync(file, { force: true });
  } catch {
    return null;
  }
}

function removeStale(file: string): void {
  try {
    const found = statSync(file);
    // A clock that was set back must not make it last for ever.
    if (Math.abs(Date.now() - found.mtimeMs) < STALE_LOCK_MS && isOwned(readFileSync(file, 'utf8'))) return;
    // Renamed first: of several that find it stale, one gets it and the others fail here.
    const aside = `${file}.${process.pid}`;
    renameSync(file, aside);
    // Another bridge may have replaced it in between: then it was that one's, and goes back unless there is a third.
    if (statSync(aside).ino !== found.ino) linkSync(aside, file);
    rmSync(aside, { force: true });
  } catch {
    // not there, or another bridge was faster
  }
}

function isOwned(text: string): boolean {
  const pid = Number(text);
  return !Number.isInteger(pid) || pid <= 0 || isAlive(pid); // without a number it is being written
}

/** A gateway that was started, and how it ended; `null` while it runs. A status of `null` is an end by a signal. */
interface Started {
  ended: { readonly status: number | null } | null;
}

/** Starts the gateway on its own feet: it outlives the host app. Rejects where it cannot be started. */
function startGateway(home: string, launch: LaunchFile): Promise<Started> {
  const inherited = { ...process.env };
  // Set for the bridge by its host app; the gateway must not run as plain Node because of them.
  delete inherited['ELECTRON_RUN_AS_NODE'];
  delete inherited['NODE_OPTIONS'];
  return new Promise((resolve, reject) => {
    const child = spawn(launch.command, [...launch.args], {
      cwd: home,
      env: { ...inherited, ...launch.env },
      detached: true,
      windowsHide: true,
      stdio: 'ignore',
    });
    const started: Started = { ended: null };
    child.once('error', reject);
    child.once('exit', (status) => (started.ended = { status }));
    child.once('spawn', () => {
      child.unref();
      resolve(started);
    });
  });
}

/** A gateway that ends at once may be in the way of one that is just ending; more often than this it is broken. */
const MAX_STARTS = 4;
const FIRST_GAP_MS = 1_000;

/** Starts the gateway for those who wait, and again where it ended before it served. */
export class Starts {
  readonly #home: string;
  #started: Started | null = null;
  #count = 0;
  #notBefore = 0;

  constructor(home: string) {
    this.#home = home;
  }

  /** To be asked again and again while there is no gateway. Returns why there will be none, or `null`. */
  async ensure(launch: LaunchFile): Promise<string | null> {
    if (this.#started && !hasFailed(this.#started)) return null;
    if (this.#count >= MAX_STARTS) return 'it ended again and again while it was starting';
    if (performance.now() < this.#notBefore) return null;
    this.#notBefore = performance.now() + FIRST_GAP_MS * 2 ** this.#count++;
    try {
      this.#started = await startGateway(this.#home, launch);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

/** One that ends well has found another one that runs, and handed over to it. */
function hasFailed({ ended }: Started): boolean {
  return ended !== null && ended.status !== 0;
}
