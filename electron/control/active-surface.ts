import { cleanName } from '../core/display.ts';
import { parseRef } from '../core/identity.ts';
import type {
  CapabilityId,
  ConsumerId,
  JsonObject,
  ListedKind,
  ManifestEntry,
  State,
  StoredDefinition,
  WithheldReason,
} from '../core/model.ts';
import { LISTED_KINDS } from '../core/model.ts';
import { entriesOf } from '../core/state.ts';
import { deriveSurface } from '../core/surface.ts';
import { catalogOf } from '../core/view.ts';
import { surfaceKey, type ActiveSurface, type Refusal, type SurfaceEntry } from '../gateway/ports.ts';

type ReadDefinition = (id: CapabilityId) => StoredDefinition | undefined;

/**
 * One publication as the data plane serves it. A definition that cannot be read leaves its entry out: what cannot be
 * shown is not served.
 */
export function buildActiveSurface(
  state: State,
  consumer: ConsumerId,
  read: ReadDefinition,
): ActiveSurface | undefined {
  const publication = state.publications[consumer];
  if (publication === undefined) return undefined;
  const { manifest, withheld } = deriveSurface(state, consumer);
  const readable = manifest.entries.flatMap((entry) => {
    const stored = read(entry.id);
    return stored === undefined ? [] : [{ entry, stored }];
  });
  const unreadable = manifest.entries.filter(({ id }) => read(id) === undefined);
  const reasons = new Map<ManifestEntry['ref'], WithheldReason>([
    ...withheld.map(({ ref, reason }): [ManifestEntry['ref'], WithheldReason] => [ref, reason]),
    ...unreadable.map(({ ref }): [ManifestEntry['ref'], WithheldReason] => [ref, 'invalid']),
  ]);
  const served = readable.map(({ entry }) => entry);
  return {
    consumer,
    manifestId: publication.manifestId,
    epoch: publication.epoch,
    entries: new Map(readable.map(({ entry }) => [surfaceKey(entry.kind, entry.name), routed(entry)])),
    refusals: refusalsOf(state, consumer, served, reasons),
    lists: listsOf(readable),
    instructions: instructionsOf(state, readable),
  };
}

function routed({ kind, name, ref, id }: ManifestEntry): SurfaceEntry {
  const { server, originKey } = parseRef(ref);
  return { kind, name, ref, id, server, originKey };
}

/**
 * Every name that this consumer ever had and has not now, and every listed resource of its servers that is off: what is
 * listed is never read through a template. What the person took back, or never chose, was turned off by them.
 */
function refusalsOf(
  state: State,
  consumer: ConsumerId,
  served: readonly ManifestEntry[],
  reasons: ReadonlyMap<ManifestEntry['ref'], WithheldReason>,
): ReadonlyMap<string, Refusal> {
  const inForce = new Set(served.map(({ kind, name }) => surfaceKey(kind, name)));
  const servers = new Set(served.map(({ ref }) => parseRef(ref).server));
  const listed = [...servers].flatMap((server) => entriesOf(catalogOf(state, server, consumer)));
  const off = listed.flatMap(([ref]): [string, ManifestEntry['ref']][] => {
    const { kind, originKey } = parseRef(ref);
    return kind === 'resource' || kind === 'resourceTemplate' ? [[surfaceKey(kind, originKey), ref]] : [];
  });
  const named = entriesOf(state.names[consumer] ?? {});
  const gone = [...off, ...named].filter(([key]) => !inForce.has(key));
  return new Map(
    gone.map(([key, ref]): [string, Refusal] => {
      const { server } = parseRef(ref);
      const isArchived = state.servers[server]?.archivedAt !== null;
      return [key, { ref, server, reason: isArchived ? 'missing' : (reasons.get(ref) ?? 'rejected') }];
    }),
  );
}

interface Readable {
  readonly entry: ManifestEntry;
  readonly stored: StoredDefinition;
}

/** Serialised once per publication: a list is answered with this text as it is. */
function listsOf(readable: readonly Readable[]): Record<ListedKind, string> {
  const list = (kind: ListedKind): string =>
    `[${readable
      .filter(({ entry }) => entry.kind === kind)
      .map(({ entry, stored }) => JSON.stringify(published(entry, stored.definition)))
      .join(',')}]`;
  return Object.fromEntries(LISTED_KINDS.map((kind) => [kind, list(kind)])) as Record<ListedKind, string>; // all of them
}

/** The definition as first seen, only its name replaced; URIs are never rewritten. */
function published({ kind, name }: ManifestEntry, definition: JsonObject): JsonObject {
  return kind === 'tool' || kind === 'prompt' ? { ...definition, name } : definition;
}

function instructionsOf(state: State, readable: readonly Readable[]): string | null {
  const parts = readable
    .filter(({ entry }) => entry.kind === 'instructions')
    .map(({ entry, stored }) => {
      const label = cleanName(state.servers[parseRef(entry.ref).server]?.name ?? entry.name);
      const text = stored.definition['instructions'];
      return `# ${label}\n${typeof text === 'string' ? text : ''}`;
    });
  return parts.length === 0 ? null : parts.join('\n\n');
}
