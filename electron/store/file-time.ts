/** A time as part of a file's name, on every system. */
export function fileTime(at: string): string {
  return at.replaceAll(/[^\dTZ]/g, '-');
}
