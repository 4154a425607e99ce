import { HoldfastError } from '../errors.ts';
import { parseRef } from '../identity.ts';
import { isOpenItem, NO_SELECTION, includesKey, sameKey, wantsWhole } from '../intent.ts';
import {
  KINDS,
  type CapabilityId,
  type CapabilityRef,
  type ConsumerId,
  type Kind,
  type Selection,
  type ServerId,
  type Shown,
  type State,
  type Target,
} from '../model.ts';
import { entriesOf, put } from '../state.ts';
import { decisionsOn, shownBy, viewedId } from '../view.ts';
import { addDecisions } from './decisions.ts';

/** Adds a target to a selection. Choosing the whole server takes its exclusions back; choosing one thing takes that one. */
export function select(selection: Selection, target: Target): Selection {
  if (target === 'all') return { all: true, chosen: selection.chosen, excluded: [] };
  const excluded = selection.excluded.filter((key) => !sameKey(key, target));
  if (includesKey(selection.chosen, target)) return { ...selection, excluded };
  return { ...selection, chosen: [...selection.chosen, { kind: target.kind, originKey: target.originKey }], excluded };
}

/**
 * The ids that the person was shown must be the ids in view, all of them; else they would decide what they never saw.
 * @throws HoldfastError CAPABILITY_UNKNOWN when the target is not there, REVIEW_STALE when the view has moved on.
 */
export function assertShown(
  state: State,
  server: ServerId,
  consumer: ConsumerId | null,
  target: Target,
  shown: readonly Shown[],
): void {
  const inView = new Map(shownBy(state, server, consumer).map(({ ref, id }) => [ref, id]));
  const needed = [...inView.keys()].filter((ref) => isDecidedBy(ref, target));
  if (target !== 'all' && !needed.some((ref) => isTarget(ref, target)))
    throw new HoldfastError('CAPABILITY_UNKNOWN', { kind: target.kind, name: target.originKey });
  const seen = new Map(shown.map(({ ref, id }) => [ref, id]));
  const isCurrent = needed.every((ref) => seen.get(ref) === inView.get(ref)) && seen.size === needed.length;
  if (!isCurrent) throw new HoldfastError('REVIEW_STALE', {});
}

/** Choosing anything of a server shows and decides its instructions too. */
export function isDecidedBy(ref: CapabilityRef, target: Target): boolean {
  return target === 'all' || isTarget(ref, target) || parseRef(ref).kind === 'instructions';
}

function isTarget(ref: CapabilityRef, target: Exclude<Target, 'all'>): boolean {
  return sameKey(parseRef(ref), target);
}

/**
 * Choosing decides the id that was shown, and only where there is no decision and no open item on that ref.
 * @param before the state in which the person chose: open items count as they were then
 */
export function decideShown(
  before: State,
  after: State,
  consumer: ConsumerId,
  shown: readonly Shown[],
  at: string,
): State {
  const free = shown.filter(
    ({ ref, id, leftOut }) =>
      leftOut !== true &&
      decisionsOn(before, consumer, ref).length === 0 &&
      !isOpenItem(before, consumer, ref) &&
      viewedId(after, consumer, ref) === id,
  );
  const made = free.map(({ ref, id }) => {
    return [ref, { id, verdict: 'approved', by: 'person', at, basis: 'chosen' }] as const;
  });
  return addDecisions(after, before.sequence + 1, consumer, made);
}

/** Kinds that no scope of the server ever listed: their first complete list is the baseline the person asked for. */
export function awaitBaselines(state: State, consumer: ConsumerId, server: ServerId): State {
  const known: readonly Kind[] = state.servers[server]?.known ?? [];
  const waiting = state.baselines[consumer] ?? {};
  const kinds = KINDS.filter((kind) => !known.includes(kind) || (waiting[server] ?? []).includes(kind));
  if (kinds.length === 0) return state;
  return { ...state, baselines: put(state.baselines, consumer, put(waiting, server, kinds)) };
}

/** A baseline waits only while the whole server is wanted. */
export function dropBaselines(state: State, consumer: ConsumerId): State {
  const waiting = state.baselines[consumer] ?? {};
  const kept = entriesOf(waiting).filter(([server]) => wantsWhole(state, consumer, server));
  if (kept.length === Object.keys(waiting).length) return state;
  return { ...state, baselines: put(state.baselines, consumer, Object.fromEntries(kept)) };
}

export function selectionOf(
  selections: Readonly<Record<ServerId, Selection>> | undefined,
  server: ServerId,
): Selection {
  return selections?.[server] ?? NO_SELECTION;
}

/** Kept per app and capability. An older id that comes back later is news again, which only asks a person once more. */
const MAX_SEEN = 100;

/** Ids that a person has been shown are no news. */
export function markSeen(state: State, consumer: ConsumerId, shown: readonly Shown[]): State {
  const viewed = shown.filter(({ ref, id }) => viewedId(state, consumer, ref) === id);
  const seen = withIds(state.seen[consumer], viewed);
  return seen === undefined ? state : { ...state, seen: put(state.seen, consumer, seen) };
}

/** Ids that were brought into view and are asked about without a word. */
export function markQuiet(state: State, consumer: ConsumerId, items: readonly Shown[]): State {
  const quiet = withIds(state.quiet[consumer], items);
  return quiet === undefined ? state : { ...state, quiet: put(state.quiet, consumer, quiet) };
}

/** Ids that are asked about aloud from now on. */
export function unmarkQuiet(state: State, consumer: ConsumerId, items: readonly Shown[]): State {
  const before = state.quiet[consumer] ?? {};
  const loud = items.filter(({ ref, id }) => before[ref]?.includes(id) === true);
  if (loud.length === 0) return state;
  const left = loud.map(({ ref, id }) => [ref, (before[ref] ?? []).filter((one) => one !== id)]);
  const quiet = { ...before, ...(Object.fromEntries(left) as IdLists) }; // keyed by refs, as they came
  return { ...state, quiet: put(state.quiet, consumer, quiet) };
}

type IdLists = Readonly<Record<CapabilityRef, readonly CapabilityId[]>>;
/** `undefined` where all of them are there already. */
function withIds(before: IdLists = {}, items: readonly Shown[]): IdLists | undefined {
  const fresh = items.filter(({ ref, id }) => !(before[ref] ?? []).includes(id));
  if (fresh.length === 0) return undefined;
  const added = fresh.map(({ ref, id }) => [ref, [...(before[ref] ?? []), id].slice(-MAX_SEEN)]);
  return { ...before, ...(Object.fromEntries(added) as IdLists) }; // keyed by refs, as they came
}
