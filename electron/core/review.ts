import { parseRef, reviewId } from './identity.ts';
import { chosenByName, isInIntent, isOpenItem, refsInIntent } from './intent.ts';
import type { CapabilityId, CapabilityRef, ConsumerId, Decision, IncidentId, ReviewId, State } from './model.ts';
import { isHeld } from './policy.ts';
import { entriesOf } from './state.ts';
import { basesOf, decisionOn, viewedId } from './view.ts';

export interface ReviewItem {
  readonly id: ReviewId;
  readonly consumer: ConsumerId;
  readonly ref: CapabilityRef;
  /** What the change is shown from; `null` for something new. */
  readonly fromId: CapabilityId | null;
  /** All that it is classified from, `fromId` first. */
  readonly bases: readonly CapabilityId[];
  readonly targetId: CapabilityId;
  readonly state: 'pending' | 'approved' | 'kept-off' | 'superseded';
  /** Who decided it last. */
  readonly decidedBy: Decision['by'] | null;
  /** Never notifies and does not count. */
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

/** Does this item keep still? The ref is held back from policies, or it is new, came quietly, and was not chosen since. */
export function isQuiet(state: State, consumer: ConsumerId, ref: CapabilityRef, target: CapabilityId): boolean {
  if (isHeld(state, consumer, ref)) return true;
  const cameQuietly = (state.quiet[consumer]?.[ref] ?? []).includes(target);
  return cameQuietly && basesOf(state, consumer, ref, target).length === 0 && !chosenByName(state, consumer, ref);
}

/** Every review item that is pending, was part of an incident, or was decided by a review or a policy; newest incidents first. */
export function reviewItems(state: State): ReviewItem[] {
  const items = new Map<ReviewId, ReviewItem>();
  const add = (consumer: ConsumerId, ref: CapabilityRef, target: CapabilityId, incident: IncidentId | null): void => {
    const id = reviewId(consumer, ref, target);
    if (!items.has(id)) items.set(id, reviewItem(state, consumer, ref, target, incident));
  };
  for (const incident of [...state.incidents].reverse())
    for (const { consumer, ref, targetId } of [...incident.reviews, ...incident.followed])
      add(consumer, ref, targetId, incident.id);
  for (const [consumer] of entriesOf(state.consumers))
    for (const { ref, id } of pendingReviews(state, consumer)) add(consumer, ref, id, null);
  for (const [consumer, refs] of entriesOf(state.decisions))
    for (const [ref, decisions] of entriesOf(refs))
      for (const { basis, id } of decisions) if (isItem(basis)) add(consumer, ref, id, null);
  return [...items.values()];
}

/**
 * The item of an id: one there is, or anything that is wanted and in view, which can be decided though nobody was asked.
 * Empty where there is none.
 */
export function itemWithId(state: State, id: string): ReviewItem[] {
  const known = reviewItems(state).find((item) => item.id === id);
  if (known !== undefined) return [known];
  for (const [consumer] of entriesOf(state.consumers))
    for (const ref of refsInIntent(state, consumer)) {
      const viewed = viewedId(state, consumer, ref);
      if (viewed !== undefined && reviewId(consumer, ref, viewed) === id)
        return [reviewItem(state, consumer, ref, viewed, null)];
    }
  return [];
}

/** Decided by a click on an item, or instead of one. */
function isItem(basis: Decision['basis']): boolean {
  return basis === 'review' || basis === 'policy';
}

function reviewItem(
  state: State,
  consumer: ConsumerId,
  ref: CapabilityRef,
  targetId: CapabilityId,
  incident: IncidentId | null,
): ReviewItem {
  const bases = basesOf(state, consumer, ref, targetId).map(({ id }) => id);
  return {
    id: reviewId(consumer, ref, targetId),
    consumer,
    ref,
    fromId: bases[0] ?? null,
    bases,
    targetId,
    state: itemState(state, consumer, ref, targetId),
    decidedBy: decisionOn(state, consumer, ref, targetId)?.by ?? null,
    quiet: isQuiet(state, consumer, ref, targetId),
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
