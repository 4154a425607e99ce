import { describe, expect, it } from 'vitest';
import { isSubset, newBudget } from '../../../electron/core/classify/schema-subset.ts';
import type { Json, JsonObject } from '../../../electron/core/model.ts';
import { below, not, number, object, text, whole, type Row } from './proofs.ts';

const PROVEN: readonly Row[] = [
  ['values of a type, beside a condition', { enum: ['a', 'b'], ...not }, { type: 'string', ...not }],
  [
    'of two limits at one number the one that excludes it, said first',
    { allOf: [{ exclusiveMinimum: 5 }, { minimum: 5, type: 'number' }] },
    { exclusiveMinimum: 5, type: 'number' },
  ],
  [
    'of two limits at one number the one that excludes it, said last',
    { allOf: [{ minimum: 5, type: 'number' }, { exclusiveMinimum: 5 }] },
    { exclusiveMinimum: 5, type: 'number' },
  ],
  [
    'the largest of three minimal lengths',
    { allOf: [{ minLength: 1 }, { minLength: 3 }, { minLength: 1 }] },
    { minLength: 2 },
  ],
  [
    'the smallest of three maximal lengths',
    { allOf: [{ maxLength: 3 }, { maxLength: 1 }, { maxLength: 3 }] },
    { maxLength: 2 },
  ],
  [
    'a name that a map requires',
    { type: 'object', additionalProperties: whole, required: ['a'] },
    object({ a: number }),
  ],
  [
    'lists of one item in one part',
    { allOf: [{ maxItems: 1 }, { type: 'array', maxItems: 5 }] },
    { uniqueItems: true },
  ],
  ['no items in one part', { allOf: [{ maxItems: 0 }, { type: 'array', maxItems: 5 }] }, { items: text }],
  ['items of one part', { allOf: [{ items: whole }, { type: 'array', minItems: 1 }] }, { items: number }],
  ['items of the other part', { allOf: [{ type: 'array', minItems: 1 }, { items: whole }] }, { items: number }],
  [
    'the same limit of certain items',
    { contains: text, maxContains: 2, minItems: 1 },
    { contains: text, maxContains: 2 },
  ],
  [
    'texts that are long enough among numbers, beside a condition',
    { enum: ['abc', 5], ...not },
    { minLength: 3, ...not },
  ],
  ['any other names', below({ type: 'object' }), below({ type: 'object', additionalProperties: true, maxItems: 1 })],
  ['any value for a pattern of names', { type: 'object' }, { patternProperties: { '^x': true } }],
  [
    'the same patterns and the same others in one part',
    { allOf: [{ patternProperties: { '^x': text }, additionalProperties: false }, { minProperties: 2 }] },
    { patternProperties: { '^x': text }, additionalProperties: false, minProperties: 1 },
  ],
  ['everything', text, true],
  ['everything, as an empty schema', text, {}],
  ['everything, with definitions beside it', text, { $defs: { 1: text } }],
  ['whatever there is of nothing', false, text],
  ['whatever there is of a type without values', { type: 'string', enum: [1] }, number],
  ['the same', text, text],
  ['a type among others', text, { type: ['string', 'null'] }],
  ['whole numbers among numbers', whole, number],
  ['whole numbers among whole numbers and texts', whole, { type: ['integer', 'string'] }],
  ['values of a type', { enum: ['a', 'b'] }, text],
  ['a value of a type', { const: 1.5 }, number],
  ['values among others', { enum: ['a', 'b'] }, { enum: ['c', 'b', 'a'] }],
  ['a value among others', { const: 'a' }, { enum: ['b', 'a'] }],
  ['one value that is the only one', { enum: ['a'] }, { const: 'a' }],
  ['values that two lists share', { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, { const: 'b' }],
  ['objects whatever the order of their keys', { enum: [{ a: 1, b: 2 }] }, { enum: [{ b: 2, a: 1 }] }],
  ['values among others, beside a condition', { enum: ['a'], ...not }, { enum: ['a', 'b'], ...not }],
  ['a value that is the only one, beside a condition', { enum: ['a'], ...not }, { const: 'a', ...not }],

  ['a larger minimum', { minimum: 5 }, { minimum: 3 }],
  ['the same minimum, said of fewer', { minimum: 5, ...whole }, { minimum: 5 }],
  ['more than a minimum', { exclusiveMinimum: 5 }, { minimum: 5 }],
  ['more than the same', { exclusiveMinimum: 5, ...whole }, { exclusiveMinimum: 5 }],
  ['a minimum beyond one that is excluded', { minimum: 6 }, { exclusiveMinimum: 5 }],
  ['a smaller maximum', { maximum: 3 }, { maximum: 5 }],
  ['less than a maximum', { exclusiveMaximum: 5 }, { maximum: 5 }],
  ['less than the same', { exclusiveMaximum: 5, ...whole }, { exclusiveMaximum: 5 }],
  ['the tighter of two limits', { allOf: [{ minimum: 1 }, { minimum: 5 }] }, { minimum: 4 }],
  ['the tighter of two limits, the other way', { allOf: [{ minimum: 5 }, { minimum: 1 }] }, { minimum: 4 }],
  ['the tighter of two upper limits', { allOf: [{ maximum: 9 }, { maximum: 5 }] }, { maximum: 6 }],
  [
    'of two limits at one number the one that excludes it',
    { minimum: 5, exclusiveMinimum: 5 },
    { exclusiveMinimum: 5 },
  ],
  [
    'of two limits at one number the one that excludes it, in any order',
    { allOf: [{ minimum: 5 }, { exclusiveMinimum: 5 }] },
    { exclusiveMinimum: 5 },
  ],
  ['a limit of numbers where there are only texts', text, { type: 'string', minimum: 5 }],
  ['numbers beyond a limit, beside a condition', { enum: [5, 'a'], ...not }, { minimum: 5, ...not }],
  ['numbers below a limit, beside a condition', { enum: [4], ...not }, { exclusiveMaximum: 5, ...not }],
  ['numbers above one that is excluded, beside a condition', { enum: [6], ...not }, { exclusiveMinimum: 5, ...not }],
  ['steps of a step', { multipleOf: 4 }, { multipleOf: 2 }],
  ['whole numbers as steps of one', whole, { multipleOf: 1 }],

  ['a larger minimal length', { minLength: 3 }, { minLength: 2 }],
  ['the same minimal length, said of fewer', { minLength: 3, ...text }, { minLength: 3 }],
  ['a smaller maximal length', { maxLength: 2 }, { maxLength: 3 }],
  ['the same maximal length, said of fewer', { maxLength: 3, ...text }, { maxLength: 3 }],
  ['the largest of the minimal lengths', { allOf: [{ minLength: 1 }, { minLength: 3 }] }, { minLength: 3 }],
  ['the smallest of the maximal lengths', { allOf: [{ maxLength: 3 }, { maxLength: 1 }] }, { maxLength: 1 }],
  ['texts that are long enough, beside a condition', { enum: ['abc'], ...not }, { minLength: 3, ...not }],
  ['texts that are short enough, beside a condition', { enum: ['abc'], ...not }, { maxLength: 3, ...not }],
  ['characters, not code units, beside a condition', { enum: ['😀'], ...not }, { maxLength: 1, ...not }],
  ['the same pattern, beside other words', { pattern: '^a', minLength: 2 }, { pattern: '^a' }],
  ['the same format, beside other words', { format: 'uri', minLength: 2 }, { format: 'uri' }],

  ['more items than are asked for', { minItems: 2 }, { minItems: 1 }],
  ['fewer items than are allowed', { maxItems: 1 }, { maxItems: 2 }],
  ['lists of one item as lists without doubles', { type: 'array', maxItems: 1 }, { uniqueItems: true }],
  ['lists without doubles, said of fewer', { maxItems: 5, uniqueItems: true }, { uniqueItems: true }],
  ['items of a narrower type', { items: whole }, { items: number }],
  ['no items at all', { type: 'array', maxItems: 0 }, { items: text }],
  ['the same list of items, beside other words', { items: [text], minItems: 1 }, { items: [text] }],
  ['items where there are only texts', text, { type: 'string', items: whole }],

  ['more required names', { required: ['a', 'b'] }, { required: ['b'] }],
  ['as many properties as are required', { type: 'object', required: ['a', 'b'] }, { minProperties: 2 }],
  ['more properties than are asked for', { minProperties: 3 }, { minProperties: 2 }],
  ['fewer properties than are allowed', { maxProperties: 2 }, { maxProperties: 3 }],
  ['a property of a narrower type', object({ a: whole }), object({ a: number })],
  ['a property that nobody used', object({ a: whole }), object({ a: whole, b: text })],
  ['a required property without words of its own', object({}, { required: ['a'] }), object({ a: {} })],
  ['a property as any name of a map', object({}, { additionalProperties: whole }), object({ a: number })],
  [
    'a property that the narrower one never has',
    below(object({ b: text }, { additionalProperties: false })),
    below(object({ a: number, b: text })),
  ],
  ['closing to names that nobody declared', object({ a: text }), object({ a: text }, { additionalProperties: false })],
  ['the same below', below(object({ a: text })), below(object({ a: text }, { additionalProperties: false }))],
  ['closing all at the root', { type: 'object' }, { type: 'object', additionalProperties: false }],
  ['names of a type that all declared ones have', object({ a: text }), { type: 'object', additionalProperties: text }],
  ['a map of a narrower type', { additionalProperties: whole }, { additionalProperties: number }],
  [
    'a closed object as a map',
    below(object({}, { additionalProperties: false })),
    below({ type: 'object', additionalProperties: text }),
  ],
  ['the same pattern of names', { patternProperties: { '^x': whole } }, { patternProperties: { '^x': number } }],
  [
    'the same pattern of names, with a declared one that would suit it',
    object({ xa: whole }, { patternProperties: { '^x': whole } }),
    { patternProperties: { '^x': number } },
  ],
  [
    'the same patterns and the same others',
    { patternProperties: { '^x': text }, additionalProperties: false, minProperties: 1 },
    { patternProperties: { '^x': text }, additionalProperties: false },
  ],
  [
    'the same condition on names',
    { propertyNames: { maxLength: 3 }, minProperties: 1 },
    { propertyNames: { maxLength: 3 } },
  ],
  ['the same denial', { ...not, ...text }, not],
  ['the same needs', { dependentRequired: { a: ['b'] }, minProperties: 1 }, { dependentRequired: { a: ['b'] } }],
  ['the same dependencies', { dependencies: { a: ['b'] }, minProperties: 1 }, { dependencies: { a: ['b'] } }],
  [
    'the same dependent schemas',
    { dependentSchemas: { a: text }, minProperties: 1 },
    { dependentSchemas: { a: text } },
  ],
  [
    'the same condition as a whole',
    { if: text, then: { minLength: 1 }, else: { minimum: 1 }, description: 'x', type: ['string', 'number'] },
    { if: text, then: { minLength: 1 }, else: { minimum: 1 } },
  ],
  [
    'the same count of certain items',
    { contains: text, minContains: 2, maxItems: 9 },
    { contains: text, minContains: 2 },
  ],
  ['certain items where there are only texts', text, { type: 'string', contains: whole }],

  ['one of several', text, { anyOf: [whole, text] }],
  ['each of several', { anyOf: [whole, text] }, { type: ['number', 'string'] }],
  ['each of several, of which one', { oneOf: [whole, text] }, { anyOf: [text, number] }],
  ['types case by case', { type: ['integer', 'string'] }, { anyOf: [whole, text] }],
  ['two parts together', { allOf: [text, { minLength: 3 }] }, { type: 'string', minLength: 2 }],
  ['each of two parts', { type: 'string', minLength: 3 }, { allOf: [text, { minLength: 2 }] }],
  ['parts of parts', { allOf: [{ allOf: [text] }, true] }, { allOf: [{ allOf: [text] }] }],
  ['a part that nothing suits', { allOf: [text, false] }, number],
  ['the same choice, beside other words', { anyOf: [text, number], minLength: 1 }, { anyOf: [text, number] }],
  [
    'the same exclusive choice, beside other words',
    { oneOf: [text, { minLength: 1 }], enum: ['a', 'b'] },
    { oneOf: [text, { minLength: 1 }] },
  ],
  ['exactly one by type', text, { oneOf: [number, text, { type: 'null' }] }],
  ['exactly one by value', { const: 'a' }, { oneOf: [{ const: 'a' }, { const: 'b' }] }],
  ['exactly one where the other is nothing', text, { oneOf: [text, false] }],
  [
    'exactly one by a property that both need',
    object({ k: { const: 'a' } }, { required: ['k'] }),
    {
      oneOf: [object({ k: { const: 'b' } }, { required: ['k'] }), object({ k: { enum: ['a'] } }, { required: ['k'] })],
    },
  ],

  ['what a reference leads to', text, { $ref: '#/$defs/1', $defs: { 1: text } }],
  ['from what a reference leads to', { $ref: '#/$defs/1', $defs: { 1: text } }, text],
  [
    'words beside a reference',
    { type: 'string', minLength: 2 },
    { $ref: '#/$defs/1', minLength: 1, $defs: { 1: text } },
  ],
  [
    'the same for every step of a chain',
    { $ref: '#/$defs/1', $defs: { 1: object({ next: { $ref: '#/$defs/1' }, n: whole }) } },
    { $ref: '#/$defs/1', $defs: { 1: object({ next: { $ref: '#/$defs/1' }, n: number }) } },
  ],
  [
    'the same words with the same references',
    { items: { anyOf: [{ $ref: '#/$defs/1' }, text] }, minItems: 1, $defs: { 1: { not: text } } },
    { items: { anyOf: [{ $ref: '#/$defs/1' }, text] }, $defs: { 1: { not: text } } },
  ],
  ['a reference to itself', { items: { $ref: '#' } }, { items: { $ref: '#' } }],
];

describe('every value that the narrower schema accepts is accepted by the wider one', () => {
  it.each(PROVEN)('which is proven for %s', (_, narrow, wide) => {
    expect(isSubset(narrow, wide)).toBe(true);
  });
});

describe('a proof that would go on for long', () => {
  const choice = (length: number): JsonObject => ({ anyOf: Array.from({ length }, (_, n) => ({ const: n })) });
  const nested = (levels: number, inner: Json): Json =>
    Array.from({ length: levels }).reduce<Json>((schema) => ({ items: schema }), inner);

  it('is given up beyond 200 cases', () => {
    expect(isSubset(choice(200), whole)).toBe(true);
    expect(isSubset(choice(201), whole)).toBe(false);
  });

  it('is given up a hundred levels down', () => {
    expect(isSubset(nested(90, whole), nested(90, number))).toBe(true);
    expect(isSubset(nested(101, whole), nested(101, number))).toBe(false);
  });

  it('is given up when its steps are used up, which several proofs may share', () => {
    const budget = newBudget();
    const before = budget.stepsLeft;
    expect(isSubset(whole, number, budget)).toBe(true);
    expect(budget.stepsLeft).toBeLessThan(before);
    expect(isSubset(whole, number, { ...newBudget(), stepsLeft: 0 })).toBe(false);
    expect(isSubset(text, { oneOf: [text, number] }, { ...newBudget(), stepsLeft: 2 })).toBe(false);
  });
});
