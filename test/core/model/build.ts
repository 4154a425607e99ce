/** Short words for literal states: servers, apps and capabilities by name, definitions by a version label. */
import { capabilityId, capabilityRef, parseRef } from '../../../electron/core/identity.ts';
import { launchRoute } from '../../../electron/core/launch.ts';
import type {
  CapabilityId,
  CapabilityKey,
  CapabilityRef,
  ConsumerId,
  Context,
  Effect,
  Event,
  JsonObject,
  Kind,
  KindOutcome,
  Launch,
  Observation,
  ObservedItem,
  Preset,
  ProfileId,
  Route,
  ServerId,
  Shown,
  State,
  StoredDefinition,
  Target,
  Verdict,
} from '../../../electron/core/model.ts';
import { assignmentOf } from '../../../electron/core/events/profiles.ts';
import { reduce, type Reduction } from '../../../electron/core/reduce.ts';
import { pendingReviews } from '../../../electron/core/review.ts';
import { emptyState } from '../../../electron/core/state.ts';
import { deriveSurface } from '../../../electron/core/surface.ts';
import { decisionsOn, shownBy, viewedId } from '../../../electron/core/view.ts';

/** An event before it has a time. */
export type Told = Event extends infer E ? (E extends Event ? Omit<E, 'at'> : never) : never;

export const serverId = (label: string): ServerId => `s-${label}` as ServerId;
export const app = (label: string): ConsumerId => label as ConsumerId;
export const profileId = (label: string): ProfileId => `p-${label}` as ProfileId;

/** `tool/search`; instructions are `instructions/`. */
export type KeyText = `${Kind}/${string}`;
export function key(text: KeyText): CapabilityKey {
  const slash = text.indexOf('/');
  return { kind: text.slice(0, slash) as Kind, originKey: text.slice(slash + 1) };
}
export function ref(server: string, text: KeyText): CapabilityRef {
  const { kind, originKey } = key(text);
  return capabilityRef(serverId(server), kind, originKey);
}
const target = (what: 'all' | KeyText): Target => (what === 'all' ? 'all' : key(what));

export function npx(spec: string): Launch {
  return { type: 'stdio', command: 'npx', args: ['-y', spec], envNames: [] };
}

export const HERE: Context = { era: '2025', capabilities: 'roots', launch: 'key 1', signedIn: true };

const TEXT = { type: 'string' } as const;
/** Versions of a tool that differ in more than their description. */
const TOOL_VERSIONS: Readonly<Record<string, JsonObject>> = {
  // An optional input more; one that has to be given; one that sounds dangerous.
  more: { inputSchema: { type: 'object', properties: { page: TEXT } } },
  needs: { inputSchema: { type: 'object', properties: { page: TEXT }, required: ['page'] } },
  force: { inputSchema: { type: 'object', properties: { force: { type: 'boolean' } } } },
  // A claim to be harmless, and the same in other words.
  reads: { annotations: { readOnlyHint: true } },
  'reads on': { annotations: { readOnlyHint: true }, description: 'in other words' },
};

/** A version of a tool by what it has besides its name. */
export const toolWith = (fields: JsonObject): string => JSON.stringify(fields);

/**
 * One definition per kind, origin key and version label; where it is not in the table, and not made by {@link toolWith},
 * the description says the label.
 */
export function definitionOf({ kind, originKey }: CapabilityKey, version: string): JsonObject {
  const plain = { name: originKey, inputSchema: { type: 'object' } };
  switch (kind) {
    case 'tool':
      if (version.startsWith('{')) return { ...plain, ...(JSON.parse(version) as JsonObject) }; // as toolWith makes it
      return {
        ...plain,
        description: Object.hasOwn(TOOL_VERSIONS, version) ? 'v1' : version,
        ...TOOL_VERSIONS[version],
      };
    case 'prompt':
      return { name: originKey, description: version };
    case 'resource':
      return { uri: originKey, name: 'r', description: version };
    case 'resourceTemplate':
      return { uriTemplate: originKey, name: 't', description: version };
    case 'instructions':
      return { instructions: version };
  }
}

const ids = new Map<string, CapabilityId>();
const versions = new Map<CapabilityId, string>();
const definitions = new Map<CapabilityId, StoredDefinition>();
/** What the store would have. */
export const readDefinition = (id: CapabilityId): StoredDefinition | undefined => definitions.get(id);

/** The id of a version under a route; hashing is slow enough to do it once. */
function idOf(server: ServerId, route: Route, at: CapabilityKey, version: string): CapabilityId {
  const text = JSON.stringify([server, route, at.kind, at.originKey, version]);
  const known = ids.get(text);
  if (known !== undefined) return known;
  const { kind, originKey } = at;
  const stored: StoredDefinition = { serverId: server, kind, originKey, route, definition: definitionOf(at, version) };
  const id = capabilityId(stored);
  ids.set(text, id);
  definitions.set(id, stored);
  versions.set(id, version);
  return id;
}

