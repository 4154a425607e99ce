import type { HostTrouble } from '../hosts/host-trouble.ts';
import type { HostMove } from '../hosts/host-request.ts';
import type { ImportGroup } from '../hosts/import-groups.ts';
import type { SkippedEntry, UnreadFile } from '../hosts/import-look.ts';

/** What `apps connect` and `apps disconnect` answer. */
export interface HostEdit {
  readonly app: string;
  readonly file: string;
  readonly changed: boolean;
  readonly backup?: string;
  readonly entry: string;
  readonly needsRestart: boolean;
  /** Entries that were taken out, or would be. */
  readonly moved?: readonly string[];
  /** The app runs and would undo the change, which is made once it has quit. */
  readonly queued?: true;
  readonly dryRun: boolean;
  readonly diff?: string;
  /** Other settings files of the same app that were changed the same way. */
  readonly others?: readonly string[];
  /** What a person should know about the edit, in both languages. */
  readonly notes: readonly { readonly code: string; readonly en: string; readonly 'zh-CN': string }[];
}

/** What was found in the settings of all apps. */
export interface Importable {
  readonly groups: readonly ImportGroup[];
  readonly skipped: readonly SkippedEntry[];
  readonly unread: readonly UnreadFile[];
}

/** What came of taking Holdfast out of one settings file. */
export interface HostRestored {
  readonly app: string;
  readonly file: string;
  readonly outcome: 'restored' | 'nothing-there' | 'left';
  /** Why a file was left as it is. */
  readonly hint?: string;
}

/** Host apps' own settings files. */
export interface HostAppsPort {
  /** Title of a host app that Holdfast knows; `undefined` for any other name. */
  title(app: string): string | undefined;
  /** Whether Holdfast writes that app's settings; what it knows of others is what to put where. */
  writes(app: string): boolean;
  /** What has become of the settings that Holdfast wrote: they name it no more, or cannot be read. */
  trouble(app: string): HostTrouble | null;
  /** The app took Holdfast out of its settings again; it is not put back by itself any more. */
  isLost(app: string): boolean;
  /** @throws HoldfastError HOST_UNSUPPORTED, HOST_CONFIG_UNREADABLE, HOST_CONFIG_CONFLICT */
  connect(app: string, options: { readonly dryRun: boolean; readonly moves?: readonly HostMove[] }): HostEdit;
  /** Servers that people have in their apps; names that are `taken` are given to none. Reads only. */
  importable(taken: readonly string[]): Importable;
  disconnect(app: string, options: { readonly dryRun: boolean }): HostEdit;
  /** Whether Holdfast can restart that app here: one with windows, whose program it knows. */
  restarts(app: string): boolean;
  /**
   * Asks the app to quit, waits until it has, and opens it again. A person has been asked.
   * @throws HoldfastError HOST_RESTART_FAILED
   */
  restart(app: string): Promise<void>;
  /** A server was removed: entries of it that wait to be taken out of an app's settings stay there. */
  forgetMoves(server: string): void;
  /** Every app that has an entry of ours gets its settings back; one that cannot be changed keeps no other from it. */
  disconnectAll(): HostRestored[];
}
