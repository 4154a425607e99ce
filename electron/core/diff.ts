import { byCodeUnits } from './canonical.ts';
import { capabilityRef, parseRef } from './identity.ts';
import type { CapabilityRef, Catalog, CatalogEntry, Context, Kind, ObservedItem, ServerId } from './model.ts';
import { entriesOf } from './state.ts';

/** What moved one catalog entry. */
export interface CatalogChange {
  readonly ref: CapabilityRef;
  readonly before: CatalogEntry | undefined;
  readonly after: CatalogEntry | undefined;
}

/**
 * Applies one complete list of one kind to a catalog (README, "Observation"). What it does not show is absent; in
 * another context than the one that last showed it, it is hidden, with the reason.
 */
export function applyList(
  catalog: Catalog,
  server: ServerId,
  kind: Kind,
  items: readonly ObservedItem[],
  context: Context,
): Catalog {
  const listed = new Map(items.map((item) => [capabilityRef(server, kind, item.originKey), item]));
  const next = new Map(entriesOf(catalog));
  let changes = 0;
  const set = (ref: CapabilityRef, entry: CatalogEntry | undefined): void => {
    const before = catalog[ref];
    if (before === undefined ? entry === undefined : entry !== undefined && isSameEntry(before, entry)) return;
    changes++;
    if (entry === undefined) next.delete(ref);
    else next.set(ref, entry);
  };
  for (const [ref, item] of listed) set(ref, showItem(catalog[ref], item, context));
  for (const [ref, entry] of entriesOf(catalog))
    if (parseRef(ref).kind === kind && !listed.has(ref)) set(ref, withdraw(entry, context));
  return changes > 0 ? Object.fromEntries(next) : catalog; // keyed by refs, as before
}

/** Entries of two catalogs that differ in what they show; a change of context alone does not count. */
export function diffCatalogs(before: Catalog, after: Catalog): CatalogChange[] {
  if (before === after) return [];
  const refs = new Set([...entriesOf(before), ...entriesOf(after)].map(([ref]) => ref));
  // In the order of refs, so that the order of a list says nothing.
  return [...refs]
    .sort(byCodeUnits)
    .map((ref) => ({ ref, before: before[ref], after: after[ref] }))
    .filter((change) => !showsSame(change.before, change.after));
}

/** Does a catalog hold anything of this kind that is still there? */
export function hasEntries(catalog: Catalog, kind: Kind): boolean {
  return entriesOf(catalog).some(([ref, entry]) => entry.state !== 'absent' && parseRef(ref).kind === kind);
}

function showItem(before: CatalogEntry | undefined, item: ObservedItem, context: Context): CatalogEntry {
  if ('invalid' in item) return { state: 'invalid', lastId: lastId(before), reason: item.invalid, context };
  return { state: 'present', id: item.id, context };
}

function withdraw(entry: CatalogEntry, context: Context): CatalogEntry | undefined {
  if (entry.state === 'absent') return stillAbsent(entry, context);
  const last = lastId(entry);
  if (last === null) return undefined;
  const why = contextDifference(entry.context, context);
  const reason = why === null ? 'missing' : 'hidden';
  return { state: 'absent', lastId: last, reason, why, context: entry.context };
}

/** Hidden for its context, until a list in the context that last showed it does not show it either. */
function stillAbsent(entry: Extract<CatalogEntry, { state: 'absent' }>, context: Context): CatalogEntry {
  const isBack = entry.reason === 'hidden' && isSameContext(entry.context, context);
  return isBack ? { ...entry, reason: 'missing', why: null } : entry;
}

type Why = Extract<CatalogEntry, { state: 'absent' }>['why'];
function contextDifference(before: Context, now: Context): Why {
  if (before.signedIn !== now.signedIn) return 'signed-in';
  if (before.launch !== now.launch) return 'launch';
  if (before.capabilities !== now.capabilities) return 'capabilities';
  return before.era === now.era ? null : 'era';
}

function lastId(entry: CatalogEntry | undefined): Extract<CatalogEntry, { state: 'invalid' }>['lastId'] {
  if (entry === undefined) return null;
  return entry.state === 'present' ? entry.id : entry.lastId;
}

/** Key by key: entries read from disk may hold their keys in another order. */
function isSameEntry(a: CatalogEntry, b: CatalogEntry): boolean {
  return showsSame(a, b) && isSameContext(a.context, b.context);
}

function isSameContext(a: Context, b: Context): boolean {
  return contextDifference(a, b) === null;
}

function showsSame(a: CatalogEntry | undefined, b: CatalogEntry | undefined): boolean {
  if (a?.state === 'present') return b?.state === 'present' && a.id === b.id;
  if (a?.state === 'absent')
    return b?.state === 'absent' && a.lastId === b.lastId && a.reason === b.reason && a.why === b.why;
  if (a?.state === 'invalid') return b?.state === 'invalid' && a.lastId === b.lastId && a.reason === b.reason;
  return b === undefined;
}
