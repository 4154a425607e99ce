import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { HoldfastError } from '../core/errors.ts';
import { connectHost, disconnectHost } from './config-file.ts';
import { DIALECTS } from './dialects.ts';
import { printOf as entryPrint } from './entry-print.ts';
import { entryFor, type BridgeStart } from './entry-template.ts';
import { hostApp, hostCard, type HostApp } from './host-apps.ts';
import { lookAtHost } from './host-look.ts';
import { chooseFiles, configFiles, isInstalled, type HostPlatform, type Machine } from './host-paths.ts';
import type { HostEditResult, HostMove } from './host-request.ts';
import { allRecords } from './ownership.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

export interface HostAccessOptions {
  readonly dataDir: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Secret of this installation; the owner mark in the entry is derived from it and tells nothing of it. */
  readonly token: string;
  /** How a host app starts the bridge, before the app's name. */
  readonly bridge: BridgeStart & { readonly trailing?: readonly string[] };
  /** The data folder by the name that entries have for it, where that is another one. */
  readonly entryHome?: string;
  readonly now: () => string;
  /** Names of the running programs; asked of the system where a test does not say. */
  readonly programs?: () => readonly string[];
}

export interface EditOptions {
  readonly dryRun: boolean;
  /** Entries that are taken out in the same write, because Holdfast has these servers now. */
  readonly moves?: readonly HostMove[];
}

export const ENTRY_NAME = 'holdfast';

/** Edits of host apps' settings, done at once; see `hostAppsAccess` for apps that are running. */
export function appEdits(options: HostAccessOptions) {
  const owner = ownerMark(options.token);
  const machine = { ...options, platform: hostPlatform(options.platform) };
  const startFor = (app: string, file?: string): BridgeStart => bridgeStart(options, app, file);
  const requests = (app: HostApp, { dryRun }: EditOptions, files = filesOf(app, machine)) =>
    files.map((file) => ({
      hostId: app.id,
      file,
      owner,
      entryName: ENTRY_NAME,
      backupsDir: path.join(options.dataDir, 'backups'),
      recordsDir: recordsDir(options.dataDir),
      isInstalled: isInstalled(app, machine, listFolder),
      now: options.now(),
      dryRun,
    }));
  const printOf = (value: JsonValue): string => entryPrint(value, options.token);
  const known = (id: string): HostApp => hostApp(id) ?? refuseUnknown(id, startFor(id));
  return {
    /** Whether our entry is in a settings file of that app. */
    hasEntry: (id: string): boolean => {
      const app = hostApp(id);
      return app !== undefined && ownEntries(app, machine, options.dataDir, owner).length > 0;
    },
    connect(id: string, edit: EditOptions): HostEditResult {
      const app = known(id);
      const { moves = [] } = edit;
      const connect = (request: ReturnType<typeof requests>[number]): HostEditResult => {
        const { always: entry, atFirst: entryAtFirst } = entryFor(app, startFor(id, request.file));
        return orByHand(app, { ...entry, ...entryAtFirst }, () =>
          connectHost({ ...request, entry, entryAtFirst, moves, printOf }),
        );
      };
      // Every file has to be fit for the edit before the first of them is touched.
      if (!edit.dryRun) for (const one of requests(app, { dryRun: true })) connect(one);
      return together(requests(app, edit).map(connect));
    },
    disconnect: (id: string, edit: EditOptions): HostEditResult =>
      together(
        requests(known(id), edit, ownFiles(known(id), machine, options.dataDir, owner)).map((one) =>
          disconnectHost(one),
        ),
      ),
  };
}

/** How an app starts our bridge. @param file where its settings say so */
export function bridgeStart(options: HostAccessOptions, app: string, file = ''): BridgeStart {
  const { command, args, trailing = [], env } = options.bridge;
  const home = options.entryHome ?? options.dataDir;
  const wall = isWalledOff(file) ? ['--walled'] : [];
  const words = ['connect', app, '--home', home, '--owner', ownerMark(options.token), ...wall, ...trailing];
  return { command, args: [...args, ...words], env };
}

/** Files that an app may read and that have our entry. */
function ownEntries(app: HostApp, machine: Machine, dataDir: string, owner: string): string[] {
  return configFiles(app, machine, listFolder).filter((file) => {
    const look = lookAtHost(app, { hostId: app.id, file, owner, recordsDir: recordsDir(dataDir) }, ENTRY_NAME);
    return look.kind === 'entry' && look.isOurs;
  });
}

