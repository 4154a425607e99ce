import type { ReadDefinition } from '../classify/from-bases.ts';
import { diffCatalogs, type CatalogChange } from '../diff.ts';
import { parseRef } from '../identity.ts';
import { isInIntent, isOpenItem } from '../intent.ts';
import type {
  CapabilityId,
  CapabilityRef,
  ConsumerId,
  Effect,
  Incident,
  IncidentId,
  IncidentReview,
  Observation,
  State,
} from '../model.ts';
import type { News } from '../policy.ts';
import type { Step } from '../reduce.ts';
import { isQuiet } from '../review.ts';
import { deriveSurface } from '../surface.ts';
import { catalogBefore, consumersOf, lastApproved, scopeKey } from '../view.ts';
import { isFlapping, recordMoves } from './flapping.ts';
import { settleNews, type Settled } from './following.ts';
import { markSeen } from './selecting.ts';

/** Older incidents are in the journal. */
const MAX_INCIDENTS = 200;
/** Apps with processes of their own see the same upgrade one after the other; later than this it is news again. */
const SAME_UPGRADE_MS = 60 * 60_000;

interface Observed {
  readonly observation: Observation;
  readonly at: string;
  readonly read: ReadDefinition | null;
}

/**
 * What one observation changed in what apps have: the policy decides its part of it, the rest is asked, and all of it is
 * one incident (README, "Incidents").
 */
export function report(before: State, after: State, observed: Observed, effects: readonly Effect[]): Step {
  const { observation, at, read } = observed;
  const scope = scopeKey(observation.server, observation.consumer);
  const changes = diffCatalogs(catalogBefore(before, observation), after.catalogs[scope] ?? {});
  const moved = recordMoves(after, scope, changes, at);
  const apps = consumersOf(after, observation).map((consumer) => lookAt(before, moved, consumer, changes));
  const seen = apps.reduce((state, { consumer, shown }) => markSeen(state, consumer, shown), moved);
  const { state, settled } = settleNews(
    seen,
    apps.flatMap(({ news }) => news),
    at,
    read,
  );
  const missing = apps.flatMap((app) => app.missing);
  if (settled.length === 0 && missing.length === 0) return { state, effects };
  const isHeard = ({ ref }: { readonly ref: CapabilityRef }): boolean => !isFlapping(state, scope, ref);
  const isLoud = missing.some(isHeard) || settled.some((one) => one.course === 'ask' && isHeard(one));
  const told = incidentOf(before, observed, settled, missing, isLoud);
  const incident = joinedWith(earlierOf(state, told), told);
  return {
    state: { ...state, incidents: withIncident(state.incidents, incident) },
    effects: isLoud && !incident.notified ? [...effects, { type: 'notice', incident: incident.id }] : effects,
  };
}

interface Look {
  readonly consumer: ConsumerId;
  readonly shown: readonly { readonly ref: CapabilityRef; readonly id: CapabilityId }[];
  readonly news: readonly News[];
  readonly missing: Incident['missing'];
}

/** What one observation brought into one consumer's view, and what it took out of it. */
function lookAt(before: State, after: State, consumer: ConsumerId, changes: readonly CatalogChange[]): Look {
  const wanted = changes.filter(({ ref }) => isInIntent(after, consumer, ref));
  const shown = wanted.flatMap(({ ref, after: entry }) => (entry?.state === 'present' ? [{ ref, id: entry.id }] : []));
  const news = shown.flatMap(({ ref, id }): News[] => {
    const seen = after.seen[consumer]?.[ref] ?? [];
    if (seen.includes(id) || !isOpenItem(after, consumer, ref)) return [];
    return [{ consumer, ref, id, isFirst: seen.length === 0, isBaseline: isAwaited(before, consumer, ref) }];
  });
  const gone = wanted.filter(({ after: is }) => is?.state === 'absent' && is.reason === 'missing');
  const inForce = new Set(
    gone.length === 0 ? [] : deriveSurface(before, consumer).manifest.entries.map(({ ref }) => ref),
  );
  const missing = gone.filter(({ ref }) => inForce.has(ref)).map(({ ref }) => ({ consumer, ref }));
  return { consumer, shown, news, missing };
}

/** Did this app ask for the whole server before anything of that kind was listed? */
function isAwaited(before: State, consumer: ConsumerId, ref: CapabilityRef): boolean {
  const { server, kind } = parseRef(ref);
  return (before.baselines[consumer]?.[server] ?? []).includes(kind);
}

function incidentOf(
  before: State,
  { observation, at }: Observed,
  settled: readonly Settled[],
  missing: Incident['missing'],
  isLoud: boolean,
): Incident {
  const items = (isFollowed: boolean): IncidentReview[] =>
    settled
      .filter(({ course }) => (course === 'follow') === isFollowed)
      .map(({ consumer, ref, id }) => ({
        consumer,
        ref,
        fromId: lastApproved(before, consumer, ref, id),
        targetId: id,
      }));
  return {
    id: `inc-${before.sequence + 1}` as IncidentId, // the one place that makes the brand; a commit has one observation
    server: observation.server,
    at,
    fromVersion: before.servers[observation.server]?.version ?? null,
    toVersion: observation.version,
    reviews: items(false),
    followed: items(true),
    missing,
    // Nobody is owed what makes no noise.
    notified: !isLoud,
  };
}

/** The server's newest incident, where it tells every change of this one already, as loudly, of other apps. */
function earlierOf(state: State, later: Incident): Incident | undefined {
  const earlier = state.incidents.filter(({ server }) => server === later.server).at(-1);
  if (earlier === undefined || later.toVersion !== earlier.toVersion) return undefined;
  if (Math.abs(Date.parse(later.at) - Date.parse(earlier.at)) > SAME_UPGRADE_MS) return undefined;
  const isHeard =
    earlier.missing.length > 0 ||
    earlier.reviews.some(({ consumer, ref, targetId }) => !isQuiet(state, consumer, ref, targetId));
  if (!later.notified && !isHeard) return undefined;
  const told = new Set(changesIn(earlier).map(({ change }) => change));
  const apps = new Set(changesIn(earlier).map(({ consumer }) => consumer));
  const isSame = changesIn(later).every(({ change, consumer }) => told.has(change) && !apps.has(consumer));
  return isSame ? earlier : undefined;
}

function changesIn({ reviews, followed, missing }: Incident): { consumer: ConsumerId; change: string }[] {
  const moved = [...reviews, ...followed].map(({ consumer, ref, targetId }) => ({
    consumer,
    change: `${ref} ${targetId}`,
  }));
  return [...moved, ...missing.map(({ consumer, ref }) => ({ consumer, change: ref }))];
}

function joinedWith(earlier: Incident | undefined, later: Incident): Incident {
  if (earlier === undefined) return later;
  return {
    ...earlier,
    reviews: [...earlier.reviews, ...later.reviews],
    followed: [...earlier.followed, ...later.followed],
    missing: [...earlier.missing, ...later.missing],
  };
}

function withIncident(incidents: State['incidents'], incident: Incident): State['incidents'] {
  const isKnown = incidents.some(({ id }) => id === incident.id);
  if (isKnown) return incidents.map((one) => (one.id === incident.id ? incident : one));
  return [...incidents, incident].slice(-MAX_INCIDENTS);
}
