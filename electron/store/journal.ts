import path from 'node:path';
import { fileTime } from './file-time.ts';
import type { Files } from './files.ts';
import { fileAfter, journalFiles } from './journal-files.ts';
import { decodeLine, encodeLine, type JournalLine } from './journal-line.ts';
import { writeFailed } from './write-failed.ts';

const NEW_LINE = 0x0a;
const MEGABYTE = 1024 * 1024;

/** How much history is kept, in bytes. */
export interface JournalLimits {
  /** A file that has as much is followed by another part. */
  readonly file: number;
  /** Beyond this the oldest files go, at a start. */
  readonly total: number;
}
const LIMITS: JournalLimits = { file: 16 * MEGABYTE, total: 200 * MEGABYTE };
/** Lines looked through for those that are wanted: a moment's work. */
const MAX_LOOKED_AT = 100_000;

/** What the journal knows of the commits after a given one. */
export interface Since {
  /** Lines of commits, oldest first; evidence is left out. */
  readonly lines: readonly JournalLine[];
  /** The last commit the journal knows of. */
  readonly last: number;
  /** Every commit after the given one is there, with its event, and there is at least one. */
  readonly isComplete: boolean;
  /** False where something in the files of that stretch is no line. */
  readonly isReadable: boolean;
}

/**
 * Append-only history, one file per month, and further parts where that gets large. Files are used in the order of their
 * names and never turned back to, so that their lines are in the order they were written even when the clock is set back.
 */
export class Journal {
  readonly #files: Files;
  readonly #folder: string;
  readonly #limits: JournalLimits;
  #file: string | undefined;
  /** Bytes of the file that are known to be whole lines. */
  #length = 0;
  #isTorn = false;
  /** The file's name is on the disk. */
  #isNamed = false;
  #last: JournalLine | undefined;

  private constructor(files: Files, folder: string, limits: JournalLimits) {
    this.#files = files;
    this.#folder = folder;
    this.#limits = limits;
  }

  /**
   * Opens the journal and cuts off a line that a crash left unfinished. A file that ends in anything else is set aside:
   * it is still read, but nothing is added to it. The newest file decides where to go on, also one that was set aside.
   */
  static async open(
    files: Files,
    folder: string,
    at: string,
    limits = LIMITS,
  ): Promise<{ journal: Journal; setAside: string[] }> {
    const journal = new Journal(files, folder, limits);
    const newest = journalFiles(files.list(folder)).at(-1);
    if (newest === undefined) return { journal, setAside: [] };
    journal.#file = newest.name;
    const setAside = newest.isAside ? [] : await journal.#use(newest.name, at);
    for (const line of journal.#backwards()) {
      journal.#last = line;
      if (line !== undefined) break;
    }
    return { journal, setAside };
  }

  /** To look at only: nothing is cut off or set aside, and nothing may be appended. */
  static toRead(files: Files, folder: string): Pick<Journal, 'recent'> {
    return new Journal(files, folder, LIMITS);
  }

  async #use(name: string, at: string): Promise<string[]> {
    const file = path.join(this.#folder, name);
    const bytes = this.#bytes(name);
    if (bytes === undefined || !endsInLine(bytes) || !isTorn(bytes)) return [await this.#setAside(name, at)];
    const length = bytes.lastIndexOf(NEW_LINE) + 1;
    if (length < bytes.length) await this.#files.truncate(file, length);
    this.#length = length;
    return [];
  }

  /** `undefined` for a file that cannot be read: history is no reason not to start. */
  #bytes(name: string): Buffer | undefined {
    try {
      return this.#files.read(path.join(this.#folder, name));
    } catch {
      return undefined;
    }
  }

  async #setAside(name: string, at: string): Promise<string> {
    const aside = name.replace('.jsonl', `.damaged-${fileTime(at)}.jsonl`);
    await this.#files.rename(path.join(this.#folder, name), path.join(this.#folder, aside));
    this.#file = aside;
    return path.join(this.#folder, aside);
  }

  /** Those of a commit's lines that are not in the journal yet. */
  missing(lines: readonly JournalLine[]): readonly JournalLine[] {
    const last = this.#last;
    const [first] = lines;
    if (last === undefined || first === undefined || last.sequence < first.sequence) return lines;
    // Evidence follows only when the lines of the commit before it are complete.
    const lastIndex = last.sequence === first.sequence ? last.index : null;
    return lastIndex === null ? [] : lines.filter((line) => (line.index ?? 0) > lastIndex);
  }

