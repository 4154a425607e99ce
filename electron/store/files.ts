import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemCode } from '../core/system-reasons.ts';

/** Descriptor of an open file. */
export type Handle = number;

/**
 * Every file operation of the store, each as small as the system's own, so that a test can stop between any two.
 * Changes are asynchronous, because a sync of the disk must not hold up calls; reads are not, because they are small,
 * cached, and wanted in the middle of synchronous work.
 */
export interface Files {
  /** Creates a folder and its parents, for this user alone. */
  makeFolder(path: string): Promise<void>;
  /** Opens a new file for writing, for this user alone; fails with EEXIST. */
  create(path: string): Promise<Handle>;
  /** Opens a file for appending, creating it for this user alone. */
  openAppend(path: string): Promise<Handle>;
  write(handle: Handle, text: string): Promise<void>;
  /** Content and size on the disk. */
  sync(handle: Handle): Promise<void>;
  close(handle: Handle): Promise<void>;
  truncate(path: string, bytes: number): Promise<void>;
  /** Replaces what is there. */
  rename(from: string, to: string): Promise<void>;
  /** A second name for the same file; fails with EEXIST, and where the file system has no links. */
  link(from: string, to: string): Promise<void>;
  /** Fails with EEXIST. */
  copy(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Names in the folder on the disk. */
  syncFolder(path: string): Promise<void>;
  /** `undefined` where there is none. */
  read(path: string): Buffer | undefined;
  /** Bytes; `undefined` where there is none. */
  size(path: string): number | undefined;
  /** Names in the folder, sorted; none where there is no folder. */
  list(path: string): readonly string[];
}

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const RENAME_TRIES = 10;
const RENAME_PAUSE_MS = 50;

const open = promisify(fs.open);
const write = promisify(fs.write);
const fdatasync = promisify(fs.fdatasync);
const fsync = promisify(fs.fsync);
const close = promisify(fs.close);

/** Why something failed, for an error's details. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The real file system. */
export const realFiles: Files = {
  makeFolder,
  create: (path) => open(path, 'wx', PRIVATE_FILE),
  openAppend: (path) => open(path, 'a', PRIVATE_FILE),
  write: writeAll,
  sync: (handle) => fdatasync(handle),
  close: (handle) => close(handle),
  truncate: (path, bytes) => fs.promises.truncate(path, bytes),
  rename: renamePatiently,
  link: (from, to) => fs.promises.link(from, to),
  copy,
  remove: (path) => fs.promises.unlink(path),
  syncFolder,
  read: (path) => unlessMissing(() => fs.readFileSync(path)),
  size: (path) => unlessMissing(() => fs.statSync(path).size),
  list: (path) => unlessMissing(() => fs.readdirSync(path).sort()) ?? [],
};

async function makeFolder(path: string): Promise<void> {
  await fs.promises.mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  // One that was there before may be open to others. Some file systems have no modes: the folder is then as it is.
  await fs.promises.chmod(path, PRIVATE_FOLDER).catch(() => undefined);
}

/** One call may write less than it was given. */
async function writeAll(handle: Handle, text: string): Promise<void> {
  const bytes = Buffer.from(text, 'utf8');
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await write(handle, bytes, done, bytes.length - done, null);
    done += bytesWritten;
  }
}

/** On Windows a virus scanner may hold a new file open for a moment. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await fs.promises.rename(from, to);
      return;
    } catch (error) {
      const isHeld = ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '');
      if (process.platform !== 'win32' || !isHeld || attempt === RENAME_TRIES) throw error;
      await pause(RENAME_PAUSE_MS);
    }
  }
}

async function copy(from: string, to: string): Promise<void> {
  await fs.promises.copyFile(from, to, fs.constants.COPYFILE_EXCL);
  const handle = await open(to, 'r+');
  await fsync(handle).finally(() => close(handle));
}

/** Windows cannot open a folder; its renames are on the disk without that. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  await fsync(handle).finally(() => close(handle));
}

function unlessMissing<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
