import path from 'node:path';
import { HoldfastError } from '../core/errors.ts';
import { disconnectHost } from './config-file.ts';
import { hostApp } from './host-apps.ts';
import { ownerMark, recordsDir } from './app-edits.ts';
import type { HostAccessOptions } from './app-edits.ts';
import { lookAtHosts } from './host-apps-access.ts';
import { wishesDir } from './lasting-edits.ts';
import { allRecords } from './ownership.ts';
import { allWishes, forgetWish } from './wishes.ts';

/** What came of taking Holdfast out of one settings file. */
export interface Restored {
  readonly app: string;
  readonly file: string;
  readonly outcome: 'restored' | 'nothing-there' | 'left';
  /** Why a file was left as it is. */
  readonly hint?: string;
}

interface RestoreOptions extends Pick<HostAccessOptions, 'dataDir' | 'home' | 'env' | 'platform' | 'token' | 'now'> {
  /** No file is begun any more once this says so. */
  readonly isTimeUp: () => boolean;
}

/**
 * Takes Holdfast out of the settings of every app, before it is uninstalled. Needs no gateway and no lock, and one file
 * that cannot be changed keeps no other from being restored. Never throws.
 */
export function restoreHosts(options: RestoreOptions): Restored[] {
  const restored: Restored[] = [];
  for (const { hostId } of allWishes(wishesDir(options.dataDir))) forgetWish(wishesDir(options.dataDir), hostId);
  for (const place of placesOf(options)) {
    if (options.isTimeUp()) restored.push({ ...about(place), outcome: 'left', hint: 'There was no time left.' });
    else restored.push(restore(options, place));
  }
  return restored;
}

interface Place {
  readonly hostId: string;
  readonly file: string;
  readonly owner: string;
}

// What was written is on record; what lost its record is found by the owner token of this installation.
function placesOf(options: RestoreOptions): Place[] {
  const recorded = allRecords(recordsDir(options.dataDir)).filter(({ hostId }) => hostApp(hostId) !== undefined);
  const owner = ownerMark(options.token);
  const seen = lookAtHosts(options).flatMap(({ id, file, look }) =>
    look.kind === 'entry' && look.isOurs ? [{ hostId: id, file, owner }] : [],
  );
  const all = [...recorded.map(({ hostId, file, owner: mark }) => ({ hostId, file, owner: mark })), ...seen];
  return [...new Map(all.map((place) => [JSON.stringify(place), place])).values()];
}

function restore(options: RestoreOptions, place: Place): Restored {
  try {
    const { changed } = disconnectHost({
      ...place,
      backupsDir: path.join(options.dataDir, 'backups'),
      recordsDir: recordsDir(options.dataDir),
      now: options.now(),
    });
    return { ...about(place), outcome: changed ? 'restored' : 'nothing-there' };
  } catch (error) {
    const hint = error instanceof HoldfastError ? String(error.details['hint'] ?? error.code) : String(error);
    return { ...about(place), outcome: 'left', hint };
  }
}

function about({ hostId, file }: Place): Pick<Restored, 'app' | 'file'> {
  return { app: hostId, file };
}
