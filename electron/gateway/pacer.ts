/**
 * When to list again after change notices: at once on the leading edge, then with a gap that doubles while they
 * go on, and starts small again after quiet.
 */
export class Pacer {
  readonly #run: () => void;
  readonly #firstGapMs: number;
  readonly #maxGapMs: number;
  #gapMs: number;
  #lastEnd = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  constructor(run: () => void, firstGapMs: number, maxGapMs: number) {
    this.#run = run;
    this.#firstGapMs = firstGapMs;
    this.#maxGapMs = maxGapMs;
    this.#gapMs = firstGapMs;
  }

  /** A notice came while nothing was being listed, or one came in the middle of a list. */
  notice(): void {
    if (this.#timer) return;
    const quietMs = performance.now() - this.#lastEnd;
    if (quietMs >= this.#maxGapMs) this.#gapMs = this.#firstGapMs;
    const waitMs = this.#gapMs - quietMs;
    // Also for notices that are slower than the gap: a server that sends one every second is no reason to list as often.
    this.#gapMs = Math.min(this.#gapMs * 2, this.#maxGapMs);
    if (waitMs <= 0) return this.#run();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#run();
    }, waitMs);
    this.#timer.unref();
  }

  /** A list has ended, whoever asked for it. */
  ended(): void {
    this.#lastEnd = performance.now();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
