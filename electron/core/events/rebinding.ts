import { HoldfastError } from '../errors.ts';
import { parseRef } from '../identity.ts';
import { includesKey, isInIntent, sameKey } from '../intent.ts';
import type {
  CapabilityKey,
  CapabilityRef,
  ConsumerId,
  Decision,
  EventOf,
  Selection,
  ServerId,
  State,
} from '../model.ts';
import type { Rebind } from '../rebind.ts';
import type { Step } from '../reduce.ts';
import { entriesOf, put, requireConsumer, requireServer } from '../state.ts';
import { decisionOn, decisionsOn, view, viewedId } from '../view.ts';
import { addDecisions, takenOut, withoutDecision } from './decisions.ts';
import { setExposure } from './exposure.ts';
import { markSeen, selectionOf } from './selecting.ts';
import { quietly } from './small.ts';

/** Older ones cannot be undone any more. */
const MAX_REBINDS = 200;
/** Of one ref. */
const MAX_APART = 100;

/**
 * A person says that something goes on under other names (README, "Continuity"): the wish moves from the old refs to the
 * new ones, the old approvals are retired, and the new ids are approved as shown. It is one decision of one app, local
 * to it: tool sets stay as they are, and the app's own exclusion outranks them.
 * @throws HoldfastError REVIEW_STALE where an old one is back or no longer wanted, or a new one is not what was shown.
 */
export function onRebound(state: State, event: EventOf<'rebound'>): Step {
  const { consumer, from, to, evidence, at } = event;
  const server = assertCurrent(state, event);
  const before = selectionOf(state.exposures[consumer], server);
  const moved = moveWish(state, consumer, server, event);
  const after = selectionOf(moved.exposures[consumer], server);
  const { state: retiredState, retired } = retire(moved, consumer, from);
  const sequence = state.sequence + 1;
  const made = to.map(({ ref, id }) => [ref, { id, verdict: 'approved', by: 'person', at, basis: 'review' }] as const);
  const decided = addDecisions(retiredState, sequence, consumer, made);
  const record: Rebind = { sequence, at, from, to: to.map(({ ref }) => ref), evidence, retired, before, after };
  const rebinds = [...(state.rebinds[consumer] ?? []), record].slice(-MAX_REBINDS);
  return quietly(markSeen({ ...decided, rebinds: put(decided.rebinds, consumer, rebinds) }, consumer, to));
}

function assertCurrent(state: State, { consumer, from, to }: EventOf<'rebound'>): ServerId {
  requireConsumer(state, consumer);
  const [first] = from;
  if (first === undefined || to.length === 0) throw new HoldfastError('REVIEW_STALE', {});
  const { server, kind } = parseRef(first);
  requireServer(state, server);
  const isOfTheSame = (ref: CapabilityRef): boolean => parseRef(ref).server === server && parseRef(ref).kind === kind;
  const isGone = from.every((ref) => view(state, consumer, ref)?.state === 'absent');
  const isWanted = from.some((ref) => isInIntent(state, consumer, ref));
  const isShown = to.every(({ ref, id }) => viewedId(state, consumer, ref) === id);
  const all = [...from, ...to.map(({ ref }) => ref)];
  if (!isGone || !isWanted || !isShown || !all.every(isOfTheSame)) throw new HoldfastError('REVIEW_STALE', {});
  return server;
}

/** What still is wanted through another source is taken out for this app, and what is not wanted yet is chosen. */
function moveWish(
  state: State,
  consumer: ConsumerId,
  server: ServerId,
  { from, to }: Pick<EventOf<'rebound'>, 'from' | 'to'>,
): State {
  const [old, fresh] = [from.map(keyOf), to.map(({ ref }) => keyOf(ref))];
  const own = selectionOf(state.exposures[consumer], server);
  const base: Selection = {
    all: own.all,
    chosen: own.chosen.filter((key) => !includesKey(old, key)),
    excluded: own.excluded.filter((key) => !includesKey(fresh, key)),
  };
  const without = setExposure(state, consumer, server, base);
  const excluded = [...base.excluded, ...from.filter((ref) => isInIntent(without, consumer, ref)).map(keyOf)];
  const chosen = [...base.chosen, ...to.flatMap(({ ref }) => (isInIntent(without, consumer, ref) ? [] : [keyOf(ref)]))];
  return setExposure(state, consumer, server, { ...base, chosen, excluded });
}

function keyOf(ref: CapabilityRef): CapabilityKey {
  const { kind, originKey } = parseRef(ref);
  return { kind, originKey };
}

/** What the old ones were approved as is put away; what was kept off stays kept off. */
function retire(state: State, consumer: ConsumerId, refs: readonly CapabilityRef[]) {
  const rows = refs.map((ref) => [ref, decisionsOn(state, consumer, ref)] as const);
  const only = (verdict: Decision['verdict']) =>
    rows
      .map(([ref, all]) => [ref, all.filter((made) => made.verdict === verdict)] as const)
      .filter(([, made]) => made.length > 0);
  const kept = { ...withoutRefs(state.decisions[consumer] ?? {}, refs), ...Object.fromEntries(only('rejected')) };
  return {
    state: { ...state, decisions: put(state.decisions, consumer, kept) },
    retired: Object.fromEntries(only('approved')) as Rebind['retired'], // keyed by refs, as they came
  };
}

