import { decode, encode } from './encoding.ts';
import type { DecodedText } from './encoding.ts';
import { DIALECTS } from './dialects.ts';
import type { AddedEntry, EntryPlace, RemovedEntry } from './entry.ts';
import type { HostApp } from './host-apps.ts';
import type { ConnectHostRequest, DisconnectHostRequest, HostMove } from './host-request.ts';
import { giveBackMoved, takeOut, withMoved } from './moved-entries.ts';
import { note } from './notes.ts';
import type { HostNote } from './notes.ts';
import type { OwnershipRecord } from './ownership.ts';
import { HostConfigProblem, positionAt } from './problem.ts';
import { sha256 } from './sha256.ts';
import { insertBetween, undoInserts } from './splice.ts';
import type { TargetFile } from './target-file.ts';

/** What is to be done to a settings file. Planning reads and writes nothing. */
export interface Plan {
  readonly changed: boolean;
  /** The new content; undefined where the file is to be deleted (or was never there). */
  readonly bytes: Buffer | undefined;
  readonly entryName: string;
  /** To be kept once the content is written; undefined where it is to be forgotten. */
  readonly record: OwnershipRecord | undefined;
  readonly foldersToRemove: readonly string[];
  readonly notes: readonly HostNote[];
  /** Names of the entries that are taken out. */
  readonly moved: readonly string[];
  readonly needsRestart: boolean;
}

const NO_TEXT: DecodedText = { text: '', hasBom: false };

/** Our entry added to, or brought up to date in, the file as it is now. */
export function planConnect(
  app: HostApp,
  request: ConnectHostRequest,
  target: TargetFile,
  record: OwnershipRecord | undefined,
): Plan {
  const now = target.content ? decode(target.content.bytes) : NO_TEXT;
  const place = placeIn(app, request.owner);
  const content = { always: request.entry, atFirst: request.entryAtFirst ?? {} };
  const added = DIALECTS[app.dialect].add(now.text, place, request.entryName, content);
  const taken = takeOut(
    app,
    added.text,
    movesIn(request),
    (move, { value }) => request.printOf?.(value) === move.print,
  );
  const bytes = encode(taken.text, now.hasBom && !app.rejectsBom);
  const earlier = earlierState(app, request.owner, target, now, added, record);
  return {
    changed: !target.content?.bytes.equals(bytes),
    bytes,
    entryName: added.name,
    record: {
      format: 1,
      hostId: app.id,
      file: request.file,
      realPath: target.realPath,
      entryName: added.name,
      owner: request.owner,
      inserts: insertBetween(earlier.text, taken.text),
      preSha: earlier.sha,
      postSha: sha256(bytes),
      backup: earlier.backup,
      createdFile: earlier.sha === null,
      createdFolders: [...earlier.createdFolders],
      createdSection: earlier.createdSection,
      droppedBom: earlier.hasBom && app.rejectsBom,
      moved: withMoved(record?.moved ?? [], taken.moved),
      at: request.now,
    },
    foldersToRemove: [],
    notes: notesFor(app, target, now, place),
    moved: taken.moved.map(({ name }) => name),
    needsRestart: app.reload === 'restart',
  };
}

function movesIn({ file, moves = [] }: ConnectHostRequest): HostMove[] {
  return moves.filter((move) => move.file === file);
}

function placeIn(app: HostApp, owner: string): EntryPlace {
  return { section: app.section, owner };
}

function notesFor(app: HostApp, target: TargetFile, now: DecodedText, place: EntryPlace): HostNote[] {
  const { otherSections } = DIALECTS[app.dialect].see(now.text, place);
  const misplaced = otherSections.filter((section) => app.misplaced.includes(section));
  return [
    ...(now.hasBom && app.rejectsBom ? [note('bom-dropped', { app: app.title })] : []),
    ...(target.content?.hasOtherNames ? [note('hard-link', {})] : []),
    ...misplaced.map((section) => note('misplaced', { app: app.title, section })),
  ];
}

