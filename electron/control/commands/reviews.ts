import { z } from 'zod';
import { BOUNDS } from '../../core/bounds.ts';
import { causeOf } from '../../core/causes.ts';
import { HoldfastError } from '../../core/errors.ts';
import type { Decision, Verdict } from '../../core/model.ts';
import { itemWithId, reviewItems, type ReviewItem } from '../../core/review.ts';
import { decisionOn } from '../../core/view.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { appInput, hashInput, nothing } from '../inputs.ts';
import { askedAs, groupId, incidentView } from '../incident-groups.ts';
import { changeOfItem, reviewView } from '../review-view.ts';
import type { ReviewView } from '../snapshot.ts';

const idInput = z
  .string()
  .regex(/^(?:rev-[0-9a-f]{1,16}|inc-\d{1,16}(?:\.[0-9a-f]{8})?)$/, 'an id looks like rev-… or inc-…');
const decideInput = z.strictObject({
  id: idInput,
  app: appInput.optional(),
  target: hashInput.optional(),
  /** Of an incident or a group: those that were shown. What has come to it since is left. */
  reviews: z.array(idInput).max(BOUNDS.items.value).optional(),
});

interface Left {
  readonly id: string;
  readonly reason: 'security' | 'stale';
}

interface Decided {
  /** Not decided: to be looked at one by one. */
  readonly left: readonly Left[];
  readonly reviews: readonly ReviewView[];
  /** Names that are on again, or off, in which apps. */
  readonly changed: readonly { readonly app: string; readonly title: string }[];
}

export const REVIEW_COMMANDS = {
  'review.list': command(nothing, (context) => listReviews(context), { inWindow: true }),
  'review.show': command(z.strictObject({ id: idInput }), (context, { id }) => showReview(context, id), {
    inWindow: true,
  }),
  'review.approve': command(decideInput, (context, input) => decide(context, input, 'approved'), { inWindow: true }),
  'review.keep-off': command(decideInput, (context, input) => decide(context, input, 'rejected'), { inWindow: true }),
  'review.undo': command(
    z.strictObject({ id: idInput, app: appInput.optional(), decision: z.int().min(1).optional() }),
    (context, input) => undo(context, input),
    { inWindow: true },
  ),
} as const;

function listReviews(context: CommandContext) {
  const reviews = reviewItems(context.state).map((item) => reviewView(context, item));
  const incidents = context.state.incidents.map((incident) =>
    incidentView(incident, context.state.servers[incident.server]?.name ?? incident.server, reviews),
  );
  return { incidents, reviews };
}

function showReview(context: CommandContext, id: string) {
  const [item] = itemsFor(context, id);
  if (item === undefined) throw new HoldfastError('REVIEW_UNKNOWN', { review: id });
  const before = item.fromId === null ? undefined : context.definition(item.fromId);
  const after = context.definition(item.targetId);
  return {
    review: reviewView(context, item),
    before: before?.definition ?? null,
    after: after?.definition ?? null,
  };
}

/**
 * A review's own item, what an incident asked about aloud, or those of its items that have one cause.
 * @throws HoldfastError REVIEW_UNKNOWN
 */
function itemsFor(context: CommandContext, id: string, app?: string): ReviewItem[] {
  const found = id.startsWith('inc-') ? itemsOfIncident(context, id) : itemWithId(context.state, id);
  const wanted = app === undefined ? found : found.filter((item) => item.consumer === app);
  if (found.length === 0) throw new HoldfastError('REVIEW_UNKNOWN', { review: id });
  if (wanted.length === 0) throw new HoldfastError('REVIEW_UNKNOWN', { review: `${id} (${app ?? ''})` });
  return wanted;
}

function itemsOfIncident(context: CommandContext, id: string): ReviewItem[] {
  const [whole] = id.split('.');
  const incident = context.state.incidents.find((one) => one.id === whole);
  if (incident === undefined) return [];
  return reviewItems(context.state).filter((item) => {
    if (item.incident !== incident.id) return false;
    const place = { app: item.consumer, ref: item.ref, targetId: item.targetId };
    const wasAsked = askedAs(incident, place)?.quiet === false;
    // Held back since: nobody is asked about it, so that no answer to the others covers it.
    if (wasAsked && item.quiet && item.state === 'pending') return false;
    if (whole === id) return wasAsked;
    return groupId(incident, { ...place, change: changeOfItem(context, item) }) === id;
  });
}

