import { BOUNDS } from '../core/bounds.ts';
import { HoldfastError } from '../core/errors.ts';
import type { ConsumerId, JsonObject, Observation, ServerId } from '../core/model.ts';
import { Connection, FULL_PROFILE } from './connection.ts';
import type { ConnectionEvents } from './connection.ts';
import type { IdCache } from './id-cache.ts';
import type { UpstreamSpec } from './ports.ts';
import type { PlanStart, ProcessRecords } from './process-transport.ts';
import type { Timings } from './timings.ts';

export type UpstreamState = 'idle' | 'starting' | 'working' | 'problem';
export interface UpstreamStatus {
  readonly state: UpstreamState;
  /** Why, where the state is `problem`; `null` otherwise. */
  readonly reason: string | null;
  /** The last line it wrote to stderr, which is often the reason; it may hold a key. */
  readonly lastWord: string | null;
}

export interface SlotOptions {
  readonly server: ServerId;
  /** Set where the process serves this app alone. */
  readonly consumer: ConsumerId | null;
  readonly version: string;
  readonly timings: Timings;
  readonly ids: IdCache;
  readonly records: ProcessRecords | undefined;
  readonly plan: PlanStart | undefined;
  readonly events: ConnectionEvents;
  spec(): UpstreamSpec | undefined;
  capabilities(): JsonObject;
  /** True while a connected app could call this server through it. */
  isInUse(): boolean;
  /** Resolves when an earlier slot in the same place has ended its processes. */
  vacated(): Promise<unknown>;
  onReady(connection: Connection): void;
}

