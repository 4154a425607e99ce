import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capabilityId } from '../../electron/core/identity.ts';
import type { Json, JsonObject, Route, ServerId } from '../../electron/core/model.ts';
import {
  DEFINITIONS,
  oddRoot,
  plainSchema,
  randomFrom,
  shuffled,
  toolWith,
  withDefinitions,
  withShuffledKeys,
} from '../vectors/schemas.ts';

const idOf = (definition: JsonObject): string =>
  capabilityId({
    serverId: 'server-1' as ServerId,
    kind: 'tool',
    originKey: 'example',
    route: 'npm:example' as Route,
    definition,
  });
const ofSchema = (inputSchema: Json): string => idOf({ name: 'example', inputSchema });

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes a plain schema at its schema positions, deepest first. */
function atSchemas(schema: Json, change: (schema: JsonObject) => JsonObject): Json {
  if (!isObject(schema)) return schema;
  const below = (value: Json): Json => atSchemas(value, change);
  const entries = Object.entries(schema).map(([word, value]): [string, Json] => {
    if (['allOf', 'anyOf', 'oneOf'].includes(word)) return [word, (value as readonly Json[]).map(below)];
    if (['properties', 'dependentSchemas', '$defs'].includes(word))
      return [
        word,
        Object.fromEntries(Object.entries(value as JsonObject).map(([name, child]) => [name, below(child)])),
      ];
    const isSchema = ['items', 'additionalProperties', 'unevaluatedProperties', 'not', 'if', 'then', 'else'];
    return [word, isSchema.includes(word) ? below(value) : value];
  });
  return change(Object.fromEntries(entries));
}

describe('an id does not depend on', () => {
  const seed = fc.integer();

  it('the order of keys at any depth', () => {
    fc.assert(
      fc.property(toolWith(fc.oneof(plainSchema, oddRoot)), seed, (tool, at) => {
        expect(idOf(withShuffledKeys(tool, at) as JsonObject)).toBe(idOf(tool));
      }),
      { numRuns: 250 },
    );
  });

  it('the order in required, enum and type', () => {
    fc.assert(
      fc.property(plainSchema, seed, (schema, at) => {
        const random = randomFrom(at);
        const other = atSchemas(schema, (each) => {
          const sets = ['required', 'enum', 'type'].filter((word) => Array.isArray(each[word]));
          const lists = sets.map((word) => [word, shuffled(each[word] as readonly Json[], random)]);
          return { ...each, ...Object.fromEntries(lists) } as JsonObject;
        });
        expect(ofSchema(other)).toBe(ofSchema(schema));
      }),
      { numRuns: 250 },
    );
  });

  it('the names of definitions', () => {
    const name = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }).filter((text) => !text.startsWith('@')),
      fc.constantFrom('__proto__', 'a/b', 'a~b', '~1', '%25', '10', '9', '$ref', '$defs', 'properties', ''),
    );
    const names = fc.uniqueArray(name, { minLength: DEFINITIONS.length, maxLength: DEFINITIONS.length });
    const word = fc.constantFrom('$defs' as const, 'definitions' as const);
    fc.assert(
      fc.property(plainSchema, names, word, (schema, others, defs) => {
        expect(ofSchema(withDefinitions(schema, others, defs))).toBe(ofSchema(schema));
      }),
      { numRuns: 250 },
    );
  });

  it('definitions that nothing uses', () => {
    fc.assert(
      fc.property(plainSchema, oddRoot, (schema, unused) => {
        fc.pre(!JSON.stringify(unused).match(/"\$(id|anchor|dynamicRef)"/));
        const other = { ...schema, $defs: { ...(schema['$defs'] as JsonObject), unused }, definitions: { unused } };
        expect(ofSchema(other)).toBe(ofSchema(schema));
      }),
      { numRuns: 200 },
    );
  });
});

