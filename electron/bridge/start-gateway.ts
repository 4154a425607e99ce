import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { launchFile } from './endpoint.ts';

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

function launchFrom(value: unknown): LaunchFile | null {
  if (typeof value !== 'object' || value === null) return null;
  const { command, args, env, trailing = [] } = value as Record<string, unknown>; // an object, checked above
  if (typeof command !== 'string' || command === '') return null;
  if (!isTexts(args) || !isTexts(trailing)) return null;
  const variables = typeof env === 'object' && env !== null ? Object.entries(env) : [];
  const texts = variables.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { command, args: [...args, ...trailing], env: Object.fromEntries(texts) };
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
    if (Date.now() - statSync(file).mtimeMs < STALE_LOCK_MS && isAlive(Number(readFileSync(file, 'utf8')))) return;
    // Renamed first: of several that find it stale, one gets it and the others fail here.
    const aside = `${file}.${process.pid}`;
    renameSync(file, aside);
    rmSync(aside, { force: true });
  } catch {
    // not there, or another bridge was faster
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return true; // being written
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Starts the gateway on its own feet: it outlives the host app. Rejects where it cannot be started. */
export function startGateway(home: string, launch: LaunchFile): Promise<void> {
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
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
