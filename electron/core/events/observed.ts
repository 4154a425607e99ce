import { applyList, diffCatalogs, hasEntries, type CatalogChange } from '../diff.ts';
import { isInIntent, isOpenItem } from '../intent.ts';
import {
  KINDS,
  type Catalog,
  type ConsumerId,
  type Effect,
  type EventOf,
  type Incident,
  type IncidentId,
  type IncidentReview,
  type Kind,
  type KindOutcome,
  type Observation,
  type Server,
  type State,
} from '../model.ts';
import type { Step } from '../reduce.ts';
import { isQuiet } from '../review.ts';
import { drop, put } from '../state.ts';
import { deriveSurface } from '../surface.ts';
import { consumersOf, lastApproved, scopeKey } from '../view.ts';
import { approveBaselines } from './baselines.ts';
import { copyAcrossRoutes } from './routes.ts';
import { markSeen } from './selecting.ts';
import { quietly } from './small.ts';
import { withoutForgotten, withoutSeen } from './forgetting.ts';

/** Older incidents are in the journal. */
const MAX_INCIDENTS = 200;

/**
 * One attempt to list one server (README, "Observation"). It moves the catalog of its scope and nothing else by itself:
 * intent is never touched, and decisions are written only where a person asked for them before (first-seen baselines,
 * a launch identity they changed).
 */
export function onObserved(state: State, { observation, at }: EventOf<'observed'>): Step {
  const server = state.servers[observation.server];
  // Begun under a launch that is no longer the server's: it speaks for something else.
  if (server?.archivedAt !== null || observation.route !== server.route) return quietly(state);
  if (!KINDS.some((kind) => speaks(observation.kinds[kind]))) return quietly(state);
  const { catalog: listed, confirmations, needsConfirmation } = moveCatalog(state, observation);
  const catalog = withoutForgotten(state, server.id, listed);
  const moved = settle(state, observation, server, catalog, confirmations);
  const effects: Effect[] = needsConfirmation
    ? [{ type: 'confirm', server: server.id, consumer: observation.consumer }]
    : [];
  const decided = approveBaselines(
    copyAcrossRoutes(moved, observation, at, state.sequence + 1),
    observation,
    at,
    state.sequence + 1,
  );
  return decided === state ? { state, effects } : reportIncident(state, decided, observation, at, effects);
}

/** Only these outcomes say anything about what a server offers. */
function speaks(outcome: KindOutcome | undefined): boolean {
  return outcome !== undefined && ['complete', 'complete-empty', 'unsupported'].includes(outcome.status);
}

interface Moved {
  readonly catalog: Catalog;
  readonly confirmations: State['confirmations'];
  readonly needsConfirmation: boolean;
}

/** A scope's catalog as it was; a new scope starts as a copy of the server's. */
function catalogBefore(state: State, { server, consumer }: Observation): Catalog {
  return state.catalogs[scopeKey(server, consumer)] ?? state.catalogs[scopeKey(server, null)] ?? {};
}

function moveCatalog(state: State, observation: Observation): Moved {
  const start: Moved = {
    catalog: catalogBefore(state, observation),
    confirmations: state.confirmations,
    needsConfirmation: false,
  };
  return KINDS.reduce((moved, kind) => {
    const outcome = observation.kinds[kind];
    return outcome === undefined ? moved : moveKind(moved, observation, kind, outcome);
  }, start);
}

function moveKind(moved: Moved, observation: Observation, kind: Kind, outcome: KindOutcome): Moved {
  if (outcome.status === 'failed' || outcome.status === 'incomplete') return moved; // evidence only
  const { server, consumer, context, connection } = observation;
  const key = `${scopeKey(server, consumer)}|${kind}`;
  const confirmed = {
    ...moved,
    confirmations: moved.confirmations[key] ? drop(moved.confirmations, key) : moved.confirmations,
  };
  if (outcome.status === 'complete')
    return { ...confirmed, catalog: applyList(moved.catalog, server, kind, outcome.items, context) };
  const emptied = (): Moved => ({ ...confirmed, catalog: applyList(moved.catalog, server, kind, [], context) });
  // With nothing left to lose it counts at once; what was hidden may turn out to be missing.
  if (!hasEntries(moved.catalog, kind)) return emptied();
  const first = moved.confirmations[key];
  const isConfirmed = first?.status === outcome.status && first.connection !== connection;
  if (isConfirmed) return emptied();
  const isKnown = first?.status === outcome.status;
  const confirmations = isKnown
    ? moved.confirmations
    : put(moved.confirmations, key, { status: outcome.status, connection });
  return { ...moved, confirmations, needsConfirmation: true };
}

