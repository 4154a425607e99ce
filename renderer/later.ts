import type { Snapshot } from '../electron/control/snapshot.ts';
import type { Tier } from './risk.ts';

/**
 * What the screens show and the gateway does not tell yet. Each part is optional: where it is missing, so is what shows
 * it. A part that the snapshot has moves from here into its type.
 */
export interface Later {
  readonly continuity?: readonly Continuity[];
  readonly setup?: Setup;
}

/** A tool as the screens of renamed, merged and split tools name it. */
export interface Named {
  readonly ref: string;
  readonly title: string;
}

/** The same tool under another name, perhaps. */
export interface Renamed {
  readonly type: 'renamed';
  readonly id: string;
  readonly serverName: string;
  readonly apps: readonly string[];
  readonly old: Named;
  /** One or more; with more than one, none is chosen beforehand. */
  readonly candidates: readonly Candidate[];
}
export interface Candidate extends Named {
  /** The server itself says so, or it is a guess. */
  readonly basis: 'told' | 'guess';
  readonly lines: readonly { readonly en: string; readonly 'zh-CN': string }[];
  readonly tier: Tier;
}

export interface Merged {
  readonly type: 'merged';
  readonly id: string;
  readonly serverName: string;
  readonly apps: readonly string[];
  readonly now: Named;
  readonly old: readonly (Named & { readonly wasUsed: boolean })[];
}

export interface Split {
  readonly type: 'split';
  readonly id: string;
  readonly serverName: string;
  readonly apps: readonly string[];
  readonly old: Named;
  readonly now: readonly (Named & { readonly tier: Tier })[];
}
export type Continuity = Renamed | Merged | Split;

/** What first run knows: the apps found, then what came of setting them up, then the first call. */
export interface Setup {
  readonly step: 'found' | 'done' | 'try';
  readonly apps: readonly {
    readonly id: string;
    readonly name: string;
    readonly servers: number;
    readonly isReadable: boolean;
  }[];
  readonly working?: number;
  readonly all?: number;
  readonly needKeys?: readonly string[];
  readonly hasWorked?: boolean;
}

/** Commands that these parts need. The gateway that has no such command says so, and nothing is changed. */
export interface LaterCommands {
  readonly 'apps.restart': { readonly app: string };
  readonly 'continuity.rebind': { readonly id: string; readonly ref: string | null };
  readonly 'continuity.merge': { readonly id: string; readonly verdict: 'approve' | 'keep-off' };
  readonly 'continuity.split': { readonly id: string; readonly refs: readonly string[] };
  readonly 'setup.go': { readonly apps: readonly string[] };
  readonly 'setup.next': { readonly to: 'try' | 'story' | 'done' | 'demo' };
}
export type LaterCommand = keyof LaterCommands;

// The gateway may send more than its types say so far; what it does not send is missing here, too.
export const laterSnapshot = (snapshot: Snapshot | null): Later => (snapshot ?? {}) as Later;
