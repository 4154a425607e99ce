import { NotCanonical } from '../canonical.ts';
import { capabilityId, capabilityRef } from '../identity.ts';
import {
  KINDS,
  type CapabilityId,
  type Kind,
  type Observation,
  type ObservedItem,
  type Route,
  type State,
} from '../model.ts';
import { entriesOf, put } from '../state.ts';
import { decisionOn } from '../view.ts';
import { addDecisions } from './decisions.ts';

/**
 * After a person changed a launch identity, the first complete list of each kind copies approvals and rejections to the
 * ids that differ only in route. Between several former routes, a rejection wins.
 */
export function copyAcrossRoutes(state: State, observation: Observation, at: string, sequence: number): State {
  const server = state.servers[observation.server];
  const pending = server?.formerRoutes ?? [];
  if (server === undefined || pending.length === 0) return state;
  const listed = KINDS.filter(
    (kind) =>
      observation.kinds[kind]?.status === 'complete' && pending.some(({ pendingKinds }) => pendingKinds.includes(kind)),
  );
  if (listed.length === 0) return state;
  const copied = listed.reduce((current, kind) => {
    const routes = pending.filter(({ pendingKinds }) => pendingKinds.includes(kind)).map(({ route }) => route);
    return copyKind(current, observation, kind, routes, at, sequence);
  }, state);
  const left = pending
    .map(({ route, pendingKinds }) => ({ route, pendingKinds: pendingKinds.filter((kind) => !listed.includes(kind)) }))
    .filter(({ pendingKinds }) => pendingKinds.length > 0);
  return { ...copied, servers: put(copied.servers, server.id, { ...server, formerRoutes: left }) };
}

function copyKind(
  state: State,
  observation: Observation,
  kind: Kind,
  routes: readonly Route[],
  at: string,
  sequence: number,
): State {
  const outcome = observation.kinds[kind];
  if (outcome?.status !== 'complete' || routes.length === 0) return state;
  const former = outcome.items.flatMap((item) => {
    if ('invalid' in item) return [];
    const ref = capabilityRef(observation.server, kind, item.originKey);
    return [{ ref, id: item.id, formerIds: routes.flatMap((route) => idUnder(observation, kind, item, route) ?? []) }];
  });
  return entriesOf(state.consumers).reduce((next, [consumer]) => {
    const copies = former.flatMap(({ ref, id, formerIds }) => {
      const made = formerIds.flatMap((formerId) => decisionOn(state, consumer, ref, formerId) ?? []);
      const decision = made.find(({ verdict }) => verdict === 'rejected') ?? made.at(-1);
      const present = decisionOn(state, consumer, ref, id);
      // What was decided under this route before stays, but for a rejection made since.
      const isMoot = present !== undefined && (present.verdict === 'rejected' || decision?.verdict === 'approved');
      if (decision === undefined || isMoot) return [];
      const { verdict, by } = decision;
      // What a policy decided falls with what it was decided from, and so does its copy.
      const based = by === 'policy' ? { basedOn: [decision.sequence] } : {};
      return [[ref, { id, verdict, by, at, basis: 'route', ...based }] as const];
    });
    return addDecisions(next, sequence, consumer, copies);
  }, state);
}

type ValidItem = Exclude<ObservedItem, { invalid: string }>;

function idUnder(observation: Observation, kind: Kind, item: ValidItem, route: Route): CapabilityId | undefined {
  const { server: serverId } = observation;
  try {
    return capabilityId({ serverId, kind, originKey: item.originKey, route, definition: item.definition });
  } catch (error) {
    if (error instanceof NotCanonical) return undefined;
    throw error;
  }
}
