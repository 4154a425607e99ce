import { hostPlatform, listFolder, ENTRY_NAME, ownerMark, recordsDir, type HostAccessOptions } from './app-edits.ts';
import { hostApp } from './host-apps.ts';
import { lookAtHost } from './host-look.ts';
import { configFiles } from './host-paths.ts';
import { readRecord } from './ownership.ts';

/** What has become of the settings that Holdfast wrote for an app: they name it no more, or cannot be read. */
export type HostTrouble = 'disconnected' | 'unreadable';

type Machine = Pick<HostAccessOptions, 'dataDir' | 'home' | 'env' | 'platform' | 'token'>;

/** Looks at the settings files of one app that Holdfast wrote into. Changes nothing; `null` where all is well. */
function troubleOf(id: string, options: Machine): HostTrouble | null {
  const app = hostApp(id);
  if (app === undefined) return null;
  const owner = ownerMark(options.token);
  const files = configFiles(app, { ...options, platform: hostPlatform(options.platform) }, listFolder);
  const keys = files.map((file) => ({ hostId: id, file, owner, recordsDir: recordsDir(options.dataDir) }));
  // What was never written into, or was put back, is nobody's trouble.
  const looks = keys.filter((key) => readRecord(key) !== undefined).map((key) => lookAtHost(app, key, ENTRY_NAME));
  if (looks.some(({ kind }) => kind === 'unreadable')) return 'unreadable';
  // An app that is not there any more has nothing to be mended.
  const isOut = looks.some((look) => look.kind === 'no-entry' || (look.kind === 'entry' && !look.isOurs));
  return isOut ? 'disconnected' : null;
}

/** Remembers how apps' settings were at the last look: files are read now and then only, and asked about all the time. */
export function watchTroubles(options: Machine) {
  const known = new Map<string, HostTrouble | null>();
  const lookAgain = (id: string): boolean => {
    const before = known.get(id) ?? null;
    const now = troubleOf(id, options);
    known.set(id, now);
    return now !== before;
  };
  return {
    /** Looks again after an edit, and passes on what it came to. */
    after: <T>(id: string, done: T): T => {
      lookAgain(id);
      return done;
    },
    /** As it was at the last look. */
    trouble: (id: string): HostTrouble | null => {
      if (!known.has(id)) lookAgain(id);
      return known.get(id) ?? null;
    },
    /** Looks again at what it was asked about before. True where anything is different. */
    look: (): boolean => [...known.keys()].filter((id) => lookAgain(id)).length > 0,
  };
}
