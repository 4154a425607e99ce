import type { Kind, KindOutcome, ServerId, State } from '../core/model.ts';
import type { ProgramLook } from '../system/find-program.ts';
import type { Part } from './report.ts';

/** The data folder as it is on the disk. */
export interface FolderFacts {
  readonly path: string;
  readonly kind: 'missing' | 'not-folder' | 'unreadable' | 'there';
  readonly isPrivate: boolean;
  readonly canWrite: boolean;
  /** `null` where the system does not tell. */
  readonly freeBytes: number | null;
}

/** One generation of the settings as it is on the disk. */
export type Stored =
  | { readonly kind: 'missing' | 'damaged' | 'newer' | 'unreadable' }
  | { readonly kind: 'good'; readonly format: number; readonly state: State };

/** A file that must be there and be private. */
export type FileFacts = 'missing' | 'unreadable' | 'damaged' | 'open' | 'ok';

/** What the running gateway said, or that none did. */
export type GatewayFacts =
  | { readonly kind: 'none' }
  | { readonly kind: 'silent'; readonly pid: number | null }
  /** It runs, and cannot be asked without the file `token`. */
  | { readonly kind: 'no-token' }
  /** What it said, in words. */
  | { readonly kind: 'refused'; readonly code: string; readonly said: string }
  | {
      readonly kind: 'answers';
      readonly version: string | null;
      readonly pid: number | null;
      readonly told: Told | null;
    };

/** What only the running gateway knows. */
export interface Told {
  readonly servers: readonly { readonly id: string; readonly state: string; readonly problem: string | null }[];
  readonly apps: readonly {
    readonly id: string;
    readonly connected: number;
    readonly entries: number;
    readonly withheld: readonly { readonly reason: string }[];
  }[];
  readonly notices: readonly string[];
  /** How it keeps the keys of servers, and why it cannot open them. */
  readonly keys?: string | undefined;
}

export interface ServerFacts extends Part {
  readonly id: ServerId;
  readonly program: ProgramLook | 'own-path';
  readonly command: string;
  /** A file that its program is to run and that is not there. */
  readonly missingScript: string | null;
  /** What came of its lists when it was last looked at; none where it never was. */
  readonly outcomes: Partial<Readonly<Record<Kind, Outcome>>>;
  /** Starts that the newest part of the journal tells of. */
  readonly starts: number;
}

export interface Outcome {
  readonly status: KindOutcome['status'];
  readonly count: number | null;
  readonly reason: string | null;
}

/** A host app's own settings. */
export interface AppFacts extends Part {
  readonly file: string;
  readonly look:
    | { readonly kind: 'not-installed' | 'not-connected' | 'gone' | 'elsewhere' | 'connected' }
    | { readonly kind: 'unreadable'; readonly hint: string }
    | { readonly kind: 'program-gone'; readonly program: string };
}

/** Everything the checks judge by: looked at without changing anything. */
export interface Facts {
  readonly at: string;
  readonly own: {
    readonly version: string;
    readonly node: string;
    readonly electron: string | null;
    readonly needed: string;
  };
  readonly folder: FolderFacts;
  readonly present: Stored;
  readonly previous: Stored;
  readonly setAside: number;
  /** Running processes that have the data folder. */
  readonly owners: readonly number[];
  readonly gateway: GatewayFacts;
  readonly socket: { readonly path: string; readonly kind: 'none' | 'open' | 'foreign' | 'ok' };
  readonly token: FileFacts;
  readonly bridge: 'missing' | 'different' | 'unknown' | 'ok';
  readonly launch:
    { readonly kind: 'missing' | 'unreadable' | 'ok' } | { readonly kind: 'gone'; readonly path: string };
  readonly keys: 'none' | 'plain' | 'sealed' | 'open' | 'unreadable';
  readonly servers: readonly ServerFacts[];
  readonly apps: readonly AppFacts[];
  readonly leftOver: readonly number[];
  /** Newest time that was saved. */
  readonly newest: string | null;
  readonly bytes: { readonly journal: number; readonly traces: number };
}

/** The settings that count: the good ones, newest first. */
export function stateOf({ present, previous }: Pick<Facts, 'present' | 'previous'>): State | undefined {
  if (present.kind === 'good') return present.state;
  return previous.kind === 'good' ? previous.state : undefined;
}
