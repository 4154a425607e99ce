import { HoldfastError } from '../errors.ts';
import { isInIntent } from '../intent.ts';
import type { CapabilityId, CapabilityRef, ConsumerId, Decision, EventOf, State } from '../model.ts';
import type { Step } from '../reduce.ts';
import { entriesOf, put, requireConsumer } from '../state.ts';
import { decisionOn, decisionsOn, viewedId } from '../view.ts';
import { quietly } from './small.ts';

type New = Omit<Decision, 'sequence'>;

/** Appends one decision, numbered with the commit it belongs to. */
export function addDecision(
  state: State,
  sequence: number,
  consumer: ConsumerId,
  ref: CapabilityRef,
  decision: New,
): State {
  return addDecisions(state, sequence, consumer, [[ref, decision]]);
}

/** The same for many at once, in one pass: a list may be long. */
export function addDecisions(
  state: State,
  sequence: number,
  consumer: ConsumerId,
  made: readonly (readonly [CapabilityRef, New])[],
): State {
  if (made.length === 0) return state;
  const byRef = new Map(entriesOf(state.decisions[consumer] ?? {}));
  for (const [ref, decision] of made) byRef.set(ref, [...(byRef.get(ref) ?? []), { ...decision, sequence }]);
  // Keyed by refs, as before.
  const decisions = Object.fromEntries(byRef) as Record<CapabilityRef, readonly Decision[]>;
  return { ...state, decisions: put(state.decisions, consumer, decisions) };
}

function setDecisions(state: State, consumer: ConsumerId, ref: CapabilityRef, list: readonly Decision[]): State {
  const byRef = put(state.decisions[consumer] ?? {}, ref, list);
  return { ...state, decisions: put(state.decisions, consumer, byRef) };
}

/**
 * A person approves or keeps off exactly the id they saw.
 * @throws HoldfastError REVIEW_STALE when the view has moved on or the ref is no longer wanted.
 */
export function onDecided(state: State, event: EventOf<'decided'>): Step {
  const { consumer, ref, id, verdict, at } = event;
  requireConsumer(state, consumer);
  if (viewedId(state, consumer, ref) !== id || !isInIntent(state, consumer, ref))
    throw new HoldfastError('REVIEW_STALE', { target: id });
  const newest = decisionOn(state, consumer, ref, id);
  if (newest?.verdict === verdict && newest.by === 'person') return quietly(state);
  const decision: New = { id, verdict, by: 'person', at, basis: 'review' };
  return quietly(addDecision(state, state.sequence + 1, consumer, ref, decision));
}

/**
 * Takes the newest decision on exactly (consumer, ref, id) out, as if never made; the one before it is in force again.
 * What a policy decided because of it falls with it. After a policy's decision was taken out, no policy decides that ref
 * until a person does.
 * @throws HoldfastError REVIEW_UNKNOWN when there is none, REVIEW_STALE when a later one was made.
 */
export function takenOut(state: State, { consumer, ref, id, sequence }: EventOf<'undone'>): State {
  const newest = newestOn(state, consumer, ref, id);
  if (newest.sequence !== sequence) throw new HoldfastError('REVIEW_STALE', { target: id });
  return withoutDecision(state, consumer, ref, newest);
}

/** Takes one decision on a ref out with what fell with it; where a policy had decided any of it, the ref is stopped. */
export function withoutDecision(state: State, consumer: ConsumerId, ref: CapabilityRef, decision: Decision): State {
  const all = decisionsOn(state, consumer, ref);
  const fallen = fallingWith(all, decision);
  const rest = all.filter((one) => !fallen.has(one));
  const undone = setDecisions(state, consumer, ref, rest);
  return [...fallen].some(({ by }) => by === 'policy') ? withStop(undone, consumer, ref) : undone;
}

/** From the commit that is being made, no policy decides this ref until a person does. */
export function withStop(state: State, consumer: ConsumerId, ref: CapabilityRef): State {
  const stops = put(state.stops[consumer] ?? {}, ref, state.sequence + 1);
  return { ...state, stops: put(state.stops, consumer, stops) };
}

/** A decision, and what policies made of it, and of that. A base comes before what is based on it. */
function fallingWith(all: readonly Decision[], first: Decision): ReadonlySet<Decision> {
  const fallen = new Set([first]);
  for (const decision of all) {
    const isBased = [...fallen].some((base) => decision.basedOn?.includes(base.sequence));
    if (isBased) fallen.add(decision);
  }
  return fallen;
}

function newestOn(state: State, consumer: ConsumerId, ref: CapabilityRef, id: CapabilityId): Decision {
  const newest = decisionOn(state, consumer, ref, id);
  if (newest === undefined) throw new HoldfastError('REVIEW_UNKNOWN', { review: ref });
  return newest;
}
