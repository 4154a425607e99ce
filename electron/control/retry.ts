import { asHoldfastError, HoldfastError } from '../core/errors.ts';
import type { Event, Observation, ScopeKey } from '../core/model.ts';
import { scopeKey } from '../core/view.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

type Scope = Pick<Observation, 'server' | 'consumer'>;

export interface RetryOptions {
  /** Rejects while a commit could not be written. */
  tryRoom(): Promise<void>;
  /** Observes again; what was seen has been dispatched when this resolves. */
  observe(scope: Scope): Promise<unknown>;
  /** {@link Retry.cause} is another one. */
  onChange(): void;
}

/**
 * What a data folder that takes nothing leaves undone. Commands are told, and a person tries them again; what was
 * observed has nobody to do that, so it is observed again once there is room, after pauses that grow up to a minute.
 */
export class Retry {
  readonly #options: RetryOptions;
  readonly #missed = new Map<ScopeKey, Scope>();
  #cause: HoldfastError | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | undefined;
  #isTrying = false;
  #isClosed = false;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  /** Why the last write failed; `undefined` once a commit has succeeded and nothing waits. */
  get cause(): HoldfastError | undefined {
    return this.#cause;
  }

  /** @throws HoldfastError STORE_WRITE_FAILED where what was last observed there is not saved. */
  assertSaved({ server, consumer }: Scope): void {
    if (this.#cause !== undefined && this.#missed.has(scopeKey(server, consumer))) throw this.#cause;
  }

  /** An event could not be taken. Only what is about writing counts. */
  failed(event: Event, error: unknown): void {
    if (!(error instanceof HoldfastError) || error.code !== 'STORE_WRITE_FAILED') return;
    if (event.type === 'observed') {
      const { server, consumer } = event.observation;
      this.#missed.set(scopeKey(server, consumer), { server, consumer });
    }
    const isNews = this.#cause === undefined;
    this.#cause = error;
    if (isNews) this.#options.onChange();
    this.#arm(this.#pauseMs);
  }

  /** A commit succeeded: there is room again. */
  saved(): void {
    if (this.#cause === undefined) return;
    if (this.#missed.size === 0) this.#settle();
    else this.#arm(0);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
    if (this.#cause === undefined) return;
    this.#cause = undefined;
    this.#options.onChange();
  }

  #arm(pauseMs: number): void {
    if (this.#isTrying || this.#isClosed || (this.#timer !== undefined && pauseMs > 0)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#again(), pauseMs);
    this.#timer.unref();
  }

  async #again(): Promise<void> {
    this.#timer = undefined;
    this.#isTrying = true;
    await this.#tryAll().catch((error: unknown) => asHoldfastError(error)); // it is said already, and tried again below
    this.#isTrying = false;
    if (this.#cause === undefined) return;
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    this.#arm(this.#pauseMs);
  }

  async #tryAll(): Promise<void> {
    await this.#options.tryRoom();
    for (const [key, scope] of [...this.#missed]) {
      // Where it cannot be saved again, it comes back by itself.
      this.#missed.delete(key);
      await this.#options.observe(scope).catch(() => undefined);
    }
    if (this.#missed.size === 0) this.#settle();
  }
}
