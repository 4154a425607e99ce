import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Linux allows 107 bytes and macOS 103 for a socket path. */
const MAX_SOCKET_PATH_BYTES = 100;

/**
 * Where the gateway of a data folder listens. It depends on the folder alone, because host apps start bridges
 * with almost no environment; a folder that is reached by several names has one endpoint.
 */
export function endpointFor(home: string, platform: NodeJS.Platform = process.platform): string {
  const folder = trueName(home);
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (platform === 'win32') return `\\\\.\\pipe\\holdfast-${hash}`;
  const socket = path.join(folder, 'gateway.sock');
  // Not the system's temporary folder: it follows TMPDIR, which the bridge may not have.
  return Buffer.byteLength(socket) > MAX_SOCKET_PATH_BYTES ? `/tmp/holdfast-${hash}/s` : socket;
}

function trueName(home: string): string {
  try {
    return realpathSync.native(home);
  } catch {
    return path.resolve(home); // not there yet, so that nothing can listen in it
  }
}

/**
 * True where only this user can have put something at the endpoint. In `/tmp` anyone may make the folder first and
 * collect tokens there.
 */
export function isPrivateEndpoint(endpoint: string): boolean {
  if (process.platform === 'win32' || process.getuid === undefined) return true;
  try {
    const folder = lstatSync(path.dirname(endpoint));
    return folder.isDirectory() && folder.uid === process.getuid() && (folder.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/** The secret that whoever may read the data folder can present. */
export function tokenFile(home: string): string {
  return path.join(path.resolve(home), 'token');
}

/** How a bridge starts a gateway that does not run: `{ command, args, env }`, written by the gateway at its start. */
export function launchFile(home: string): string {
  return path.join(path.resolve(home), 'launch.json');
}
