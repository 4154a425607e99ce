import type { Continuity } from './later.ts';
import type { Tier } from './risk.ts';

/** What the change is about, in a row and in a heading. */
export function continuityTitle(change: Continuity): string {
  return change.type === 'merged' ? change.now.title : change.old.title;
}

/** A merged tool can do what all its parts could: that is never a small thing. */
export function continuityTier(change: Continuity): Tier {
  if (change.type === 'merged') return 'careful';
  const tiers =
    change.type === 'renamed' ? change.candidates.map(({ tier }) => tier) : change.now.map(({ tier }) => tier);
  return tiers.includes('careful') ? 'careful' : 'check';
}
