import { BOUNDS } from '../core/bounds.ts';
import type { ReadDefinition } from '../core/classify/from-bases.ts';
import type { NoteType } from '../core/history.ts';
import { capabilityRef } from '../core/identity.ts';
import type { CapabilityId, Event, EventOf, Json, JsonObject, State, StoredDefinition } from '../core/model.ts';
import { KINDS } from '../core/model.ts';
import type { CutOver, Followed, Reduction } from '../core/reduce.ts';
import { scopeKey } from '../core/view.ts';
import type { NewLine } from '../store/journal-line.ts';

/** What an observation brought along; the store keeps the first raw definition of each id. */
export function newDefinitions(event: Event): StoredDefinition[] {
  if (event.type !== 'observed') return [];
  const { server: serverId, route, kinds } = event.observation;
  return KINDS.flatMap((kind) => {
    const outcome = kinds[kind];
    const items = outcome?.status === 'complete' ? outcome.items : [];
    return items.flatMap((item) =>
      'invalid' in item ? [] : [{ serverId, kind, originKey: item.originKey, route, definition: item.definition }],
    );
  });
}

/** The stored definitions, and those that an observation brings along. */
export function withListed(event: Event, stored: ReadDefinition): ReadDefinition {
  if (event.type !== 'observed') return stored;
  const { server: serverId, route, kinds } = event.observation;
  const listed = KINDS.flatMap((kind) => {
    const outcome = kinds[kind];
    return (outcome?.status === 'complete' ? outcome.items : []).flatMap((item) =>
      'id' in item
        ? [[item.id, { serverId, kind, originKey: item.originKey, route, definition: item.definition }] as const]
        : [],
    );
  });
  const byId = new Map(listed);
  // What is listed now is not stored yet, and one id is one meaning.
  return (id) => byId.get(id) ?? stored(id);
}

/** Does an observation list something that is in view, and whose stored definition is lost? Then it is stored again. */
export function hasUnreadable(
  event: Event,
  { catalogs }: State,
  read: (id: CapabilityId) => StoredDefinition | undefined,
): boolean {
  if (event.type !== 'observed') return false;
  const { server, consumer, kinds } = event.observation;
  const catalog = catalogs[scopeKey(server, consumer)] ?? {};
  return KINDS.some((kind) => {
    const outcome = kinds[kind];
    const items = outcome?.status === 'complete' ? outcome.items : [];
    return items.some((item) => {
      const entry = catalog[capabilityRef(server, kind, item.originKey)];
      return 'id' in item && entry?.state === 'present' && entry.id === item.id && read(item.id) === undefined;
    });
  });
}

/** One line for the event, one for every cut-over it led to, and one for what of that a policy accepted. */
export function journalLines(event: Event, { cutOvers, followed }: Reduction): NewLine[] {
  const { at } = event;
  return [
    { at, type: event.type, event },
    ...cutOvers.flatMap((cutOver) =>
      publicationLines(
        at,
        cutOver,
        followed.filter(({ consumer }) => consumer === cutOver.consumer),
      ),
    ),
  ];
}

/** An observation that changed nothing: what it was, in counts. */
export function evidenceLine({ at, type, observation }: EventOf<'observed'>): NewLine {
  const { server, consumer, connection, version, kinds } = observation;
  const counts = KINDS.flatMap((kind): [string, Json][] => {
    const outcome = kinds[kind];
    if (outcome === undefined) return [];
    const count = outcome.status === 'complete' ? outcome.items.length : 0;
    return [
      [
        kind,
        'reason' in outcome
          ? [outcome.status, outcome.reason.slice(0, BOUNDS.reasonLength.value)]
          : [outcome.status, count],
      ],
    ];
  });
  return { at, type, details: { server, consumer, connection, version, kinds: Object.fromEntries(counts) } };
}

const MAX_NAMES = 200;

function publicationLines(
  at: string,
  { consumer, publication, before, ...names }: CutOver,
  byPolicy: readonly Followed[],
): NewLine[] {
  const { manifestId, epoch } = publication;
  const [withdrawn, added, followed] = [names.withdrawn, names.added, names.followed].map((all) =>
    all.slice(0, MAX_NAMES),
  ) as [string[], string[], string[]]; // as many as were put in
  const whole: JsonObject = { consumer, manifestId, epoch, before };
  const type: NoteType = withdrawn.length > 0 ? 'contraction' : 'publication';
  const isAllFollowed = followed.length > 0 && withdrawn.length === 0 && added.length === 0;
  // Every decision is in the journal: those of persons as events, these here.
  const decisions = byPolicy.map(({ ref, id }): Json => [ref, id]);
  return [
    ...(isAllFollowed ? [] : [{ at, type, details: { ...whole, withdrawn, added } }]),
    ...(decisions.length === 0 ? [] : [{ at, type: 'followed', details: { ...whole, followed, decisions } }]),
  ];
}
