import type { Evidence } from './continuity.ts';
import type { Rebind } from './rebind.ts';

/**
 * Domain types. Intent, identity, exact definition and what is in force are four different things here
 * (README, "Terms"): `CapabilityRef`, `CapabilityId`, `SurfaceManifest`, `Publication`.
 */
declare const brand: unique symbol;
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** Random, given once, kept for life. */
export type ServerId = Branded<string, 'ServerId'>;
/** The id of a host app's identity, such as `claude-desktop`. */
export type ConsumerId = Branded<string, 'ConsumerId'>;
export type ProfileId = Branded<string, 'ProfileId'>;
/** `<serverId>/<kind>/<origin key>`: the lasting logical relation. Intent hangs on it; never an approval. */
export type CapabilityRef = Branded<string, 'CapabilityRef'>;
/** `sha256:<hex>` of one exact effective record. */
export type CapabilityId = Branded<string, 'CapabilityId'>;
/** `sha256:<hex>` of a surface manifest's content. */
export type ManifestId = Branded<string, 'ManifestId'>;
/** Launch identity as text, such as `npm:exa-mcp-server` (README, "Launch identity"). */
export type Route = Branded<string, 'Route'>;
/** `(consumer, ref, target id)` hashed: coming back, it is the same item. */
export type ReviewId = Branded<string, 'ReviewId'>;
export type IncidentId = Branded<string, 'IncidentId'>;
/** A server, where one process serves all apps; `<server>|<consumer>`, where each app has its own. */
export type ScopeKey = Branded<string, 'ScopeKey'>;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export const KINDS = ['tool', 'prompt', 'resource', 'resourceTemplate', 'instructions'] as const;
export type Kind = (typeof KINDS)[number];
/** The kinds a host app lists; instructions travel in `initialize`. */
export const LISTED_KINDS = ['tool', 'prompt', 'resource', 'resourceTemplate'] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];

/** One upstream definition exactly as listed, before any normal form. */
export interface StoredDefinition {
  readonly serverId: ServerId;
  readonly kind: Kind;
  readonly originKey: string;
  readonly route: Route;
  readonly definition: JsonObject;
}

/**
 * What is followed of a server's changes without asking (README, "Policies"), the tightest first: nothing; what is safe;
 * everything but what is risky.
 */
export const PRESETS = ['review', 'follow-safe', 'follow'] as const;
export type Preset = (typeof PRESETS)[number];

export interface StdioLaunch {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Names only: values are secrets and live outside the state. */
  readonly envNames: readonly string[];
  /** The folder it is started in, where the person's own settings named one; else it has a folder of its own. */
  readonly cwd?: string | undefined;
}
export type Launch = StdioLaunch;

export interface Server {
  readonly id: ServerId;
  readonly name: string;
  /** ASCII slug of the first label; kept through renames, so that published names never move. */
  readonly prefix: string;
  readonly launch: Launch;
  readonly route: Route;
  /** Routes a person replaced by the present one; decisions are copied from them per kind in `copied` (README, "Routes"). */
  readonly formerRoutes: readonly { readonly route: Route; readonly pendingKinds: readonly Kind[] }[];
  readonly addedAt: string;
  readonly archivedAt: string | null;
  /** It sent requests of its own, so each app gets its own process (README, "Scopes"). */
  readonly asks: boolean;
  /** Kinds that some scope ever saw with a `complete` or `unsupported` outcome. */
  readonly known: readonly Kind[];
  /** What it last called itself, for incidents. */
  readonly version: string | null;
  readonly policy: Preset;
}

export interface Consumer {
  readonly id: ConsumerId;
  readonly name: string;
  readonly addedAt: string;
}

/** A capability within a server that is named elsewhere. */
export interface CapabilityKey {
  readonly kind: Kind;
  readonly originKey: string;
}

/** Intent for one server, at both levels. */
export interface Selection {
  /** Whole-server intent, later capabilities included. */
  readonly all: boolean;
  /** Capability-level intent. */
  readonly chosen: readonly CapabilityKey[];
  /** In a profile: local to it. In a direct exposure: the consumer's own, which outranks every source. */
  readonly excluded: readonly CapabilityKey[];
}
export type Selections = Readonly<Record<ServerId, Selection>>;

export interface Profile {
  readonly id: ProfileId;
  readonly name: string;
  readonly selections: Selections;
  readonly consumers: readonly ConsumerId[];
}

