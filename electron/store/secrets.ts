import path from 'node:path';
import { z } from 'zod';
import { HoldfastError, type ErrorCode } from '../core/errors.ts';
import type { ServerId } from '../core/model.ts';
import { isFolder, replaceFile } from './atomic.ts';
import { messageOf, type Files } from './files.ts';
import { isRecord, parseJson } from './json.ts';
import { putAside } from './recovery.ts';
import { record, serverId } from './schema.ts';

const FORMAT = 2;
/** Of the values as JSON. */
const MAX_SECRETS_BYTES = 4 * 1024 * 1024;
/** Of the file: sealed, and as base64, they are longer. */
const MAX_FILE_BYTES = 6 * 1024 * 1024;

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
const valuesSchema = record(serverId, environment);
const plainFile = z.strictObject({ format: z.literal(FORMAT), sealed: z.literal(false), values: valuesSchema });
const sealedFile = z.strictObject({
  format: z.literal(FORMAT),
  sealed: z.literal(true),
  box: z
    .string()
    .max(MAX_FILE_BYTES)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
});

export type Environment = Readonly<Record<string, string>>;
type Values = ReadonlyMap<ServerId, Environment>;

/** A key store of the system, which keeps the key that the values are sealed with. Both may throw. */
export interface SecretBox {
  readonly kind: 'system';
  seal(text: string): Buffer;
  open(bytes: Buffer): string;
}

/** A key store; `unavailable` where a program that uses one finds none or a locked one; `null` where it never uses one. */
export type KeyStore = SecretBox | 'unavailable' | null;

/**
 * How the values are kept. `sealed`: with a key of the system's key store. `file`: in a file that only this user can read.
 * In the other cases they are sealed and there, but not to be read or changed. `locked`: this program uses no key store.
 * `no-key-store`: it cannot be had now. `unopenable`: it can, and does not open them, now or ever.
 */
export type Keeping = 'sealed' | 'file' | Shut;
export type Shut = 'locked' | 'no-key-store' | 'unopenable';

const SHUT_CODES: Readonly<Record<Shut, ErrorCode>> = {
  locked: 'SECRETS_LOCKED',
  'no-key-store': 'SECRETS_NO_KEY_STORE',
  unopenable: 'SECRETS_UNOPENABLE',
};

export function isShut(keeping: Keeping): keeping is Shut {
  return keeping !== 'sealed' && keeping !== 'file';
}

/** What is refused while keys are shut, with what to do about it. */
export function keysShut(keeping: Shut): HoldfastError {
  return new HoldfastError(SHUT_CODES[keeping]);
}

/** What a file holds. */
type Content =
  | { readonly kind: 'values'; readonly values: Values; readonly isCurrent: boolean }
  | { readonly kind: 'shut'; readonly why: Shut }
  | { readonly kind: 'damaged' };

const UNOPENABLE: Content = { kind: 'shut', why: 'unopenable' };
const DAMAGED: Content = { kind: 'damaged' };
const NOTHING: Content = { kind: 'values', values: new Map(), isCurrent: true };

interface Place {
  readonly files: Files;
  readonly file: string;
  readonly box: SecretBox | null;
}

/** Values that a person gave to servers. They are in a file of their own, never in the state, the journal or a log. */
export class Secrets {
  readonly #place: Place;
  readonly #known = new Set<string>();
  #values: Values;
  #shut: Shut | null;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(place: Place, values: Values, shut: Shut | null) {
    this.#place = place;
    this.#values = values;
    this.#shut = shut;
    for (const env of this.#values.values()) this.#learn(env);
  }

  /**
   * Opens the file of a data folder; one that is damaged is put aside, and the values have to be given again. With a key
   * store a plain file is sealed now. A sealed file that cannot be opened stays as it is, and nothing can be set until
   * {@link forget}.
   * @throws HoldfastError STORE_NEWER, with the file as it was; STORE_WRITE_FAILED, also where it cannot be read.
   */
  static async open(
    files: Files,
    dir: string,
    at: string,
    keyStore: KeyStore,
  ): Promise<{ secrets: Secrets; setAside: string[] }> {
    const file = path.join(dir, 'secrets.json');
    try {
      const box = typeof keyStore === 'string' ? null : keyStore;
      const found = read(files, file, keyStore);
      const setAside = found.kind === 'damaged' ? [await putAside(files, file, at)] : [];
      if (found.kind === 'shut') return { secrets: new Secrets({ files, file, box }, new Map(), found.why), setAside };
      const values = found.kind === 'values' ? found.values : new Map<ServerId, Environment>();
      const isCurrent = found.kind !== 'values' || found.isCurrent;
      const isKept = isCurrent || (await rewrite({ files, file, box }, values));
      // What the key store did not take stays in the plain file for this run, and the next start tries again.
      return { secrets: new Secrets({ files, file, box: isKept ? box : null }, values, null), setAside };
    } catch (cause) {
      if (cause instanceof HoldfastError) throw cause;
      throw writeFailed(file, messageOf(cause), cause);
    }
  }

  get keeping(): Keeping {
    return this.#shut ?? (this.#place.box === null ? 'file' : 'sealed');
  }

  /** Every value that was held in this run, also those that were replaced since: processes may still have them. Only grows. */
  get known(): ReadonlySet<string> {
    return this.#known;
  }

