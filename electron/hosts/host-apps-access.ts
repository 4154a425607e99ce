import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { HoldfastError } from '../core/errors.ts';
import { connectHost, disconnectHost } from './config-file.ts';
import { configFiles, hostApp, type HostApp, type HostPlatform } from './host-apps.ts';
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
  const owner = `hf-${createHash('sha256').update(`owner ${options.token}`).digest('hex').slice(0, 12)}`;
  const files = {
    owner,
    entryName: ENTRY_NAME,
    backupsDir: path.join(options.dataDir, 'backups'),
    recordsDir: path.join(options.dataDir, 'connections'),
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