/** What an observation was made under; observations of different contexts may differ for good reasons. */
export interface Context {
  readonly era: string;
  /** Digest of the declared client capabilities. */
  readonly capabilities: string;
  /** Digest of the launch configuration, environment values included. */
  readonly launch: string;
  readonly signedIn: boolean;
}

export type CatalogEntry =
  | { readonly state: 'present'; readonly id: CapabilityId; readonly context: Context }
  | {
      readonly state: 'absent';
      readonly lastId: CapabilityId;
      /** `hidden`: not shown in another context than the one that last showed it. */
      readonly reason: 'missing' | 'hidden';
      readonly why: 'capabilities' | 'launch' | 'signed-in' | 'era' | null;
      /** The one that last showed it. */
      readonly context: Context;
    }
  | {
      readonly state: 'invalid';
      readonly lastId: CapabilityId | null;
      readonly reason: string;
      readonly context: Context;
    };
export type Catalog = Readonly<Record<CapabilityRef, CatalogEntry>>;

export type Verdict = 'approved' | 'rejected';
export interface Decision {
  /** Number of the commit that made it. */
  readonly sequence: number;
  readonly id: CapabilityId;
  readonly verdict: Verdict;
  readonly by: 'person' | 'first-seen' | 'policy';
  readonly at: string;
  /**
   * `review`: on a review item; `chosen`: on choosing; `baseline`; `route`: copied after a launch identity changed;
   * `policy`: by the server's policy.
   */
  readonly basis: 'review' | 'chosen' | 'baseline' | 'route' | 'policy';
  /** Of a policy: sequences of the decisions on the same ref that the change was classified from. It falls with them. */
  readonly basedOn?: readonly number[];
}

export interface IncidentReview {
  readonly consumer: ConsumerId;
  readonly ref: CapabilityRef;
  readonly fromId: CapabilityId | null;
  readonly targetId: CapabilityId;
  /** Asked about without a notice and without a count, when it came. */
  readonly quiet: boolean;
}
/** Something an app had, and has not any more. */
export interface IncidentLoss {
  readonly consumer: ConsumerId;
  readonly ref: CapabilityRef;
}
/** All that one observation of one server changed in what apps have. */
export interface Incident {
  readonly id: IncidentId;
  readonly server: ServerId;
  readonly at: string;
  readonly fromVersion: string | null;
  readonly toVersion: string | null;
  readonly reviews: readonly IncidentReview[];
  /** What a policy accepted: nobody is asked, and it can be undone. */
  readonly followed: readonly IncidentReview[];
  /** Removals are a notice, not a question. */
  readonly missing: readonly IncidentLoss[];
  /** What the server describes in a way that cannot be used any more: a notice, too. */
  readonly unusable: readonly IncidentLoss[];
  /** Hash of what moved in the scope, old and new ids: other scopes of the server with the same one belong to it. */
  readonly change: string;
  /** There was something to tell. */
  readonly loud: boolean;
  /** Nothing is owed to the person any more. */
  readonly notified: boolean;
}

export interface ManifestEntry {
  readonly kind: Kind;
  /** Published name, or the URI. */
  readonly name: string;
  readonly ref: CapabilityRef;
  readonly id: CapabilityId;
}
/** Immutable list for one consumer; sorted by kind and name, so that its hash is its id. */
export interface SurfaceManifest {
  readonly format: 1;
  readonly consumer: ConsumerId;
  readonly entries: readonly ManifestEntry[];
}
/** The one atomic binding of a consumer to its active manifest. */
export interface Publication {
  readonly manifestId: ManifestId;
  /** Only grows. */
  readonly epoch: number;
  readonly at: string;
}

/** A list that an app fetched. */
export interface Listed {
  readonly manifestId: ManifestId;
  /** When it first got this one; `null` where that was not written down. */
  readonly at: string | null;
}

