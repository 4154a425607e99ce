import { includesKey, isInIntent } from './intent.ts';
import { parseRef } from './identity.ts';
import type { CapabilityId, CapabilityRef, ConsumerId, Decision, State } from './model.ts';
import { deriveSurface } from './surface.ts';
import { decisionOn, lastApproved, view, viewedId } from './view.ts';
import type { WhyKey } from './why-words.ts';

/** Why a capability is on or off in an app. */
export interface Standing {
  readonly isOn: boolean;
  /** Key of the sentence. */
  readonly why: WhyKey;
  /** Key of what a person can do. */
  readonly next: WhyKey;
  /** The id in view, or the last one that was. */
  readonly id: CapabilityId | null;
  /** The one in view, which can be decided. */
  readonly inView: CapabilityId | null;
  readonly decision: Decision | null;
  /** Why a definition cannot be used; the server's list or our own check says so. */
  readonly reason: string | null;
}

type Answer = Pick<Standing, 'why' | 'next'>;

/**
 * The one answer to "why is it off?" for any capability and app, known or not (README, "Why is it off").
 * @param isReadable whether the definition of an id can be read: what cannot be shown is not served
 */
export function standingOf(
  state: State,
  consumer: ConsumerId,
  ref: CapabilityRef,
  isReadable: (id: CapabilityId) => boolean,
): Standing {
  const entry = view(state, consumer, ref);
  const viewed = viewedId(state, consumer, ref) ?? null;
  const id = viewed ?? (entry === undefined || entry.state === 'present' ? null : entry.lastId);
  const decision = (viewed === null ? undefined : decisionOn(state, consumer, ref, viewed)) ?? null;
  const isOn = deriveSurface(state, consumer).manifest.entries.some((one) => one.ref === ref);
  const isLost = isOn && viewed !== null && !isReadable(viewed);
  const answer = isLost ? LOST : isOn ? onAnswer(decision) : offAnswer(state, consumer, ref);
  return {
    isOn: isOn && !isLost,
    ...answer,
    id,
    inView: viewed,
    decision,
    reason: entry?.state === 'invalid' ? entry.reason : null,
  };
}

const LOST: Answer = { why: 'unreadable', next: 'next.check' };

function onAnswer(decision: Decision | null): Answer {
  if (decision === null) return { why: 'on', next: 'next.nothing' };
  // Only what was decided as an item can be undone as one.
  const isItem = decision.basis === 'review' || decision.basis === 'policy';
  return { why: `on.${decision.by}`, next: isItem ? 'next.undo' : 'next.nothing' };
}

/** The first reason that holds, from what a person did to what the server does. */
function offAnswer(state: State, consumer: ConsumerId, ref: CapabilityRef): Answer {
  const { server, ...key } = parseRef(ref);
  if (state.servers[server]?.archivedAt !== null) return { why: 'archived', next: 'next.restore' };
  if (includesKey(state.exposures[consumer]?.[server]?.excluded ?? [], key))
    return { why: 'excluded', next: 'next.expose' };
  if (!isInIntent(state, consumer, ref)) return { why: 'unchosen', next: 'next.expose' };
  const entry = view(state, consumer, ref);
  if (entry === undefined) return { why: 'unseen', next: 'next.check' };
  if (entry.state === 'invalid') return { why: 'invalid', next: 'next.check' };
  if (entry.state === 'present') return undecidedAnswer(state, consumer, ref, entry.id);
  if (entry.reason === 'missing') return { why: 'missing', next: 'next.check' };
  const why = entry.why === 'signed-in' || entry.why === 'launch' ? (`hidden.${entry.why}` as const) : 'hidden.other';
  return { why, next: 'next.check' };
}

function undecidedAnswer(state: State, consumer: ConsumerId, ref: CapabilityRef, id: CapabilityId): Answer {
  const verdict = decisionOn(state, consumer, ref, id)?.verdict;
  if (verdict === 'approved') return { why: 'conflict', next: 'next.nothing' };
  if (verdict === 'rejected') return { why: 'rejected', next: 'next.review' };
  return { why: lastApproved(state, consumer, ref, id) !== null ? 'changed' : 'new', next: 'next.review' };
}
