import type { Evidence } from './continuity.ts';
import type { CapabilityRef, Decision, Selection } from './model.ts';

/** A person's word that something goes on under other names, kept so that it can be taken back. */
export interface Rebind {
  /** Number of the commit, and of the decisions on the new refs. */
  readonly sequence: number;
  readonly at: string;
  readonly from: readonly CapabilityRef[];
  readonly to: readonly CapabilityRef[];
  readonly evidence: Evidence;
  /** Approvals of the old refs, which count no more. */
  readonly retired: Readonly<Record<CapabilityRef, readonly Decision[]>>;
  /** The app's own selection of that server, as it was and as it became. */
  readonly before: Selection;
  readonly after: Selection;
}
