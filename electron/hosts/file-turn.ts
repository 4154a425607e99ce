import fs from 'node:fs';
import path from 'node:path';
import { HostConfigProblem } from './problem.ts';
import { errorCode, pause } from './safe-file.ts';
import { sha256 } from './sha256.ts';

const MAX_WAITS = 100;
const WAIT_MS = 50;

/**
 * Writes of two Holdfasts to one settings file take turns, so that neither undoes the other's between its last look
 * and its rename. The mark is beside the file, for both to see, while the file is written and no longer.
 */
export function inTurn<T>(target: string, write: () => T): T {
  const mark = markOf(target);
  for (let wait = 0; !take(mark); wait += 1) {
    if (wait === MAX_WAITS) {
      throw new HostConfigProblem('BUSY', 'Another Holdfast is changing this file. Try again in a moment.');
    }
    pause(WAIT_MS);
  }
  try {
    return write();
  } finally {
    fs.rmSync(mark, { force: true });
  }
}

/** Takes the mark of a killed process away. */
export function clearTurn(target: string): void {
  const mark = markOf(target);
  if (fs.existsSync(mark) && isLeft(mark)) fs.rmSync(mark, { force: true });
}

function markOf(target: string): string {
  return path.join(path.dirname(target), `.holdfast-${sha256(path.basename(target)).slice(0, 8)}.lock`);
}

function take(mark: string): boolean {
  const handle = openNew(mark);
  if (handle === undefined) return false;
  try {
    fs.writeSync(handle, String(process.pid));
    return true;
  } catch (error) {
    fs.rmSync(mark, { force: true }); // a full disk takes the name, but nothing in it
    throw error;
  } finally {
    fs.closeSync(handle);
  }
}

function openNew(mark: string): number | undefined {
  try {
    return fs.openSync(mark, 'wx', 0o600);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    if (isLeft(mark)) fs.rmSync(mark, { force: true });
    return undefined;
  }
}

/** Left behind by a process that was killed. */
function isLeft(mark: string): boolean {
  try {
    const pid = Number(fs.readFileSync(mark, 'utf8'));
    // Without a number it has just been made, or its maker was killed before it could write it.
    if (!(pid > 0)) return Date.now() - fs.statSync(mark).mtimeMs > MAX_WAITS * WAIT_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}
