import { BOUNDS } from '../bounds.ts';
import { capabilityRef } from '../identity.ts';
import type { CapabilityRef, Catalog, ServerId, State } from '../model.ts';
import { entriesOf } from '../state.ts';

/**
 * A server whose names never come back would fill the state for ever. Beyond a bound, what it no longer offers and nobody
 * decided on or chose is forgotten, the oldest first: coming back, it is new, which gives nobody anything.
 */
export function withoutForgotten(state: State, server: ServerId, catalog: Catalog): Catalog {
  const absent = entriesOf(catalog).filter(([, entry]) => entry.state === 'absent');
  const surplus = absent.length - BOUNDS.absentEntries.value;
  if (surplus <= 0) return catalog;
  const wanted = chosenRefs(state, server);
  const isHeld = (ref: CapabilityRef): boolean =>
    wanted.has(ref) || Object.values(state.decisions).some((decisions) => decisions[ref] !== undefined);
  const forgotten = new Set(absent.flatMap(([ref]) => (isHeld(ref) ? [] : [ref])).slice(0, surplus));
  return Object.fromEntries(entriesOf(catalog).filter(([ref]) => !forgotten.has(ref)));
}

/** Ids that were brought into view count only while the ref is known. */
export function withoutSeen(state: State, before: Catalog, after: Catalog): Pick<State, 'seen' | 'quiet'> {
  const forgotten = entriesOf(before).flatMap(([ref]) => (after[ref] === undefined ? [ref] : []));
  if (forgotten.length === 0) return { seen: state.seen, quiet: state.quiet };
  const gone = new Set(forgotten);
  return { seen: without(state.seen, gone), quiet: without(state.quiet, gone) };
}

function without(lists: State['seen'], gone: ReadonlySet<CapabilityRef>): State['seen'] {
  return Object.fromEntries(
    entriesOf(lists).map(([consumer, ids]) => [
      consumer,
      Object.fromEntries(entriesOf(ids).filter(([ref]) => !gone.has(ref))),
    ]),
  );
}

function chosenRefs(state: State, server: ServerId): Set<CapabilityRef> {
  const profiles = Object.values(state.profiles).map(({ selections }) => selections);
  const chosen = [...profiles, ...Object.values(state.exposures)].flatMap(
    (selections) => selections[server]?.chosen ?? [],
  );
  return new Set(chosen.map(({ kind, originKey }) => capabilityRef(server, kind, originKey)));
}
