import { BOUNDS } from '../core/bounds.ts';
import { byCodeUnits, canonicalText, sha256 } from '../core/canonical.ts';
import { classify } from '../core/classify/classify.ts';
import { otherToolNames } from '../core/classify/other-names.ts';
import { continuity, type Evidence, type Named } from '../core/continuity.ts';
import { cleanName } from '../core/display.ts';
import { hadIt } from '../core/events/rebinding.ts';
import { capabilityRef, parseRef } from '../core/identity.ts';
import { isInIntent, serversInIntent } from '../core/intent.ts';
import type { CapabilityId, CapabilityRef, Change, ConsumerId, Kind, ServerId, State } from '../core/model.ts';
import { entriesOf } from '../core/state.ts';
import { catalogOf, decisionsOn } from '../core/view.ts';
import type { CommandContext } from './context.ts';
import { titleOf } from './review-view.ts';
import type { ContinuityView, NamedView } from './snapshot.ts';

type Reader = Pick<CommandContext, 'state' | 'definition'>;

/** What may go on under other names in one app. Old and new of one kind and server. */
interface Link {
  readonly consumer: ConsumerId;
  readonly type: ContinuityView['type'];
  /** Gone; where several became one, also those that were not wanted. */
  readonly from: readonly CapabilityRef[];
  readonly to: readonly Fresh[];
}
interface Fresh {
  readonly ref: CapabilityRef;
  readonly id: CapabilityId;
  readonly evidence: Evidence;
}

/** One question, and the apps that it is about. */
export interface Question {
  readonly view: ContinuityView;
  readonly links: readonly [Link, ...Link[]];
}

/** An upgrade that changed more names than this is no rename any more, and comparing would take long. */
const MAX_COMPARED = 500;

/**
 * What went while it was wanted and what may continue it (core/README.md, "Continuity"): suggestions, which nobody but a
 * person ever applies. The same question in several apps is one.
 */
export function continuityQuestions(reader: Reader): readonly Question[] {
  const before = known.get(reader.state);
  if (before !== undefined) return before;
  const questions = questionsOf(reader);
  known.set(reader.state, questions);
  return questions;
}

const known = new WeakMap<State, readonly Question[]>();

function questionsOf(reader: Reader): Question[] {
  const { state } = reader;
  const links = entriesOf(state.consumers).flatMap(([consumer]) =>
    serversInIntent(state, consumer).flatMap((server) =>
      state.servers[server]?.archivedAt === null ? linksOf(reader, consumer, server) : [],
    ),
  );
  const groups = new Map<ContinuityView['id'], [Link, ...Link[]]>();
  for (const link of links) {
    const id = idOf(link);
    const known = groups.get(id);
    if (known === undefined) groups.set(id, [link]);
    else known.push(link);
  }
  return [...groups].map(([id, all]) => ({ view: viewOf(reader, id, all), links: all }));
}

/** Another definition of what is new is another question. */
function idOf({ type, from, to }: Link): ContinuityView['id'] {
  const text = canonicalText([type, [...from].sort(byCodeUnits), to.map(({ ref, id }) => [ref, id])]);
  return `con-${sha256(text).slice('sha256:'.length, 'sha256:'.length + 16)}`;
}

function linksOf(reader: Reader, consumer: ConsumerId, server: ServerId): Link[] {
  const { state } = reader;
  const catalog = entriesOf(catalogOf(state, server, consumer));
  const gone = catalog.filter(([, entry]) => entry.state === 'absent' && entry.reason === 'missing');
  const isMissed = ([ref]: (typeof gone)[number]): boolean =>
    isInIntent(state, consumer, ref) && hadIt(state, consumer, ref);
  if (!gone.some(isMissed) || gone.length > MAX_COMPARED) return [];
  const present = catalog.flatMap(([ref, entry]) => (entry.state === 'present' ? [{ ref, id: entry.id }] : []));
  // What is wanted and was never decided is new here; of what nobody wanted it is not known how long it was there.
  const isNew = ({ ref }: { ref: CapabilityRef }): boolean =>
    isInIntent(state, consumer, ref) && decisionsOn(state, consumer, ref).length === 0;
  const removed = gone.flatMap(([ref, entry]) => named(reader, ref, 'lastId' in entry ? entry.lastId : null));
  const added = present.filter(isNew).slice(0, MAX_COMPARED);
  const kept = present.filter((each) => !isNew(each)).slice(0, MAX_COMPARED);
  const of = (list: typeof present): Named[] => list.flatMap(({ ref, id }) => named(reader, ref, id));
  const ids = new Map(present.map(({ ref, id }) => [ref, id]));
  const rows = continuity(removed, of(added), of(kept)).flatMap((row): Row[] => {
    const [from, to] = [capabilityRef(server, row.kind, row.from), capabilityRef(server, row.kind, row.to)];
    const id = ids.get(to);
    const isApart = state.apart[consumer]?.[from]?.includes(to) === true;
    // What a person already decided, or uses, is not given another meaning.
    if (id === undefined || isApart || decisionsOn(state, consumer, to).length > 0) return [];
    return [{ from, to: { ref: to, id, evidence: row.evidence } }];
  });
  const missed = new Set(gone.filter(isMissed).map(([ref]) => ref));
  return grouped(rows, missed).map((link) => ({ consumer, ...link }));
}

