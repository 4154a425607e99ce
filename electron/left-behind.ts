import fs from 'node:fs';
import path from 'node:path';

const TRY = 'try-';

/** Where a server that is only tried runs, to which something random is added. */
export function tryFolder(dataDir: string): string {
  return path.join(dataDir, 'servers', TRY);
}

/**
 * Takes away what package runners downloaded for servers that are no more, or were only tried, and folders of tries that
 * were cut off. `isKept` says of the id of a server whether it is there. Nothing of it may run any more.
 */
export async function clearLeftBehind(dataDir: string, isKept: (server: string) => boolean): Promise<void> {
  const caches = path.join(dataDir, 'caches');
  const servers = path.join(dataDir, 'servers');
  const gone = [
    ...namesIn(caches)
      .filter((name) => !isKept(name))
      .map((name) => path.join(caches, name)),
    ...namesIn(servers)
      .filter((name) => name.startsWith(TRY))
      .map((name) => path.join(servers, name)),
  ];
  for (const folder of gone) await fs.promises.rm(folder, { recursive: true, force: true });
}

/** Takes away what was downloaded for one server that was removed. */
export async function clearCache(dataDir: string, server: string): Promise<void> {
  await fs.promises.rm(path.join(dataDir, 'caches', server), { recursive: true, force: true });
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // nothing was ever started
  }
}
