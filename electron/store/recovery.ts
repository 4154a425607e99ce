import path from 'node:path';
import type { Event, State } from '../core/model.ts';
import { emptyState } from '../core/state.ts';
import type { Files } from './files.ts';
import { settledDocument, type Generation, type OwedReplay, type StoredDocument, type Telling } from './document.ts';
import { fileTime } from './file-time.ts';
import type { Journal } from './journal.ts';
import type { StoredEvent } from './stored-event.ts';

/** What became of the state when the store was opened. */
export interface Recovery {
  /** `previous`: an older generation serves. `empty`: there was none to serve. */
  readonly kind: 'none' | 'previous' | 'empty';
  /** Where damaged files were put. */
  readonly setAside: readonly string[];
  /** What happened since that generation, oldest first; the narrowing ones have to be applied again. */
  readonly replay: readonly Event[];
  /** More may have happened than the journal can tell: nothing may be used until the person confirms. */
  readonly uncertain: boolean;
}

/** Both generations as found on disk. */
export interface Found {
  readonly present: Generation;
  readonly previous: Generation;
}

/** The document that serves, and whether it has to be written first. */
export interface Start {
  readonly document: StoredDocument;
  readonly isNew: boolean;
}

/** Chooses the state to start with (README, "What atomic means"). */
export function chooseStart({ present, previous }: Found, journal: Journal): Start {
  if (present.kind === 'good') return servePresent(present.document, journal);
  if (previous.kind === 'good') return serveOlder(previous.document, journal);
  const { last, isReadable } = journal.since(0);
  const isMissing = present.kind === 'missing' && previous.kind === 'missing';
  // A state file is there before the first line of the journal is: one with a history has lost it.
  const isFresh = isMissing && last === 0 && isReadable;
  const replay: OwedReplay | null = isFresh ? null : { kind: 'empty', after: last, upTo: last, uncertain: true };
  const telling: Telling = { recovery: replay?.kind ?? null, known: [] };
  return { document: settledDocument({ ...emptyState(), sequence: last }, replay, telling), isNew: true };
}

/** A journal that is ahead of the state means that somebody put an older state file back. */
function servePresent(document: StoredDocument, journal: Journal): Start {
  const isLatest = journal.since(document.state.sequence).last === document.state.sequence;
  return isLatest ? { document, isNew: false } : serveOlder(document, journal);
}

/** An older generation serves; if it still owed a replay or a word itself, that one goes on. */
function serveOlder({ state, outbox }: StoredDocument, journal: Journal): Start {
  const after = outbox.replay?.after ?? state.sequence;
  const since = journal.since(after);
  const isKnown = since.isComplete && since.last > state.sequence && outbox.replay?.uncertain !== true;
  const replay: OwedReplay = {
    kind: outbox.replay?.kind ?? outbox.telling.recovery ?? 'previous',
    after,
    upTo: since.last,
    uncertain: !isKnown,
  };
  // Numbers go on where the journal ends, so that its lines stay in order.
  return {
    document: settledDocument(goOnFrom(state, Math.max(since.last, state.sequence)), replay, {
      ...outbox.telling,
      recovery: replay.kind,
    }),
    isNew: true,
  };
}

/** Each lost commit may have been a publication: epochs go on above all of them, so that none comes twice. */
function goOnFrom(state: State, sequence: number): State {
  const lost = Math.max(1, sequence - state.sequence);
  const publications = Object.fromEntries(
    Object.entries(state.publications).map(([consumer, one]) => [consumer, { ...one, epoch: one.epoch + lost }]),
  );
  return { ...state, sequence, publications };
}

/** `state.json` becomes `state.damaged-<time>.json`, or what else it is called for; never over an earlier one. */
export async function putAside(files: Files, file: string, at: string, why = 'damaged'): Promise<string> {
  const { dir, name } = path.parse(file);
  const taken = new Set(files.list(dir));
  const base = `${name}.${why}-${fileTime(at)}`;
  let aside = `${base}.json`;
  for (let number = 2; taken.has(aside); number += 1) aside = `${base}-${number}.json`;
  await files.rename(file, path.join(dir, aside));
  return path.join(dir, aside);
}

/** The events of the commits that a replay is about, each once. */
export function replayEvents(journal: Journal, replay: OwedReplay): StoredEvent[] {
  const lines = journal.since(replay.after).lines.filter((line) => line.sequence <= replay.upTo);
  const once = new Map(lines.map((line) => [`${line.sequence}/${line.index}`, line]));
  return [...once.values()].flatMap((line) => line.event ?? []);
}
