import { describe, expect, it } from 'vitest';
import { schemaFacts } from '../../../electron/core/classify/schema-facts.ts';
import type { Json, JsonObject } from '../../../electron/core/model.ts';
import { object } from './said.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const mapOf = (count: number, of: (i: number) => Json, name = 'p'): JsonObject =>
  Object.fromEntries(range(count).map((i) => [`${name}${i}`, of(i)]));
const to = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const nested = (levels: number, leaf: JsonObject, around: (inner: JsonObject) => JsonObject): JsonObject =>
  range(levels).reduce((inner) => around(inner), leaf);
const optional = (inner: JsonObject): JsonObject => ({ anyOf: [inner, { type: 'null' }] });
const either = (inner: JsonObject): JsonObject => ({ anyOf: [object({ a: inner }), { type: 'array', items: inner }] });

/** Each differs only by the type far down: nothing says that it is taken as before. */
const PAIRS: readonly (readonly [what: string, of: (type: string) => JsonObject])[] = [
  ['unions 48 deep', (type) => nested(48, { type }, optional)],
  ['unions 48 deep around 20,000 values', (type) => nested(48, { enum: [...range(20_000), type] }, optional)],
  ['unions that each stand for two of the next', (type) => nested(12, { type }, either)],
  [
    'a chain of 1,500 definitions',
    (type) => ({
      ...object({ a: to('p0') }),
      $defs: mapOf(1_500, (i) => object(i === 1_499 ? { n: { type } } : { a: to(`p${i + 1}`) })),
    }),
  ],
  [
    'definitions that lead to the next twice, 180 times',
    (type) => ({
      ...object({ a: to('p0') }),
      $defs: mapOf(180, (i) =>
        i === 179 ? { type } : { anyOf: [to(`p${i + 1}`), { title: 'x', ...to(`p${i + 1}`) }] },
      ),
    }),
  ],
];

describe('a pair of schemas that is made to cost much', () => {
  it.each(PAIRS)('is told to be breaking, and not given up with an error: %s', (_, of) => {
    const [before, after] = [of('boolean'), of('integer')];
    expect(schemaFacts(before, after, 'in').map(({ severity }) => severity)).toContain('breaking');
  });

  it('is compared by meaning as long as it is no larger than what people write', () => {
    const [few, more] = [nested(20, { enum: range(200) }, optional), nested(20, { enum: range(201) }, optional)];
    expect(schemaFacts(object({ q: few }), object({ q: more }), 'in').map(({ severity }) => severity)).toEqual([
      'compatible',
    ]);
  });
});
