import { describe, expect, it } from 'vitest';
import { BOUNDS } from '../../../electron/core/bounds.ts';
import {
  assertIJson,
  byCodeUnits,
  canonicalText,
  isObject,
  NotCanonical,
  sha256,
} from '../../../electron/core/canonical.ts';
import type { Json, JsonObject } from '../../../electron/core/model.ts';
import { schemaNormalForm } from '../../../electron/core/schema-form.ts';

const text = { type: 'string' };
const count = (length: number): number[] => Array.from({ length }, (_, n) => n);
/** An object with `length` properties that `make` gives. */
const properties = (length: number, make: (n: number) => Json): JsonObject =>
  Object.fromEntries(count(length).map((n) => [`p${n}`, make(n)]));
/** What became of the definitions of a schema. */
function definitions(schema: JsonObject): 'inlined' | 'numbered' | 'as written' {
  const form = schemaNormalForm(schema);
  if (!isObject(form) || !isObject(form['$defs'])) {
    expect(JSON.stringify(form)).not.toMatch(/"#|"\$defs"/);
    return 'inlined';
  }
  return Object.hasOwn(form['$defs'], 'd0') ? 'as written' : 'numbered';
}

describe('references are put in place, and none is left over', () => {
  const each = (targets: number, uses = targets): JsonObject => ({
    properties: properties(uses, (n) => ({ $ref: `#/$defs/d${n % targets}` })),
    $defs: Object.fromEntries(count(targets).map((n) => [`d${n}`, { ...text, title: `T${n}` }])),
  });

  it('up to 200 definitions, stay up to 2,000, and are left as they are beyond', () => {
    const [few, many] = [BOUNDS.inlinedDefinitions.value, BOUNDS.referenceTargets.value];
    expect([few, few + 1, many, many + 1].map((targets) => definitions(each(targets)))).toEqual([
      ...['inlined', 'numbered', 'numbered', 'as written'],
    ]);
  });

  it('up to 2,000 schemas, the root counted and the references not', () => {
    const most = BOUNDS.inlinedSchemas.value;
    expect([most - 1, most].map((uses) => definitions(each(1, uses)))).toEqual(['inlined', 'numbered']);
  });

  it('up to 100,000 values and characters put in place', () => {
    // `{ type: 'string', title: … }`: three values, 15 characters besides the title.
    const long = (length: number, uses: number): JsonObject => ({
      properties: properties(uses, () => ({ $ref: '#/$defs/d0' })),
      $defs: { d0: { ...text, title: 't'.repeat(length - 18) } },
    });
    const most = BOUNDS.inlinedLength.value;
    expect([long(most, 1), long(most + 1, 1), long(most / 4, 4), long(most / 4 + 1, 4)].map(definitions)).toEqual([
      ...['inlined', 'numbered', 'inlined', 'numbered'],
    ]);
    // A list is one value, and its places have no names.
    const list = (length: number): JsonObject => ({
      items: { $ref: '#/$defs/d0' },
      $defs: { d0: { enum: count(length) } },
    });
    expect([list(most - 6), list(most - 5)].map(definitions)).toEqual(['inlined', 'numbered']);
    // What comes after the last copy is treated like what came before.
    const after = { ...text, $defs: { d1: text } };
    expect(definitions({ ...long(most, 1), not: after, then: after })).toBe('inlined');
  });

  it('up to 20,000 schemas that are walked through, and are left as they are beyond', () => {
    const wide = (length: number): JsonObject => ({
      properties: { a: { $ref: '#/$defs/d0' } },
      $defs: { d0: { properties: properties(length, () => true) } },
    });
    // Besides those: the root, its property, the definition.
    const most = BOUNDS.referencedSchemas.value - 3;
    expect([most, most + 1].map((length) => definitions(wide(length)))).toEqual(['numbered', 'as written']);
  });

  it('up to 4,000,000 values and characters behind references, and are left as they are beyond', () => {
    const long = (length: number): JsonObject => ({
      properties: properties(2, (n) => ({ $ref: `#/$defs/d${n}` })),
      $defs: { d0: { ...text, title: 't'.repeat(length - 18 - 12) }, d1: text },
    });
    const most = BOUNDS.referencedLength.value;
    expect([most, most + 1].map((length) => definitions(long(length)))).toEqual(['numbered', 'as written']);
  });

  it('not within themselves, nor beside words that count', () => {
    const loop = { properties: { a: { $ref: '#/$defs/d0' } }, $defs: { d0: { items: { $ref: '#/$defs/d0' } } } };
    expect(definitions(loop)).toBe('numbered');
    const circle = {
      $ref: '#/$defs/d0',
      $defs: { d0: { items: { $ref: '#/$defs/e' } }, e: { items: { $ref: '#/$defs/d0' } } },
    };
    expect(definitions(circle)).toBe('numbered');
    const beside = (more: JsonObject): JsonObject => ({ items: { $ref: '#/$defs/d0', ...more }, $defs: { d0: text } });
    expect(
      [{ title: 'x' }, { additionalProperties: false }, { additionalProperties: { type: 'string' } }]
        .map(beside)
        .map(definitions),
    ).toEqual([...['numbered', 'numbered', 'numbered']]);
    expect(
      [
        ...[
          {},
          { additionalProperties: true },
          { additionalProperties: {} },
          { $defs: { x: text } },
          { definitions: {} },
        ],
        ...[{ additionalProperties: { additionalProperties: true } }, { additionalProperties: { $defs: { x: text } } }],
      ]
        .map(beside)
        .map(definitions),
    ).toEqual(count(7).map(() => 'inlined'));
  });

  it('not where something counts which names were looked at', () => {
    const schema = (definition: JsonObject, more: JsonObject = {}): JsonObject => ({
      items: { $ref: '#/$defs/d0', additionalProperties: true },
      $defs: { d0: definition, unused: { unevaluatedProperties: false } },
      ...more,
    });
    expect(definitions(schema(text))).toBe('inlined');
    expect(definitions(schema({ unevaluatedProperties: false }))).toBe('numbered');
    expect(definitions(schema({ items: { unevaluatedItems: false } }))).toBe('numbered');
    expect(definitions(schema(text, { unevaluatedItems: false }))).toBe('numbered');
  });

  it('not where a word moves what they are relative to, or where one leads nowhere', () => {
    const at = (more: JsonObject): JsonObject => ({ items: { $ref: '#/$defs/d0' }, $defs: { d0: text }, ...more });
    for (const word of ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef']) {
      expect([word, definitions(at({ not: { [word]: 'x' } }))]).toEqual([word, 'as written']);
      expect([word, definitions(at({ default: { [word]: 'x' } }))]).toEqual([word, 'inlined']);
    }
    expect(definitions(at({ not: { $ref: '#/$defs/none' } }))).toBe('as written');
    expect(definitions(at({ not: { $ref: 'https://a.example/#/$defs/none' } }))).toBe('inlined');
  });
});

describe('what has a canonical form', () => {
  const nested = (levels: number, inner: Json): Json => count(levels).reduce<Json>((value) => [value], inner);
  const fails = (value: Json): string => {
    try {
      assertIJson(value);
      return '';
    } catch (error) {
      if (!(error instanceof NotCanonical)) throw error;
      expect(error.name).toBe('NotCanonical');
      return error.message;
    }
  };

  it('is at most 100 levels deep, also in lists', () => {
    expect(fails(nested(100, 1))).toBe('');
    expect(fails(nested(101, 1))).toBe(BOUNDS.definitionDepth.reason);
  });

  it('has at most 100,000 values', () => {
    const most = BOUNDS.definitionValues.value;
    expect(fails(count(most - 1))).toBe('');
    expect(fails(count(most))).toBe(BOUNDS.definitionValues.reason);
  });

  it('has at most 1,000,000 characters, in texts and keys together', () => {
    const most = BOUNDS.definitionLength.value;
    expect(fails('x'.repeat(most))).toBe('');
    expect(fails('x'.repeat(most + 1))).toBe(BOUNDS.definitionLength.reason);
    expect(fails({ key: 'x'.repeat(most - 3) })).toBe('');
    expect(fails({ key: 'x'.repeat(most - 2) })).toBe(BOUNDS.definitionLength.reason);
    expect(fails(['x'.repeat(most / 2), 'x'.repeat(most / 2 + 1)])).toBe(BOUNDS.definitionLength.reason);
  });

  it('has no numbers and no texts that two programs may read differently', () => {
    const largest = Number.MAX_SAFE_INTEGER;
    for (const fine of [largest, -largest, 0.5, -0, 1e-300, '😀', { '😀': null }, [true, false]])
      expect(fails(fine)).toBe('');
    for (const number of [largest + 1, -largest - 1, 1e300, NaN])
      expect(fails({ a: [number] })).toBe('a number beyond 2^53');
    for (const half of ['\ud83d', 'a\ude00', '\ude00\ud83d', ['\ud83d'], { '\ud83d': 1 }])
      expect(fails(half)).toBe('a lone surrogate in a text');
  });

  it('is written in one way', () => {
    expect(canonicalText({ b: [1, 'ü'], a: null })).toBe('{"a":null,"b":[1,"ü"]}');
    expect(() => canonicalText(undefined)).toThrow(new NotCanonical('not a JSON value'));
  });

  it('is hashed as UTF-8', () => {
    // printf ü | sha256sum
    expect(sha256('ü')).toBe('sha256:607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f');
  });

  it('is sorted by code units', () => {
    expect(['b', 'a', 'é', 'B', '\ud83d\ude00', '\uffff', ''].sort(byCodeUnits)).toEqual([
      ...['', 'B', 'a', 'b', 'é', '\ud83d\ude00', '\uffff'],
    ]);
    expect([byCodeUnits('a', 'b'), byCodeUnits('b', 'a'), byCodeUnits('a', 'a')]).toEqual([-1, 1, 0]);
  });

  it('is an object only where it is one', () => {
    expect([{}, { a: 1 }].map(isObject)).toEqual([true, true]);
    expect([null, [], 'x', 1, true, undefined].map((value) => isObject(value))).toEqual(count(6).map(() => false));
  });
});
