import { causeOf, CAUSES, type Cause } from '../core/causes.ts';
import type { ConsumerId, Incident, State } from '../core/model.ts';
import { cleanName } from '../core/display.ts';
import { BOUNDS } from '../core/bounds.ts';
import { groupId } from './incident-groups.ts';
import type { OpenGroup, OpenIncident, ReviewView } from './snapshot.ts';
import { stillLost } from './untold.ts';

type Waiting = readonly [ReviewView, ...ReviewView[]];

/**
 * The incidents that a person decides about in the window, oldest first. One pass over the reviews: every snapshot asks.
 * @param reviews all that wait; others may be among them
 */
export function openIncidents(state: State, reviews: readonly ReviewView[]): OpenIncident[] {
  const waiting = grouped(
    reviews.filter((review) => review.state === 'pending'),
    ({ incident }) => incident,
  );
  return state.incidents.flatMap((incident) => {
    const own = waiting.get(incident.id);
    return own?.some(({ quiet }) => !quiet) === true ? [openIncident(state, incident, own)] : [];
  });
}

function openIncident(state: State, incident: Incident, own: Waiting): OpenIncident {
  const { id, server, fromVersion, toVersion } = incident;
  const asked = new Set(incident.reviews.filter(({ quiet }) => !quiet).map((one) => placeKey(one.consumer, one)));
  // What came quietly and is asked about by now is a question of its own.
  const together = own.filter((review) => !review.quiet && asked.has(placeKey(review.app, review)));
  const byCause = grouped(together, ({ change }) => causeOf(change));
  return {
    id,
    serverName: cleanName(state.servers[server]?.name ?? server, BOUNDS.givenName.value),
    fromVersion,
    toVersion,
    groups: CAUSES.flatMap((cause) => groupOf(incident, cause, byCause.get(cause))),
    missing: stillLost(state, incident).missing.length,
    quiet: new Set(own.filter(({ quiet }) => quiet).map(({ ref }) => ref)).size,
  };
}

function placeKey(app: ConsumerId, { ref, targetId }: Pick<ReviewView, 'ref' | 'targetId'>): string {
  return `${app} ${ref} ${targetId}`;
}

/** First claims are approved by the group's own id; of the rest the incident's leaves out what has to be looked at alone. */
function groupOf(incident: Incident, cause: Cause, reviews: Waiting | undefined): OpenGroup[] {
  if (reviews === undefined) return [];
  const id = cause === 'claims' ? (groupId(incident, reviews[0]) ?? incident.id) : incident.id;
  return [{ id, cause, reviews: reviews.map((review) => review.id) }];
}

function grouped<K>(reviews: readonly ReviewView[], keyOf: (review: ReviewView) => K): ReadonlyMap<K, Waiting> {
  const groups = new Map<K, [ReviewView, ...ReviewView[]]>();
  for (const review of reviews) {
    const known = groups.get(keyOf(review));
    if (known === undefined) groups.set(keyOf(review), [review]);
    else known.push(review);
  }
  return groups;
}
