import { describe, expect, it } from 'vitest';
import { schemaFacts } from '../../../electron/core/classify/schema-facts.ts';
import type { Fact, Json, JsonObject } from '../../../electron/core/model.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const ROOTS = { in: '/definition/inputSchema', out: '/definition/outputSchema' } as const;

/** Facts as lines: `severity class path: before -> after`, the path from the root of the schema on. */
function said(before: Json | undefined, after: Json | undefined, direction: 'in' | 'out' = 'in'): string[] {
  return schemaFacts(before, after, direction).map((fact) => {
    expect(fact.path.startsWith(ROOTS[direction])).toBe(true);
    const sides = [fact.before, fact.after].map((value) => (value === undefined ? '' : JSON.stringify(value)));
    const values = sides.join('') === '' ? '' : `: ${sides.join(' -> ')}`;
    return `${fact.severity} ${fact.class} ${fact.path.slice(ROOTS[direction].length)}${values}`;
  });
}
/** The same for one input, or one field of an answer, called `a`. */
function saidOf(before: Json, after: Json, direction: 'in' | 'out' = 'in'): string[] {
  return said(object({ a: before }), object({ a: after }), direction);
}

type Row = readonly [before: Json, after: Json, inputs: string, outputs: string];

describe('what one word of a schema means for callers and for readers of answers', () => {
  const A = '/properties/a';
  it.each<Row>([
    // Looser: callers may send more, and readers get more than they know.
    [
      text,
      { type: ['string', 'null'] },
      `compatible in.type.widened ${A}: "string" -> ["null","string"]`,
      `breaking out.type.widened ${A}: "string" -> ["null","string"]`,
    ],
    [text, {}, `compatible in.type.widened ${A}: "string" -> `, `breaking out.type.widened ${A}: "string" -> `],
    [
      whole,
      { type: 'number' },
      `compatible in.type.widened ${A}: "integer" -> "number"`,
      `breaking out.type.widened ${A}: "integer" -> "number"`,
    ],
    [
      { enum: ['x'] },
      { enum: ['x', 'y'] },
      `compatible in.enum.widened ${A}: ["x"] -> ["x","y"]`,
      `breaking out.enum.widened ${A}: ["x"] -> ["x","y"]`,
    ],
    [
      { enum: ['x'], ...text },
      text,
      `compatible in.enum.dropped ${A}: ["x"] -> `,
      `breaking out.enum.dropped ${A}: ["x"] -> `,
    ],
    [
      { const: 'x' },
      { enum: ['x', 'y'] },
      `compatible in.enum.widened ${A}:  -> ["x","y"]`,
      `breaking out.enum.widened ${A}:  -> ["x","y"]`,
    ],
    [
      { ...whole, minimum: 2 },
      { ...whole, minimum: 1 },
      `compatible in.bound.loosened ${A}: 2 -> 1`,
      `breaking out.bound.loosened ${A}: 2 -> 1`,
    ],
    [
      { ...whole, minimum: 2 },
      whole,
      `compatible in.bound.loosened ${A}: 2 -> `,
      `breaking out.bound.loosened ${A}: 2 -> `,
    ],
    [
      { ...whole, exclusiveMinimum: 2 },
      { ...whole, minimum: 2 },
      `compatible in.bound.loosened ${A}:  -> 2`,
      `breaking out.bound.loosened ${A}:  -> 2`,
    ],
    [
      { ...whole, maximum: 1 },
      { ...whole, maximum: 2 },
      `compatible in.bound.loosened ${A}: 1 -> 2`,
      `breaking out.bound.loosened ${A}: 1 -> 2`,
    ],
    [
      { ...whole, exclusiveMaximum: 2 },
      { ...whole, maximum: 2 },
      `compatible in.bound.loosened ${A}:  -> 2`,
      `breaking out.bound.loosened ${A}:  -> 2`,
    ],
    ...(['minLength', 'minItems', 'minProperties'] as const).map((keyword): Row => [
      { [keyword]: 3 },
      { [keyword]: 2 },
      `compatible in.bound.loosened ${A}: 3 -> 2`,
      `breaking out.bound.loosened ${A}: 3 -> 2`,
    ]),
    ...(['maxLength', 'maxItems', 'maxProperties'] as const).map((keyword): Row => [
      { [keyword]: 2 },
      { [keyword]: 3 },
      `compatible in.bound.loosened ${A}: 2 -> 3`,
      `breaking out.bound.loosened ${A}: 2 -> 3`,
    ]),
    [
      { ...text, maxLength: 3 },
      text,
      `compatible in.bound.loosened ${A}: 3 -> `,
      `breaking out.bound.loosened ${A}: 3 -> `,
    ],
    [
      { ...text, pattern: 'x' },
      text,
      `compatible in.pattern.removed ${A}: "x" -> `,
      `breaking out.pattern.removed ${A}: "x" -> `,
    ],
    [
      { ...text, format: 'uri' },
      text,
      `compatible in.format.removed ${A}: "uri" -> `,
      `breaking out.format.removed ${A}: "uri" -> `,
    ],
    [
      { multipleOf: 4 },
      { multipleOf: 2 },
      `compatible in.multipleOf.changed ${A}: 4 -> 2`,
      `breaking out.multipleOf.changed ${A}: 4 -> 2`,
    ],
    [
      { uniqueItems: true },
      {},
      `compatible in.uniqueItems.removed ${A}: true -> `,
      `breaking out.uniqueItems.removed ${A}: true -> `,
    ],
    // Neither.
    [
      text,
      whole,
      `breaking in.type.changed ${A}: "string" -> "integer"`,
      `breaking out.type.changed ${A}: "string" -> "integer"`,
    ],
    [
      { enum: ['x', 'y'] },
      { enum: ['x', 'z'] },
      `breaking in.enum.changed ${A}: ["x","y"] -> ["x","z"]`,
      `breaking out.enum.changed ${A}: ["x","y"] -> ["x","z"]`,
    ],
    [
      { pattern: 'x' },
      { pattern: 'y' },
      `breaking in.pattern.changed ${A}: "x" -> "y"`,
      `breaking out.pattern.changed ${A}: "x" -> "y"`,
    ],
    [
      { format: 'x' },
      { format: 'y' },
      `breaking in.format.changed ${A}: "x" -> "y"`,
      `breaking out.format.changed ${A}: "x" -> "y"`,
    ],
    [
      { multipleOf: 2 },
      { multipleOf: 3 },
      `breaking in.multipleOf.changed ${A}: 2 -> 3`,
      `breaking out.multipleOf.changed ${A}: 2 -> 3`,
    ],
  ])('%j, then %j', (before, after, inputs, outputs) => {
    expect(saidOf(before, after, 'in')).toEqual([inputs]);
    expect(saidOf(before, after, 'out')).toEqual([outputs]);
  });

  it.each<Row>([
    // Tighter: some calls are refused, and readers get nothing new.
    [
      { type: ['string', 'null'] },
      text,
      `breaking in.type.narrowed ${A}: ["null","string"] -> "string"`,
      `compatible out.type.narrowed ${A}: ["null","string"] -> "string"`,
    ],
    [{}, text, `breaking in.type.narrowed ${A}:  -> "string"`, `compatible out.type.narrowed ${A}:  -> "string"`],
    [
      { enum: ['x', 'y'] },
      { const: 'x' },
      `breaking in.enum.narrowed ${A}: ["x","y"] -> `,
      `compatible out.enum.narrowed ${A}: ["x","y"] -> `,
    ],
    [
      text,
      { ...text, enum: ['x'] },
      `breaking in.enum.added ${A}:  -> ["x"]`,
      `compatible out.enum.added ${A}:  -> ["x"]`,
    ],
    [
      { ...whole, minimum: 1 },
      { ...whole, minimum: 2 },
      `breaking in.bound.tightened ${A}: 1 -> 2`,
      `compatible out.bound.tightened ${A}: 1 -> 2`,
    ],
    [
      whole,
      { ...whole, minimum: 2 },
      `breaking in.bound.tightened ${A}:  -> 2`,
      `compatible out.bound.tightened ${A}:  -> 2`,
    ],
    [
      { ...whole, minimum: 2 },
      { ...whole, minimum: 2, exclusiveMinimum: 2 },
      `breaking in.bound.tightened ${A}: 2 -> 2`,
      `compatible out.bound.tightened ${A}: 2 -> 2`,
    ],
    [
      { ...whole, maximum: 2 },
      { ...whole, maximum: 1 },
      `breaking in.bound.tightened ${A}: 2 -> 1`,
      `compatible out.bound.tightened ${A}: 2 -> 1`,
    ],
    [
      { ...whole, maximum: 2 },
      { ...whole, maximum: 2, exclusiveMaximum: 2 },
      `breaking in.bound.tightened ${A}: 2 -> 2`,
      `compatible out.bound.tightened ${A}: 2 -> 2`,
    ],
    [
      text,
      { ...text, maxLength: 3 },
      `breaking in.bound.tightened ${A}:  -> 3`,
      `compatible out.bound.tightened ${A}:  -> 3`,
    ],
    [
      { minItems: 1 },
      { minItems: 2 },
      `breaking in.bound.tightened ${A}: 1 -> 2`,
      `compatible out.bound.tightened ${A}: 1 -> 2`,
    ],
    [
      { maxItems: 2 },
      { maxItems: 1 },
      `breaking in.bound.tightened ${A}: 2 -> 1`,
      `compatible out.bound.tightened ${A}: 2 -> 1`,
    ],
    [
      text,
      { ...text, pattern: 'x' },
      `breaking in.pattern.added ${A}:  -> "x"`,
      `compatible out.pattern.added ${A}:  -> "x"`,
    ],
    [
      text,
      { ...text, format: 'x' },
      `breaking in.format.added ${A}:  -> "x"`,
      `compatible out.format.added ${A}:  -> "x"`,
    ],
    [
      { type: 'array' },
      { type: 'array', uniqueItems: true },
      `breaking in.uniqueItems.added ${A}:  -> true`,
      `compatible out.uniqueItems.added ${A}:  -> true`,
    ],
    [
      whole,
      { ...whole, multipleOf: 2 },
      `breaking in.multipleOf.added ${A}:  -> 2`,
      `compatible out.multipleOf.added ${A}:  -> 2`,
    ],
  ])('%j, then %j', (before, after, inputs, outputs) => {
    expect(saidOf(before, after, 'in')).toEqual([inputs]);
    expect(saidOf(before, after, 'out')).toEqual([outputs]);
  });

  it('is no harm where the words together accept what they accepted', () => {
    expect(saidOf({ ...whole, minimum: 2 }, { type: 'number', minimum: 2 })).toEqual([
      `compatible in.type.widened ${A}: "integer" -> "number"`,
    ]);
    // Nobody sent a text, so a pattern for texts refuses nobody.
    expect(saidOf(whole, { type: ['integer', 'string'], pattern: 'x' })).toEqual([
      `compatible in.type.widened ${A}: "integer" -> ["integer","string"]`,
      `compatible in.pattern.added ${A}:  -> "x"`,
    ]);
  });

  it('is said of each word that changed, and counts where one of them refuses', () => {
    expect(saidOf({ ...text, minLength: 2, maxLength: 5 }, { ...text, minLength: 1, maxLength: 4 })).toEqual([
      `compatible in.bound.loosened ${A}: 2 -> 1`,
      `breaking in.bound.tightened ${A}: 5 -> 4`,
    ]);
    expect(saidOf({ ...text, minLength: 2, maxLength: 5 }, { ...text, minLength: 1, maxLength: 4 }, 'out')).toEqual([
      `breaking out.bound.loosened ${A}: 2 -> 1`,
      `compatible out.bound.tightened ${A}: 5 -> 4`,
    ]);
  });

  it('is told of the word that is there', () => {
    expect(saidOf({ exclusiveMinimum: 2 }, { exclusiveMinimum: 3 })).toEqual([
      `breaking in.bound.tightened ${A}: 2 -> 3`,
    ]);
    expect(saidOf({ const: 'x' }, { const: 'y' })).toEqual([`breaking in.enum.changed ${A}: "x" -> "y"`]);
    expect(saidOf({ minimum: 2 }, { minimum: 2, exclusiveMinimum: 1 })).toEqual([
      `compatible in.bound.loosened ${A}: 2 -> 2`,
    ]);
    for (const type of ['null', 'boolean', 'string', 'integer', 'number', 'array', 'object'])
      expect(saidOf({}, { type })).toEqual([`breaking in.type.narrowed ${A}:  -> "${type}"`]);
  });

  it('is no known harm where it only means something beside another one', () => {
    const counts = (more: JsonObject): JsonObject => ({ type: 'array', contains: text, ...more });
    for (const keyword of ['minContains', 'maxContains']) {
      const [loose, tight] = keyword === 'minContains' ? [1, 2] : [2, 1];
      expect(saidOf(counts({ [keyword]: tight }), counts({ [keyword]: loose }))).toEqual([
        `compatible in.bound.loosened ${A}: ${tight} -> ${loose}`,
        `breaking in.structure ${A}`,
      ]);
      expect(saidOf(counts({ [keyword]: loose }), counts({ [keyword]: tight }))).toEqual([
        `breaking in.bound.tightened ${A}: ${loose} -> ${tight}`,
      ]);
    }
  });

  it('is no known harm where the words have no rule of their own', () => {
    const [old, now] = [
      { type: 'array', contains: text },
      { type: 'array', contains: whole },
    ];
    expect(saidOf(old, now)).toEqual([`breaking in.structure ${A}`]);
    expect(saidOf({ type: 'array', contains: text }, { type: 'array' })).toEqual([`compatible in.structure ${A}`]);
    expect(saidOf({ type: 'array', contains: text, minItems: 1 }, { type: 'array', minItems: 2 })).toEqual([
      `breaking in.bound.tightened ${A}: 1 -> 2`,
    ]);
    expect(saidOf({ type: 'array', minItems: 2 }, { type: 'array', contains: text, minItems: 1 })).toEqual([
      `compatible in.bound.loosened ${A}: 2 -> 1`,
      `breaking in.structure ${A}`,
    ]);
  });
});