export type PerConsumer<T> = Readonly<Record<ConsumerId, T>>;
/** Everything that is stored. Surfaces and review items are derived from it. */
export interface State {
  readonly format: 1;
  /** Number of the last commit. */
  readonly sequence: number;
  readonly servers: Readonly<Record<ServerId, Server>>;
  readonly consumers: PerConsumer<Consumer>;
  readonly profiles: Readonly<Record<ProfileId, Profile>>;
  readonly exposures: PerConsumer<Selections>;
  readonly catalogs: Readonly<Record<ScopeKey, Catalog>>;
  /** Oldest first, per ref. */
  readonly decisions: PerConsumer<Readonly<Record<CapabilityRef, readonly Decision[]>>>;
  /** `<kind>/<published name>` -> ref. Sticky: never reassigned by itself. */
  readonly names: PerConsumer<Readonly<Record<string, CapabilityRef>>>;
  readonly incidents: readonly Incident[];
  /** Outcomes that need a second, fresh connection to say the same before anything is taken away. */
  readonly confirmations: Readonly<
    Record<string, { readonly status: 'complete-empty' | 'unsupported'; readonly connection: string }>
  >;
  /** What each consumer last listed. */
  readonly lastListed: PerConsumer<Partial<Readonly<Record<ListedKind, Listed>>>>;
  /** Ids already brought into each consumer's view: a policy or an incident acts on an id once. */
  readonly seen: PerConsumer<Readonly<Record<CapabilityRef, readonly CapabilityId[]>>>;
  /** Ids that are asked about without a notice and without a count, as they were brought into view. */
  readonly quiet: PerConsumer<Readonly<Record<CapabilityRef, readonly CapabilityId[]>>>;
  /** Commits that took a policy's decision back: no policy decides that ref until a person has, later. */
  readonly stops: PerConsumer<Readonly<Record<CapabilityRef, number>>>;
  /** When a ref last moved in a scope, as far as it counts for damping (README, "Flapping"). */
  readonly moves: Readonly<Record<ScopeKey, Readonly<Record<CapabilityRef, readonly string[]>>>>;
  /** Kinds whose first complete list is approved for that consumer, because the person asked for the whole server unseen. */
  readonly baselines: PerConsumer<Readonly<Record<ServerId, readonly Kind[]>>>;
  /** Oldest first. */
  readonly rebinds: PerConsumer<readonly Rebind[]>;
  /** What a person said is not what went, per ref that went. */
  readonly apart: PerConsumer<Readonly<Record<CapabilityRef, readonly CapabilityRef[]>>>;
  readonly publications: PerConsumer<Publication>;
  readonly settings: Settings;
}
/** What a person is told of by a notification: everything, what is risky, or nothing but the tray's dot. */
export const TELLS = ['all', 'careful', 'dot'] as const;
export type Tell = (typeof TELLS)[number];
export interface Settings {
  readonly language: 'en' | 'zh-CN';
  readonly tell: Tell;
  /** `null`: not paused. Calls are gated, nothing is published. */
  readonly paused: { readonly until: string | null; readonly reason: 'person' | 'recovered' } | null;
}

/** One entry of a list, already hashed by the observer; `definition` never reaches the state. */
export type ObservedItem =
  | { readonly originKey: string; readonly id: CapabilityId; readonly definition: JsonObject }
  | { readonly originKey: string; readonly invalid: string };
export type KindOutcome =
  | { readonly status: 'complete'; readonly items: readonly ObservedItem[] }
  | { readonly status: 'complete-empty' }
  | { readonly status: 'unsupported' }
  /** Entries that good pages of it showed are evidence only. */
  | { readonly status: 'incomplete'; readonly reason: string; readonly count: number }
  | { readonly status: 'failed'; readonly reason: string };
/** One attempt to list one upstream's capabilities; kinds that were not asked for are left out. */
export interface Observation {
  readonly server: ServerId;
  /** Set where the process serves this app alone. */
  readonly consumer: ConsumerId | null;
  /** Random per connection: confirmations need two. */
  readonly connection: string;
  /** The route the items' ids were computed with. */
  readonly route: Route;
  readonly context: Context;
  readonly version: string | null;
  readonly kinds: Partial<Readonly<Record<Kind, KindOutcome>>>;
}

/** A ref with the id that was shown to the person when they chose it. */
export interface Shown {
  readonly ref: CapabilityRef;
  readonly id: CapabilityId;
  /** Shown along with its whole server, but not decided with it: its text is dangerous. */
  readonly leftOut?: true;
}
export type Target = 'all' | CapabilityKey;

