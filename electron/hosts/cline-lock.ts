import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { HostConfigProblem } from './problem.ts';
import { errorCode, isAlive, pause, temporaryPrefix } from './safe-file.ts';

const WAIT_MS = 50;
const MAX_WAITS = 100;
/** As Cline has it: its writers hold the lock for less than a millisecond, so an older one was left behind. */
const STALE_MS = 10_000;

/**
 * Writes while Cline's own lock of that settings file is held, as each of its programs does: the folder `<file>.lock` with
 * one file `owner.<pid>.<time>.<random>` in it. `file` is the path that Cline has, not what links lead to.
 * Throws HostConfigProblem BUSY where the lock is held for too long.
 */
export function inClineLock<T>(file: string, write: () => T): T {
  const lock = `${file}.lock`;
  const owner = `owner.${process.pid}.${Date.now()}.holdfast-${randomUUID()}`;
  for (let wait = 0; !take(file, lock, owner); wait += 1) {
    if (wait === MAX_WAITS) {
      throw new HostConfigProblem('BUSY', 'Cline is changing this file. Try again in a moment.');
    }
    if (isLeft(lock)) giveFree(file, lock);
    else pause(WAIT_MS);
  }
  try {
    return write();
  } finally {
    release(lock, owner);
  }
}

/** Takes the lock of a Holdfast that was killed away. */
export function clearClineLock(file: string): void {
  const lock = `${file}.lock`;
  if (ownersOf(lock).some(isOfDeadHoldfast)) giveFree(file, lock);
}

/** The folder comes into its place with its owner in it, so that nobody ever sees an empty one. */
function take(file: string, lock: string, owner: string): boolean {
  const staged = stagedName(file);
  fs.mkdirSync(staged, { mode: 0o700 });
  try {
    fs.writeFileSync(path.join(staged, owner), owner, { flag: 'wx' });
    fs.renameSync(staged, lock);
    return true;
  } catch (error) {
    fs.rmSync(staged, { recursive: true, force: true });
    // It may have been given free since: there was one.
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errorCode(error) ?? '') || fs.existsSync(lock)) return false;
    throw error;
  }
}

/** Only ours: another one may have taken the lock over meanwhile. */
function release(lock: string, owner: string): void {
  fs.rmSync(path.join(lock, owner), { force: true });
  try {
    fs.rmdirSync(lock);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}

function isLeft(lock: string): boolean {
  const stat = fs.lstatSync(lock, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) return false; // something of a person's own is no lock, and is not taken away
  return Date.now() - stat.mtimeMs >= STALE_MS || ownersOf(lock).some(isOfDeadHoldfast);
}

/** Moved aside first: of two that do this, one moves it, and the other finds nothing. */
function giveFree(file: string, lock: string): void {
  const aside = stagedName(file);
  try {
    fs.renameSync(lock, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  fs.rmSync(aside, { recursive: true, force: true });
}

/** Swept like every temporary file of ours, should this process be killed. */
function stagedName(file: string): string {
  return `${temporaryPrefix(file)}${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
}

function ownersOf(lock: string): string[] {
  try {
    return fs.readdirSync(lock);
  } catch {
    return []; // not there, or something else than a folder: then it is no lock of ours
  }
}

/** Of Cline's own processes it is not asked: they may run where this one cannot see them. */
function isOfDeadHoldfast(owner: string): boolean {
  const [, pid] = /^owner\.(\d+)\.\d+\.holdfast-/.exec(owner) ?? [];
  return pid !== undefined && !isAlive(Number(pid));
}