/** Schema objects that count: those of the root, and those of the definitions that it reaches. */
function effective(schema: JsonObject): Set<string> {
  const definitions = schema['$defs'] as JsonObject;
  const used = new Set<string>();
  const waiting: Json[] = [{ ...schema, $defs: {} }];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop())
    atSchemas(each, (part) => {
      const name = typeof part['$ref'] === 'string' ? part['$ref'].split('/$defs/')[1] : undefined;
      if (name !== undefined && !used.has(name)) {
        used.add(name);
        waiting.push(definitions[name]!);
      }
      return part;
    });
  return used;
}

type Change = (schema: JsonObject, other: Json) => JsonObject;
const changes: Record<string, Change> = {
  // `string` and `[string]` are the same where null is allowed beside them.
  'another type': (schema) => ({
    ...schema,
    type: JSON.stringify(schema['type'] ?? '').includes('"string"') ? 'integer' : 'string',
  }),
  'one more value in enum': (schema) => ({ ...schema, enum: [...((schema['enum'] ?? []) as Json[]), 'new'] }),
  'one more name in required': (schema) => ({
    ...schema,
    required: [...((schema['required'] ?? []) as Json[]), 'new'],
  }),
  'another description': (schema) => ({ ...schema, description: `${JSON.stringify(schema['description'] ?? '')}.` }),
  'another default': (schema) => ({ ...schema, default: [schema['default'] ?? 0] }),
  'another title': (schema) => ({ ...schema, title: `${JSON.stringify(schema['title'] ?? '')}!` }),
  'other examples': (schema) => ({ ...schema, examples: [schema['examples'] ?? 0] }),
  'another minimum': (schema) => ({ ...schema, minimum: Number(schema['minimum'] ?? 0) - 1 }),
  'closed to other properties': (schema) => ({
    ...schema,
    additionalProperties: schema['additionalProperties'] === false ? { type: 'null' } : false,
  }),
  'one more property': (schema) => ({ ...schema, properties: { ...(schema['properties'] as object), new: true } }),
  'one more condition': (schema) => ({ ...schema, allOf: [...((schema['allOf'] ?? []) as Json[]), { minLength: 9 }] }),
  'a word that nobody knows': (schema) => ({ ...schema, 'x-new': true }),
};

describe('an id changes with', () => {
  it.each(Object.entries(changes))('%s anywhere in what counts', (_name, change) => {
    fc.assert(
      fc.property(plainSchema, fc.nat(), (schema, pick) => {
        const used = effective(schema);
        const counted = { ...schema, $defs: {} as JsonObject };
        for (const name of used) counted.$defs = { ...counted.$defs, [name]: (schema['$defs'] as JsonObject)[name]! };
        let count = 0;
        atSchemas(counted, (part) => ((count += 1), part));
        let at = 0;
        const other = atSchemas(counted, (part) => (at++ === pick % count ? change(part, null) : part));
        expect(ofSchema(counted)).toBe(ofSchema(schema));
        expect(ofSchema(other)).not.toBe(ofSchema(schema));
      }),
      { numRuns: 150 },
    );
  });

  it('a hint whose effective value changes, and with no other', () => {
    const hint = fc.constantFrom(true, false, undefined);
    const hints = fc.record({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint });
    type Hints = Partial<Record<string, boolean>>;
    const meaning = (each: Hints): string => {
      const readOnly = each['readOnlyHint'] ?? false;
      const idempotent = readOnly || (each['idempotentHint'] ?? false);
      return JSON.stringify([
        readOnly,
        each['destructiveHint'] ?? !readOnly,
        idempotent,
        each['openWorldHint'] ?? true,
      ]);
    };
    const withHints = (each: Hints): string => idOf({ name: 'example', annotations: each as JsonObject });
    fc.assert(
      fc.property(hints, hints, (one, other) => {
        const a = JSON.parse(JSON.stringify(one)) as Hints;
        const b = JSON.parse(JSON.stringify(other)) as Hints;
        expect(withHints(a) === withHints(b)).toBe(meaning(a) === meaning(b));
      }),
      { numRuns: 2000 },
    );
  });
});
