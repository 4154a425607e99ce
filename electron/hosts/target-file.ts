import fs from 'node:fs';
import path from 'node:path';
import { clearClineLock, inClineLock } from './cline-lock.ts';
import { clearTurn, inTurn } from './file-turn.ts';
import type { HostApp } from './host-app-schema.ts';
import { HostConfigProblem } from './problem.ts';
import {
  errorCode,
  canGive,
  makePrivateFolder,
  stageFile,
  sweepLeftovers,
  syncFolder,
  writeInPlace,
} from './safe-file.ts';
import type { FileIdentity } from './safe-file.ts';
import { sha256 } from './sha256.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/** A host app's settings file as it was read: what a write is compared with right before it happens. */
export interface TargetFile {
  readonly file: string;
  /** The file behind symbolic links; all work is done there, so that the links stay. */
  readonly realPath: string;
  /** Undefined where there is no file yet. */
  readonly content: TargetContent | undefined;
  /** Folders that have to be made first, the outermost first. */
  readonly missingFolders: readonly string[];
  /** How the app's own programs take turns to write it. */
  readonly lock: HostApp['lock'];
}

export interface TargetContent {
  readonly bytes: Buffer;
  readonly sha: string;
  readonly identity: FileIdentity;
  readonly hasOtherNames: boolean;
}

/**
 * Reads a settings file. Where there is none yet, up to `maxNewFolders` folders above it may be missing too.
 * Throws HostConfigProblem for what cannot become a plain, writable file of sane size.
 */
export function readTarget(file: string, maxNewFolders = 1, lock: HostApp['lock'] = null): TargetFile {
  const realPath = resolveLinks(file);
  if (realPath !== undefined)
    return { file, realPath, content: readContentIfThere(realPath), missingFolders: [], lock };
  const names: string[] = [];
  let folder = path.dirname(file);
  let realFolder = resolveLinks(folder);
  while (realFolder === undefined && names.length < maxNewFolders) {
    names.unshift(path.basename(folder));
    folder = path.dirname(folder);
    realFolder = resolveLinks(folder);
  }
  if (realFolder === undefined) {
    throw new HostConfigProblem('NO_DIR', 'The app does not seem to be installed, as its folder is not there.');
  }
  const start = realFolder;
  const missingFolders = names.map((_, at) => path.join(start, ...names.slice(0, at + 1)));
  const realPlace = path.join(missingFolders.at(-1) ?? start, path.basename(file));
  return { file, realPath: realPlace, content: undefined, missingFolders, lock };
}

/** Takes away what a Holdfast that was killed has left beside the file. */
export function clearLeftovers({ file, realPath, missingFolders, lock }: TargetFile): void {
  if (missingFolders.length > 0) return;
  sweepLeftovers(realPath);
  clearTurn(realPath);
  if (lock === null) return;
  sweepLeftovers(file);
  clearClineLock(file);
}

/** Refuses a file that its owner has protected. Asked of the mode, since a rename would ignore it. */
export function refuseProtected(target: TargetFile): void {
  if (target.content && (target.content.identity.mode & 0o222) === 0) throw readOnlyProblem();
}

/** Writes the file unless it is no longer as it was read. False: nothing of ours is there, read again. */
export function replaceTarget(target: TargetFile, bytes: Buffer): boolean {
  for (const folder of target.missingFolders) makePrivateFolder(folder);
  try {
    const replace = isRenameable(target) ? replaceByRename : replaceInPlace;
    const isDone = alone(target, () => replace(target, bytes));
    return isDone && readContentIfThere(target.realPath)?.sha === sha256(bytes);
  } finally {
    removeEmptyFolders(target.missingFolders);
  }
}

/** Deletes the file unless it is no longer as it was read, and then the given folders where they are empty. */
export function deleteTarget(target: TargetFile, folders: readonly string[]): boolean {
  const isDeleted = alone(target, () => {
    if (!isUnchanged(target)) return false;
    fs.rmSync(target.realPath);
    return true;
  });
  if (!isDeleted) return false;
  syncFolder(path.dirname(target.realPath));
  removeEmptyFolders(folders);
  return true;
}

/** While nobody else writes it who takes turns: no other Holdfast, and no program of the app. */
function alone<T>({ file, realPath, lock }: TargetFile, write: () => T): T {
  const among = (): T => inTurn(realPath, write);
  return lock === 'cline' ? inClineLock(file, among) : among();
}

/** Gives an error of the file system its plain sentence, where it is one that a person can do something about. */
export function asProblem(error: unknown): unknown {
  const code = errorCode(error) ?? '';
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return readOnlyProblem({ cause: error });
  if (['ENOSPC', 'EDQUOT'].includes(code)) {
    return new HostConfigProblem('NO_SPACE', 'The disk is full.', undefined, { cause: error });
  }
  if (code === 'ENOTDIR') return notAFileProblem({ cause: error });
  return error;
}

function notAFileProblem(options?: { cause: unknown }): HostConfigProblem {
  return new HostConfigProblem('NOT_A_FILE', 'There is something else than a file in this place.', undefined, options);
}

function readOnlyProblem(options?: { cause: unknown }): HostConfigProblem {
  return new HostConfigProblem('READ_ONLY', 'You are not allowed to change this file.', undefined, options);
}

// Undefined where nothing has that name; a link to nowhere is not nothing.
function resolveLinks(name: string): string | undefined {
  try {
    return fs.realpathSync(name);
  } catch (error) {
    const code = errorCode(error);
    const isLink = code === 'ELOOP' || fs.lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink();
    if (isLink) {
      const sentence = 'The settings file is a link to a file that does not exist.';
      throw new HostConfigProblem('DANGLING_LINK', sentence, undefined, { cause: error });
    }
    if (code === 'ENOENT') return undefined;
    throw error;
  }
}

function readContent(realPath: string): TargetContent {
  // Not blocking: a pipe of that name must not stop the app before it is refused.
  const nonBlocking = fs.constants.O_NONBLOCK as number | undefined; // Windows has none, whatever the types say
  const handle = fs.openSync(realPath, fs.constants.O_RDONLY | (nonBlocking ?? 0));
  try {
    const stat = fs.fstatSync(handle);
    if (!stat.isFile()) throw notAFileProblem();
    if (stat.size > MAX_BYTES) {
      throw new HostConfigProblem('TOO_BIG', 'This file is larger than 32 MB, which no settings file should be.');
    }
    const bytes = fs.readFileSync(handle);
    return { bytes, sha: sha256(bytes), identity: stat, hasOtherNames: stat.nlink > 1 };
  } finally {
    fs.closeSync(handle);
  }
}

function readContentIfThere(realPath: string): TargetContent | undefined {
  try {
    return readContent(realPath);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isUnchanged(target: TargetFile): boolean {
  const isSamePlace = !target.content || resolveLinks(target.file) === target.realPath;
  return isSamePlace && readContentIfThere(target.realPath)?.sha === target.content?.sha;
}

function isRenameable({ content }: TargetFile): boolean {
  return !content || (!content.hasOtherNames && canGive(content.identity));
}

function replaceByRename(target: TargetFile, bytes: Buffer): boolean {
  const staged = stageFile(target.realPath, bytes, target.content?.identity);
  try {
    if (!isUnchanged(target)) return false;
    staged.commit();
    return true;
  } finally {
    staged.discard();
  }
}

function replaceInPlace(target: TargetFile, bytes: Buffer): boolean {
  if (!isUnchanged(target)) return false;
  writeInPlace(target.realPath, bytes);
  return true;
}

function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      fs.rmdirSync(folder);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error) ?? '')) throw error;
    }
  }
}
