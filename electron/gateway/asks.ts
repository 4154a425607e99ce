import { BOUNDS } from '../core/bounds.ts';
import { limitReached } from '../core/errors.ts';
import type { JsonObject } from '../core/model.ts';
import type { WireMessage } from './answer.ts';
import type { Backpressure } from './backpressure.ts';
import type { Connection } from './connection.ts';
import { memberSpan } from './json-span.ts';
import type { GatewayPorts, TraceLine } from './ports.ts';
import {
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  REFUSED,
  isObject,
  isRequestId,
  notificationLine,
  paramsOf,
} from './rpc.ts';
import type { Session } from './session.ts';
import { progressToken } from './use.ts';
import type { Use } from './use.ts';
import { consumersOf } from './uses.ts';

/** Client capability that each request of a server needs. */
const NEEDED: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
]);

/** A request of a server that an app is to answer. */
interface Ask {
  readonly id: number;
  readonly connection: Connection;
  /** The server's own id, as JSON text. */
  readonly idText: string;
  readonly method: string;
  readonly params: JsonObject;
  readonly session: Session;
  readonly cause: Use | null;
  readonly startedAt: number;
  readonly requestBytes: number;
}

export interface AsksOptions {
  readonly ports: GatewayPorts;
  readonly backpressure: Backpressure;
  inFlight(connection: Connection): Use[];
  newestSession(consumer: Session['consumer']): Session | undefined;
}

/** Routes requests from servers to apps and the answers back. */
export class Asks {
  readonly #options: AsksOptions;
  readonly #open = new Map<number, Ask>();
  #lastId = 0;

  constructor(options: AsksOptions) {
    this.#options = options;
  }

  /** A server asks: of the one app that has a call under way, or of the one app it serves. */
  request(connection: Connection, message: WireMessage, line: Buffer): void {
    const method = String(message.method);
    const idText = JSON.stringify(message.id);
    if (idText.length > BOUNDS.idLength.value + 2) {
      return refuse(connection, 'null', INVALID_REQUEST, BOUNDS.idLength.then.en);
    }
    if (method === 'ping')
      return connection.upstream.transport.sendLine(`{"jsonrpc":"2.0","id":${idText},"result":{}}`);
    const needed = NEEDED.get(method);
    if (needed === undefined) return refuse(connection, idText, METHOD_NOT_FOUND, 'Method not found');
    const { session, cause } = this.#addressee(connection);
    if (!session || session.isClosed || session.capabilities?.[needed] === undefined) {
      refuse(connection, idText, METHOD_NOT_FOUND, 'Method not found');
      // From now on each app gets its own process, which is told what that app can really do.
      if (connection.consumer === null) this.#options.ports.onAsks(connection.spec.server);
      return;
    }
    const own = this.#of((ask) => ask.connection === connection);
    const bytes = own.reduce((sum, ask) => sum + ask.requestBytes, line.length);
    const isMany = own.length >= BOUNDS.serverRequests.value;
    if (isMany || (own.length > 0 && bytes > BOUNDS.serverRequestBytes.value)) {
      const error = limitReached(isMany ? 'serverRequests' : 'serverRequestBytes');
      return refuse(connection, idText, REFUSED, this.#options.ports.describe(error).message);
    }
    const params = paramsOf(message);
    const ask: Ask = {
      id: ++this.#lastId,
      connection,
      idText,
      method,
      params,
      session,
      cause,
      startedAt: Date.now(),
      requestBytes: line.length,
    };
    this.#open.set(ask.id, ask);
    session.sendLine(forwarded(ask, line));
    this.#options.backpressure.written(session, connection);
  }

  /** An app answers; unknown and late answers are dropped. */
  answer(session: Session, message: WireMessage, line: Buffer): void {
    const ask = typeof message.id === 'number' ? this.#open.get(message.id) : undefined;
    if (ask?.session !== session) return;
    const isError = message.error !== undefined;
    const member = isError ? 'error' : 'result';
    const span = memberSpan(line, 0, member);
    if (!span) return;
    this.#open.delete(ask.id);
    const body = line.toString('utf8', span.start, span.end);
    ask.connection.upstream.transport.sendLine(`{"jsonrpc":"2.0","id":${ask.idText},"${member}":${body}}`);
    this.#trace(ask, isError ? 'error' : 'result', line.length);
  }

  /** The server gives its request up. */
  cancelled(connection: Connection, params: JsonObject): void {
    const { requestId } = params;
    if (!isRequestId(requestId)) return;
    const idText = JSON.stringify(requestId);
    for (const ask of this.#of((each) => each.connection === connection && each.idText === idText)) {
      this.#abandon(ask, params);
    }
  }

  /** Progress of an app on a server's request, under the server's own token. */
  progress(session: Session, params: JsonObject): void {
    const ask = this.#open.get(Number(params['progressToken']));
    if (ask?.session !== session) return;
    const token = progressToken(ask.params);
    if (token === undefined) return;
    const line = notificationLine('notifications/progress', { ...params, progressToken: token });
    ask.connection.upstream.transport.sendLine(line);
  }

  /** The app is gone and will not answer. */
  sessionClosed(session: Session): void {
    for (const ask of this.#of((each) => each.session === session)) {
      this.#open.delete(ask.id);
      refuse(ask.connection, ask.idText, REFUSED, 'The app has disconnected');
      this.#trace(ask, 'error', 0);
    }
  }

  /** The server is gone; the app need not go on. */
  connectionEnded(connection: Connection): void {
    for (const ask of this.#of((each) => each.connection === connection)) {
      this.#abandon(ask, { reason: 'The server has stopped' });
    }
  }

  #of(matches: (ask: Ask) => boolean): Ask[] {
    return [...this.#open.values()].filter(matches);
  }

  #abandon(ask: Ask, params: JsonObject): void {
    this.#open.delete(ask.id);
    ask.session.sendLine(notificationLine('notifications/cancelled', { ...params, requestId: ask.id }));
    this.#trace(ask, 'cancelled', 0);
  }