/** The label of an id that {@link idOf} made. */
export function versionOf(id: CapabilityId): string {
  return versions.get(id) ?? id;
}

export function item(server: ServerId, route: Route, at: CapabilityKey, version: string): ObservedItem {
  return { originKey: at.originKey, id: idOf(server, route, at, version), definition: definitionOf(at, version) };
}

/** `{ search: 'v1' }`, an entry that cannot be read as `{ search: broken('why') }`, or what became of the list. */
export type Listed = Readonly<Record<string, string | Broken>> | 'empty' | 'unsupported' | 'incomplete' | 'failed';
interface Broken {
  readonly invalid: string;
}
export const broken = (reason: string): Broken => ({ invalid: reason });

function outcome(server: ServerId, route: Route, kind: Kind, listed: Listed): KindOutcome {
  if (listed === 'empty') return { status: 'complete-empty' };
  if (listed === 'unsupported') return { status: 'unsupported' };
  if (listed === 'incomplete') return { status: 'incomplete', reason: 'a page failed', count: 0 };
  if (listed === 'failed') return { status: 'failed', reason: 'time-out' };
  const items = Object.entries(listed).map(([originKey, version]) =>
    typeof version === 'string' ? item(server, route, { kind, originKey }, version) : { originKey, ...version },
  );
  return { status: 'complete', items };
}

/** Freezes all of a state; what is frozen already is not walked again. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}

/** Time of the nth event. */
export function minute(n: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
}

export type Lists = Partial<Record<Kind, Listed>>;
export interface Circumstances {
  /** Set where the process serves this app alone. */
  readonly app?: string;
  readonly connection?: string;
  readonly context?: Partial<Context>;
  readonly route?: Route;
  readonly version?: string;
}

/** One history told event by event. What was shown is read from the view, as the real commands do it. */
export class Story {
  state: State = emptyState();
  /** What the last event brought. */
  last: Reduction = { state: this.state, effects: [], manifests: [], cutOvers: [], followed: [] };
  #clock = 0;

