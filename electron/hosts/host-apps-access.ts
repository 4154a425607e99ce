import { existsSync } from 'node:fs';
import path from 'node:path';
import { ENTRY_NAME, hostPlatform, listFolder, ownerMark, recordsDir } from './app-edits.ts';
import type { EditOptions, HostAccessOptions } from './app-edits.ts';
import { hostApp, hostApps, hostCard } from './host-apps.ts';
import { lookAtHost, type HostLook } from './host-look.ts';
import { configFiles } from './host-paths.ts';
import { watchTroubles } from './host-trouble.ts';
import { groupServers } from './import-groups.ts';
import { findServers } from './import-look.ts';
import type { HostEditResult } from './host-request.ts';
import { lastingEdits, orLeave, wishesDir } from './lasting-edits.ts';
import { allWishes, forgetMoves } from './wishes.ts';

/** Connecting and disconnecting host apps on this machine, and looking at what is there. */
export function hostAppsAccess(options: HostAccessOptions) {
  const { edit, tend } = lastingEdits(options);
  const folder = wishesDir(options.dataDir);
  const watch = watchTroubles(options);
  return {
    trouble: watch.trouble,
    look: watch.look,
    /** An app that took our entry out again after it was put back once; nothing more is written by itself. */
    isLost: (id: string): boolean => watch.trouble(id) === 'disconnected' && isGivenUp(folder, id),
    title: (id: string): string | undefined => (hostApp(id) ?? hostCard(id))?.title,
    writes: (id: string): boolean => hostApp(id) !== undefined,
    importable: (taken: readonly string[]) => importableOn(options, taken),
    connect: (id: string, options: EditOptions): HostEditResult => watch.after(id, edit(id, 'connect', options)),
    disconnect: (id: string, options: EditOptions): HostEditResult => watch.after(id, edit(id, 'disconnect', options)),
    /** A server was removed: what waits to be taken out of an app's settings for it stays there. */
    forgetMoves: (server: string): void => forgetMoves(folder, server),
    tend,
    /** Writes entries of ours again whose program is gone, or is one of those that carry no bridge any more. Never throws. */
    renew(retired: readonly string[]): void {
      const leaving = allWishes(folder).filter(({ wanted }) => wanted === 'disconnect');
      const ids = appsToRenew(lookAtHosts(options), options.bridge.command, retired);
      for (const id of ids.filter((each) => !leaving.some(({ hostId }) => hostId === each)))
        orLeave(() => edit(id, 'connect', { dryRun: false }));
    },
  };
}

function importableOn(options: HostAccessOptions, taken: readonly string[]) {
  const { servers, skipped, unread } = findServers(options);
  return { groups: groupServers(servers, options.token, taken), skipped, unread };
}

/** Apps with an entry of ours that starts nothing: after the program was moved, or after an update. */
export function appsToRenew(
  seen: readonly Pick<SeenHost, 'id' | 'look'>[],
  command: string,
  retired: readonly string[],
  exists: (file: string) => boolean = existsSync,
): string[] {
  const ids = seen.flatMap(({ id, look }) => {
    if (look.kind !== 'entry' || !look.isOurs || look.command === command) return [];
    const isGone = path.isAbsolute(look.command) && !exists(look.command);
    return isGone || retired.includes(look.command) ? [id] : [];
  });
  return [...new Set(ids)];
}

function isGivenUp(folder: string, id: string): boolean {
  return allWishes(folder).some(({ hostId, state }) => hostId === id && state === 'lost');
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
    configFiles(app, { ...options, platform: hostPlatform(options.platform) }, listFolder).map((file) => ({
      id: app.id,
      title: app.title,
      file,
      look: lookAtHost(app, { ...key, hostId: app.id, file }, ENTRY_NAME),
    })),
  );
}
