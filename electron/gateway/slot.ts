import { HoldfastError } from '../core/errors.ts';
import type { ConsumerId, JsonObject, Observation, ServerId } from '../core/model.ts';
import { Connection, FULL_PROFILE } from './connection.ts';
import type { ConnectionEvents } from './connection.ts';
import type { IdCache } from './id-cache.ts';
import type { UpstreamSpec } from './ports.ts';
import type { Timings } from './timings.ts';

const MAX_QUICK_CRASHES = 5;

export type UpstreamState = 'idle' | 'starting' | 'working' | 'problem';
export interface UpstreamStatus {
  readonly state: UpstreamState;
  /** Why, where the state is `problem`. */
  readonly reason: string | null;
}

export interface SlotOptions {
  readonly server: ServerId;
  /** Set where the process serves this app alone. */
  readonly consumer: ConsumerId | null;
  readonly version: string;
  readonly timings: Timings;
  readonly ids: IdCache;
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
  #problem: string | null = null;
  #hasStarted = false;
  #startedAt = 0;
  #crashes = 0;
  #restart: NodeJS.Timeout | null = null;
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
    if (this.#connection) return { state: 'working', reason: null };
    if (this.#starting) return { state: 'starting', reason: null };
    return this.#problem === null ? { state: 'idle', reason: null } : { state: 'problem', reason: this.#problem };
  }

  /** The running connection, where it is of the launch that is wanted now. */
  ready(): Connection | null {
    return this.#connection && !this.#isStale(this.#connection) ? this.#connection : null;
  }

  /** The running connection, started first where there is none. @throws HoldfastError UPSTREAM_START_FAILED */
  async acquire(): Promise<Connection> {
    if (this.#isRetired) throw this.#stopped();
    const ready = this.ready();
    if (ready) return ready;
    this.#clearRestart();
    this.#starting ??= this.#start().finally(() => (this.#starting = null));
    const connection = await this.#starting;
    // The launch may have been changed while it was starting.
    return this.#isStale(connection) ? this.acquire() : connection;
  }

  /** Ends its processes for good; a slot of its own follows in its place. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    this.#stops++;
    this.#clearRestart();
    this.#connection = null;
    this.#problem = null;
    this.#crashes = 0;
    await Promise.all([...this.#started].map((connection) => connection.close()));
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
    } catch (error) {
      await connection.close();
      throw this.#failed(connection, error instanceof Error ? error.message : String(error), stops);
    }
    this.#connection = connection;
    this.#problem = null;
    this.#hasStarted = true;
    connection.firstObservation().catch(() => undefined); // whoever asks for it is told
    this.#options.onReady(connection);
    return connection;
  }

  #open(): Connection {
    const { server, consumer, version, timings, ids, events } = this.#options;
    const spec = this.#options.spec();
    if (!spec) throw new HoldfastError('UPSTREAM_NOT_FOUND', { server });
    const connection = new Connection({
      spec,
      consumer,
      version,
      timings,
      ids,
      capabilities: this.#options.capabilities(),
      isFirstStart: !this.#hasStarted,
      events: { ...events, onEnd: (ended) => this.#ended(ended) },
    });
    this.#startedAt = Date.now();
    this.#started.add(connection);
    return connection;
  }

  #failed(connection: Connection, reason: string, stops: number): HoldfastError {
    if (stops === this.#stops) {
      this.#problem = withLastWords(reason, connection.upstream.transport.stderrTail);
      void this.#record(connection.failure(reason));
    }
    return new HoldfastError('UPSTREAM_START_FAILED', { server: connection.spec.name, reason });
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
    this.#problem = withLastWords(transport.endReason ?? 'it stopped', transport.stderrTail);
    this.#crashes = Date.now() - this.#startedAt < this.#options.timings.quickCrashMs ? this.#crashes + 1 : 1;
    this.#planRestart();
  }

  #planRestart(): void {
    if (!this.#options.isInUse() || this.#crashes >= MAX_QUICK_CRASHES) return;
    const { firstRestartMs, maxRestartMs } = this.#options.timings;
    // The first time at once: most exits are single ones.
    const delayMs = this.#crashes <= 1 ? 0 : Math.min(firstRestartMs * 2 ** (this.#crashes - 2), maxRestartMs);
    this.#clearRestart();
    this.#restart = setTimeout(() => this.#tryRestart(), delayMs);
    this.#restart.unref();
  }

  #tryRestart(): void {
    this.#restart = null;
    const stops = this.#stops;
    void this.acquire().catch(() => {
      this.#crashes++;
      if (stops === this.#stops) this.#planRestart();
    });
  }

  #clearRestart(): void {
    if (this.#restart) clearTimeout(this.#restart);
    this.#restart = null;
  }
}

/** The last line a server printed is often the reason; it is shown to the person and goes nowhere else. */
function withLastWords(reason: string, stderr: string): string {
  const last = stderr.trim().split('\n').at(-1)?.trim() ?? '';
  return last === '' ? reason : `${reason} (${last.slice(0, 200)})`;
}
