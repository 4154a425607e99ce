import { describe, expect, it } from 'vitest';
import { schemaFacts } from '../../../electron/core/classify/schema-facts.ts';
import { SEVERITIES, type JsonObject, type Severity } from '../../../electron/core/model.ts';

const text = { type: 'string' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const under = (x: JsonObject): JsonObject => object({ x });
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
/** A definition that refers to itself, so that it stays one. */
const nodes = (properties: JsonObject): JsonObject => ({
  ...under({ $ref: '#/$defs/N' }),
  $defs: { N: object({ ...properties, next: { $ref: '#/$defs/N' } }) },
});
const many = (last: JsonObject): JsonObject => {
  const names = Array.from({ length: 250 }, (_, at) => `d${at}`);
  return {
    ...object(Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]))),
    $defs: Object.fromEntries(names.map((name, at) => [name, at === 7 ? last : object({ [name]: text })])),
  };
};
const kind = (value: string, more: JsonObject = {}): JsonObject =>
  object({ t: { const: value }, ...more }, { required: ['t'] });
const flag = { type: 'boolean' };

const worst = (before: JsonObject, after: JsonObject, direction: 'in' | 'out' = 'in'): Severity =>
  schemaFacts(before, after, direction)
    .map(({ severity }) => severity)
    .reduce((a, b) => (SEVERITIES.indexOf(b) > SEVERITIES.indexOf(a) ? b : a), 'none');

type Case = readonly [where: string, before: JsonObject, after: JsonObject, severity: Severity];

describe('a name that nothing declares any more breaks calls', () => {
  const two = object({ a: text, b: text });
  const one = object({ a: text });
  it.each<Case>([
    ['in a definition that refers to itself', nodes({ v: text, w: text }), nodes({ v: text }), 'breaking'],
    ['among many definitions', many(two), many(one), 'breaking'],
    ['in a part of all', { type: 'object', allOf: [two] }, { type: 'object', allOf: [one] }, 'breaking'],
    ['in a part of a union', under({ anyOf: [two, text] }), under({ anyOf: [one, text] }), 'breaking'],
    ['deep in a part', under({ anyOf: [under(two), text] }), under({ anyOf: [under(one), text] }), 'breaking'],
    ['in the lists of a part', under({ anyOf: [list(two), text] }), under({ anyOf: [list(one), text] }), 'breaking'],
    [
      'in the values of a map',
      under({ type: 'object', additionalProperties: two }),
      under({ type: 'object', additionalProperties: one }),
      'breaking',
    ],
    [
      'where another part has it now',
      under({ oneOf: [kind('a', { u: text }), kind('b')] }),
      under({ oneOf: [kind('a'), kind('b', { u: text })] }),
      'breaking',
    ],
    ['but not where it moved into a part', two, { type: 'object', allOf: [one, object({ b: text })] }, 'compatible'],
    ['nor where its object may be null now', under(two), under({ anyOf: [two, { type: 'null' }] }), 'compatible'],
  ])('%s', (_, before, after, severity) => {
    expect(worst(before, after)).toBe(severity);
  });

  it('and so does a field of answers', () => {
    expect(worst(nodes({ v: text, w: text }), nodes({ v: text }), 'out')).toBe('breaking');
  });
});

describe('a new name that sounds dangerous is told', () => {
  const [old, now] = [object({ a: text }), object({ a: text, force: flag })];
  it.each<Case>([
    ['in a definition that refers to itself', nodes({ v: text }), nodes({ v: text, force: flag }), 'security'],
    ['in a part of a union', under({ anyOf: [old, text] }), under({ anyOf: [now, text] }), 'security'],
    ['in a new part', under({ anyOf: [old, text] }), under({ anyOf: [old, text, object({ sudo: flag })] }), 'security'],
    ['within a new input', old, object({ a: text, options: now }), 'security'],
    ['but only what is grave there', old, object({ a: text, options: object({ script: text }) }), 'compatible'],
  ])('%s', (_, before, after, severity) => {
    expect(worst(before, after)).toBe(severity);
  });
});

describe('words and defaults count wherever they stand', () => {
  const value = (x: string): JsonObject => ({ type: 'string', default: x });
  const words = (x: string): JsonObject => ({ type: 'string', description: x });
  const places: readonly (readonly [string, (inner: JsonObject) => JsonObject])[] = [
    ['places of a list', (inner) => under({ type: 'array', prefixItems: [inner] })],
    ['patterns', (inner) => under({ type: 'object', patternProperties: { '^x': inner } })],
    ['a condition', (inner) => object({ a: text }, { if: {}, then: { properties: { b: inner } } })],
    ['a part of a union', (inner) => under({ anyOf: [object({ m: inner }), text] })],
    ['a definition that refers to itself', (inner) => nodes({ v: inner })],
  ];
  it.each(places)('in %s', (_, at) => {
    expect(worst(at(value('a')), at(value('b')))).toBe('breaking');
    expect(worst(at(text), at(value('b')))).toBe('review');
    expect(worst(at(words('a')), at(words('b')))).toBe('review');
    expect(worst(at(value('a')), at(value('a')))).toBe('none');
  });

  it('by name, where two names swap theirs', () => {
    const swapped = (f: string, g: string): JsonObject =>
      under({ anyOf: [object({ f: value(f), g: value(g) }), text] });
    expect(worst(swapped('1', '2'), swapped('2', '1'))).toBe('breaking');
  });
});

describe('what is valid stays so, or not', () => {
  const dialect = (name: string): JsonObject =>
    object({ a: text, b: text }, { $schema: name, dependentRequired: { a: ['b'] } });
  it.each<Case>([
    ['choices that are explained one by one', under({ enum: ['a', 'b'] }), under({ oneOf: [{ const: 'a' }, { const: 'b' }] }), 'compatible'], // prettier-ignore
    ['yes and no as choices', under(flag), under({ enum: [true, false] }), 'compatible'],
    ['a map that gets named inputs', under({ type: 'object' }), under(object({ a: text })), 'breaking'],
    ['a tool that gets its first input', { type: 'object' }, object({ a: text }), 'compatible'],
    ['any inputs that are texts now', { type: 'object' }, { type: 'object', additionalProperties: text }, 'breaking'],
    ['something only to be read', under(text), under({ ...text, readOnly: true }), 'review'],
    ['another dialect', dialect('https://json-schema.org/draft/2020-12/schema'), dialect('http://json-schema.org/draft-07/schema#'), 'breaking'], // prettier-ignore
  ])('%s', (_, before, after, severity) => {
    expect(worst(before, after)).toBe(severity);
  });
});
