import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { launchFile } from './bridge/endpoint.ts';
import { readLaunch } from './bridge/start-gateway.ts';
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

/** Where the Node is that runs the bridge: there as long as the data folder is, also after the program has gone. */
export function bridgeNode(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  return path.join(dataDir, 'bin', platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Puts the packaged Node beside the bridge, and tells whether it can be used there. A program that host apps are running
 * may not be replaceable, and then the older one, which runs every bridge, stays until the next start.
 */
export function installBridgeNode(dataDir: string, source: string): boolean {
  const target = bridgeNode(dataDir);
  try {
    const { size, atime, mtime } = statSync(source);
    const found = statSync(target, { throwIfNoEntry: false });
    const isCurrent = found?.size === size && Math.abs(found.mtimeMs - mtime.getTime()) < MAX_TIME_DIFFERENCE_MS;
    if (!isCurrent) {
      const put = (temporary: string): void => {
        copyFileSync(source, temporary, constants.COPYFILE_FICLONE);
        chmodSync(temporary, 0o755);
        utimesSync(temporary, atime, mtime);
      };
      replace(target, put);
    }
  } catch {
    // what is there serves as well
  }
  return canRun(target);
}

/** File systems round times. */
const MAX_TIME_DIFFERENCE_MS = 2_000;

/** Some home folders are mounted so that nothing in them can be run. */
function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
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
