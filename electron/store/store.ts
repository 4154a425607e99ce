import type { CapabilityId, Effect, ManifestId, State, StoredDefinition, SurfaceManifest } from '../core/model.ts';
import { newDocument, type Outbox, type StoredDocument } from './document.ts';
import { realFiles, type Files } from './files.ts';
import { commitLines, evidenceLine, type JournalLine, type NewLine } from './journal-line.ts';
import { acquireLock, type Lock } from './lock.ts';
import { folderNames, openParts, type Parts } from './opening.ts';
import type { Recovery } from './recovery.ts';
import { setAsideNames, untoldOf, type Untold } from './telling.ts';
import { writeFailed } from './write-failed.ts';

export interface StoreOptions {
  /** The data folder; made where it is missing. */
  readonly dir: string;
  readonly files?: Files;
  /** ISO 8601. */
  readonly now: () => string;
  /** Of this program: the state file says who wrote it. */
  readonly version: string;
}

/** One step of history: the next state, with everything it names and owes. */
export interface Commit {
  /** Its sequence is the present one plus one. */
  readonly state: State;
  readonly manifests: readonly SurfaceManifest[];
  readonly definitions: readonly StoredDefinition[];
  /** One of them carries the event, so that it can be replayed. */
  readonly lines: readonly NewLine[];
  readonly effects: readonly Effect[];
}

/** A data folder, and the only writer of its state (README, "What atomic means"). */
export class Store {
  readonly #parts: Parts;
  readonly #lock: Lock;
  readonly #dir: string;
  readonly #files: Files;
  #committed: StoredDocument;
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #closing: Promise<void> | undefined;

  private constructor(files: Files, dir: string, lock: Lock, parts: Parts) {
    this.#files = files;
    this.#dir = dir;
    this.#lock = lock;
    this.#parts = parts;
    this.#committed = parts.db.data;
  }

  /**
   * Opens a data folder: recovers from damaged files and completes what the last commit owes the journal. A recovery
   * is reported again at every start until {@link replayed} says that its events are applied.
   * @throws HoldfastError STORE_LOCKED when another process has it; STORE_NEWER when a later version wrote it, with
   * the state file as it was; STORE_CORRUPT when a file cannot be opened at present; STORE_WRITE_FAILED.
   */
  static open({ dir, files = realFiles, now, version }: StoreOptions): Promise<{ store: Store; recovery: Recovery }> {
    return failingAsWrite(dir, async () => {
      for (const folder of [dir, ...Object.values(folderNames(dir))]) await files.makeFolder(folder);
      const lock = await acquireLock(files, dir);
      try {
        const { parts, recovery } = await openParts(files, dir, { at: now(), version });
        const store = new Store(files, dir, lock, parts);
        await store.#completeJournal();
        return { store, recovery };
      } catch (error) {
        await lock.release().catch(() => undefined); // why it could not be opened matters more
        throw error;
      }
    });
  }

  /** The committed state: what is on disk. */
  get state(): State {
    return this.#committed.state;
  }

