import { BOUNDS } from '../core/bounds.ts';
import { changeFromBases, type ReadDefinition } from '../core/classify/from-bases.ts';
import { otherToolNames } from '../core/classify/other-names.ts';
import { parseRef } from '../core/identity.ts';
import type { CapabilityId, CapabilityRef, Change } from '../core/model.ts';
import { isReadOnly } from '../core/policy.ts';
import type { ReviewItem } from '../core/review.ts';
import { displayName } from '../core/sentences.ts';
import { cleanName } from '../core/display.ts';
import { decisionOn } from '../core/view.ts';
import type { CommandContext } from './context.ts';
import type { ReviewView } from './snapshot.ts';

type Reader = Pick<CommandContext, 'state' | 'definition'>;

/** One review item as people see it. */
export function reviewView(reader: Reader & Pick<CommandContext, 'isUnused'>, item: ReviewItem): ReviewView {
  const { server, kind, originKey } = parseRef(item.ref);
  const decision = decisionOn(reader.state, item.consumer, item.ref, item.targetId);
  const incident = reader.state.incidents.find(({ id }) => id === item.incident);
  const change = changeOfItem(reader, item);
  return {
    id: item.id,
    app: item.consumer,
    appName: cleanName(reader.state.consumers[item.consumer]?.name ?? item.consumer, BOUNDS.givenName.value),
    server,
    serverName: cleanName(reader.state.servers[server]?.name ?? server, BOUNDS.givenName.value),
    kind,
    originKey,
    title: titleOf(reader, item.ref, item.targetId),
    ref: item.ref,
    fromId: item.fromId,
    targetId: item.targetId,
    severity: change.severity,
    isReadOnly: item.state === 'pending' && isReadOnly(reader.state, item, (id) => reader.definition(id)),
    state: item.state,
    quiet: item.quiet,
    incident: item.incident,
    at: incident?.at ?? null,
    decision: decision?.sequence ?? null,
    decidedBy: item.decidedBy,
    isUnused: item.state === 'pending' && reader.isUnused(item.ref),
    change,
  };
}

const known = new WeakMap<ReadonlySet<string>, Map<string, Change>>();
/** Items that wait at a time are far fewer. */
const MAX_KNOWN = 20_000;

type Classified = Pick<ReviewItem, 'ref' | 'bases' | 'targetId'>;
/** A change as it counts, kept while the names of other servers' tools are the same. */
export function changeOfItem(reader: Reader, { ref, bases, targetId }: Classified): Change {
  const otherNames = otherToolNames(reader.state, parseRef(ref).server);
  const changes = known.get(otherNames) ?? new Map<string, Change>();
  known.set(otherNames, changes);
  const key = [...bases, targetId].join();
  const before = changes.get(key);
  if (before !== undefined) return before;
  const read: ReadDefinition = (id) => reader.definition(id);
  const change = changeFromBases(read, ref, bases, targetId, { otherNames });
  // What could not be read is asked for again; the rest never changes.
  const isReadable = [...bases, targetId].every((id) => read(id) !== undefined);
  if (isReadable && changes.size < MAX_KNOWN) changes.set(key, change);
  return change;
}

/** What a person calls it. */
export function titleOf(reader: Pick<Reader, 'definition'>, ref: CapabilityRef, id: CapabilityId | null): string {
  const { kind, originKey } = parseRef(ref);
  return displayName((id === null ? undefined : reader.definition(id)) ?? { kind, originKey });
}
