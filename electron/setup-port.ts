import path from 'node:path';
import type { OwnPrograms } from './control/own-start.ts';
import type { SetupPort } from './control/setup.ts';
import type { ServerId } from './core/model.ts';
import { DEMO_PROGRAM } from './core/own-programs.ts';
import { changeFile, changeText, readChange } from './demo/change-file.ts';
import { askClock } from './demo/example-app.ts';
import { bridgeStart, type HostAccessOptions } from './hosts/app-edits.ts';
import { foundApps } from './hosts/found-apps.ts';
import { replaceFile } from './store/atomic.ts';
import type { Files } from './store/files.ts';
import { SetupFile } from './store/setup-file.ts';
import { writeFailed } from './store/write-failed.ts';
import type { HoldfastOptions } from './headless.ts';

/** The demo server lies beside the bridge and is run by the same program. */
export function ownPrograms({ bridgeSource, runtime }: HoldfastOptions): OwnPrograms {
  const demo = path.join(path.dirname(bridgeSource), 'demo.cjs');
  return { [DEMO_PROGRAM]: { ...runtime, args: [...runtime.args, demo] } };
}

/** First run and the demo on this machine. */
export function setupPort(files: Files, options: HostAccessOptions): SetupPort {
  const { dataDir } = options;
  const remembered = new SetupFile(files, dataDir);
  let underWay = 0;
  let last: Promise<unknown> = Promise.resolve();
  let asking: ReturnType<SetupPort['ask']> | undefined;
  const folderOf = (server: ServerId): string => path.join(dataDir, 'servers', server);
  return {
    get record() {
      return remembered.record;
    },
    save: (record) => remembered.save(record),
    get isUnderWay() {
      return underWay > 0;
    },
    during: (work) => {
      underWay += 1;
      const done = last.then(work).finally(() => (underWay -= 1));
      last = done.catch(() => undefined); // the caller hears of it; the next one goes on
      return done;
    },
    found: () => foundApps(options),
    change: (server) => readChange(folderOf(server)) ?? 'none',
    setChange: async (server, change) => {
      const file = changeFile(folderOf(server));
      try {
        await files.makeFolder(folderOf(server));
        await replaceFile(files, file, changeText(change));
      } catch (cause) {
        throw writeFailed(file, cause);
      }
    },
    // One at a time, however often the button is pressed.
    ask: (app, tool, city) =>
      (asking ??= askClock(bridgeStart(options, app), tool, city).finally(() => (asking = undefined))),
  };
}
