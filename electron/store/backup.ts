import path from 'node:path';
import { createOnce } from './atomic.ts';
import type { OldFile } from './document.ts';
import { fileTime } from './file-time.ts';
import type { Files } from './files.ts';

/**
 * Keeps a state file of an older version, byte for byte, as `backups/state-v<version>-<time>.json`; never over an earlier
 * one. The same bytes are kept once: a start that was stopped here begins again.
 * @throws Error from the file system; nothing may be written over the old file then.
 */
export async function keepOldFile(files: Files, dir: string, { version, text }: OldFile, at: string): Promise<string> {
  const folder = path.join(dir, 'backups');
  await files.makeFolder(folder);
  await files.syncFolder(dir);
  const prefix = `state-v${version}-`;
  const bytes = Buffer.from(text, 'utf8');
  const known = files.list(folder).filter((name) => name.startsWith(prefix) && name.endsWith('.json'));
  const same = known.find((name) => files.read(path.join(folder, name))?.equals(bytes) === true);
  const kept = path.join(folder, same ?? (await keepAnew(files, folder, `${prefix}${fileTime(at)}`, text)));
  await files.syncFolder(folder); // also where an earlier start put it there and was stopped
  return kept;
}

async function keepAnew(files: Files, folder: string, base: string, text: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${base}.json` : `${base}-${number}.json`;
    if (await createOnce(files, path.join(folder, name), text)) return name;
  }
}
