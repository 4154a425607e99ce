import { isJsonObject } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

export interface YamlLayout {
  /** Of the lines themselves. */
  readonly indent: string;
  /** One step further. */
  readonly unit: string;
  readonly eol: string;
}

/** Names with values, a line for each; no line break at the end. */
export function printMap(value: JsonObject, layout: YamlLayout): string {
  const { indent, unit, eol } = layout;
  const lines = Object.entries(value).map(([key, item]) => {
    const start = `${indent}${printKey(key)}:`;
    if (!isJsonObject(item) || Object.keys(item).length === 0) return `${start} ${printFlow(item)}`;
    return `${start}${eol}${printMap(item, { ...layout, indent: indent + unit })}`;
  });
  return lines.join(eol);
}

/** A value on one line; JSON is YAML, but for a few characters in texts. */
export function printFlow(value: JsonValue): string {
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value; // Array.isArray widens to any[]
    return `[${items.map(printFlow).join(', ')}]`;
  }
  if (isJsonObject(value)) {
    const pairs = Object.entries(value).map(([key, item]) => `${printKey(key)}: ${printFlow(item)}`);
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  return typeof value === 'string' ? printText(value) : JSON.stringify(value);
}

export function printKey(key: string): string {
  const isPlain = /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(key);
  return isPlain ? key : printText(key);
}

function printText(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escaped);
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
