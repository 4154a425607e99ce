import path from 'node:path';
import { appEdits, hostPlatform, type EditOptions, type HostAccessOptions } from './app-edits.ts';
import { isAppRunning, runningPrograms } from './app-processes.ts';
import { hostApp, type HostApp } from './host-apps.ts';
import type { HostEditResult, HostMove } from './host-request.ts';
import { allWishes, forgetWish, nextStep, saveWish, type Step, type Wish } from './wishes.ts';

/**
 * Edits that last: what an app would undo, because it runs and writes its settings itself, waits until the app has quit;
 * `tend` does it then, and looks whether it lasts.
 */
export function lastingEdits(options: HostAccessOptions) {
  const edits = appEdits(options);
  const folder = wishesDir(options.dataDir);
  const platform = hostPlatform(options.platform);
  const isRunning = (app: HostApp): boolean =>
    isAppRunning(app, platform, options.programs?.() ?? runningPrograms({ platform, home: options.home }));
  const wish = (hostId: string, wanted: Wish['wanted'], state: Wish['state'], moves: readonly HostMove[]): Wish => {
    return {
      format: 1,
      hostId,
      wanted,
      state,
      wasSeenRunning: false,
      putBacks: 0,
      moves: [...moves],
      at: options.now(),
    };
  };
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
  return {
    edit,
    /** Does what waited for an app to quit, and puts back once what an app has dropped. Never throws. */
    tend: (): void => {
      for (const one of allWishes(folder)) {
        const app = hostApp(one.hostId);
        // What fails is still wanted and is looked at again.
        if (app)
          orLeave(() => {
            const seen = { isRunning: isRunning(app), hasEntry: edits.hasEntry(app.id) };
            take(one, nextStep(one, seen, options.now()));
          });
      }
    },
  };
}

/** The doctor tells what is wrong with a file that cannot be changed. */
export function orLeave(act: () => unknown): void {
  try {
    act();
  } catch {
    // left as it is
  }
}

/** Where it is written down what apps still have to be told. */
export function wishesDir(dataDir: string): string {
  return path.join(dataDir, 'wishes');
}

function withoutDiff({ diff: _, ...rest }: HostEditResult): HostEditResult {
  return rest;
}