interface Row {
  readonly from: CapabilityRef;
  readonly to: Fresh;
}

/** Several to one is a merge, several from one that the server itself names a split; else it is another name. */
function grouped(rows: readonly Row[], missed: ReadonlySet<CapabilityRef>): Omit<Link, 'consumer'>[] {
  const strong = rows.filter(({ to }) => to.evidence !== 'similar');
  const intoOne = new Map<CapabilityRef, Row[]>();
  for (const row of strong) intoOne.set(row.to.ref, [...(intoOne.get(row.to.ref) ?? []), row]);
  const merges = [...intoOne.values()].filter((all) => all.length > 1 && all.some(({ from }) => missed.has(from)));
  const taken = new Set(merges.flatMap((all) => all.map(({ to }) => to.ref)));
  const merged = merges.flatMap((all): Omit<Link, 'consumer'>[] => {
    const to = all[0]?.to;
    return to === undefined ? [] : [{ type: 'merged', from: all.map(({ from }) => from), to: [to] }];
  });
  const others = [...missed].flatMap((from): Omit<Link, 'consumer'>[] => {
    const all = rows.filter((row) => row.from === from && !taken.has(row.to.ref));
    if (all.length === 0) return [];
    const isSplit = all.length > 1 && all.every(({ to }) => to.evidence === 'said');
    return [{ type: isSplit ? 'split' : 'renamed', from: [from], to: all.map(({ to }) => to) }];
  });
  return [...merged, ...others];
}

function named({ definition }: Reader, ref: CapabilityRef, id: CapabilityId | null): Named[] {
  const found = id === null ? undefined : definition(id);
  const { kind, originKey } = parseRef(ref);
  return found === undefined ? [] : [{ kind, originKey, definition: found.definition }];
}

function viewOf(reader: Reader, id: ContinuityView['id'], links: Question['links']): ContinuityView {
  const { state } = reader;
  const [{ type, from, to, consumer }] = links;
  const [first] = to;
  const { server, kind } = parseRef(from[0] ?? first?.ref ?? ('' as CapabilityRef)); // neither list is ever empty
  const base = {
    id,
    kind,
    serverName: cleanName(state.servers[server]?.name ?? server, BOUNDS.givenName.value),
    apps: links.map((link) => cleanName(state.consumers[link.consumer]?.name ?? link.consumer, BOUNDS.givenName.value)),
  };
  const old = from.map((ref) => ({
    ...nameOf(reader, ref, lastIdOf(state, consumer, ref)),
    wasUsed: links.some((link) => isInIntent(state, link.consumer, ref) && hadIt(state, link.consumer, ref)),
  }));
  const now = to.map((fresh) => ({
    ...nameOf(reader, fresh.ref, fresh.id),
    basis: fresh.evidence === 'said' ? ('told' as const) : ('guess' as const),
    ...changeTo(reader, kind, from.length === 1 ? lastIdOf(state, consumer, from[0]) : null, fresh),
  }));
  return { ...base, type, old, now };
}

function nameOf(reader: Reader, ref: CapabilityRef, id: CapabilityId | null): NamedView {
  return { ref, title: titleOf(reader, ref, id) };
}

function lastIdOf(state: State, consumer: ConsumerId, ref: CapabilityRef | undefined): CapabilityId | null {
  const entry = ref === undefined ? undefined : catalogOf(state, parseRef(ref).server, consumer)[ref];
  return entry?.state === 'absent' ? entry.lastId : null;
}

/** What is different beyond the name. What cannot be read counts as the worst. */
function changeTo(
  reader: Reader,
  kind: Kind,
  from: CapabilityId | null,
  { ref, id }: Fresh,
): Pick<Change, 'severity' | 'sentences'> {
  const [before, after] = [from === null ? null : reader.definition(from), reader.definition(id)];
  if (before === undefined || after === undefined) return { severity: 'security', sentences: { en: [], 'zh-CN': [] } };
  const otherNames = otherToolNames(reader.state, parseRef(ref).server);
  // Its name is what the question is about.
  const renamed = before && {
    ...before,
    originKey: after.originKey,
    definition: withName(before.definition, after.definition, kind),
  };
  const { severity, sentences } = classify(renamed, after, { otherNames });
  return severity === 'none' ? { severity, sentences: { en: [], 'zh-CN': [] } } : { severity, sentences };
}

type Definition = NonNullable<ReturnType<Reader['definition']>>['definition'];
const NAME: Readonly<Partial<Record<Kind, string>>> = { resource: 'uri', resourceTemplate: 'uriTemplate' };
function withName(before: Definition, after: Definition, kind: Kind): Definition {
  const field = NAME[kind] ?? 'name';
  const name = after[field];
  return name === undefined ? before : { ...before, [field]: name };
}
