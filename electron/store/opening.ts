import path from 'node:path';
import { Low } from 'lowdb';
import type { CapabilityId, JsonObject, ManifestId, State, StoredDefinition, SurfaceManifest } from '../core/model.ts';
import { StateFile } from './adapter.ts';
import { removeTemporaries } from './atomic.ts';
import { openDefinitions, openManifests, type Content } from './content.ts';
import { keepOldFile } from './backup.ts';
import type { OldFile, StoredDocument } from './document.ts';
import type { Files } from './files.ts';
import { Journal } from './journal.ts';
import { chooseStart, putAside, replayEvents, type Found, type Recovery } from './recovery.ts';
import { referencesOf } from './references.ts';
import { restoreEvent } from './stored-event.ts';

/** An opened data folder. */
export interface Parts {
  readonly db: Low<StoredDocument>;
  readonly stateFile: StateFile;
  readonly definitions: Content<CapabilityId, StoredDefinition>;
  readonly manifests: Content<ManifestId, SurfaceManifest>;
  readonly journal: Journal;
}

/** Where things are in a data folder. */
export function folderNames(dir: string) {
  return {
    definitions: path.join(dir, 'definitions'),
    manifests: path.join(dir, 'manifests'),
    journal: path.join(dir, 'journal'),
  };
}

/** When the folder is opened (ISO 8601), and by which version of the program. */
export interface Opener {
  readonly at: string;
  readonly version: string;
}

/**
 * Reads a data folder that is locked for this process, and puts it in order.
 * @throws HoldfastError STORE_NEWER, before anything is changed; STORE_CORRUPT; STORE_WRITE_FAILED.
 */
export async function openParts(
  files: Files,
  dir: string,
  { at, version }: Opener,
): Promise<{ parts: Parts; recovery: Recovery }> {
  const folders = folderNames(dir);
  const stateFile = new StateFile(files, dir, version);
  const found: Found = { present: stateFile.generation(), previous: stateFile.previousGeneration() };
  const { journal, setAside } = await Journal.open(files, folders.journal, at);
  for (const folder of [dir, folders.definitions, folders.manifests]) await removeTemporaries(files, folder);
  const start = chooseStart(found, journal);
  const db = new Low<StoredDocument>(stateFile, start.document);
  const parts: Parts = {
    db,
    stateFile,
    journal,
    definitions: openDefinitions(files, folders.definitions),
    manifests: openManifests(files, folders.manifests),
  };
  const old = oldOf(found);
  // Before anything is written over it, and before it could be taken for missing.
  if (old !== undefined) await keepOldFile(files, dir, old, at);
  if (found.present.kind === 'damaged') setAside.push(await putAside(files, stateFile.path, at));
  if (start.isNew || old !== undefined) await db.write();
  else await files.syncFolder(dir); // a crash may have left the last rename in memory only
  // Only now: with nothing else in place, a crash here would make the folder look fresh.
  if (found.previous.kind === 'damaged') setAside.push(await putAside(files, stateFile.previousPath, at));
  else await stateFile.separatePrevious();
  if (start.document.outbox.replay === null) {
    await collectUnused(parts, found);
    await journal.prune(oldestServable(start.document, found));
  }
  return { parts, recovery: recoveryOf(parts, setAside) };
}

/** The file of an older version that serves: it is about to be replaced by one of this version. */
function oldOf({ present, previous }: Found): OldFile | undefined {
  if (present.kind === 'good') return present.old;
  return previous.kind === 'good' ? previous.old : undefined;
}

/** The commit from which on a replay could still ask the journal. */
function oldestServable({ state }: StoredDocument, { previous }: Found): number {
  return Math.min(state.sequence - 1, previous.kind === 'good' ? previous.document.state.sequence : state.sequence);
}

function recoveryOf({ db, journal, definitions }: Parts, setAside: readonly string[]): Recovery {
  const { replay } = db.data.outbox;
  if (replay === null) return { kind: 'none', setAside, replay: [], uncertain: false };
  const definition = (id: CapabilityId): JsonObject | undefined =>
    definitions.has(id) ? definitions.read(id).definition : undefined;
  const events = replayEvents(journal, replay).map((event) => restoreEvent(event, definition));
  return { kind: replay.kind, setAside, replay: events, uncertain: replay.uncertain };
}

/** Both generations count: the older one may have to serve. */
async function collectUnused({ db, definitions, manifests }: Parts, { previous }: Found): Promise<void> {
  const states: State[] = [db.data.state];
  if (previous.kind === 'good') states.push(previous.document.state);
  const used = referencesOf(states);
  const listed = [...used.manifests].filter((id) => manifests.has(id)).flatMap((id) => manifests.read(id).entries);
  const needed = new Set([...used.definitions, ...listed.map((entry) => entry.id)]);
  await manifests.collect((id) => used.manifests.has(id));
  await definitions.collect((id) => needed.has(id));
}