describe('an input or a field that is there on one side only', () => {
  it.each<readonly [string, JsonObject, JsonObject, string, string]>([
    [
      'may be left out',
      object({}),
      object({ b: text }),
      'compatible in.prop.added.optional /properties/b',
      'compatible out.prop.added.optional /properties/b',
    ],
    [
      'is needed',
      object({}),
      object({ b: text }, { required: ['b'] }),
      'breaking in.prop.added.required /properties/b',
      'compatible out.prop.added.required /properties/b',
    ],
    [
      'is needed, but has a standard value',
      object({}),
      object({ b: { ...text, default: 'x' } }, { required: ['b'] }),
      'breaking in.prop.added.requiredWithDefault /properties/b',
      'compatible out.prop.added.requiredWithDefault /properties/b',
    ],
    [
      'could be left out',
      object({ b: text }),
      object({}),
      'breaking in.prop.removed.optional /properties/b',
      'breaking out.prop.removed.optional /properties/b',
    ],
    [
      'was needed',
      object({ b: text }, { required: ['b'] }),
      object({}),
      'breaking in.prop.removed.required /properties/b',
      'breaking out.prop.removed.required /properties/b',
    ],
    [
      'was needed and had a standard value',
      object({ b: { default: 'x' } }, { required: ['b'] }),
      object({}),
      'breaking in.prop.removed.required /properties/b',
      'breaking out.prop.removed.required /properties/b',
    ],
    [
      'has a name with signs of a pointer',
      object({}),
      object({ 'a/b~c': true }),
      'compatible in.prop.added.optional /properties/a~1b~0c',
      'compatible out.prop.added.optional /properties/a~1b~0c',
    ],
    [
      'has a name that objects have',
      object({}),
      object({ constructor: text }),
      'compatible in.prop.added.optional /properties/constructor',
      'compatible out.prop.added.optional /properties/constructor',
    ],
  ])('%s', (_, before, after, inputs, outputs) => {
    expect(said(before, after, 'in')).toEqual([inputs]);
    expect(said(before, after, 'out')).toEqual([outputs]);
  });

  it('sounds dangerous only where callers may send it, and only where it is new', () => {
    expect(said(object({}), object({ force: true }), 'in')).toEqual([
      'compatible in.prop.added.optional /properties/force',
      'security in.prop.added.dangerous /properties/force',
    ]);
    expect(said(object({}), object({ force: true }), 'out')).toEqual([
      'compatible out.prop.added.optional /properties/force',
    ]);
    expect(said(object({ force: true }), object({}), 'in')).toEqual([
      'breaking in.prop.removed.optional /properties/force',
    ]);
  });

  it('comes in the order of names, one by one', () => {
    const facts = schemaFacts(object({ c: text, a: text }), object({ b: text, a: whole }), 'in');
    expect(facts.map(({ path }) => path.slice(-1))).toEqual(['a', 'b', 'c']);
  });
});