type PerRef = Readonly<Record<CapabilityRef, readonly Decision[]>>;
function withoutRefs(decisions: PerRef, refs: readonly CapabilityRef[]): PerRef {
  return Object.fromEntries(entriesOf(decisions).filter(([ref]) => !refs.includes(ref)));
}

/**
 * Undoes a decision (see `takenOut`); one that came with a rebind takes all of that rebind back.
 * @throws HoldfastError REVIEW_UNKNOWN when there is none, REVIEW_STALE when a later one was made.
 */
export function onUndone(state: State, event: EventOf<'undone'>): Step {
  const rebind = rebindOf(state, event);
  const undone = takenOut(state, event);
  return quietly(rebind === undefined ? undone : withoutRebind(undone, event.consumer, rebind));
}

/** The rebind that made this decision. */
export function rebindOf(state: State, { consumer, ref, sequence }: Omit<EventOf<'undone'>, 'id'>): Rebind | undefined {
  return state.rebinds[consumer]?.find((one) => one.sequence === sequence && one.to.includes(ref));
}

/** Takes all of a rebind back: wish, old approvals and the decisions on the new ids, as far as they still stand. */
function withoutRebind(state: State, consumer: ConsumerId, rebind: Rebind): State {
  const { before, after, from } = rebind;
  const [first] = from;
  if (first === undefined) return state;
  const { server } = parseRef(first);
  const own = selectionOf(state.exposures[consumer], server);
  const restored = setExposure(state, consumer, server, {
    all: own.all,
    chosen: takenBack(own.chosen, before.chosen, after.chosen),
    excluded: takenBack(own.excluded, before.excluded, after.excluded),
  });
  const fallen = withoutNew(restored, consumer, rebind);
  const decisions = fallen.decisions[consumer] ?? {};
  const again = entriesOf(rebind.retired).map(([ref, made]) => [ref, inOrder([...made, ...(decisions[ref] ?? [])])]);
  const rebinds = (state.rebinds[consumer] ?? []).filter((one) => one !== rebind);
  return {
    ...fallen,
    decisions: put(fallen.decisions, consumer, { ...decisions, ...(Object.fromEntries(again) as PerRef) }),
    rebinds: put(state.rebinds, consumer, rebinds),
  };
}

/** Takes back what a rebind decided on each of the new ones, and what policies made of that. */
export function withoutNew(state: State, consumer: ConsumerId, { sequence, to }: Rebind): State {
  return to.reduce((current, ref) => {
    const made = decisionsOn(current, consumer, ref).find((decision) => decision.sequence === sequence);
    return made === undefined ? current : withoutDecision(current, consumer, ref, made);
  }, state);
}

/**
 * The half of a rebind that takes away, on a state that may not be the one it was made in: the old approvals are put
 * away, and the old ones are excluded, even where nothing that is known there gives them. Nothing is chosen or approved.
 */
export function withoutOld(state: State, { consumer, from }: EventOf<'rebound'>): State {
  const excluded = from.reduce((current, ref) => {
    const { server } = parseRef(ref);
    const old = keyOf(ref);
    const own = selectionOf(current.exposures[consumer], server);
    const others = (keys: readonly CapabilityKey[]): CapabilityKey[] => keys.filter((key) => !sameKey(key, old));
    const next: Selection = { ...own, chosen: others(own.chosen), excluded: [...others(own.excluded), old] };
    return setExposure(current, consumer, server, next);
  }, state);
  return retire(excluded, consumer, from).state;
}

function inOrder(decisions: readonly Decision[]): Decision[] {
  return [...decisions].sort((a, b) => a.sequence - b.sequence);
}

/** What came is taken out and what went is put back; what a person changed since stays. */
function takenBack(
  now: readonly CapabilityKey[],
  before: readonly CapabilityKey[],
  after: readonly CapabilityKey[],
): CapabilityKey[] {
  const isAdded = (key: CapabilityKey): boolean => includesKey(after, key) && !includesKey(before, key);
  const kept = now.filter((key) => !isAdded(key));
  const gone = before.filter((key) => !includesKey(after, key) && !kept.some((other) => sameKey(other, key)));
  return [...kept, ...gone];
}

/** A person says that these are not what went: they are not asked about it again. */
export function onToldApart(state: State, { consumer, ref, others }: EventOf<'told-apart'>): Step {
  requireConsumer(state, consumer);
  const known = state.apart[consumer]?.[ref] ?? [];
  const fresh = others.filter((other) => !known.includes(other));
  if (fresh.length === 0) return quietly(state);
  const apart = put(state.apart[consumer] ?? {}, ref, [...known, ...fresh].slice(-MAX_APART));
  return quietly({ ...state, apart: put(state.apart, consumer, apart) });
}

/** The app had it: an approval stands, and it was not kept off since. */
export function hadIt(state: State, consumer: ConsumerId, ref: CapabilityRef): boolean {
  const all = decisionsOn(state, consumer, ref);
  if (all.at(-1)?.verdict === 'rejected') return false;
  return all.some(({ id }) => decisionOn(state, consumer, ref, id)?.verdict === 'approved');
}