/** Where our entries of an app are, wherever its settings were when they were written; else where they would be. */
function ownFiles(app: HostApp, machine: Machine, dataDir: string, owner: string): readonly string[] {
  const recorded = allRecords(recordsDir(dataDir)).filter((one) => one.hostId === app.id && one.owner === owner);
  const seen = ownEntries(app, machine, dataDir, owner);
  const files = [...new Set([...seen, ...recorded.map(({ file }) => file)])];
  return files.length > 0 ? files : chooseFiles(app, machine, listFolder).files;
}

/** Several files of one app as one answer: that of the file which the app reads first. */
function together(results: readonly HostEditResult[]): HostEditResult {
  const [first, ...rest] = results;
  if (!first) throw new HoldfastError('INTERNAL', { reason: 'the app has no settings file on this system' });
  if (rest.length === 0) return first;
  return {
    ...first,
    changed: results.some(({ changed }) => changed),
    needsRestart: results.some(({ needsRestart }) => needsRestart),
    ...movedOf(results),
    notes: results.flatMap(({ notes }) => notes),
    ...(first.diff === undefined ? {} : { diff: results.map(({ diff }) => diff ?? '').join('') }),
    others: rest.map(({ file }) => file),
  };
}

function movedOf(results: readonly HostEditResult[]): Pick<HostEditResult, 'moved'> {
  const moved = results.flatMap((result) => result.moved ?? []);
  return moved.length === 0 ? {} : { moved };
}

function filesOf(app: HostApp, machine: Machine): readonly string[] {
  const { files, isAmbiguous } = chooseFiles(app, machine, listFolder);
  if (!isAmbiguous) return files;
  const hint = `There are several installations of ${app.title}: ${files.join(', ')}. Start the one you use once.`;
  throw new HoldfastError('HOST_CONFIG_CONFLICT', { file: files[0] ?? '', problem: 'SEVERAL', hint });
}

/** Where a file is fine but not for us to change, a person can paste the entry. */
function orByHand<T>(app: HostApp, value: JsonObject, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const isOurs = cause instanceof HoldfastError && ['SHAPE', 'FLOW'].includes(String(cause.details['problem']));
    if (!isOurs) throw cause;
    const entry = DIALECTS[app.dialect].printInside(ENTRY_NAME, value);
    throw new HoldfastError(cause.code, { ...cause.details, section: app.section, entry }, { cause });
  }
}

function refuseUnknown(id: string, start: BridgeStart): never {
  const card = hostCard(id);
  if (!card)
    throw new HoldfastError('HOST_UNSUPPORTED', { app: id, entry: JSON.stringify({ [ENTRY_NAME]: plain(start) }) });
  const entry = DIALECTS[card.dialect].print(card.section, ENTRY_NAME, entryFor(card, start).always);
  throw new HoldfastError('HOST_UNSUPPORTED', { app: card.title, entry: `\n${entry}`, where: card.where });
}

function plain({ command, args, env }: BridgeStart): object {
  return Object.keys(env).length === 0 ? { command, args } : { command, args, env };
}

/**
 * Whether an app keeps its settings behind a wall that its system has put around it: MSIX, flatpak, snap. What it starts
 * would keep files where nobody else finds them, so that its bridge must not start anything.
 */
export function isWalledOff(file: string): boolean {
  return /[\\/]Packages[\\/][^\\/]+[\\/]LocalCache[\\/]|\/\.var\/app\/[^/]+\/|\/snap\/[^/]+\/(?:current|common|x?\d+)\//.test(
    file,
  );
}

/** Marks our entries as ours; derived from the token, of which it tells nothing. */
export function ownerMark(token: string): string {
  return `hf-${createHash('sha256').update(`owner ${token}`).digest('hex').slice(0, 12)}`;
}

/** Where it is written down what Holdfast did to settings files. */
export function recordsDir(dataDir: string): string {
  return path.join(dataDir, 'connections');
}

export function hostPlatform(platform: NodeJS.Platform): HostPlatform {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

/** Names in a folder; nothing where it cannot be read. */
export function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there, or not ours to read: no host app to be found in it
  }
}
