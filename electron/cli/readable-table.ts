import { cleanText } from '../core/display.ts';

/** Rows in columns; of a row that is shorter, the rest is empty. No cell can break its line or turn it round. */
export function table(given: readonly (readonly string[])[]): string {
  if (given.length === 0) return 'Nothing here yet.\n';
  const rows = given.map((row) => row.map((cell) => cleanText(cell).replaceAll(/[\n\t]+/g, ' ')));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}
