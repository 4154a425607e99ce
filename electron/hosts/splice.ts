/** One change to a text: at this offset of the old text, `replaced` gave way to `text`. */
export interface Insert {
  readonly at: number;
  readonly text: string;
  readonly replaced: string;
}

/** The text after the changes. They do not overlap. */
export function applyInserts(text: string, inserts: readonly Insert[]): string {
  let result = '';
  let from = 0;
  for (const insert of inOrder(inserts)) {
    result += text.slice(from, insert.at) + insert.text;
    from = insert.at + insert.replaced.length;
  }
  return result + text.slice(from);
}

/** The text before the changes, or undefined where `text` is not what they led to. */
export function undoInserts(text: string, inserts: readonly Insert[]): string | undefined {
  let result = '';
  let from = 0;
  let shift = 0;
  for (const insert of inOrder(inserts)) {
    const at = insert.at + shift;
    if (!text.startsWith(insert.text, at)) return undefined;
    result += text.slice(from, at) + insert.replaced;
    from = at + insert.text.length;
    shift += insert.text.length - insert.replaced.length;
  }
  return result + text.slice(from);
}

/** The one change that leads from `before` to `after`; nothing where they are equal. */
export function insertBetween(before: string, after: string): Insert[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const text = after.slice(head, after.length - tail);
  return [{ at: head, text, replaced: before.slice(head, before.length - tail) }];
}

function inOrder(inserts: readonly Insert[]): Insert[] {
  return [...inserts].sort((left, right) => left.at - right.at);
}
