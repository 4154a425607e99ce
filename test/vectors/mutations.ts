import type { Json, JsonObject } from '../../electron/core/model.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Random = () => number;
const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)]!;

/** Where a schema has schemas below it, by keyword. */
const BELOW = ['properties', '$defs', 'items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'not', 'if', 'then', 'else'];
const MAPS = new Set(['properties', '$defs', 'dependentSchemas']);

/** What an upgrade may do to one schema. */
const CHANGES: readonly ((schema: JsonObject, random: Random) => Json)[] = [
  (schema, random) => without(schema, pick(Object.keys(schema), random)),
  (schema, random) => ({ ...schema, type: pick<Json>(['string', 'number', 'integer', ['string', 'null'], ['object', 'string']], random) }),
  (schema, random) => ({ ...schema, description: pick(['A new word.', 'Another.'], random) }),
  (schema, random) => ({ ...schema, default: pick<Json>([1, 'a', null, true], random) }),
  (schema, random) => ({ ...schema, enum: pick<Json>([['a'], ['a', 'b'], ['a', 1, null], [0, 1, 2.5]], random) }),
  (schema, random) => ({ ...schema, [pick(['minimum', 'maximum', 'exclusiveMinimum', 'minLength', 'maxLength', 'maxItems', 'minProperties'], random)]: pick([0, 1, 2], random) }),
  (schema, random) => ({ ...schema, required: [pick(['a', 'b', 'c'], random)] }),
  (schema, random) => ({ ...schema, properties: { ...(isObject(schema['properties']) ? schema['properties'] : {}), [pick(['a', 'b', 'new'], random)]: pick<Json>([{ type: 'string' }, true, false, { type: 'object' }], random) } }),
  (schema, random) => ({ ...schema, additionalProperties: pick<Json>([true, false, { type: 'string' }], random) }),
  (schema, random) => ({ anyOf: [schema, pick<Json>([{ type: 'null' }, { type: 'string' }, { type: 'object' }], random)] }),
  (schema, random) => ({ [pick(['oneOf', 'allOf'], random)]: [schema, pick<Json>([{ type: 'null' }, { type: 'string' }, true], random)] }),
  (schema, random) => (Array.isArray(schema['type']) ? { ...schema, type: (schema['type'] as readonly Json[]).slice(0, 1) } : { ...schema, type: [schema['type'] ?? 'string', pick(['null', 'string', 'boolean'], random)] }),
  (schema) => ({ ...schema, enum: Array.isArray(schema['enum']) ? [...(schema['enum'] as readonly Json[]), 'one more'] : ['a'] }),
  (schema) => without(schema, 'required'),
  (schema) => without(schema, 'additionalProperties'),
];

function without(schema: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}

/** The schema with one to three changes, anywhere in it. */
export function mutated(schema: JsonObject, random: Random): JsonObject {
  let result: Json = schema;
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) result = changedSomewhere(result, random);
  return isObject(result) ? result : { allOf: [result] };
}

function changedSomewhere(schema: Json, random: Random): Json {
  if (!isObject(schema)) return random() < 0.5 ? schema : { type: 'string' };
  const places = BELOW.filter((keyword) => schema[keyword] !== undefined);
  if (places.length === 0 || random() < 0.35) {
    const changed = Object.keys(schema).length === 0 ? { type: 'string' } : pick(CHANGES, random)(schema, random);
    return changed;
  }
  const keyword = pick(places, random);
  const child = schema[keyword] ?? true;
  if (Array.isArray(child)) {
    const list = child as readonly Json[];
    const at = Math.floor(random() * list.length);
    return { ...schema, [keyword]: list.map((each, index) => (index === at ? changedSomewhere(each, random) : each)) };
  }
  if (MAPS.has(keyword) && isObject(child)) {
    const names = Object.keys(child);
    if (names.length === 0) return schema;
    const name = pick(names, random);
    return { ...schema, [keyword]: { ...child, [name]: changedSomewhere(child[name] ?? true, random) } };
  }
  return { ...schema, [keyword]: changedSomewhere(child, random) };
}
