import { BOUNDS } from '../bounds.ts';
import { changeFromBases, type ReadDefinition } from '../classify/from-bases.ts';
import { otherToolNames } from '../classify/other-names.ts';
import { parseRef } from '../identity.ts';
import type { Change, ConsumerId, EventOf, State } from '../model.ts';
import { courseOf, type Course, type News } from '../policy.ts';
import type { Step } from '../reduce.ts';
import { pendingReviews } from '../review.ts';
import { entriesOf, requireServer, put } from '../state.ts';
import { basesOf } from '../view.ts';
import { addDecisions } from './decisions.ts';
import { markQuiet, unmarkQuiet } from './selecting.ts';
import { quietly } from './small.ts';

/** News with what becomes of it. */
export type Settled = News & { readonly course: Course };

/**
 * Lets the servers' policies decide what is theirs to decide (README, "Policies"), and marks what is asked quietly.
 * @param read without it nothing is followed
 */
export function settleNews(
  state: State,
  news: readonly News[],
  at: string,
  read: ReadDefinition | null,
): { readonly state: State; readonly settled: readonly Settled[] } {
  const sequence = state.sequence + 1;
  const reader: ReadDefinition = read ?? (() => undefined);
  const changeOf = classifier(state, reader);
  const settled = news.map((one): Settled => ({ ...one, course: courseOf(state, one, reader, () => changeOf(one)) }));
  const of = (consumer: ConsumerId, course: Course): Settled[] =>
    settled.filter((one) => one.consumer === consumer && one.course === course);
  const decided = [...new Set(news.map(({ consumer }) => consumer))].reduce((current, consumer) => {
    const made = of(consumer, 'follow').map(({ ref, id }) => {
      const basedOn = basesOf(state, consumer, ref, id).map((base) => base.sequence);
      return [ref, { id, verdict: 'approved', by: 'policy', at, basis: 'policy', basedOn }] as const;
    });
    const marked = markQuiet(addDecisions(current, sequence, consumer, made), consumer, of(consumer, 'quiet'));
    return unmarkQuiet(marked, consumer, of(consumer, 'ask'));
  }, state);
  return { state: decided, settled };
}

/** The same change in several apps is compared once; beyond a bound it counts as one that cannot be read. */
function classifier(state: State, read: ReadDefinition): (news: News) => Change {
  const known = new Map<string, Change>();
  return ({ consumer, ref, id }) => {
    const bases = basesOf(state, consumer, ref, id).map((base) => base.id);
    const key = [...bases, id].join();
    const before = known.get(key);
    if (before !== undefined) return before;
    const isTooMany = known.size >= BOUNDS.followedPerList.value;
    const surroundings = { otherNames: otherToolNames(state, parseRef(ref).server) };
    const change = changeFromBases(isTooMany ? () => undefined : read, ref, bases, id, surroundings);
    known.set(key, change);
    return change;
  };
}

/** From now on; what was followed before stays, and what waits goes on waiting. */
export function onPolicySet(state: State, { server: id, policy }: EventOf<'policy-set'>): Step {
  const server = requireServer(state, id);
  if (server.policy === policy) return quietly(state);
  return quietly({ ...state, servers: put(state.servers, id, { ...server, policy }) });
}

/** A person lets the policy decide what waits of this server, as if it came into view now. */
export function onPolicyApplied(
  state: State,
  { server, at }: EventOf<'policy-applied'>,
  read: ReadDefinition | null,
): Step {
  requireServer(state, server);
  const followed = followable(state, server, read);
  if (followed.length === 0) return quietly(state);
  return quietly(settleNews(state, followed, at, read).state);
}

/** What waits of a server and would be followed by its policy. */
export function followable(
  state: State,
  server: EventOf<'policy-applied'>['server'],
  read: ReadDefinition | null,
): News[] {
  const waiting = entriesOf(state.consumers).flatMap(([consumer]) =>
    pendingReviews(state, consumer)
      .filter(({ ref }) => parseRef(ref).server === server)
      .map(({ ref, id }): News => ({ consumer, ref, id, isFirst: true, isAgain: false, isBaseline: false })),
  );
  const { settled } = settleNews(state, waiting, '', read);
  return waiting.filter((_, index) => settled[index]?.course === 'follow');
}
