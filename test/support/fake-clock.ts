import type { Clock } from '../../electron/desktop/notes.ts';

/** Time that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now: number;
  #timers: { readonly at: number; readonly act: () => void }[] = [];

  constructor(start: string) {
    this.#now = Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, act: () => void): () => void {
    const timer = { at: this.#now + delayMs, act };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Lets time pass; what is due meanwhile happens at its time, and what that begins is waited for. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.act();
      await settled();
    }
    this.#now = end;
    await settled();
  }

  /** The computer sleeps: time passes and no timer runs. */
  sleep(ms: number): void {
    this.#now += ms;
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
