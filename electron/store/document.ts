import { z } from 'zod';
import { HoldfastError } from '../core/errors.ts';
import type { Effect, State } from '../core/model.ts';
import { effectSchema } from './event-schema.ts';
import { systemCode, type Files } from './files.ts';
import { journalLineSchema, type JournalLine } from './journal-line.ts';
import { parseJson } from './json.ts';
import { migrate, SCHEMA_VERSION } from './migrations.ts';
import { count, exactly, list, stateSchema } from './schema.ts';

const MAX_STATE_BYTES = 64 * 1024 * 1024;

/** What a recovery still owes, so that a crash in the middle of it loses nothing. */
export interface OwedReplay {
  readonly kind: 'previous' | 'empty';
  /** Events of the commits after this one ... */
  readonly after: number;
  /** ... up to this one are not in the state. */
  readonly upTo: number;
  /** More may be missing than the journal can tell. */
  readonly uncertain: boolean;
}

/** What the last commit owes the outside. */
export interface Outbox {
  readonly sequence: number;
  readonly lines: readonly JournalLine[];
  readonly effects: readonly Effect[];
  readonly replay: OwedReplay | null;
}

/** Content of the state file. */
export interface StoredDocument {
  readonly holdfast: typeof SCHEMA_VERSION;
  readonly state: State;
  readonly outbox: Outbox;
}

const documentSchema = exactly<StoredDocument>()(
  z
    .strictObject({
      holdfast: z.literal(SCHEMA_VERSION),
      state: stateSchema,
      outbox: z.strictObject({
        sequence: count,
        lines: list(journalLineSchema),
        effects: list(effectSchema),
        replay: z
          .strictObject({ kind: z.enum(['previous', 'empty']), after: count, upTo: count, uncertain: z.boolean() })
          .nullable(),
      }),
    })
    .refine(({ state, outbox }) => state.sequence === outbox.sequence, 'outbox of another commit'),
);

/** A document of the present version. */
export function newDocument(state: State, outbox: Omit<Outbox, 'sequence'>): StoredDocument {
  return { holdfast: SCHEMA_VERSION, state, outbox: { sequence: state.sequence, ...outbox } };
}

/** A document that owes nothing but, perhaps, a replay. */
export function settledDocument(state: State, replay: OwedReplay | null): StoredDocument {
  return newDocument(state, { lines: [], effects: [], replay });
}

/**
 * Text for the disk.
 * @throws Error when the document is not what may be stored: nothing of the wrong shape ever gets into the file.
 */
export function encodeDocument(document: StoredDocument): string {
  documentSchema.parse(document);
  const text = JSON.stringify(document);
  if (Buffer.byteLength(text) > MAX_STATE_BYTES) throw new Error(`the state is larger than ${MAX_STATE_BYTES} bytes`);
  return text;
}

/** One generation of the state as found on disk. */
export type Generation =
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'good'; readonly document: StoredDocument };

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
  const checked = documentSchema.safeParse(migrated);
  if (checked.success) return { kind: 'good', document: checked.data };
  const issue = checked.error.issues[0];
  return { kind: 'damaged', reason: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong shape'}` };
}
