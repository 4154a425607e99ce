import type {
  CapabilityId,
  Event,
  EventOf,
  JsonObject,
  KindOutcome,
  Observation,
  ObservedItem,
} from '../core/model.ts';

/** An entry of a list as the journal keeps it: definitions are files of their own. */
type Stripped<T> = T extends { readonly definition: JsonObject } ? Omit<T, 'definition'> : T;
export type StoredItem = Stripped<ObservedItem>;
export type StoredOutcome =
  Exclude<KindOutcome, { status: 'complete' }> | { readonly status: 'complete'; readonly items: readonly StoredItem[] };
export interface StoredObservation extends Omit<Observation, 'kinds'> {
  readonly kinds: Readonly<Partial<Record<keyof Observation['kinds'], StoredOutcome>>>;
}
export type StoredEvent =
  | Exclude<Event, { type: 'observed' }>
  | (Omit<EventOf<'observed'>, 'observation'> & { readonly observation: StoredObservation });

/** The event as the journal keeps it: ids instead of definitions. */
export function stripEvent(event: Event): StoredEvent {
  if (event.type !== 'observed') return event;
  const kinds = mapKinds(event.observation.kinds, (outcome) =>
    outcome.status === 'complete' ? { ...outcome, items: outcome.items.map(stripItem) } : outcome,
  );
  return { ...event, observation: { ...event.observation, kinds } };
}

function stripItem(item: ObservedItem): StoredItem {
  return 'id' in item ? { originKey: item.originKey, id: item.id } : item;
}

/**
 * The event as it happened. An item whose definition can no longer be read becomes invalid, so that a replay takes it
 * out of every surface instead of serving something unknown.
 */
export function restoreEvent(stored: StoredEvent, definition: (id: CapabilityId) => JsonObject | undefined): Event {
  if (stored.type !== 'observed') return stored;
  const restoreItem = (item: StoredItem): ObservedItem => {
    if (!('id' in item)) return item;
    const found = definition(item.id);
    return found === undefined ? { originKey: item.originKey, invalid: 'damaged' } : { ...item, definition: found };
  };
  const kinds = mapKinds(stored.observation.kinds, (outcome) =>
    outcome.status === 'complete' ? { ...outcome, items: outcome.items.map(restoreItem) } : outcome,
  );
  return { ...stored, observation: { ...stored.observation, kinds } };
}

function mapKinds<K extends string, A, B>(
  kinds: Readonly<Partial<Record<K, A>>>,
  change: (outcome: A) => B,
): Partial<Record<K, B>> {
  const entries = Object.entries<A>(kinds as Record<string, A>); // a missing kind is no entry, never an `undefined` one
  return Object.fromEntries(entries.map(([kind, outcome]) => [kind, change(outcome)])) as Partial<Record<K, B>>; // same keys
}

/**
 * True for what takes something away from an app. After an older generation of the state had to serve, these are
 * applied again by `recover`, which leaves out what else they do; what widens is the person's to do again.
 */
export function isNarrowing(event: Event): boolean {
  return NARROWING.has(event.type) || (event.type === 'decided' && event.verdict === 'rejected');
}

const NARROWING: ReadonlySet<Event['type']> = new Set([
  'observed',
  'hidden',
  'undone',
  'rebound', // its old ones; `recover` gives nothing of the new ones
  'profile-removed',
  'profile-unassigned',
  'server-removed',
  'server-changed',
  'server-asks',
  'policy-set', // where it tightens; `recover` passes over the rest
  'paused',
] as const);
