import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { chmod, copyFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { launchFile } from './bridge/endpoint.ts';
import { readLaunch, readWithheld, type Withheld } from './bridge/start-gateway.ts';
import { writeFailed } from './store/write-failed.ts';

/** A program and what it is started with. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Arguments that have to come last. */
  readonly trailing?: readonly string[];
}

/** Where host apps find the bridge: a path that stays the same over updates. */
export function bridgePath(dataDir: string): string {
  return path.join(dataDir, 'bin', 'bridge.cjs');
}

/**
 * Puts the bridge of this version there, in one step, so that a host app never starts half a file.
 * @throws HoldfastError STORE_WRITE_FAILED
 */
export function installBridge(dataDir: string, source: string): void {
  const target = bridgePath(dataDir);
  replace(
    target,
    (temporary) => copyFileSync(source, temporary),
    () => readFileSync(target).equals(readFileSync(source)),
  );
}

/** Where host apps find the Node that runs the bridge: outside the app, so that no host app holds the app's files open. */
export function bridgeRuntimePath(dataDir: string, platform = process.platform): string {
  return path.join(dataDir, 'bin', platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Puts the Node of this version there, in one step, and only where another one is there: it is large. One that runs goes
 * on running; where a running program cannot be replaced it is moved aside, and removed once nobody holds it any more.
 * @throws HoldfastError STORE_WRITE_FAILED
 */
export async function installBridgeRuntime(dataDir: string, source: string): Promise<void> {
  const target = bridgeRuntimePath(dataDir);
  const mark = `${target}.from.json`;
  const temporary = `${target}.${process.pid}`;
  try {
    removeOldRuntimes(target);
    const { size, mtimeMs } = await stat(source);
    const wanted = JSON.stringify({ size, mtimeMs });
    const isCurrent = statSync(target, { throwIfNoEntry: false })?.size === size && textOf(mark) === wanted;
    if (isCurrent) return;
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(source, temporary, constants.COPYFILE_FICLONE);
    await chmod(temporary, 0o755);
    rmSync(mark, { force: true }); // what is half done is done again
    replaceRunning(temporary, target);
    writeFileSync(mark, wanted, { mode: 0o600 });
    removeOldRuntimes(target);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw writeFailed(target, cause);
  }
}

/** In one step where the system replaces a program that runs; Windows only lets it be renamed. */
function replaceRunning(temporary: string, target: string): void {
  try {
    renameSync(temporary, target);
  } catch {
    renameSync(target, `${target}.old-${Date.now()}`);
    renameSync(temporary, target);
  }
}

function removeOldRuntimes(target: string): void {
  const folder = path.dirname(target);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${path.basename(target)}.old-`)) continue;
    try {
      rmSync(path.join(folder, name));
    } catch {
      // Windows keeps what runs; the next start tries again
    }
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Leaves word for the bridge how to start the gateway when it does not run.
 * @throws HoldfastError STORE_WRITE_FAILED
 */
export function writeLaunch(dataDir: string, start: Start): void {
  const text = JSON.stringify(start);
  replace(launchFile(dataDir), (temporary) => writeFileSync(temporary, text, { mode: 0o600 }));
}

/**
 * Bridges start nothing until a gateway leaves word again. It says so in that file's place, so that nobody takes it for
 * one that was lost and writes it anew. Never throws; where nothing ever ran, there is nothing to withhold.
 */
export function withholdLaunch(dataDir: string, withheld: Withheld): void {
  const file = launchFile(dataDir);
  if (!existsSync(file)) return;
  try {
    replace(file, (temporary) => writeFileSync(temporary, JSON.stringify({ withheld }), { mode: 0o600 }));
  } catch {
    rmSync(file, { force: true, recursive: true }); // on a full disk, too
  }
}

/**
 * Leaves word again after everything was taken out of the apps, because one of them is to start Holdfast after all.
 * @throws HoldfastError STORE_WRITE_FAILED
 */
export function giveLaunchBack(dataDir: string, start: Start): void {
  if (readWithheld(dataDir) === 'removed') writeLaunch(dataDir, start);
}

/** True where the bridge is told to start another program than this one, and that one is there. */
export function startsAnother(dataDir: string, { command, args, trailing = [] }: Start): boolean {
  const found = readLaunch(dataDir);
  if (found === null || (path.isAbsolute(found.command) && !existsSync(found.command))) return false;
  return JSON.stringify([found.command, found.args]) !== JSON.stringify([command, [...args, ...trailing]]);
}

/**
 * Puts a file in place in one step; a folder that stands there is kept beside it.
 * @throws HoldfastError STORE_WRITE_FAILED
 */
function replace(target: string, write: (temporary: string) => void, isCurrent = () => false): void {
  const temporary = `${target}.${process.pid}`;
  try {
    const found = statSync(target, { throwIfNoEntry: false });
    if (found?.isDirectory()) renameSync(target, `${target}.damaged-${Date.now()}`);
    else if (found !== undefined && isCurrent()) return;
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    write(temporary);
    renameSync(temporary, target);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw writeFailed(target, cause);
  }
}
