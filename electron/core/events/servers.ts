import { HoldfastError } from '../errors.ts';
import { launchRoute } from '../launch.ts';
import { KINDS, type EventOf, type Server, type State } from '../model.ts';
import { serverPrefix } from '../names.ts';
import type { Step } from '../reduce.ts';
import { put, requireServer } from '../state.ts';
import { quietly } from './small.ts';

/** @throws HoldfastError UPSTREAM_NAME_TAKEN */
export function onServerAdded(state: State, { server, at }: EventOf<'server-added'>): Step {
  assertNameFree(state, server.name);
  const prefixes = Object.values(state.servers).map(({ prefix }) => prefix);
  const added: Server = {
    ...server,
    prefix: serverPrefix(server.name, server.id, prefixes),
    route: launchRoute(server.launch),
    formerRoutes: [],
    addedAt: at,
    archivedAt: null,
    asks: false,
    known: [],
    version: null,
    policy: 'follow-safe',
  };
  return quietly({ ...state, servers: put(state.servers, server.id, added) });
}

function assertNameFree(state: State, name: string): void {
  const isTaken = Object.values(state.servers).some((other) => other.archivedAt === null && other.name === name);
  if (isTaken) throw new HoldfastError('UPSTREAM_NAME_TAKEN', { server: name });
}

/** A person changed the launch. That is the confirmation by which decisions follow to ids that differ only in route. */
export function onServerChanged(state: State, { server: id, launch }: EventOf<'server-changed'>): Step {
  const server = requireServer(state, id);
  const changed: Server = { ...server, launch, ...moveRoute(server, launchRoute(launch)) };
  return { state: { ...state, servers: put(state.servers, id, changed) }, effects: [{ type: 'stop', server: id }] };
}

function moveRoute(server: Server, route: Server['route']): Pick<Server, 'route' | 'formerRoutes'> {
  if (route === server.route) return { route, formerRoutes: server.formerRoutes };
  const former = [...server.formerRoutes, { route: server.route, pendingKinds: KINDS }];
  return { route, formerRoutes: former.filter((entry) => entry.route !== route) };
}

/** Archives: identity, intent, decisions and names stay, nothing is served. */
export function onServerRemoved(state: State, { server: id, at }: EventOf<'server-removed'>): Step {
  const server = requireServer(state, id);
  const archived = { ...server, archivedAt: at };
  return { state: { ...state, servers: put(state.servers, id, archived) }, effects: [{ type: 'stop', server: id }] };
}

/** Brings an archived server back with all that hung on it; only for the same launch identity. */
export function onServerRestored(state: State, { server: id, name, launch }: EventOf<'server-restored'>): Step {
  const server = state.servers[id];
  if (server === undefined || server.archivedAt === null || launchRoute(launch) !== server.route)
    throw new HoldfastError('UPSTREAM_NOT_FOUND', { server: name });
  assertNameFree(state, name);
  return quietly({ ...state, servers: put(state.servers, id, { ...server, name, launch, archivedAt: null }) });
}

/** From now on each app has its own process; its scope starts as a copy of the server's, so nothing is new by that. */
export function onServerAsks(state: State, { server: id }: EventOf<'server-asks'>): Step {
  const server = requireServer(state, id);
  return quietly(server.asks ? state : { ...state, servers: put(state.servers, id, { ...server, asks: true }) });
}
