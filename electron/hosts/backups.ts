import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makePrivateFolder, writeFileAtomically } from './safe-file.ts';

const KEPT = 20;
const KEPT_LARGE = 3;
const LARGE_BYTES = 1024 * 1024;

const metaSchema = z.object({
  file: z.string(),
  realPath: z.string(),
  sha256: z.string(),
  mode: z.number().int(),
  size: z.number().int().nonnegative(),
  reason: z.enum(['connect', 'disconnect']),
  at: z.string(),
  isFirst: z.boolean(),
});
type BackupMeta = z.infer<typeof metaSchema>;

/** What is kept of a settings file before it is changed. */
export interface BackupInput extends Omit<BackupMeta, 'size' | 'isFirst'> {
  readonly bytes: Buffer;
}

/**
 * Keeps the bytes of a settings file, readable by this user only (they hold secrets), and returns the backup's path.
 * Bytes that are kept already are not kept twice. Old backups go, the very first one never.
 */
export function saveBackup(folder: string, input: BackupInput): string {
  makePrivateFolder(folder);
  const known = readBackups(folder);
  const twin = known.find((backup) => backup.meta.sha256 === input.sha256 && backup.meta.file === input.file);
  if (twin) return twin.path;
  const { bytes, ...about } = input;
  const stem = freeStem(path.join(folder, `${input.at.replaceAll(':', '')}-${input.sha256.slice(0, 8)}`));
  const isFirst = known.every((backup) => backup.meta.file !== input.file);
  const meta: BackupMeta = { ...about, size: bytes.byteLength, isFirst };
  writeFileAtomically(`${stem}.bak`, bytes);
  writeFileAtomically(`${stem}.json`, Buffer.from(`${JSON.stringify(meta, null, 2)}\n`));
  prune(folder, `${stem}.bak`);
  return `${stem}.bak`;
}

// Two files of one host app can hold the same bytes in the same moment.
function freeStem(stem: string): string {
  let free = stem;
  for (let number = 2; fs.existsSync(`${free}.bak`); number += 1) free = `${stem}-${number}`;
  return free;
}

interface Backup {
  readonly path: string;
  readonly meta: BackupMeta;
}

// A backup without a readable description is never used and never deleted.
function readBackups(folder: string): Backup[] {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.bak'));
  return names.sort().flatMap((name) => {
    const file = path.join(folder, name);
    const meta = readMeta(file.replace(/\.bak$/, '.json'));
    return meta ? [{ path: file, meta }] : [];
  });
}

function readMeta(file: string): BackupMeta | undefined {
  try {
    return metaSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function prune(folder: string, newest: string): void {
  const later = readBackups(folder).filter(({ path: file, meta }) => !meta.isFirst && file !== newest);
  const isLarge = later.some(({ meta }) => meta.size > LARGE_BYTES);
  // The newest and the first are kept on top of these.
  const spare = (isLarge ? KEPT_LARGE : KEPT) - 2;
  for (const { path: file } of later.slice(0, Math.max(0, later.length - spare))) {
    fs.rmSync(file, { force: true });
    fs.rmSync(file.replace(/\.bak$/, '.json'), { force: true });
  }
}
