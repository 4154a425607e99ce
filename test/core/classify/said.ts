import { expect } from 'vitest';
import { schemaFacts } from '../../../electron/core/classify/schema-facts.ts';
import type { Json, JsonObject } from '../../../electron/core/model.ts';

export const text = { type: 'string' };
export const whole = { type: 'integer' };
export const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const ROOTS = { in: '/definition/inputSchema', out: '/definition/outputSchema' } as const;

/** Facts as lines: `severity class path: before -> after`, the path from the root of the schema on. */
export function said(before: Json | undefined, after: Json | undefined, direction: 'in' | 'out' = 'in'): string[] {
  return schemaFacts(before, after, direction).map((fact) => {
    expect(fact.path.startsWith(ROOTS[direction])).toBe(true);
    const sides = [fact.before, fact.after].map((value) => (value === undefined ? '' : JSON.stringify(value)));
    const values = sides.join('') === '' ? '' : `: ${sides.join(' -> ')}`;
    return `${fact.severity} ${fact.class} ${fact.path.slice(ROOTS[direction].length)}${values}`;
  });
}
/** The same for one input, or one field of an answer, called `a`. */
export function saidOf(before: Json, after: Json, direction: 'in' | 'out' = 'in'): string[] {
  return said(object({ a: before }), object({ a: after }), direction);
}
