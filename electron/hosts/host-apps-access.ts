import { existsSync } from 'node:fs';
import path from 'node:path';
import { appEdits, ENTRY_NAME, hostPlatform, listFolder, ownerMark, recordsDir } from './app-edits.ts';
import type { EditOptions, HostAccessOptions } from './app-edits.ts';
import { isAppRunning, runningPrograms } from './app-processes.ts';
import { hostApp, hostApps, hostCard, type HostApp } from './host-apps.ts';
import { lookAtHost, type HostLook } from './host-look.ts';
import { configFiles } from './host-paths.ts';
import { watchTroubles } from './host-trouble.ts';
import { groupServers } from './import-groups.ts';
import { findServers } from './import-look.ts';
import type { HostEditResult, HostMove } from './host-request.ts';
import { allWishes, forgetWish, nextStep, saveWish, type Step, type Wish } from './wishes.ts';

/**
 * Connecting and disconnecting host apps on this machine. What an app would undo, because it runs and writes its
 * settings itself, waits until the app has quit; `tend` does it then, and looks whether it lasts.
 */
export function hostAppsAccess(options: HostAccessOptions) {
  const edits = appEdits(options);
  const folder = wishesDir(options.dataDir);
  const platform = hostPlatform(options.platform);
  const isRunning = (app: HostApp): boolean =>
    isAppRunning(app, platform, options.programs?.() ?? runningPrograms({ platform, home: options.home }));
  const wish = (hostId: string, wanted: Wish['wanted'], state: Wish['state'], moves: readonly HostMove[]): Wish => ({
    ...{ format: 1, hostId, wanted, state, wasSeenRunning: false, putBacks: 0, moves: [...moves], at: options.now() },
  });
  const write = (id: string, wanted: Wish['wanted'], moves: readonly HostMove[]): HostEditResult => {
    const done = edits[wanted](id, { dryRun: false, moves });
    const isWaiting = allWishes(folder).some((one) => one.hostId === id && one.wanted !== wanted);
    if (wanted === 'connect' && done.changed) saveWish(folder, wish(id, wanted, 'written', moves));
    else if (wanted === 'disconnect' || isWaiting) forgetWish(folder, id);
    return done;
  };
  const edit = (id: string, wanted: Wish['wanted'], { dryRun, moves = [] }: EditOptions): HostEditResult => {
    const app = hostApp(id);
    if (dryRun || !app?.rewritesOwnFile) return edits[wanted](id, { dryRun, moves });
    const shown = edits[wanted](id, { dryRun: true, moves });
    if (!shown.changed || !isRunning(app)) return write(id, wanted, moves);
    // What is asked for while something waits comes on top of it.
    const waiting = allWishes(folder).filter((one) => one.hostId === id && one.wanted === wanted);
    saveWish(folder, wish(id, wanted, 'queued', [...waiting.flatMap((one) => one.moves), ...moves]));
    return { ...withoutDiff(shown), changed: false, needsRestart: false, dryRun: false, queued: true };
  };
  const take = (one: Wish, step: Step): void => {
    // Written down first: a change that fails again and again must not be tried for ever.
    if ('wish' in step) saveWish(folder, step.wish);
    if (step.do === 'write') write(one.hostId, one.wanted, one.moves);
    if (step.do === 'put-back') edits.connect(one.hostId, { dryRun: false, moves: one.moves });
    if (step.do === 'forget') forgetWish(folder, one.hostId);
  };
  const watch = watchTroubles(options);
  return {
    trouble: watch.trouble,
    look: watch.look,
    /** An app that took our entry out again after it was put back once; nothing more is written by itself. */
    isLost: (id: string): boolean => watch.trouble(id) === 'disconnected' && isGivenUp(folder, id),
    title: (id: string): string | undefined => (hostApp(id) ?? hostCard(id))?.title,
    writes: (id: string): boolean => hostApp(id) !== undefined,
    importable: (taken: readonly string[]) => {
      const { servers, skipped, unread } = findServers(options);
      return { groups: groupServers(servers, options.token, taken), skipped, unread };
    },
    connect: (id: string, options: EditOptions): HostEditResult => watch.after(id, edit(id, 'connect', options)),
    disconnect: (id: string, options: EditOptions): HostEditResult => watch.after(id, edit(id, 'disconnect', options)),
    /** Does what waited for an app to quit, and puts back once what an app has dropped. Never throws. */
    tend(): void {
      for (const one of allWishes(folder)) {
        const app = hostApp(one.hostId);
        try {
          if (!app) continue;
          const seen = { isRunning: isRunning(app), hasEntry: edits.hasEntry(app.id) };
          take(one, nextStep(one, seen, options.now()));
        } catch {
          // It is still wanted and is looked at again; the doctor tells what is wrong with the file.
        }
      }
    },
    /** Writes entries of ours again whose program is gone, or is one of those that carry no bridge any more. Never throws. */
    renew(retired: readonly string[]): void {
      for (const id of appsToRenew(lookAtHosts(options), options.bridge.command, retired))
        orLeave(() => edit(id, 'connect', { dryRun: false }));
    },
  };
}

/** The doctor tells what is wrong with a file that cannot be changed. */
function orLeave(act: () => unknown): void {
  try {
    act();
  } catch {
    // left as it is
  }
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

/** Where it is written down what apps still have to be told. */
export function wishesDir(dataDir: string): string {
  return path.join(dataDir, 'wishes');
}

function isGivenUp(folder: string, id: string): boolean {
  return allWishes(folder).some(({ hostId, state }) => hostId === id && state === 'lost');
}

function withoutDiff({ diff: _, ...rest }: HostEditResult): HostEditResult {
  return rest;
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
