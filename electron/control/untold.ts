import type { Incident, IncidentId, ServerId, State } from '../core/model.ts';
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
    if (incident.notified || !(asking.has(incident.id) || isMissing(state, incident))) continue;
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

/** Is something that the incident took away still gone, and still wanted? */
function isMissing(state: State, { missing }: Incident): boolean {
  return missing.some(({ consumer, ref }) => {
    const entry = view(state, consumer, ref);
    const isServed = state.servers[parseRef(ref).server]?.archivedAt === null;
    return isServed && isInIntent(state, consumer, ref) && entry?.state === 'absent' && entry.reason === 'missing';
  });
}
