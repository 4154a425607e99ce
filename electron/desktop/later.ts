import type { ReviewView, Snapshot } from '../control/snapshot.ts';
import type { Telling } from './note-plan.ts';

// What the snapshot does not tell yet. Each part moves into its type when it does, and the casts go.

const TELLINGS: readonly Telling[] = ['all', 'careful', 'dot'];

/** What the person wants to hear of; everything, as long as there is no setting. */
export function tellingOf(snapshot: Snapshot): Telling {
  const { preferences } = snapshot as { readonly preferences?: { readonly tell?: unknown } };
  return TELLINGS.find((one) => one === preferences?.tell) ?? 'all';
}

/** No app has used it for 30 days; where nothing is known, it counts as used. */
export function isUnused(review: ReviewView): boolean {
  return (review as { readonly isUnused?: boolean }).isUnused === true;
}