/** The observation's facts in the state; the same object where they were there before. */
function settle(
  state: State,
  observation: Observation,
  server: Server,
  catalog: Catalog,
  confirmations: State['confirmations'],
): State {
  const scope = scopeKey(server.id, observation.consumer);
  const learnt = learn(server, observation);
  const isSame = learnt === server && confirmations === state.confirmations && catalog === state.catalogs[scope];
  if (isSame) return state;
  return {
    ...state,
    servers: learnt === server ? state.servers : put(state.servers, server.id, learnt),
    catalogs: catalog === state.catalogs[scope] ? state.catalogs : put(state.catalogs, scope, catalog),
    confirmations,
    seen: withoutSeen(state, catalogBefore(state, observation), catalog),
  };
}

function learn(server: Server, { kinds, version }: Observation): Server {
  const told = KINDS.filter((kind) => speaks(kinds[kind]));
  const known = KINDS.filter((kind) => server.known.includes(kind) || told.includes(kind));
  const newVersion = version ?? server.version;
  if (known.length === server.known.length && newVersion === server.version) return server;
  return { ...server, known, version: newVersion };
}

function reportIncident(
  before: State,
  after: State,
  observation: Observation,
  at: string,
  effects: readonly Effect[],
): Step {
  const scope = scopeKey(observation.server, observation.consumer);
  const changes = diffCatalogs(catalogBefore(before, observation), after.catalogs[scope] ?? {});
  const news = consumersOf(after, observation).map((consumer) => newsFor(before, after, consumer, changes));
  const seen = news.reduce((state, { consumer, shown }) => markSeen(state, consumer, shown), after);
  const reviews = news.flatMap((entry) => entry.reviews);
  const missing = news.flatMap((entry) => entry.missing);
  if (reviews.length === 0 && missing.length === 0) return { state: seen, effects };
  const incident: Incident = {
    id: `inc-${before.sequence + 1}` as IncidentId, // the one place that makes the brand; a commit has one observation
    server: observation.server,
    at,
    fromVersion: before.servers[observation.server]?.version ?? null,
    toVersion: observation.version,
    reviews,
    missing,
    notified: false,
  };
  const notices = missing.length > 0 || reviews.some(({ consumer, ref }) => !isQuiet(seen, consumer, ref));
  return {
    state: { ...seen, incidents: [...seen.incidents, incident].slice(-MAX_INCIDENTS) },
    effects: notices ? [...effects, { type: 'notice', incident: incident.id }] : effects,
  };
}

interface News {
  readonly consumer: ConsumerId;
  readonly shown: { readonly ref: CatalogChange['ref']; readonly id: IncidentReview['targetId'] }[];
  readonly reviews: IncidentReview[];
  readonly missing: Incident['missing'][number][];
}

/** What one observation brought into one consumer's view, and what it took out of it. */
function newsFor(before: State, after: State, consumer: ConsumerId, changes: readonly CatalogChange[]): News {
  const wanted = changes.filter(({ ref }) => isInIntent(after, consumer, ref));
  const shown = wanted.flatMap(({ ref, after: entry }) => (entry?.state === 'present' ? [{ ref, id: entry.id }] : []));
  const isNews = ({ ref, id }: News['shown'][number]): boolean => !(after.seen[consumer]?.[ref] ?? []).includes(id);
  const reviews = shown
    .filter((entry) => isNews(entry) && isOpenItem(after, consumer, entry.ref))
    .map(({ ref, id }) => ({ consumer, ref, fromId: lastApproved(after, consumer, ref, id), targetId: id }));
  const gone = wanted.filter(({ after: is }) => is?.state === 'absent' && is.reason === 'missing');
  const inForce = new Set(
    gone.length === 0 ? [] : deriveSurface(before, consumer).manifest.entries.map(({ ref }) => ref),
  );
  const missing = gone.filter(({ ref }) => inForce.has(ref)).map(({ ref }) => ({ consumer, ref }));
  return { consumer, shown, reviews, missing };
}
