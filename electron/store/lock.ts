import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { HoldfastError } from '../core/errors.ts';
import { createOnce, discard, temporaryName } from './atomic.ts';
import { systemCode, type Files } from './files.ts';
import { parseJson } from './json.ts';

const TRIES = 20;
const PAUSE_MS = 50;

const ownerSchema = z.object({ pid: z.int().positive(), startedAt: z.string().nullable() });
type Owner = z.output<typeof ownerSchema>;

/** The right to write into a data folder. */
export interface Lock {
  /** @throws HoldfastError STORE_LOCKED when another process took the folder over. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes a data folder for this process; a lock left by a process that no longer runs is taken over.
 * @throws HoldfastError STORE_LOCKED with the `pid` that has it.
 */
export async function acquireLock(files: Files, folder: string): Promise<Lock> {
  const file = path.join(folder, 'lock');
  // The nonce tells two locks of one process apart.
  const mine = JSON.stringify({ ...ownSelf(), nonce: randomBytes(8).toString('hex') });
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if (await createOnce(files, file, mine)) return heldLock(files, file, mine);
    const found = files.read(file);
    if (found === undefined) continue;
    const owner = ownerOf(found);
    if (owner !== undefined && isRunning(owner)) throw lockedBy(file, owner);
    // Without links, a lock is empty between being made and being written.
    if (owner === undefined && attempt < TRIES / 2) await pause(PAUSE_MS);
    else await takeAway(files, file, found);
  }
  throw lockedBy(file, undefined);
}

function heldLock(files: Files, file: string, mine: string): Lock {
  return {
    async confirm() {
      const found = files.read(file);
      if (found?.toString() === mine) return;
      // Somebody cleaned up: as long as nobody else has it, it is still ours.
      if (found === undefined && (await createOnce(files, file, mine))) return;
      throw lockedBy(file, ownerOf(files.read(file) ?? Buffer.alloc(0)));
    },
    async release() {
      if (files.read(file)?.toString() === mine) await files.remove(file);
    },
  };
}

/**
 * Another process may take the stale lock over in the same moment, so what was renamed away is looked at again: a lock
 * that is not the stale one goes back.
 */
async function takeAway(files: Files, file: string, stale: Buffer): Promise<void> {
  const aside = temporaryName(file);
  try {
    await files.rename(file, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = files.read(aside);
  if (moved !== undefined && !moved.equals(stale)) await createOnce(files, file, moved.toString());
  await discard(files, aside);
}

function lockedBy(file: string, owner: Owner | undefined): HoldfastError {
  return new HoldfastError('STORE_LOCKED', { file, pid: owner?.pid });
}

function ownerOf(bytes: Buffer): Owner | undefined {
  return ownerSchema.safeParse(parseJson(bytes)).data;
}

function ownSelf(): Owner {
  return { pid: process.pid, startedAt: startedAt(process.pid) };
}

/** A process id alone may have been given to another process since. */
function isRunning(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // Any other failure means that it is there and belongs to another user.
    if (systemCode(error) === 'ESRCH') return false;
  }
  const present = startedAt(owner.pid);
  return owner.startedAt === null || present === null || owner.startedAt === present;
}

/** Start of a process in clock ticks since the computer started; `null` where the system does not tell. */
function startedAt(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name, which may hold spaces and brackets; the start is field 22.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
