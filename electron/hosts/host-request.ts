import type { JsonObject } from './json-tree.ts';

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
}

export interface ConnectHostRequest extends HostFileRequest {
  readonly entryName: string;
  /** What the host app starts; `args` must carry the owner token. */
  readonly entry: HostEntry;
}

export interface DisconnectHostRequest extends HostFileRequest {
  /** Only for the answer, where no entry of ours is found. */
  readonly entryName?: string;
}

export type HostEntry = JsonObject & { readonly command: string; readonly args: readonly string[] };

export interface HostEditResult {
  readonly app: string;
  readonly file: string;
  /** Whether the edit makes a difference; with `dryRun`, whether it would. */
  readonly changed: boolean;
  /** Path of the backup made, or found, before the change. */
  readonly backup?: string;
  /** The name of our entry in the file. */
  readonly entry: string;
  readonly needsRestart: boolean;
  readonly dryRun: boolean;
  /** With `dryRun`: the edit as a unified diff. Shows lines of the file, which may hold secrets. */
  readonly diff?: string;
  /** A byte order mark was taken away, because the host app cannot read a file that has one. */
  readonly droppedBom?: true;
}
