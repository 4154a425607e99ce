import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';
import { HoldfastError, type ErrorCode } from '../../electron/core/errors.ts';
import type { State } from '../../electron/core/model.ts';
import { realFiles, type Files } from '../../electron/store/files.ts';
import type { Recovery } from '../../electron/store/recovery.ts';
import { referencesOf } from '../../electron/store/references.ts';
import { Store } from '../../electron/store/store.ts';
import { AT, nextCommit, VERSION } from './sample.ts';

const folders: string[] = [];
const open: Store[] = [];

afterEach(async () => {
  for (const store of open.splice(0)) await store.close().catch(() => undefined);
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-store-'));
  folders.push(folder);
  return folder;
}

export interface Opened {
  readonly store: Store;
  readonly recovery: Recovery;
}

/** Opens a data folder; it is closed after the test. */
export async function openStore(dir: string, files: Files = realFiles): Promise<Opened> {
  const opened = await Store.open({ dir, files, now: () => AT, version: VERSION });
  open.push(opened.store);
  return opened;
}

/** Names of the lock files in a data folder. */
export function locksIn(dir: string, files: Files = realFiles): string[] {
  return files.list(dir).filter((name) => name.startsWith('lock-') && !name.endsWith('.tmp'));
}

/** What a process that was killed leaves: everything but a living owner of the lock. */
export async function reopen(dir: string, files: Files = realFiles): Promise<Opened> {
  for (const name of locksIn(dir, files)) await files.remove(path.join(dir, name));
  return openStore(dir, files);
}

/** Makes the next commits, one after the other. */
export async function commitTimes(store: Store, times: number): Promise<void> {
  for (let done = 0; done < times; done += 1) await store.commit(nextCommit(store.state));
}

/** A closed data folder after so many commits, with the last state. */
export async function folderWith(times: number): Promise<{ dir: string; state: State }> {
  const dir = path.join(temporaryFolder(), 'data');
  const { store } = await openStore(dir);
  await commitTimes(store, times);
  await store.close();
  return { dir, state: store.state };
}

/** The code an action fails with; fails itself where the action does not, or with something else. */
export async function codeOf(action: () => unknown): Promise<ErrorCode> {
  return (await errorOf(action)).code;
}

/** Like {@link codeOf}, with the details. */
export async function errorOf(action: () => unknown): Promise<HoldfastError> {
  try {
    await action();
  } catch (error) {
    if (error instanceof HoldfastError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** Reads everything that a store's state names; throws for what cannot be read. */
export function readAll(store: Store): void {
  const used = referencesOf([store.state]);
  for (const id of used.definitions) store.definition(id);
  for (const id of used.manifests) for (const entry of store.manifest(id).entries) store.definition(entry.id);
}

/** Sequence and index of every line of a commit in the journal, oldest first. */
export function commitLinesOf(store: Store): string[] {
  const lines = store.history(Number.MAX_SAFE_INTEGER, (line) => line.index !== null);
  return lines.reverse().map((line) => `${line.sequence}/${line.index}`);
}

/** What {@link commitLinesOf} is when every commit up to the state's has its lines, in order and once each. */
export function expectedLines(state: State): string[] {
  return Array.from({ length: state.sequence }, (_, at) => [`${at + 1}/0`, `${at + 1}/1`]).flat();
}

/** The content of every file below a folder, the lock left out. */
export function contentsOf(dir: string): Record<string, string> {
  const names = fs.readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => !name.startsWith('lock-') && fs.statSync(path.join(dir, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, fs.readFileSync(path.join(dir, name), 'latin1')]));
}

export const statePath = (dir: string): string => path.join(dir, 'state.json');
export const previousPath = (dir: string): string => path.join(dir, 'state.previous.json');
