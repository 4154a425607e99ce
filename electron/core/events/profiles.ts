import { HoldfastError } from '../errors.ts';
import { isInIntent, isOpenItem, NO_SELECTION } from '../intent.ts';
import type { ConsumerId, EventOf, Profile, ProfileId, ServerId, Shown, State, Target } from '../model.ts';
import type { Step } from '../reduce.ts';
import { entriesOf, put, requireConsumer, requireServer } from '../state.ts';
import { decisionOn, decisionsOn, shownBy, viewedId } from '../view.ts';
import {
  assertShown,
  awaitBaselines,
  decideShown,
  dropBaselines,
  isDecidedBy,
  markSeen,
  select,
  selectionOf,
} from './selecting.ts';
import { quietly } from './small.ts';

/** @throws HoldfastError PROFILE_NAME_TAKEN */
export function onProfileCreated(state: State, { profile, name }: EventOf<'profile-created'>): Step {
  if (Object.values(state.profiles).some((other) => other.name === name))
    throw new HoldfastError('PROFILE_NAME_TAKEN', { profile: name });
  return quietly(setProfile(state, { id: profile, name, selections: {}, consumers: [] }));
}

/** Selecting into a profile decides what was shown for each consumer that uses it. */
export function onProfileAdded(
  state: State,
  { profile: id, server, target, shown, at }: EventOf<'profile-added'>,
): Step {
  const profile = requireProfile(state, id);
  requireServer(state, server);
  assertShown(state, server, null, target, shown);
  const selection = select(selectionOf(profile.selections, server), target);
  const changed = setProfile(state, { ...profile, selections: put(profile.selections, server, selection) });
  const next = profile.consumers.reduce((current, consumer) => {
    const awaiting = target === 'all' ? awaitBaselines(current, consumer, server) : current;
    return markSeen(decideShown(state, awaiting, consumer, shown, at), consumer, shown);
  }, changed);
  return quietly(next);
}

export function onProfileRemoved(state: State, { profile: id, server, target }: EventOf<'profile-removed'>): Step {
  const profile = requireProfile(state, id);
  const selection = deselect(selectionOf(profile.selections, server), target);
  const changed = setProfile(state, { ...profile, selections: put(profile.selections, server, selection) });
  return quietly(profile.consumers.reduce(dropBaselines, changed));
}

function deselect(selection: Profile['selections'][ServerId], target: Target): Profile['selections'][ServerId] {
  if (target === 'all') return NO_SELECTION;
  const key = { kind: target.kind, originKey: target.originKey };
  const chosen = selection.chosen.filter((other) => other.kind !== key.kind || other.originKey !== key.originKey);
  // Instructions come with anything that is chosen.
  const isStillCovered = selection.all || (key.kind === 'instructions' && chosen.length > 0);
  return { ...selection, chosen, excluded: isStillCovered ? [...selection.excluded, key] : selection.excluded };
}

/**
 * Assigning selects each entry at the id shown, less what is pending or rejected for another of the profile's consumers.
 * @throws HoldfastError REVIEW_STALE when what was shown is not what is in view.
 */
export function onProfileAssigned(
  state: State,
  { profile: id, consumer, shown, at }: EventOf<'profile-assigned'>,
): Step {
  const profile = requireProfile(state, id);
  requireConsumer(state, consumer);
  if (profile.consumers.includes(consumer)) return quietly(state);
  assertAssignable(state, profile, consumer, shown);
  const assigned = setProfile(state, { ...profile, consumers: [...profile.consumers, consumer] });
  const awaiting = entriesOf(profile.selections)
    .filter(([server, selection]) => selection.all && isServed(state, server))
    .reduce((current, [server]) => awaitBaselines(current, consumer, server), assigned);
  const accepted = shown.filter((entry) => !isDisputed(state, profile, entry));
  return quietly(markSeen(decideShown(state, awaiting, consumer, accepted, at), consumer, shown));
}

/** What assigning this profile to this consumer would decide, at the ids in view now. */
export function assignmentOf(state: State, profile: Profile, consumer: ConsumerId): Shown[] {
  const assigned = setProfile(state, { ...profile, consumers: [...profile.consumers, consumer] });
  const served = entriesOf(profile.selections).filter(([server]) => isServed(state, server));
  return served.flatMap(([server, selection]) =>
    shownBy(state, server, consumer).filter(
      ({ ref }) =>
        isInIntent(assigned, consumer, ref) && (selection.all || selection.chosen.some((key) => isDecidedBy(ref, key))),
    ),
  );
}

function isServed(state: State, server: ServerId): boolean {
  return state.servers[server]?.archivedAt === null;
}

function assertAssignable(state: State, profile: Profile, consumer: ConsumerId, shown: readonly Shown[]): void {
  const inView = assignmentOf(state, profile, consumer);
  const seen = new Map(shown.map(({ ref, id: shownId }) => [ref, shownId]));
  const isCurrent = seen.size === inView.length && inView.every(({ ref, id: viewed }) => seen.get(ref) === viewed);
  if (!isCurrent) throw new HoldfastError('REVIEW_STALE', {});
}

function isDisputed(state: State, profile: Profile, { ref, id }: Shown): boolean {
  return profile.consumers.some((other) => {
    const isPending = isOpenItem(state, other, ref) && viewedId(state, other, ref) === id;
    return isPending || decisionOn(state, other, ref, id)?.verdict === 'rejected' || endsRejected(state, other, ref);
  });
}

function endsRejected(state: State, consumer: ConsumerId, ref: Shown['ref']): boolean {
  return decisionsOn(state, consumer, ref).at(-1)?.verdict === 'rejected';
}

export function onProfileUnassigned(state: State, { profile: id, consumer }: EventOf<'profile-unassigned'>): Step {
  const profile = requireProfile(state, id);
  if (!profile.consumers.includes(consumer)) return quietly(state);
  const consumers = profile.consumers.filter((other) => other !== consumer);
  return quietly(dropBaselines(setProfile(state, { ...profile, consumers }), consumer));
}

/** @throws HoldfastError PROFILE_NOT_FOUND */
function requireProfile(state: State, id: ProfileId): Profile {
  const profile = state.profiles[id];
  if (profile === undefined) throw new HoldfastError('PROFILE_NOT_FOUND', { profile: id });
  return profile;
}

function setProfile(state: State, profile: Profile): State {
  return { ...state, profiles: put(state.profiles, profile.id, profile) };
}
