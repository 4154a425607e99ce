import type { JsonObject, JsonValue } from './json-value.ts';
import type { HostNote } from './notes.ts';

export interface HostFileRequest {
  readonly hostId: string;
  /** The settings file, as an absolute path; links are followed. */
  readonly file: string;
  /** Tells our entry from all others, whatever its name; unique to this installation. */
  readonly owner: string;
  readonly backupsDir: string;
  readonly recordsDir: string;
  /** ISO 8601, UTC. */
  readonly now: string;
  /** Shows the edit and writes nothing at all. */
  readonly dryRun?: boolean;
  /** Whether the app is there, so that folders for its settings may be made; where nobody looked, one may. */
  readonly isInstalled?: boolean;
}

export interface ConnectHostRequest extends HostFileRequest {
  readonly entryName: string;
  /** What the host app starts, in its own form; the arguments must carry the owner token. */
  readonly entry: JsonObject;
  /** Members that only a new entry gets: a person may change them afterwards. */
  readonly entryAtFirst?: JsonObject;
  /** Entries that Holdfast has now and that are taken out in the same write; given back when ours goes. */
  readonly moves?: readonly HostMove[];
  /** Fingerprint of an entry's value, to be compared with that of a move. */
  readonly printOf?: (value: JsonValue) => string;
}

/** An entry of the person's own, as it was when they were asked. */
export interface HostMove {
  readonly file: string;
  readonly name: string;
  /** Of its value; an entry that was changed since is left where it is. */
  readonly print: string;
  /** The server that Holdfast has in its place. */
  readonly server?: string | undefined;
}

export interface DisconnectHostRequest extends HostFileRequest {
  /** Only for the answer, where no entry of ours is found. */
  readonly entryName?: string;
}

export interface HostEditResult {
  readonly app: string;
  readonly file: string;
  /** Whether the edit makes a difference; with `dryRun`, whether it would. */
  readonly changed: boolean;
  /** Path of the backup made, or found, before the change. */
  readonly backup?: string;
  /** Other settings files of the same app that were changed the same way. */
  readonly others?: readonly string[];
  /** The name of our entry in the file. */
  readonly entry: string;
  readonly needsRestart: boolean;
  /** Entries that were taken out, or would be. */
  readonly moved?: readonly string[];
  /** The app runs and would undo the change, which is made once it has quit. */
  readonly queued?: true;
  readonly dryRun: boolean;
  /** With `dryRun`: the edit as a unified diff. Shows lines of the file, which may hold secrets. */
  readonly diff?: string;
  /** A byte order mark was taken away, because the host app cannot read a file that has one. */
  readonly droppedBom?: true;
  /** What a person should know about the edit. */
  readonly notes: readonly HostNote[];
}