  tell(told: Told): this {
    const event: Event = { ...told, at: minute(this.#clock++) };
    this.last = reduce(deepFreeze(this.state), deepFreeze(event), readDefinition);
    this.state = this.last.state;
    return this;
  }

  server(label: string, name = label, launch = npx(label)): this {
    return this.tell({ type: 'server-added', server: { id: serverId(label), name, launch } });
  }
  app(label: string): this {
    return this.tell({ type: 'consumer-added', consumer: app(label), name: label });
  }
  moves(server: string, launch: Launch): this {
    return this.tell({ type: 'server-changed', server: serverId(server), launch });
  }
  removes(server: string): this {
    return this.tell({ type: 'server-removed', server: serverId(server) });
  }
  restores(server: string, launch = npx(server)): this {
    return this.tell({ type: 'server-restored', server: serverId(server), name: server, launch });
  }
  follows(server: string, policy: Preset): this {
    return this.tell({ type: 'policy-set', server: serverId(server), policy });
  }
  appliesPolicy(server: string): this {
    return this.tell({ type: 'policy-applied', server: serverId(server) });
  }
  asks(server: string): this {
    return this.tell({ type: 'server-asks', server: serverId(server) });
  }

  observation(label: string, lists: Lists, circumstances: Circumstances = {}): Observation {
    const server = serverId(label);
    const route = circumstances.route ?? this.state.servers[server]?.route ?? launchRoute(npx(label));
    const kinds = Object.entries(lists) as [Kind, Listed][]; // keys of Lists are kinds
    return {
      server,
      consumer: circumstances.app === undefined ? null : app(circumstances.app),
      connection: circumstances.connection ?? 'first',
      route,
      context: { ...HERE, ...circumstances.context },
      version: circumstances.version ?? null,
      kinds: Object.fromEntries(kinds.map(([kind, listed]) => [kind, outcome(server, route, kind, listed)])),
    };
  }
  lists(server: string, lists: Lists, circumstances: Circumstances = {}): this {
    return this.tell({ type: 'observed', observation: this.observation(server, lists, circumstances) });
  }

  expose(consumer: string, server: string, what: 'all' | KeyText, shown?: readonly Shown[]): this {
    const inView = shown ?? this.shown(server, app(consumer), what);
    const event = { consumer: app(consumer), server: serverId(server), target: target(what), shown: inView };
    return this.tell({ type: 'exposed', ...event });
  }
  hide(consumer: string, server: string, what: 'all' | KeyText): this {
    return this.tell({ type: 'hidden', consumer: app(consumer), server: serverId(server), target: target(what) });
  }
  profile(label: string, server?: string, what: 'all' | KeyText = 'all'): this {
    this.tell({ type: 'profile-created', profile: profileId(label), name: label });
    return server === undefined ? this : this.add(label, server, what);
  }
  add(profile: string, server: string, what: 'all' | KeyText): this {
    const shown = this.shown(server, null, what);
    const event = { profile: profileId(profile), server: serverId(server), target: target(what), shown };
    return this.tell({ type: 'profile-added', ...event });
  }
  takeOut(profile: string, server: string, what: 'all' | KeyText): this {
    const event = { profile: profileId(profile), server: serverId(server), target: target(what) };
    return this.tell({ type: 'profile-removed', ...event });
  }
  assign(profile: string, consumer: string): this {
    const known = this.state.profiles[profileId(profile)];
    const shown = known === undefined ? [] : assignmentOf(this.state, known, app(consumer));
    return this.tell({ type: 'profile-assigned', profile: profileId(profile), consumer: app(consumer), shown });
  }
  unassign(profile: string, consumer: string): this {
    return this.tell({ type: 'profile-unassigned', profile: profileId(profile), consumer: app(consumer) });
  }

  approve(consumer: string, server: string, what: KeyText, version?: string): this {
    return this.#decide(consumer, server, what, 'approved', version);
  }
  keepOff(consumer: string, server: string, what: KeyText, version?: string): this {
    return this.#decide(consumer, server, what, 'rejected', version);
  }
  #decide(consumer: string, server: string, what: KeyText, verdict: Verdict, version: string | undefined): this {
    const inView = viewedId(this.state, app(consumer), ref(server, what));
    const id = version === undefined ? inView : this.id(server, what, version);
    if (id === undefined) throw new Error(`${what} is not in view`);
    return this.tell({ type: 'decided', consumer: app(consumer), ref: ref(server, what), id, verdict });
  }
  /** Undoes the newest decision on the ref, or the one that commit made. */
  undo(consumer: string, server: string, what: KeyText, sequence?: number): this {
    const made = decisionsOn(this.state, app(consumer), ref(server, what));
    const decision = sequence === undefined ? made.at(-1) : made.find((one) => one.sequence === sequence);
    if (decision === undefined) throw new Error(`nothing was decided on ${what}`);
    const event = { consumer: app(consumer), ref: ref(server, what), id: decision.id, sequence: decision.sequence };
    return this.tell({ type: 'undone', ...event });
  }

  /** What a person would be shown on choosing this. */
  shown(server: string, consumer: ConsumerId | null, what: 'all' | KeyText): Shown[] {
    const decided = (at: CapabilityRef): boolean =>
      what === 'all' || at === ref(server, what) || parseRef(at).kind === 'instructions';
    return shownBy(this.state, serverId(server), consumer).filter((one) => decided(one.ref));
  }
  id(server: string, what: KeyText, version: string): CapabilityId {
    const route = this.state.servers[serverId(server)]?.route ?? launchRoute(npx(server));
    return idOf(serverId(server), route, key(what), version);
  }

  /** Published name -> server and version. */
  surface(consumer: string): Record<string, string> {
    const { entries } = deriveSurface(this.state, app(consumer)).manifest;
    return Object.fromEntries(
      entries.map((entry) => [`${entry.kind}/${entry.name}`, `${serverOf(entry.ref)} ${versionOf(entry.id)}`]),
    );
  }
  /** Server and key -> why it is off. */
  withheld(consumer: string): Record<string, string> {
    const { withheld } = deriveSurface(this.state, app(consumer));
    return Object.fromEntries(withheld.map((one) => [capabilityName(one.ref), one.reason]));
  }
  /** Server, key and version of what waits for a person. */
  waiting(consumer: string): string[] {
    const items = pendingReviews(this.state, app(consumer));
    return items.map((one) => `${capabilityName(one.ref)} ${versionOf(one.id)}`).sort();
  }
  epoch(consumer: string): number {
    return this.state.publications[app(consumer)]?.epoch ?? 0;
  }
  /** Effects of one type that the last event brought. */
  effects<T extends Effect['type']>(type: T): Extract<Effect, { type: T }>[] {
    return this.last.effects.filter((effect): effect is Extract<Effect, { type: T }> => effect.type === type);
  }
}

const serverOf = (at: CapabilityRef): string => parseRef(at).server.replace(/^s-/, '');
const capabilityName = (at: CapabilityRef): string => `${serverOf(at)} ${at.slice(at.indexOf('/') + 1)}`;