  /**
   * Writes the next state with everything that belongs to it. When this resolves, the state is on disk and in force.
   * `onInForce` is called in the instant in which {@link state} becomes the new one, so that nothing is served between.
   * @throws HoldfastError STORE_WRITE_FAILED, with memory and disk as before; STORE_LOCKED when another process took
   * the folder over.
   */
  commit(commit: Commit, onInForce?: () => void): Promise<void> {
    return this.#enqueue(async () => {
      const { state } = commit;
      if (state.sequence !== this.state.sequence + 1) throw new Error('not the next state');
      await this.#lock.confirm();
      await this.#completeJournal();
      await this.#parts.definitions.save(commit.definitions);
      await this.#parts.manifests.save(commit.manifests);
      const lines = commitLines(state.sequence, commit.lines);
      const { replay, telling } = this.#committed.outbox;
      await this.#write(newDocument(state, { lines, effects: commit.effects, replay, telling }));
      onInForce?.();
      // The commit stands. Lines that cannot be written now are in its outbox, and due before the next one.
      await this.#completeJournal().catch(() => undefined);
    });
  }

  /**
   * Writes down something that changed no state.
   * @throws HoldfastError STORE_WRITE_FAILED
   */
  journal(line: NewLine): Promise<void> {
    return this.#enqueue(async () => {
      await this.#lock.confirm();
      await this.#completeJournal();
      await this.#parts.journal.append([evidenceLine(this.state.sequence, line)]);
    });
  }

  /**
   * Finds out whether a commit could be written now; leaves nothing behind.
   * @throws HoldfastError STORE_WRITE_FAILED
   */
  tryRoom(): Promise<void> {
    return this.#enqueue(async () => {
      await this.#completeJournal();
      await this.#parts.stateFile.tryRoom(this.#committed);
    });
  }

  /** Effects of the last commit, to be completed at start. */
  owed(): readonly Effect[] {
    return this.#committed.outbox.effects;
  }

  /** @throws HoldfastError STORE_CORRUPT where this one is missing or damaged: what it defines stays off. */
  definition(id: CapabilityId): StoredDefinition {
    return this.#parts.definitions.read(id);
  }

  /** @throws HoldfastError STORE_CORRUPT where this one is missing or damaged. */
  manifest(id: ManifestId): SurfaceManifest {
    return this.#parts.manifests.read(id);
  }

  /** The newest lines of the journal, newest first. Reads files, so not for the path of a call. */
  history(limit: number, isWanted?: (line: JournalLine) => boolean): JournalLine[] {
    return this.#parts.journal.recent(limit, isWanted);
  }

  /**
   * Ends a recovery: what had to be applied again has been committed. To be called before anything else is committed,
   * because a later start would apply it over what was chosen since.
   * @throws HoldfastError STORE_WRITE_FAILED
   */
  replayed(): Promise<void> {
    return this.#settle(() => ({ replay: null }));
  }

  /** What the person has still to be told of these files, whichever run it happened in. */
  untold(): readonly Untold[] {
    return untoldOf(this.#committed.outbox.telling, setAsideNames(this.#files, this.#dir));
  }

  /**
   * The person has been told all that {@link untold} names.
   * @throws HoldfastError STORE_WRITE_FAILED; they are then told again at the next start.
   */
  told(): Promise<void> {
    return this.#settle(() => ({ telling: { recovery: null, known: setAsideNames(this.#files, this.#dir) } }));
  }

  /** Takes something off what the last commit owes; the state stays. */
  #settle(paid: () => Partial<Outbox>): Promise<void> {
    return this.#enqueue(async () => {
      await this.#lock.confirm();
      await this.#write({ ...this.#committed, outbox: { ...this.#committed.outbox, ...paid() } });
    });
  }

  /** Waits for what is being written and gives the folder free. */
  close(): Promise<void> {
    this.#closing ??= this.#enqueue(() => {
      this.#isClosed = true;
      return this.#lock.release();
    });
    return this.#closing;
  }

  /** Memory moves only after the disk; lowdb by itself does it the other way round. */
  async #write(document: StoredDocument): Promise<void> {
    const { db } = this.#parts;
    db.data = document;
    try {
      await db.write();
    } catch (error) {
      db.data = this.#committed;
      throw error;
    }
    this.#committed = document;
  }

  async #completeJournal(): Promise<void> {
    const { journal } = this.#parts;
    await journal.append(journal.missing(this.#committed.outbox.lines));
  }

  #enqueue(action: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(() =>
      failingAsWrite(this.#dir, () => (this.#isClosed ? Promise.reject(new Error('the store is closed')) : action())),
    );
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

/** Whatever fails here failed to be written. */
async function failingAsWrite<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw writeFailed(file, cause);
  }
}