  /** @throws HoldfastError STORE_WRITE_FAILED; what was written of the lines is then cut off again before the next. */
  async append(lines: readonly JournalLine[]): Promise<void> {
    const last = lines.at(-1);
    if (last === undefined) return;
    // What was set aside stays as it is, so its name must be left before anything could fail.
    const [text, name] = [
      lines.map(encodeLine).join(''),
      fileAfter(this.#file, last.at, this.#length >= this.#limits.file),
    ];
    try {
      await this.#write(text, name);
    } catch (cause) {
      this.#isTorn = true;
      throw writeFailed(this.#folder, cause);
    }
    this.#last = last;
  }

  async #write(text: string, name: string): Promise<void> {
    await this.#cutTorn();
    if (name !== this.#file) {
      this.#file = name;
      this.#length = 0; // names only grow, so there is no such file yet
      this.#isNamed = false;
    }
    const file = path.join(this.#folder, name);
    const handle = await this.#files.openAppend(file);
    try {
      await this.#files.write(handle, text);
      await this.#files.sync(handle);
    } finally {
      await this.#files.close(handle);
    }
    if (!this.#isNamed) await this.#files.syncFolder(this.#folder);
    this.#isNamed = true;
    this.#length += Buffer.byteLength(text);
  }

  async #cutTorn(): Promise<void> {
    if (!this.#isTorn) return;
    const file = path.join(this.#folder, this.#file ?? '');
    if (this.#file !== undefined && this.#files.size(file) !== undefined)
      await this.#files.truncate(file, this.#length);
    this.#isTorn = false;
  }

  /** What happened after a commit, as far as it can be read. */
  since(sequence: number): Since {
    const newer: JournalLine[] = [];
    let isReadable = true;
    for (const line of this.#backwards()) {
      if (line !== undefined && line.sequence <= sequence) break;
      if (line === undefined) isReadable = false;
      else newer.push(line);
    }
    const lines = newer.reverse().filter((line) => line.index !== null);
    const last = newer.reduce((highest, line) => Math.max(highest, line.sequence), sequence);
    const known = new Set(lines.filter((line) => line.event !== undefined).map((line) => line.sequence));
    const isComplete = isReadable && last > sequence && known.size === last - sequence;
    return { lines, last, isComplete, isReadable };
  }

  /**
   * Removes the oldest files beyond what is kept: never the newest one, and none that tells what happened after the given
   * commit. Best effort: what stays is tried again at the next start.
   */
  async prune(after: number): Promise<void> {
    const names = journalFiles(this.#files.list(this.#folder)).map(({ name }) => name);
    const sizes = names.map((name) => this.#files.size(path.join(this.#folder, name)) ?? 0);
    let total = sizes.reduce((sum, size) => sum + size, 0);
    if (total <= this.#limits.total) return;
    const needed = this.#fileOf(names, after);
    for (const [index, name] of names.slice(0, needed).entries()) {
      if (total <= this.#limits.total) break;
      await this.#files.remove(path.join(this.#folder, name)).catch(() => undefined);
      total -= sizes[index] ?? 0;
    }
  }

  /** Place of the newest file with a line of this commit or an older one; 0 where none has. */
  #fileOf(names: readonly string[], sequence: number): number {
    for (let index = names.length - 1; index > 0; index -= 1) {
      for (const line of this.#lines(names[index] ?? '')) {
        if (line !== undefined && line.sequence <= sequence) return index;
      }
    }
    return 0;
  }

  /** The newest lines, newest first; unreadable ones are left out. Looks at the newest {@link MAX_LOOKED_AT} only. */
  recent(limit: number, isWanted: (line: JournalLine) => boolean = () => true): JournalLine[] {
    const found: JournalLine[] = [];
    let looked = 0;
    for (const line of this.#backwards()) {
      if (found.length >= limit || (looked += 1) > MAX_LOOKED_AT) break;
      if (line !== undefined && isWanted(line)) found.push(line);
    }
    return found;
  }

  /** Every line, newest first; `undefined` for one that cannot be read. */
  *#backwards(): Generator<JournalLine | undefined> {
    for (const { name } of journalFiles(this.#files.list(this.#folder)).reverse()) yield* this.#lines(name);
  }

  *#lines(name: string): Generator<JournalLine | undefined> {
    const bytes = this.#bytes(name);
    if (bytes === undefined || !isTorn(bytes)) yield undefined;
    let end = bytes?.lastIndexOf(NEW_LINE) ?? -1;
    while (bytes !== undefined && end > 0) {
      const start = bytes.lastIndexOf(NEW_LINE, end - 1) + 1;
      yield decodeLine(bytes.subarray(start, end));
      end = start - 1;
    }
  }
}

const LINE_START = Buffer.from('{"sequence":');

/**
 * What follows the last whole line is what a crash leaves of the next one: its beginning, or, after lines that were
 * written, nothing but zeros. Anything else is damage.
 */
function isTorn(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf(NEW_LINE);
  const tail = bytes.subarray(end + 1);
  const start = LINE_START.subarray(0, tail.length);
  return tail.subarray(0, start.length).equals(start) || (end >= 0 && tail.every((byte) => byte === 0));
}

/** The last whole line can be read, or there is none. */
function endsInLine(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf(NEW_LINE);
  if (end < 0) return true;
  const start = end === 0 ? 0 : bytes.lastIndexOf(NEW_LINE, end - 1) + 1;
  return decodeLine(bytes.subarray(start, end)) !== undefined;
}
