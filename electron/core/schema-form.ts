import { byCodeUnits, canonicalText, isObject } from './canonical.ts';
import type { Json, JsonObject } from './model.ts';
import { inlineReferences, renameDefinitions } from './schema-refs.ts';
import { mapSubschemas, someSchema } from './schema-positions.ts';

/**
 * Normal form of one JSON Schema (README, "Normal form", rules 2, 3, 4, 8 and 9), by meaning-preserving steps only: the
 * rules act at schema positions, never inside data or on a property that happens to be called `required`.
 */
export function schemaNormalForm(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { root, definitions } = inlineReferences(schema);
  const hasUnevaluated = someSchema([root, ...definitions.values()], (node) =>
    Object.keys(node).some((key) => key.startsWith('unevaluated')),
  );
  const simplify = (node: Json): Json => simplifySchema(node, hasUnevaluated);
  const simple = new Map([...definitions].map(([pointer, body]) => [pointer, simplify(body)]));
  return dropDialect(renameDefinitions(simplify(root), simple));
}

function simplifySchema(schema: Json, hasUnevaluated: boolean): Json {
  if (!isObject(schema)) return schema;
  const inner = mapSubschemas(schema, (child) => simplifySchema(child, hasUnevaluated));
  const sorted = sortSets(inner);
  if (hasUnevaluated) return sorted;
  return nullableForm(dropOpenProperties(sorted));
}

/** Rule 2: these arrays are sets. Names that run parallel to `enum` give its order a meaning. */
function sortSets(schema: JsonObject): JsonObject {
  const hasEnumNames = Object.keys(schema).some((key) => key !== 'enum' && /enum/i.test(key));
  return mapEntries(schema, (keyword, value) => {
    const isSet = keyword === 'required' || keyword === 'type' || (keyword === 'enum' && !hasEnumNames);
    if (!isSet || !Array.isArray(value)) return value;
    const list = value as readonly Json[]; // Array.isArray widens a Json array to any[]
    const texts = list.map((item): [text: string, item: Json] => [canonicalText(item), item]);
    return texts.sort(([a], [b]) => byCodeUnits(a, b)).map(([, item]) => item);
  });
}

/** Rule 8: without `unevaluated*` nobody can tell an absent `additionalProperties` from an open one. */
function dropOpenProperties(schema: JsonObject): JsonObject {
  const value = schema['additionalProperties'];
  const isOpen = value === true || (isObject(value) && Object.keys(value).length === 0);
  return isOpen ? without(schema, 'additionalProperties') : schema;
}

/** Assertions that say nothing about null, so that they may stand beside `null` in a type list. */
const TYPED_KEYWORDS = new Set([
  ...['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf'],
  ...['maxLength', 'minLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  ...['items', 'prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains'],
  ...['maxItems', 'minItems', 'uniqueItems'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
  ...['maxProperties', 'minProperties', 'dependentRequired', 'dependentSchemas'],
]);

/** Rule 9: `anyOf: [X, null]` and `type: [X, null]` are one thing where X is only a type and its own assertions. */
function nullableForm(schema: JsonObject): JsonObject {
  const union = ['anyOf', 'oneOf'].find((keyword) => Array.isArray(schema[keyword]));
  if (union === undefined) return schema;
  const branches = schema[union] as readonly Json[]; // found to be an array
  if (branches.length !== 2) return schema;
  const other = branches.find((branch) => !isNull(branch));
  if (other === undefined || !branches.some(isNull)) return schema;
  const merged = mergeNullable(schema, union, other);
  return merged ?? mapEntries(schema, (key, value) => (key === union ? [other, { type: 'null' }] : value));
}

/** Exactly `{"type":"null"}`. */
function isNull(branch: Json): boolean {
  return isObject(branch) && branch['type'] === 'null' && Object.keys(branch).length === 1;
}

function mergeNullable(schema: JsonObject, union: string, branch: Json): JsonObject | undefined {
  if (!isObject(branch)) return undefined;
  const types = typeNames(branch['type']);
  const isTyped = Object.keys(branch).every((key) => key === 'type' || TYPED_KEYWORDS.has(key));
  const outer = without(schema, union);
  const isFree = Object.keys(outer).every((key) => key !== 'type' && key !== '$ref' && !TYPED_KEYWORDS.has(key));
  if (types === undefined || !isTyped || !isFree || 'anyOf' in outer || 'oneOf' in outer) return undefined;
  const all = [...types, 'null'].sort((a, b) => byCodeUnits(canonicalText(a), canonicalText(b)));
  return Object.fromEntries([...Object.entries(outer), ...Object.entries(branch), ['type', all]]);
}

function typeNames(type: Json | undefined): string[] | undefined {
  const list: readonly (Json | undefined)[] = Array.isArray(type) ? (type as readonly Json[]) : [type];
  const names = list.filter((name): name is string => typeof name === 'string' && name !== 'null');
  return names.length > 0 && names.length === list.length ? names : undefined;
}

const DIALECTS = /^https?:\/\/json-schema\.org\/(draft-07|draft\/2019-09|draft\/2020-12)\/schema#?$/;
const DIALECT_KEYWORDS = new Set([
  ...['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef'],
  ...['additionalItems', 'prefixItems', 'dependencies', 'dependentRequired', 'dependentSchemas'],
  ...['minContains', 'maxContains', 'unevaluatedItems', 'unevaluatedProperties'],
]);

/** Rule 3: the dialect's name says nothing where every keyword means the same in all of them. */
function dropDialect(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const name = schema['$schema'];
  if (typeof name !== 'string' || !DIALECTS.test(name)) return schema;
  const depends = someSchema([schema], (node) => {
    const keys = Object.keys(node);
    const hasRefSiblings = '$ref' in node && keys.length > 1;
    return hasRefSiblings || Array.isArray(node['items']) || keys.some((key) => DIALECT_KEYWORDS.has(key));
  });
  return depends ? schema : without(schema, '$schema');
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function mapEntries(object: JsonObject, map: (key: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(key, value)]));
}
