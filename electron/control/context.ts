import type { FetchedLists } from '../gateway/ports.ts';
import type { UpstreamDetails } from '../gateway/upstreams.ts';
import type { GettingPort } from './getting-port.ts';
import type { HostAppsPort } from './host-apps-port.ts';
import type {
  CapabilityId,
  CapabilityRef,
  ConsumerId,
  Event,
  JsonObject,
  Kind,
  ManifestId,
  Observation,
  ServerId,
  State,
  StoredDefinition,
  SurfaceManifest,
} from '../core/model.ts';
import type { JournalLine } from '../store/journal-line.ts';
import type { Mask } from '../core/redact.ts';
import type { Keeping } from '../store/secrets.ts';
import type { SetupPort } from './setup.ts';
import type { UpdatesPort } from './updates-port.ts';
import type { ServerView, Snapshot } from './snapshot.ts';

/** What a server's processes said and did of late, for the view of a problem; keys are masked. */
export type ServerDetails = UpstreamDetails;

/** How a server is started that is not one of ours yet. */
export interface TryableServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `null`: a folder of its own. */
  readonly cwd: string | null;
}
export interface TriedServer {
  /** Why it is not of use as it is; its keys are masked. */
  readonly problem: string | null;
  /** Names, as the server says them. */
  readonly tools: readonly string[];
}

/** What the control plane asks of the data plane; the composition root passes it in. */
export interface DataPlane {
  listChanged(consumer: ConsumerId, kinds: readonly Kind[]): void;
  /** Observes now, starting the server if need be; unless a person asked for it, not one that was given up. The observation has been dispatched when this resolves. */
  observeNow(server: ServerId, consumer: ConsumerId | null, isAskedFor?: boolean): Promise<Observation>;
  /** Observes in the background, where servers are kept running. */
  observeSoon(server: ServerId): void;
  /** Starts a server for once, without keeping anything of it. Never throws. */
  tryOnce(server: TryableServer): Promise<TriedServer>;
  /** Observes through a fresh connection that is then ended. */
  confirm(server: ServerId, consumer: ConsumerId | null): Promise<void>;
  stopServer(server: ServerId): Promise<void>;
  status(server: ServerId): Pick<ServerView, 'state' | 'problem'>;
  details(server: ServerId): ServerDetails;
  /** Some list of it was not read to its end. */
  hasTroubles(server: ServerId): boolean;
  connections(consumer: ConsumerId): number;
  /** What each connected process of an app listed last, as far as it listed anything. */
  listed(consumer: ConsumerId): readonly FetchedLists[];
  /** Folders that servers' programs are looked up in, as one text. */
  searchedPath(): Promise<string>;
}

/** Environment values of servers: never part of the state. */
export interface SecretsPort {
  /** While they are shut there are none to be had, and none can be set. */
  readonly keeping: Keeping;
  get(server: ServerId): Readonly<Record<string, string>>;
  set(server: ServerId, values: Readonly<Record<string, string>>): Promise<void>;
  /** Puts a file aside that is shut; `null` where it is not. */
  forget(at: string): Promise<string | null>;
}

/** Starting Holdfast when the person signs in to the computer: the system keeps whether it is so. */
export interface LoginStart {
  isOn(): boolean;
  /** @throws Error where the system refuses. */
  set(isOn: boolean): void;
}

/** What a command may use. */
export interface CommandContext {
  readonly state: State;
  dispatch(event: Event): Promise<void>;
  definition(id: CapabilityId): StoredDefinition | undefined;
  manifest(id: ManifestId): SurfaceManifest | undefined;
  /** Lines of the journal, newest first; the newest part of it is looked through. */
  history(limit: number, isWanted: (line: JournalLine) => boolean): readonly JournalLine[];
  /** Lines of the traces, newest first. */
  recentCalls(limit: number, isWanted: (line: JsonObject) => boolean): readonly JsonObject[];
  /** No app has used it for 30 days, though it could. */
  isUnused(ref: CapabilityRef): boolean;
  snapshot(): Snapshot;
  /** Shows what has changed without a commit. */
  pushSnapshot(): void;
  readonly data: DataPlane;
  readonly secrets: SecretsPort;
  readonly hosts: HostAppsPort;
  /** `undefined` where this program has no window to start with. */
  readonly login: LoginStart | undefined;
  readonly setup: SetupPort;
  readonly getting: GettingPort;
  /** `undefined` where the program is not updated by itself. */
  readonly updates?: UpdatesPort | undefined;
  readonly mask: Mask;
  now(): string;
  /** Random hexadecimal characters. */
  random(length: number): string;
}
