import { parseRef } from './identity.ts';
import type {
  CapabilityId,
  CapabilityRef,
  Catalog,
  CatalogEntry,
  ConsumerId,
  Decision,
  Observation,
  ScopeKey,
  ServerId,
  State,
} from './model.ts';
import { entriesOf } from './state.ts';

/** Key of the scope an observation speaks for (README, "Scopes"). */
export function scopeKey(server: ServerId, consumer: ConsumerId | null): ScopeKey {
  return (consumer === null ? server : `${server}|${consumer}`) as ScopeKey; // the one place that makes the brand
}

/** The scope that serves this consumer: its own process's, once that has been observed, else the server's. */
function scopeOf(state: State, server: ServerId, consumer: ConsumerId): ScopeKey {
  const own = scopeKey(server, consumer);
  return state.servers[server]?.asks === true && state.catalogs[own] !== undefined ? own : scopeKey(server, null);
}

export function catalogOf(state: State, server: ServerId, consumer: ConsumerId): Catalog {
  return state.catalogs[scopeOf(state, server, consumer)] ?? {};
}

/** The catalog that an observation moves: its scope's own, which starts as a copy of the server's. */
export function catalogBefore(state: State, { server, consumer }: Pick<Observation, 'server' | 'consumer'>): Catalog {
  return state.catalogs[scopeKey(server, consumer)] ?? state.catalogs[scopeKey(server, null)] ?? {};
}

/** What this consumer's scope says of a ref; `undefined` where no list ever showed it. */
export function view(state: State, consumer: ConsumerId, ref: CapabilityRef): CatalogEntry | undefined {
  return catalogOf(state, parseRef(ref).server, consumer)[ref];
}

/** The id in view, where there is one. */
export function viewedId(state: State, consumer: ConsumerId, ref: CapabilityRef): CapabilityId | undefined {
  const entry = view(state, consumer, ref);
  return entry?.state === 'present' ? entry.id : undefined;
}

/** All refs of a server that a consumer could choose now, with their ids. */
export function shownBy(
  state: State,
  server: ServerId,
  consumer: ConsumerId | null,
): { ref: CapabilityRef; id: CapabilityId }[] {
  const catalog =
    consumer === null ? (state.catalogs[scopeKey(server, null)] ?? {}) : catalogOf(state, server, consumer);
  return entriesOf(catalog).flatMap(([ref, entry]) => (entry.state === 'present' ? [{ ref, id: entry.id }] : []));
}

/** Consumers whose view this scope is. */
export function consumersOf(
  state: State,
  { server, consumer }: Pick<Observation, 'server' | 'consumer'>,
): ConsumerId[] {
  const scope = scopeKey(server, consumer);
  return entriesOf(state.consumers)
    .map(([id]) => id)
    .filter((id) => scopeOf(state, server, id) === scope);
}

/** Decisions of one consumer on one ref, oldest first. */
export function decisionsOn(state: State, consumer: ConsumerId, ref: CapabilityRef): readonly Decision[] {
  return state.decisions[consumer]?.[ref] ?? [];
}

/** The newest decision on exactly this definition. */
export function decisionOn(
  state: State,
  consumer: ConsumerId,
  ref: CapabilityRef,
  id: CapabilityId,
): Decision | undefined {
  return decisionsOn(state, consumer, ref)
    .filter((decision) => decision.id === id)
    .at(-1);
}

/** Approvals that still stand and were made before the target was decided, oldest first. */
function approvalsBefore(state: State, consumer: ConsumerId, ref: CapabilityRef, target: CapabilityId): Decision[] {
  const all = decisionsOn(state, consumer, ref);
  const decided = all.findIndex(({ id }) => id === target);
  return (decided < 0 ? all : all.slice(0, decided)).filter(
    ({ id, verdict }) => verdict === 'approved' && decisionOn(state, consumer, ref, id)?.verdict === 'approved',
  );
}

/** The id that was approved last before `target`: what a change is shown from. */
export function lastApproved(
  state: State,
  consumer: ConsumerId,
  ref: CapabilityRef,
  target: CapabilityId,
): CapabilityId | null {
  return approvalsBefore(state, consumer, ref, target).at(-1)?.id ?? null;
}

/**
 * What a change to `target` is classified from, one by one: the decision that approved last, and the last one that was
 * not a policy's, so that small followed steps do not add up unseen (README, "Severity"). Where a policy turned it on,
 * nobody else approved anything: then the first of its decisions stands for that. Empty for something new.
 */
export function basesOf(state: State, consumer: ConsumerId, ref: CapabilityRef, target: CapabilityId): Decision[] {
  const approvals = approvalsBefore(state, consumer, ref, target);
  const byPerson = approvals.filter(({ by }) => by !== 'policy').at(-1) ?? approvals[0];
  return [...new Set([approvals.at(-1), byPerson])].filter((base) => base !== undefined);
}
