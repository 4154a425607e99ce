import type { ConsumerId, JsonObject, Kind, Observation, ServerId } from '../core/model.ts';
import type { WireMessage } from './answer.ts';
import { Asks } from './asks.ts';
import { Backpressure } from './backpressure.ts';
import type { Channel } from './channel.ts';
import type { Connection } from './connection.ts';
import { Listener } from './listener.ts';
import type { OnCommand } from './listener.ts';
import type { FetchedLists, GatewayPorts } from './ports.ts';
import { notificationLine, paramsOf } from './rpc.ts';
import { Session, mostVerbose } from './session.ts';
import type { SessionEvents } from './session.ts';
import type { UpstreamStatus } from './slot.ts';
import { Subscriptions } from './subscriptions.ts';
import { DEFAULT_TIMINGS } from './timings.ts';
import type { Timings } from './timings.ts';
import { Upstreams } from './upstreams.ts';
import type { UpstreamDetails, UpstreamsOptions } from './upstreams.ts';
import { Uses, consumersOf } from './uses.ts';

export interface GatewayOptions extends UpstreamsOptions {
  readonly timings?: Partial<Timings>;
}

/** The data plane: host apps on one side, servers on the other, and between them the publication in force. */
export class Gateway {
  readonly #ports: GatewayPorts;
  readonly #version: string;
  readonly #timings: Timings;
  readonly #upstreams: Upstreams;
  readonly #uses: Uses;
  readonly #asks: Asks;
  readonly #subscriptions: Subscriptions;
  readonly #backpressure: Backpressure;
  /** Oldest first. */
  readonly #sessions = new Set<Session>();
  /** What each app declared last, for processes that are started while it is away. */
  readonly #declared = new Map<ConsumerId, JsonObject>();
  readonly #drains = new Map<Session, NodeJS.Timeout>();
  #listener: Listener | null = null;
  readonly #onExit = (): void => this.#upstreams.killAll();

