import { canonicalText } from '../core/canonical.ts';
import type { ConsumerId, ListedKind, ManifestId, SurfaceManifest } from '../core/model.ts';
import type { CommandContext } from './context.ts';
import type { FetchedLists } from '../gateway/ports.ts';
import type { FetchedView } from './snapshot.ts';

type Reader = Pick<CommandContext, 'state' | 'manifest'>;

interface Fetched {
  readonly at: string | null;
  readonly isCurrent: boolean | null;
}

/**
 * What an app last fetched, and whether it has to be restarted to see what is in force. Each of its processes counts:
 * one that goes on showing an older list is not made newer by another one. While none runs, what was last fetched by any
 * is what is known.
 */
export function fetchedBy(reader: Reader, consumer: ConsumerId, lists: readonly FetchedLists[]): FetchedView | null {
  const stored = reader.state.lastListed[consumer] ?? {};
  const known = lists.length > 0 ? lists : [stored];
  const all = known.flatMap((each) =>
    kindsOf(each).flatMap((kind): Fetched[] => {
      const list = each[kind];
      if (list === undefined) return [];
      return [{ at: list.at, isCurrent: isCurrent(reader, consumer, kind, list.manifestId) }];
    }),
  );
  if (all.length === 0) return null;
  const old = all.filter(({ isCurrent: is }) => is === false);
  if (old.length > 0) return { at: times(old)[0] ?? null, isCurrent: false };
  return { at: times(all).at(-1) ?? null, isCurrent: all.some(({ isCurrent: is }) => is === null) ? null : true };
}

function kindsOf(lists: Readonly<Partial<Record<ListedKind, unknown>>>): ListedKind[] {
  return Object.keys(lists) as ListedKind[]; // its keys
}

/** Oldest first. */
function times(fetched: readonly Fetched[]): string[] {
  return fetched.flatMap(({ at }) => at ?? []).sort();
}

/** A publication that changed other kinds only left this list as it was. */
function isCurrent(reader: Reader, consumer: ConsumerId, kind: ListedKind, listed: ManifestId): boolean | null {
  const inForce = reader.state.publications[consumer]?.manifestId;
  if (inForce === undefined) return null;
  if (inForce === listed) return true;
  const [then, now] = [reader.manifest(listed), reader.manifest(inForce)];
  return then === undefined || now === undefined ? null : textOf(then, kind) === textOf(now, kind);
}

function textOf({ entries }: SurfaceManifest, kind: ListedKind): string {
  return canonicalText(entries.flatMap((entry) => (entry.kind === kind ? [[entry.name, entry.id]] : [])));
}

/** The same, with nothing for what cannot be read. */
export function orUndefined<K, V>(read: (key: K) => V): (key: K) => V | undefined {
  return (key) => {
    try {
      return read(key);
    } catch {
      return undefined;
    }
  };
}
