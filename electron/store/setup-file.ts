import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from './atomic.ts';
import type { Files } from './files.ts';
import { parseJson } from './json.ts';
import { writeFailed } from './write-failed.ts';

const MAX_BYTES = 10_000;
const schema = z.strictObject({
  format: z.literal(1),
  /** The screen of first run that a person is at; `over` where they have finished it or said no. */
  step: z.enum(['found', 'done', 'try', 'story', 'over']),
  /** The first app that used the clock. */
  usedBy: z.string().max(200).nullable(),
});

/** How far first run has come. */
export type SetupRecord = Omit<z.output<typeof schema>, 'format'>;

/**
 * First run as it is remembered: a file of its own, since it says nothing of what apps get. Where it cannot be read, first
 * run is over: nobody is asked to set things up twice.
 */
export class SetupFile {
  readonly #files: Files;
  readonly #file: string;
  #record: SetupRecord;

  constructor(files: Files, dir: string) {
    this.#files = files;
    this.#file = path.join(dir, 'setup.json');
    this.#record = this.#read();
  }

  get record(): SetupRecord {
    return this.#record;
  }

  /** @throws HoldfastError STORE_WRITE_FAILED: then nothing has moved. */
  async save(record: SetupRecord): Promise<void> {
    const text = JSON.stringify({ format: 1, ...record });
    try {
      await replaceFile(this.#files, this.#file, text);
    } catch (cause) {
      throw writeFailed(this.#file, cause);
    }
    this.#record = record;
  }

  #read(): SetupRecord {
    try {
      const bytes = this.#files.read(this.#file);
      if (bytes === undefined) return { step: 'found', usedBy: null };
      const { step, usedBy } = schema.parse(bytes.length > MAX_BYTES ? undefined : parseJson(bytes));
      return { step, usedBy };
    } catch {
      return { step: 'over', usedBy: null }; // damaged, or not ours to read
    }
  }
}