describe('what is needed', () => {
  const both = { a: text, b: text };
  it('more than before is refused by some, and less is a surprise to readers', () => {
    expect(said(object(both, { required: ['a'] }), object(both, { required: ['a', 'b'] }))).toEqual([
      'breaking in.required.added /properties/b',
    ]);
    expect(said(object(both, { required: ['a', 'b'] }), object(both, { required: ['a'] }))).toEqual([
      'compatible in.required.dropped /properties/b',
    ]);
    expect(said(object(both), object(both, { required: ['a'] }), 'out')).toEqual([
      'compatible out.required.added /properties/a',
    ]);
    expect(said(object(both, { required: ['a'] }), object(both), 'out')).toEqual([
      'breaking out.required.dropped /properties/a',
    ]);
  });

  it('without being declared counts as well', () => {
    expect(said(object({}), object({}, { required: ['z'] }))).toEqual(['breaking in.required.added /properties/z']);
  });
});

describe('names that nobody declared', () => {
  const closed = { additionalProperties: false };
  it.each<readonly [string, Json, Json, string[], string[]]>([
    [
      'are not taken any more at the root',
      object({ a: text }),
      object({ a: text }, closed),
      ['compatible in.additionalProperties.closed /additionalProperties'],
      ['compatible out.additionalProperties.closed /additionalProperties'],
    ],
    [
      'are taken now',
      object({ a: text }, closed),
      object({ a: text }),
      ['compatible in.additionalProperties.opened /additionalProperties'],
      ['compatible out.additionalProperties.opened /additionalProperties'],
    ],
    [
      'are the only ones there were, at the root',
      { type: 'object' },
      { type: 'object', ...closed },
      ['compatible in.additionalProperties.closed /additionalProperties'],
      ['compatible out.additionalProperties.closed /additionalProperties'],
    ],
    [
      'have to be texts now',
      object({ a: text }),
      object({ a: text }, { additionalProperties: text }),
      ['compatible in.additionalProperties.closed /additionalProperties'],
      ['compatible out.additionalProperties.closed /additionalProperties'],
    ],
    [
      'had to be texts',
      object({ a: text }, { additionalProperties: text }),
      object({ a: text }),
      ['compatible in.additionalProperties.opened /additionalProperties'],
      ['compatible out.additionalProperties.opened /additionalProperties'],
    ],
    [
      'had a schema and are not taken any more',
      object({ a: text }, { additionalProperties: text }),
      object({ a: text }, closed),
      ['breaking in.additionalProperties.closed.map /additionalProperties'],
      ['compatible out.additionalProperties.closed /additionalProperties'],
    ],
    [
      'have another schema',
      object({}, { additionalProperties: text }),
      object({}, { additionalProperties: whole }),
      ['breaking in.type.changed /additionalProperties: "string" -> "integer"'],
      ['breaking out.type.changed /additionalProperties: "string" -> "integer"'],
    ],
  ])('%s', (_, before, after, inputs, outputs) => {
    expect(said(before, after, 'in')).toEqual(inputs);
    expect(said(before, after, 'out').sort()).toEqual(outputs);
  });

  it('are all that a map takes, below the root', () => {
    const [map, shut] = [{ type: 'object' }, { type: 'object', ...closed }];
    expect(saidOf(map, shut)).toEqual([
      'breaking in.additionalProperties.closed.map /properties/a/additionalProperties',
    ]);
    expect(saidOf(object({}), shut)).toEqual([
      'breaking in.additionalProperties.closed.map /properties/a/additionalProperties',
    ]);
    expect(saidOf(object({ b: text }), object({ b: text }, closed))).toEqual([
      'compatible in.additionalProperties.closed /properties/a/additionalProperties',
    ]);
    expect(saidOf(map, shut, 'out')).toEqual([
      'compatible out.additionalProperties.closed /properties/a/additionalProperties',
    ]);
  });
});

