import { capabilityId, capabilityRef, manifestId } from '../../electron/core/identity.ts';
import type {
  ConsumerId,
  Context,
  IncidentId,
  ManifestEntry,
  Route,
  ScopeKey,
  Server,
  ServerId,
  State,
  StoredDefinition,
  SurfaceManifest,
} from '../../electron/core/model.ts';
import type { Commit } from '../../electron/store/store.ts';

// The brands are made here for the tests, as the core makes them for the program.
export const AT = '2026-03-04T05:06:07.000Z';
export const VERSION = '9.8.7';
export const EXA = 'srv-exa' as ServerId;
export const CLAUDE = 'claude-desktop' as ConsumerId;
const SCOPE = EXA as string as ScopeKey;
const ROUTE = 'npm:exa-mcp-server' as Route;
const CONTEXT: Context = { era: '2025-06-18', capabilities: 'c', launch: 'l', signedIn: false };
/** Tools in the catalog at any time. */
const KEPT = 6;

const server: Server = {
  id: EXA,
  name: 'Exa',
  prefix: 'exa',
  launch: { type: 'stdio', command: 'npx', args: ['exa-mcp-server'], envNames: ['EXA_API_KEY'] },
  route: ROUTE,
  formerRoutes: [],
  addedAt: AT,
  archivedAt: null,
  asks: false,
  known: ['tool'],
  version: '1.0.0',
  policy: 'follow-safe',
};

/** A tool whose definition no other number has. */
export function tool(number: number): StoredDefinition {
  const originKey = `tool_${number}`;
  const definition = {
    name: originKey,
    description: `Searches the web, way ${number}.`,
    inputSchema: { type: 'object' },
  };
  return { serverId: EXA, kind: 'tool', originKey, route: ROUTE, definition };
}

/** The commit after a state: two new tools are observed, approved and published, and the oldest ones leave. */
export function nextCommit(state: State): Commit {
  const sequence = state.sequence + 1;
  const numbers = [sequence * 2, sequence * 2 + 1];
  const definitions = numbers.map(tool);
  const entries = [...entriesOf(state), ...definitions.map(entryOf)].slice(-KEPT);
  const manifest: SurfaceManifest = { format: 1, consumer: CLAUDE, entries };
  const items = definitions.map((each) => ({
    originKey: each.originKey,
    id: capabilityId(each),
    definition: each.definition,
  }));
  const observation = {
    server: EXA,
    consumer: null,
    connection: `connection-${sequence}`,
    route: ROUTE,
    context: CONTEXT,
    version: `1.0.${sequence}`,
    kinds: { tool: { status: 'complete', items } },
  } as const;
  return {
    state: withEntries({ ...state, sequence }, manifest),
    definitions,
    manifests: [manifest],
    lines: [
      { at: AT, type: 'observed', event: { at: AT, type: 'observed', observation } },
      { at: AT, type: 'published', details: { consumer: CLAUDE, epoch: sequence } },
    ],
    effects: [{ type: 'list-changed', consumer: CLAUDE, kinds: ['tool'] }],
  };
}

function entriesOf(state: State): ManifestEntry[] {
  return Object.entries(state.catalogs[SCOPE] ?? {}).flatMap(([ref, entry]) =>
    entry.state === 'present'
      ? [{ kind: 'tool' as const, name: ref.split('/')[2] ?? '', ref: ref as ManifestEntry['ref'], id: entry.id }]
      : [],
  );
}

function entryOf(stored: StoredDefinition): ManifestEntry {
  const ref = capabilityRef(EXA, 'tool', stored.originKey);
  return { kind: 'tool', name: stored.originKey, ref, id: capabilityId(stored) };
}

function withEntries(state: State, manifest: SurfaceManifest): State {
  const perRef = <T>(value: (entry: ManifestEntry) => T) =>
    Object.fromEntries(manifest.entries.map((entry) => [entry.ref, value(entry)]));
  const { sequence } = state;
  const [first] = manifest.entries;
  return {
    ...state,
    servers: { [EXA]: server },
    consumers: { [CLAUDE]: { id: CLAUDE, name: 'Claude Desktop', addedAt: AT } },
    exposures: { [CLAUDE]: { [EXA]: { all: true, chosen: [], excluded: [] } } },
    catalogs: { [SCOPE]: perRef(({ id }) => ({ state: 'present', id, context: CONTEXT }) as const) },
    decisions: {
      [CLAUDE]: perRef(
        ({ id }) => [{ sequence, id, verdict: 'approved', by: 'person', at: AT, basis: 'chosen' }] as const,
      ),
    },
    names: { [CLAUDE]: Object.fromEntries(manifest.entries.map(({ name, ref }) => [`tool/${name}`, ref])) },
    seen: { [CLAUDE]: perRef(({ id }) => [id]) },
    lastListed: { [CLAUDE]: { tool: { manifestId: manifestId(manifest), at: AT } } },
    publications: { [CLAUDE]: { manifestId: manifestId(manifest), epoch: sequence, at: AT } },
    incidents: first ? [incidentOf(sequence, first)] : [],
  };
}

function incidentOf(sequence: number, { ref, id }: ManifestEntry): State['incidents'][number] {
  return {
    id: `incident-${sequence}` as IncidentId,
    server: EXA,
    at: AT,
    fromVersion: null,
    toVersion: '1.0.0',
    reviews: [{ consumer: CLAUDE, ref, fromId: null, targetId: id, quiet: false }],
    followed: [],
    missing: [],
    unusable: [],
    change: '',
    loud: true,
    notified: true,
  };
}
