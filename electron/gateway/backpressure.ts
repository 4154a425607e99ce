import { BOUNDS } from '../core/bounds.ts';
import type { Connection } from './connection.ts';
import type { Session } from './session.ts';

/** Stops reading a server while an app does not read what came from it. */
export class Backpressure {
  readonly #stallMs: number;
  readonly #holders = new Map<Connection, Set<Session>>();
  readonly #timers = new Map<Session, NodeJS.Timeout>();
  /** Held a server back for too long: others share it, so what comes for these is queued instead. */
  readonly #stalled = new Set<Session>();

  constructor(stallMs: number) {
    this.#stallMs = stallMs;
  }

  /** Called after something from `connection` was written to `session`. */
  written(session: Session, connection: Connection): void {
    if (session.isClosed || session.queuedBytes <= BOUNDS.queuedBytes.value) return;
    if (this.#stalled.has(session)) {
      if (session.queuedBytes > BOUNDS.stalledBytes.value) session.close();
      return;
    }
    const holders = this.#holders.get(connection) ?? new Set();
    this.#holders.set(connection, holders.add(session));
    connection.upstream.transport.pause();
    if (this.#timers.has(session)) return;
    const timer = setTimeout(() => this.#stall(session), this.#stallMs);
    timer.unref();
    this.#timers.set(session, timer);
  }

  /** The app has read what was queued, or is gone. */
  drained(session: Session): void {
    this.#stalled.delete(session);
    this.#release(session);
  }

  ended(connection: Connection): void {
    this.#holders.delete(connection);
  }

  #stall(session: Session): void {
    this.#release(session);
    this.#stalled.add(session);
  }

  #release(session: Session): void {
    clearTimeout(this.#timers.get(session));
    this.#timers.delete(session);
    for (const [connection, holders] of this.#holders) {
      if (!holders.delete(session) || holders.size > 0) continue;
      this.#holders.delete(connection);
      connection.upstream.transport.resume();
    }
  }
}
