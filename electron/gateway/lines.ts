/** Results of 10 MiB and more are ordinary (images); this is where a line is a fault. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

/** Cuts a byte stream into lines; keeps parts apart until a line is whole, so that large lines cost one copy. */
export class LineReader {
  readonly #onLine: (line: Buffer) => void;
  readonly #onOverflow: () => void;
  /** Bytes of one line beyond which it is a fault. */
  limit: number;
  #parts: Buffer[] = [];
  #size = 0;
  #isStopped = false;

  constructor(onLine: (line: Buffer) => void, onOverflow: () => void, limit = MAX_LINE_BYTES) {
    this.#onLine = onLine;
    this.#onOverflow = onOverflow;
    this.limit = limit;
  }

  push(chunk: Buffer): void {
    let start = 0;
    while (!this.#isStopped) {
      const end = chunk.indexOf(NEWLINE, start);
      this.#add(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) return;
      start = end + 1;
      this.#emit();
    }
  }

  /** Nothing is reported from here on. */
  stop(): void {
    this.#isStopped = true;
    this.#parts = [];
    this.#size = 0;
  }

  /** What came after the last newline. */
  rest(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size <= this.limit) return;
    this.stop();
    this.#onOverflow();
  }

  #emit(): void {
    if (this.#isStopped || this.#size === 0) return;
    const [first] = this.#parts;
    const line = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts, this.#size);
    this.#parts = [];
    this.#size = 0;
    this.#onLine(line);
  }
}
