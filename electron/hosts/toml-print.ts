import { isJsonObject } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

/** An entry as a table, its objects as tables below it; ends with a line break. */
export function printTables(path: readonly string[], value: JsonObject, eol: string): string {
  const plain = Object.entries(value).filter(([, item]) => !isJsonObject(item));
  const objects = Object.entries(value).flatMap(([key, item]) => (isJsonObject(item) ? [[key, item] as const] : []));
  const lines = [`[${path.map(printKey).join('.')}]`, ...plain.map(([key, item]) => printPair(key, item))];
  const own = lines.map((line) => line + eol).join('');
  return own + objects.map(([key, item]) => eol + printTables([...path, key], item, eol)).join('');
}

export function printPair(key: string, value: JsonValue): string {
  return `${printKey(key)} = ${printValue(value)}`;
}

/** A value on one line. */
export function printValue(value: JsonValue): string {
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value; // Array.isArray widens to any[]
    return `[${items.map(printValue).join(', ')}]`;
  }
  if (isJsonObject(value)) {
    const pairs = Object.entries(value).map(([key, item]) => printPair(key, item));
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  return typeof value === 'string' ? printText(value) : JSON.stringify(value);
}

function printKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : printText(key);
}

// JSON's escapes are TOML's, but for one character that TOML wants escaped.
function printText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007F');
}
