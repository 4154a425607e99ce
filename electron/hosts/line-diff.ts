const CONTEXT_LINES = 3;

/** The change between two texts as a unified diff with one hunk, or ''. It shows lines of the file: never log it. */
export function lineDiff(file: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return '';
  const old = linesOf(before ?? '');
  const now = linesOf(after ?? '');
  const head = commonStart(old, now, Math.min(old.length, now.length));
  const tail = commonStart([...old].reverse(), [...now].reverse(), Math.min(old.length, now.length) - head);
  const start = Math.max(0, head - CONTEXT_LINES);
  const trail = old.slice(old.length - tail, old.length - tail + CONTEXT_LINES);
  const body = [
    ...old.slice(start, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...trail.map((line) => ` ${line}`),
  ];
  const ranges = [old.length, now.length].map((count) => range(start, count - tail - start + trail.length));
  const names = [before === undefined ? '/dev/null' : file, after === undefined ? '/dev/null' : file];
  return [`--- ${names[0]}`, `+++ ${names[1]}`, `@@ -${ranges[0]} +${ranges[1]} @@`, ...body, ''].join('\n');
}

// Lines keep a mark where the file ends without a line break, so that this too counts as a difference.
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r\n|\n|\r/);
  const last = lines.pop();
  return last ? [...lines, `${last}\n\\ No newline at end of file`] : lines;
}

function commonStart(left: readonly string[], right: readonly string[], limit: number): number {
  let count = 0;
  while (count < limit && left[count] === right[count]) count += 1;
  return count;
}

function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}
