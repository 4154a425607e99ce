import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createOnce, isFolder, replaceFile } from './atomic.ts';
import type { Files } from './files.ts';
import { writeFailed } from './write-failed.ts';

const TOKEN = /^[0-9a-f]{64}$/;

/**
 * The secret that lets programs of this user talk to the gateway; made once, then reused.
 * @throws HoldfastError STORE_WRITE_FAILED
 */
export async function gatewayToken(files: Files, dir: string): Promise<string> {
  const file = path.join(dir, 'token');
  try {
    const found = readToken(files, file);
    if (found !== undefined) return found;
    const fresh = randomBytes(32).toString('hex');
    if (await createOnce(files, file, fresh)) return fresh;
    const other = readToken(files, file);
    if (other !== undefined) return other;
    await replaceFile(files, file, fresh);
    return fresh;
  } catch (cause) {
    throw writeFailed(file, cause);
  }
}

function readToken(files: Files, file: string): string | undefined {
  if (isFolder(files, file)) return undefined;
  const text = files.read(file)?.toString('utf8') ?? '';
  return TOKEN.test(text) ? text : undefined;
}
