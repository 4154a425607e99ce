import type { HoldfastError } from '../core/errors.ts';
import type {
  CapabilityId,
  CapabilityRef,
  ConsumerId,
  Kind,
  ListedKind,
  ManifestId,
  Observation,
  Route,
  ServerId,
  Severity,
  WithheldReason,
} from '../core/model.ts';

/** One published capability, ready to be routed. */
export interface SurfaceEntry {
  readonly kind: Kind;
  /** Published name, or the URI. */
  readonly name: string;
  readonly ref: CapabilityRef;
  readonly id: CapabilityId;
  readonly server: ServerId;
  readonly originKey: string;
}

/** Why a name that this consumer once had is not in force. */
export interface Refusal {
  readonly reason: WithheldReason;
  readonly server: ServerId;
  readonly ref: CapabilityRef;
}

/** One publication as the data plane serves it: built once per cut-over, never changed. */
export interface ActiveSurface {
  readonly consumer: ConsumerId;
  readonly manifestId: ManifestId;
  readonly epoch: number;
  /** Keyed by {@link surfaceKey}. */
  readonly entries: ReadonlyMap<string, SurfaceEntry>;
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** JSON text of the array of definitions, per list. */
  readonly lists: Readonly<Record<ListedKind, string>>;
  /** Approved instructions, joined and labelled per server; `null` where there are none. */
  readonly instructions: string | null;
}

/** A list that a connection fetched, and when it first got this one. */
export interface FetchedList {
  readonly manifestId: ManifestId;
  readonly at: string;
}
export type FetchedLists = Readonly<Partial<Record<ListedKind, FetchedList>>>;

/** Key of {@link ActiveSurface.entries}. */
export function surfaceKey(kind: Kind, name: string): string {
  return `${kind}/${name}`;
}

/** How to start one upstream, secrets included: never logged. */
export interface UpstreamSpec {
  readonly server: ServerId;
  readonly name: string;
  readonly route: Route;
  readonly command: string;
  readonly args: readonly string[];
  /** What the person set, on top of the whitelist. */
  readonly env: Readonly<Record<string, string>>;
  /** A folder of this server's own. */
  readonly cwd: string;
  /** Digest of the launch configuration, environment values included. */
  readonly digest: string;
  /** Each app gets its own process. */
  readonly asks: boolean;
  /** Why it is not started at present, in plain words: its keys cannot be had. */
  readonly locked?: string;
}

/** One line per call; arguments and results are never in it. */
export interface TraceLine {
  readonly at: string;
  /** Number of the call in this run of the gateway; `causedBy` points to it. */
  readonly call?: number;
  readonly consumer: ConsumerId;
  readonly method: string;
  readonly name: string;
  readonly ref: CapabilityRef | null;
  readonly id: CapabilityId | null;
  /** The id the app last listed, where it differs from the one in force. */
  readonly listedId?: CapabilityId;
  readonly manifestId: ManifestId;
  readonly epoch: number;
  /** Version of the per-host rendering function; there is one, which changes nothing. */
  readonly rendering: 1;
  /** What the server called itself, `name version`. */
  readonly build: string | null;
  /** For a request from server to app: number of the call that caused it. */
  readonly causedBy?: number;
  readonly durationMs: number;
  readonly outcome: 'result' | 'tool-error' | 'error' | 'cancelled' | 'refused';
  /** Reason of a refusal. */
  readonly reason?: string;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** An error as it leaves the gateway: one sentence and what to do next. */
export interface ErrorView {
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

/** One launch, for the journal. */
export interface UpstreamStarted {
  readonly server: ServerId;
  readonly consumer: ConsumerId | null;
  readonly connection: string;
  /** What it called itself, `name version`. */
  readonly build: string | null;
}

/** Everything the data plane asks of the rest; the composition root passes it in. */
export interface GatewayPorts {
  /** The publication in force; `undefined` for an unknown consumer. Synchronous: it is in the call path. */
  surface(consumer: ConsumerId): ActiveSurface | undefined;
  /** An older manifest of this consumer as a surface key -> id map; `undefined` when it is not kept. */
  listedIds(manifestId: ManifestId): ReadonlyMap<string, CapabilityId> | undefined;
  /** What this consumer last listed, over all its connections. */
  lastListed(consumer: ConsumerId, kind: ListedKind): ManifestId | undefined;
  /** Severity of the change between two definitions of one ref. */
  severity(ref: CapabilityRef, from: CapabilityId, to: CapabilityId): Severity;
  consumerName(consumer: ConsumerId): string;
  /** `undefined` for a removed or unknown server. */
  upstream(server: ServerId): UpstreamSpec | undefined;
  isPaused(): boolean;
  /** A process is up and has introduced itself. `connection` is the one its observations name. */
  onStarted(started: UpstreamStarted): void;
  /** Takes observations in one after another, as they come. Resolves when this one has been committed (or was refused). */
  onObservation(observation: Observation): Promise<void>;
  onListed(consumer: ConsumerId, kind: ListedKind, manifestId: ManifestId): void;
  /** An app's process has come or gone. */
  onConnections?(consumer: ConsumerId): void;
  /** The server sent a request that could not be attributed to one app. */
  onAsks(server: ServerId): void;
  onTrace(line: TraceLine): void;
  /** Words for a refused call, in the person's language: `key` is one of `chat.*`. */
  words(key: ChatKey, values: Readonly<Record<string, string>>): string;
  /** The sentence of an error and its next step, in the person's language. */
  describe(error: HoldfastError): ErrorView;
  /** ISO 8601. */
  now(): string;
}

export type ChatKey =
  | 'chat.blocked'
  | 'chat.keptOff'
  | 'chat.missing'
  | 'chat.paused'
  | 'chat.starting'
  | 'chat.changedSinceListed'
  | 'chat.notReachable'
  | 'chat.notWorking';
