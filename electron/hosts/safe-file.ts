import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const RENAME_TRIES = 10;
const RENAME_PAUSE_MS = 200;

/** Whose a file is and who may read it; a replacement gets the same. */
export interface FileIdentity {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** A complete, synced temporary file beside its target; `commit` puts it in place in one step. */
export interface StagedFile {
  commit(): void;
  /** Removes the temporary file; does nothing once committed. */
  discard(): void;
}

/** Writes a temporary file in the target's own folder, so that the rename stays within one file system. */
export function stageFile(target: string, bytes: Uint8Array, identity?: FileIdentity): StagedFile {
  sweepLeftovers(target);
  const temporary = `${temporaryPrefix(target)}${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  let isPending = true;
  const discard = (): void => {
    if (isPending) fs.rmSync(temporary, { force: true });
    isPending = false;
  };
  try {
    writeNew(temporary, bytes, identity);
  } catch (error) {
    discard();
    throw error;
  }
  const commit = (): void => {
    renamePatiently(temporary, target);
    isPending = false;
    syncFolder(path.dirname(target));
  };
  return { commit, discard };
}

/** Stages and commits at once. */
export function writeFileAtomically(target: string, bytes: Uint8Array): void {
  const staged = stageFile(target, bytes);
  try {
    staged.commit();
  } finally {
    staged.discard();
  }
}

/** For a file with several names or another owner: a rename would cut it loose, so its content is exchanged. */
export function writeInPlace(target: string, bytes: Uint8Array): void {
  const handle = fs.openSync(target, 'r+');
  try {
    writeAll(handle, bytes);
    fs.ftruncateSync(handle, bytes.byteLength);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Makes a folder (and those above it) that only this user can open. */
export function makePrivateFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Makes a rename survive a power cut, where the system can; the file itself is synced already. */
export function syncFolder(folder: string): void {
  try {
    const handle = fs.openSync(folder, 'r');
    try {
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    // Windows and some network drives cannot sync a folder; the rename has happened all the same.
  }
}

/** Whether this process may give a file to that owner and group; asked before a rename would change them. */
export function canGive({ uid, gid }: FileIdentity): boolean {
  const user = process.geteuid?.();
  if (user === undefined || user === 0) return true; // Windows has no owners of this kind
  return user === uid && (process.getegid?.() === gid || Boolean(process.getgroups?.().includes(gid)));
}

/** The system's code of a thrown error ('ENOENT'), or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Waits without giving way: these writes are short, rare and must not interleave with others of this process. */
export function pause(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}

function writeNew(file: string, bytes: Uint8Array, identity: FileIdentity | undefined): void {
  const handle = fs.openSync(file, 'wx', PRIVATE_FILE);
  try {
    writeAll(handle, bytes);
    if (identity) giveIdentity(handle, identity);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function writeAll(handle: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.byteLength) {
    written += fs.writeSync(handle, bytes, written, bytes.byteLength - written, written);
  }
}

function giveIdentity(handle: number, identity: FileIdentity): void {
  if (process.platform === 'win32') return;
  const now = fs.fstatSync(handle);
  if (now.uid !== identity.uid || now.gid !== identity.gid) fs.fchownSync(handle, identity.uid, identity.gid);
  fs.fchmodSync(handle, identity.mode & 0o7777); // after the owner: a change of owner clears bits
}

function renamePatiently(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      fs.renameSync(from, to);
      return;
    } catch (error) {
      // On Windows a virus scanner or the program itself may hold the file open for a moment.
      const isHeldOpen = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '');
      if (!isHeldOpen || attempt === RENAME_TRIES) throw error;
      pause(RENAME_PAUSE_MS);
    }
  }
}

/** Takes away the temporary files (and folders) of killed processes, which hold all secrets of the settings. */
export function sweepLeftovers(target: string): void {
  const folder = path.dirname(target);
  const prefix = path.basename(temporaryPrefix(target));
  for (const name of fs.readdirSync(folder)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (pid > 0 && !isAlive(pid)) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

/** True while a process with this id runs; also where it belongs to somebody else. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** What names of temporary files beside a file begin with; the id of their process comes next. */
export function temporaryPrefix(target: string): string {
  return path.join(path.dirname(target), `.${path.basename(target)}.holdfast-`);
}
