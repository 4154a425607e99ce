// Loops over characters on purpose: some settings hold megabytes, for which regular expressions take seconds.

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What a relaxed JSON text has that a strict one must not have. */
export interface Extras {
  readonly comments: readonly Range[];
  /** Offsets of commas behind the last of several things. */
  readonly lastCommas: readonly number[];
}

/** Finds comments and commas without a successor; in a text that is not JSON it finds something or other. */
export function extrasOf(text: string): Extras {
  const comments: Range[] = [];
  const lastCommas: number[] = [];
  let before = '';
  let comma = -1;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') continue;
    const end = char === '/' ? endOfComment(text, at) : undefined;
    if (end !== undefined) {
      comments.push({ start: at, end });
      at = end - 1;
      continue;
    }
    if ((char === '}' || char === ']') && comma >= 0) lastCommas.push(comma);
    // A comma with nothing before it is a mistake, not a habit.
    comma = char === ',' && !'[{,:'.includes(before || '[') ? at : -1;
    before = char;
    if (char === '"') at = endOfString(text, at) - 1;
  }
  return { comments, lastCommas };
}

/** Valid JSON with a string of the same length for each object and list right inside of the root, but for one member. */
export function outline(json: string, kept: string): string {
  const parts: string[] = [];
  let depth = 0;
  let key: Range = { start: 0, end: 0 };
  let start = 0;
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    if (char === '"') {
      const end = endOfString(json, at);
      if (depth === 1) key = { start: at, end };
      at = end - 1;
    } else if (char === '{' || char === '[') {
      if (depth === 1) start = at;
      depth += 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth !== 1 || JSON.parse(json.slice(key.start, key.end) || '""') === kept) continue;
      parts.push(json.slice(from, start), '"', '.'.repeat(at - start - 1), '"');
      from = at + 1;
    }
  }
  return parts.join('') + json.slice(from);
}

/** The text with blanks in these places; line breaks stay. */
export function blanked(text: string, ranges: readonly Range[]): string {
  let result = '';
  let from = 0;
  for (const { start, end } of ranges) {
    result += text.slice(from, start) + text.slice(start, end).replaceAll(/[^\r\n]/g, ' ');
    from = end;
  }
  return result + text.slice(from);
}

/** Behind the closing quotation mark. */
function endOfString(text: string, start: number): number {
  for (let end = start + 1; ; end += 1) {
    end = text.indexOf('"', end);
    if (end < 0) return text.length;
    let escapes = 0;
    while (text.charAt(end - 1 - escapes) === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
}

function endOfComment(text: string, start: number): number | undefined {
  const next = text.charAt(start + 1);
  if (next === '*') {
    const end = text.indexOf('*/', start + 2);
    return end < 0 ? undefined : end + 2;
  }
  if (next !== '/') return undefined;
  let end = start + 2;
  while (end < text.length && text.charAt(end) !== '\n' && text.charAt(end) !== '\r') end += 1;
  return end;
}
