import { BOUNDS } from '../core/bounds.ts';
import type { BoundName } from '../core/bounds.ts';
import { cleanName } from '../core/display.ts';
import type { ConsumerId, JsonObject, ListedKind } from '../core/model.ts';
import type { Answer } from './answer.ts';
import { readAnswer } from './answer.ts';
import type { Backpressure } from './backpressure.ts';
import type { Connection } from './connection.ts';
import type { Showing } from './lister.ts';
import { surfaceKey } from './ports.ts';
import type { ActiveSurface, ChatKey, GatewayPorts, Refusal, SurfaceEntry } from './ports.ts';
import { WITHHELD_WORDS, refusalLine } from './refusals.ts';
import { ResourceRoutes } from './resource-routes.ts';
import type { Route } from './resource-routes.ts';
import { INVALID_PARAMS, INVALID_REQUEST, REFUSED, errorLine, isObject, notificationLine } from './rpc.ts';
import type { Request } from './rpc.ts';
import type { Session } from './session.ts';
import type { Timings } from './timings.ts';
import type { Upstreams } from './upstreams.ts';
import { forwardedParams, progressToken, targetOf, traceOf } from './use.ts';
import type { Ending, Use } from './use.ts';

const NO_BYTES = Buffer.alloc(0);

export interface UsesOptions {
  readonly ports: GatewayPorts;
  readonly upstreams: Upstreams;
  readonly backpressure: Backpressure;
  readonly timings: Timings;
  /** A subscription was accepted by its server. */
  onSubscribed(use: Use, connection: Connection): void;
  /** Subscriptions of an app over all its connections. */
  subscriptions(consumer: ConsumerId): number;
  /** The last call of a connection has ended. */
  onIdle(connection: Connection): void;
}

/**
 * Takes each use of a capability from the surface in force to its server and back. A use is resolved against one
 * surface only, and is forwarded only in the tick in which its definition is known to be the pinned one.
 */
export class Uses {
  readonly #options: UsesOptions;
  readonly #routes = new ResourceRoutes();
  readonly #open = new Map<Session, Map<string, Use>>();
  readonly #sent = new Map<Connection, Map<number, Use>>();
  #lastNumber = 0;

  constructor(options: UsesOptions) {
    this.#options = options;
  }

  /** Number for a use, or for a request that goes the other way. */
  nextNumber(): number {
    return ++this.#lastNumber;
  }

