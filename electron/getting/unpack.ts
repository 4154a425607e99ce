import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { HoldfastError } from '../core/errors.ts';
import type { Archive, ArchiveFile } from './archive.ts';
import { refused } from './refused.ts';
import { systemCode } from '../core/system-reasons.ts';

/** A folder that is being filled ends like this; what is found so at a start was broken off. */
export const UNFINISHED = /\.[0-9a-f]{12}\.unpacking$/;

/** `sha256:` and the hash of a whole file. */
export function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/**
 * Unpacks every file of a checked archive into `target`, which is there whole or not at all. What stood there is
 * replaced. Files are readable by this user alone; those in `alsoExecutable` can be started whatever the archive says.
 * @throws HoldfastError OFFER_REFUSED damaged; STORE_WRITE_FAILED
 */
export async function unpackInto(
  target: string,
  archive: Archive,
  label: string,
  alsoExecutable: ReadonlySet<string> = new Set(),
): Promise<void> {
  const unfinished = `${target}.${randomBytes(6).toString('hex')}.unpacking`;
  try {
    await fs.promises.mkdir(unfinished, { recursive: true, mode: 0o700 });
    for (const file of archive.files.values()) {
      const mode = file.isExecutable || alsoExecutable.has(file.name) ? 0o700 : 0o600;
      await writeFile(path.join(unfinished, ...file.name.split('/')), file, archive, label, mode);
    }
    await replaceFolder(unfinished, target);
  } catch (thrown) {
    await fs.promises.rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    if (thrown instanceof HoldfastError) throw thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const system = systemCode(thrown);
    const details = { file: target, reason, ...(system !== undefined && { system }) };
    throw new HoldfastError('STORE_WRITE_FAILED', details, { cause: thrown });
  }
}

async function writeFile(to: string, file: ArchiveFile, archive: Archive, label: string, mode: number): Promise<void> {
  await fs.promises.mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  const check = archive.check(file);
  const content = await file.open();
  // A new file only: nothing that stands there, and no link, is written through.
  const handle = await fs.promises.open(to, 'wx', mode);
  try {
    // What is read is checked before it is written, so that nothing larger than declared gets to the disk.
    for await (const chunk of content as AsyncIterable<Buffer>) {
      check.add(chunk);
      await handle.writeFile(chunk);
    }
    check.end();
  } catch (cause) {
    const isDisk = systemCode(cause) !== undefined && !String(systemCode(cause)).startsWith('Z_');
    throw cause instanceof HoldfastError || isDisk
      ? cause
      : refused('damaged', { file: label, entry: file.name }, cause);
  } finally {
    if (!content.destroyed) content.destroy();
    await handle.close();
  }
}

/** A folder cannot be replaced by another in one step; the old one steps aside first. */
async function replaceFolder(fresh: string, target: string): Promise<void> {
  const old = `${target}.${randomBytes(6).toString('hex')}.unpacking`;
  const hadOne = fs.existsSync(target);
  if (hadOne) await fs.promises.rename(target, old);
  try {
    await fs.promises.rename(fresh, target);
  } catch (error) {
    if (hadOne) await fs.promises.rename(old, target);
    throw error;
  }
  if (hadOne) await fs.promises.rm(old, { recursive: true, force: true });
}

/**
 * The text of one small file of an archive.
 * @throws HoldfastError OFFER_REFUSED damaged
 */
export async function readText(archive: Archive, file: ArchiveFile, label: string): Promise<string> {
  const check = archive.check(file);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) {
      check.add(chunk);
      chunks.push(chunk);
    }
    check.end();
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw cause instanceof HoldfastError ? cause : refused('damaged', { file: label, entry: file.name }, cause);
  }
}
