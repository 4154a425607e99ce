import { createHash, randomUUID } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ConsumerId, Context, JsonObject, Kind, KindOutcome, ListedKind, Observation } from '../core/model.ts';
import { LISTS, instructionsOutcome } from '../core/observe.ts';
import type { WireMessage } from './answer.ts';
import type { IdCache } from './id-cache.ts';
import { Lister } from './lister.ts';
import type { Outcomes, Showing } from './lister.ts';
import type { UpstreamSpec } from './ports.ts';
import { ProcessTransport } from './process-transport.ts';
import type { LineTransport, PlanStart, ProcessRecords } from './process-transport.ts';
import type { Timings } from './timings.ts';
import { Upstream } from './upstream.ts';
import type { UpstreamInfo } from './upstream.ts';

/** What a shared process is told that its apps can do; the router then asks the one app concerned. */
export const FULL_PROFILE: JsonObject = { roots: { listChanged: true }, sampling: {}, elicitation: {} };
const PACKAGE_RUNNERS = /^(npx|npm|pnpm|bunx|yarn|uvx|uv|pipx|docker|podman)(\.(cmd|exe))?$/i;

export interface ConnectionEvents {
  onRequest(connection: Connection, message: WireMessage, line: Buffer): void;
  onNotification(connection: Connection, method: string, message: WireMessage): void;
  onEnd(connection: Connection): void;
  onObservation(observation: Observation): Promise<void>;
}

export interface ConnectionOptions {
  readonly spec: UpstreamSpec;
  /** Set where the process serves this app alone. */
  readonly consumer: ConsumerId | null;
  readonly capabilities: JsonObject;
  readonly version: string;
  readonly isFirstStart: boolean;
  readonly ids: IdCache;
  readonly records: ProcessRecords | undefined;
  readonly plan?: PlanStart | undefined;
  readonly timings: Timings;
  readonly events: ConnectionEvents;
}

type ListGroup = 'tools' | 'prompts' | 'resources';

/** One started server process: its requests, its lists, and what those verified. */
export class Connection {
  /** Random: confirmations need two different ones. */
  readonly id: string = randomUUID();
  readonly spec: UpstreamSpec;
  readonly consumer: ConsumerId | null;
  readonly upstream: Upstream;
  readonly #options: ConnectionOptions;
  readonly #context: Context;
  readonly #listers: Readonly<Record<ListGroup, Lister>>;
  #info: UpstreamInfo | null = null;
  #first: Promise<Observation> | null = null;
  /** Ended on purpose: that a list broke off says nothing about the server. */
  #isStopped = false;

