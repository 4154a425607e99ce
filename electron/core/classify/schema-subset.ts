import { canonicalText, isObject } from '../canonical.ts';
import type { Json, JsonObject } from '../model.ts';
import { resolvePointer } from '../schema-positions.ts';
import { acceptsValue } from './accepts.ts';
import { areSame, assertionsOf, isAnything, listOf, mapOf, type Work } from './assertions.ts';
import { isKeywordImplied } from './keyword-rules.ts';
import {
  isAmong,
  knownOfProperty,
  requiredNames,
  typesKnown,
  typesOf,
  valuesKnown,
  valuesOf,
  type Known,
} from './known.ts';

/** Steps of one comparison; beyond, nothing is proven. */
const MAX_STEPS = 5_000;
/** A schema may refer to itself without a step into the value. */
const MAX_DEPTH = 100;
/** Values that are looked at in these steps together; what is written out counts by its length. */
const MAX_VALUES = 1_000_000;
const LETTERS_PER_VALUE = 16;
/** Work that is left for a whole comparison; beyond, nothing is proven. */
export interface Budget extends Work {
  stepsLeft: number;
}

export function newBudget(): Budget {
  return { stepsLeft: MAX_STEPS, valuesLeft: MAX_VALUES };
}

/** Cases that one union may be split into. */
const MAX_CASES = 200;

/** One comparison under way. */
export interface Proof {
  readonly narrowRoot: Json;
  readonly wideRoot: Json;
  /** Pairs that are being compared further up, with {@link level}: what holds for every step holds for any depth. */
  readonly assumed: Map<string, number>;
  /** Steps into the value so far. */
  level: number;
  readonly budget: Budget;
  depth: number;
  /** For what lies below. */
  implies(known: readonly Json[], wide: Json): boolean;
  /** The same words that mean the same: with references in them, only where those lead to the same. */
  areEqual(a: Json | undefined, b: Json | undefined): boolean;
}

/**
 * True only where it is proven that every value that `narrow` accepts is accepted by `wide`. Names that `narrow` does
 * not declare do not count, unless it is a map. Both are schemas in normal form, with their `$defs`.
 */
export function isSubset(narrow: Json, wide: Json, budget: Budget = newBudget()): boolean {
  const [narrowRoot, wideRoot] = [assertionsOf(narrow), assertionsOf(wide)];
  const areTargetsSame =
    areSame(definitionsOf(narrowRoot), definitionsOf(wideRoot), budget) && reachOf(narrowRoot) !== 'root';
  const proof: Proof = {
    narrowRoot,
    wideRoot,
    assumed: new Map(),
    level: 0,
    budget,
    depth: 0,
    implies: (known, schema) => {
      proof.level += 1;
      const isImplied = implies(known, schema, proof);
      proof.level -= 1;
      return isImplied;
    },
    areEqual: (a, b) => areSame(a, b, budget) && (areTargetsSame || a === undefined || reachOf(a) === 'none'),
  };
  return implies([narrowRoot], wideRoot, proof, true);
}

function definitionsOf(root: Json): Json | undefined {
  return isObject(root) ? root['$defs'] : undefined;
}

type Reach = 'none' | 'part' | 'root';
const reaches = new WeakMap<object, Reach>();

/** The farthest that a reference in it leads. What only looks like a reference, in a value, counts as one. */
function reachOf(value: Json): Reach {
  if (typeof value !== 'object' || value === null) return 'none';
  const reach = reaches.get(value) ?? readReach(value);
  reaches.set(value, reach);
  return reach;
}

function readReach(value: JsonObject | readonly Json[]): Reach {
  const below = Object.values(value).map(reachOf);
  const ref = isObject(value) ? value['$ref'] : undefined;
  if (ref === '#' || below.includes('root')) return 'root';
  return ref !== undefined || below.includes('part') ? 'part' : 'none';
}

/** Does all that is known of a value make `wide` accept it? `isRoot`: it is the value as a whole. */
function implies(known: readonly Json[], wide: Json, proof: Proof, isRoot = false): boolean {
  if (--proof.budget.stepsLeft < 0 || proof.depth >= MAX_DEPTH) return false;
  proof.depth += 1;
  const isImplied = isProven(known, wide, proof, isRoot);
  proof.depth -= 1;
  return isImplied;
}

function isProven(known: readonly Json[], wide: Json, proof: Proof, isRoot: boolean): boolean {
  if (isAnything(wide)) return true;
  const facts = flatten(known, proof);
  if (proof.budget.valuesLeft < 0) return false;
  if (facts === null) return true; // nothing is accepted, so nothing can be refused
  if (!isObject(wide)) return false;
  if (typeof wide['$ref'] === 'string') return impliesReference(facts, wide, proof, isRoot);
  if (facts.some((fact) => proof.areEqual(fact, wide))) return true;
  return impliesWords(facts, wide, proof, isRoot) || impliesByCases(facts, wide, proof, isRoot);
}

/** Without `true`, references and `allOf`; `null` where no value is left. */
function flatten(known: readonly Json[], proof: Proof): Known | null {
  const facts: JsonObject[] = [];
  const queue = [...known];
  const met = new Set<string>();
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (next === false) return null;
    if (!isObject(next)) continue;
    proof.budget.valuesLeft -= sizeOf(next);
    const { allOf, $ref, ...rest } = next;
    queue.push(...listOf(allOf));
    if (typeof $ref === 'string' && !met.has($ref)) {
      met.add($ref);
      queue.push(resolvePointer(proof.narrowRoot, $ref) ?? true);
    }
    if (Object.keys(rest).length > 0) facts.push(rest);
  }
  return typesKnown(facts).size === 0 ? null : facts;
}

