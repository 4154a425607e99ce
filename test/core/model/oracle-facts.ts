/** What the plain history says of servers, intent and catalogs: each answer read from its first event on. */
import { capabilityRef, parseRef } from '../../../electron/core/identity.ts';
import { launchRoute } from '../../../electron/core/launch.ts';
import {
  KINDS,
  type CapabilityId,
  type CapabilityKey,
  type CapabilityRef,
  type CatalogEntry,
  type ConsumerId,
  type Context,
  type Event,
  type Kind,
  type KindOutcome,
  type Observation,
  type ObservedItem,
  type ProfileId,
  type Route,
  type ServerId,
  type Target,
} from '../../../electron/core/model.ts';
import { prefixFor } from './oracle-names.ts';

/** An event that was taken; `counts` where it is an observation that speaks for its server. */
export interface Fact {
  readonly event: Event;
  readonly counts: boolean;
}

export interface NaiveServer {
  id: ServerId;
  name: string;
  prefix: string;
  route: Route;
  isArchived: boolean;
  asks: boolean;
}

export function serversIn(history: readonly Fact[]): Map<ServerId, NaiveServer> {
  const servers = new Map<ServerId, NaiveServer>();
  for (const { event } of history) {
    if (event.type === 'server-added') {
      const { id, name, launch } = event.server;
      const prefix = prefixFor(name, id, [...servers.values()].map((other) => other.prefix)); // prettier-ignore
      servers.set(id, { id, name, prefix, route: launchRoute(launch), isArchived: false, asks: false });
    }
    if (!('server' in event) || typeof event.server !== 'string') continue;
    const server = servers.get(event.server);
    if (server === undefined) continue;
    if (event.type === 'server-changed') server.route = launchRoute(event.launch);
    if (event.type === 'server-removed') server.isArchived = true;
    if (event.type === 'server-asks') server.asks = true;
    if (event.type === 'server-restored') {
      server.isArchived = false;
      server.name = event.name;
    }
  }
  return servers;
}

/** Routes whose decisions the next complete list of this kind copies. */
export function formerRoutes(history: readonly Fact[], server: ServerId, kind: Kind): Route[] {
  let present: Route | null = null;
  let former: Route[] = [];
  for (const { event, counts } of history) {
    if (event.type === 'server-added' && event.server.id === server) present = launchRoute(event.server.launch);
    if (event.type === 'server-changed' && event.server === server) {
      const route = launchRoute(event.launch);
      if (present !== null && route !== present) former = [...former, present].filter((one) => one !== route);
      present = route;
    }
    const isOurs = event.type === 'observed' && counts && event.observation.server === server;
    if (isOurs && event.observation.kinds[kind]?.status === 'complete') former = [];
  }
  return former;
}

export interface NaiveSelection {
  all: boolean;
  chosen: CapabilityKey[];
  excluded: CapabilityKey[];
}
export interface Intent {
  readonly exposures: Map<ConsumerId, Map<ServerId, NaiveSelection>>;
  readonly profiles: Map<
    ProfileId,
    { readonly name: string; readonly selections: Map<ServerId, NaiveSelection>; consumers: ConsumerId[] }
  >;
}

export function intentIn(history: readonly Fact[]): Intent {
  const intent: Intent = { exposures: new Map(), profiles: new Map() };
  for (const { event } of history) {
    if (event.type === 'exposed') choose(ownOf(intent, event.consumer, event.server), event.target);
    if (event.type === 'hidden') hide(intent, event.consumer, event.server, event.target);
    if (event.type === 'profile-created')
      intent.profiles.set(event.profile, { name: event.name, selections: new Map(), consumers: [] });
    if (!('profile' in event)) continue;
    const profile = intent.profiles.get(event.profile);
    if (profile === undefined) continue;
    if (event.type === 'profile-added') choose(slot(profile.selections, event.server), event.target);
    if (event.type === 'profile-removed') takeOut(slot(profile.selections, event.server), event.target);
    if (event.type === 'profile-assigned' && !profile.consumers.includes(event.consumer))
      profile.consumers.push(event.consumer);
    if (event.type === 'profile-unassigned')
      profile.consumers = profile.consumers.filter((other) => other !== event.consumer);
  }
  return intent;
}

