import type { Snapshot } from '../electron/control/snapshot.ts';
import { tierOf, type Tier } from './risk.ts';

export type Continuity = Snapshot['continuity'][number];

/** What the change is about, in a row and in a heading. */
export function continuityTitle(change: Continuity): string {
  return (change.type === 'merged' ? change.now[0] : change.old[0])?.title ?? '–';
}

/** Another name is never a small thing. */
export function newTier({ severity }: Pick<Continuity['now'][number], 'severity'>): Tier {
  const tier = tierOf(severity);
  return tier === 'small' ? 'check' : tier;
}

/** A merged tool can do what all its parts could: that is always to be looked at with care. */
export function continuityTier(change: Continuity): Tier {
  if (change.type === 'merged') return 'careful';
  return change.now.map(newTier).includes('careful') ? 'careful' : 'check';
}
