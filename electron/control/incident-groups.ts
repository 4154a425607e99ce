import { byCodeUnits } from '../core/canonical.ts';
import { highest } from '../core/classify/classify.ts';
import { causeKey, causeOf, CAUSES, classesOf, type Cause } from '../core/causes.ts';
import { factSentences } from '../core/fact-sentences.ts';
import {
  type Change,
  type Incident,
  type IncidentId,
  type IncidentReview,
  type ReviewId,
  type Severity,
} from '../core/model.ts';
import type { ReviewView } from './snapshot.ts';

/** Changes of one incident that have one cause and are decided together. */
export interface IncidentGroup {
  /** `<incident>.<key>`; takes the place of a review's id where something is decided. */
  readonly id: string;
  readonly cause: Cause;
  /** It came without a notice. */
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
  readonly unusable: Incident['unusable'];
  readonly groups: readonly IncidentGroup[];
}

/** @param reviews all of them; those of other incidents are left out */
export function incidentView(incident: Incident, server: string, reviews: readonly ReviewView[]): IncidentView {
  const { id, at, fromVersion, toVersion, missing, unusable } = incident;
  const own = reviews.filter((review) => review.incident === id);
  const asked = own.filter((review) => askedAs(incident, review) !== undefined);
  return {
    id,
    server,
    at,
    fromVersion,
    toVersion,
    reviews: asked.map((review) => review.id),
    followed: own.filter((review) => !asked.includes(review)).map((review) => review.id),
    missing,
    unusable,
    groups: groupsOf(incident, asked),
  };
}

type Placed = Pick<ReviewView, 'app' | 'ref' | 'targetId'>;
/** How an incident asked about this; `undefined` where it did not. */
export function askedAs({ reviews }: Incident, { app, ref, targetId }: Placed): IncidentReview | undefined {
  return reviews.find((one) => one.consumer === app && one.ref === ref && one.targetId === targetId);
}

/** The group that a review of an incident belongs to; `undefined` where the incident did not ask about it. */
export function groupId(incident: Incident, review: Placed & Pick<ReviewView, 'change'>): string | undefined {
  const asked = askedAs(incident, review);
  return asked && `${incident.id}.${causeKey(review.change, asked.quiet)}`;
}

function groupsOf(incident: Incident, reviews: readonly ReviewView[]): IncidentGroup[] {
  const groups = new Map<string, [ReviewView, ...ReviewView[]]>();
  for (const review of reviews) {
    const id = groupId(incident, review) ?? '';
    const known = groups.get(id);
    if (known === undefined) groups.set(id, [review]);
    else known.push(review);
  }
  return [...groups]
    .map(([id, members]) => groupOf(incident, id, members))
    .sort((a, b) => CAUSES.indexOf(a.cause) - CAUSES.indexOf(b.cause) || byCodeUnits(a.id, b.id));
}

function groupOf(incident: Incident, id: string, reviews: readonly [ReviewView, ...ReviewView[]]): IncidentGroup {
  const [first] = reviews;
  const facts = reviews.flatMap(({ change }) => change.facts);
  return {
    id,
    cause: causeOf(first.change),
    quiet: askedAs(incident, first)?.quiet === true,
    severity: highest(reviews.map(({ severity }) => severity)),
    classes: classesOf({ facts }),
    reviews: reviews.map((review) => review.id),
    sentences: facts.length === 0 ? first.change.sentences : factSentences(facts),
  };
}