describe('items', () => {
  it('are compared one schema with the other', () => {
    expect(saidOf({ type: 'array', items: text }, { type: 'array', items: whole })).toEqual([
      'breaking in.type.changed /properties/a/items: "string" -> "integer"',
    ]);
    expect(saidOf({ items: object({ b: text }) }, { items: object({ b: text, c: text }) })).toEqual([
      'compatible in.prop.added.optional /properties/a/items/properties/c',
    ]);
  });

  it('as a whole where one side has none, or a list of them', () => {
    expect(saidOf({ type: 'array' }, { type: 'array', items: text })).toEqual(['breaking in.structure /properties/a']);
    expect(saidOf({ type: 'array', items: text }, { type: 'array' })).toEqual([
      'compatible in.structure /properties/a',
    ]);
    expect(saidOf({ type: 'array', items: [text] }, { type: 'array', items: [whole] })).toEqual([
      'breaking in.structure /properties/a',
    ]);
    expect(saidOf({ type: 'array', prefixItems: [text], items: whole }, { type: 'array', items: whole })).toEqual([
      'breaking in.structure /properties/a',
    ]);
  });
});

describe('a union', () => {
  const either = (...parts: Json[]): JsonObject => ({ anyOf: parts });
  it('is compared as one thing', () => {
    expect(saidOf(text, either(text, whole))).toEqual(['compatible in.union.widened /properties/a']);
    expect(saidOf(either(text, whole), text)).toEqual(['breaking in.union.narrowed /properties/a']);
    expect(saidOf(either(text, whole), either(text, { type: 'boolean' }))).toEqual([
      'breaking in.union.changed /properties/a',
    ]);
    expect(saidOf(text, either(text, whole), 'out')).toEqual(['breaking out.union.widened /properties/a']);
    expect(saidOf(either(text, whole), text, 'out')).toEqual(['compatible out.union.narrowed /properties/a']);
  });

  it('says the same in another way without harm', () => {
    const facts = saidOf({ enum: ['x', 'y'] }, either({ const: 'x' }, { const: 'y' }));
    expect(facts).toEqual(['compatible in.union.changed /properties/a']);
  });

  it('loses the names that one of its parts declared, which an open object would still take', () => {
    const before = either(object({ x: text, z: text }), object({ y: text }));
    expect(
      saidOf(before, either(object({ x: text }), object({ y: text }))).filter((line) => line.includes('removed')),
    ).toEqual(['breaking in.prop.removed.optional /properties/a/properties/z']);
    const nested = {
      allOf: [
        { oneOf: [object({ x: text })] },
        { if: object({ w: text }), then: object({ v: text }), else: object({ u: text }) },
      ],
    };
    expect(
      saidOf(nested, either(true))
        .filter((line) => line.includes('removed'))
        .map((line) => line.slice(-1)),
    ).toEqual([...['x', 'w', 'v', 'u']]);
  });

  it('has words in each part', () => {
    const before = either({ ...text, description: 'One.' }, { ...whole, default: 1 });
    expect(saidOf(before, either({ ...text, description: 'Two.' }, { ...whole, default: 1 }))).toEqual([
      'review in.prop.description /properties/a/anyOf/0/description: "One." -> "Two."',
    ]);
    expect(saidOf(before, either({ ...text, description: 'One.' }, { ...whole, default: 2 }))).toEqual([
      'breaking in.default.changed /properties/a/anyOf/1/default: 1 -> 2',
    ]);
    const parts = (keyword: string, description: string): JsonObject => ({
      [keyword]: [{ ...text, description }, whole],
    });
    for (const keyword of ['oneOf', 'allOf'])
      expect(saidOf(parts(keyword, 'One.'), parts(keyword, 'Two.'))).toEqual([
        `review in.prop.description /properties/a/${keyword}/0/description: "One." -> "Two."`,
      ]);
  });

  it('has words that are compared all together where its parts are others', () => {
    const before = either({ ...text, description: 'One.' }, { ...whole, default: 1 });
    const [description, value] = [
      'review in.prop.description /properties/a',
      'breaking in.default.changed /properties/a',
    ];
    const words = (after: Json, direction: 'in' | 'out' = 'in'): string[] =>
      saidOf(before, after, direction).filter((line) => !line.includes('union'));
    const more = { type: 'boolean' };
    expect(words(either({ ...text, description: 'One.' }, { ...whole, default: 1 }, more))).toEqual([]);
    expect(words(either(more, { ...whole, default: 1 }, { ...text, description: 'One.' }))).toEqual([]);
    expect(words(either({ ...text, description: 'Two.' }, { ...whole, default: 1 }, more))).toEqual([description]);
    expect(words(either({ ...text, description: 'One.' }, { ...whole, default: 2 }, more))).toEqual([value]);
    expect(words(either({ ...text, description: 'One.' }, { ...whole, default: 2 }, more), 'out')).toEqual([]);
    expect(words(either({ ...text, description: 'One.' }, whole, more))).toEqual([value]);
    // A first standard value is no other one.
    expect(saidOf(either(text, whole), either(text, { ...whole, default: 1 }, more))).toEqual([
      'compatible in.union.widened /properties/a',
    ]);
    // What the union says itself has been compared already.
    expect(
      saidOf({ ...text, description: 'x', default: 'd' }, { ...either(text, more), description: 'x', default: 'd' }),
    ).toEqual(['compatible in.union.widened /properties/a']);
  });
});

