import type { Writable } from 'node:stream';
import { isAlive } from './process-alive.ts';

export interface HostAppOptions {
  readonly stdout: Writable;
  /** Id of the process that started this one, as it is now. */
  readonly parentPid?: () => number;
  /** From when on the parent counts as the host app. */
  readonly settleMs?: number;
  /** Between two looks at the parent. */
  readonly everyMs?: number;
}

const SETTLE_MS = 10_000;
const EVERY_MS = 5_000;

/**
 * Aborts its signal when the host app cannot be served any more, whatever is under way: it reads no answers, or its
 * process is gone. The normal end is another one: the host app closes stdin. SIGTERM, SIGINT and SIGHUP end a bridge
 * by themselves, in every state, because nothing here handles them.
 */
export class HostApp {
  readonly #gone = new AbortController();
  readonly #settling: NodeJS.Timeout;
  #watching: NodeJS.Timeout | undefined;

  constructor(options: HostAppOptions) {
    const { stdout, parentPid = () => process.ppid, settleMs = SETTLE_MS, everyMs = EVERY_MS } = options;
    const leave = (): void => this.#gone.abort();
    // A pipe tells this at the next write only; until then the look at the parent has to do.
    stdout.on('error', leave);
    stdout.once('close', leave);
    // A launcher in between may end right after it has started the bridge: its end says nothing of the host app.
    this.#settling = setTimeout(() => {
      const parent = parentPid();
      // A process whose parent is gone gets another one; on Windows it keeps the number, which then runs no more.
      const look = (): void => {
        if (parentPid() !== parent || !isAlive(parent)) leave();
      };
      this.#watching = setInterval(look, everyMs).unref();
    }, settleMs).unref();
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  get isGone(): boolean {
    return this.#gone.signal.aborted;
  }

  /** Looks no more. */
  stop(): void {
    clearTimeout(this.#settling);
    clearInterval(this.#watching);
  }
}
