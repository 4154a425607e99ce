import path from 'node:path';
import type { Adapter } from 'lowdb';
import { HoldfastError } from '../core/errors.ts';
import { discard, discardAndThrow, linkOrCopy, temporaryName, writeTemporary } from './atomic.ts';
import { encodeDocument, readGeneration, type Generation, type StoredDocument } from './document.ts';
import type { Files } from './files.ts';
import { MAX_WRITTEN_BY } from './migrations.ts';
import { writeFailed } from './write-failed.ts';

/**
 * The state file for lowdb, which by itself neither checks shapes nor syncs. A write is in place completely or not at
 * all, and the generation before it stays beside it.
 */
export class StateFile implements Adapter<StoredDocument> {
  readonly path: string;
  readonly previousPath: string;
  readonly #files: Files;
  readonly #folder: string;
  readonly #writtenBy: string;
  #isBroken = false;

  /** @param writtenBy version of this program, for the files it writes */
  constructor(files: Files, folder: string, writtenBy: string) {
    this.#files = files;
    this.#folder = folder;
    this.#writtenBy = writtenBy.slice(0, MAX_WRITTEN_BY);
    this.path = path.join(folder, 'state.json');
    this.previousPath = path.join(folder, 'state.previous.json');
  }

  /** @throws HoldfastError STORE_NEWER or STORE_CORRUPT. */
  read(): Promise<StoredDocument | null> {
    const found = this.generation();
    if (found.kind === 'damaged') {
      return Promise.reject(new HoldfastError('STORE_CORRUPT', { file: this.path, reason: found.reason }));
    }
    return Promise.resolve(found.kind === 'good' ? found.document : null);
  }

  /** @throws HoldfastError STORE_NEWER, or STORE_CORRUPT where the file cannot be opened. */
  generation(): Generation {
    return readGeneration(this.#files, this.path);
  }

  /** The one before; throws like {@link generation}. */
  previousGeneration(): Generation {
    return readGeneration(this.#files, this.previousPath);
  }

  /** @throws HoldfastError STORE_WRITE_FAILED; the file then holds what it held before. */
  async write(document: StoredDocument): Promise<void> {
    try {
      if (this.#isBroken) throw new Error('an earlier write could neither be finished nor taken back');
      await this.#replace(this.#encode(document));
    } catch (cause) {
      throw writeFailed(this.path, cause);
    }
  }

  /**
   * Writes as much as the next commit would, and takes it away again.
   * @throws Error from the file system
   */
  async tryRoom(document: StoredDocument): Promise<void> {
    const temporary = await writeTemporary(this.#files, this.path, this.#encode(document));
    await this.#files.remove(temporary);
  }

  #encode(document: StoredDocument): string {
    return encodeDocument({ ...document, writtenBy: this.#writtenBy });
  }

  async #replace(text: string): Promise<void> {
    const temporary = await writeTemporary(this.#files, this.path, text);
    const isFirst = this.#files.size(this.path) === undefined;
    try {
      // A second name for the present generation, so that `state.json` itself is there at every instant.
      if (!isFirst) await this.#alias(this.path, this.previousPath);
      await this.#files.rename(temporary, this.path);
    } catch (error) {
      await discardAndThrow(this.#files, temporary, error);
    }
    try {
      await this.#files.syncFolder(this.#folder);
    } catch (error) {
      await this.#takeBack(isFirst);
      throw error;
    }
  }

  /** The caller is told that the write failed, so the next start must not find it. */
  async #takeBack(wasFirst: boolean): Promise<void> {
    const restored = wasFirst ? this.#files.remove(this.path) : this.#alias(this.previousPath, this.path);
    await restored.catch(() => {
      this.#isBroken = true;
    });
  }

  async #alias(from: string, to: string): Promise<void> {
    const temporary = temporaryName(to);
    try {
      await linkOrCopy(this.#files, from, temporary);
      await this.#files.rename(temporary, to);
    } finally {
      // Renaming a file to another name of itself does nothing, and leaves both.
      await discard(this.#files, temporary);
    }
  }

  /**
   * A crash between keeping and replacing leaves two names of one file, so that damage to one is damage to both. Makes
   * them two files again.
   */
  async separatePrevious(): Promise<void> {
    const [present, previous] = [this.#files.read(this.path), this.#files.read(this.previousPath)];
    if (present === undefined || previous === undefined || !present.equals(previous)) return;
    const temporary = temporaryName(this.previousPath);
    try {
      await this.#files.copy(this.path, temporary);
      await this.#files.rename(temporary, this.previousPath);
    } catch (error) {
      await discardAndThrow(this.#files, temporary, error);
    }
  }
}