async function decide(
  context: CommandContext,
  { id, app, target, reviews }: z.output<typeof decideInput>,
  verdict: Verdict,
): Promise<Decided> {
  const items = itemsFor(context, id, app);
  if (target !== undefined && items.some((item) => item.targetId !== target))
    throw new HoldfastError('REVIEW_STALE', { target });
  const isWhole = id.startsWith('inc-');
  const shown = items.filter((item) => reviews === undefined || reviews.includes(item.id));
  const [chosen, careful] = isWhole ? splitForBulk(context, shown, verdict, id.includes('.')) : [items, []];
  const left: Left[] = [
    ...careful.map((item): Left => ({ id: item.id, reason: 'security' })),
    ...(isWhole ? items.filter((item) => isStale(item) || !shown.includes(item)) : []).map((item): Left => ({
      id: item.id,
      reason: 'stale',
    })),
  ];
  const decided: ReviewItem[] = [];
  for (const item of chosen) {
    const { consumer, ref, targetId } = item;
    try {
      await context.dispatch({ type: 'decided', at: context.now(), consumer, ref, id: targetId, verdict });
      decided.push(item);
    } catch (error) {
      // One of many has moved on meanwhile: the others are decided all the same, and it is named.
      if (!isWhole || !(error instanceof HoldfastError) || error.code !== 'REVIEW_STALE') throw error;
      left.push({ id: item.id, reason: 'stale' });
    }
  }
  return outcome(context, decided, left);
}

/** The server has moved on since it was asked about. */
function isStale({ state }: ReviewItem): boolean {
  return state === 'superseded';
}

/**
 * What may be decided together, and what has to be looked at by itself: `security` is never approved in a bunch, but for
 * first claims to be harmless, which have a click of their own.
 */
function splitForBulk(
  context: CommandContext,
  items: readonly ReviewItem[],
  verdict: Verdict,
  isOneCause: boolean,
): [together: ReviewItem[], alone: ReviewItem[]] {
  const pending = items.filter((item) => item.state === 'pending');
  const isCareful = (item: ReviewItem): boolean => {
    const change = changeOfItem(context, item);
    return verdict === 'approved' && change.severity === 'security' && !(isOneCause && causeOf(change) === 'claims');
  };
  return [pending.filter((item) => !isCareful(item)), pending.filter(isCareful)];
}

async function undo(
  context: CommandContext,
  { id, app, decision }: { id: string; app?: string | undefined; decision?: number | undefined },
): Promise<Decided> {
  const items = itemsFor(context, id, app);
  const undone = items.flatMap((item) => {
    const newest = newestDecision(context, item);
    // Of an incident, what was decided as a review; what was chosen earlier is not part of it.
    const isMeant = newest !== undefined && (id === item.id || newest.basis === 'review');
    if (id !== item.id && decision !== undefined && newest?.sequence !== decision) return [];
    return isMeant ? [{ item, sequence: decision ?? newest.sequence }] : [];
  });
  if (undone.length === 0) throw new HoldfastError('REVIEW_UNKNOWN', { review: id });
  for (const { item, sequence } of undone) {
    const { consumer, ref, targetId } = item;
    await context.dispatch({ type: 'undone', at: context.now(), consumer, ref, id: targetId, sequence });
  }
  return outcome(
    context,
    undone.map(({ item }) => item),
  );
}

function newestDecision({ state }: CommandContext, { consumer, ref, targetId }: ReviewItem): Decision | undefined {
  return decisionOn(state, consumer, ref, targetId);
}

function outcome(context: CommandContext, items: readonly ReviewItem[], left: readonly Left[] = []): Decided {
  const now = new Map(reviewItems(context.state).map((item) => [item.id, item]));
  const reviews = items.map((item) => reviewView(context, now.get(item.id) ?? item));
  return { left, reviews, changed: reviews.map(({ appName, title }) => ({ app: appName, title })) };
}
