/** Lets so many things pass in each second, and counts the others. */
export class Rate {
  readonly #perSecond: number;
  readonly #now: () => number;
  #since = -Infinity;
  #passed = 0;
  #leftOut = 0;

  /** `now`: a clock in milliseconds that only goes forwards. */
  constructor(perSecond: number, now = (): number => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** How many were left out since the last one that passed; `null` where this one is left out too. */
  take(): number | null {
    const now = this.#now();
    if (now - this.#since >= 1000) {
      this.#since = now;
      this.#passed = 0;
    }
    if (this.#passed >= this.#perSecond) {
      this.#leftOut++;
      return null;
    }
    this.#passed++;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
