import { isObject } from '../canonical.ts';
import type { Json, JsonObject } from '../model.ts';
import { isAnything, listOf, mapOf } from './assertions.ts';
import {
  boundKnown,
  countKnown,
  declaredNames,
  isAmong,
  knownOfProperty,
  mapValues,
  requiredNames,
  typesKnown,
  typesOf,
  valuesKnown,
  type Bound,
  type Known,
  type Type,
} from './known.ts';
import type { Proof } from './schema-subset.ts';

/** One word of the wider schema, and all that is known of the value. */
export interface Question {
  readonly facts: Known;
  readonly keyword: string;
  readonly value: Json;
  readonly wide: JsonObject;
  readonly proof: Proof;
  readonly isRoot: boolean;
}
interface Rule {
  /** The only types that the word says anything about. */
  readonly of?: readonly Type[];
  readonly isImplied: (question: Question) => boolean;
}

const NUMBERS: readonly Type[] = ['integer', 'fraction'];

const atLeast = (of: Type): Rule => ({ of: [of], isImplied: (question) => isCountImplied(question, true) });
const atMost = (of: Type): Rule => ({ of: [of], isImplied: (question) => isCountImplied(question, false) });

const RULES: Readonly<Record<string, Rule>> = {
  type: { isImplied: ({ facts, wide }) => isEvery(typesKnown(facts), typesOf({ type: wide['type'] ?? [] })) },
  enum: { isImplied: ({ facts, value }) => areValuesAmong(facts, listOf(value)) },
  const: { isImplied: ({ facts, value }) => areValuesAmong(facts, [value]) },
  minimum: { of: NUMBERS, isImplied: isBoundImplied },
  maximum: { of: NUMBERS, isImplied: isBoundImplied },
  exclusiveMinimum: { of: NUMBERS, isImplied: isBoundImplied },
  exclusiveMaximum: { of: NUMBERS, isImplied: isBoundImplied },
  multipleOf: { of: NUMBERS, isImplied: isStepImplied },
  minLength: atLeast('string'),
  maxLength: atMost('string'),
  minItems: atLeast('array'),
  maxItems: atMost('array'),
  minProperties: atLeast('object'),
  maxProperties: atMost('object'),
  pattern: { of: ['string'], isImplied: isSaidAlready },
  format: { of: ['string'], isImplied: isSaidAlready },
  uniqueItems: {
    of: ['array'],
    isImplied: (q) => (countKnown(q.facts, 'maxItems', false) ?? 2) <= 1 || isSaidAlready(q),
  },
  items: { of: ['array'], isImplied: areItemsImplied },
  required: { of: ['object'], isImplied: ({ facts, value }) => isEvery(new Set(listOf(value)), requiredNames(facts)) },
  properties: { of: ['object'], isImplied: arePropertiesImplied },
  additionalProperties: { of: ['object'], isImplied: areOthersImplied },
  patternProperties: { of: ['object'], isImplied: arePatternsImplied },
  propertyNames: { of: ['object'], isImplied: isSaidAlready },
  not: { isImplied: isSaidAlready },
  dependentRequired: { of: ['object'], isImplied: isSaidAlready },
  dependentSchemas: { of: ['object'], isImplied: isSaidAlready },
  dependencies: { of: ['object'], isImplied: isSaidAlready },
  ...together(['if', 'then', 'else']),
  ...together(['contains', 'minContains', 'maxContains'], ['array']),
};

/** Words that mean something only beside each other: all of them have to be the same. */
function together(keywords: readonly string[], of?: readonly Type[]): Record<string, Rule> {
  const isImplied = ({ facts, wide, proof }: Question): boolean =>
    facts.some((fact) => keywords.every((keyword) => proof.areEqual(fact[keyword], wide[keyword])));
  return Object.fromEntries(keywords.map((keyword) => [keyword, { ...(of && { of }), isImplied }]));
}

/** True only where all that is known makes this word of `wide` hold; words without a rule are never proven. */
export function isKeywordImplied(question: Question): boolean {
  const rule = Object.hasOwn(RULES, question.keyword) ? RULES[question.keyword] : undefined;
  if (rule === undefined) return false;
  const open = typesKnown(question.facts);
  if (rule.of !== undefined && !rule.of.some((type) => open.has(type))) return true;
  return rule.isImplied(question);
}

function isEvery<T>(all: ReadonlySet<T>, among: ReadonlySet<T>): boolean {
  return [...all].every((each) => among.has(each));
}

function isSaidAlready({ facts, keyword, value, proof }: Question): boolean {
  return facts.some((fact) => proof.areEqual(fact[keyword], value));
}