  /** Uses whose answers are awaited through a connection, oldest first. */
  inFlight(connection: Connection): Use[] {
    return [...(this.#sent.get(connection)?.values() ?? [])];
  }

  /** True while something is awaited through a connection, or may be about to be sent through it. */
  isBusy(connection: Connection): boolean {
    if (this.#sent.has(connection)) return true;
    const open = [...this.#open.values()].flatMap((uses) => [...uses.values()]);
    return open.some((use) => use.sent === null && use.entry?.server === connection.spec.server);
  }

  /** True while any app waits for an answer. */
  get isAnyOpen(): boolean {
    return [...this.#open.values()].some((uses) => uses.size > 0);
  }

  hasOpen(session: Session): boolean {
    return (this.#open.get(session)?.size ?? 0) > 0;
  }

  begin(session: Session, request: Request): void {
    const { ports } = this.#options;
    const surface = ports.surface(session.consumer);
    if (!surface) return session.sendLine(errorLine(request.idText, INVALID_PARAMS, 'This app is not known any more'));
    const use: Use = {
      number: this.nextNumber(),
      session,
      request,
      surface,
      startedAt: Date.now(),
      name: targetOf(request).name,
      entry: null,
      listedId: null,
      sent: null,
      isOver: false,
      patience: null,
      requestBytes: request.line.length,
    };
    // A second one under the same id would take the first one's place, and its answer.
    if (this.#open.get(session)?.has(request.idText)) {
      return session.sendLine(errorLine(request.idText, INVALID_REQUEST, 'This request id is in use'));
    }
    const reached = this.#reached(use);
    if (reached) return session.refuse(request.idText, reached);
    if (ports.isPaused()) return this.#refuse(use, 'chat.paused', 'paused', '');
    const route = this.#find(use, surface);
    if (route.type === 'unknown') return this.#unknown(use);
    if (route.type === 'refused') return this.#withheld(use, route.refusal);
    use.entry = route.entry;
    if (this.#isStale(use, route.entry)) return this.#changedSinceListed(use, route.entry);
    this.#verify(use, route.entry);
  }

  /** The app gave a request up; nothing is answered any more. */
  cancel(session: Session, idText: string, params: JsonObject): void {
    const use = this.#open.get(session)?.get(idText);
    if (use) this.#abandon(use, params);
  }

  /** The app is gone: nothing of it goes on. */
  closed(session: Session): void {
    for (const use of [...(this.#open.get(session)?.values() ?? [])]) {
      this.#abandon(use, { reason: 'The app has disconnected' });
    }
    this.#open.delete(session);
  }

  /** Holdfast ends: who waits for an answer is told that none comes. */
  stopped(session: Session): void {
    for (const use of [...(this.#open.get(session)?.values() ?? [])]) {
      const line = errorLine(use.request.idText, REFUSED, 'Holdfast was closed before the answer came.');
      this.#finish(use, line, { outcome: 'error', reason: 'holdfast-stopped', responseBytes: line.length });
    }
  }

  /** Passes a server's progress on to whoever made the call, under the app's own token. */
  progress(connection: Connection, params: JsonObject): void {
    const use = this.#sent.get(connection)?.get(Number(params['progressToken']));
    const token = use && progressToken(use.request.params);
    if (!use || token === undefined) return;
    use.session.sendProgress(
      notificationLine('notifications/progress', { ...params, progressToken: token }),
      connection,
    );
    this.#options.backpressure.written(use.session, connection);
  }

  /** The bound that one more use would exceed. */
  #reached({ session, request }: Use): BoundName | null {
    const open = [...(this.#open.get(session)?.values() ?? [])];
    if (open.length >= BOUNDS.requestsInFlight.value) return 'requestsInFlight';
    const bytes = open.reduce((sum, use) => sum + use.requestBytes, request.line.length);
    if (open.length > 0 && bytes > BOUNDS.unansweredBytes.value) return 'unansweredBytes';
    if (request.method !== 'resources/subscribe') return null;
    const waiting = open.filter((use) => use.request.method === 'resources/subscribe').length;
    const all = this.#options.subscriptions(session.consumer) + waiting;
    return all >= BOUNDS.subscriptions.value ? 'subscriptions' : null;
  }

  #find(use: Use, surface: ActiveSurface): Route {
    const target = targetOf(use.request);
    if (target.kind === 'uri') {
      return this.#routes.find(surface, target.name, use.session.provenance.returnedBy(target.name));
    }
    // A completion names a resource by its template, or by its URI.
    const kinds: readonly ListedKind[] = target.kind === 'template' ? ['resourceTemplate', 'resource'] : [target.kind];
    for (const kind of kinds) {
      const key = surfaceKey(kind, target.name);
      const entry = surface.entries.get(key);
      if (entry) return { type: 'entry', entry };
      const refusal = surface.refusals.get(key);
      if (refusal) return { type: 'refused', refusal };
    }
    return { type: 'unknown' };
  }

  /** True where a call made from the list that the app has seen could now mean something else. */
  #isStale(use: Use, entry: SurfaceEntry): boolean {
    const { ports } = this.#options;
    const manifestId = use.session.listedManifest(listedKind(entry));
    const listedId = manifestId && ports.listedIds(manifestId)?.get(surfaceKey(entry.kind, entry.name));
    if (listedId === undefined) return false;
    use.listedId = listedId;
    if (listedId === entry.id) return false;
    const severity = ports.severity(entry.ref, listedId, entry.id);
    return severity === 'breaking' || severity === 'security';
  }

  #verify(use: Use, entry: SurfaceEntry): void {
    const connection = this.#options.upstreams.ready(entry.server, use.session.consumer);
    const showing = connection?.verified(listedKind(entry), entry.originKey);
    const open = this.#open.get(use.session) ?? new Map<string, Use>();
    this.#open.set(use.session, open.set(use.request.idText, use));
    if (connection && showing) this.#shown(use, entry, connection, showing);
    else this.#await(use, entry);
  }

  #await(use: Use, entry: SurfaceEntry): void {
    use.patience = setTimeout(() => {
      this.#refuseWaiting(use, 'chat.starting', 'starting', entry);
    }, this.#options.timings.verifyMs).unref();
    const settle = (connection: Connection, showing: Showing): void => {
      calm(use);
      if (!use.isOver) this.#shown(use, entry, connection, showing);
    };
    const acquired = this.#options.upstreams.acquire(entry.server, use.session.consumer).then(
      (connection) => {
        connection.show(listedKind(entry), entry.originKey, (showing) => settle(connection, showing));
      },
      () => {
        this.#refuseWaiting(use, 'chat.notWorking', 'start-failed', entry);
      },
    );
    acquired.catch(() => use.session.close()); // as for any line of the app that cannot be handled
  }

  #shown(use: Use, entry: SurfaceEntry, connection: Connection, showing: Showing): void {
    // It may have been paused while this one waited.
    if (this.#options.ports.isPaused()) return this.#refuse(use, 'chat.paused', 'paused', '');
    if (showing.type === 'id' && showing.id === entry.id) return this.#forward(use, entry, connection);
    if (showing.type === 'absent') return this.#refuseWaiting(use, 'chat.missing', 'not-shown', entry);
    if (showing.type === 'failed') return this.#refuseWaiting(use, 'chat.notWorking', 'list-failed', entry);
    this.#refuseWaiting(use, 'chat.blocked', 'definition-differs', entry);
  }

  #forward(use: Use, entry: SurfaceEntry, connection: Connection): void {
    const { upstream } = connection;
    const id = upstream.nextId();
    const params = forwardedParams(use.request, entry, id);
    // It is not the server's fault, nor that of others who use it: only this one has to wait.
    if (!upstream.transport.hasRoomFor(params.length)) return this.#crowded(use);
    use.sent = { connection, id };
    const sent = this.#sent.get(connection) ?? new Map<number, Use>();
    this.#sent.set(connection, sent.set(id, use));
    upstream.request(id, use.request.method, params, (answer) => {
      if (answer) this.#answered(use, connection, answer);
      else this.#lost(use, connection);
    });
  }

  #crowded(use: Use): void {
    use.session.refuse(use.request.idText, 'unreadBytes');
    this.#close(use);
    setImmediate(() => this.#trace(use, { outcome: 'refused', reason: 'unreadBytes', responseBytes: 0 }));
  }

  #answered(use: Use, connection: Connection, answer: Answer): void {
    const { session, request } = use;
    session.sendAnswer(answer, request.idText);
    this.#options.backpressure.written(session, connection);
    if (request.method === 'resources/subscribe' && !answer.isError) this.#options.onSubscribed(use, connection);
    this.#close(use);
    // Whatever only the records need comes after the reply.
    setImmediate(() => this.#inspect(use, answer));
  }

  #inspect(use: Use, answer: Answer): void {
    const responseBytes = answer.line.length;
    const isWorthReading = responseBytes <= BOUNDS.inspectedBytes.value && !answer.isError && mentions(answer);
    const result = isWorthReading ? safeResult(answer) : undefined;
    if (use.entry) {
      const { kind, name, id } = use.entry;
      use.session.provenance.note({ key: surfaceKey(kind, name), id }, result);
    }
    const isToolError = isObject(result) && result['isError'] === true;
    this.#trace(use, { outcome: answer.isError ? 'error' : isToolError ? 'tool-error' : 'result', responseBytes });
  }

  #lost(use: Use, connection: Connection): void {
    const line = errorLine(use.request.idText, REFUSED, `${connection.spec.name} stopped before it answered.`);
    this.#finish(use, line, { outcome: 'error', reason: 'server-stopped', responseBytes: line.length });
  }

  #abandon(use: Use, params: JsonObject): void {
    if (use.isOver) return;
    if (use.sent) {
      const { upstream } = use.sent.connection;
      upstream.forget(use.sent.id);
      upstream.notify('notifications/cancelled', { ...params, requestId: use.sent.id });
    }
    this.#close(use);
    setImmediate(() => this.#trace(use, { outcome: 'cancelled', responseBytes: 0 }));
  }

  #unknown(use: Use): void {
    const line = errorLine(
      use.request.idText,
      INVALID_PARAMS,
      `Unknown capability: ${cleanName(use.name, BOUNDS.quotedLength.value)}`,
    );
    this.#finish(use, line, { outcome: 'refused', reason: 'unknown', responseBytes: line.length });
  }

  #withheld(use: Use, refusal: Refusal): void {
    this.#refuse(use, WITHHELD_WORDS[refusal.reason], refusal.reason, this.#serverName(refusal.server));
  }

  #changedSinceListed(use: Use, entry: SurfaceEntry): void {
    use.session.listChanged([entry.kind]);
    this.#refuse(use, 'chat.changedSinceListed', 'changed-since-listed', this.#serverName(entry.server));
  }

  #refuseWaiting(use: Use, key: ChatKey, reason: string, entry: SurfaceEntry): void {
    if (!use.isOver) this.#refuse(use, key, reason, this.#serverName(entry.server));
  }

  #refuse(use: Use, key: ChatKey, reason: string, server: string): void {
    const line = refusalLine(this.#options.ports, use, key, server);
    this.#finish(use, line, { outcome: 'refused', reason, responseBytes: line.length });
  }

  #serverName(server: SurfaceEntry['server']): string {
    return this.#options.ports.upstream(server)?.name ?? '';
  }

