import { createHash } from 'node:crypto';
import { byCodeUnits, canonicalText } from './canonical.ts';
import type { Change, Fact } from './model.ts';

/** What a group of changes has in common, the gravest first. */
export const CAUSES = ['careful', 'claims', 'breaking', 'wording', 'small', 'new'] as const;
export type Cause = (typeof CAUSES)[number];

const FIRST_CLAIM = /^hint\.\w+\.claimed$/;

/**
 * Nothing but first claims to be harmless stands above `review`: asked about once per server and incident, in a click of
 * its own (README, "Claims").
 */
function areOnlyClaims(facts: readonly Fact[]): boolean {
  const grave = facts.filter(({ severity }) => severity === 'breaking' || severity === 'security');
  return grave.length > 0 && grave.every((fact) => FIRST_CLAIM.test(fact.class));
}

export function causeOf({ change, severity, facts }: Change): Cause {
  if (severity === 'security') return areOnlyClaims(facts) ? 'claims' : 'careful';
  if (change === 'added') return 'new';
  if (severity === 'breaking') return 'breaking';
  return severity === 'review' ? 'wording' : 'small';
}

/** Classes of the facts, each once, in one order: changes with the same ones have the same cause. */
export function classesOf({ facts }: Pick<Change, 'facts'>): string[] {
  return [...new Set(facts.map((fact) => fact.class))].sort(byCodeUnits);
}

/**
 * Changes of one upgrade with the same key are decided together: the same cause, the same classes of facts, and asked
 * about alike.
 * @param isQuiet whether it came quietly: what has become of it since changes no key
 */
export function causeKey(change: Change, isQuiet: boolean): string {
  const cause = causeOf(change);
  const classes = cause === 'claims' || cause === 'new' ? [] : classesOf(change);
  return createHash('sha256')
    .update(canonicalText([cause, isQuiet, classes]))
    .digest('hex')
    .slice(0, 8);
}
