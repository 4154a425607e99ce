import path from 'node:path';
import type { JsonObject } from '../core/model.ts';
import { isFolder } from './atomic.ts';
import type { Files } from './files.ts';
import { isRecord, parseJson } from './json.ts';
import { writeFailed } from './write-failed.ts';

const FILE = /^(\d{4}-\d{2}-\d{2})(?:\.(\d+))?\.jsonl$/;
const DAY_MS = 86_400_000;
const FLUSH_MS = 1_000;
/** While the disk takes nothing, the oldest lines are given up beyond this. */
const MAX_WAITING_LINES = 20_000;

export interface TraceOptions {
  readonly files: Files;
  readonly dir: string;
  /** ISO 8601. */
  readonly now: () => string;
  readonly keepDays?: number;
  readonly keepBytes?: number;
  readonly flushMs?: number;
}

/**
 * A line per call, for "what did the assistant see when it did that". Adding one costs the call nothing: lines are
 * written together, later. They are evidence, not state, so they are not synced, and a disk that takes none stops nobody.
 */
export class Traces {
  readonly #files: Files;
  readonly #folder: string;
  readonly #options: Required<Pick<TraceOptions, 'now' | 'keepDays' | 'keepBytes' | 'flushMs'>>;
  #waiting: string[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #file: string | undefined;

  private constructor({
    files,
    dir,
    now,
    keepDays = 90,
    keepBytes = 50 * 1024 * 1024,
    flushMs = FLUSH_MS,
  }: TraceOptions) {
    this.#files = files;
    this.#folder = path.join(dir, 'traces');
    this.#options = { now, keepDays, keepBytes, flushMs };
  }

  /**
   * Opens the traces of a data folder and removes what is too old.
   * @throws HoldfastError STORE_WRITE_FAILED
   */
  static async open(options: TraceOptions): Promise<Traces> {
    const traces = new Traces(options);
    await options.files.makeFolder(traces.#folder).catch((cause: unknown) => {
      throw writeFailed(traces.#folder, cause);
    });
    await traces.#prune();
    return traces;
  }

  /** To look at only: nothing is removed. */
  static toRead(options: TraceOptions): Pick<Traces, 'recent'> {
    return new Traces(options);
  }

  /** Lines that were lost because the disk took none. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes a line; returns at once. */
  add(line: object): void {
    this.#waiting.push(JSON.stringify(line));
    if (this.#waiting.length > MAX_WAITING_LINES) {
      this.#waiting.shift();
      this.#dropped += 1;
    }
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.flushMs).unref();
  }

  /** Writes what waits. Never fails: what the disk does not take is tried again. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Writes what waits; nothing is added after that. */
  close(): Promise<void> {
    return this.flush();
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
    try {
      await this.#append(lines);
    } catch {
      this.#file = undefined;
      this.#waiting = [...lines, ...this.#waiting];
      this.#timer ??= setTimeout(() => void this.flush(), this.#options.flushMs).unref();
    }
  }

  async #append(lines: readonly string[]): Promise<void> {
    const name = this.#fileName();
    const isNew = name !== this.#file;
    if (isNew) await this.#prune();
    // A run before this one may have been stopped within a line.
    const start = isNew && this.#size(name) > 0 ? '\n' : '';
    const handle = await this.#files.openAppend(path.join(this.#folder, name));
    await this.#files.write(handle, `${start}${lines.join('\n')}\n`).finally(() => this.#files.close(handle));
    this.#file = name;
  }

  /** One file per day, and another one when it has a tenth of what is kept: only whole files are removed. */
  #fileName(): string {
    const day = this.#options.now().slice(0, 10);
    const last = this.#names().at(-1);
    // Where the clock was set back, the newest file is from a later day: it goes on.
    if (last === undefined || last.slice(0, 10) < day) return `${day}.jsonl`;
    const isUsable = this.#size(last) < this.#options.keepBytes / 10 && !isFolder(this.#files, this.#path(last));
    if (isUsable) return last;
    return `${last.slice(0, 10)}.${Number(FILE.exec(last)?.[2] ?? 0) + 1}.jsonl`;
  }

  #size(name: string): number {
    return this.#files.size(this.#path(name)) ?? 0;
  }

  #path(name: string): string {
    return path.join(this.#folder, name);
  }

  /** Oldest first. */
  #names(): string[] {
    const parts = this.#files.list(this.#folder).flatMap((name) => {
      const [, day, number] = FILE.exec(name) ?? [];
      return day === undefined ? [] : [{ name, day, number: Number(number ?? 0) }];
    });
    parts.sort((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1));
    return parts.map((part) => part.name);
  }

  async #prune(): Promise<void> {
    const names = this.#names();
    const oldest = this.#oldestKept(names);
    let kept = this.#options.keepBytes / 10; // room for the file in use
    for (const name of names.reverse()) {
      kept += this.#size(name);
      const isPast = name.slice(0, 10) < oldest || kept > this.#options.keepBytes;
      if (isPast) await this.#files.remove(path.join(this.#folder, name)).catch(() => undefined);
    }
  }

  /**
   * The first day that is kept. A clock that jumped ahead would make everything too old at once, so age counts only when
   * there are lines of two different days up to today that are not: whoever sets the clock right within a day loses
   * nothing. How much room they take is bounded all the same.
   */
  #oldestKept(names: readonly string[]): string {
    const { now, keepDays } = this.#options;
    const today = now();
    const oldest = new Date(Date.parse(today) - keepDays * DAY_MS).toISOString().slice(0, 10);
    const recent = names.map((name) => name.slice(0, 10)).filter((day) => day >= oldest && day <= today.slice(0, 10));
    return new Set(recent).size >= 2 ? oldest : '';
  }

  /** The newest lines, newest first, those that wait included. Reads files, so not for the path of a call. */
  recent(limit: number, isWanted: (line: JsonObject) => boolean = () => true): JsonObject[] {
    const found: JsonObject[] = [];
    for (const line of this.#backwards()) {
      if (found.length >= limit) break;
      if (isWanted(line)) found.push(line);
    }
    return found;
  }

  *#backwards(): Generator<JsonObject> {
    yield* decode(this.#waiting);
    for (const name of this.#names().reverse()) {
      yield* decode(this.#text(name).split('\n'));
    }
  }

  /** Empty for what cannot be read: no trace is worth failing for. */
  #text(name: string): string {
    try {
      return this.#files.read(path.join(this.#folder, name))?.toString('utf8') ?? '';
    } catch {
      return '';
    }
  }
}

/** Newest first; what is no whole line is left out. */
function* decode(lines: readonly string[]): Generator<JsonObject> {
  for (const line of [...lines].reverse()) {
    const value = line === '' ? undefined : parseJson(Buffer.from(line));
    if (isRecord(value)) yield value as JsonObject; // read from JSON
  }
}
