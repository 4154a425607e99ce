import { describe, expect, it } from 'vitest';
import { acceptsValue } from '../../../electron/core/classify/accepts.ts';
import { isAnything, isUnknownKeyword, listOf, mapOf } from '../../../electron/core/classify/assertions.ts';
import { isSubset, newBudget } from '../../../electron/core/classify/schema-subset.ts';
import type { Json } from '../../../electron/core/model.ts';

type Row = readonly [value: Json, schema: Json];

const ACCEPTED: readonly Row[] = [
  ['a', true],
  ['a', {}],
  ['a', { $defs: { 1: true } }],
  ['a', { type: 'string' }],
  ['a', { type: ['null', 'string'] }],
  ['a', { type: 'string', $defs: { 1: true } }],
  [null, { type: 'null' }],
  [true, { type: 'boolean' }],
  [1, { type: 'number' }],
  [1, { type: 'integer' }],
  [1.5, { type: 'number' }],
  [[], { type: 'array' }],
  [{}, { type: 'object' }],
  ['a', { enum: ['b', 'a'] }],
  [{ a: 1, b: 2 }, { enum: [{ b: 2, a: 1 }] }],
  ['a', { const: 'a' }],
  ['a', { const: 'a', enum: ['a', 'b'] }],
  [5, { minimum: 5 }],
  [6, { exclusiveMinimum: 5 }],
  [5, { maximum: 5 }],
  [4, { exclusiveMaximum: 5 }],
  [5, { minimum: 1, maximum: 9, exclusiveMinimum: 4, exclusiveMaximum: 6 }],
  [6, { multipleOf: 3 }],
  [1.5, { multipleOf: 0.5 }],
  ['abc', { minLength: 3, maxLength: 3 }],
  ['😀', { maxLength: 1 }],
  ['abc', { minimum: 5, maximum: 1, multipleOf: 2 }],
  [5, { minLength: 3 }],
  ['abc', { allOf: [{ minLength: 1 }, { type: 'string' }] }],
  ['abc', { anyOf: [{ type: 'number' }, { minLength: 3 }] }],
  // Words about other types.
  ...(
    [
      ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties'],
      ...['maxProperties', 'dependentRequired', 'dependentSchemas'],
      ...['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
    ] as const
  ).map((keyword): Row => ['a', { type: 'string', [keyword]: 1 }]),
  [[], { properties: {} }],
  [{}, { items: {} }],
];

const REFUSED: readonly Row[] = [
  ['a', false],
  ['a', { type: 'number' }],
  ['a', { type: ['number', 'null'] }],
  [1.5, { type: 'integer' }],
  [null, { type: 'object' }],
  [[], { type: 'object' }],
  ['a', { enum: ['b'] }],
  ['a', { enum: [] }],
  ['a', { const: 'b' }],
  ['a', { const: 'b', enum: ['a'] }],
  ['a', { const: 'a', enum: ['b'] }],
  [{ a: 1 }, { const: { a: 2 } }],
  [4, { minimum: 5 }],
  [5, { exclusiveMinimum: 5 }],
  [6, { maximum: 5 }],
  [5, { exclusiveMaximum: 5 }],
  [7, { multipleOf: 3 }],
  [6, { multipleOf: '3' }],
  ['ab', { minLength: 3 }],
  ['abcd', { maxLength: 3 }],
  ['ab', { allOf: [{ minLength: 1 }, { minLength: 3 }] }],
  ['ab', { anyOf: [{ minLength: 3 }, { type: 'number' }] }],
  ['ab', { anyOf: [] }],
  ['ab', { allOf: [{ minLength: 1 }], anyOf: [{ minLength: 3 }] }],
  ['ab', { allOf: [{ minLength: 3 }], anyOf: [{ minLength: 1 }] }],
  // Draft-04 had them as switches of `minimum` and `maximum`.
  [6, { minimum: 5, exclusiveMinimum: true }],
  [4, { maximum: 5, exclusiveMaximum: true }],
  // Words that nobody looks at here may say anything.
  ['a', { pattern: 'a' }],
  ['a', { type: 'string', pattern: 'a' }],
  ['a', { minLength: '1' }],
  ['a', { maxLength: '1' }],
  ['a', { format: 'x' }],
  ['a', { not: { type: 'number' } }],
  ['a', { oneOf: [true] }],
  ['a', { $ref: '#' }],
  ['a', { if: true }],
  [{}, { properties: {} }],
  [{}, { required: [] }],
  [[], { items: {} }],
  [[], { minItems: 0 }],
  [{}, { additionalProperties: {} }],
  [{}, { patternProperties: {} }],
  [{}, { propertyNames: {} }],
  [{}, { minProperties: 0 }],
  [{}, { maxProperties: 9 }],
  [{}, { dependentRequired: {} }],
  [{}, { dependentSchemas: {} }],
  [[], { prefixItems: [] }],
  [[], { contains: {} }],
  [[], { maxItems: 9 }],
  [[], { uniqueItems: true }],
];

describe('a single value', () => {
  it.each(ACCEPTED)('%j is accepted by %j', (value, schema) => {
    expect(acceptsValue(value, schema, newBudget())).toBe(true);
  });

  it.each(REFUSED)('%j is not taken for accepted by %j', (value, schema) => {
    expect(acceptsValue(value, schema, newBudget())).toBe(false);
  });
});

describe('words that decide nothing', () => {
  it.each<readonly [what: string, schema: Json]>([
    ['a smallest number below all numbers', { minimum: Number.MIN_SAFE_INTEGER }],
    ['a largest number above all numbers', { maximum: Number.MAX_SAFE_INTEGER }],
    ['no least length', { minLength: 0 }],
    ['no least number of items', { minItems: 0 }],
    ['no least number of properties', { minProperties: 0 }],
    ['doubles allowed', { uniqueItems: false }],
    ['no required names', { required: [] }],
    ['no properties', { properties: {} }],
    ['no patterns of names', { patternProperties: {} }],
    ['names that are texts', { propertyNames: { type: 'string' } }],
    ['any names', { propertyNames: {} }],
    ['no definitions', { $defs: {} }],
    ['a title', { title: 'x' }],
    ['a description', { description: 'x' }],
    ['examples', { examples: [1] }],
    ['a comment', { $comment: 'x' }],
    ['a note that it is old', { deprecated: true }],
    ['a standard value', { default: 1 }],
    ['a dialect', { $schema: 'x' }],
    ['a word that nobody knows', { 'x-note': 1 }],
  ])('%s', (_, schema) => {
    expect(isSubset(true, schema)).toBe(true);
    expect(isSubset({ items: true, minItems: 1 }, { items: schema })).toBe(true);
  });

  it.each<readonly [what: string, schema: Json]>([
    ['a smallest number', { minimum: Number.MIN_SAFE_INTEGER + 1 }],
    ['a largest number', { maximum: Number.MAX_SAFE_INTEGER - 1 }],
    ['a smallest number as a text', { minimum: '-9007199254740992' }],
    ['a least length', { minLength: 1 }],
    ['a largest length', { maxLength: 0 }],
    ['no doubles', { uniqueItems: true }],
    ['a required name', { required: ['a'] }],
    ['certain patterns of names', { patternProperties: { a: false } }],
    ['short names', { propertyNames: { type: 'string', maxLength: 3 } }],
    ...(
      [
        ...['enum', 'const', 'type', 'format', 'pattern', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
        ...['maxItems', 'maxProperties', 'not', 'if', 'then', 'else', 'dependencies', 'dependentRequired'],
        ...['dependentSchemas', 'items', 'prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains'],
        ...['unevaluatedItems', 'unevaluatedProperties', 'anyOf', 'oneOf', '$ref', '$dynamicRef', '$recursiveRef'],
        ...['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', 'minItems', 'minProperties', 'propertyNames'],
      ] as const
    ).map((keyword): [string, Json] => [`whatever ${keyword} says`, { [keyword]: 'something' }]),
  ])('and those that do: %s', (_, schema) => {
    expect(isSubset(true, schema)).toBe(false);
  });

  it('are looked for at every place that holds a schema', () => {
    const said = { type: 'object', properties: { a: { minLength: 0, title: 'x' } }, allOf: [{ $comment: 'x' }] };
    expect(isSubset({ type: 'object' }, said)).toBe(true);
  });

  it('are known by the standard, or not, or are looked at wherever they change', () => {
    for (const known of ['type', 'title', '$comment', 'default', '$schema', 'definitions'])
      expect([known, isUnknownKeyword(known)]).toEqual([known, false]);
    for (const other of ['x-note', 'enumNames', 'minimun', '', 'readOnly', 'writeOnly'])
      expect([other, isUnknownKeyword(other)]).toEqual([other, true]);
  });
});

describe('what is no schema', () => {
  it('accepts anything only where it says so', () => {
    expect([true, {}, { $defs: {} }].map(isAnything)).toEqual([true, true, true]);
    expect(
      [false, null, 'x', [], { type: 'string' }, { $defs: {}, not: {} }].map((value) => isAnything(value)),
    ).toEqual([...[false, false, false, false, false, false]]);
  });

  it('has no items and no names', () => {
    expect([undefined, null, 'ab', { 0: 1 }].map(listOf)).toEqual([[], [], [], []]);
    expect([undefined, null, 'ab', [1]].map(mapOf)).toEqual([{}, {}, {}, {}]);
    expect([listOf([1]), mapOf({ a: 1 })]).toEqual([[1], { a: 1 }]);
  });
});
