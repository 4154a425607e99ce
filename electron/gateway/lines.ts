import { BOUNDS } from '../core/bounds.ts';

const NEWLINE = 10;
/** So many parts of a line are joined: a line that trickles in would cost a hundred times its length. */
const MAX_LOOSE_PARTS = 1024;

/** Cuts a byte stream into lines; keeps parts apart until a line is whole, so that large lines cost one copy. */
export class LineReader {
  readonly #onLine: (line: Buffer) => void;
  readonly #onOverflow: () => void;
  /** Bytes of one line beyond which it is a fault. */
  limit: number;
  #parts: Buffer[] = [];
  /** Of the parts, those that were joined; each is copied once more, whatever the length of the line. */
  #joined = 0;
  #size = 0;
  #isStopped = false;
  /** What came since {@link hold}; `null` while lines are reported. */
  #held: Buffer[] | null = null;

  constructor(onLine: (line: Buffer) => void, onOverflow: () => void, limit: number = BOUNDS.lineBytes.value) {
    this.#onLine = onLine;
    this.#onOverflow = onOverflow;
    this.limit = limit;
  }

  push(chunk: Buffer): void {
    if (this.#held) {
      this.#held.push(chunk);
      return;
    }
    let start = 0;
    while (!this.#isStopped) {
      const end = chunk.indexOf(NEWLINE, start);
      this.#add(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) return;
      start = end + 1;
      this.#emit();
      if (this.isHeld) return this.push(chunk.subarray(start));
    }
  }

  /** True between {@link hold} and {@link resume}; a line that was just reported may have asked for it. */
  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** Nothing is reported until {@link resume}, not even what is here already. */
  hold(): void {
    this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const chunk of held) this.push(chunk); // which may hold it again
  }

  /** Nothing is reported from here on. */
  stop(): void {
    this.#isStopped = true;
    this.#held = null;
    this.#clear();
  }

  /** What came after the last newline. */
  rest(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    if (this.#parts.length - this.#joined >= MAX_LOOSE_PARTS) this.#join();
    this.#size += part.length;
    if (this.#size <= this.limit) return;
    this.stop();
    this.#onOverflow();
  }

  #emit(): void {
    if (this.#isStopped || this.#size === 0) return;
    const [first] = this.#parts;
    const line = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts, this.#size);
    this.#clear();
    this.#onLine(line);
  }

  #join(): void {
    this.#parts.push(Buffer.concat(this.#parts.splice(this.#joined)));
    this.#joined = this.#parts.length;
  }

  #clear(): void {
    this.#parts = [];
    this.#joined = 0;
    this.#size = 0;
  }
}
