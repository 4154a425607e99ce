import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { HoldfastError } from '../core/errors.ts';
import { connectHost, disconnectHost } from './config-file.ts';
import { configFiles, hostApp, hostApps, type HostApp, type HostPlatform } from './host-apps.ts';
import { lookAtHost, type HostLook } from './host-look.ts';
import type { HostEditResult, HostEntry } from './host-request.ts';

export interface HostAccessOptions {
  readonly dataDir: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Secret of this installation; the owner mark in the entry is derived from it and tells nothing of it. */
  readonly token: string;
  /** How a host app starts the bridge, before the app's name. */
  readonly bridge: {
    readonly command: string;
    readonly args: readonly string[];
    readonly trailing?: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  readonly now: () => string;
}

const ENTRY_NAME = 'holdfast';

/** Connecting and disconnecting host apps on this machine. */
export function hostAppsAccess(options: HostAccessOptions) {
  const owner = ownerMark(options.token);
  const files = {
    owner,
    entryName: ENTRY_NAME,
    backupsDir: path.join(options.dataDir, 'backups'),
    recordsDir: recordsDir(options.dataDir),
  };
  const entryFor = (app: string): HostEntry => {
    const { command, args, trailing = [], env } = options.bridge;
    const all = [...args, 'connect', app, '--home', options.dataDir, '--owner', owner, ...trailing];
    return Object.keys(env).length === 0 ? { command, args: all } : { command, args: all, env };
  };
  const known = (id: string): { app: HostApp; file: string } => {
    const app = hostApp(id);
    const [file] =
      app === undefined ? [] : configFiles(app, { ...options, platform: hostPlatform(options.platform) }, list);
    if (app === undefined || file === undefined)
      throw new HoldfastError('HOST_UNSUPPORTED', { app: id, entry: JSON.stringify({ [ENTRY_NAME]: entryFor(id) }) });
    return { app, file };
  };
  const common = (id: string, dryRun: boolean) => ({
    ...files,
    hostId: id,
    file: known(id).file,
    now: options.now(),
    dryRun,
  });
  return {
    title: (id: string): string | undefined => hostApp(id)?.title,
    connect: (id: string, { dryRun }: { readonly dryRun: boolean }): HostEditResult =>
      connectHost({ ...common(id, dryRun), entry: entryFor(id) }),
    disconnect: (id: string, { dryRun }: { readonly dryRun: boolean }): HostEditResult =>
      disconnectHost(common(id, dryRun)),
  };
}

/** A settings file of a host app, and what it says of Holdfast. */
export interface SeenHost {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly look: HostLook;
}

/** Looks at the settings of every host app that Holdfast knows. Changes nothing; `token` is empty where there is none. */
export function lookAtHosts(
  options: Pick<HostAccessOptions, 'dataDir' | 'home' | 'env' | 'platform' | 'token'>,
): SeenHost[] {
  const key = { owner: ownerMark(options.token), recordsDir: recordsDir(options.dataDir) };
  return hostApps().flatMap((app) =>
    configFiles(app, { ...options, platform: hostPlatform(options.platform) }, list).map((file) => ({
      id: app.id,
      title: app.title,
      file,
      look: lookAtHost(app, { ...key, hostId: app.id, file }, ENTRY_NAME),
    })),
  );
}

function ownerMark(token: string): string {
  return `hf-${createHash('sha256').update(`owner ${token}`).digest('hex').slice(0, 12)}`;
}

function recordsDir(dataDir: string): string {
  return path.join(dataDir, 'connections');
}

function hostPlatform(platform: NodeJS.Platform): HostPlatform {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there, or not ours to read: no host app to be found in it
  }
}