/** The place of one process that is started when needed, restarted when it ends, and replaced when its launch changes. */
export class Slot {
  readonly #options: SlotOptions;
  #connection: Connection | null = null;
  #starting: Promise<Connection> | null = null;
  /** Started, whether ready or not: what has to be ended. */
  readonly #started = new Set<Connection>();
  /** The connection that ended last against our will, and why. */
  #failure: { readonly connection: Connection; readonly reason: string } | null = null;
  #hasStarted = false;
  #startedAt = 0;
  /** Starts and runs in a row that ended too soon. */
  #crashes = 0;
  /** Not started again by itself before this, on the clock of `performance.now`. */
  #dueAt = 0;
  /** Ends a wait for {@link #dueAt}. */
  #hurry: (() => void) | null = null;
  /** Grows with each stop, so that a start under way knows it is not wanted any more. */
  #stops = 0;
  #isRetired = false;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get server(): ServerId {
    return this.#options.server;
  }

  get consumer(): ConsumerId | null {
    return this.#options.consumer;
  }

  get connections(): ReadonlySet<Connection> {
    return this.#started;
  }

  get status(): UpstreamStatus {
    const none = { reason: null, lastWord: null };
    if (this.#connection) return runningStatus(this.#connection);
    if (this.#starting && this.#isGivenTheBenefit) return { state: 'starting', ...none };
    if (this.#failure === null) return { state: 'idle', ...none };
    const { connection, reason } = this.#failure;
    const lastWord = connection.upstream.transport.lastWords.at(-1) ?? null;
    return {
      state: 'problem',
      reason: this.#hasGivenUp ? `${reason}, ${this.#crashes} times in a row` : reason,
      lastWord,
    };
  }

  /** The connections whose last words tell something: the one that failed, then those there are. */
  get telling(): Connection[] {
    return [...new Set([...(this.#failure ? [this.#failure.connection] : []), ...this.#started])];
  }

  /** Starts and runs in a row that ended too soon. */
  get crashes(): number {
    return this.#crashes;
  }

  /** The running connection, where it is of the launch that is wanted now. */
  ready(): Connection | null {
    const connection = this.#connection;
    return connection && !connection.upstream.isEnded && !this.#isStale(connection) ? connection : null;
  }

  /**
   * The running connection, started first where there is none. After ends too soon a start waits for its turn, and after
   * too many it is refused at once for a while, unless a person asks for it.
   * @throws HoldfastError UPSTREAM_START_FAILED
   */
  async acquire(isAskedFor = false): Promise<Connection> {
    if (this.#isRetired) throw this.#stopped();
    const ready = this.ready();
    if (ready) return ready;
    if (isAskedFor) this.#startAnew();
    this.#starting ??= this.#startWhenDue().finally(() => (this.#starting = null));
    const connection = await this.#starting;
    // The launch may have been changed while it was starting.
    return this.#isStale(connection) ? this.acquire(isAskedFor) : connection;
  }

  /** Ends its processes for good; a slot of its own follows in its place. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    this.#stops++;
    this.#startAnew();
    this.#connection = null;
    this.#failure = null;
    await Promise.all([...this.#started].map((connection) => connection.close()));
  }

  /** One end of what had worked is no problem yet. */
  get #isGivenTheBenefit(): boolean {
    return this.#failure === null || (this.#crashes <= 1 && this.#failure.connection.info !== null);
  }

  get #hasGivenUp(): boolean {
    return this.#crashes >= BOUNDS.quickCrashes.value;
  }

  /** What went wrong before does not count any more. */
  #startAnew(): void {
    this.#crashes = 0;
    this.#dueAt = 0;
    this.#hurry?.();
  }

  async #startWhenDue(): Promise<Connection> {
    const waitMs = this.#dueAt - performance.now();
    if (waitMs > 0 && this.#hasGivenUp) throw this.#givenUp();
    if (waitMs > 0) await this.#wait(waitMs);
    if (this.#isRetired) throw this.#stopped();
    return this.#start();
  }

  #wait(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#hurry?.(), waitMs);
      timer.unref();
      this.#hurry = () => {
        clearTimeout(timer);
        this.#hurry = null;
        resolve();
      };
    });
  }

  #givenUp(): HoldfastError {
    const server = this.#options.spec()?.name ?? this.#options.server;
    const reason = `${this.#failure?.reason ?? 'it stopped'}, ${this.#crashes} times in a row`;
    return new HoldfastError('UPSTREAM_START_FAILED', { server, reason });
  }

  #stopped(): HoldfastError {
    const { server } = this.#options;
    return new HoldfastError('UPSTREAM_START_FAILED', { server, reason: 'it was stopped' });
  }

  #isStale(connection: Connection): boolean {
    if (connection.spec.digest !== this.#options.spec()?.digest) return true;
    return connection.isPresumed && this.#options.capabilities() !== FULL_PROFILE;
  }

  async #start(): Promise<Connection> {
    const stops = this.#stops;
    this.#connection = null;
    // Two processes of one server may not get along (locks, ports).
    await this.#options.vacated();
    if (this.#started.size > 0) await Promise.all([...this.#started].map((old) => old.close()));
    if (stops !== this.#stops) throw this.#stopped();
    const connection = this.#open();
    try {
      await connection.start();
      if (stops !== this.#stops) throw new Error('it was stopped');
      // What it sent along with its introduction may have ended it already.
      if (connection.upstream.isEnded) throw new Error(connection.upstream.transport.endReason ?? 'it stopped');
    } catch (error) {
      await connection.close();
      throw this.#failed(connection, error instanceof Error ? error.message : String(error), stops);
    }
    this.#connection = connection;
    this.#failure = null;
    this.#hasStarted = true;
    connection.firstObservation().catch(() => undefined); // whoever asks for it is told
    this.#options.onReady(connection);
    return connection;
  }

  #open(): Connection {
    const { server, consumer, version, timings, ids, records, plan, events } = this.#options;
    const spec = this.#options.spec();
    if (!spec) throw new HoldfastError('UPSTREAM_NOT_FOUND', { server });
    const connection = new Connection({
      spec,
      consumer,
      version,
      timings,
      ids,
      records,
      plan,
      capabilities: this.#options.capabilities(),
      isFirstStart: !this.#hasStarted,
      events: { ...events, onEnd: (ended) => this.#ended(ended) },
    });
    this.#startedAt = performance.now();
    this.#started.add(connection);
    return connection;
  }

  #failed(connection: Connection, reason: string, stops: number): HoldfastError {
    if (stops === this.#stops) {
      this.#failure = { connection, reason };
      void this.#record(connection.failure(reason));
      // Without its keys it is no fault of the server, and trying again changes nothing.
      if (connection.spec.locked === undefined) this.#tryLater();
    }
    return new HoldfastError('UPSTREAM_START_FAILED', { server: connection.spec.name, reason });
  }

  #tryLater(): void {
    this.#postpone(this.#crashes + 1);
    // Only once this start is over can the next one be asked for.
    setImmediate(() => this.#keepUp());
  }

  async #record(observation: Observation): Promise<void> {
    // Whoever takes it in reports its own faults.
    await this.#options.events.onObservation(observation).catch(() => undefined);
  }

  #ended(connection: Connection): void {
    const { transport } = connection.upstream;
    const isUnexpected = this.#connection === connection;
    // What the process started may outlive it for a moment.
    void connection.close().finally(() => this.#started.delete(connection));
    this.#options.events.onEnd(connection);
    if (!isUnexpected) return;
    this.#connection = null;
    this.#failure = { connection, reason: transport.endReason ?? 'it stopped' };
    const isCrash = performance.now() - this.#startedAt < this.#options.timings.quickCrashMs;
    this.#postpone(isCrash ? this.#crashes + 1 : 1);
    this.#keepUp();
  }

  /** The first time it may start again at once, for most ends are single ones; then after a growing pause. */
  #postpone(crashes: number): void {
    const { firstRestartMs, maxRestartMs } = this.#options.timings;
    this.#crashes = crashes;
    const growing = crashes <= 1 ? 0 : Math.min(firstRestartMs * 2 ** (crashes - 2), maxRestartMs);
    this.#dueAt = performance.now() + (this.#hasGivenUp ? maxRestartMs : growing);
  }

  /** What an app uses is started again by itself, until it has ended too soon too often. */
  #keepUp(): void {
    if (this.#isRetired || this.#hasGivenUp || !this.#options.isInUse()) return;
    this.acquire().catch(() => undefined); // a start that fails is recorded, and plans the next one
  }
}

/** It runs; but while its tools cannot be listed, none of them can be verified, and calls are refused. */
function runningStatus(connection: Connection): UpstreamStatus {
  const trouble = connection.troubles.find(({ kind, isFailed }) => kind === 'tool' && isFailed);
  if (!trouble) return { state: 'working', reason: null, lastWord: null };
  return { state: 'problem', reason: `its list of tools cannot be read: ${trouble.reason}`, lastWord: null };
}
