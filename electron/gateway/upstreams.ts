import { BOUNDS } from '../core/bounds.ts';
import { HoldfastError } from '../core/errors.ts';
import type { ConsumerId, JsonObject, ListedKind, Observation, ServerId } from '../core/model.ts';
import { Connection, FULL_PROFILE } from './connection.ts';
import type { ConnectionEvents } from './connection.ts';
import { IdCache } from './id-cache.ts';
import type { GatewayPorts } from './ports.ts';
import type { PlanStart, ProcessRecords } from './process-transport.ts';
import { Slot } from './slot.ts';
import type { UpstreamStatus } from './slot.ts';
import type { Timings } from './timings.ts';

/** What the set asks of the sessions. */
export interface UpstreamsHooks extends Omit<ConnectionEvents, 'onObservation'> {
  /** What the app really declared; `undefined` before it was ever connected. */
  capabilities(consumer: ConsumerId): JsonObject | undefined;
  isInUse(server: ServerId, consumer: ConsumerId | null): boolean;
  onReady(connection: Connection): void;
  /** True while a call goes or may be about to go through this connection. */
  hasCalls(connection: Connection): boolean;
}

export interface UpstreamsOptions {
  readonly version: string;
  /** Where running server processes are written down. */
  readonly records?: ProcessRecords;
  /** How they are started on this machine. */
  readonly plan?: PlanStart;
}

/** For the view of a problem. */
export interface UpstreamDetails {
  /** Last lines on stderr, oldest first; they may hold keys. */
  readonly lastWords: readonly string[];
  /** Lines on stdout that are no messages; they are skipped. */
  readonly noise: number;
  /** Lists that could not be read to their end the last time. */
  readonly troubles: readonly { readonly kind: ListedKind; readonly reason: string }[];
  /** Starts and runs in a row that ended too soon. */
  readonly crashes: number;
  readonly processes: readonly { readonly pid: number; readonly consumer: ConsumerId | null }[];
}

/** All upstream processes: one per server, or one per server and app where the server asks things of its apps. */
export class Upstreams {
  readonly #ports: GatewayPorts;
  readonly #hooks: UpstreamsHooks;
  readonly #version: string;
  readonly #timings: Timings;
  readonly #records: ProcessRecords | undefined;
  readonly #plan: PlanStart | undefined;
  readonly #slots = new Map<string, Slot>();
  /** Out of their places, but not ended yet. */
  readonly #retiring = new Map<Slot, Promise<void>>();
  readonly #ids = new Map<ServerId, IdCache>();
  /** Second processes that only confirm what a first one said. */
  readonly #passing = new Set<Connection>();
  readonly #periodic: NodeJS.Timeout;
  #isShutDown = false;

  constructor(ports: GatewayPorts, hooks: UpstreamsHooks, timings: Timings, about: UpstreamsOptions) {
    this.#records = about.records;
    this.#plan = about.plan;
    this.#ports = ports;
    this.#hooks = hooks;
    this.#version = about.version;
    this.#timings = timings;
    this.#periodic = setInterval(() => void this.observeRunning(), timings.periodicMs);
    this.#periodic.unref();
  }

  /** The connection that serves this app now, if it runs. Synchronous: it is in the call path. */
  ready(server: ServerId, consumer: ConsumerId): Connection | null {
    const slot = this.#slots.get(slotKey(server, this.#scope(server, consumer)));
    return slot?.ready() ?? null;
  }