/** What is looked through at each step. */
function sizeOf(schema: JsonObject): number {
  const names = Object.keys(mapOf(schema['properties'])).length + listOf(schema['required']).length;
  return 1 + names + (valuesOf(schema)?.length ?? 0);
}

function impliesReference(facts: Known, wide: JsonObject, proof: Proof, isRoot: boolean): boolean {
  const { $ref, ...rest } = wide;
  const target = typeof $ref === 'string' ? resolvePointer(proof.wideRoot, $ref) : undefined;
  if (target === undefined) return false;
  const pair = canonicalText([facts, wide]);
  proof.budget.valuesLeft -= pair.length / LETTERS_PER_VALUE;
  const before = proof.assumed.get(pair);
  // Without a step into the value it would only have been assumed of itself.
  if (before !== undefined) return before < proof.level;
  proof.assumed.set(pair, proof.level);
  const isImplied = implies(facts, target, proof, isRoot) && implies(facts, rest, proof, isRoot);
  proof.assumed.delete(pair);
  return isImplied;
}

/** Each word of `wide` by itself. */
function impliesWords(facts: Known, wide: JsonObject, proof: Proof, isRoot: boolean): boolean {
  const values = valuesKnown(facts);
  if (values !== null && values.every((value) => acceptsValue(value, wide, proof.budget))) return true;
  return Object.entries(wide).every(([keyword, value]) => {
    switch (keyword) {
      case '$defs':
        return true;
      case 'allOf':
        return listOf(value).every((part) => implies(facts, part, proof, isRoot));
      case 'anyOf':
        return (
          hasSame(facts, keyword, value, proof) || listOf(value).some((part) => implies(facts, part, proof, isRoot))
        );
      case 'oneOf':
        return hasSame(facts, keyword, value, proof) || impliesOne(facts, listOf(value), proof, isRoot);
      default:
        return isKeywordImplied({ facts, keyword, value, wide, proof, isRoot });
    }
  });
}

function hasSame(facts: Known, keyword: string, value: Json, proof: Proof): boolean {
  return facts.some((fact) => proof.areEqual(fact[keyword], value));
}

function impliesOne(facts: Known, parts: readonly Json[], proof: Proof, isRoot: boolean): boolean {
  return parts.some(
    (part) =>
      implies(facts, part, proof, isRoot) && parts.every((other) => other === part || areApart(facts, other, proof)),
  );
}

/** True only where no value can be both. */
function areApart(facts: Known, other: Json, proof: Proof): boolean {
  if (--proof.budget.stepsLeft < 0 || proof.depth >= MAX_DEPTH) return false;
  if (other === false) return true;
  const target =
    isObject(other) && typeof other['$ref'] === 'string' ? resolvePointer(proof.wideRoot, other['$ref']) : other;
  if (!isObject(target)) return false;
  const open = typesKnown(facts);
  if (![...typesOf(target)].some((type) => open.has(type))) return true;
  const [values, others] = [valuesKnown(facts), valuesKnown([target])];
  if (values !== null && others !== null) return !values.some((value) => isAmong(value, others));
  if (values !== null || others !== null || ![...open].every((type) => type === 'object')) return false;
  return areApartByProperty(facts, target, proof);
}

/** Both ask for a property, and no value of it suits both. */
function areApartByProperty(facts: Known, other: JsonObject, proof: Proof): boolean {
  const required = requiredNames(facts);
  return [...required].some((name) => {
    if (typeof name !== 'string') return false;
    const property = flatten(knownOfProperty(facts, name), proof);
    if (property === null) return true;
    proof.depth += 1;
    const isApart = knownOfProperty([other], name).some((schema) => areApart(property, schema, proof));
    proof.depth -= 1;
    return isApart;
  });
}

/** Case by case: each part of a union, each type that is left. */
function impliesByCases(facts: Known, wide: JsonObject, proof: Proof, isRoot: boolean): boolean {
  const cases = casesOf(facts);
  if (cases === null || cases.length > MAX_CASES) return false;
  // Beside parts that declare names, one that declares none is a map.
  const isOnly = isRoot && !facts.some((fact) => UNIONS.some((keyword) => fact[keyword] !== undefined));
  return cases.every((each) => implies(each, wide, proof, isOnly));
}

const UNIONS = ['anyOf', 'oneOf'] as const;

function casesOf(facts: Known): Json[][] | null {
  for (const keyword of UNIONS) {
    const at = facts.findIndex((fact) => Array.isArray(fact[keyword]));
    const fact = facts[at];
    if (fact === undefined) continue;
    const { [keyword]: parts, ...rest } = fact;
    return listOf(parts).map((part) => [...facts.slice(0, at), rest, ...facts.slice(at + 1), part]);
  }
  const at = facts.findIndex((fact) => Array.isArray(fact['type']) && fact['type'].length > 1);
  const fact = facts[at];
  if (fact === undefined) return valueCasesOf(facts);
  return listOf(fact['type']).map((type) => [...facts.slice(0, at), { ...fact, type }, ...facts.slice(at + 1)]);
}

/** Value by value: each may be accepted by another part of a union. */
function valueCasesOf(facts: Known): Json[][] | null {
  const values = valuesKnown(facts);
  if (values === null || values.length < 2 || values.length > MAX_CASES) return null;
  return values.map((value) => [{ const: value }]);
}