  /** Values for one server; empty where there are none, and while they are shut. */
  get(server: ServerId): Environment {
    return this.#values.get(server) ?? {};
  }

  /**
   * Replaces all values of one server.
   * @throws HoldfastError STORE_WRITE_FAILED or that of {@link keysShut}, with the values as before; its text never holds
   * a value.
   */
  set(server: ServerId, values: Environment): Promise<void> {
    this.#learn(values);
    const isNone = Object.keys(values).length === 0;
    return this.#change((next) => (isNone ? next.delete(server) : next.set(server, { ...values })));
  }

  /** @throws HoldfastError STORE_WRITE_FAILED, or that of {@link keysShut} */
  remove(server: ServerId): Promise<void> {
    return this.#change((next) => next.delete(server));
  }

  /**
   * Gives up a file that is shut: it is put aside as it is, never deleted, and values can be set from now on. Returns where
   * it is; `null` where the values can be read, and nothing was done.
   * @throws HoldfastError STORE_WRITE_FAILED, with everything as before.
   */
  forget(at: string): Promise<string | null> {
    return this.#inTurn(async () => {
      if (this.#shut === null) return null;
      const { files, file } = this.#place;
      const aside = await putAside(files, file, at, 'sealed').catch((cause: unknown) => {
        throw writeFailed(file, messageOf(cause), cause);
      });
      this.#shut = null;
      return aside;
    });
  }

  #learn(values: Environment): void {
    for (const value of Object.values(values)) this.#known.add(value);
  }

  #change(change: (next: Map<ServerId, Environment>) => unknown): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#shut !== null) throw keysShut(this.#shut);
      const next = new Map(this.#values);
      change(next);
      await write(this.#place, next);
      this.#values = next;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

function read(files: Files, file: string, box: KeyStore): Content {
  const size = files.size(file);
  if (size === undefined) return NOTHING;
  if (isFolder(files, file)) return DAMAGED;
  const bytes = size <= MAX_FILE_BYTES ? files.read(file) : undefined;
  return bytes === undefined ? DAMAGED : contentOf(parseJson(bytes), file, box);
}

/** @throws HoldfastError STORE_NEWER */
function contentOf(found: unknown, file: string, box: KeyStore): Content {
  const format = isRecord(found) ? found['format'] : undefined;
  if (typeof format === 'number' && format > FORMAT)
    throw new HoldfastError('STORE_NEWER', { file, found: format, known: FORMAT });
  const sealed = sealedFile.safeParse(found).data;
  if (sealed !== undefined) return unsealed(sealed.box, box);
  const plain = plainFile.safeParse(found).data;
  // The first format was the values and nothing around them.
  const values = plain?.values ?? valuesSchema.safeParse(found).data;
  if (values === undefined) return DAMAGED;
  const isEmpty = Object.keys(values).length === 0;
  return {
    kind: 'values',
    values: mapOf(values),
    isCurrent: plain !== undefined && (typeof box !== 'object' || box === null || isEmpty),
  };
}

/** Whatever goes wrong here may go right with the next start: nothing is given up. */
function unsealed(base64: string, box: KeyStore): Content {
  if (box === null) return { kind: 'shut', why: 'locked' };
  if (box === 'unavailable') return { kind: 'shut', why: 'no-key-store' };
  try {
    const values = valuesSchema.safeParse(parseJson(Buffer.from(box.open(Buffer.from(base64, 'base64'))))).data;
    return values === undefined ? UNOPENABLE : { kind: 'values', values: mapOf(values), isCurrent: true };
  } catch {
    return UNOPENABLE;
  }
}

function mapOf(values: Readonly<Record<string, Environment>>): Values {
  return new Map(Object.entries(values) as [ServerId, Environment][]); // the schema has made the keys server ids
}

/** True where the file is now in the present format, sealed where there is a key store. */
async function rewrite(place: Place, values: Values): Promise<boolean> {
  return write(place, values).then(
    () => true,
    () => false,
  );
}

async function write({ files, file, box }: Place, values: Values): Promise<void> {
  const all = Object.fromEntries(values);
  // Zod's own error would repeat what was wrong, and that is a secret.
  if (!valuesSchema.safeParse(all).success) throw writeFailed(file, 'not valid as environment');
  const text = JSON.stringify(all);
  if (Buffer.byteLength(text) > MAX_SECRETS_BYTES) throw writeFailed(file, 'too large');
  // What holds nothing needs no key to be read.
  const content =
    box === null || values.size === 0
      ? { format: FORMAT, sealed: false, values: all }
      : { format: FORMAT, sealed: true, box: seal(box, text, file) };
  await replaceFile(files, file, JSON.stringify(content)).catch((cause: unknown) => {
    throw writeFailed(file, messageOf(cause), cause);
  });
}

/** Nothing is written over that could not be read again. The box's own error is left out: it may repeat what it was given. */
function seal(box: SecretBox, text: string, file: string): string {
  try {
    const bytes = box.seal(text);
    if (box.open(bytes) === text) return bytes.toString('base64');
  } catch {
    // said below
  }
  throw writeFailed(file, 'the key store of this computer did not take the keys');
}

function writeFailed(file: string, reason: string, cause?: unknown): HoldfastError {
  return new HoldfastError('STORE_WRITE_FAILED', { file, reason }, { cause });
}