  #finish(use: Use, line: string, ending: Ending): void {
    use.session.sendLine(line);
    this.#close(use);
    setImmediate(() => this.#trace(use, ending));
  }

  #close(use: Use): void {
    use.isOver = true;
    calm(use);
    const open = this.#open.get(use.session);
    if (open?.get(use.request.idText) === use) open.delete(use.request.idText);
    // Whoever still holds the use, such as a start it waited for, does not hold what it brought along.
    use.request = { ...use.request, line: NO_BYTES, params: {} };
    if (!use.sent) return;
    const { connection, id } = use.sent;
    const sent = this.#sent.get(connection);
    sent?.delete(id);
    if (!sent || sent.size > 0) return;
    this.#sent.delete(connection);
    this.#options.onIdle(connection);
  }

  #trace(use: Use, ending: Ending): void {
    const { ports } = this.#options;
    ports.onTrace(traceOf(use, ending, ports.now()));
  }
}

/** It waits no longer: nothing keeps its request in memory. */
function calm(use: Use): void {
  if (use.patience) clearTimeout(use.patience);
  use.patience = null;
}

/** Consumers with a call in flight among these uses. */
export function consumersOf(uses: readonly Use[]): Set<ConsumerId> {
  return new Set(uses.map((use) => use.session.consumer));
}

/** Published entries are of the listed kinds; instructions have no name to call them by. */
function listedKind(entry: SurfaceEntry): ListedKind {
  return entry.kind as ListedKind;
}

function mentions({ line, start, end }: Answer): boolean {
  const body = line.subarray(start, end);
  return body.includes('"isError"') || body.includes('"uri"') || body.includes('"resourceUri"');
}

function safeResult(answer: Answer): unknown {
  try {
    return readAnswer(answer).result;
  } catch {
    return undefined; // passed on as it came; the app says what it makes of it
  }
}