function slot(selections: Map<ServerId, NaiveSelection>, server: ServerId): NaiveSelection {
  const selection = selections.get(server) ?? { all: false, chosen: [], excluded: [] };
  selections.set(server, selection);
  return selection;
}
function ownOf(intent: Intent, consumer: ConsumerId, server: ServerId): NaiveSelection {
  const own = intent.exposures.get(consumer) ?? new Map<ServerId, NaiveSelection>();
  intent.exposures.set(consumer, own);
  return slot(own, server);
}

export const isSame = (a: CapabilityKey, b: CapabilityKey): boolean => a.kind === b.kind && a.originKey === b.originKey;
const has = (keys: readonly CapabilityKey[], wanted: CapabilityKey): boolean => keys.some((one) => isSame(one, wanted));
const without = (keys: readonly CapabilityKey[], gone: CapabilityKey): CapabilityKey[] =>
  keys.filter((one) => !isSame(one, gone));

function choose(selection: NaiveSelection, target: Target): void {
  if (target === 'all') {
    selection.all = true;
    selection.excluded = [];
  } else {
    if (!has(selection.chosen, target)) selection.chosen.push(target);
    selection.excluded = without(selection.excluded, target);
  }
}

/** What is taken out of a profile is out of it, whichever way it was in it; other sources are not touched. */
function takeOut(selection: NaiveSelection, target: Target): void {
  if (target === 'all') Object.assign(selection, { all: false, chosen: [], excluded: [] });
  else {
    selection.chosen = without(selection.chosen, target);
    if (gives(selection, target, [])) selection.excluded.push(target);
  }
}

/** What is hidden from an app is out of its surface, whatever else gives it; its own exclusions stay. */
function hide(intent: Intent, consumer: ConsumerId, server: ServerId, target: Target): void {
  const own = ownOf(intent, consumer, server);
  if (target === 'all') {
    own.all = false;
    own.chosen = [];
  } else {
    own.chosen = without(own.chosen, target);
    if (wants(intent, consumer, capabilityRef(server, target.kind, target.originKey))) own.excluded.push(target);
  }
}

/** One source. Instructions come with anything of their server that the app does not exclude itself. */
function gives(selection: NaiveSelection, wanted: CapabilityKey, ownExcluded: readonly CapabilityKey[]): boolean {
  if (has(selection.chosen, wanted)) return true;
  if (has(selection.excluded, wanted)) return false;
  if (selection.all) return true;
  return wanted.kind === 'instructions' && selection.chosen.some((one) => !has(ownExcluded, one));
}

/** Every source of one consumer for one server; the first is its own. */
export function sourcesOf(intent: Intent, consumer: ConsumerId, server: ServerId): NaiveSelection[] {
  const none: NaiveSelection = { all: false, chosen: [], excluded: [] };
  const sources = [intent.exposures.get(consumer)?.get(server) ?? none];
  for (const { selections, consumers } of intent.profiles.values())
    if (consumers.includes(consumer)) sources.push(selections.get(server) ?? none);
  return sources;
}

export function wants(intent: Intent, consumer: ConsumerId, ref: CapabilityRef): boolean {
  const { server, kind, originKey } = parseRef(ref);
  const sources = sourcesOf(intent, consumer, server);
  const ownExcluded = sources[0]?.excluded ?? [];
  if (has(ownExcluded, { kind, originKey })) return false;
  return sources.some((source) => gives(source, { kind, originKey }, ownExcluded));
}

export const speaks = (outcome: KindOutcome | undefined): boolean =>
  outcome !== undefined && outcome.status !== 'failed' && outcome.status !== 'incomplete';

/** Observations of one scope that count, oldest first; of the server's own process with `null`. */
export function observationsOf(history: readonly Fact[], server: ServerId, consumer: ConsumerId | null): Observation[] {
  const found: Observation[] = [];
  for (const { event, counts } of history)
    if (counts && event.type === 'observed' && event.observation.server === server)
      if (event.observation.consumer === consumer) found.push(event.observation);
  return found;
}

