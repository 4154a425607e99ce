import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { dataDir as usualDataDir } from './data-dir.ts';

export interface EntryPlace {
  readonly dataDir: string;
  /** The person's home folder. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** What the command interpreter of Windows says to `for %A in (FOLDER) do @echo %~sA`. */
  readonly askShortName?: (folder: string) => string;
}

const ASK_MS = 3_000;

/**
 * The data folder by a name that host apps can use: some take a command apart at its spaces, and on a Mac the folder's
 * own name has one. It is a link in the home folder, or Windows' short name; where neither can be had, the folder itself.
 */
export function entryHome(place: EntryPlace): string {
  const { dataDir, platform, askShortName = shortName } = place;
  if (!/\s/.test(dataDir)) return dataDir;
  if (platform === 'win32') return shortNameIn(orNothing(() => askShortName(dataDir))) ?? dataDir;
  const link = linkFor(place);
  return link !== null && isLinked(link, dataDir) ? link : dataDir;
}

/** Where the link is; `null` where its name would have a space as well. */
export function linkFor({ dataDir, home }: Pick<EntryPlace, 'dataDir' | 'home'>): string | null {
  const isUsual = dataDir === usualDataDir(undefined, {}, 'darwin');
  const name = isUsual ? '.holdfast' : `.holdfast-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`;
  const link = path.join(home, name);
  return /\s/.test(link) ? null : link;
}

/** Made where nothing is there yet. What someone else has put there is left alone. */
function isLinked(link: string, dataDir: string): boolean {
  try {
    if (!fs.lstatSync(link, { throwIfNoEntry: false })) fs.symlinkSync(dataDir, link, 'dir');
    return fs.lstatSync(link).isSymbolicLink() && fs.realpathSync(link) === fs.realpathSync(dataDir);
  } catch {
    return false; // the home folder cannot be written, or the link leads nowhere
  }
}

/** The short name in what the interpreter said: absolute, and of one word. */
export function shortNameIn(said: string): string | null {
  const name = said.trim();
  return /^[A-Za-z]:\\[^\s"%]+$/.test(name) ? name : null;
}

/** A volume may keep no short names; then the name comes back as it was. */
function shortName(folder: string): string {
  const interpreter = process.env['ComSpec'] ?? 'C:\\Windows\\System32\\cmd.exe';
  const args = ['/d', '/s', '/c', `"for %A in ("${folder}") do @echo %~sA"`];
  return execFileSync(interpreter, args, {
    encoding: 'utf8',
    timeout: ASK_MS,
    windowsHide: true,
    windowsVerbatimArguments: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  } as Parameters<typeof execFileSync>[2] & { encoding: 'utf8' }); // its types leave the verbatim arguments out
}

function orNothing(ask: () => string): string {
  try {
    return ask();
  } catch {
    return '';
  }
}