/** The file without us: as it was, where it is still what we wrote; else as it is now, less our entry. */
export function planDisconnect(
  app: HostApp,
  request: DisconnectHostRequest,
  target: TargetFile,
  record: OwnershipRecord | undefined,
): Plan {
  const nothing = nothingToDo(target, record?.entryName ?? request.entryName ?? '');
  if (!target.content) return nothing;
  const now = decode(target.content.bytes);
  const needsRestart = app.reload === 'restart';
  const earlier = record && record.postSha === target.content.sha ? giveBack(now, record) : undefined;
  if (earlier && record) {
    const { text, hasBom } = earlier;
    const bytes = text === undefined ? undefined : encode(giveBackMoved(app, text, record.moved), hasBom);
    const foldersToRemove = bytes ? [] : record.createdFolders;
    return { ...nothing, changed: true, bytes, foldersToRemove, needsRestart };
  }
  const removed = cutOurs(app, request.owner, now.text, record);
  const moved = record?.moved ?? [];
  if (removed === undefined || (removed.name === undefined && moved.length === 0)) return nothing;
  const bytes = encode(giveBackMoved(app, removed.text, moved), now.hasBom && !app.rejectsBom);
  const changed = !bytes.equals(target.content.bytes);
  return { ...nothing, changed, bytes, entryName: removed.name ?? nothing.entryName, needsRestart };
}

function nothingToDo(target: TargetFile, entryName: string): Plan {
  const bytes = target.content?.bytes;
  const quiet = { changed: false, notes: [], moved: [], needsRestart: false };
  return { ...quiet, bytes, entryName, record: undefined, foldersToRemove: [] };
}

/** The file before Holdfast, as far as it can be told. */
interface EarlierState {
  readonly text: string;
  readonly hasBom: boolean;
  readonly sha: string | null;
  readonly backup: string | null;
  readonly createdFolders: readonly string[];
  readonly createdSection: boolean;
}

function earlierState(
  app: HostApp,
  owner: string,
  target: TargetFile,
  now: DecodedText,
  added: AddedEntry,
  record: OwnershipRecord | undefined,
): EarlierState {
  if (added.did === 'added') {
    const { createdSection } = added;
    const sha = target.content?.sha ?? null;
    return { ...now, sha, backup: null, createdFolders: target.missingFolders, createdSection };
  }
  // Our own earlier text, brought up to date: what was before it stays what was before.
  const own = record && record.postSha === target.content?.sha ? record : undefined;
  const before = own && undoInserts(now.text, own.inserts);
  if (own && before !== undefined) {
    const { preSha: sha, backup, createdFolders, createdSection } = own;
    return { text: before, hasBom: own.droppedBom || now.hasBom, sha, backup, createdFolders, createdSection };
  }
  const createdSection = record?.createdSection ?? false;
  const { text } = DIALECTS[app.dialect].remove(added.text, placeIn(app, owner), { dropEmptySection: createdSection });
  const sha = sha256(encode(text, now.hasBom));
  return { text, hasBom: now.hasBom, sha, backup: null, createdFolders: [], createdSection };
}

/** `text` is undefined where there was no file. */
interface EarlierText {
  readonly text: string | undefined;
  readonly hasBom: boolean;
}

// Undefined where the record does not lead back to the bytes that it names.
function giveBack(now: DecodedText, record: OwnershipRecord): EarlierText | undefined {
  const text = undoInserts(now.text, record.inserts);
  if (text === undefined) return undefined;
  if (record.createdFile) return text === '' ? { text: undefined, hasBom: false } : undefined;
  const hasBom = now.hasBom || record.droppedBom;
  return sha256(encode(text, hasBom)) === record.preSha ? { text, hasBom } : undefined;
}

function cutOurs(
  app: HostApp,
  owner: string,
  text: string,
  record: OwnershipRecord | undefined,
): RemovedEntry | undefined {
  const dropEmptySection = record?.createdSection ?? false;
  try {
    return DIALECTS[app.dialect].remove(text, placeIn(app, owner), { dropEmptySection });
  } catch (cause) {
    const at = text.indexOf(owner);
    if (at < 0 && (record?.moved.length ?? 0) > 0) throw cause; // there is something to give back
    if (at < 0) return undefined; // cannot be read, but is none of our business either
    const position = positionAt(text, at);
    const sentence = `This file cannot be changed safely now: remove the entry around line ${position.line} by hand.`;
    const code = cause instanceof HostConfigProblem ? cause.code : 'SHAPE';
    throw new HostConfigProblem(code, sentence, position, { cause });
  }
}
