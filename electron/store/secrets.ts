import path from 'node:path';
import { z } from 'zod';
import { HoldfastError } from '../core/errors.ts';
import type { ServerId } from '../core/model.ts';
import { replaceFile } from './atomic.ts';
import { messageOf, type Files } from './files.ts';
import { parseJson } from './json.ts';
import { putAside } from './recovery.ts';
import { record, serverId } from './schema.ts';

const MAX_SECRETS_BYTES = 4 * 1024 * 1024;

const MAX_NAME = 1_000;
const MAX_VALUE = 100_000;
const passable = (text: string): boolean => !text.includes('\0');
/** Environment variables; a name with `=` could not be passed on. */
const environment = record(
  z
    .string()
    .min(1)
    .max(MAX_NAME)
    .refine((name) => passable(name) && !name.includes('=')),
  z.string().max(MAX_VALUE).refine(passable),
);
const secretsSchema = record(serverId, environment);

export type Environment = Readonly<Record<string, string>>;

/** Values that a person gave to servers. They are in a file of their own, never in the state, the journal or a log. */
export class Secrets {
  readonly #files: Files;
  readonly #file: string;
  #values: ReadonlyMap<ServerId, Environment>;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(files: Files, file: string, values: ReadonlyMap<ServerId, Environment>) {
    this.#files = files;
    this.#file = file;
    this.#values = values;
  }

  /**
   * Opens the file of a data folder; one that is damaged is put aside, and the values have to be given again.
   * @throws HoldfastError STORE_WRITE_FAILED, also where the file cannot be opened.
   */
  static async open(files: Files, dir: string, at: string): Promise<{ secrets: Secrets; setAside: string[] }> {
    const file = path.join(dir, 'secrets.json');
    try {
      const size = files.size(file);
      const bytes = size !== undefined && size <= MAX_SECRETS_BYTES ? files.read(file) : undefined;
      const checked = bytes === undefined ? undefined : secretsSchema.safeParse(parseJson(bytes));
      const isDamaged = size !== undefined && checked?.success !== true;
      const setAside = isDamaged ? [await putAside(files, file, at)] : [];
      // The schema has made the keys server ids.
      const values = new Map(Object.entries(checked?.data ?? {}) as [ServerId, Environment][]);
      return { secrets: new Secrets(files, file, values), setAside };
    } catch (cause) {
      throw writeFailed(file, cause);
    }
  }

  /** Values for one server; empty where there are none. */
  get(server: ServerId): Environment {
    return this.#values.get(server) ?? {};
  }

  /**
   * Replaces all values of one server.
   * @throws HoldfastError STORE_WRITE_FAILED, with the values as before; its text never holds a value.
   */
  set(server: ServerId, values: Environment): Promise<void> {
    return this.#change((next) => next.set(server, { ...values }));
  }

  /** @throws HoldfastError STORE_WRITE_FAILED */
  remove(server: ServerId): Promise<void> {
    return this.#change((next) => next.delete(server));
  }

  #change(change: (next: Map<ServerId, Environment>) => unknown): Promise<void> {
    const done = this.#queue.then(async () => {
      const next = new Map(this.#values);
      change(next);
      await this.#write(Object.fromEntries(next));
      this.#values = next;
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #write(values: Readonly<Record<string, Environment>>): Promise<void> {
    // Zod's own error would repeat what was wrong, and that is a secret.
    if (!secretsSchema.safeParse(values).success) throw writeFailed(this.#file, new Error('not valid as environment'));
    const text = JSON.stringify(values);
    if (Buffer.byteLength(text) > MAX_SECRETS_BYTES) throw writeFailed(this.#file, new Error('too large'));
    await replaceFile(this.#files, this.#file, text).catch((cause: unknown) => {
      throw writeFailed(this.#file, cause);
    });
  }
}

function writeFailed(file: string, cause: unknown): HoldfastError {
  return new HoldfastError('STORE_WRITE_FAILED', { file, reason: messageOf(cause) }, { cause });
}