describe('words of a schema', () => {
  it.each<readonly [Json, Json, string]>([
    [text, { ...text, title: 'T' }, 'review in.prop.description /properties/a/title:  -> "T"'],
    [{ ...text, title: 'T' }, text, 'review in.prop.description /properties/a/title: "T" -> '],
    [
      { ...text, examples: ['x'] },
      { ...text, examples: ['y'] },
      'review in.prop.description /properties/a/examples: ["x"] -> ["y"]',
    ],
    [text, { ...text, $comment: 'c' }, 'review in.prop.description /properties/a/$comment:  -> "c"'],
    [text, { ...text, deprecated: true }, 'review in.prop.description /properties/a/deprecated:  -> true'],
    [text, { ...text, 'x/note': 1 }, 'review in.other /properties/a/x~1note:  -> 1'],
    [{ ...text, 'x-note': 1 }, { ...text, 'x-note': 2 }, 'review in.other /properties/a/x-note: 1 -> 2'],
    [text, { ...text, default: 'x' }, 'review in.default.added /properties/a/default:  -> "x"'],
    [text, { ...text, default: null }, 'compatible in.default.added /properties/a/default:  -> null'],
    [{ ...text, default: null }, text, 'compatible in.default.removed /properties/a/default: null -> '],
    [
      { ...text, default: null },
      { ...text, default: 'x' },
      'review in.default.changed /properties/a/default: null -> "x"',
    ],
    [
      { ...text, default: 'x' },
      { ...text, default: null },
      'breaking in.default.changed /properties/a/default: "x" -> null',
    ],
    [{ ...text, default: 'x' }, text, 'breaking in.default.removed /properties/a/default: "x" -> '],
  ])('%j, then %j', (before, after, line) => {
    expect(saidOf(before, after)).toEqual([line]);
  });

  it('steer the model in answers too, where a standard value binds nobody', () => {
    expect(saidOf({ ...text, default: 'x' }, { ...text, default: 'y' }, 'out')).toEqual([
      'review out.default.changed /properties/a/default: "x" -> "y"',
    ]);
    expect(saidOf(text, { ...text, title: 'T' }, 'out')).toEqual([
      'review out.prop.description /properties/a/title:  -> "T"',
    ]);
    expect(saidOf(text, { ...text, 'x-note': 1 }, 'out')).toEqual(['review out.other /properties/a/x-note:  -> 1']);
  });

  it('come in the order of the words', () => {
    expect(
      saidOf(text, { ...text, title: 'T', 'x-b': 1, description: 'D', 'x-a': 1 }).map((line) => line.split(' ')[2]),
    ).toEqual(['description', 'title', 'x-a', 'x-b'].map((word) => `/properties/a/${word}:`));
  });
});

