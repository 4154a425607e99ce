import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { HoldfastError } from '../core/errors.ts';
import { statOf } from '../system/process-start.ts';
import { discard, isFolder, placeFile } from './atomic.ts';
import { systemCode } from '../core/system-reasons.ts';
import type { Files } from './files.ts';
import { parseJson } from './json.ts';

const NAME = /^lock-[0-9a-z]+-[0-9a-f]{16}\.json$/;
const WAIT_MS = 2_000;
const PAUSE_MS = 20;

const ownerSchema = z.object({ pid: z.int().positive(), startedAt: z.string().nullable() });
type Owner = z.output<typeof ownerSchema>;

/** The right to write into a data folder. */
export interface Lock {
  /** @throws HoldfastError STORE_LOCKED when another process took the folder over. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes a data folder for this process; what processes that no longer run left behind does not count.
 *
 * Everyone who wants the folder first puts a file of its own there, and has the folder if it then sees no other living
 * one. Of two, the later to look sees both, so they never both have it. A single lock file would have to be taken from a
 * dead owner by its name, and by then that name may be the file of a living one.
 * @throws HoldfastError STORE_LOCKED with the `pid` that has it.
 */
export async function acquireLock(files: Files, folder: string): Promise<Lock> {
  // Names in the order of time: who comes later gives way.
  const name = `lock-${Date.now().toString(36).padStart(10, '0')}-${randomBytes(8).toString('hex')}.json`;
  const file = path.join(folder, name);
  const claim = async (): Promise<void> => {
    const content = JSON.stringify(ownSelf());
    // Whoever has the folder clears temporary files away when it starts; once is enough for this one, too.
    await placeFile(files, file, content).catch(() => placeFile(files, file, content));
    try {
      await winOver(files, folder, name);
    } catch (error) {
      await discard(files, file);
      throw error;
    }
  };
  await claim();
  return {
    confirm: async () => (files.size(file) === undefined ? claim() : undefined),
    release: async () => (files.size(file) === undefined ? undefined : files.remove(file)),
  };
}

/** Ids of the running processes that have a data folder, or want it. Only looks: what dead ones left stays. */
export function lockOwners(files: Files, folder: string): number[] {
  const names = files.list(folder).filter((name) => NAME.test(name));
  const owners = names.flatMap((name) => ownerIn(files, path.join(folder, name)) ?? []);
  return owners.filter(isRunning).map(({ pid }) => pid);
}

/** Waits for later ones to give way; gives way itself to an earlier one. */
async function winOver(files: Files, folder: string, mine: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    const [first] = await livingRivals(files, folder, mine);
    if (first === undefined) return;
    if (first.name < mine || waitedMs >= WAIT_MS) throw new HoldfastError('STORE_LOCKED', { pid: first.owner.pid });
    await pause(PAUSE_MS);
  }
}

/** Earliest first. What dead processes left is removed on the way: no name is ever used again. */
async function livingRivals(files: Files, folder: string, mine: string) {
  const rivals: { readonly name: string; readonly owner: Owner }[] = [];
  for (const name of files.list(folder).filter((each) => NAME.test(each) && each !== mine)) {
    const owner = ownerIn(files, path.join(folder, name));
    if (owner !== undefined && isRunning(owner)) rivals.push({ name, owner });
    else await discard(files, path.join(folder, name));
  }
  return rivals;
}

/** `undefined` for what no living process wrote: it writes its file whole, and never a folder. */
function ownerIn(files: Files, file: string): Owner | undefined {
  const bytes = isFolder(files, file) ? undefined : files.read(file);
  return bytes && ownerSchema.safeParse(parseJson(bytes)).data;
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
  // Where the system tells of processes, one that it does not tell of has ended, and only its parent has not noticed yet.
  if (present === null) return startedAt(process.pid) === null;
  return owner.startedAt === null || owner.startedAt === present;
}

/** Start of a process that runs, in clock ticks since the computer started; `null` where the system does not tell. */
function startedAt(pid: number): string | null {
  return statOf(pid)?.start.split('/')[1] ?? null;
}
