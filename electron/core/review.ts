import { parseRef, reviewId } from './identity.ts';
import { isInIntent, isOpenItem, refsInIntent } from './intent.ts';
import type { CapabilityId, CapabilityRef, ConsumerId, IncidentId, ReviewId, State } from './model.ts';
import { entriesOf } from './state.ts';
import { decisionOn, decisionsOn, lastApproved, viewedId } from './view.ts';

export interface ReviewItem {
  readonly id: ReviewId;
  readonly consumer: ConsumerId;
  readonly ref: CapabilityRef;
  /** What the change is classified from; `null` for something new. */
  readonly fromId: CapabilityId | null;
  readonly targetId: CapabilityId;
  readonly state: 'pending' | 'approved' | 'kept-off' | 'superseded';
  /** Never notifies and does not count: the newest decision on the ref is a rejection. */
  readonly quiet: boolean;
  readonly incident: IncidentId | null;
}

/** review(consumer) = { (ref, id) | ref in intent, view(ref) = id, no decision on (consumer, ref, id) } */
export function pendingReviews(state: State, consumer: ConsumerId): { ref: CapabilityRef; id: CapabilityId }[] {
  return refsInIntent(state, consumer).flatMap((ref) => {
    if (isArchived(state, ref)) return [];
    const id = viewedId(state, consumer, ref);
    return id !== undefined && isOpenItem(state, consumer, ref) ? [{ ref, id }] : [];
  });
}

/** Nothing of a removed server is served, so nothing of it is asked. */
function isArchived(state: State, ref: CapabilityRef): boolean {
  return state.servers[parseRef(ref).server]?.archivedAt !== null;
}

/** Would this item keep still? */
export function isQuiet(state: State, consumer: ConsumerId, ref: CapabilityRef): boolean {
  return decisionsOn(state, consumer, ref).at(-1)?.verdict === 'rejected';
}

/** Every review item that is pending, was part of an incident, or was decided as one; newest incidents first. */
export function reviewItems(state: State): ReviewItem[] {
  const items = new Map<ReviewId, ReviewItem>();
  const add = (consumer: ConsumerId, ref: CapabilityRef, target: CapabilityId, incident: IncidentId | null): void => {
    const item = reviewItem(state, consumer, ref, target, incident);
    if (!items.has(item.id)) items.set(item.id, item);
  };
  for (const incident of [...state.incidents].reverse())
    for (const { consumer, ref, targetId } of incident.reviews) add(consumer, ref, targetId, incident.id);
  for (const [consumer] of entriesOf(state.consumers))
    for (const { ref, id } of pendingReviews(state, consumer)) add(consumer, ref, id, null);
  for (const [consumer, refs] of entriesOf(state.decisions))
    for (const [ref, decisions] of entriesOf(refs))
      for (const decision of decisions) if (decision.basis === 'review') add(consumer, ref, decision.id, null);
  return [...items.values()];
}

function reviewItem(
  state: State,
  consumer: ConsumerId,
  ref: CapabilityRef,
  targetId: CapabilityId,
  incident: IncidentId | null,
): ReviewItem {
  return {
    id: reviewId(consumer, ref, targetId),
    consumer,
    ref,
    fromId: lastApproved(state, consumer, ref, targetId),
    targetId,
    state: itemState(state, consumer, ref, targetId),
    quiet: isQuiet(state, consumer, ref),
    incident,
  };
}

function itemState(state: State, consumer: ConsumerId, ref: CapabilityRef, target: CapabilityId): ReviewItem['state'] {
  const isInView =
    !isArchived(state, ref) && viewedId(state, consumer, ref) === target && isInIntent(state, consumer, ref);
  const verdict = decisionOn(state, consumer, ref, target)?.verdict;
  if (verdict === 'approved') return 'approved';
  if (verdict === 'rejected') return 'kept-off';
  return isInView ? 'pending' : 'superseded';
}
