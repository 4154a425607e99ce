import type { Snapshot } from '../electron/control/snapshot.ts';

/**
 * What the screens show and the gateway does not tell yet. Each part is optional: where it is missing, so is what shows
 * it. A part that the snapshot has moves from here into its type.
 */
export interface Later {
  readonly setup?: Setup;
}

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
  readonly 'setup.go': { readonly apps: readonly string[] };
  readonly 'setup.next': { readonly to: 'try' | 'story' | 'done' | 'demo' };
}
export type LaterCommand = keyof LaterCommands;

// The gateway may send more than its types say so far; what it does not send is missing here, too.
export const laterSnapshot = (snapshot: Snapshot | null): Later => (snapshot ?? {}) as Later;
