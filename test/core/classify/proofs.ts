import type { Json, JsonObject } from '../../../electron/core/model.ts';

export type Row = readonly [what: string, narrow: Json, wide: Json];

export const text = { type: 'string' };
export const whole = { type: 'integer' };
export const number = { type: 'number' };
export const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
/** A condition that no look at single values decides, the same on both sides. */
export const not = { not: { const: 'x' } };
/** `schema` as the value of a property: rules for names differ at the root. */
export const below = (schema: Json): Json => object({ a: schema });
