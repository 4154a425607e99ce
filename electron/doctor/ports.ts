import type { HostLook } from '../hosts/host-look.ts';
import type { JournalLine } from '../store/journal-line.ts';
import type { Facts, Stored } from './facts.ts';
import type { Part } from './report.ts';

/** What came of asking the gateway of a data folder. */
export type Asked =
  /** `no-token`: something is there, and the file that it asks for cannot be read. */
  | { readonly kind: 'none' | 'silent' | 'no-token' }
  /** It says no, and why, in words. */
  | { readonly kind: 'refused'; readonly code: string; readonly said: string }
  | { readonly kind: 'answer'; readonly value: unknown };

/** A host app's settings file, as the writer of such files sees it. */
export interface HostSettings extends Part {
  readonly file: string;
  readonly look: HostLook;
}

/** Everything a look at a machine needs of the rest; the composition root passes it in. None of it changes anything. */
export interface DoctorPorts {
  readonly dataDir: string;
  readonly platform: NodeJS.Platform;
  readonly own: Facts['own'];
  /** Folders that servers' programs are looked up in where no gateway says. */
  readonly path: string | undefined;
  /** Whether a program is started from what Holdfast brings along, or was started with, where there is no other. */
  readonly isBrought: (command: string) => boolean;
  readonly endpoint: string;
  readonly isPrivateEndpoint: (endpoint: string) => boolean;
  stored(which: 'present' | 'previous'): Stored;
  /** Ids of running processes that have the data folder. */
  owners(): readonly number[];
  /** Asks the running gateway, with a bound on the time. */
  ask(command: string): Promise<Asked>;
  readonly bridge: { readonly installed: string; readonly source: string };
  /** How a bridge starts the gateway; `null` where that cannot be read. */
  launch(): { readonly command: string; readonly args: readonly string[] } | null;
  readonly launchFile: string;
  readonly tokenFile: string;
  hostSettings(): readonly HostSettings[];
  /** Ids of server processes that a gateway started, and that still run. */
  serverProcesses(): Promise<readonly number[]>;
  /** The newest lines of the journal, newest first. */
  journal(limit: number): readonly JournalLine[];
  /** The newest calls, newest first. */
  calls(limit: number): readonly unknown[];
  /** ISO 8601. */
  now(): string;
}
