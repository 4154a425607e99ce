import { isObject } from '../canonical.ts';
import type { Json, JsonObject } from '../model.ts';
import { resolvePointer } from '../schema-positions.ts';
import { listOf, mapOf, pointerStep } from './assertions.ts';
import { isAmong, requiredNames, valuesOf } from './known.ts';

/** Names that are looked at in one comparison; beyond, it is not finished. */
const MAX_STEPS = 100_000;
/** Values within one another, and unions within one another; references lead deeper than a definition is nested. */
const MAX_DEPTH = 300;
const VALUES_PER_STEP = 100;
/** Cases of one value; beyond, they are taken together as one. */
const MAX_CASES = 64;

/** One way in which a value may be made: what it declares below itself, and values that tell the way apart. */
interface Way {
  /** Step below the value, as in a JSON pointer -> all that is said of what stands there. */
  readonly below: ReadonlyMap<string, readonly Json[]>;
  readonly telling: ReadonlyMap<string, readonly Json[]>;
  readonly required: ReadonlySet<Json>;
}
const NOTHING: Way = { below: new Map(), telling: new Map(), required: new Set() };
interface Work {
  readonly roots: readonly [from: Json, to: Json];
  readonly underWay: Set<string>;
  /** Parts of unions that are being taken apart further up. */
  readonly unfolding: Set<Json>;
  readonly numbers: WeakMap<object, number>;
  lastNumber: number;
  stepsLeft: number;
}

/** A name that one schema declares and the other knows nowhere. */
export interface MissingName {
  /** JSON pointer below the root, with unions left out. */
  readonly path: string;
  readonly name: string;
  readonly isRequired: boolean;
  /** Names that are declared there. */
  readonly below: readonly string[];
}

/**
 * Names that `from` declares, wherever in it, and `to` does not for the same value: in properties, entries of lists, values
 * of maps, parts of unions, and what references lead to. Each part of a union needs one that knows all of its names. Only the
 * outermost ones are given; `isWhole` is false where there was too much to look at.
 */
export function missingNames(from: Json, to: Json): { names: readonly MissingName[]; isWhole: boolean } {
  const work: Work = {
    roots: [from, to],
    underWay: new Set(),
    unfolding: new Set(),
    numbers: new WeakMap(),
    lastNumber: 0,
    stepsLeft: MAX_STEPS,
  };
  const found = missing([from], [to], '', work);
  const names = new Map(found.map((each) => [each.path, each]));
  return { names: [...names.values()], isWhole: work.stepsLeft >= 0 };
}

function missing(from: readonly Json[], to: readonly Json[], path: string, work: Work): MissingName[] {
  if (work.underWay.size > MAX_DEPTH) work.stepsLeft = 0;
  if (--work.stepsLeft < 0 || from.every((schema) => typeof schema === 'boolean')) return [];
  const pair = `${nameOfAll(from, work)} ${nameOfAll(to, work)}`;
  if (work.underWay.has(pair)) return [];
  work.underWay.add(pair);
  const [old, now] = [waysOf(from, work.roots[0], work), waysOf(to, work.roots[1], work)];
  const found = old.flatMap((way, at) => fewestMissing(way, nearFirst(now, at), path, work));
  work.underWay.delete(pair);
  return found;
}

/** Schemas are told apart by themselves: their text may be long. */
function nameOfAll(schemas: readonly Json[], work: Work): string {
  const nameOfOne = (schema: Json): string => {
    if (typeof schema !== 'object' || schema === null) return String(schema);
    const number = work.numbers.get(schema) ?? ++work.lastNumber;
    work.numbers.set(schema, number);
    return String(number);
  };
  return schemas.map(nameOfOne).join();
}

/** Most unions keep their order. */
function nearFirst(ways: readonly Way[], at: number): readonly Way[] {
  const near = ways[at];
  return near === undefined || at === 0 ? ways : [near, ...ways];
}

function fewestMissing(way: Way, others: readonly Way[], path: string, work: Work): MissingName[] {
  if (way.below.size === 0) return [];
  const alike = others.filter((other) => areAlike(way, other, work));
  let fewest: MissingName[] | undefined;
  for (const other of alike.length > 0 ? alike : others) {
    const found = missingInWay(way, other, path, work);
    if (found.length === 0) return [];
    if (fewest === undefined || found.length < fewest.length) fewest = found;
  }
  return fewest ?? [];
}

function missingInWay(way: Way, other: Way, path: string, work: Work): MissingName[] {
  return [...way.below].flatMap(([step, schemas]): MissingName[] => {
    const there = other.below.get(step);
    const at = `${path}/${step}`;
    const isName = step.startsWith('properties/');
    if (there === undefined && isName) {
      const name = nameOf(step);
      return [{ path: at, name, isRequired: way.required.has(name), below: namesBelow(schemas, work) }];
    }
    return missing(schemas, there ?? other.below.get(restOf(step)) ?? [true], at, work);
  });
}