  constructor(options: ConnectionOptions, transport: LineTransport = processFor(options)) {
    this.#options = options;
    this.spec = options.spec;
    this.consumer = options.consumer;
    this.#context = contextOf(options.spec, options.capabilities);
    this.upstream = new Upstream(transport, {
      onRequest: (message, line) => options.events.onRequest(this, message, line),
      onNotification: (method, message) => this.#notified(method, message),
      onEnd: () => this.#ended(),
    });
    this.#listers = {
      tools: this.#lister(['tool']),
      prompts: this.#lister(['prompt']),
      resources: this.#lister(['resource', 'resourceTemplate']),
    };
  }

  /** Started before its app had told what it can do. */
  get isPresumed(): boolean {
    return this.consumer !== null && this.#options.capabilities === FULL_PROFILE;
  }

  get info(): UpstreamInfo | null {
    return this.#info;
  }

  /** What the server calls itself, for the trace. */
  get build(): string | null {
    if (!this.#info?.name) return null;
    return this.#info.version ? `${this.#info.name} ${this.#info.version}` : this.#info.name;
  }

  hasCapability(name: string): boolean {
    return this.#info?.capabilities[name] !== undefined;
  }

  /** Starts the process and introduces Holdfast. @throws Error with a reason in plain words. */
  async start(): Promise<void> {
    const { timings, capabilities, version, isFirstStart, spec } = this.#options;
    if (spec.locked !== undefined) throw new Error(spec.locked);
    const runner = spec.command.split(/[\\/]/).at(-1) ?? '';
    const isSlow = isFirstStart && PACKAGE_RUNNERS.test(runner);
    try {
      await this.upstream.transport.start();
      const timeoutMs = isSlow ? timings.firstInitializeMs : timings.initializeMs;
      this.#info = await this.upstream.initialize(capabilities, { name: 'holdfast', version }, timeoutMs);
    } catch (error) {
      void this.close();
      throw error;
    }
  }

  close(): Promise<void> {
    if (!this.upstream.isEnded) this.#isStopped = true;
    return this.upstream.close();
  }

  /** For an exit of this process that leaves no time. */
  kill(): void {
    this.upstream.transport.kill();
  }

  /** What this connection's lists showed for a key since the last notice, if anything. */
  verified(kind: ListedKind, originKey: string): Showing | undefined {
    return this.#listers[groupOf(kind)].verified(kind, originKey);
  }

  /** Lists that could not be read to their end the last time, and why. */
  get troubles(): { readonly kind: ListedKind; readonly reason: string; readonly isFailed: boolean }[] {
    const latest = Object.values(this.#listers).flatMap((lister) => [...(lister.latest ?? [])]);
    return latest.flatMap(([kind, outcome]) =>
      'reason' in outcome ? [{ kind, reason: outcome.reason, isFailed: outcome.status === 'failed' }] : [],
    );
  }

  /** Tells what a list shows for the key; starts one at once. */
  show(kind: ListedKind, originKey: string, onShowing: (showing: Showing) => void): void {
    this.#listers[groupOf(kind)].show(kind, originKey, onShowing);
  }

  /** The observation at the start of the process; the same however often it is asked for. */
  firstObservation(): Promise<Observation> {
    this.#first ??= this.observe();
    return this.#first;
  }

  /** Lists everything from now on; resolves when the rest has taken it in. */
  async observe(): Promise<Observation> {
    const listers = Object.values(this.#listers);
    await Promise.all(listers.map((lister) => lister.run()));
    // A list that a notice started meanwhile has told more recent things and must not be overwritten.
    const outcomes = new Map(listers.flatMap((lister) => [...(lister.latest ?? [])]));
    return this.#report({ ...Object.fromEntries(outcomes), instructions: this.#instructions() });
  }

  /** What to record of a start that failed: nothing could be listed, and nothing is known to be gone. */
  failure(reason: string): Observation {
    const failed: KindOutcome = { status: 'failed', reason };
    return this.#observation({
      tool: failed,
      prompt: failed,
      resource: failed,
      resourceTemplate: failed,
      instructions: failed,
    });
  }

  #instructions(): KindOutcome {
    const { ids, spec } = this.#options;
    return instructionsOutcome(this.#info?.instructions, (definition) =>
      ids.identify(spec.route, 'instructions', '', definition),
    );
  }

  #lister(kinds: readonly ListedKind[]): Lister {
    const { ids, spec, timings } = this.#options;
    return new Lister({
      kinds,
      timings,
      inspect: ids.inspectFor(spec.route),
      isDeclared: (kind) => this.hasCapability(LISTS[kind].capability),
      ask: (method, cursor, timeoutMs) => this.upstream.ask(method, cursor === undefined ? {} : { cursor }, timeoutMs),
      onOutcomes: (outcomes: Outcomes) => void this.#report(Object.fromEntries(outcomes)),
    });
  }

  #notified(method: string, message: WireMessage): void {
    const group = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
    // Before the introduction nothing is known of what it offers, not even that it offers nothing.
    if (!this.#info) return;
    // The pattern admits exactly the three groups.
    if (group) this.#listers[group as ListGroup].changed();
    else this.#options.events.onNotification(this, method, message);
  }

  #ended(): void {
    const reason = this.upstream.transport.endReason ?? 'it stopped';
    for (const lister of Object.values(this.#listers)) lister.close(reason);
    this.#options.events.onEnd(this);
  }

  /**
   * At once, so that they are taken in in the order in which the lists ended. What waited here for the one before could
   * be overtaken by the process that follows this one, and then what is over would pass for the newest.
   */
  async #report(kinds: Observation['kinds']): Promise<Observation> {
    const observation = this.#observation(kinds);
    if (this.#isStopped) return observation;
    try {
      await this.#options.events.onObservation(observation);
    } catch {
      // whoever takes it in reports its own faults
    }
    return observation;
  }

  #observation(kinds: Partial<Record<Kind, KindOutcome>>): Observation {
    return {
      server: this.spec.server,
      consumer: this.consumer,
      connection: this.id,
      route: this.spec.route,
      context: this.#context,
      version: this.#info?.version ?? null,
      kinds,
    };
  }
}

function groupOf(kind: ListedKind): ListGroup {
  return LISTS[kind].capability;
}

function processFor({ spec, timings, records, plan }: ConnectionOptions): LineTransport {
  const { server, command, args, env, cwd } = spec;
  return new ProcessTransport({ command, args, env, cwd, killStepMs: timings.killStepMs, server, records, plan });
}

function contextOf(spec: UpstreamSpec, capabilities: JsonObject): Context {
  const digest = createHash('sha256')
    .update(canonicalize(capabilities) ?? '')
    .digest('hex');
  return { era: '2025', capabilities: `sha256:${digest}`, launch: spec.digest, signedIn: false };
}
