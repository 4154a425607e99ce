import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { membersOf, processStart, statOf, wasStartedWith } from '../system/process-start.ts';
import { isTreeAlive, signalTree, waitUntil } from './process-tree.ts';

const FILE = /^(\d{1,10})\.json$/;
const MAX_RECORD_BYTES = 4_096;
const MAX_RECORDS = 1_000;

/** What a server and all it starts are marked with in their environment. */
export const PROCESS_MARK = 'HOLDFAST_PROCESS';

const recordShape = z.object({
  pid: z.int().min(2),
  startedAt: z.string().nullable(),
  server: z.string(),
  /** Random: value of {@link PROCESS_MARK}. */
  mark: z.string().min(16).max(100),
});

/** One server process that is running, or was when its gateway was killed. */
export type ProcessRecord = z.output<typeof recordShape>;

/**
 * The server processes of a data folder, one small file each while it runs. A gateway that is killed leaves its servers
 * behind, and some of them go on for ever: the next start ends what this names, by process id and start time.
 */
export class ProcessLedger {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Never fails: a server runs whether it can be written down or not. */
  async started(pid: number, server: string, mark: string): Promise<void> {
    // First without the time, which some systems take a while to tell; such a record is never acted on.
    this.#write({ pid, startedAt: statOf(pid)?.start ?? null, server, mark });
    if (process.platform === 'linux') return;
    const startedAt = await processStart(pid);
    if (this.#read(`${pid}.json`) !== null) this.#write({ pid, startedAt, server, mark });
  }

  /** Nothing is left of its tree. */
  gone(pid: number): void {
    remove(this.#file(pid));
  }

  /** What is written down; whether it still runs is another question. */
  records(): ProcessRecord[] {
    return this.#names().flatMap((name) => this.#read(name) ?? []);
  }

  /**
   * Ends what an earlier gateway of this data folder left running, asked first and then at once. Whoever calls this has
   * the folder for itself. Returns what was ended.
   */
  async sweep(stepMs: number): Promise<ProcessRecord[]> {
    const ended = await Promise.all(this.#names().map((name) => this.#sweepOne(name, stepMs)));
    return ended.flatMap((record) => record ?? []);
  }

  async #sweepOne(name: string, stepMs: number): Promise<ProcessRecord | null> {
    const record = this.#read(name);
    const isOurs = record !== null && (await isStillRunning(record));
    if (isOurs) {
      const isGone = (): boolean => !isTreeAlive(record.pid);
      signalTree(record.pid, 'SIGTERM');
      if (!(await waitUntil(isGone, stepMs))) {
        signalTree(record.pid, 'SIGKILL');
        await waitUntil(isGone, stepMs);
      }
    }
    remove(path.join(this.#folder, name));
    return isOurs ? record : null;
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => FILE.test(name))
        .slice(0, MAX_RECORDS);
    } catch {
      return []; // no process was ever started here
    }
  }

  #read(name: string): ProcessRecord | null {
    try {
      const text = readFileSync(path.join(this.#folder, name), 'utf8');
      const record = text.length <= MAX_RECORD_BYTES ? recordShape.safeParse(JSON.parse(text)).data : undefined;
      return record !== undefined && `${record.pid}.json` === name ? record : null;
    } catch {
      return null;
    }
  }

  #write(record: ProcessRecord): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(this.#file(record.pid), JSON.stringify(record), { mode: 0o600 });
    } catch {
      // a full disk is no reason to run no server
    }
  }

  #file(pid: number): string {
    return path.join(this.#folder, `${pid}.json`);
  }
}

/** A record that stays behind is checked again at the next start. */
function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // a disk that takes no change ends no process
  }
}

/** True only where it is certain that this is the recorded process or what it started. */
export async function isStillRunning({ pid, startedAt, mark }: ProcessRecord): Promise<boolean> {
  if (startedAt === null) return false;
  const present = await processStart(pid);
  if (present !== null) return present === startedAt;
  // A leader that is gone may have left its group, or its number may have come round: the mark tells.
  const members = membersOf(pid);
  return members.length > 0 && members.every((member) => wasStartedWith(member, PROCESS_MARK, mark));
}
