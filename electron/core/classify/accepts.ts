import type { Json, JsonObject } from '../model.ts';
import { isObject } from '../canonical.ts';
import { areSame, isAnything, listOf, type Work } from './assertions.ts';
import { boundKnown, isAmong, typeOf, typesOf } from './known.ts';

/** Words that an exact look at a plain value can decide. */
const PLAIN = new Set([
  ...['type', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'allOf', 'anyOf', '$defs'],
]);
/** Words about other types say nothing of a plain value. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  patternProperties: 'object',
  propertyNames: 'object',
  minProperties: 'object',
  maxProperties: 'object',
  dependentRequired: 'object',
  dependentSchemas: 'object',
  items: 'array',
  prefixItems: 'array',
  contains: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
};

/** True only where it is certain that the schema accepts this value. */
export function acceptsValue(value: Json, schema: Json, work: Work): boolean {
  if (--work.valuesLeft < 0) return false;
  if (isAnything(schema)) return true;
  if (!isObject(schema)) return false;
  const type = typeOf(value);
  const isDecidable = Object.keys(schema).every(
    (keyword) => PLAIN.has(keyword) || (OF_OTHERS[keyword] !== undefined && OF_OTHERS[keyword] !== type),
  );
  if (!isDecidable || !typesOf({ ...schema, enum: [value] }).has(type)) return false;
  if (schema['const'] !== undefined && !areSame(schema['const'], value)) return false;
  if (schema['enum'] !== undefined && !isAmong(value, listOf(schema['enum']))) return false;
  return isWithin(value, schema) && isInUnions(value, schema, work);
}

function isWithin(value: Json, schema: JsonObject): boolean {
  if (typeof value === 'number') {
    const [lower, upper] = [boundKnown([schema], 'lower'), boundKnown([schema], 'upper')];
    const isAbove = lower === null || (lower.isExcluded ? value > lower.at : value >= lower.at);
    const isBelow = upper === null || (upper.isExcluded ? value < upper.at : value <= upper.at);
    const step = schema['multipleOf'];
    const isOnStep = step === undefined || (typeof step === 'number' && Number.isInteger(value / step));
    const hasOldForm = [schema['exclusiveMinimum'], schema['exclusiveMaximum']].some(
      (bound) => typeof bound === 'boolean',
    );
    return isAbove && isBelow && isOnStep && !hasOldForm;
  }
  if (typeof value !== 'string') return true;
  const length = Array.from(value).length; // in code points, as JSON Schema counts
  const { minLength, maxLength } = schema;
  const isLong = minLength === undefined || (typeof minLength === 'number' && length >= minLength);
  const isShort = maxLength === undefined || (typeof maxLength === 'number' && length <= maxLength);
  return isLong && isShort;
}

function isInUnions(value: Json, schema: JsonObject, work: Work): boolean {
  const accepts = (part: Json): boolean => acceptsValue(value, part, work);
  if (!listOf(schema['allOf']).every(accepts)) return false;
  return schema['anyOf'] === undefined || listOf(schema['anyOf']).some(accepts);
}
