import { BOUNDS } from '../core/bounds.ts';

const NEWLINE = 10;

/**
 * The last lines a server wrote to stderr: for a person to look at, never logged. Lines are whole, so that a key in one
 * can be found and masked; one of which the beginning is lost is left out.
 */
export class LastWords {
  #kept = Buffer.alloc(0);
  #isCut = false;

  add(chunk: Buffer): void {
    const all = Buffer.concat([this.#kept, chunk]);
    this.#isCut ||= all.length > BOUNDS.stderrBytes.value;
    // A copy, so that a large chunk is not kept for its end.
    this.#kept = Buffer.from(all.subarray(-BOUNDS.stderrBytes.value));
  }

  /** Oldest first, empty ones left out. */
  get lines(): string[] {
    const start = this.#isCut ? this.#kept.indexOf(NEWLINE) + 1 : 0;
    if (this.#isCut && start === 0) return [];
    const lines = this.#kept.toString('utf8', start).split(/\r?\n/);
    return lines.filter((line) => line.trim() !== '').slice(-BOUNDS.lastWordLines.value);
  }
}
