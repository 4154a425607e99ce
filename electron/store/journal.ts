import path from 'node:path';
import { HoldfastError } from '../core/errors.ts';
import { messageOf, type Files } from './files.ts';
import { decodeLine, encodeLine, type JournalLine } from './journal-line.ts';

const FILE = /^\d{4}-\d{2}(\.damaged-.*)?\.jsonl$/;
const NEW_LINE = 0x0a;

/** What the journal knows of the commits after a given one. */
export interface Since {
  /** Lines of commits, oldest first; evidence is left out. */
  readonly lines: readonly JournalLine[];
  /** The last commit the journal knows of. */
  readonly last: number;
  /** Every commit after the given one is there, with its event, and there is at least one. */
  readonly isComplete: boolean;
}

/**
 * Append-only history, one file per month. Files are used in the order of their names and never turned back to, so that
 * their lines are in the order they were written even when the clock is set back.
 */
export class Journal {
  readonly #files: Files;
  readonly #folder: string;
  #file: string | undefined;
  /** Bytes of the file that are known to be whole lines. */
  #length = 0;
  #isTorn = false;
  /** The file's name is on the disk. */
  #isNamed = false;
  #last: JournalLine | undefined;

  private constructor(files: Files, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  /**
   * Opens the journal and cuts off a line that a crash left unfinished. A file whose last whole line is unreadable is
   * set aside: it is still read, but nothing is added to it.
   */
  static async open(files: Files, folder: string, at: string): Promise<{ journal: Journal; setAside: string[] }> {
    const journal = new Journal(files, folder);
    const names = files.list(folder).filter((name) => FILE.test(name));
    const name = names.filter((each) => !each.includes('.damaged-')).at(-1);
    if (name === undefined) return { journal, setAside: [] };
    const setAside = await journal.#use(name, at);
    for (const line of journal.#backwards()) {
      journal.#last = line;
      if (line !== undefined) break;
    }
    return { journal, setAside };
  }

  async #use(name: string, at: string): Promise<string[]> {
    const file = path.join(this.#folder, name);
    const bytes = this.#bytes(name);
    this.#file = name;
    if (bytes === undefined || !endsInLine(bytes)) return [await this.#setAside(name, at)];
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
    try {
      await this.#write(lines.map(encodeLine).join(''), this.#fileFor(last.at));
    } catch (cause) {
      this.#isTorn = true;
      throw new HoldfastError('STORE_WRITE_FAILED', { file: this.#folder, reason: messageOf(cause) }, { cause });
    }
    this.#last = last;
  }

  /** The file of this month, or a later one where the clock was set back. */
  #fileFor(at: string): string {
    const name = `${at.slice(0, 7)}.jsonl`;
    return FILE.test(name) && name > (this.#file ?? '') ? name : (this.#file ?? '0000-00.jsonl');
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
    return { lines, last, isComplete: isReadable && last > sequence && known.size === last - sequence };
  }

  /** The newest lines, newest first; unreadable ones are left out. */
  recent(limit: number, isWanted: (line: JournalLine) => boolean = () => true): JournalLine[] {
    const found: JournalLine[] = [];
    for (const line of this.#backwards()) {
      if (found.length >= limit) break;
      if (line !== undefined && isWanted(line)) found.push(line);
    }
    return found;
  }

  /** Every line, newest first; `undefined` for one that cannot be read. */
  *#backwards(): Generator<JournalLine | undefined> {
    const names = this.#files.list(this.#folder).filter((name) => FILE.test(name));
    for (const name of names.reverse()) {
      const bytes = this.#bytes(name);
      if (bytes === undefined) yield undefined;
      let end = bytes?.lastIndexOf(NEW_LINE) ?? -1;
      while (bytes !== undefined && end > 0) {
        const start = bytes.lastIndexOf(NEW_LINE, end - 1) + 1;
        yield decodeLine(bytes.subarray(start, end));
        end = start - 1;
      }
    }
  }
}

/** The last whole line can be read, or there is none. */
function endsInLine(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf(NEW_LINE);
  if (end < 0) return true;
  const start = end === 0 ? 0 : bytes.lastIndexOf(NEW_LINE, end - 1) + 1;
  return decodeLine(bytes.subarray(start, end)) !== undefined;
}

/** A time as part of a file's name, on every system. */
export function fileTime(at: string): string {
  return at.replaceAll(/[^\dTZ]/g, '-');
}
