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
 * @throws HoldfastError REVIEW_UNKNOWN when there is none, REVIEW_STALE when a later one was made.
 */
export function onUndone(state: State, { consumer, ref, id, sequence }: EventOf<'undone'>): Step {
  const newest = newestOn(state, consumer, ref, id);
  if (newest.sequence !== sequence) throw new HoldfastError('REVIEW_STALE', { target: id });
  const rest = decisionsOn(state, consumer, ref).filter((decision) => decision !== newest);
  return quietly(setDecisions(state, consumer, ref, rest));
}

function newestOn(state: State, consumer: ConsumerId, ref: CapabilityRef, id: CapabilityId): Decision {
  const newest = decisionOn(state, consumer, ref, id);
  if (newest === undefined) throw new HoldfastError('REVIEW_UNKNOWN', { review: ref });
  return newest;
}
