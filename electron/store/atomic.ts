import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { systemCode } from '../core/system-reasons.ts';
import type { Files, Handle } from './files.ts';

const TEMPORARY = /\.[0-9a-f]{12}\.tmp$/;

/** A name beside `target` that no other file has. {@link removeTemporaries} finds it again after a crash. */
export function temporaryName(target: string): string {
  return `${target}.${randomBytes(6).toString('hex')}.tmp`;
}

/** Writes a complete, synced file beside `target`, so that the rename stays within one file system. */
export async function writeTemporary(files: Files, target: string, text: string): Promise<string> {
  const temporary = temporaryName(target);
  const handle = await files.create(temporary);
  await fill(files, handle, text).catch((error: unknown) => discardAndThrow(files, temporary, error));
  return temporary;
}

async function fill(files: Files, handle: Handle, text: string): Promise<void> {
  try {
    await files.write(handle, text);
    await files.sync(handle);
  } finally {
    await files.close(handle); // once, even if that fails: its number may be another file's already
  }
}

/** Puts a complete, synced file in place in one step. Its name is on the disk once the folder is synced. */
export async function placeFile(files: Files, target: string, text: string): Promise<void> {
  const temporary = await writeTemporary(files, target, text);
  // No file can take the place of a folder, whoever put it there; what is in it is kept.
  if (isFolder(files, target)) await files.rename(target, `${target}.damaged-${randomBytes(6).toString('hex')}`);
  await files.rename(temporary, target).catch((error: unknown) => discardAndThrow(files, temporary, error));
}

/** Replaces a file in one step: a reader finds the old or the new content, also after a crash. */
export async function replaceFile(files: Files, target: string, text: string): Promise<void> {
  await placeFile(files, target, text);
  await files.syncFolder(path.dirname(target));
}

/** Creates a file with its whole content in one step; false where it exists already. */
export async function createOnce(files: Files, target: string, text: string): Promise<boolean> {
  const temporary = await writeTemporary(files, target, text);
  try {
    return await place(files, temporary, target);
  } finally {
    await discard(files, temporary);
  }
}

async function place(files: Files, from: string, to: string): Promise<boolean> {
  try {
    await linkOrCopy(files, from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** True for a folder where a file should be. */
export function isFolder(files: Files, target: string): boolean {
  try {
    files.read(target);
    return false;
  } catch (error) {
    return systemCode(error) === 'EISDIR';
  }
}

/** A second name for a file; where the file system has no links, a synced copy. Fails with EEXIST. */
export async function linkOrCopy(files: Files, from: string, to: string): Promise<void> {
  try {
    await files.link(from, to);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error;
    await files.copy(from, to);
  }
}

/** Best effort: what stays behind is removed at the next start. */
export async function discard(files: Files, temporary: string): Promise<void> {
  await files.remove(temporary).catch(() => undefined);
}

/** Cleans up after a failed step without hiding why it failed. */
export async function discardAndThrow(files: Files, temporary: string, error: unknown): Promise<never> {
  await discard(files, temporary);
  throw error;
}

/** Removes what a crash left half written. */
export async function removeTemporaries(files: Files, folder: string): Promise<void> {
  const left = files.list(folder).filter((name) => TEMPORARY.test(name));
  for (const name of left) await discard(files, path.join(folder, name));
}
