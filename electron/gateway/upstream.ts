import { z } from 'zod';
import { BOUNDS } from '../core/bounds.ts';
import { cleanName } from '../core/display.ts';
import type { JsonObject } from '../core/model.ts';
import type { PageAnswer } from '../core/observe.ts';
import { parsedAnswer, quickAnswer, readAnswer } from './answer.ts';
import type { Answer, WireMessage } from './answer.ts';
import { isTooDeep } from './json-span.ts';
import type { LineTransport } from './process-transport.ts';
import { INVALID_REQUEST, errorLine, isObject, isRequestId } from './rpc.ts';

/** Newest protocol version spoken with upstreams and apps. */
const PROTOCOL_VERSION = '2025-11-25';

const TOO_DEEP = BOUNDS.messageDepth.reason;

/** What an upstream said about itself in `initialize`. */
export interface UpstreamInfo {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly name: string | null;
  readonly version: string | null;
  readonly instructions: unknown;
}

const initializeResult = z.looseObject({
  protocolVersion: z.string(),
  // What it declares decides what may be missing, so it is never guessed.
  capabilities: z.looseObject({}),
  serverInfo: z.looseObject({ name: z.string().optional(), version: z.string().optional() }).catch({}),
});

/** Gets the answer, or `null` where the connection ended first. */
export type OnAnswer = (answer: Answer | null) => void;

export interface UpstreamEvents {
  onRequest(message: WireMessage, line: Buffer): void;
  onNotification(method: string, message: WireMessage): void;
  onEnd(): void;
}

/** One connection to one upstream: our own request ids, whoever asks; raw lines in and out. */
export class Upstream {
  readonly transport: LineTransport;
  readonly #events: UpstreamEvents;
  readonly #pending = new Map<number, OnAnswer>();
  #lastId = 0;
  #isEnded = false;
  /** It sent what no server sends; nothing more is read. */
  #isBroken = false;
  #noise = 0;

  constructor(transport: LineTransport, events: UpstreamEvents) {
    this.transport = transport;
    this.#events = events;
    transport.online = (line) => this.#takeLine(line);
    transport.onclose = () => this.#end();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Lines that were no messages. */
  get noise(): number {
    return this.#noise;
  }

  /** @throws Error with a reason in plain words. */
  async initialize(capabilities: JsonObject, client: JsonObject, timeoutMs: number): Promise<UpstreamInfo> {
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities, clientInfo: client };
    const answer = await this.ask('initialize', params, timeoutMs);
    if (answer.type === 'none') throw new Error(answer.reason);
    if (answer.type === 'error')
      throw new Error(`it answered with error ${answer.code}: ${cleanName(answer.message, BOUNDS.quotedLength.value)}`);
    const result = initializeResult.safeParse(answer.result);
    if (!result.success) throw new Error('its answer to initialize is malformed');
    const { capabilitiesLength, nameLength, versionLength } = BOUNDS;
    if (JSON.stringify(result.data.capabilities).length > capabilitiesLength.value) {
      throw new Error(capabilitiesLength.reason);
    }
    this.notify('notifications/initialized');
    const { serverInfo, capabilities: declared, instructions } = result.data;
    return {
      capabilities: declared,
      name: serverInfo.name?.slice(0, nameLength.value) ?? null,
      version: serverInfo.version?.slice(0, versionLength.value) ?? null,
      instructions,
    };
  }

  /** Id for the next {@link request}: also its progress token, unique on this connection. */
  nextId(): number {
    return ++this.#lastId;
  }

