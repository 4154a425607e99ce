import { canonicalText, isObject } from '../canonical.ts';
import type { Json, JsonObject } from '../model.ts';
import { listOf, mapOf } from './assertions.ts';

/** What is known of a value: each of these holds. */
export type Known = readonly JsonObject[];

/** `fraction`: numbers that are no integers. */
const TYPES = ['null', 'boolean', 'string', 'integer', 'fraction', 'array', 'object'] as const;
export type Type = (typeof TYPES)[number];

/** The type of one value. */
export function typeOf(value: Json): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  return typeof value as 'boolean' | 'string' | 'object'; // what is left of JSON
}

function typesNamed(name: Json): Type[] {
  if (name === 'number') return ['integer', 'fraction'];
  return TYPES.filter((type) => type === name && type !== 'fraction');
}

const namedTypes = new WeakMap<readonly Json[], ReadonlySet<Type>>();
const typesMet = new WeakMap<JsonObject, ReadonlySet<Type>>();

/** Types that one schema's own words leave open. */
export function typesOf(schema: JsonObject): ReadonlySet<Type> {
  const types = typesMet.get(schema) ?? readTypes(schema);
  typesMet.set(schema, types);
  return types;
}

function readTypes(schema: JsonObject): ReadonlySet<Type> {
  let types = new Set<Type>(TYPES);
  const { type } = schema;
  if (type !== undefined) types = new Set((typeof type === 'string' ? [type] : listOf(type)).flatMap(typesNamed));
  const values = valuesOf(schema);
  if (values !== null) {
    const named = namedTypes.get(values) ?? new Set(values.map(typeOf));
    namedTypes.set(values, named);
    types = new Set([...types].filter((each) => named.has(each)));
  }
  return types;
}

/** Types that are still open, given all that is known. */
export function typesKnown(known: Known): Set<Type> {
  return known.reduce((types, schema) => {
    const own = typesOf(schema);
    return new Set([...types].filter((type) => own.has(type)));
  }, new Set<Type>(TYPES));
}

const textsMet = new WeakMap<readonly Json[], ReadonlySet<string>>();

/** The canonical text; that of a plain value is JSON's own. */
function textOf(value: Json): string {
  return typeof value === 'object' && value !== null ? canonicalText(value) : JSON.stringify(value);
}

/** Is it one of these? */
export function isAmong(value: Json, values: readonly Json[]): boolean {
  const texts = textsMet.get(values) ?? new Set(values.map(textOf));
  textsMet.set(values, texts);
  return texts.has(textOf(value));
}

/** The values that `enum` or `const` leave; `null` where neither says. */
export function valuesOf(schema: JsonObject): readonly Json[] | null {
  if (schema['const'] !== undefined) return [schema['const']];
  return Array.isArray(schema['enum']) ? listOf(schema['enum']) : null;
}

/** The fewest values that are left by what is known; `null` where nothing limits them. */
export function valuesKnown(known: Known): readonly Json[] | null {
  const lists = known.map(valuesOf).filter((values) => values !== null);
  const [first, ...rest] = lists;
  if (first === undefined) return fewValuesOf(typesKnown(known));
  if (rest.length === 0) return first;
  return first.filter((value) => rest.every((values) => isAmong(value, values)));
}

/** Some types have few values. */
function fewValuesOf(types: ReadonlySet<Type>): readonly Json[] | null {
  const values: Readonly<Partial<Record<Type, readonly Json[]>>> = { null: [null], boolean: [false, true] };
  const lists = [...types].map((type) => values[type]);
  return types.size > 0 && lists.every((list) => list !== undefined) ? lists.flat() : null;
}

/** Largest lower bound, or smallest upper one, with whether it is itself excluded. */
export interface Bound {
  readonly at: number;
  readonly isExcluded: boolean;
}

const BOUND_KEYWORDS = {
  lower: { inclusive: 'minimum', exclusive: 'exclusiveMinimum', sign: 1 },
  upper: { inclusive: 'maximum', exclusive: 'exclusiveMaximum', sign: -1 },
} as const;
export type Side = keyof typeof BOUND_KEYWORDS;

/** The tightest bound on that side; `null` where there is none. */
export function boundKnown(known: Known, side: Side): Bound | null {
  const { inclusive, exclusive, sign } = BOUND_KEYWORDS[side];
  const bounds = known.flatMap((schema): Bound[] => [
    ...(typeof schema[inclusive] === 'number' ? [{ at: schema[inclusive], isExcluded: false }] : []),
    ...(typeof schema[exclusive] === 'number' ? [{ at: schema[exclusive], isExcluded: true }] : []),
  ]);
  const tighter = (a: Bound, b: Bound): Bound => {
    if (a.at === b.at) return a.isExcluded ? a : b;
    return (a.at - b.at) * sign > 0 ? a : b;
  };
  return bounds.reduce<Bound | null>((best, bound) => (best === null ? bound : tighter(best, bound)), null);
}

/** The largest of a keyword that only ever tightens upwards, such as `minLength`, or downwards. */
export function countKnown(known: Known, keyword: string, isLower: boolean): number | null {
  const counts = known.map((schema) => schema[keyword]).filter((count) => typeof count === 'number');
  if (counts.length === 0) return null;
  return isLower ? Math.max(...counts) : Math.min(...counts);
}

/** Names that some schema declares; what it requires it declares as well. */
export function declaredNames(known: Known): Set<string> {
  const required = [...requiredNames(known)].filter((name) => typeof name === 'string');
  return new Set([...known.flatMap((schema) => Object.keys(mapOf(schema['properties']))), ...required]);
}

export function requiredNames(known: Known): Set<Json> {
  return new Set(known.flatMap((schema) => listOf(schema['required'])));
}

/** What is known of a property's value where it is there; empty where nothing is. */
export function knownOfProperty(known: Known, name: string): Json[] {
  return known.flatMap((schema): Json[] => {
    const own = mapOf(schema['properties']);
    if (Object.hasOwn(own, name)) return [own[name] ?? true];
    // A pattern may match: it is never run, so nothing is known then.
    if (isObject(schema['patternProperties'])) return [];
    const rest = schema['additionalProperties'];
    return rest === undefined ? [] : [rest];
  });
}

/** The schema of properties that nobody declared, where a map says so; `null` where they are simply open. */
export function mapValues(known: Known): Json[] | null {
  const rests = known.flatMap((schema): Json[] => {
    const rest = schema['additionalProperties'];
    return rest === undefined || isObject(schema['patternProperties']) ? [] : [rest];
  });
  return rests.length === 0 ? null : rests;
}
