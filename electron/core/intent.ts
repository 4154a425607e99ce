import { capabilityRef, parseRef } from './identity.ts';
import type { CapabilityKey, CapabilityRef, ConsumerId, Profile, Selection, ServerId, State } from './model.ts';
import { entriesOf } from './state.ts';
import { catalogOf } from './view.ts';

export const NO_SELECTION: Selection = { all: false, chosen: [], excluded: [] };

const INSTRUCTIONS: CapabilityKey = { kind: 'instructions', originKey: '' };

export function sameKey(a: CapabilityKey, b: CapabilityKey): boolean {
  return a.kind === b.kind && a.originKey === b.originKey;
}

export function includesKey(keys: readonly CapabilityKey[], key: CapabilityKey): boolean {
  return keys.some((other) => sameKey(other, key));
}

/** Profiles this consumer uses. */
export function profilesOf(state: State, consumer: ConsumerId): Profile[] {
  return Object.values(state.profiles).filter((profile) => profile.consumers.includes(consumer));
}

function covers(selection: Selection, key: CapabilityKey): boolean {
  return includesKey(selection.chosen, key) || (selection.all && !includesKey(selection.excluded, key));
}

/** Instructions are wanted with anything of their server, unless they are taken out by themselves. */
function coversInstructions(selection: Selection, own: Selection): boolean {
  if (includesKey(selection.chosen, INSTRUCTIONS)) return true;
  if (includesKey(selection.excluded, INSTRUCTIONS)) return false;
  return selection.all || selection.chosen.some((key) => !includesKey(own.excluded, key));
}

/** Does this selection stand for anything at all? */
export function isEmptySelection(selection: Selection): boolean {
  return !selection.all && selection.chosen.length === 0 && selection.excluded.length === 0;
}

/**
 * Does the person want this capability in this app? The union of direct exposure and profiles counts; the consumer's
 * own exclusion outranks every source (README, "Intent").
 */
export function isInIntent(state: State, consumer: ConsumerId, ref: CapabilityRef): boolean {
  const { server, kind, originKey } = parseRef(ref);
  const key = { kind, originKey };
  const own = state.exposures[consumer]?.[server] ?? NO_SELECTION;
  if (includesKey(own.excluded, key)) return false;
  const sources = [own, ...profilesOf(state, consumer).map((profile) => profile.selections[server] ?? NO_SELECTION)];
  return sources.some((s) => (kind === 'instructions' ? coversInstructions(s, own) : covers(s, key)));
}

/** Servers that any source of this consumer names. */
export function serversInIntent(state: State, consumer: ConsumerId): ServerId[] {
  const sources = [
    state.exposures[consumer] ?? {},
    ...profilesOf(state, consumer).map((profile) => profile.selections),
  ];
  const named = sources.flatMap((selections) => entriesOf(selections));
  return [...new Set(named.filter(([, selection]) => selection.all || selection.chosen.length > 0).map(([id]) => id))];
}

/** Does any source of this consumer want all of a server? */
export function wantsWhole(state: State, consumer: ConsumerId, server: ServerId): boolean {
  const sources = [state.exposures[consumer], ...profilesOf(state, consumer).map((profile) => profile.selections)];
  return sources.some((selections) => selections?.[server]?.all === true);
}

/** Did the person choose this capability by itself, in any source of this consumer? */
export function chosenByName(state: State, consumer: ConsumerId, ref: CapabilityRef): boolean {
  return chosenRefs(state, consumer, parseRef(ref).server).includes(ref);
}

/** Every ref in intent: those in the catalog, absent ones included, and those chosen by name. */
export function refsInIntent(state: State, consumer: ConsumerId): CapabilityRef[] {
  const refs = serversInIntent(state, consumer).flatMap((server) => [
    ...entriesOf(catalogOf(state, server, consumer)).map(([ref]) => ref),
    ...chosenRefs(state, consumer, server),
  ]);
  return [...new Set(refs)].filter((ref) => isInIntent(state, consumer, ref));
}

function chosenRefs(state: State, consumer: ConsumerId, server: ServerId): CapabilityRef[] {
  const sources = [state.exposures[consumer], ...profilesOf(state, consumer).map((profile) => profile.selections)];
  const keys = sources.flatMap((selections) => selections?.[server]?.chosen ?? []);
  return keys.map((key) => capabilityRef(server, key.kind, key.originKey));
}

/** Wanted, in view and undecided: an open item. */
export function isOpenItem(state: State, consumer: ConsumerId, ref: CapabilityRef): boolean {
  const entry = catalogOf(state, parseRef(ref).server, consumer)[ref];
  if (entry?.state !== 'present' || !isInIntent(state, consumer, ref)) return false;
  return !(state.decisions[consumer]?.[ref] ?? []).some((decision) => decision.id === entry.id);
}