  /** Nothing in such a request says which call it belongs to, so more than one app in flight means none. */
  #addressee(connection: Connection): { session: Session | undefined; cause: Use | null } {
    const uses = this.#options.inFlight(connection);
    if (connection.consumer !== null) {
      const cause = uses.at(-1) ?? null;
      return { session: cause?.session ?? this.#options.newestSession(connection.consumer), cause };
    }
    const cause = consumersOf(uses).size === 1 ? (uses.at(-1) ?? null) : null;
    return { session: cause?.session, cause };
  }

  #trace(ask: Ask, outcome: TraceLine['outcome'], responseBytes: number): void {
    const { ports } = this.#options;
    const surface = ask.cause?.surface ?? ports.surface(ask.session.consumer);
    if (!surface) return;
    ports.onTrace({
      at: ports.now(),
      consumer: ask.session.consumer,
      method: ask.method,
      name: ask.connection.spec.name,
      ref: ask.cause?.entry?.ref ?? null,
      id: ask.cause?.entry?.id ?? null,
      manifestId: surface.manifestId,
      epoch: surface.epoch,
      rendering: 1,
      build: ask.connection.build,
      ...(ask.cause && { causedBy: ask.cause.number }),
      durationMs: Date.now() - ask.startedAt,
      outcome,
      requestBytes: ask.requestBytes,
      responseBytes,
    });
  }
}

function refuse(connection: Connection, idText: string, code: number, message: string): void {
  const error = JSON.stringify({ code, message });
  connection.upstream.transport.sendLine(`{"jsonrpc":"2.0","id":${idText},"error":${error}}`);
}

/** As it came but for the id, and the progress token, which is only unique per server. */
function forwarded(ask: Ask, line: Buffer): string {
  const head = `{"jsonrpc":"2.0","id":${ask.id},"method":${JSON.stringify(ask.method)}`;
  if (progressToken(ask.params) !== undefined && isObject(ask.params['_meta'])) {
    const meta = { ...ask.params['_meta'], progressToken: ask.id };
    return `${head},"params":${JSON.stringify({ ...ask.params, _meta: meta })}}`;
  }
  const span = memberSpan(line, 0, 'params');
  return span ? `${head},"params":${line.toString('utf8', span.start, span.end)}}` : `${head}}`;
}
