import { canonicalText, sha256 } from '../canonical.ts';
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
  IncidentLoss,
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
/** Changes in all of them together. */
const MAX_PARTS = 20_000;
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
  const lost = (which: 'missing' | 'unusable'): IncidentLoss[] => apps.flatMap((app) => app[which]);
  const [missing, unusable] = [lost('missing'), lost('unusable')];
  if (settled.length === 0 && missing.length === 0 && unusable.length === 0) return { state, effects };
  const isHeard = ({ ref }: IncidentLoss): boolean => !isFlapping(state, scope, ref);
  const isLoud = [...missing, ...unusable, ...settled.filter(({ course }) => course === 'ask')].some(isHeard);
  const change = changeHash(changes);
  const told = incidentOf(before, observed, { settled, missing, unusable, change, loud: isLoud });
  const incident = joinedWith(earlierOf(state, told), told);
  const isOwed = isLoud && !incident.notified;
  return {
    state: { ...state, incidents: withIncident(state.incidents, incident) },
    effects: isOwed ? [...effects, { type: 'notice', incident: incident.id }] : effects,
    followed: settled.filter(({ course }) => course === 'follow'),
  };
}

interface Look {
  readonly consumer: ConsumerId;
  readonly shown: readonly { readonly ref: CapabilityRef; readonly id: CapabilityId }[];
  readonly news: readonly News[];
  readonly missing: readonly IncidentLoss[];
  readonly unusable: readonly IncidentLoss[];
}

/** What one observation brought into one consumer's view, and what it took out of it. */
function lookAt(before: State, after: State, consumer: ConsumerId, changes: readonly CatalogChange[]): Look {
  const wanted = changes.filter(({ ref }) => isInIntent(after, consumer, ref));
  const shown = wanted.flatMap(({ ref, after: entry }) => (entry?.state === 'present' ? [{ ref, id: entry.id }] : []));
  const news = shown.flatMap(({ ref, id }): News[] => {
    const seen = after.seen[consumer]?.[ref] ?? [];
    const isAgain = seen.includes(id);
    if ((isAgain && !isUntold(after, consumer, ref, id)) || !isOpenItem(after, consumer, ref)) return [];
    const isBaseline = isAwaited(before, consumer, ref);
    return [{ consumer, ref, id, isFirst: seen.length === 0, isAgain, isBaseline }];
  });
  const gone = wanted.filter(({ after: is }) => is?.state === 'absent' && is.reason === 'missing');
  const broken = wanted.filter(({ after: is }) => is?.state === 'invalid');
  const hadAny = gone.length > 0 || broken.length > 0;
  const inForce = new Set(hadAny ? deriveSurface(before, consumer).manifest.entries.map(({ ref }) => ref) : []);
  const lost = (moved: readonly CatalogChange[]): IncidentLoss[] =>
    moved.filter(({ ref }) => inForce.has(ref)).map(({ ref }) => ({ consumer, ref }));
  return { consumer, shown, news, missing: lost(gone), unusable: lost(broken) };
}

/** It came quietly once, and would be asked about aloud now. */
function isUntold(state: State, consumer: ConsumerId, ref: CapabilityRef, id: CapabilityId): boolean {
  return (state.quiet[consumer]?.[ref] ?? []).includes(id) && !isQuiet(state, consumer, ref, id);
}

/** Did this app ask for the whole server before anything of that kind was listed? */
function isAwaited(before: State, consumer: ConsumerId, ref: CapabilityRef): boolean {
  const { server, kind } = parseRef(ref);
  return (before.baselines[consumer]?.[server] ?? []).includes(kind);
}

interface Told extends Pick<Incident, 'missing' | 'unusable' | 'change' | 'loud'> {
  readonly settled: readonly Settled[];
}

function incidentOf(before: State, { observation, at }: Observed, { settled, ...told }: Told): Incident {
  const items = (isFollowed: boolean): IncidentReview[] =>
    settled
      .filter(({ course }) => (course === 'follow') === isFollowed)
      .map(({ consumer, ref, id, course }) => {
        const fromId = lastApproved(before, consumer, ref, id);
        return { consumer, ref, fromId, targetId: id, quiet: course === 'quiet' };
      });
  return {
    id: `inc-${before.sequence + 1}` as IncidentId, // the one place that makes the brand; a commit has one observation
    server: observation.server,
    at,
    fromVersion: before.servers[observation.server]?.version ?? null,
    toVersion: observation.version,
    reviews: items(false),
    followed: items(true),
    ...told,
    // Nobody is owed what makes no noise.
    notified: !told.loud,
  };
}

/** Old and new of everything that moved, whatever apps use of it. */
function changeHash(changes: readonly CatalogChange[]): string {
  const shown = (entry: CatalogChange['after']): string =>
    entry === undefined ? '' : entry.state === 'present' ? entry.id : `${entry.state} ${entry.reason}`;
  return sha256(canonicalText(changes.map(({ ref, before, after }) => [ref, shown(before), shown(after)])));
}

/** The server's newest incident, where it is the same change in another scope: of apps that were not in it yet. */
function earlierOf(state: State, later: Incident): Incident | undefined {
  const earlier = state.incidents.filter(({ server }) => server === later.server).at(-1);
  if (earlier?.change !== later.change) return undefined;
  if (Math.abs(Date.parse(later.at) - Date.parse(earlier.at)) > SAME_UPGRADE_MS) return undefined;
  const apps = new Set(partsOf(earlier).map(({ consumer }) => consumer));
  return partsOf(later).some(({ consumer }) => apps.has(consumer)) ? undefined : earlier;
}

function partsOf({ reviews, followed, missing, unusable }: Incident): IncidentLoss[] {
  return [...reviews, ...followed, ...missing, ...unusable];
}

/** What there was to tell of: it is told once, whichever apps it is off in. */
function loudRefs({ reviews, missing, unusable }: Incident): Set<CapabilityRef> {
  return new Set([...reviews.filter(({ quiet }) => !quiet), ...missing, ...unusable].map(({ ref }) => ref));
}

function joinedWith(earlier: Incident | undefined, later: Incident): Incident {
  if (earlier === undefined) return later;
  const told = earlier.loud ? loudRefs(earlier) : new Set();
  const isToldAlready = !later.loud || [...loudRefs(later)].every((ref) => told.has(ref));
  return {
    ...earlier,
    reviews: [...earlier.reviews, ...later.reviews],
    followed: [...earlier.followed, ...later.followed],
    missing: [...earlier.missing, ...later.missing],
    unusable: [...earlier.unusable, ...later.unusable],
    loud: earlier.loud || later.loud,
    notified: isToldAlready && earlier.notified,
  };
}

function withIncident(incidents: State['incidents'], incident: Incident): State['incidents'] {
  const isKnown = incidents.some(({ id }) => id === incident.id);
  if (isKnown) return incidents.map((one) => (one.id === incident.id ? incident : one));
  const all = [...incidents, incident].slice(-MAX_INCIDENTS);
  // The newest is kept, however much it tells.
  const partsFrom = (at: number): number => all.slice(at).reduce((sum, one) => sum + partsOf(one).length, 0);
  const first = all.findIndex((_, at) => partsFrom(at) <= MAX_PARTS);
  return first < 0 ? [incident] : all.slice(first);
}