  constructor(ports: GatewayPorts, options: GatewayOptions) {
    this.#ports = ports;
    this.#version = options.version;
    this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
    this.#backpressure = new Backpressure(this.#timings.stallMs);
    this.#subscriptions = new Subscriptions(ports, this.#backpressure, this.#timings);
    this.#upstreams = new Upstreams(ports, this.#hooks(), this.#timings, options);
    this.#uses = new Uses({
      ports,
      upstreams: this.#upstreams,
      backpressure: this.#backpressure,
      timings: this.#timings,
      onSubscribed: (use, connection) => this.#subscriptions.add(use, connection),
      subscriptions: (consumer) => this.#subscriptions.count(consumer),
      onIdle: (connection) => this.#upstreams.retireShared(connection.spec.server),
    });
    this.#asks = new Asks({
      ports,
      backpressure: this.#backpressure,
      inFlight: (connection) => this.#uses.inFlight(connection),
      newestSession: (consumer) => this.#introduced(consumer).at(-1),
    });
    process.on('exit', this.#onExit);
  }

  /** Accepts apps and commands at the data folder's socket. Whoever calls this holds the store's lock. */
  async listen(dir: string, token: string, onCommand: OnCommand): Promise<void> {
    this.#listener = new Listener({
      token,
      handshakeMs: this.#timings.handshakeMs,
      isKnown: (consumer) => this.#ports.surface(consumer) !== undefined,
      describe: (error) => this.#ports.describe(error),
      onBridge: (consumer, channel) => this.#connected(consumer, channel),
      onCommand,
    });
    await this.#listener.listen(dir);
  }

  /** Tells each connected process of an app, once per cut-over. */
  listChanged(consumer: ConsumerId, kinds: readonly Kind[]): void {
    this.#subscriptions.review(consumer);
    for (const session of this.#sessionsOf(consumer)) session.listChanged(kinds);
  }

  /** Lists everything now and returns it once it has been taken in. @throws HoldfastError UPSTREAM_NOT_FOUND */
  observeNow(server: ServerId, consumer: ConsumerId | null = null, isAskedFor = true): Promise<Observation> {
    return this.#upstreams.observeNow(server, consumer, isAskedFor);
  }

  /** The same through a fresh second process, which is then ended. @throws HoldfastError UPSTREAM_NOT_FOUND */
  confirm(server: ServerId, consumer: ConsumerId | null = null): Promise<Observation> {
    return this.#upstreams.confirm(server, consumer);
  }

  /** At start and after sleep: observes these servers, one after another. */
  observeInUse(servers: readonly ServerId[]): Promise<void> {
    return this.#upstreams.observeAll(servers);
  }

  /** Ends a server's processes; the next use starts it again, if it still exists. */
  stopServer(server: ServerId): Promise<void> {
    return this.#upstreams.stop(server);
  }

  status(server: ServerId): UpstreamStatus {
    return this.#upstreams.status(server);
  }

  /** For the view of a problem. */
  details(server: ServerId): UpstreamDetails {
    return this.#upstreams.details(server);
  }

  /** Connected processes of an app. */
  connections(consumer: ConsumerId): number {
    return this.#sessionsOf(consumer).length;
  }

  /** What each of them listed, as far as it listed anything. */
  listed(consumer: ConsumerId): FetchedLists[] {
    return this.#sessionsOf(consumer)
      .map(({ listed }) => listed)
      .filter((lists) => Object.keys(lists).length > 0);
  }

  /** True while any app waits for the answer to a call. */
  get hasCalls(): boolean {
    return this.#uses.isAnyOpen;
  }

  /** Lets go of apps and ends every process tree, within bounds. */
  async close(): Promise<void> {
    for (const session of this.#sessions) this.#uses.stopped(session);
    await this.#listener?.close();
    for (const session of [...this.#sessions]) session.close();
    for (const timer of this.#drains.values()) clearTimeout(timer);
    await this.#upstreams.shutdown();
    process.off('exit', this.#onExit);
  }

  #connected(consumer: ConsumerId, channel: Channel): void {
    this.#sessions.add(new Session(consumer, channel, this.#ports, this.#version, this.#sessionEvents()));
    this.#ports.onConnections?.(consumer);
  }

  #sessionsOf(consumer: ConsumerId): Session[] {
    return [...this.#sessions].filter((session) => session.consumer === consumer);
  }

  #introduced(consumer: ConsumerId): Session[] {
    return this.#sessionsOf(consumer).filter((session) => session.capabilities !== null);
  }

  #sessionEvents(): SessionEvents {
    return {
      onUse: (session, request) => this.#uses.begin(session, request),
      onUnsubscribe: (session, request) => this.#subscriptions.unsubscribe(session, request),
      onCancelled: (session, idText, params) => this.#uses.cancel(session, idText, params),
      onAnswer: (session, message, line) => this.#asks.answer(session, message, line),
      onProgress: (session, params) => this.#asks.progress(session, params),
      onRootsChanged: (session) => this.#rootsChanged(session),
      onLevel: (session) => this.#setLevels(this.#upstreams.serving(session.consumer)),
      onDrain: (session) => this.#backpressure.drained(session),
      onEnd: (session) => this.#drain(session),
      onClosed: (session) => this.#disconnected(session),
    };
  }

  #hooks(): ConstructorParameters<typeof Upstreams>[1] {
    return {
      capabilities: (consumer) => this.#capabilities(consumer),
      isInUse: (server, consumer) => this.#isInUse(server, consumer),
      hasCalls: (connection) => this.#uses.isBusy(connection),
      onRequest: (connection, message, line) => this.#asks.request(connection, message, line),
      onNotification: (connection, method, message) => this.#notified(connection, method, message),
      onReady: (connection) => this.#ready(connection),
      onEnd: (connection) => {
        this.#backpressure.ended(connection);
        this.#asks.connectionEnded(connection);
      },
    };
  }

  #capabilities(consumer: ConsumerId): JsonObject | undefined {
    const newest = this.#introduced(consumer).at(-1)?.capabilities;
    if (newest) this.#declared.set(consumer, newest);
    return this.#declared.get(consumer);
  }

  #isInUse(server: ServerId, consumer: ConsumerId | null): boolean {
    const users = [...this.#sessions].filter((session) => consumer === null || session.consumer === consumer);
    return users.some((session) => {
      const entries = this.#ports.surface(session.consumer)?.entries.values() ?? [];
      return [...entries].some((entry) => entry.server === server);
    });
  }

  #notified(connection: Connection, method: string, message: WireMessage): void {
    const params = paramsOf(message);
    switch (method) {
      case 'notifications/progress':
        return this.#uses.progress(connection, params);
      case 'notifications/cancelled':
        return this.#asks.cancelled(connection, params);
      case 'notifications/resources/updated':
        return this.#subscriptions.updated(connection, params);
      case 'notifications/message':
        return this.#passOn(connection, method, params, (session) => session.wantsLevel(params['level']));
      case 'notifications/elicitation/complete':
        return this.#passOn(connection, method, params, () => true);
    }
  }

  /** To those with a call under way; from a process of one app otherwise to that app. */
  #passOn(connection: Connection, method: string, params: JsonObject, wants: (session: Session) => boolean): void {
    const uses = this.#uses.inFlight(connection);
    // Nothing in it says whose call it is about, and no app may read of another one's.
    if (consumersOf(uses).size > 1) return;
    const calling = new Set(uses.map((use) => use.session));
    const newest = connection.consumer === null ? undefined : this.#sessionsOf(connection.consumer).at(-1);
    if (calling.size === 0 && newest) calling.add(newest);
    for (const session of calling) {
      if (!wants(session)) continue;
      const line = notificationLine(method, params);
      if (method === 'notifications/message') session.sendLog(line, connection);
      else session.sendLine(line);
      this.#backpressure.written(session, connection);
    }
  }

  #ready(connection: Connection): void {
    const { spec, consumer, id, build } = connection;
    this.#ports.onStarted({ server: spec.server, consumer, connection: id, build });
    this.#setLevels([connection]);
    this.#subscriptions.restore(connection);
  }

  #setLevels(connections: readonly Connection[]): void {
    for (const connection of connections) {
      const { consumer } = connection;
      const level = mostVerbose(consumer === null ? [...this.#sessions] : this.#sessionsOf(consumer));
      if (level === null || !connection.hasCapability('logging')) continue;
      void connection.upstream.ask('logging/setLevel', { level }, this.#timings.pageMs);
    }
  }

  #rootsChanged(session: Session): void {
    for (const connection of this.#upstreams.serving(session.consumer)) {
      // A shared process never saw these roots as its own.
      if (connection.consumer !== null) connection.upstream.notify('notifications/roots/list_changed');
    }
  }

  /** The app sends no more: what is under way gets a moment to be answered. */
  #drain(session: Session): void {
    const end = performance.now() + this.#timings.drainMs;
    const check = (): void => {
      if (!this.#uses.hasOpen(session) || performance.now() >= end) {
        this.#disconnected(session);
        session.end();
        return;
      }
      this.#drains.set(session, setTimeout(check, 20));
    };
    check();
  }

  #disconnected(session: Session): void {
    this.#capabilities(session.consumer);
    if (this.#sessions.delete(session)) this.#ports.onConnections?.(session.consumer);
    clearTimeout(this.#drains.get(session));
    this.#drains.delete(session);
    this.#uses.closed(session);
    this.#asks.sessionClosed(session);
    this.#subscriptions.sessionClosed(session);
    this.#backpressure.drained(session);
  }
}
