import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { endpointFor } from '../../electron/bridge/endpoint.ts';
import { errorWords } from '../../electron/core/error-sentences.ts';
import { capabilityId, capabilityRef } from '../../electron/core/identity.ts';
import type {
  CapabilityId,
  ConsumerId,
  JsonObject,
  ListedKind,
  ManifestId,
  Observation,
  Route,
  ServerId,
  Severity,
} from '../../electron/core/model.ts';
import { LISTS } from '../../electron/core/observe.ts';
import { Gateway } from '../../electron/gateway/gateway.ts';
import { LineReader } from '../../electron/gateway/lines.ts';
import { isObject } from '../../electron/gateway/rpc.ts';
import { surfaceKey } from '../../electron/gateway/ports.ts';
import type {
  ActiveSurface,
  GatewayPorts,
  Refusal,
  SurfaceEntry,
  TraceLine,
  UpstreamSpec,
} from '../../electron/gateway/ports.ts';
import type { Timings } from '../../electron/gateway/timings.ts';

// Real processes on a busy machine: a bound for what hangs, not a measure.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

export const APP = 'app' as ConsumerId;
export const OTHER = 'other' as ConsumerId;
export const SERVER = 'srv' as ServerId;
const ROUTE = 'script:upstream.mjs' as Route;
export const TOKEN = 'the-token';
const FIXTURE = fileURLToPath(new URL('../fixtures/upstream.mjs', import.meta.url));

/** A definition of a tool, prompt, resource or template as the fixture server lists it. */
export type Definition = JsonObject;
export type Control = Readonly<Record<string, unknown>>;

export const tool = (name: string, description = `does ${name}`): Definition => ({
  name,
  description,
  inputSchema: { type: 'object' },
});

