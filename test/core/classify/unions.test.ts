import { describe, expect, it } from 'vitest';
import { schemaFacts } from '../../../electron/core/classify/schema-facts.ts';
import type { Fact, Json, JsonObject } from '../../../electron/core/model.ts';
import { object, said, saidOf, text, whole } from './said.ts';

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
    ).toEqual(['u', 'v', 'w', 'x']);
  });

  it('has words in each part', () => {
    const before = either({ ...text, description: 'One.' }, { ...whole, default: 1 });
    expect(saidOf(before, either({ ...text, description: 'Two.' }, { ...whole, default: 1 }))).toEqual([
      'review in.prop.description /properties/a/description: "One." -> "Two."',
    ]);
    expect(saidOf(before, either({ ...text, description: 'One.' }, { ...whole, default: 2 }))).toEqual([
      'breaking in.default.changed /properties/a/default: 1 -> 2',
    ]);
    const parts = (keyword: string, description: string): JsonObject => ({
      [keyword]: [{ ...text, description }, whole],
    });
    for (const keyword of ['oneOf', 'allOf'])
      expect(saidOf(parts(keyword, 'One.'), parts(keyword, 'Two.'))).toEqual([
        `review in.prop.description /properties/a/description: "One." -> "Two."`,
      ]);
  });

  it('has words that are compared all together where its parts are others', () => {
    const before = either({ ...text, description: 'One.' }, { ...whole, default: 1 });
    const [description, value] = [
      'review in.prop.description /properties/a/description: "One." -> "Two."',
      'breaking in.default.changed /properties/a/default: 1 -> 2',
    ];
    const words = (after: Json, direction: 'in' | 'out' = 'in'): string[] =>
      saidOf(before, after, direction).filter((line) => !line.includes('union'));
    const more = { type: 'boolean' };
    expect(words(either({ ...text, description: 'One.' }, { ...whole, default: 1 }, more))).toEqual([]);
    expect(words(either(more, { ...whole, default: 1 }, { ...text, description: 'One.' }))).toEqual([]);
    expect(words(either({ ...text, description: 'Two.' }, { ...whole, default: 1 }, more))).toEqual([description]);
    expect(words(either({ ...text, description: 'One.' }, { ...whole, default: 2 }, more))).toEqual([value]);
    expect(words(either({ ...text, description: 'One.' }, { ...whole, default: 2 }, more), 'out')).toEqual([
      'review out.default.changed /properties/a/default: 1 -> 2',
    ]);
    expect(words(either({ ...text, description: 'One.' }, whole, more))).toEqual([
      'breaking in.default.removed /properties/a/default: 1 -> ',
    ]);
    // In whatever order the parts say it.
    const [one, two] = [
      { ...text, description: 'One.', default: 'b' },
      { ...whole, description: 'A two.', default: 1 },
    ];
    expect(saidOf(either(one, two), either(two, one, more))).toEqual(['compatible in.union.widened /properties/a']);
    // A first standard value is no other one, but is looked at.
    expect(saidOf(either(text, whole), either(text, { ...whole, default: 1 }, more))).toEqual([
      'review in.default.added /properties/a/default:  -> 1',
      'compatible in.union.widened /properties/a',
    ]);
    // What the union says itself has been compared already.
    expect(
      saidOf({ ...text, description: 'x', default: 'd' }, { ...either(text, more), description: 'x', default: 'd' }),
    ).toEqual(['compatible in.union.widened /properties/a']);
  });

  it('with a part for any object at all holds every name that another part declares', () => {
    const named = object({ a: text });
    const any = either(named, { type: 'object' });
    expect(said(named, any)).toEqual(['compatible in.union.widened ']);
    expect(said(any, named)).toEqual(['breaking in.union.narrowed ']);
    expect(said(named, any, 'out')).toEqual(['breaking out.union.widened ']);
    expect(said(any, named, 'out')).toEqual(['compatible out.union.narrowed ']);
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
    expect(said(old, now)).toEqual([
      'review in.prop.description /properties/a/properties/x/description: "One." -> "Two."',
    ]);
    expect(said(loop({ x: text }), loop({ x: { ...text, default: 'd' } }))).toEqual([
      'review in.default.added /properties/a/properties/x/default:  -> "d"',
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