  /** Sends a request with ready JSON text as its params. No time-out: whoever asked owns it. */
  request(id: number, method: string, paramsText: string | undefined, onAnswer: OnAnswer): void {
    if (this.#isEnded) return onAnswer(null);
    this.#pending.set(id, onAnswer);
    const params = paramsText === undefined ? '' : `,"params":${paramsText}`;
    this.transport.sendLine(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${params}}`);
  }

  /** A late answer to this request is dropped. */
  forget(id: number): void {
    this.#pending.delete(id);
  }

  /** A request of our own, answered within `timeoutMs` or given up. */
  ask(method: string, params: JsonObject, timeoutMs: number): Promise<PageAnswer> {
    return new Promise((resolve) => {
      const id = this.nextId();
      const timer = setTimeout(() => {
        this.forget(id);
        // `initialize` must never be cancelled.
        if (method !== 'initialize') this.notify('notifications/cancelled', { requestId: id });
        resolve({ type: 'none', reason: `no answer within ${Math.round(timeoutMs / 1000)} s` });
      }, timeoutMs);
      this.request(id, method, JSON.stringify(params), (answer) => {
        clearTimeout(timer);
        resolve(answer ? toPageAnswer(answer) : { type: 'none', reason: this.transport.endReason ?? 'it stopped' });
      });
    });
  }

  notify(method: string, params?: JsonObject): void {
    this.transport.sendLine(JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) }));
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const onAnswer of pending) onAnswer(null);
    this.#events.onEnd();
  }

  /** Whatever a server sends, it breaks no more than its own connection. */
  #takeLine(line: Buffer): void {
    if (this.#isBroken) return;
    try {
      this.#receive(line);
    } catch {
      this.#break('it sent a message that cannot be handled');
    }
  }

  #break(reason: string): void {
    this.#isBroken = true;
    this.transport.fail(reason);
  }

  #receive(line: Buffer): void {
    const quick = quickAnswer(line);
    if (quick) return this.#settle(quick.id, quick.answer);
    let parsed: unknown;
    try {
      parsed = JSON.parse(line.toString('utf8'));
    } catch {
      this.#noise++; // servers print to stdout what is no message
      return;
    }
    if (isTooDeep(line)) return this.#break(TOO_DEEP);
    if (Array.isArray(parsed)) this.#receiveBatch(parsed);
    else if (typeof parsed === 'object' && parsed !== null) this.#dispatch(parsed, line);
    else this.#noise++;
  }

  #receiveBatch(batch: readonly unknown[]): void {
    if (batch.length > BOUNDS.batchLength.value) return this.#break(BOUNDS.batchLength.reason);
    for (const message of batch) {
      // A batch within a batch is none: it would be written out again at every level.
      if (isObject(message)) this.#receive(Buffer.from(JSON.stringify(message)));
      else this.#noise++;
    }
  }

  #dispatch(message: WireMessage, line: Buffer): void {
    // Logs are printed as objects, too, and some have an id, a method or an error.
    if (message.jsonrpc !== '2.0') {
      this.#noise++;
      return;
    }
    if (typeof message.method === 'string') {
      if (message.id === undefined || message.id === null) this.#events.onNotification(message.method, message);
      else if (isRequestId(message.id)) this.#events.onRequest(message, line);
      else this.transport.sendLine(errorLine('null', INVALID_REQUEST, 'Invalid request'));
      return;
    }
    if (message.result === undefined && message.error === undefined) {
      this.#noise++;
      return;
    }
    const answer = parsedAnswer(line, message);
    if (answer && typeof message.id === 'number') this.#settle(message.id, answer);
  }

  #settle(id: number, answer: Answer): void {
    const onAnswer = this.#pending.get(id);
    this.#pending.delete(id);
    onAnswer?.(answer);
  }
}

function toPageAnswer(answer: Answer): PageAnswer {
  // What we ask for ourselves is a list at most; parsing a larger one would hold everything up.
  if (answer.end - answer.start > BOUNDS.listBytes.value) return { type: 'none', reason: BOUNDS.listBytes.reason };
  if (isTooDeep(answer.line, answer.start, answer.end)) return { type: 'none', reason: TOO_DEEP };
  try {
    const { result, error } = readAnswer(answer);
    if (!answer.isError) return { type: 'result', result, bytes: answer.end - answer.start };
    const { code, message } = z.looseObject({ code: z.number(), message: z.string() }).parse(error);
    return { type: 'error', code, message };
  } catch {
    return { type: 'none', reason: 'its answer is malformed' };
  }
}
