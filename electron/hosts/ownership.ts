import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { JsonValue } from './json-value.ts';
import { makePrivateFolder, stageFile } from './safe-file.ts';
import type { StagedFile } from './safe-file.ts';
import { sha256 } from './sha256.ts';

const json: z.ZodType<JsonValue> = z.json();
const recordSchema = z.object({
  format: z.literal(1),
  hostId: z.string(),
  file: z.string(),
  realPath: z.string(),
  entryName: z.string(),
  owner: z.string(),
  /** Lead from the text before Holdfast to the text that it wrote. */
  inserts: z.array(z.object({ at: z.number().int().nonnegative(), text: z.string(), replaced: z.string() })),
  /** Null where there was no file. */
  preSha: z.string().nullable(),
  postSha: z.string(),
  backup: z.string().nullable(),
  createdFile: z.boolean(),
  createdFolders: z.array(z.string()),
  createdSection: z.boolean(),
  droppedBom: z.boolean(),
  /** Entries of the person that were moved to Holdfast, to be given back. They may hold keys. */
  moved: z.array(z.strictObject({ name: z.string(), value: json })).default([]),
  at: z.string(),
});

/** What Holdfast did to a settings file: enough to give back the very bytes that were there before. */
export type OwnershipRecord = Readonly<z.infer<typeof recordSchema>>;

/** Which record is meant: one per host app, settings file and owner token. */
export interface RecordKey {
  readonly hostId: string;
  readonly file: string;
  readonly owner: string;
  readonly recordsDir: string;
}

/** The record, or undefined. A damaged one counts as none: our entry can still be found by its owner token. */
export function readRecord(key: RecordKey): OwnershipRecord | undefined {
  try {
    const record = recordSchema.parse(JSON.parse(fs.readFileSync(recordPath(key), 'utf8')));
    return record.owner === key.owner && record.file === key.file ? record : undefined;
  } catch {
    return undefined;
  }
}

/** All that Holdfast has written into settings files and not taken out again. Damaged records are left out. */
export function allRecords(recordsDir: string): OwnershipRecord[] {
  const names = fs.existsSync(recordsDir) ? fs.readdirSync(recordsDir) : [];
  return names.flatMap((name) => {
    try {
      return [recordSchema.parse(JSON.parse(fs.readFileSync(path.join(recordsDir, name), 'utf8')))];
    } catch {
      return []; // our entry can still be found by its owner token
    }
  });
}

/** Writes the record beside its place, so that a full disk is noticed before the settings file is touched. */
export function stageRecord(key: RecordKey, record: OwnershipRecord): StagedFile {
  makePrivateFolder(key.recordsDir);
  return stageFile(recordPath(key), Buffer.from(`${JSON.stringify(record, null, 2)}\n`));
}

export function deleteRecord(key: RecordKey): void {
  fs.rmSync(recordPath(key), { force: true });
}

function recordPath({ hostId, file, owner, recordsDir }: RecordKey): string {
  return path.join(recordsDir, `${hostId}-${sha256(`${file}\0${owner}`).slice(0, 16)}.json`);
}
