import fs from 'node:fs';

/** Also through links. */
export function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false; // not there, or in a folder that may not be looked into
  }
}

/** The text of a file; `null` where it is longer, in bytes, or cannot be read. */
export function readSmall(file: string, maxBytes: number): string | null {
  try {
    return fs.statSync(file).size > maxBytes ? null : fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
