import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { BOUNDS } from '../core/bounds.ts';
import type { BoundName } from '../core/bounds.ts';
import { limitReached } from '../core/errors.ts';
import type { ConsumerId, JsonObject, Kind, ListedKind, ManifestId } from '../core/model.ts';
import { LISTS } from '../core/observe.ts';
import type { Answer, WireMessage } from './answer.ts';
import { withId } from './answer.ts';
import type { Channel } from './channel.ts';
import { isTooDeep } from './json-span.ts';
import type { FetchedList, FetchedLists, GatewayPorts } from './ports.ts';
import { Provenance } from './provenance.ts';
import { Rate } from './rate.ts';
import { INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, REFUSED } from './rpc.ts';
import { errorLine, isObject, isRequestId, notificationLine, paramsOf, resultLine, textOf } from './rpc.ts';
import type { Request } from './rpc.ts';
import { progressToken } from './use.ts';

const LIST_METHODS = new Map<string, ListedKind>(
  // Keys of LISTS are the listed kinds.
  (Object.keys(LISTS) as ListedKind[]).map((kind) => [LISTS[kind].method, kind]),
);
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** What a session passes on, because it concerns servers or other sessions. */
export interface SessionEvents {
  /** A method that uses a published capability. */
  onUse(session: Session, request: Request): void;
  onUnsubscribe(session: Session, request: Request): void;
  onCancelled(session: Session, idText: string, params: JsonObject): void;
  /** An answer to a request of a server. */
  onAnswer(session: Session, message: WireMessage, line: Buffer): void;
  onProgress(session: Session, params: JsonObject): void;
  onRootsChanged(session: Session): void;
  onLevel(session: Session): void;
  onDrain(session: Session): void;
  /** The app sends no more; what is under way may still be answered. */
  onEnd(session: Session): void;
  onClosed(session: Session): void;
}

const USE_METHODS = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'completion/complete',
]);

/** One connected process of a host app. It answers all it can from the publication in force, awaiting nothing. */
export class Session {
  readonly consumer: ConsumerId;
  readonly provenance = new Provenance();
  readonly #channel: Channel;
  readonly #ports: GatewayPorts;
  readonly #version: string;
  readonly #events: SessionEvents;
  readonly #listed: Partial<Record<ListedKind, FetchedList>> = {};
  readonly #owedNotices = new Set<string>();
  #capabilities: JsonObject | null = null;
  #level: string | null = null;
  #isReady = false;
  /** Per connection to a server: what one sends too much of is not missing from another. */
  readonly #rates = new WeakMap<object, { readonly logs: Rate; readonly progress: Rate }>();

  constructor(consumer: ConsumerId, channel: Channel, ports: GatewayPorts, version: string, events: SessionEvents) {
    this.consumer = consumer;
    this.#channel = channel;
    this.#ports = ports;
    this.#version = version;
    this.#events = events;
    channel.take({
      onLine: (line) => this.#takeLine(line),
      onEnd: () => events.onEnd(this),
      onClose: () => events.onClosed(this),
      onDrain: () => events.onDrain(this),
    });
  }

  /** What the app declared; `null` before it introduced itself. */
  get capabilities(): JsonObject | null {
    return this.#capabilities;
  }

  /** The log level the app asked for. */
  get level(): string | null {
    return this.#level;
  }

  get isClosed(): boolean {
    return this.#channel.isClosed;
  }

  get queuedBytes(): number {
    return this.#channel.queuedBytes;
  }

  /** The manifest this connection listed last, or else what the app listed last over any of its connections. */
  listedManifest(kind: ListedKind): ManifestId | undefined {
    return this.#listed[kind]?.manifestId ?? this.#ports.lastListed(this.consumer, kind);
  }

  /** What this connection listed last, per kind. */
  get listed(): FetchedLists {
    return this.#listed;
  }

  wantsLevel(level: unknown): boolean {
    const at = LEVELS.indexOf(textOf(level));
    return this.#level === null || at < 0 || at >= LEVELS.indexOf(this.#level);
  }

  sendLine(line: string): void {
    this.#channel.writeLine(line);
  }

  /** Passes on a log message of a server, unless there are too many; the app is told how many were left out. */
  sendLog(line: string, from: object): void {
    const leftOut = this.#rateOf(from).logs.take();
    if (leftOut === null) return;
    if (leftOut > 0) {
      const params = { level: 'warning', logger: 'holdfast', data: `${leftOut} log messages were left out.` };
      this.sendLine(notificationLine('notifications/message', params));
    }
    this.sendLine(line);
  }

  /** Passes on a report of progress, unless there are too many. */
  sendProgress(line: string, from: object): void {
    if (this.#rateOf(from).progress.take() !== null) this.sendLine(line);
  }

  #rateOf(from: object): { readonly logs: Rate; readonly progress: Rate } {
    const known = this.#rates.get(from);
    if (known) return known;
    const rates = { logs: new Rate(BOUNDS.logsPerSecond.value), progress: new Rate(BOUNDS.progressPerSecond.value) };
    this.#rates.set(from, rates);
    return rates;
  }

  /** Refuses a request for a bound. */
  refuse(idText: string, name: BoundName): void {
    const { message } = this.#ports.describe(limitReached(name));
    this.sendLine(errorLine(idText, REFUSED, message));
  }

  sendAnswer(answer: Answer, idText: string): void {
    this.#channel.write(withId(answer, idText));
  }

  /** One notice per list that changed; kept back until the app is ready for it. */
  listChanged(kinds: readonly Kind[]): void {
    for (const kind of kinds) if (kind !== 'instructions') this.#owedNotices.add(LISTS[kind].capability);
    this.#sendNotices();
  }