/** Everything that can happen. Time enters as `at` (ISO 8601). */
export type Event = { readonly at: string } & (
  | { readonly type: 'server-added'; readonly server: Pick<Server, 'id' | 'name' | 'launch'> }
  | { readonly type: 'server-changed'; readonly server: ServerId; readonly launch: Launch }
  | { readonly type: 'server-removed'; readonly server: ServerId }
  | { readonly type: 'server-restored'; readonly server: ServerId; readonly name: string; readonly launch: Launch }
  | { readonly type: 'server-asks'; readonly server: ServerId }
  | { readonly type: 'policy-set'; readonly server: ServerId; readonly policy: Preset }
  /** A person lets the policy decide what waits already. */
  | { readonly type: 'policy-applied'; readonly server: ServerId }
  | { readonly type: 'consumer-added'; readonly consumer: ConsumerId; readonly name: string }
  | {
      readonly type: 'exposed';
      readonly consumer: ConsumerId;
      readonly server: ServerId;
      readonly target: Target;
      readonly shown: readonly Shown[];
    }
  | { readonly type: 'hidden'; readonly consumer: ConsumerId; readonly server: ServerId; readonly target: Target }
  | { readonly type: 'profile-created'; readonly profile: ProfileId; readonly name: string }
  | {
      readonly type: 'profile-added';
      readonly profile: ProfileId;
      readonly server: ServerId;
      readonly target: Target;
      readonly shown: readonly Shown[];
    }
  | {
      readonly type: 'profile-removed';
      readonly profile: ProfileId;
      readonly server: ServerId;
      readonly target: Target;
    }
  | {
      readonly type: 'profile-assigned';
      readonly profile: ProfileId;
      readonly consumer: ConsumerId;
      readonly shown: readonly Shown[];
    }
  | { readonly type: 'profile-unassigned'; readonly profile: ProfileId; readonly consumer: ConsumerId }
  | {
      readonly type: 'decided';
      readonly consumer: ConsumerId;
      readonly ref: CapabilityRef;
      readonly id: CapabilityId;
      readonly verdict: Verdict;
    }
  | {
      readonly type: 'undone';
      readonly consumer: ConsumerId;
      readonly ref: CapabilityRef;
      readonly id: CapabilityId;
      /** The decision to take out, by its sequence; refused when a later one on the same key exists. */
      readonly sequence: number;
    }
  /** What went goes on under other names: the wish moves, and what was shown is approved. */
  | {
      readonly type: 'rebound';
      readonly consumer: ConsumerId;
      readonly from: readonly CapabilityRef[];
      readonly to: readonly Shown[];
      readonly evidence: Evidence;
    }
  | {
      readonly type: 'told-apart';
      readonly consumer: ConsumerId;
      readonly ref: CapabilityRef;
      readonly others: readonly CapabilityRef[];
    }
  | { readonly type: 'observed'; readonly observation: Observation }
  | {
      readonly type: 'listed';
      readonly consumer: ConsumerId;
      readonly kind: ListedKind;
      readonly manifestId: ManifestId;
    }
  | { readonly type: 'notified'; readonly incidents: readonly IncidentId[] }
  | { readonly type: 'paused'; readonly until: string | null; readonly reason: 'person' | 'recovered' }
  | { readonly type: 'resumed' }
  | { readonly type: 'language'; readonly language: Settings['language'] }
  | { readonly type: 'tell-set'; readonly tell: Tell }
);
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

/** What a commit owes the outside; it carries the commit's sequence number and is completed at the next start. */
export type Effect =
  | { readonly type: 'list-changed'; readonly consumer: ConsumerId; readonly kinds: readonly Kind[] }
  | { readonly type: 'notice'; readonly incident: IncidentId }
  /** Observe again through a fresh connection, because a removal waits for confirmation. */
  | { readonly type: 'confirm'; readonly server: ServerId; readonly consumer: ConsumerId | null }
  /** The launch changed or the server was removed: end its processes. */
  | { readonly type: 'stop'; readonly server: ServerId };

/** Why a capability that the person wants is not in force. */
export type WithheldReason = 'changed' | 'missing' | 'hidden' | 'rejected' | 'new' | 'invalid' | 'conflict';

export type Severity = 'none' | 'compatible' | 'review' | 'breaking' | 'security';
export const SEVERITIES: readonly Severity[] = ['none', 'compatible', 'review', 'breaking', 'security'];

export interface Fact {
  readonly class: string;
  /** JSON pointer into the effective record. */
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
  readonly severity: Severity;
}
export interface Change {
  readonly kind: Kind;
  readonly originKey: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly severity: Severity;
  readonly facts: readonly Fact[];
  readonly sentences: { readonly en: readonly string[]; readonly 'zh-CN': readonly string[] };
}