  /** The same, started first where needed; one start serves all who wait. */
  async acquire(server: ServerId, consumer: ConsumerId | null): Promise<Connection> {
    if (this.#isShutDown) throw new HoldfastError('UPSTREAM_CLOSED', { server });
    return this.#slot(server, this.#scope(server, consumer)).acquire();
  }

  /** Running connections that serve this app, shared ones included. */
  serving(consumer: ConsumerId): Connection[] {
    return this.#running().filter((connection) => connection.consumer === null || connection.consumer === consumer);
  }

  /** Lists everything now, starting the process where it does not run; for a person also where it was given up. */
  async observeNow(server: ServerId, consumer: ConsumerId | null, isAskedFor: boolean): Promise<Observation> {
    const spec = this.#ports.upstream(server);
    if (!spec) throw new HoldfastError('UPSTREAM_NOT_FOUND', { server });
    if (this.#isShutDown) throw new HoldfastError('UPSTREAM_CLOSED', { server });
    // A server that asks has no shared process; its own scope is looked at through a passing one.
    if (spec.asks && consumer === null) return this.confirm(server, null);
    const slot = this.#slot(server, this.#scope(server, consumer));
    try {
      const running = slot.ready();
      // A process that this starts is observed at its start.
      return await (running ? running.observe() : (await slot.acquire(isAskedFor)).firstObservation());
    } catch (error) {
      return this.#failure(server, this.#scope(server, consumer), error);
    }
  }

  /** Lists everything through a fresh second process, which is then ended; calls are not disturbed. */
  async confirm(server: ServerId, consumer: ConsumerId | null): Promise<Observation> {
    const connection = this.#passingConnection(server, this.#scope(server, consumer));
    this.#passing.add(connection);
    try {
      await connection.start();
      return await connection.firstObservation();
    } catch (error) {
      const observation = connection.failure(error instanceof Error ? error.message : String(error));
      await this.#ports.onObservation(observation).catch(() => undefined); // it reports its own faults
      return observation;
    } finally {
      await connection.close();
      this.#passing.delete(connection);
    }
  }

  /** Observes servers one after another, so that a start or a wake-up does not launch everything at once. */
  async observeAll(servers: readonly ServerId[]): Promise<void> {
    for (const server of servers) {
      if (this.#isShutDown || !this.#ports.upstream(server)) continue;
      const scopes = this.#scopesOf(server);
      for (const consumer of scopes) void this.observeNow(server, consumer, false).catch(() => undefined); // recorded as failed
      await new Promise((resolve) => setTimeout(resolve, this.#timings.staggerMs).unref());
    }
  }

  observeRunning(): Promise<void> {
    return this.observeAll([...new Set(this.#running().map((connection) => connection.spec.server))]);
  }

  async stop(server: ServerId): Promise<void> {
    const slots = [...this.#slots.values()].filter((slot) => slot.server === server);
    const passing = [...this.#passing].filter((connection) => connection.spec.server === server);
    this.#ids.delete(server);
    const retiring = slots.map((slot) => this.#retire(slot));
    await Promise.all([...retiring, ...passing.map((connection) => connection.close())]);
  }

  /** At once out of its place: what is started from now on has a slot of its own, which waits for this one. */
  #retire(slot: Slot): Promise<void> {
    this.#slots.delete(slotKey(slot.server, slot.consumer));
    const ended = slot.retire().finally(() => this.#retiring.delete(slot));
    this.#retiring.set(slot, ended);
    return ended;
  }

  #vacated(server: ServerId, consumer: ConsumerId | null): Promise<unknown> {
    const before = [...this.#retiring].filter(([slot]) => slot.server === server && slot.consumer === consumer);
    return Promise.all(before.map(([, ended]) => ended));
  }

  /** The most telling state over all processes of a server. */
  status(server: ServerId): UpstreamStatus {
    const states = [...this.#slots.values()].filter((slot) => slot.server === server).map((slot) => slot.status);
    const order = ['problem', 'starting', 'working'] as const;
    for (const state of order) {
      const found = states.find((status) => status.state === state);
      if (found) return found;
    }
    return { state: 'idle', reason: null, lastWord: null };
  }

  /** Its processes, and what they said of late that was meant for people. */
  details(server: ServerId): UpstreamDetails {
    const slots = [...this.#slots.values()].filter((slot) => slot.server === server);
    const told = slots.flatMap((slot) => slot.telling);
    const running = slots.flatMap((slot) => [...slot.connections]);
    return {
      lastWords: told
        .flatMap((connection) => connection.upstream.transport.lastWords)
        .slice(-BOUNDS.lastWordLines.value),
      noise: told.reduce((sum, connection) => sum + connection.upstream.noise, 0),
      troubles: running.flatMap(({ troubles }) => troubles.map(({ kind, reason }) => ({ kind, reason }))),
      crashes: Math.max(0, ...slots.map((slot) => slot.crashes)),
      processes: running.flatMap(({ consumer, upstream }) => {
        const { pid } = upstream.transport;
        return pid === undefined ? [] : [{ pid, consumer }];
      }),
    };
  }

  /** Once a server counts as one that asks, its shared process ends with the last call under way. */
  retireShared(server: ServerId): void {
    const slot = this.#slots.get(slotKey(server, null));
    if (!slot || !this.#ports.upstream(server)?.asks) return;
    if ([...slot.connections].some((connection) => this.#hooks.hasCalls(connection))) return;
    void this.#retire(slot);
  }

  /** Ends every process tree, within bounds. */
  async shutdown(): Promise<void> {
    this.#isShutDown = true;
    clearInterval(this.#periodic);
    const all = [
      ...[...this.#slots.values()].map((slot) => this.#retire(slot)),
      ...this.#retiring.values(),
      ...[...this.#passing].map((connection) => connection.close()),
    ];
    const limit = new Promise((resolve) => setTimeout(resolve, this.#timings.shutdownMs).unref());
    await Promise.race([Promise.all(all), limit]);
    this.killAll();
  }

  /** At once, without asking: for an exit that leaves no time. */
  killAll(): void {
    const slots = [...this.#slots.values(), ...this.#retiring.keys()].flatMap((slot) => [...slot.connections]);
    for (const connection of [...slots, ...this.#passing]) connection.kill();
  }

  #slot(server: ServerId, consumer: ConsumerId | null): Slot {
    const key = slotKey(server, consumer);
    const known = this.#slots.get(key);
    if (known) return known;
    const slot = new Slot({
      server,
      consumer,
      version: this.#version,
      timings: this.#timings,
      ids: this.#idsOf(server),
      records: this.#records,
      plan: this.#plan,
      events: this.#events(),
      spec: () => this.#ports.upstream(server),
      capabilities: () => this.#capabilities(consumer),
      vacated: () => this.#vacated(server, consumer),
      isInUse: () => !this.#isShutDown && this.#hooks.isInUse(server, consumer),
      onReady: (connection) => this.#hooks.onReady(connection),
    });
    this.#slots.set(key, slot);
    if (consumer !== null) this.retireShared(server);
    return slot;
  }

  #passingConnection(server: ServerId, consumer: ConsumerId | null): Connection {
    const spec = this.#ports.upstream(server);
    if (!spec || this.#isShutDown) throw new HoldfastError('UPSTREAM_NOT_FOUND', { server });
    return new Connection({
      spec,
      consumer,
      capabilities: this.#capabilities(consumer),
      version: this.#version,
      isFirstStart: true,
      ids: this.#idsOf(server),
      records: this.#records,
      plan: this.#plan,
      timings: this.#timings,
      events: { ...this.#events(), onNotification: () => undefined },
    });
  }

  #failure(server: ServerId, consumer: ConsumerId | null, error: unknown): Observation {
    if (!(error instanceof HoldfastError) || error.code !== 'UPSTREAM_START_FAILED') throw error;
    // Recorded by the slot already.
    return this.#passingConnection(server, consumer).failure(String(error.details['reason'] ?? ''));
  }

  #events(): ConnectionEvents {
    return {
      onRequest: (connection, message, line) => this.#hooks.onRequest(connection, message, line),
      onNotification: (connection, method, message) => this.#hooks.onNotification(connection, method, message),
      onEnd: (connection) => this.#hooks.onEnd(connection),
      onObservation: (observation) => this.#ports.onObservation(observation),
    };
  }

  #idsOf(server: ServerId): IdCache {
    const ids = this.#ids.get(server) ?? new IdCache(server);
    this.#ids.set(server, ids);
    return ids;
  }

  #capabilities(consumer: ConsumerId | null): JsonObject {
    return (consumer === null ? undefined : this.#hooks.capabilities(consumer)) ?? FULL_PROFILE;
  }

  #scope(server: ServerId, consumer: ConsumerId | null): ConsumerId | null {
    return this.#ports.upstream(server)?.asks ? consumer : null;
  }

  #scopesOf(server: ServerId): (ConsumerId | null)[] {
    if (!this.#ports.upstream(server)?.asks) return [null];
    const slots = [...this.#slots.values()].filter((slot) => slot.server === server && slot.consumer !== null);
    return slots.length > 0 ? slots.map((slot) => slot.consumer) : [null];
  }

  #running(): Connection[] {
    const connections = [...this.#slots.values()].flatMap((slot) => [...slot.connections]);
    return connections.filter((connection) => connection.info !== null && !connection.upstream.isEnded);
  }
}

function slotKey(server: ServerId, consumer: ConsumerId | null): string {
  return consumer === null ? server : `${server}|${consumer}`;
}
