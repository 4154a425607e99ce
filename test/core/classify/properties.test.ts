import { describe, expect, it } from 'vitest';
import { schemaFacts } from '../../../electron/core/classify/schema-facts.ts';
import type { Json, JsonObject } from '../../../electron/core/model.ts';
import { object, said, saidOf, text, whole } from './said.ts';

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
      'security in.prop.added.dangerous /properties/force',
      'compatible in.prop.added.optional /properties/force',
    ]);
    expect(said(object({}), object({ force: true }), 'out')).toEqual([
      'compatible out.prop.added.optional /properties/force',
    ]);
    expect(said(object({ force: true }), object({}), 'in')).toEqual([
      'breaking in.prop.removed.optional /properties/force',
    ]);
  });

  it('is told first where it is gone, then in the order of names, one by one', () => {
    const facts = schemaFacts(object({ c: text, a: text }), object({ b: text, a: whole }), 'in');
    expect(facts.map(({ path }) => path.slice(-1))).toEqual(['c', 'a', 'b']);
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