interface CountedList {
  readonly items: readonly ObservedItem[];
  readonly context: Context;
}
interface KindHistory {
  /** Lists that count as read to the end: complete ones, and what takes everything away once it is confirmed. */
  readonly lists: CountedList[];
  /** What would take everything away, and the connection that said so first. */
  readonly waiting: { readonly status: string; readonly connection: string } | null;
}

export function kindHistory(
  history: readonly Fact[],
  server: ServerId,
  consumer: ConsumerId | null,
  kind: Kind,
): KindHistory {
  const lists = consumer === null ? [] : inherited(history, server, consumer, kind);
  let waiting = null as KindHistory['waiting']; // else it counts as null for ever inside the loop
  for (const { kinds, context, connection } of observationsOf(history, server, consumer)) {
    const outcome = kinds[kind];
    if (outcome === undefined || !speaks(outcome)) continue;
    if (outcome.status === 'complete') {
      lists.push({ items: outcome.items, context });
      waiting = null;
      continue;
    }
    const nothingThere = (lists.at(-1)?.items ?? []).length === 0;
    const saysTheSame = waiting?.status === outcome.status;
    if (nothingThere || (saysTheSame && waiting?.connection !== connection)) {
      lists.push({ items: [], context });
      waiting = null;
    } else if (!saysTheSame) waiting = { status: outcome.status, connection };
  }
  return { lists, waiting };
}

/** A new scope starts as a copy of the server's catalog when its first own list arrives. */
function inherited(history: readonly Fact[], server: ServerId, consumer: ConsumerId, kind: Kind): CountedList[] {
  const first = history.findIndex(
    ({ event, counts }) =>
      counts &&
      event.type === 'observed' &&
      event.observation.server === server &&
      event.observation.consumer === consumer,
  );
  return first < 0 ? [] : [...kindHistory(history.slice(0, first), server, null, kind).lists];
}

export type NaiveCatalog = Map<CapabilityRef, CatalogEntry>;

export function catalogIn(history: readonly Fact[], server: ServerId, consumer: ConsumerId | null): NaiveCatalog {
  const catalog: NaiveCatalog = new Map();
  for (const kind of KINDS) {
    const { lists } = kindHistory(history, server, consumer, kind);
    const keys = new Set(lists.flatMap(({ items }) => items.map((one) => one.originKey)));
    for (const originKey of keys) {
      const entry = entryAfter(lists, originKey);
      if (entry !== null) catalog.set(capabilityRef(server, kind, originKey), entry);
    }
  }
  return catalog;
}

/** What all lists together say of one key. */
function entryAfter(lists: readonly CountedList[], originKey: string): CatalogEntry | null {
  let lastId: CapabilityId | null = null;
  let lastShown: Context | null = null;
  let entry: CatalogEntry | null = null;
  for (const { items, context } of lists) {
    const shown = items.find((one) => one.originKey === originKey);
    if (shown !== undefined) {
      lastShown = context;
      if ('id' in shown) lastId = shown.id;
      entry =
        'id' in shown
          ? { state: 'present', id: shown.id, context }
          : { state: 'invalid', lastId, reason: shown.invalid, context };
    } else if (lastId === null || lastShown === null) entry = null;
    else if (entry?.state !== 'absent' || entry.reason === 'hidden') {
      const why = difference(lastShown, context);
      // Hidden keeps the first reason, until a list in the old circumstances does not show it either.
      if (entry?.state === 'absent' && why !== null) continue;
      entry = { state: 'absent', lastId, reason: why === null ? 'missing' : 'hidden', why, context: lastShown };
    }
  }
  return entry;
}

function difference(was: Context, is: Context): 'signed-in' | 'launch' | 'capabilities' | 'era' | null {
  if (was.signedIn !== is.signedIn) return 'signed-in';
  if (was.launch !== is.launch) return 'launch';
  if (was.capabilities !== is.capabilities) return 'capabilities';
  return was.era === is.era ? null : 'era';
}
