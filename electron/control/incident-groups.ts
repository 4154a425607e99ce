import { byCodeUnits } from '../core/canonical.ts';
import { causeKey, causeOf, CAUSES, classesOf, type Cause } from '../core/causes.ts';
import { factSentences } from '../core/fact-sentences.ts';
import {
  SEVERITIES,
  type Change,
  type Incident,
  type IncidentId,
  type ReviewId,
  type Severity,
} from '../core/model.ts';
import type { ReviewView } from './snapshot.ts';

/** Changes of one incident that have one cause and are decided together. */
export interface IncidentGroup {
  /** `<incident>.<key>`; takes the place of a review's id where something is decided. */
  readonly id: string;
  readonly cause: Cause;
  /** Asked about without a notice. */
  readonly quiet: boolean;
  readonly severity: Severity;
  readonly classes: readonly string[];
  readonly reviews: readonly ReviewId[];
  /** What changed, of all of them together. */
  readonly sentences: Change['sentences'];
}

/** One incident as people see it: what changed, what was accepted by itself, what is gone. */
export interface IncidentView {
  readonly id: IncidentId;
  readonly server: string;
  readonly at: string;
  readonly fromVersion: string | null;
  readonly toVersion: string | null;
  readonly reviews: readonly ReviewId[];
  readonly followed: readonly ReviewId[];
  readonly missing: Incident['missing'];
  readonly groups: readonly IncidentGroup[];
}

/** @param reviews all of them; those of other incidents are left out */
export function incidentView(incident: Incident, server: string, reviews: readonly ReviewView[]): IncidentView {
  const { id, at, fromVersion, toVersion, missing } = incident;
  const own = reviews.filter((review) => review.incident === id);
  const asked = new Set(incident.reviews.map((review) => `${review.consumer} ${review.ref} ${review.targetId}`));
  const isAsked = ({ app, ref, targetId }: ReviewView): boolean => asked.has(`${app} ${ref} ${targetId}`);
  return {
    id,
    server,
    at,
    fromVersion,
    toVersion,
    reviews: own.filter(isAsked).map((review) => review.id),
    followed: own.filter((review) => !isAsked(review)).map((review) => review.id),
    missing,
    groups: groupsOf(id, own.filter(isAsked)),
  };
}

/** The group that a review of an incident belongs to. */
export function groupId(incident: IncidentId, { change, quiet }: Pick<ReviewView, 'change' | 'quiet'>): string {
  return `${incident}.${causeKey(change, quiet)}`;
}

function groupsOf(incident: IncidentId, reviews: readonly ReviewView[]): IncidentGroup[] {
  const groups = new Map<string, [ReviewView, ...ReviewView[]]>();
  for (const review of reviews) {
    const id = groupId(incident, review);
    const known = groups.get(id);
    if (known === undefined) groups.set(id, [review]);
    else known.push(review);
  }
  return [...groups]
    .map(([id, members]) => groupOf(id, members))
    .sort((a, b) => CAUSES.indexOf(a.cause) - CAUSES.indexOf(b.cause) || byCodeUnits(a.id, b.id));
}

function groupOf(id: string, reviews: readonly [ReviewView, ...ReviewView[]]): IncidentGroup {
  const [first] = reviews;
  const facts = reviews.flatMap(({ change }) => change.facts);
  return {
    id,
    cause: causeOf(first.change),
    quiet: first.quiet,
    severity: SEVERITIES[Math.max(...reviews.map(({ severity }) => SEVERITIES.indexOf(severity)))] ?? 'security',
    classes: classesOf({ facts }),
    reviews: reviews.map((review) => review.id),
    sentences: facts.length === 0 ? first.change.sentences : factSentences(facts),
  };
}
