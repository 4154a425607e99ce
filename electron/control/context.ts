import type { HostAppsPort } from './host-apps-port.ts';
import type {
  CapabilityId,
  ConsumerId,
  Event,
  Kind,
  ManifestId,
  Observation,
  ServerId,
  State,
  StoredDefinition,
  SurfaceManifest,
} from '../core/model.ts';
import type { ServerView, Snapshot } from './snapshot.ts';

/** What the control plane asks of the data plane; the composition root passes it in. */
export interface DataPlane {
  listChanged(consumer: ConsumerId, kinds: readonly Kind[]): void;
  /** Observes now, starting the server if need be. The observation has been dispatched when this resolves. */
  observeNow(server: ServerId, consumer: ConsumerId | null): Promise<Observation>;
  /** Observes in the background, where servers are kept running. */
  observeSoon(server: ServerId): void;
  /** Observes through a fresh connection that is then ended. */
  confirm(server: ServerId, consumer: ConsumerId | null): Promise<void>;
  stopServer(server: ServerId): Promise<void>;
  status(server: ServerId): Pick<ServerView, 'state' | 'problem'>;
  connections(consumer: ConsumerId): number;
}

/** Environment values of servers: never part of the state. */
export interface SecretsPort {
  get(server: ServerId): Readonly<Record<string, string>>;
  set(server: ServerId, values: Readonly<Record<string, string>>): Promise<void>;
}

/** What a command may use. */
export interface CommandContext {
  readonly state: State;
  dispatch(event: Event): Promise<void>;
  definition(id: CapabilityId): StoredDefinition | undefined;
  manifest(id: ManifestId): SurfaceManifest | undefined;
  snapshot(): Snapshot;
  readonly data: DataPlane;
  readonly secrets: SecretsPort;
  readonly hosts: HostAppsPort;
  now(): string;
  /** Random hexadecimal characters. */
  random(length: number): string;
}
