import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { launchFile } from './bridge/endpoint.ts';

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

/** Puts the bridge of this version there, in one step, so that a host app never starts half a file. */
export function installBridge(dataDir: string, source: string): void {
  const target = bridgePath(dataDir);
  if (existsSync(target) && readFileSync(target).equals(readFileSync(source))) return;
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  const temporary = `${target}.${process.pid}`;
  copyFileSync(source, temporary);
  renameSync(temporary, target);
}

/** Leaves word for the bridge how to start the gateway when it does not run. */
export function writeLaunch(dataDir: string, start: Start): void {
  const target = launchFile(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const temporary = `${target}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(start), { mode: 0o600 });
  renameSync(temporary, target);
}
