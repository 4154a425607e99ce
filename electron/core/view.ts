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

/** The id that was approved last before `target`: what a change is classified from. */
export function lastApproved(
  state: State,
  consumer: ConsumerId,
  ref: CapabilityRef,
  target: CapabilityId,
): CapabilityId | null {
  const approved = decisionsOn(state, consumer, ref).filter(
    ({ id, verdict }) =>
      verdict === 'approved' && id !== target && decisionOn(state, consumer, ref, id)?.verdict === 'approved',
  );
  return approved.at(-1)?.id ?? null;
}
