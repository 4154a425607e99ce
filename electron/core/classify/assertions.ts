import { canonicalText, isObject } from '../canonical.ts';
import type { Json, JsonObject } from '../model.ts';
import { mapSubschemas } from '../schema-positions.ts';

/** Keywords that decide whether a value is valid. Everything else describes, or is unknown and then decides nothing. */
const ASSERTIONS = new Set([
  ...['$ref', '$defs', '$dynamicRef', '$recursiveRef', '$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor'],
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
  ...['minProperties', 'maxProperties', 'dependencies', 'dependentRequired', 'dependentSchemas'],
  ...['items', 'prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains'],
  ...['minItems', 'maxItems', 'uniqueItems', 'unevaluatedItems', 'unevaluatedProperties'],
]);
/** Keywords of the standard that only describe; `default` is looked at by itself. */
export const DESCRIPTIONS = new Set(['title', 'description', 'examples', '$comment', 'deprecated']);
const OTHER_KNOWN = new Set(['default', '$schema', 'definitions']);

/** True for a word that decides nothing here, and is no description: `readOnly`, and what the standard does not have. */
export function isUnknownKeyword(keyword: string): boolean {
  return !ASSERTIONS.has(keyword) && !DESCRIPTIONS.has(keyword) && !OTHER_KNOWN.has(keyword);
}

/** Schemas are never changed, and asked about once for each schema around them. */
const assertions = new WeakMap<JsonObject, JsonObject>();

/** What of a schema decides whether a value is valid, without what decides nothing. */
export function assertionsOf(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const known = assertions.get(schema);
  if (known !== undefined) return known;
  const inner = mapSubschemas(schema, assertionsOf);
  const kept = Object.entries(inner).filter(([keyword, value]) => ASSERTIONS.has(keyword) && !isIdle(keyword, value));
  const own = Object.fromEntries(kept);
  assertions.set(schema, own);
  // What is left of it is the same again.
  assertions.set(own, own);
  return own;
}

/** Bounds that no number of I-JSON reaches, names that are always texts, and lists that ask for nothing. */
function isIdle(keyword: string, value: Json): boolean {
  switch (keyword) {
    case 'minimum':
      return typeof value === 'number' && value <= Number.MIN_SAFE_INTEGER;
    case 'maximum':
      return typeof value === 'number' && value >= Number.MAX_SAFE_INTEGER;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return value === 0;
    case 'uniqueItems':
      return value === false;
    case 'required':
      return Array.isArray(value) && value.length === 0;
    case 'properties':
    case '$defs':
    case 'patternProperties':
      return isObject(value) && Object.keys(value).length === 0;
    case 'propertyNames':
      return canonicalText(value) === '{"type":"string"}' || isAnything(value);
    default:
      return false;
  }
}

/** Every value is valid. */
export function isAnything(schema: Json): boolean {
  if (schema === true) return true;
  return isObject(schema) && Object.keys(schema).every((keyword) => keyword === '$defs');
}

/** What may still be looked at. */
export interface Work {
  valuesLeft: number;
}

/** The same value: key order says nothing, list order does. Beyond what may be looked at, nothing is the same. */
export function areSame(a: Json | undefined, b: Json | undefined, work: Work = { valuesLeft: Infinity }): boolean {
  if (a === b) return true;
  if (--work.valuesLeft < 0) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    const [left, right] = [listOf(a), listOf(b)];
    return left.length === right.length && left.every((each, at) => areSame(each, right[at], work));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && areSame(a[name], b[name], work));
}

/** A list of schemas or values; empty where it is no list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []; // Array.isArray widens a Json array to any[]
}

/** Own entries of a map of schemas; empty where it is none. */
export function mapOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** One step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
