import { BOUNDS } from '../core/bounds.ts';
import { classify, type Surroundings } from '../core/classify/classify.ts';
import { parseRef } from '../core/identity.ts';
import type { CapabilityId, CapabilityRef, Change, Route, StoredDefinition } from '../core/model.ts';
import type { ReviewItem } from '../core/review.ts';
import { displayName } from '../core/sentences.ts';
import { cleanName } from '../core/display.ts';
import { decisionOn } from '../core/view.ts';
import type { CommandContext } from './context.ts';
import { otherToolNames } from './other-names.ts';
import type { ReviewView } from './snapshot.ts';

type Reader = Pick<CommandContext, 'state' | 'definition'>;

/** One review item as people see it. */
export function reviewView(reader: Reader, item: ReviewItem): ReviewView {
  const { server, kind, originKey } = parseRef(item.ref);
  const decision = decisionOn(reader.state, item.consumer, item.ref, item.targetId);
  const incident = reader.state.incidents.find(({ id }) => id === item.incident);
  const surroundings = { otherNames: otherToolNames(reader.state, server) };
  const change = changeOf(reader, item.ref, item.fromId, item.targetId, surroundings);
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
    state: item.state,
    quiet: item.quiet,
    incident: item.incident,
    at: incident?.at ?? null,
    decision: decision?.sequence ?? null,
    change,
  };
}

/** The change between two definitions of one ref. A definition that cannot be read counts as the worst. */
export function changeOf(
  reader: Pick<Reader, 'definition'>,
  ref: CapabilityRef,
  from: CapabilityId | null,
  to: CapabilityId,
  surroundings?: Surroundings,
): Change {
  const before = from === null ? null : reader.definition(from);
  const after = reader.definition(to);
  if (before !== undefined && after !== undefined) return classify(before, after, surroundings);
  const change = classify(null, after ?? before ?? unreadable(ref));
  return { ...change, change: from === null ? 'added' : 'changed', severity: 'security' };
}

function unreadable(ref: CapabilityRef): StoredDefinition {
  const { server: serverId, kind, originKey } = parseRef(ref);
  return { serverId, kind, originKey, route: '' as Route, definition: {} }; // only its name is used
}

/** What a person calls it. */
export function titleOf(reader: Pick<Reader, 'definition'>, ref: CapabilityRef, id: CapabilityId | null): string {
  const { kind, originKey } = parseRef(ref);
  return displayName((id === null ? undefined : reader.definition(id)) ?? { kind, originKey });
}
