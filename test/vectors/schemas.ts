import fc from 'fast-check';
import type { Json, JsonObject } from '../../electron/core/model.ts';

/** Arbitrary schemas and tools for the property tests. */

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;
const NAMES = ['a', 'b', 'c', 'type', 'required', 'enum', '$ref', '10', '9'];
const value: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  null,
  true,
  false,
  0,
  1,
  2.5,
  -3,
  '',
  'a',
  'b',
  'cc',
  [],
  {},
  [1],
  {
    a: 1,
  },
);
/** Stand for the names of definitions; {@link withDefinitions} gives them others. */
export const DEFINITIONS = ['@0', '@1', '@2', '@3'];

const record = (entries: readonly (readonly [string, Json])[]): JsonObject => Object.fromEntries(entries);
const merged = (...parts: fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as JsonObject);
/** Mostly nothing, sometimes the words. */
const maybe = (words: fc.Arbitrary<JsonObject>, weight = 1): fc.Arbitrary<JsonObject> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight, arbitrary: words });

const notes = maybe(
  fc.record(
    {
      description: fc.constantFrom('A.', 'B.'),
      title: fc.constantFrom('A', 'B'),
      default: value,
      examples: fc.array(value, { maxLength: 2 }),
      'x-note': fc.constantFrom<Json>({ required: ['b', 'a'] }, { $ref: '#/nowhere' }, { additionalProperties: true }),
    },
    { requiredKeys: [] },
  ),
);
const sets = {
  enum: maybe(fc.array(value, { minLength: 1, maxLength: 5 }).map((list) => ({ enum: list }))),
  const: maybe(value.map((only) => ({ const: only }))),
  required: maybe(
    fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }).map((list) => ({ required: list })),
    3,
  ),
};
const bounds = maybe(
  fc.record(
    { minimum: fc.constant(0), maximum: fc.constant(2), minLength: fc.constant(1), maxLength: fc.constant(1) },
    {
      requiredKeys: [],
    },
  ),
);
const typeWord: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TYPES).map((type) => ({ type })) },
  {
    weight: 2,
    arbitrary: fc
      .uniqueArray(fc.constantFrom(...TYPES, 'null'), { minLength: 1, maxLength: 3 })
      .map((type) => ({ type })),
  },
);

/** A schema without definitions of its own; its references point at {@link DEFINITIONS}, the root and a property. */
function schemaBelow(depth: number, hasUnevaluated: boolean): fc.Arbitrary<Json> {
  const refs = [...DEFINITIONS.flatMap((name) => [`#/$defs/${name}`, `#/$defs/${name}`]), '#', '#/properties/a'];
  const { node } = fc.letrec((tie) => {
    const below = tie('node') as fc.Arbitrary<Json>; // what `node` gives, which letrec cannot know yet
    const list = fc.array(below, { minLength: 1, maxLength: 3 });
    const reference = merged(
      fc.constantFrom(...refs).map(($ref) => ({ $ref })),
      maybe(
        merged(notes, sets.required, maybe(fc.record({ additionalProperties: fc.constantFrom<Json>(true, {}) }), 3)),
      ),
    );
    const nulls = fc.constantFrom<Json>(
      { type: 'null' },
      { type: 'null' },
      { type: ['null'] },
      { type: 'null', title: 'N' },
    );
    const combined = fc.oneof(
      fc.record({ allOf: list }),
      fc.record({ anyOf: list }),
      fc.record({ oneOf: list }),
      fc.record({ not: below }),
      fc.record({ if: below, then: below, else: below }),
    );
    const typed = merged(typeWord, sets.enum, sets.const, bounds, notes);
    const object = merged(
      fc.constant({ type: 'object' }),
      fc.dictionary(fc.constantFrom(...NAMES), below, { maxKeys: 3 }).map((properties) => ({ properties })),
      sets.required,
      maybe(fc.record({ additionalProperties: fc.oneof(fc.constantFrom<Json>(true, {}, false), below) }), 3),
      maybe(fc.record({ dependentSchemas: fc.dictionary(fc.constantFrom(...NAMES), below, { maxKeys: 1 }) })),
      hasUnevaluated ? maybe(fc.record({ unevaluatedProperties: below })) : fc.constant({}),
      notes,
    );
    const assertive = merged(typeWord, bounds, sets.required, maybe(fc.record({ not: below })));
    const nullable = merged(
      fc
        .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.oneof(below, assertive), nulls, fc.boolean())
        .map(([word, branch, none, isFirst]) => record([[word, isFirst ? [none, branch] : [branch, none]]])),
      notes,
      sets.enum,
      maybe(bounds),
      maybe(typeWord),
    );
    return {
      node: fc.oneof(
        { maxDepth: depth, depthIdentifier: 'schema' },
        typed,
        object,
        { weight: 2, arbitrary: reference },
        { weight: 2, arbitrary: nullable },
        merged(typeWord, maybe(fc.record({ items: below }), 3), notes),
        merged(combined, notes, sets.enum),
        fc.boolean(),
      ),
    };
  });
  return node;
}

