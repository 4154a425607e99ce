import { byCodeUnits, isObject, NotCanonical } from '../core/canonical.ts';
import type { Json, JsonObject } from '../core/model.ts';
import type { Mask } from '../core/redact.ts';

/**
 * The same definition with sorted keys and without secrets, so that a file of it changes only where the server did. The
 * caller has checked its depth.
 * @throws NotCanonical where two members would have the same name without a secret in it
 */
export function plainJson(definition: JsonObject, mask: Mask): JsonObject {
  const entries = Object.entries(definition).map(([key, value]): [string, Json] => [
    mask(key),
    plainValue(value, mask),
  ]);
  if (new Set(entries.map(([key]) => key)).size < entries.length)
    throw new NotCanonical('two of its names are the same without a secret in them');
  return Object.fromEntries(entries.sort(([a], [b]) => byCodeUnits(a, b)));
}

function plainValue(value: Json, mask: Mask): Json {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => plainValue(each, mask)); // else any[]
  return isObject(value) ? plainJson(value, mask) : value;
}

/** What a reviewer would not see: controls beyond those that JSON escapes, formats, private use, fillers. */
const UNSEEN =
  /[\u007F-\u009F\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u00A0\u2000-\u200A\u202F\u205F\u2800\u3000]/gu;

/** Indented JSON, in which nothing hides: what cannot be seen, or is no plain blank, is written as its number. */
export function visibleJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replaceAll(UNSEEN, (sign) => sign.split('').map(escaped).join(''))}\n`;
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
