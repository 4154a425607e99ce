import path from 'node:path';

/** True where a text of a launch (a path, or `--option=path`) names something in this folder. */
export function isBelow(folder: string, text: string): boolean {
  const at = text.indexOf(folder);
  const next = text.charAt(at + folder.length);
  return at >= 0 && (next === '' || next === path.sep);
}
