import type { CapabilityRef, Incident, IncidentId, IncidentLoss, ServerId, State } from '../core/model.ts';
import { parseRef } from '../core/identity.ts';
import { isInIntent } from '../core/intent.ts';
import { reviewItems } from '../core/review.ts';
import { view } from '../core/view.ts';

/** One notice of what happened while nobody was there to hear it, and the incidents that are told with it. */
export interface CatchUp {
  readonly incident: IncidentId;
  /** Of the same server, older, and waiting as well: the window shows them beside it. */
  readonly with: readonly IncidentId[];
}

/**
 * What a person has still to be told, oldest first: the newest incident of each server that was never told of and of
 * which something still waits. What was settled since, or has moved on, is in the history and asks nothing.
 */
export function untoldIncidents(state: State): CatchUp[] {
  const asking = new Set(
    reviewItems(state).flatMap((item) => (item.state === 'pending' && !item.quiet ? [item.incident] : [])),
  );
  const perServer = new Map<ServerId, Incident[]>();
  for (const incident of state.incidents) {
    if (incident.notified || !(asking.has(incident.id) || isLossy(state, incident))) continue;
    const others = perServer.get(incident.server) ?? [];
    // Later in the map is later in time: the place of a server is that of its newest incident.
    perServer.delete(incident.server);
    perServer.set(incident.server, [...others, incident]);
  }
  return [...perServer.values()].flatMap((all) => {
    const newest = all.at(-1);
    return newest === undefined ? [] : [{ incident: newest.id, with: all.slice(0, -1).map(({ id }) => id) }];
  });
}

function isLossy(state: State, incident: Incident): boolean {
  const { missing, unusable } = stillLost(state, incident);
  return missing.length > 0 || unusable.length > 0;
}

/** What the incident took away and is still gone, or still unusable, and still wanted; each capability once. */
export function stillLost(
  state: State,
  { missing, unusable }: Incident,
): Readonly<Record<'missing' | 'unusable', readonly CapabilityRef[]>> {
  const isWanted = ({ consumer, ref }: IncidentLoss): boolean =>
    state.servers[parseRef(ref).server]?.archivedAt === null && isInIntent(state, consumer, ref);
  const isGone = ({ consumer, ref }: IncidentLoss): boolean => {
    const entry = view(state, consumer, ref);
    return entry?.state === 'absent' && entry.reason === 'missing';
  };
  const isBroken = ({ consumer, ref }: IncidentLoss): boolean => view(state, consumer, ref)?.state === 'invalid';
  const refsOf = (losses: readonly IncidentLoss[], isSo: (loss: IncidentLoss) => boolean): CapabilityRef[] => [
    ...new Set(losses.filter((loss) => isWanted(loss) && isSo(loss)).map(({ ref }) => ref)),
  ];
  return { missing: refsOf(missing, isGone), unusable: refsOf(unusable, isBroken) };
}