const asObject = (schema: Json): JsonObject =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? (schema as JsonObject) : { not: schema };

/** Schemas that a validator understands, with definitions under their stand-in names. */
export const plainSchema: fc.Arbitrary<JsonObject> = fc.boolean().chain((hasUnevaluated) =>
  fc
    .tuple(
      schemaBelow(4, hasUnevaluated),
      fc.tuple(...DEFINITIONS.map(() => schemaBelow(2, hasUnevaluated))),
      fc.constantFrom<JsonObject>({}, {}, { $schema: 'http://json-schema.org/draft-07/schema#' }),
      schemaBelow(2, false),
    )
    .map(([root, bodies, dialect, a]) => {
      const object = asObject(root);
      const properties = { a, ...asObject(object['properties'] ?? {}) };
      return {
        ...dialect,
        ...object,
        properties,
        $defs: record(DEFINITIONS.map((name, at) => [name, bodies[at]!])),
      };
    }),
);

/** The same schema with other names for its definitions, kept under one of the two words for them. */
export function withDefinitions(
  schema: JsonObject,
  names: readonly string[],
  word: '$defs' | 'definitions' = '$defs',
): JsonObject {
  let text = JSON.stringify({ ...schema, $defs: undefined, [word]: schema['$defs'] });
  DEFINITIONS.forEach((stand, at) => {
    const name = names[at]!;
    const pointer = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
    text = text.replaceAll(`"#/$defs/${stand}"`, () => JSON.stringify(`#/${word}/${pointer}`));
    text = text.replaceAll(`"${stand}":`, () => `${JSON.stringify(name)}:`);
  });
  return JSON.parse(text) as JsonObject;
}

/** Pointers that mostly find something, and such that mostly do not. */
const POINTERS = [
  ...['#', '#/$defs/a', '#/$defs/b', '#/$defs/a', '#/$defs/b', '#/$defs/a', '#/$defs/b', '#/%24defs/a', '#/$defs/%62'],
  ...['#/$defs/a~1b', '#/$defs/a/properties/a', '#/properties/a'],
];
const ODD_POINTERS = [
  ...[
    '#/',
    '#a',
    '#/$defs',
    '#/definitions/a',
    '#/$defs/a%2Fb',
    '#/$defs/%zz',
    '#/$defs/%',
    '#/$defs/%C3',
    '#/$defs/10',
  ],
  ...[
    '#/$defs/__proto__',
    '#/properties/$ref',
    '#/items/0',
    '#/anyOf/1',
    '#/anyOf/01',
    'x#/$defs/a',
    '#/$defs/a/default',
  ],
  ...[
    '#/dependencies/a',
    '#/not',
    '#/$defs/%F0%9F%98%80',
    '#/$defs/~2',
    '#/$defs//a',
    '#/$defs/',
    '#/$defs/a~0b',
    '$defs/a',
  ],
];
const ODD_NAMES = [
  'a',
  'b',
  '10',
  '9',
  '01',
  '',
  '__proto__',
  'constructor',
  '$ref',
  '$defs',
  'enum',
  'type',
  'a/b',
  'a~b',
];
const name = fc.constantFrom(
  ...ODD_NAMES,
  '\u{1f600}',
  '\ufb33',
  '%',
  '%zz',
  'é',
  'e\u0301',
  '\u0000',
  'additionalProperties',
);
const WORDS = [
  ...[
    'additionalItems',
    'additionalProperties',
    'contains',
    'contentSchema',
    'else',
    'if',
    'items',
    'not',
    'propertyNames',
  ],
  ...['then', 'allOf', 'anyOf', 'oneOf', 'prefixItems', '$defs', 'definitions', 'dependencies', 'dependentSchemas'],
  ...[
    'patternProperties',
    'properties',
    'required',
    'type',
    'enum',
    'enumNames',
    'default',
    'const',
    'examples',
    'x-word',
  ],
  ...['$schema', 'minLength', 'format', 'minContains', 'dependentRequired', 'title', 'nullable', '__proto__', 'X-ENUM'],
];
/** Words that switch rules off, and references where nobody expects them. */
const ODD_WORDS = [
  '$id',
  '$anchor',
  '$dynamicRef',
  'unevaluatedItems',
  'unevaluatedProperties',
  'unevaluatedFuture',
  '$ref',
];
const oddEntries = (inner: fc.Arbitrary<Json>, key: fc.Arbitrary<string>, maxLength: number) =>
  fc.uniqueArray(fc.tuple(key, inner), { maxLength, selector: ([own]) => own }).map(record);