describe('a schema of a definition', () => {
  const loop = (more: JsonObject): JsonObject =>
    object({ a: { $ref: '#/$defs/n' } }, { $defs: { n: object({ next: { $ref: '#/$defs/n' }, ...more }) } });
  it('that comes or goes', () => {
    expect(said(undefined, undefined)).toEqual([]);
    expect(said(undefined, object({}), 'out')).toEqual(['compatible out.schema.added ']);
    expect(said(object({}), undefined, 'out')).toEqual(['breaking out.schema.removed ']);
    expect(said(undefined, object({}))).toEqual(['breaking in.schema.added ']);
    expect(said(object({}), undefined)).toEqual(['compatible in.schema.removed ']);
    expect(said(undefined, true)).toEqual(['compatible in.schema.added ']);
  });

  it('that is the same, however it is written, says nothing', () => {
    expect(said(object({ a: text, b: whole }), { properties: { b: whole, a: text }, type: 'object' })).toEqual([]);
  });

  it('that means the same in other words is another spelling', () => {
    expect(saidOf({ ...whole, minimum: Number.MIN_SAFE_INTEGER }, whole)).toEqual(['compatible in.spelling ']);
    expect(saidOf({ ...whole, minimum: Number.MIN_SAFE_INTEGER }, whole, 'out')).toEqual(['compatible out.spelling ']);
  });

  it('that refers to itself has words in its definitions, too', () => {
    const [old, now] = [loop({ x: { ...text, description: 'One.' } }), loop({ x: { ...text, description: 'Two.' } })];
    expect(said(old, now)).toEqual(['review in.prop.description /$defs/1/properties/x/description: "One." -> "Two."']);
    expect(said(loop({ x: text }), loop({ x: { ...text, default: 'd' } }))).toEqual([
      'review in.default.added /$defs/1/properties/x/default:  -> "d"',
    ]);
  });

  it('that refers to itself is compared by what its references lead to', () => {
    expect(said(loop({ x: text }), loop({ x: whole }))).toEqual(['breaking in.structure ']);
    expect(said(loop({ x: text }), loop({ x: text, y: text }))).toEqual(['compatible in.spelling ']);
  });

  it('that is no object is compared as a whole', () => {
    expect(saidOf(true, false)).toEqual(['breaking in.union.narrowed /properties/a']);
    expect(saidOf(false, text)).toEqual(['compatible in.union.widened /properties/a']);
  });

  it('of answers says nothing bad by fields that were not announced, at any place', () => {
    const shut = (properties: JsonObject): JsonObject => object(properties, { additionalProperties: false });
    const places: ((inner: Json) => Json)[] = [
      (inner) => inner,
      (inner) => ({ type: 'array', items: inner }),
      (inner) => ({ anyOf: [inner, { type: 'null' }] }),
      (inner) => ({ oneOf: [inner, text] }),
      (inner) => ({ allOf: [inner] }),
      (inner) => ({ type: 'object', patternProperties: { '^x': inner } }),
    ];
    for (const place of places) {
      const facts: Fact[] = schemaFacts(
        object({ a: place(shut({ b: text })) }),
        object({ a: place(shut({ b: text, c: text })) }),
        'out',
      );
      expect(facts.map(({ severity }) => severity)).not.toContain('breaking');
    }
  });
});
