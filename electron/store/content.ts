import path from 'node:path';
import { HoldfastError } from '../core/errors.ts';
import { capabilityId, manifestId } from '../core/identity.ts';
import type { CapabilityId, JsonObject, ManifestId, StoredDefinition, SurfaceManifest } from '../core/model.ts';
import { z } from 'zod';
import { discard, placeFile } from './atomic.ts';
import { messageOf, type Files } from './files.ts';
import { isRecord, parseJson } from './json.ts';
import {
  capabilityId as capabilityIdSchema,
  capabilityRef,
  consumerId,
  exactly,
  kind,
  list,
  route,
  serverId,
  text,
} from './schema.ts';

/** Largest definition or manifest that is kept. */
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
const NAME = /^([0-9a-f]{64})\.json$/;

const definitionSchema = exactly<StoredDefinition>()(
  z.strictObject({
    serverId,
    kind,
    originKey: text,
    route,
    // Kept exactly as it was read: it is what is served, and recomputing the id checks every byte that counts.
    definition: z.custom<JsonObject>(isRecord),
  }),
);
const manifestSchema = exactly<SurfaceManifest>()(
  z.strictObject({
    format: z.literal(1),
    consumer: consumerId,
    entries: list(z.strictObject({ kind, name: text, ref: capabilityRef, id: capabilityIdSchema })),
  }),
);

/** Definitions, named by the id that is recomputed from them. */
export function openDefinitions(files: Files, folder: string): Content<CapabilityId, StoredDefinition> {
  return new Content(files, folder, { schema: definitionSchema, identify: capabilityId });
}

/** Manifests, named by their hash. */
export function openManifests(files: Files, folder: string): Content<ManifestId, SurfaceManifest> {
  return new Content(files, folder, { schema: manifestSchema, identify: manifestId });
}

interface ContentType<Id extends string, T> {
  readonly schema: z.ZodType<T>;
  readonly identify: (value: T) => Id;
}

/** Files that never change, each named by the hash of what is in it, and checked when read. */
export class Content<Id extends string, T> {
  readonly #files: Files;
  readonly #folder: string;
  readonly #type: ContentType<Id, T>;
  readonly #cache = new Map<Id, { readonly value: T; readonly bytes: number }>();
  #cachedBytes = 0;
  /** Names that an earlier run put there may not be on the disk yet. */
  #isSynced = false;

  constructor(files: Files, folder: string, type: ContentType<Id, T>) {
    this.#files = files;
    this.#folder = folder;
    this.#type = type;
  }

  /** @throws HoldfastError STORE_CORRUPT for this id alone, where its file is missing or not what its name says. */
  read(id: Id): T {
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached.value;
    const bytes = this.#bytes(id);
    const checked = this.#type.schema.safeParse(parseJson(bytes));
    if (!checked.success || !this.#isNamedRight(id, checked.data)) throw corrupt(this.#path(id), id, 'damaged');
    this.#remember(id, checked.data, bytes.length);
    return checked.data;
  }

  #bytes(id: Id): Buffer {
    const file = this.#path(id);
    try {
      const size = this.#files.size(file) ?? 0;
      const bytes = size <= MAX_CONTENT_BYTES ? this.#files.read(file) : undefined;
      if (bytes !== undefined) return bytes;
    } catch (cause) {
      throw corrupt(file, id, messageOf(cause), cause);
    }
    throw corrupt(file, id, 'missing');
  }

  #isNamedRight(id: Id, value: T): boolean {
    try {
      return this.#type.identify(value) === id;
    } catch {
      return false; // no id at all
    }
  }

  /** False where it is missing or damaged. */
  has(id: Id): boolean {
    try {
      this.read(id);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Writes and syncs what is not there yet. The first one seen under an id stays: it is what is served.
   * @throws Error from the file system, or for a value that is too large or has no id.
   */
  async save(values: readonly T[]): Promise<void> {
    const fresh = new Map<Id, T>();
    for (const value of values) {
      const id = this.#type.identify(value);
      if (!fresh.has(id) && !this.has(id)) fresh.set(id, value);
    }
    for (const [id, value] of fresh) await this.#place(id, value);
    if (this.#isSynced) return;
    await this.#files.syncFolder(this.#folder);
    this.#isSynced = true;
  }

  async #place(id: Id, value: T): Promise<void> {
    const content = encode(id, value);
    this.#isSynced = false;
    await placeFile(this.#files, this.#path(id), content);
    this.#remember(id, value, Buffer.byteLength(content));
  }

  /** Removes what nothing names any more; returns how many. Other files in the folder are left alone. */
  async collect(isReferenced: (id: Id) => boolean): Promise<number> {
    const unused = this.#files.list(this.#folder).filter((name) => {
      const hex = NAME.exec(name)?.[1];
      return hex !== undefined && !isReferenced(`sha256:${hex}` as Id); // the file's name is its id
    });
    for (const name of unused) await discard(this.#files, path.join(this.#folder, name));
    return unused.length;
  }

  #path(id: Id): string {
    const hex = id.slice('sha256:'.length);
    if (!NAME.test(`${hex}.json`)) throw corrupt(this.#folder, id, 'not an id');
    return path.join(this.#folder, `${hex}.json`);
  }

  #remember(id: Id, value: T, bytes: number): void {
    this.#cache.set(id, { value, bytes });
    this.#cachedBytes += bytes;
    for (const [oldest, entry] of this.#cache) {
      if (this.#cachedBytes <= MAX_CACHED_BYTES || oldest === id) break;
      this.#cache.delete(oldest);
      this.#cachedBytes -= entry.bytes;
    }
  }
}

function encode(id: string, value: unknown): string {
  const content = JSON.stringify(value);
  if (Buffer.byteLength(content) > MAX_CONTENT_BYTES)
    throw new Error(`${id} is larger than ${MAX_CONTENT_BYTES} bytes`);
  return content;
}

function corrupt(file: string, id: string, reason: string, cause?: unknown): HoldfastError {
  return new HoldfastError('STORE_CORRUPT', { file, id, reason }, { cause });
}
