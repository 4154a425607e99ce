import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What matters about the frame that sent a message; `null` when it is gone already. */
export interface Frame {
  readonly url: string;
  readonly parent: unknown;
}

/** True for the main frame of our own window while it shows our own page. */
export function isOurPage(isOurWindow: boolean, frame: Frame | null, rendererFile: string): boolean {
  if (!isOurWindow || frame === null || frame.parent !== null) return false;
  return isPageFile(frame.url, rendererFile);
}

/** True for the file URL of our own page, whatever its query or fragment. */
function isPageFile(url: string, rendererFile: string): boolean {
  if (!url.startsWith('file:///')) return false;
  try {
    return path.resolve(fileURLToPath(url)) === path.resolve(rendererFile);
  } catch {
    return false; // not a URL, or one that names no file here
  }
}
