import { byCodeUnits } from './canonical.ts';
import { parseRef } from './identity.ts';
import { refsInIntent } from './intent.ts';
import type {
  CapabilityId,
  CapabilityRef,
  ConsumerId,
  ManifestEntry,
  State,
  SurfaceManifest,
  WithheldReason,
} from './model.ts';
import { claimNames, type NameTable } from './names.ts';
import { decisionOn, lastApproved, view } from './view.ts';

export interface Withheld {
  readonly ref: CapabilityRef;
  readonly reason: WithheldReason;
}

/** What a consumer gets, and what it wants but does not get (README, "Surface"). */
export interface Surface {
  readonly manifest: SurfaceManifest;
  readonly withheld: readonly Withheld[];
  /** The name table with what this surface claims. */
  readonly names: NameTable;
}

/**
 * surface(consumer) = { (ref, id) | ref in intent, view(ref) = id, newest decision on (consumer, ref, id) = approved,
 * name not in conflict, server not archived }
 */
export function deriveSurface(state: State, consumer: ConsumerId): Surface {
  const wanted = refsInIntent(state, consumer).filter(
    (ref) => state.servers[parseRef(ref).server]?.archivedAt === null,
  );
  const standings = wanted.map((ref) => ({ ref, standing: standing(state, consumer, ref) }));
  const inForce = standings.flatMap(({ ref, standing: { id } }) => (id === undefined ? [] : [{ ref, id }]));
  const { table, nameOf } = claimNames(
    state.names[consumer] ?? {},
    inForce.map(({ ref }) => ref),
    state.servers,
  );
  const entries = inForce.flatMap(({ ref, id }): ManifestEntry[] => {
    const name = nameOf.get(ref);
    return name === undefined ? [] : [{ kind: parseRef(ref).kind, name, ref, id }];
  });
  const withheld = standings.flatMap(({ ref, standing: { reason } }): Withheld[] => {
    if (reason !== undefined) return [{ ref, reason }];
    return nameOf.has(ref) ? [] : [{ ref, reason: 'conflict' }];
  });
  return { manifest: { format: 1, consumer, entries: entries.sort(byKindAndName) }, withheld, names: table };
}

type Standing =
  { readonly id: CapabilityId; readonly reason?: never } | { readonly id?: never; readonly reason: WithheldReason };

/** Whether one wanted capability is in force by its decisions, or why not; names aside. */
function standing(state: State, consumer: ConsumerId, ref: CapabilityRef): Standing {
  const entry = view(state, consumer, ref);
  if (entry === undefined) return { reason: 'missing' };
  if (entry.state === 'absent') return { reason: entry.reason };
  if (entry.state === 'invalid') return { reason: 'invalid' };
  const verdict = decisionOn(state, consumer, ref, entry.id)?.verdict;
  if (verdict === 'approved') return { id: entry.id };
  if (verdict === 'rejected') return { reason: 'rejected' };
  return { reason: lastApproved(state, consumer, ref, entry.id) === null ? 'new' : 'changed' };
}

function byKindAndName(a: ManifestEntry, b: ManifestEntry): number {
  return byCodeUnits(a.kind, b.kind) || byCodeUnits(a.name, b.name);
}
