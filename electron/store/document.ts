import { z } from 'zod';
import { HoldfastError } from '../core/errors.ts';
import type { Effect, State } from '../core/model.ts';
import { effectSchema } from './event-schema.ts';
import { systemCode } from '../core/system-reasons.ts';
import type { Files } from './files.ts';
import { journalLineSchema, type JournalLine } from './journal-line.ts';
import { parseJson } from './json.ts';
import { MAX_WRITTEN_BY, migrate, SCHEMA_VERSION } from './migrations.ts';
import { count, exactly, list, stateSchema, text } from './schema.ts';

const MEGABYTE = 1024 * 1024;
const MAX_STATE_BYTES = 64 * MEGABYTE;

/** What a recovery has still to apply, so that a crash in the middle of it loses nothing. */
export interface OwedReplay {
  readonly kind: 'previous' | 'empty';
  /** Events of the commits after this one ... */
  readonly after: number;
  /** ... up to this one are not in the state. */
  readonly upTo: number;
  /** More may be missing than the journal can tell. */
  readonly uncertain: boolean;
}

/** What the person has still to be told about the files: a debt of its own, however soon the events are applied. */
export interface Telling {
  /** The recovery nobody has been told of yet. */
  readonly recovery: OwedReplay['kind'] | null;
  /** Names of the files set aside that the person knows of. */
  readonly known: readonly string[];
}

/** What the last commit owes the outside. */
export interface Outbox {
  readonly sequence: number;
  readonly lines: readonly JournalLine[];
  readonly effects: readonly Effect[];
  readonly replay: OwedReplay | null;
  readonly telling: Telling;
}

/** Content of the state file. */
export interface StoredDocument {
  readonly holdfast: typeof SCHEMA_VERSION;
  /** Version of the program that wrote it, for one that is older; empty where it is not known. */
  readonly writtenBy: string;
  readonly state: State;
  readonly outbox: Outbox;
}

const documentSchema = exactly<StoredDocument>()(
  z
    .strictObject({
      holdfast: z.literal(SCHEMA_VERSION),
      writtenBy: z.string().max(MAX_WRITTEN_BY),
      state: stateSchema,
      outbox: z.strictObject({
        sequence: count,
        lines: list(journalLineSchema),
        effects: list(effectSchema),
        replay: z
          .strictObject({ kind: z.enum(['previous', 'empty']), after: count, upTo: count, uncertain: z.boolean() })
          .nullable(),
        telling: z.strictObject({ recovery: z.enum(['previous', 'empty']).nullable(), known: list(text) }),
      }),
    })
    .refine(({ state, outbox }) => state.sequence === outbox.sequence, 'outbox of another commit'),
);

/** A document of the present version; who writes it is added when it is written. */
export function newDocument(state: State, outbox: Omit<Outbox, 'sequence'>): StoredDocument {
  return { holdfast: SCHEMA_VERSION, writtenBy: '', state, outbox: { sequence: state.sequence, ...outbox } };
}

/** A document that owes nothing but, perhaps, a replay, and word of what happened. */
export function settledDocument(state: State, replay: OwedReplay | null, telling: Telling): StoredDocument {
  return newDocument(state, { lines: [], effects: [], replay, telling });
}

/**
 * Text for the disk.
 * @throws Error when the document is not what may be stored: nothing of the wrong shape ever gets into the file.
 * HoldfastError STORE_WRITE_FAILED with `limitMb` when it is too large.
 */
export function encodeDocument(document: StoredDocument): string {
  documentSchema.parse(document);
  const text = JSON.stringify(document);
  if (Buffer.byteLength(text) <= MAX_STATE_BYTES) return text;
  throw new HoldfastError('STORE_WRITE_FAILED', {
    reason: `the state is larger than ${MAX_STATE_BYTES} bytes`,
    limitMb: MAX_STATE_BYTES / MEGABYTE,
  });
}

/** One generation of the state as found on disk. */
export type Generation =
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly reason: string }
  /** `old` is the file as it was, where an older version wrote it. */
  | { readonly kind: 'good'; readonly document: StoredDocument; readonly old?: OldFile };

/** A state file of an older version, byte for byte. */
export interface OldFile {
  readonly version: number;
  readonly text: string;
}

/** What the disk itself reports as broken. Anything else, such as a lack of rights, is no reason to give a file up. */
const DAMAGE = new Set(['EIO', 'EISDIR', 'ELOOP']);

/**
 * Reads one generation of the state.
 * @throws HoldfastError STORE_NEWER when a later version wrote it; STORE_CORRUPT when it cannot be read at present.
 */
export function readGeneration(files: Files, path: string): Generation {
  try {
    const size = files.size(path);
    if (size === undefined) return { kind: 'missing' };
    if (size > MAX_STATE_BYTES) return { kind: 'damaged', reason: 'too large' };
    const bytes = files.read(path);
    return bytes === undefined ? { kind: 'missing' } : decodeGeneration(bytes, path);
  } catch (cause) {
    if (cause instanceof HoldfastError) throw cause;
    const code = systemCode(cause) ?? 'unreadable';
    if (DAMAGE.has(code)) return { kind: 'damaged', reason: code };
    throw new HoldfastError('STORE_CORRUPT', { file: path, reason: code }, { cause });
  }
}

function decodeGeneration(bytes: Buffer, path: string): Generation {
  const value = parseJson(bytes);
  if (value === undefined) return { kind: 'damaged', reason: 'not JSON' };
  const migrated = migrate(value, path);
  if (migrated === undefined) return { kind: 'damaged', reason: 'not a state file' };
  const { version } = migrated;
  const checked = documentSchema.safeParse(migrated.document);
  if (checked.success)
    return {
      kind: 'good',
      document: checked.data,
      ...(version < SCHEMA_VERSION && { old: { version, text: bytes.toString('utf8') } }),
    };
  const issue = checked.error.issues[0];
  return { kind: 'damaged', reason: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong shape'}` };
}