/** What speaks of the entries of a list, or values of a map, that nothing else speaks of. */
function restOf(step: string): string {
  return step.startsWith('prefixItems/') ? 'items' : 'additionalProperties';
}

/** No property has values on each side that exclude each other. */
function areAlike(way: Way, other: Way, work: Work): boolean {
  return [...way.telling].every(([name, values]) => {
    const others = other.telling.get(name);
    if (others === undefined) return true;
    work.stepsLeft -= values.length / VALUES_PER_STEP;
    return values.some((value) => isAmong(value, others));
  });
}

/** Every name in new ground. */
function namesBelow(schemas: readonly Json[], work: Work): string[] {
  const names = new Set<string>();
  const met = new Set<Json>();
  const queue = [...schemas];
  for (let next = queue.pop(); next !== undefined && work.stepsLeft >= 0; next = queue.pop()) {
    if (met.has(next) || !isObject(next)) continue;
    met.add(next);
    for (const { below } of waysOf([next], work.roots[0], work))
      for (const [step, inner] of below) {
        if (step.startsWith('properties/')) names.add(nameOf(step));
        queue.push(...inner);
      }
  }
  return [...names];
}

function nameOf(step: string): string {
  return step
    .slice(step.indexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/** All ways in which a value may be made of which all of these schemas speak. */
function waysOf(schemas: readonly Json[], root: Json, work: Work): readonly Way[] {
  const { nodes, unions } = flatten(schemas, root);
  const ways = unions.reduce<readonly Way[]>(
    (before, parts) => {
      const inner = parts.flatMap((part) => waysWithin(part, root, work));
      const isTooMuch = inner.length * before.length > MAX_CASES;
      return before.flatMap((way) =>
        isTooMuch ? [joined([way, ...inner])] : inner.map((each) => joined([way, each])),
      );
    },
    [wayOf(nodes)],
  );
  work.stepsLeft -= ways.reduce((sum, { below }) => sum + below.size, 1);
  return ways;
}

/** A part that leads back to itself without a step into the value says nothing more. */
function waysWithin(part: Json, root: Json, work: Work): readonly Way[] {
  if (work.unfolding.size > MAX_DEPTH) work.stepsLeft = -1;
  if (work.stepsLeft < 0 || work.unfolding.has(part)) return [NOTHING];
  work.unfolding.add(part);
  const ways = waysOf([part], root, work);
  work.unfolding.delete(part);
  return ways;
}

/** Without references and what is always joined; unions apart. */
function flatten(schemas: readonly Json[], root: Json): { nodes: JsonObject[]; unions: (readonly Json[])[] } {
  const nodes: JsonObject[] = [];
  const unions: (readonly Json[])[] = [];
  const met = new Set<Json>();
  const queue = [...schemas];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (!isObject(next) || met.has(next)) continue;
    const schema = next;
    met.add(schema);
    nodes.push(schema);
    if (typeof schema['$ref'] === 'string') queue.push(resolvePointer(root, schema['$ref']) ?? true);
    queue.push(...listOf(schema['allOf']), ...['if', 'then', 'else'].map((keyword) => schema[keyword] ?? true));
    queue.push(...Object.values(mapOf(schema['dependentSchemas'])));
    for (const keyword of ['anyOf', 'oneOf'])
      if (listOf(schema[keyword]).length > 0) unions.push(listOf(schema[keyword]));
  }
  return { nodes, unions };
}

function wayOf(nodes: readonly JsonObject[]): Way {
  const below = new Map<string, Json[]>();
  const telling = new Map<string, readonly Json[]>();
  const add = (step: string, schema: Json | undefined): void => {
    if (schema !== undefined) below.set(step, [...(below.get(step) ?? []), schema]);
  };
  for (const node of nodes) {
    for (const [name, schema] of Object.entries(mapOf(node['properties']))) {
      add(`properties/${pointerStep(name)}`, schema);
      const values = isObject(schema) ? valuesOf(schema) : null;
      if (values !== null) telling.set(name, values);
    }
    for (const [pattern, schema] of Object.entries(mapOf(node['patternProperties'])))
      add(`patternProperties/${pointerStep(pattern)}`, schema);
    const places = Array.isArray(node['items']) ? node['items'] : node['prefixItems'];
    for (const [at, schema] of listOf(places).entries()) add(`prefixItems/${at}`, schema);
    for (const keyword of ['items', 'additionalProperties', 'contains'])
      if (isObject(node[keyword])) add(keyword, node[keyword]);
  }
  return { below, telling, required: requiredNames(nodes) };
}

function joined(ways: readonly Way[]): Way {
  const below = new Map<string, readonly Json[]>();
  for (const way of ways)
    for (const [step, schemas] of way.below) below.set(step, [...(below.get(step) ?? []), ...schemas]);
  return {
    below,
    telling: new Map(ways.flatMap(({ telling }) => [...telling])),
    required: new Set(ways.flatMap(({ required }) => [...required])),
  };
}
