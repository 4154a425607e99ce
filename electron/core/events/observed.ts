import type { ReadDefinition } from '../classify/from-bases.ts';
import { applyList, hasEntries } from '../diff.ts';
import {
  KINDS,
  type Catalog,
  type Effect,
  type EventOf,
  type Kind,
  type KindOutcome,
  type Observation,
  type Server,
  type State,
} from '../model.ts';
import type { Step } from '../reduce.ts';
import { drop, put } from '../state.ts';
import { catalogBefore, scopeKey } from '../view.ts';
import { approveBaselines } from './baselines.ts';
import { withoutForgotten, withoutSeen } from './forgetting.ts';
import { report } from './reporting.ts';
import { copyAcrossRoutes } from './routes.ts';
import { quietly } from './small.ts';

/**
 * One attempt to list one server (README, "Observation"). It moves the catalog of its scope and nothing else by itself:
 * intent is never touched, and decisions are written only where a person asked for them before (first-seen baselines,
 * a launch identity they changed, the server's policy).
 * @param read the definitions there are; without it no policy acts
 */
export function onObserved(
  state: State,
  { observation, at }: EventOf<'observed'>,
  read: ReadDefinition | null = null,
): Step {
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
  return decided === state ? { state, effects } : report(state, decided, { observation, at, read }, effects);
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
    ...withoutSeen(state, catalogBefore(state, observation), catalog),
  };
}

function learn(server: Server, { kinds, version }: Observation): Server {
  const told = KINDS.filter((kind) => speaks(kinds[kind]));
  const known = KINDS.filter((kind) => server.known.includes(kind) || told.includes(kind));
  const newVersion = version ?? server.version;
  if (known.length === server.known.length && newVersion === server.version) return server;
  return { ...server, known, version: newVersion };
}
