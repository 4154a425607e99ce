import { isObject } from './canonical.ts';
import type { ReadDefinition } from './classify/from-bases.ts';
import { parseRef } from './identity.ts';
import { chosenByName, wantsWhole } from './intent.ts';
import { PRESETS, type CapabilityId, type CapabilityRef, type Change, type ConsumerId } from './model.ts';
import type { Decision, Fact, Preset, State, StoredDefinition } from './model.ts';
import { entriesOf } from './state.ts';
import { basesOf, decisionOn, decisionsOn } from './view.ts';

/** What becomes of something that came into an app's view: the policy decides it, or a person does, with or without a notice. */
export type Course = 'follow' | 'ask' | 'quiet';

/** Something undecided that an observation brought into an app's view. */
export interface News {
  readonly consumer: ConsumerId;
  readonly ref: CapabilityRef;
  readonly id: CapabilityId;
  /** Nothing of that ref was ever in this app's view. */
  readonly isFirst: boolean;
  /** It was in view before, quietly: no policy acts on it again. */
  readonly isAgain: boolean;
  /** A person asked for the whole server before it was listed, and this is that list. */
  readonly isBaseline: boolean;
}

/**
 * What a server's policy makes of one piece of news (README, "Policies"). It acts once, when an observation brings the id
 * into view. `change` is the news from each of its bases; it is worked out only where it counts.
 */
export function courseOf(state: State, news: News, read: ReadDefinition, change: () => Change): Course {
  const { consumer, ref, id } = news;
  if (isHeld(state, consumer, ref)) return 'quiet';
  if (news.isAgain) return 'ask';
  const preset = state.servers[parseRef(ref).server]?.policy ?? 'review';
  const bases = basesOf(state, consumer, ref, id);
  if (bases.length === 0) return courseOfNew(state, news, preset, read, change);
  if (preset === 'review' || wasRejected(state, ref, id)) return 'ask';
  return follows(preset, change(), () => wasShownReadOnly(bases, read)) ? 'follow' : 'ask';
}

/** New refs are absorbed by whole-server intent alone; what was chosen by name is asked about. */
function courseOfNew(state: State, news: News, preset: Preset, read: ReadDefinition, change: () => Change): Course {
  const { consumer, ref, id, isFirst, isBaseline } = news;
  const { server } = parseRef(ref);
  if (isBaseline || !wantsWhole(state, consumer, server) || chosenByName(state, consumer, ref)) return 'ask';
  // What was asked about loudly before goes on being asked about.
  const isKnownQuiet = (state.quiet[consumer]?.[ref] ?? []).length > 0;
  if (preset === 'follow-safe') return isFirst || isKnownQuiet ? 'quiet' : 'ask';
  if (preset === 'review' || !isFirst || wasRejected(state, ref, id)) return 'ask';
  return claimsReadOnly(read(id)) && change().severity === 'compatible' ? 'follow' : 'ask';
}

function follows(preset: Exclude<Preset, 'review'>, { severity, facts }: Change, wasReadOnly: () => boolean): boolean {
  if (severity === 'security') return false;
  if (preset === 'follow' || severity === 'compatible') return true;
  return severity === 'review' && facts.every((fact) => isSafe(fact)) && wasReadOnly();
}

/** Classes of facts of a tool that are wording and nothing else. */
const WORDING = /^(?:(?:title|description)\.(?:added|changed|removed)|(?:in|out)\.prop\.description)$/;

function isSafe({ class: name, severity }: Fact): boolean {
  return severity === 'compatible' || WORDING.test(name);
}

/** Did a person approve it as read-only, last? What was first seen was not shown. */
function wasShownReadOnly(bases: readonly Decision[], read: ReadDefinition): boolean {
  const shown = bases.at(-1);
  return shown?.by === 'person' && claimsReadOnly(read(shown.id));
}

type Item = Pick<News, 'consumer' | 'ref'> & { readonly targetId: CapabilityId };
/** A tool that a person was shown as read-only and approved, and whose definition in question still says so. */
export function isReadOnly(state: State, { consumer, ref, targetId }: Item, read: ReadDefinition): boolean {
  return claimsReadOnly(read(targetId)) && wasShownReadOnly(basesOf(state, consumer, ref, targetId), read);
}

function claimsReadOnly(definition: StoredDefinition | undefined): boolean {
  const annotations = definition?.definition['annotations'];
  return definition?.kind === 'tool' && isObject(annotations) && annotations['readOnlyHint'] === true;
}

/**
 * No policy decides this ref until a person does: the newest decision on it is a rejection, or a policy's decision on it
 * was undone. What comes is quiet.
 */
export function isHeld(state: State, consumer: ConsumerId, ref: CapabilityRef): boolean {
  // A copy across routes repeats an older decision, and is none that a person makes now.
  const decisions = decisionsOn(state, consumer, ref).filter(({ basis }) => basis !== 'route');
  if (decisions.at(-1)?.verdict === 'rejected') return true;
  const stop = state.stops[consumer]?.[ref];
  return stop !== undefined && !decisions.some(({ by, sequence }) => by === 'person' && sequence > stop);
}

/** A person kept exactly this off, in whichever app. */
function wasRejected(state: State, ref: CapabilityRef, id: CapabilityId): boolean {
  return entriesOf(state.consumers).some(([consumer]) => decisionOn(state, consumer, ref, id)?.verdict === 'rejected');
}

/** Does this preset follow less than that one? */
export function isTighter(preset: Preset, than: Preset): boolean {
  return PRESETS.indexOf(preset) < PRESETS.indexOf(than);
}