/** Polls until `read` gives something; the bound only ends a test that would never end. */
export async function eventually<T>(read: () => T | undefined | false | null, what = 'it'): Promise<T> {
  const end = Date.now() + 15_000;
  for (;;) {
    const value = read();
    if (value !== undefined && value !== false && value !== null) return value;
    if (Date.now() > end) throw new Error(`${what} did not come about`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function keyOf(kind: ListedKind, definition: Definition): string {
  const key = definition[LISTS[kind].key];
  return typeof key === 'string' ? key : '';
}

export function idOf(server: ServerId, kind: ListedKind, definition: Definition): CapabilityId {
  const originKey = keyOf(kind, definition);
  return capabilityId({ serverId: server, kind, originKey, route: ROUTE, definition });
}

/** What one consumer is served, from literals. */
export interface Published {
  readonly server?: ServerId;
  readonly kind: ListedKind;
  readonly definition: Definition;
  /** Published name; default: the origin key. */
  readonly name?: string;
}

export function entryOf({ server = SERVER, kind, definition, name }: Published): SurfaceEntry {
  const originKey = keyOf(kind, definition);
  return {
    kind,
    name: name ?? originKey,
    ref: capabilityRef(server, kind, originKey),
    id: idOf(server, kind, definition),
    server,
    originKey,
  };
}

export class World {
  readonly dir = mkdtempSync(path.join(tmpdir(), 'hf-gw-'));
  readonly observations: Observation[] = [];
  readonly traces: TraceLine[] = [];
  readonly asks: ServerId[] = [];
  readonly listed: [ConsumerId, ListedKind, ManifestId][] = [];
  readonly surfaces = new Map<ConsumerId, ActiveSurface>();
  readonly specs = new Map<ServerId, UpstreamSpec>();
  readonly manifests = new Map<ManifestId, Map<string, CapabilityId>>();
  readonly stored = new Map<string, ManifestId>();
  severity: Severity = 'compatible';
  isPaused = false;
  readonly gateway: Gateway;
  readonly commands: [string, unknown][] = [];
  onCommand: (command: string, input: unknown) => Promise<unknown> = (command, input) =>
    Promise.resolve({ command, input });
  /** What takes an observation in; it may take its time. */
  taking: Promise<void> = Promise.resolve();
  #epoch = 0;
  readonly #apps: HostApp[] = [];

  constructor(timings: Partial<Timings> = {}) {
    this.gateway = new Gateway(this.#ports(), { version: '9.9.9', timings: { killStepMs: 300, ...timings } });
  }

  async listen(): Promise<this> {
    writeFileSync(path.join(this.dir, 'token'), TOKEN);
    await this.gateway.listen(this.dir, TOKEN, (command, input) => {
      this.commands.push([command, input]);
      return this.onCommand(command, input);
    });
    return this;
  }

  async close(): Promise<void> {
    for (const app of this.#apps) app.close();
    await this.gateway.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  controlFile(server: ServerId = SERVER): string {
    return path.join(this.dir, `${server}.control.json`);
  }

  logFile(server: ServerId = SERVER): string {
    return path.join(this.dir, `${server}.log`);
  }

  /** Adds a server that runs the fixture, or switches what a running one does. */
  server(control: Control, server: ServerId = SERVER): void {
    const file = this.controlFile(server);
    writeFileSync(`${file}.new`, JSON.stringify({ log: this.logFile(server), name: server, ...control }));
    renameSync(`${file}.new`, file);
    if (!this.specs.has(server)) this.spec({}, server);
  }

  spec(changes: Partial<UpstreamSpec>, server: ServerId = SERVER): void {
    const known = this.specs.get(server) ?? {
      server,
      name: server === SERVER ? 'Demo' : String(server),
      route: ROUTE,
      command: process.execPath,
      args: [FIXTURE, this.controlFile(server)],
      env: {},
      cwd: path.join(this.dir, 'servers', server),
      digest: 'one',
      asks: false,
    };
    this.specs.set(server, { ...known, ...changes });
  }

  /** Puts a surface in force for a consumer. */
  publish(
    consumer: ConsumerId,
    published: readonly Published[],
    more: { refusals?: Record<string, Refusal>; instructions?: string } = {},
  ): ManifestId {
    const manifestId = `manifest-${++this.#epoch}` as ManifestId;
    const entries = new Map(published.map((each) => [surfaceKey(each.kind, entryOf(each).name), entryOf(each)]));
    this.manifests.set(manifestId, new Map([...entries].map(([key, entry]) => [key, entry.id])));
    const list = (kind: ListedKind): string =>
      JSON.stringify(
        published
          .filter((each) => each.kind === kind)
          .map((each) => (each.name === undefined ? each.definition : { ...each.definition, name: each.name })),
      );
    this.surfaces.set(consumer, {
      consumer,
      manifestId,
      epoch: this.#epoch,
      entries,
      refusals: new Map(Object.entries(more.refusals ?? {})),
      lists: {
        tool: list('tool'),
        prompt: list('prompt'),
        resource: list('resource'),
        resourceTemplate: list('resourceTemplate'),
      },
      instructions: more.instructions ?? null,
    });
    return manifestId;
  }

  /** What the server has received, oldest first. */
  received(method?: string, server: ServerId = SERVER): LogLine[] {
    const file = this.logFile(server);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const lines = text.split('\n').filter((line) => line !== '');
    const parsed = lines.map((line) => JSON.parse(line) as LogLine); // written by the fixture
    return method === undefined ? parsed : parsed.filter((line) => line.method === method);
  }

  /** A connected host app, introduced unless told otherwise. */
  async app(options: { consumer?: ConsumerId; capabilities?: JsonObject; introduce?: boolean } = {}): Promise<HostApp> {
    const app = await HostApp.connect(this.dir, options.consumer ?? APP);
    this.#apps.push(app);
    if (options.introduce !== false) await app.introduce(options.capabilities);
    return app;
  }

  #ports(): GatewayPorts {
    return {
      surface: (consumer) => this.surfaces.get(consumer),
      listedIds: (manifestId) => this.manifests.get(manifestId),
      lastListed: (consumer, kind) => this.stored.get(`${consumer}/${kind}`),
      severity: () => this.severity,
      consumerName: (consumer) => `name of ${consumer}`,
      upstream: (server) => this.specs.get(server),
      isPaused: () => this.isPaused,
      onObservation: (observation) => {
        this.observations.push(observation);
        return this.taking;
      },
      onListed: (consumer, kind, manifestId) => {
        this.listed.push([consumer, kind, manifestId]);
      },
      onStarted: () => undefined,
      onAsks: (server) => {
        this.asks.push(server);
        this.spec({ asks: true }, server);
      },
      onTrace: (line) => {
        this.traces.push(line);
      },
      words: (key, values) => `${key} ${JSON.stringify(values)}`,
      describe: (error) =>
        error.code === 'LIMIT_REACHED'
          ? errorWords(error)
          : { code: error.code, message: `message of ${error.code}`, next: 'next step' },
      now: () => '2026-01-01T00:00:00.000Z',
    };
  }
}

export interface LogLine {
  readonly pid: number;
  readonly method?: string;
  readonly id?: number;
  readonly params?: JsonObject;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A message as a test reads it. */
export interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly [key: string]: unknown;
}

/** Looks into a message, as in `at(answer, 'result.content.0.text')`. */
export function at(message: Message | undefined, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (isObject(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined),
      message,
    );
}

/** A host app that speaks in raw lines, so that a test sees every byte. */
export class HostApp {
  readonly socket: Socket;
  readonly messages: Message[] = [];
  readonly lines: string[] = [];
  /** Answers to requests of servers, by method. */
  readonly answers = new Map<string, (params: JsonObject) => object>();
  isClosed = false;
  readonly #reader = new LineReader(
    (line) => this.#take(line.toString('utf8')),
    () => undefined,
  );
  #lastId = 0;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.#reader.push(chunk));
    socket.on('error', () => undefined);
    socket.once('close', () => (this.isClosed = true));
  }

  static async connect(dir: string, consumer: ConsumerId, token = TOKEN): Promise<HostApp> {
    const app = new HostApp(connect(endpointFor(dir)));
    app.write(JSON.stringify({ holdfast: 1, role: 'bridge', consumer, token, pid: process.pid }));
    const greeting = await eventually(() => app.messages[0], 'a greeting');
    if (greeting['ok'] !== true) throw new Error(JSON.stringify(greeting));
    app.messages.length = 0;
    return app;
  }

  async introduce(capabilities: JsonObject = {}): Promise<Message> {
    const answer = await this.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'test', version: '1' },
    });
    this.notify('notifications/initialized');
    return answer;
  }

  write(line: string): void {
    this.socket.write(`${line}\n`);
  }

  notify(method: string, params?: object): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a request and gives its id; the answer is among the messages later. */
  send(method: string, params?: object): number {
    const id = ++this.#lastId;
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return id;
  }

  answer(id: number): Promise<Message> {
    return eventually(() => this.messages.find((each) => each.id === id && each.method === undefined), `answer ${id}`);
  }

  ask(method: string, params?: object): Promise<Message> {
    return this.answer(this.send(method, params));
  }

  call(name: string, args: object = {}): Promise<Message> {
    return this.ask('tools/call', { name, arguments: args });
  }

  received(method: string): Message[] {
    return this.messages.filter((message) => message.method === method);
  }

  close(): void {
    this.socket.destroy();
  }

  #take(line: string): void {
    this.lines.push(line);
    const message = JSON.parse(line) as Message; // the gateway sends objects only
    this.messages.push(message);
    const answer = message.method === undefined ? undefined : this.answers.get(message.method);
    if (answer && message.id !== undefined) {
      this.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer(message['params'] as JsonObject) }));
    }
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie takes signals but runs no more.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Text of a tool result. */
export const textOf = (message: Message): string => String(at(message, 'result.content.0.text'));
