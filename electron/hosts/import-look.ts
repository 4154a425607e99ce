import path from 'node:path';
import { hostPlatform, listFolder } from './app-edits.ts';
import type { HostAccessOptions } from './app-edits.ts';
import { decode } from './encoding.ts';
import { hostApps, hostCards } from './host-apps.ts';
import type { HostApp, HostCard } from './host-apps.ts';
import { printOf } from './entry-print.ts';
import { chooseFiles, configFiles, filesBeside } from './host-paths.ts';
import type { Machine } from './host-paths.ts';
import { serversBeside, serversIn } from './import-files.ts';
import type { RawEntry, RawServers } from './import-files.ts';
import { readEntry } from './import-read.ts';
import type { ReadContext, ReadServer } from './import-read.ts';
import { skip } from './import-skips.ts';
import type { ImportSkip } from './import-skips.ts';
import { HostConfigProblem } from './problem.ts';
import { asProblem, readTarget } from './target-file.ts';

/** Where an entry is. */
export interface ImportSource {
  readonly app: string;
  readonly title: string;
  readonly file: string;
  readonly entry: string;
  readonly scope: RawEntry['scope'];
  readonly folder: string | null;
  /** Holdfast can take it out of that file; elsewhere it stays, whatever is done with it. */
  readonly canMove: boolean;
  /** Tells whether it is still the same later, and nothing of what is in it. */
  readonly print: string;
}

export interface FoundServer extends ReadServer {
  readonly source: ImportSource;
}
export interface SkippedEntry {
  readonly source: Omit<ImportSource, 'print' | 'canMove'>;
  readonly reason: ImportSkip;
}
export interface UnreadFile {
  readonly app: string;
  readonly title: string;
  readonly file: string;
  readonly hint: string;
}

/** Everything that apps on this machine start as servers. */
export interface FoundServers {
  readonly servers: readonly FoundServer[];
  readonly skipped: readonly SkippedEntry[];
  readonly unread: readonly UnreadFile[];
}

type LookOptions = Pick<HostAccessOptions, 'home' | 'env' | 'platform' | 'token'>;

const MAX_ENTRIES = 200;

/** Looks through the settings of every app that Holdfast knows. Reads only, starts nothing, and never throws. */
export function findServers(options: LookOptions): FoundServers {
  const machine = { ...options, platform: hostPlatform(options.platform) };
  const places = [...hostApps(), ...hostCards()].flatMap((app) => placesOf(app, machine));
  const looks = places.map((place) => lookInto(place, machine, options.token));
  return {
    servers: looks.flatMap(({ servers }) => servers),
    skipped: looks.flatMap(({ skipped }) => skipped),
    unread: looks.flatMap(({ unread }) => unread),
  };
}

interface Place {
  readonly app: HostApp | HostCard;
  readonly file: string;
  /** The file in which our own entry is written. */
  readonly isWritten: boolean;
  readonly isBeside: boolean;
}

function placesOf(app: HostApp | HostCard, machine: Machine): Place[] {
  const own = 'files' in app ? configFiles(app, machine, listFolder) : [];
  const written = 'files' in app ? chooseFiles(app, machine, listFolder) : { files: [], isAmbiguous: false };
  const isWritten = (file: string): boolean => !written.isAmbiguous && written.files.includes(file);
  const beside = filesBeside(app, machine, listFolder).filter((file) => !own.includes(file));
  return [
    ...own.map((file) => ({ app, file, isWritten: isWritten(file), isBeside: false })),
    ...beside.map((file) => ({ app, file, isWritten: false, isBeside: true })),
  ];
}

function lookInto(place: Place, machine: Machine, token: string): FoundServers {
  const nothing: FoundServers = { servers: [], skipped: [], unread: [] };
  try {
    const { content } = readTarget(place.file);
    if (content === undefined) return nothing;
    return sorted(place, rawIn(place, decode(content.bytes).text), machine, token);
  } catch (error) {
    const problem = asProblem(error);
    if (problem instanceof HostConfigProblem && problem.code === 'NO_DIR') return nothing;
    const hint = problem instanceof HostConfigProblem ? problem.message : 'This file cannot be opened.';
    return { ...nothing, unread: [{ app: place.app.id, title: place.app.title, file: place.file, hint }] };
  }
}

function rawIn({ app, file, isBeside }: Place, text: string): RawServers {
  return isBeside ? serversBeside(app, file, text) : serversIn(app, text);
}

function sorted(place: Place, { entries, inputs }: RawServers, machine: Machine, token: string): FoundServers {
  const context: ReadContext = {
    appTitle: place.app.title,
    variables: place.app.variables,
    inputs,
    home: machine.home,
    separator: machine.platform === 'win32' ? path.win32.sep : path.posix.sep,
  };
  const servers: FoundServer[] = [];
  const skipped: SkippedEntry[] = [];
  for (const [at, raw] of entries.entries()) {
    const isTwice = entries.some((other) => other !== raw && isSamePlace(other, raw));
    const read =
      at >= MAX_ENTRIES
        ? skip('many', { limit: MAX_ENTRIES })
        : isTwice
          ? skip('twice')
          : readEntry(raw.name, raw.value, context);
    const source = sourceOf(place, raw);
    if ('code' in read) skipped.push({ source, reason: read });
    else servers.push({ ...read, source: { ...source, ...markOf(place, raw, token) } });
  }
  return { servers, skipped, unread: [] };
}

function isSamePlace(a: RawEntry, b: RawEntry): boolean {
  return a.name === b.name && a.scope === b.scope && a.folder === b.folder;
}

function sourceOf({ app, file }: Place, { name: entry, scope, folder }: RawEntry): SkippedEntry['source'] {
  return { app: app.id, title: app.title, file, entry, scope, folder };
}

function markOf(
  { isWritten }: Place,
  { scope, value }: RawEntry,
  token: string,
): Pick<ImportSource, 'canMove' | 'print'> {
  return { canMove: isWritten && scope === 'section', print: printOf(value, token) };
}
