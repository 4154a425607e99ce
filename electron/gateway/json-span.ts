import { BOUNDS } from '../core/bounds.ts';

/** Bytes `[start, end)` of one JSON value within a line. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/**
 * Where the value of `key` stands in the object that starts at `from`, so that it can be passed on byte for byte.
 * Where a key occurs twice the last one counts, as with JSON.parse. The line must be valid JSON.
 */
export function memberSpan(line: Buffer, from: number, key: string): Span | undefined {
  let at = skipBlanks(line, from);
  if (line[at] !== OPEN_OBJECT) return undefined;
  let found: Span | undefined;
  at = skipBlanks(line, at + 1);
  while (at < line.length && line[at] === QUOTE) {
    const keyEnd = skipString(line, at);
    const start = skipBlanks(line, skipBlanks(line, keyEnd) + 1);
    const end = skipValue(line, start);
    if (isKey(line, at, keyEnd, key)) found = { start, end };
    at = skipBlanks(line, end);
    if (line[at] === COMMA) at = skipBlanks(line, at + 1);
  }
  return found;
}

/** True where arrays and objects in these bytes of valid JSON are nested too deeply. */
export function isTooDeep(line: Buffer, start = 0, end = line.length): boolean {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const byte = line[at];
    if (byte === QUOTE) at = skipString(line, at) - 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
    else if ((byte === OPEN_OBJECT || byte === OPEN_ARRAY) && ++depth > BOUNDS.messageDepth.value) return true;
  }
  return false;
}

function isKey(line: Buffer, start: number, end: number, key: string): boolean {
  const text = line.toString('utf8', start, end);
  if (!text.includes('\\')) return text === `"${key}"`;
  const parsed: unknown = JSON.parse(text);
  return parsed === key;
}

function skipBlanks(line: Buffer, from: number): number {
  let at = from;
  while (at < line.length && (line[at] ?? 0) <= 0x20) at++;
  return at;
}

/** Index after the closing quote of the string at `from`. */
function skipString(line: Buffer, from: number): number {
  let end = line.indexOf(QUOTE, from + 1);
  while (end >= 0 && isEscaped(line, end)) end = line.indexOf(QUOTE, end + 1);
  return end < 0 ? line.length : end + 1;
}

function isEscaped(line: Buffer, quote: number): boolean {
  let at = quote - 1;
  while (line[at] === BACKSLASH) at--;
  return (quote - 1 - at) % 2 === 1;
}

function skipValue(line: Buffer, from: number): number {
  const first = line[from];
  if (first === QUOTE) return skipString(line, from);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return skipNested(line, from);
  let at = from;
  while (at < line.length && !isEndOfScalar(line[at] ?? 0)) at++;
  return at;
}

function skipNested(line: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  while (at < line.length) {
    const byte = line[at];
    if (byte === QUOTE) {
      at = skipString(line, at);
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
    at++;
    if (depth === 0) return at;
  }
  return at;
}

function isEndOfScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte === COLON || byte <= 0x20;
}