function areValuesAmong(facts: Known, allowed: readonly Json[]): boolean {
  const values = valuesKnown(facts);
  return values !== null && values.every((value) => isAmong(value, allowed));
}

function isBoundImplied({ facts, keyword, value }: Question): boolean {
  if (typeof value !== 'number') return false;
  const isLower = keyword.endsWith('inimum');
  const asked: Bound = { at: value, isExcluded: keyword.startsWith('exclusive') };
  const values = valuesKnown(facts);
  if (values !== null && values.every((each) => typeof each !== 'number' || isInside(each, asked, isLower)))
    return true;
  const bound = boundKnown(facts, isLower ? 'lower' : 'upper');
  if (bound === null) return false;
  if (bound.at === asked.at) return bound.isExcluded || !asked.isExcluded;
  return isLower ? bound.at > asked.at : bound.at < asked.at;
}

function isInside(value: number, { at, isExcluded }: Bound, isLower: boolean): boolean {
  if (value === at) return !isExcluded;
  return isLower ? value > at : value < at;
}

function isStepImplied({ facts, value }: Question): boolean {
  if (typeof value !== 'number') return false;
  if (value === 1 && !typesKnown(facts).has('fraction')) return true;
  const steps = facts.map((fact) => fact['multipleOf']).filter((step) => typeof step === 'number');
  return steps.some((step) => Number.isInteger(step) && Number.isInteger(value) && step % value === 0);
}

function isCountImplied({ facts, keyword, value }: Question, isLower: boolean): boolean {
  if (typeof value !== 'number') return false;
  const values = valuesKnown(facts);
  if (keyword.endsWith('Length') && values !== null) {
    const lengths = values.filter((each) => typeof each === 'string').map((text) => Array.from(text).length);
    if (lengths.every((length) => (isLower ? length >= value : length <= value))) return true;
  }
  if (keyword === 'minProperties' && requiredNames(facts).size >= value) return true;
  const count = countKnown(facts, keyword, isLower);
  return count !== null && (isLower ? count >= value : count <= value);
}

/** A list of schemas, one per place, is only ever the same or unproven. */
function areItemsImplied(question: Question): boolean {
  const { facts, value, proof } = question;
  if (Array.isArray(value)) return isSaidAlready(question);
  if (countKnown(facts, 'maxItems', false) === 0) return true;
  const known = facts.flatMap((fact): Json[] => {
    const { items, prefixItems } = fact;
    return items === undefined || Array.isArray(items) || prefixItems !== undefined ? [] : [items];
  });
  return proof.implies(known, value);
}

function arePropertiesImplied({ facts, value, proof, isRoot }: Question): boolean {
  const declared = declaredNames(facts);
  // Where nothing is declared, names are the caller's own; but a tool without inputs is not called with any.
  const rest = mapValues(facts) ?? (declared.size === 0 && !isRoot ? [] : null);
  return Object.entries(mapOf(value)).every(([name, schema]) => {
    if (declared.has(name)) return proof.implies(knownOfProperty(facts, name), schema);
    // A new name: nobody used it, unless anything may be a name of the map.
    return rest === null || proof.implies(rest, schema);
  });
}

function areOthersImplied(question: Question): boolean {
  const { facts, value, wide, proof, isRoot } = question;
  if (isAnything(value)) return true;
  const named = new Set(Object.keys(mapOf(wide['properties'])));
  const declared = declaredNames(facts);
  const areDeclaredFine = [...declared].every(
    (name) => named.has(name) || proof.implies(knownOfProperty(facts, name), value),
  );
  if (!areDeclaredFine) return false;
  if (facts.some((fact) => isObject(fact['patternProperties']))) return isSaidWithPatterns(question);
  const rest = mapValues(facts);
  if (rest !== null) return proof.implies(rest, value);
  // Closing to names that nobody declared takes nothing from anybody; a map that had no names takes all of it.
  return declared.size > 0 || (isRoot && value === false);
}

function isSaidWithPatterns({ facts, value, wide, proof }: Question): boolean {
  return facts.some(
    (fact) =>
      proof.areEqual(fact['additionalProperties'], value) &&
      proof.areEqual(fact['patternProperties'], wide['patternProperties']),
  );
}

/** Patterns are never run: only what the same pattern says is known of the names that match it. */
function arePatternsImplied({ facts, value, proof }: Question): boolean {
  return Object.entries(mapOf(value)).every(([pattern, schema]) => {
    const same = facts.flatMap((fact): Json[] => {
      const known = mapOf(fact['patternProperties']);
      return Object.hasOwn(known, pattern) ? [known[pattern] ?? true] : [];
    });
    return proof.implies(same, schema);
  });
}
