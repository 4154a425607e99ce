import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from './atomic.ts';
import type { Files } from './files.ts';
import { parseJson } from './json.ts';
import { writeFailed } from './write-failed.ts';

const MAX_BYTES = 1_000;
const schema = z.strictObject({ format: z.literal(1), look: z.boolean() });

/**
 * Whether a person wants it to be looked for newer versions: a file of its own, since it says nothing of what apps get.
 * They are looked for unless somebody said no; where what was said cannot be read, it may have been no.
 */
export class UpdatesFile {
  readonly #files: Files;
  readonly #file: string;
  #isOn: boolean;

  constructor(files: Files, dir: string) {
    this.#files = files;
    this.#file = path.join(dir, 'updates.json');
    this.#isOn = this.#read();
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** @throws HoldfastError STORE_WRITE_FAILED: then it stays as it was. */
  async save(look: boolean): Promise<void> {
    try {
      await replaceFile(this.#files, this.#file, JSON.stringify({ format: 1, look }));
    } catch (cause) {
      throw writeFailed(this.#file, cause);
    }
    this.#isOn = look;
  }

  #read(): boolean {
    try {
      const bytes = this.#files.read(this.#file);
      if (bytes === undefined) return true;
      return schema.parse(bytes.length > MAX_BYTES ? undefined : parseJson(bytes)).look;
    } catch {
      return false;
    }
  }
}
