import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../electron/core/model.ts';
import { saidOf, text, whole } from './said.ts';

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
