/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Milliseconds that something takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A line of a table: what, then its figures. */
export function row(what: string, ...cells: readonly string[]): string {
  return [what.padEnd(44), ...cells.map((cell) => cell.padStart(12))].join(' ');
}

export const ms = (figure: number): string => `${figure.toFixed(figure < 10 ? 2 : 0)} ms`;
export const times = (figure: number): string => `x${figure.toFixed(2)}`;
export const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
