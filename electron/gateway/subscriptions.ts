import type { JsonObject } from '../core/model.ts';
import type { Backpressure } from './backpressure.ts';
import type { Connection } from './connection.ts';
import type { GatewayPorts, SurfaceEntry } from './ports.ts';
import { surfaceKey } from './ports.ts';
import { notificationLine, resultLine, textOf } from './rpc.ts';
import type { Request } from './rpc.ts';
import type { Session } from './session.ts';
import type { Timings } from './timings.ts';
import type { Use } from './use.ts';

interface Subscription {
  readonly uri: string;
  readonly entry: SurfaceEntry;
  connection: Connection;
}

/** Who hears of changes to which resource. A subscription lives only while its entry is in force as it was. */
export class Subscriptions {
  readonly #ports: GatewayPorts;
  readonly #backpressure: Backpressure;
  readonly #timings: Timings;
  readonly #of = new Map<Session, Map<string, Subscription>>();

  constructor(ports: GatewayPorts, backpressure: Backpressure, timings: Timings) {
    this.#ports = ports;
    this.#backpressure = backpressure;
    this.#timings = timings;
  }

  /** How many an app has, over all its connections. */
  count(consumer: Session['consumer']): number {
    const own = [...this.#of].filter(([session]) => session.consumer === consumer);
    return own.reduce((sum, [, subscriptions]) => sum + subscriptions.size, 0);
  }

  /** The server has accepted one. */
  add(use: Use, connection: Connection): void {
    if (!use.entry || use.session.isClosed) return;
    const own = this.#of.get(use.session) ?? new Map<string, Subscription>();
    this.#of.set(use.session, own.set(use.name, { uri: use.name, entry: use.entry, connection }));
  }

  /** Ending one always works, in force or not. */
  unsubscribe(session: Session, request: Request): void {
    const uri = textOf(request.params['uri']);
    const subscription = this.#of.get(session)?.get(uri);
    this.#of.get(session)?.delete(uri);
    if (subscription) this.#release(subscription);
    session.sendLine(resultLine(request.idText, '{}'));
  }

  /** Tells the subscribers; a server may report a part of what was subscribed to. */
  updated(connection: Connection, params: JsonObject): void {
    const uri = textOf(params['uri']);
    for (const [session, own] of this.#of) {
      const matching = [...own.values()].filter((each) => each.connection === connection && covers(each.uri, uri));
      if (!matching.some((each) => this.#isInForce(session, each))) continue;
      session.sendLine(notificationLine('notifications/resources/updated', params));
      this.#backpressure.written(session, connection);
    }
  }

  /** Ends what is no longer in force for a consumer. */
  review(consumer: Session['consumer']): void {
    for (const [session, own] of this.#of) {
      if (session.consumer !== consumer) continue;
      for (const subscription of [...own.values()]) {
        if (this.#isInForce(session, subscription)) continue;
        own.delete(subscription.uri);
        this.#release(subscription);
      }
    }
  }

  sessionClosed(session: Session): void {
    const own = this.#of.get(session);
    this.#of.delete(session);
    for (const subscription of own?.values() ?? []) this.#release(subscription);
  }

  /** A server is back: subscribes again to what a list shows to be as it was. */
  restore(connection: Connection): void {
    for (const [session, own] of this.#of) {
      if (connection.consumer !== null && connection.consumer !== session.consumer) continue;
      for (const subscription of own.values()) {
        const isElsewhere = subscription.connection.upstream.isEnded && subscription.connection !== connection;
        if (isElsewhere && subscription.entry.server === connection.spec.server) {
          this.#restoreOne(session, subscription, connection);
        }
      }
    }
  }

  #restoreOne(session: Session, subscription: Subscription, connection: Connection): void {
    const { kind, originKey, id } = subscription.entry;
    if (kind === 'instructions') return; // never subscribed to
    connection.show(kind, originKey, (showing) => {
      const isSame = showing.type === 'id' && showing.id === id;
      if (!isSame || session.isClosed || !this.#isInForce(session, subscription)) return;
      subscription.connection = connection;
      void connection.upstream.ask('resources/subscribe', { uri: subscription.uri }, this.#timings.pageMs);
    });
  }

  #isInForce(session: Session, { entry }: Subscription): boolean {
    const current = this.#ports.surface(session.consumer)?.entries.get(surfaceKey(entry.kind, entry.name));
    return current?.ref === entry.ref && current.id === entry.id;
  }

  /** The server is told only when nobody else wants it. */
  #release({ uri, connection }: Subscription): void {
    if (connection.upstream.isEnded) return;
    const isWanted = [...this.#of.values()].some((own) => own.get(uri)?.connection === connection);
    if (!isWanted) void connection.upstream.ask('resources/unsubscribe', { uri }, this.#timings.pageMs);
  }
}

function covers(subscribed: string, uri: string): boolean {
  return uri === subscribed || uri.startsWith(subscribed.endsWith('/') ? subscribed : `${subscribed}/`);
}