/** Anything that calls itself a schema: every word, at the right place or not. */
const oddSchema = (words: readonly string[], pointers: readonly string[]): fc.Arbitrary<Json> =>
  fc.letrec<{ schema: Json; other: Json }>((tie) => {
    const word = fc.constantFrom(...words);
    const pointer = fc.constantFrom(...pointers);
    const union = fc
      .tuple(fc.constantFrom('anyOf', 'oneOf'), tie('schema'), oddEntries(tie('other'), word, 1), fc.boolean())
      .map(([of, branch, around, isFirst]) => ({
        ...around,
        [of]: isFirst ? [{ type: 'null' }, branch] : [branch, { type: 'null' }],
      }));
    return {
      schema: fc.oneof(
        { maxDepth: 5, depthIdentifier: 'odd' },
        fc.constantFrom<Json>({}, true, { type: 'null' }, { type: 'string' }),
        { weight: 2, arbitrary: pointer.map(($ref) => ({ $ref })) },
        fc.tuple(pointer, oddEntries(tie('other'), word, 1)).map(([$ref, beside]) => ({ ...beside, $ref })),
        { weight: 3, arbitrary: oddEntries(tie('other'), word, 4) },
        { weight: 3, arbitrary: union },
      ),
      other: fc.oneof(
        { maxDepth: 5, depthIdentifier: 'odd' },
        fc.oneof(
          value,
          fc.constantFrom<Json>('http://json-schema.org/draft-07/schema#', ['string', 'null'], ['b', 'a']),
        ),
        { weight: 3, arbitrary: tie('schema') },
        { weight: 3, arbitrary: oddEntries(tie('schema'), name, 3) },
        fc.array(tie('schema'), { maxLength: 3 }),
      ),
    };
  }).schema;

/** An odd schema with definitions, so that most of its pointers find something. */
const oddRootOf = (words: readonly string[], pointers: readonly string[]): fc.Arbitrary<JsonObject> => {
  const schema = oddSchema(words, pointers);
  return fc
    .tuple(schema, oddEntries(schema, name, 3), schema, schema, schema, schema)
    .map(([root, definitions, a, b, c, property]) => ({
      properties: { a: property },
      ...asObject(root),
      $defs: { 'a/b': c, ...definitions, a: { properties: { a: c }, items: a }, b },
    }));
};
export const oddRoot: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 2, arbitrary: oddRootOf(WORDS, POINTERS) },
  oddRootOf([...WORDS, ...ODD_WORDS], POINTERS),
  oddRootOf([...WORDS, ...ODD_WORDS], [...POINTERS, ...ODD_POINTERS]),
);

const hint = fc.constantFrom<Json>(true, false, true, false, null, 'true');
/** A tool with everything that has a rule. */
export const toolWith = (inputSchema: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
  fc
    .record(
      {
        inputSchema,
        outputSchema: inputSchema,
        title: fc.constantFrom<Json>('A', 'B', null),
        description: fc.constantFrom('A.', 'B.'),
        annotations: fc.record(
          { title: hint, readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint },
          { requiredKeys: [] },
        ),
        execution: fc.constantFrom<Json>({}, { taskSupport: 'forbidden' }, { taskSupport: 'optional' }, null),
        _meta: value,
      },
      { requiredKeys: ['inputSchema'] },
    )
    .map((tool) => ({ name: 'example', ...tool }));

/** The same JSON value with the keys of every object in another order. */
export function withShuffledKeys(json: Json, seed: number): Json {
  const random = randomFrom(seed);
  const visit = (node: Json): Json => {
    if (Array.isArray(node)) return (node as readonly Json[]).map(visit);
    if (typeof node !== 'object' || node === null) return node;
    return record(shuffled(Object.entries(node as JsonObject), random).map(([key, child]) => [key, visit(child)]));
  };
  return visit(json);
}

export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item): [number, T] => [random(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Mulberry32: numbers from 0 to 1 that depend on the seed alone. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