  end(): void {
    this.#channel.end();
  }

  close(): void {
    this.#channel.close();
  }

  #sendNotices(): void {
    if (!this.#isReady) return;
    for (const list of this.#owedNotices) this.sendLine(notificationLine(`notifications/${list}/list_changed`));
    this.#owedNotices.clear();
  }

  /** Whatever an app sends, it breaks no more than its own connection. */
  #takeLine(line: Buffer): void {
    try {
      this.#receive(line);
    } catch {
      this.close();
    }
  }

  #receive(line: Buffer): void {
    let message: unknown;
    try {
      message = JSON.parse(line.toString('utf8'));
    } catch {
      return this.sendLine(errorLine('null', PARSE_ERROR, 'Parse error'));
    }
    if (isTooDeep(line)) return this.sendLine(errorLine('null', PARSE_ERROR, 'Nested too deeply'));
    if (!Array.isArray(message)) return this.#take(message, line);
    if (message.length > BOUNDS.batchLength.value) return this.refuse('null', 'batchLength');
    // A batch, as older versions of the protocol allow.
    for (const part of message) this.#take(part, Buffer.from(JSON.stringify(part)));
  }

  #take(message: unknown, line: Buffer): void {
    if (!isObject(message)) return this.sendLine(errorLine('null', INVALID_REQUEST, 'Invalid request'));
    const { id, method } = message as WireMessage; // every member of it is unknown
    if (typeof method !== 'string') return this.#events.onAnswer(this, message, line);
    const params = paramsOf(message);
    if (id === undefined || id === null) return this.#notified(method, params);
    if (!isRequestId(id)) return this.sendLine(errorLine('null', INVALID_REQUEST, 'Invalid request'));
    const idText = JSON.stringify(id);
    if (idText.length > BOUNDS.idLength.value + 2) return this.refuse('null', 'idLength');
    if (method.length > BOUNDS.methodLength.value) return this.refuse(idText, 'methodLength');
    const token = JSON.stringify(progressToken(params) ?? null);
    if (token.length > BOUNDS.progressTokenLength.value + 2) return this.refuse(idText, 'progressTokenLength');
    this.#requested({ method, params, idText, line });
  }

  #notified(method: string, params: JsonObject): void {
    if (method === 'notifications/initialized') this.#becomeReady();
    else if (method === 'notifications/cancelled') {
      const { requestId } = params;
      if (isRequestId(requestId)) this.#events.onCancelled(this, JSON.stringify(requestId), params);
    } else if (method === 'notifications/progress') this.#events.onProgress(this, params);
    else if (method === 'notifications/roots/list_changed') this.#events.onRootsChanged(this);
  }

  #requested(request: Request): void {
    if (request.method === 'initialize') return this.#initialize(request);
    if (request.method === 'ping') return this.sendLine(resultLine(request.idText, '{}'));
    // Apps that leave the notification out are ready when they go on.
    if (this.#capabilities) this.#becomeReady();
    const kind = LIST_METHODS.get(request.method);
    if (kind) this.#list(kind, request);
    else if (USE_METHODS.has(request.method)) this.#events.onUse(this, request);
    else if (request.method === 'resources/unsubscribe') this.#events.onUnsubscribe(this, request);
    else if (request.method === 'logging/setLevel') this.#setLevel(request);
    else this.sendLine(errorLine(request.idText, METHOD_NOT_FOUND, 'Method not found'));
  }

  #becomeReady(): void {
    this.#isReady = true;
    this.#sendNotices();
  }

  #initialize(request: Request): void {
    const { protocolVersion, capabilities } = request.params;
    const length = JSON.stringify(capabilities ?? null).length;
    if (length > BOUNDS.capabilitiesLength.value) return this.refuse(request.idText, 'capabilitiesLength');
    this.#capabilities = isObject(capabilities) ? capabilities : {};
    const asked = textOf(protocolVersion);
    const instructions = this.#ports.surface(this.consumer)?.instructions ?? null;
    const result = {
      protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION,
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
      },
      serverInfo: { name: 'holdfast', version: this.#version },
      ...(instructions !== null && { instructions }),
    };
    this.sendLine(resultLine(request.idText, JSON.stringify(result)));
  }

  #list(kind: ListedKind, request: Request): void {
    if (request.params['cursor'] !== undefined && request.params['cursor'] !== null) {
      return this.sendLine(errorLine(request.idText, INVALID_PARAMS, 'Unknown cursor: lists have one page'));
    }
    const surface = this.#ports.surface(this.consumer);
    const list = surface?.lists[kind] ?? '[]';
    this.sendLine(resultLine(request.idText, `{"${LISTS[kind].field}":${list}}`));
    if (!surface) return;
    const { manifestId } = surface;
    const isKnown = this.#listed[kind]?.manifestId === manifestId;
    if (isKnown && this.#ports.lastListed(this.consumer, kind) === manifestId) return;
    if (!isKnown) this.#listed[kind] = { manifestId, at: this.#ports.now() };
    this.#ports.onListed(this.consumer, kind, manifestId);
  }

  #setLevel(request: Request): void {
    const level = textOf(request.params['level']);
    if (!LEVELS.includes(level)) return this.sendLine(errorLine(request.idText, INVALID_PARAMS, 'Unknown level'));
    this.#level = level;
    this.sendLine(resultLine(request.idText, '{}'));
    this.#events.onLevel(this);
  }
}

/** The level that lets through what any of the sessions wants; `null` where none asked. */
export function mostVerbose(sessions: readonly Session[]): string | null {
  const asked = sessions.map((session) => session.level).filter((level) => level !== null);
  return LEVELS.find((level) => asked.includes(level)) ?? null;
}
