import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * A server runs in a folder of its own, so files named relative to where the command was typed are made absolute. Only
 * what has a separator and is there counts as a file: names of packages, options and plain words stay as they are.
 */
export function absoluteProgram(words: readonly string[], folder: string): string[] {
  return words.map((word) => {
    const looksLikeFile = /[\\/]/.test(word) && !/^[-@]/.test(word) && !path.isAbsolute(word);
    const file = path.resolve(folder, word);
    return looksLikeFile && existsSync(file) ? file : word;
  });
}
