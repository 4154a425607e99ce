import type { ReadDefinition } from './classify/from-bases.ts';
import { manifestId } from './identity.ts';
import { HoldfastError } from './errors.ts';
import { addDecision, onDecided, takenOut, withStop } from './events/decisions.ts';
import { onExposed, onHidden } from './events/exposure.ts';
import { onPolicyApplied, onPolicySet } from './events/following.ts';
import { onObserved } from './events/observed.ts';
import {
  onProfileAdded,
  onProfileAssigned,
  onProfileCreated,
  onProfileRemoved,
  onProfileUnassigned,
} from './events/profiles.ts';
import { onRebound, onToldApart, onUndone, rebindOf, withoutNew, withoutOld } from './events/rebinding.ts';
import { onServerAdded, onServerAsks, onServerChanged, onServerRemoved, onServerRestored } from './events/servers.ts';
import {
  onConsumerAdded,
  onLanguage,
  onListed,
  onNotified,
  onPaused,
  onResumed,
  onTellSet,
  quietly,
} from './events/small.ts';
import type {
  CapabilityId,
  ConsumerId,
  Effect,
  Event,
  EventOf,
  IncidentReview,
  Kind,
  ManifestId,
  Publication,
  State,
  SurfaceManifest,
} from './model.ts';
import { isTighter } from './policy.ts';
import { entriesOf, put } from './state.ts';
import { deriveSurface } from './surface.ts';
import { decisionOn, decisionsOn } from './view.ts';

/** What one event did to the facts, before publications follow. */
export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
  /** What a policy accepted. */
  readonly followed?: readonly Followed[];
}
export type Followed = Pick<IncidentReview, 'consumer' | 'ref'> & { readonly id: CapabilityId };

/** A cut-over of one consumer. */
export interface CutOver {
  readonly consumer: ConsumerId;
  readonly publication: Publication;
  readonly before: ManifestId | null;
  /** Names that were taken out, of capabilities that changed or vanished: a contraction when there are any. */
  readonly withdrawn: readonly string[];
  readonly added: readonly string[];
  /** Names that go on with another definition, because a policy accepted it. */
  readonly followed: readonly string[];
}

export interface Reduction {
  /** The same object where nothing changed: then there is nothing to commit. */
  readonly state: State;
  readonly effects: readonly Effect[];
  /** To be stored before the state that names them. */
  readonly manifests: readonly SurfaceManifest[];
  readonly cutOvers: readonly CutOver[];
  /** Decisions that policies made. */
  readonly followed: readonly Followed[];
}

type Handlers = {
  readonly [T in Event['type']]: (state: State, event: EventOf<T>, read: ReadDefinition | null) => Step;
};

const HANDLERS: Handlers = {
  'server-added': onServerAdded,
  'server-changed': onServerChanged,
  'server-removed': onServerRemoved,
  'server-restored': onServerRestored,
  'server-asks': onServerAsks,
  'policy-set': onPolicySet,
  'policy-applied': onPolicyApplied,
  'consumer-added': onConsumerAdded,
  exposed: onExposed,
  hidden: onHidden,
  'profile-created': onProfileCreated,
  'profile-added': onProfileAdded,
  'profile-removed': onProfileRemoved,
  'profile-assigned': onProfileAssigned,
  'profile-unassigned': onProfileUnassigned,
  decided: onDecided,
  undone: onUndone,
  rebound: onRebound,
  'told-apart': onToldApart,
  observed: onObserved,
  listed: onListed,
  notified: onNotified,
  paused: onPaused,
  resumed: onResumed,
  language: onLanguage,
  'tell-set': onTellSet,
};

/**
 * The only place where state changes (README, "The core is a derivation"): facts first, then one publication for every
 * consumer whose surface is another one now.
 * @param read the stored definitions, by which a policy judges a change; what depends on it is a function of ids alone.
 *   Without it no policy decides anything.
 * @throws HoldfastError where the event cannot be taken, REVIEW_STALE above all; the state is then untouched.
 */
export function reduce(state: State, event: Event, read: ReadDefinition | null = null): Reduction {
  // The table pairs each type with its handler; TypeScript cannot see that the two lookups agree.
  const handle = HANDLERS[event.type] as (state: State, event: Event, read: ReadDefinition | null) => Step;
  // Until a person confirms the restored settings, what they kept off may be among what was lost.
  const isUncertain = state.settings.paused?.reason === 'recovered';
  const step = handle(state, event, isUncertain ? null : read);
  if (step.state === state) return { ...unchanged(state), effects: step.effects };
  return publish(state, step, event.at);
}

/** What surfaces are derived from; where all of it is the same object, no surface has moved. */
const SURFACE_FACTS = ['servers', 'consumers', 'profiles', 'exposures', 'catalogs', 'decisions', 'names'] as const;

function unchanged(state: State): Reduction {
  return { state, effects: [], manifests: [], cutOvers: [], followed: [] };
}

