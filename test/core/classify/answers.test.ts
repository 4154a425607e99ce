import { describe, expect, it } from 'vitest';
import { isHarmless } from '../../../electron/core/classify/direction.ts';
import { newBudget } from '../../../electron/core/classify/schema-subset.ts';
import type { Json, JsonObject } from '../../../electron/core/model.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };
const shut = (properties: JsonObject): JsonObject => ({ type: 'object', properties, additionalProperties: false });
/** As a field of an answer. */
const isFine = (before: Json, after: Json): boolean =>
  isHarmless(
    { type: 'object', properties: { a: before } },
    { type: 'object', properties: { a: after } },
    'out',
    newBudget(),
  );

describe('who reads an answer', () => {
  const places: readonly (readonly [string, (inner: Json) => Json])[] = [
    ['in a field', (inner) => inner],
    ['in a field of a field', (inner) => ({ type: 'object', properties: { b: inner } })],
    ['in a list', (inner) => ({ type: 'array', items: inner })],
    ['in one of several', (inner) => ({ anyOf: [inner, { type: 'null' }] })],
    ['in exactly one of several', (inner) => ({ oneOf: [inner, text] })],
    ['in a part', (inner) => ({ allOf: [inner], type: 'object' })],
    ['by a pattern of names', (inner) => ({ type: 'object', patternProperties: { '^x': inner } })],
  ];
  it.each(places)('is not harmed by a field more, but by another type: %s', (_, place) => {
    expect(isFine(place(shut({ b: text })), place(shut({ b: text, c: text })))).toBe(true);
    expect(isFine(place(shut({ b: text })), place(shut({ b: whole })))).toBe(false);
  });

  it('is not harmed by a field more behind a reference', () => {
    const behind = (inner: Json): Json => ({ $ref: '#/$defs/1', $defs: { 1: inner } });
    const fine = (before: Json, after: Json): boolean => isHarmless(behind(before), behind(after), 'out', newBudget());
    expect(fine(shut({ b: text }), shut({ b: text, c: text }))).toBe(true);
    expect(fine(shut({ b: text }), shut({ b: whole }))).toBe(false);
  });

  it.each<readonly [string, Json, Json]>([
    [
      'other names of another type',
      { ...shut({ b: text }), additionalProperties: text },
      { ...shut({ b: text }), additionalProperties: whole },
    ],
    ['items where there were none', { properties: { b: text }, items: false }, { properties: { b: text } }],
    ['names where there were none', { type: 'object', additionalProperties: false }, { type: 'object' }],
    ['another value that looks like a schema', { const: shut({}) }, { const: { type: 'object', properties: {} } }],
    ['another list of items', { items: [text] }, { items: [whole] }],
    ['no schema at all', false, true],
  ])('is harmed by %s', (_, before, after) => {
    expect(isFine(before, after)).toBe(false);
  });

  it('is another than who sends', () => {
    expect(isHarmless(text, true, 'in', newBudget())).toBe(true);
    expect(isHarmless(text, true, 'out', newBudget())).toBe(false);
    expect(isHarmless(true, text, 'in', newBudget())).toBe(false);
    expect(isHarmless(true, text, 'out', newBudget())).toBe(true);
  });
});