/** Undoing a keep-off gives something back: that is the person's to do again. */
function takesRejectionOut(state: State, { consumer, ref, sequence }: EventOf<'undone'>): boolean {
  return decisionsOn(state, consumer, ref).find((made) => made.sequence === sequence)?.verdict === 'rejected';
}

function loosens(state: State, { server, policy }: EventOf<'policy-set'>): boolean {
  const known = state.servers[server];
  return known === undefined || isTighter(known.policy, policy);
}

/**
 * Applies one narrowing event of the journal again, on a state that is older than it. A rejection counts even where the
 * older view never had its target: it can only take something away; and so it is with an undo of what is not there: no
 * policy decides that ref. Of a rebind only the half that takes away counts, whatever was wanted then. No policy decides
 * anything again here, and none is loosened. What no longer applies is passed over.
 */
export function recover(state: State, event: Event): Reduction {
  if (event.type === 'undone' && takesRejectionOut(state, event)) return unchanged(state);
  if (event.type === 'policy-set' && loosens(state, event)) return unchanged(state);
  if (event.type === 'rebound') return recoverRebound(state, event);
  try {
    const rebind = event.type === 'undone' ? rebindOf(state, event) : undefined;
    if (event.type !== 'undone' || rebind === undefined) return reduce(state, event);
    // What a rebind put away would be in force again: that is the person's to do again, too.
    return publish(state, quietly(withoutNew(takenOut(state, event), event.consumer, rebind)), event.at);
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    const { at } = event;
    if (event.type === 'undone' && state.consumers[event.consumer] !== undefined)
      return publish(state, quietly(withStop(state, event.consumer, event.ref)), at);
    if (event.type !== 'decided' || event.verdict !== 'rejected') return unchanged(state);
    const { consumer, ref, id, verdict } = event;
    const decision = { id, verdict, by: 'person', at, basis: 'review' } as const;
    return publish(state, { state: addDecision(state, state.sequence + 1, consumer, ref, decision), effects: [] }, at);
  }
}

/** An app that is not known there has nothing that could be taken away. */
function recoverRebound(state: State, event: EventOf<'rebound'>): Reduction {
  if (state.consumers[event.consumer] === undefined) return unchanged(state);
  return publish(state, quietly(withoutOld(state, event)), event.at);
}

function publish(before: State, step: Step, at: string): Reduction {
  let state: State = { ...step.state, sequence: before.sequence + 1 };
  if (SURFACE_FACTS.every((fact) => state[fact] === before[fact]))
    return { ...unchanged(state), effects: step.effects };
  const cutOvers: CutOver[] = [];
  const manifests: SurfaceManifest[] = [];
  const effects: Effect[] = [...step.effects];
  for (const [consumer] of entriesOf(state.consumers)) {
    const surface = deriveSurface(state, consumer);
    const id = manifestId(surface.manifest);
    const active = state.publications[consumer];
    if (active?.manifestId === id) continue;
    const publication: Publication = { manifestId: id, epoch: (active?.epoch ?? 0) + 1, at };
    state = {
      ...state,
      names: put(state.names, consumer, surface.names),
      publications: put(state.publications, consumer, publication),
    };
    const old = active === undefined ? [] : deriveSurface(before, consumer).manifest.entries;
    const isFollowed = ({ ref, id }: Entry): boolean => decisionOn(state, consumer, ref, id)?.basis === 'policy';
    const changes = compareEntries(old, surface.manifest.entries, isFollowed);
    manifests.push(surface.manifest);
    cutOvers.push({ consumer, publication, before: active?.manifestId ?? null, ...changes.names });
    if (active !== undefined && changes.kinds.length > 0)
      effects.push({ type: 'list-changed', consumer, kinds: changes.kinds });
  }
  return { state, effects, manifests, cutOvers, followed: step.followed ?? [] };
}

type Entry = SurfaceManifest['entries'][number];

/** What is gone, what has come, and what goes on under its name with another definition. */
function compareEntries(
  old: SurfaceManifest['entries'],
  now: SurfaceManifest['entries'],
  isFollowed: (entry: Entry) => boolean,
): { kinds: Kind[]; names: Pick<CutOver, 'withdrawn' | 'added' | 'followed'> } {
  const label = ({ kind, name }: Entry): string => `${kind}/${name}`;
  const [before, after] = [old, now].map((entries) => new Map(entries.map((entry) => [label(entry), entry])));
  const moved = now.filter((entry) => before?.get(label(entry))?.id !== entry.id);
  const gone = old.filter((entry) => !after?.has(label(entry)));
  return {
    kinds: [...new Set([...gone, ...moved].map(({ kind }) => kind))],
    names: {
      withdrawn: gone.map(label),
      added: moved.filter((entry) => !before?.has(label(entry))).map(label),
      followed: moved.filter((entry) => before?.has(label(entry)) === true && isFollowed(entry)).map(label),
    },
  };
}
