import { byCodeUnits, canonicalText, isObject } from '../canonical.ts';
import type { Fact, Json, JsonObject, Severity } from '../model.ts';
import { resolvePointer } from '../schema-positions.ts';
import { areSame, assertionsOf, DESCRIPTIONS, isUnknownKeyword, listOf, mapOf, pointerStep } from './assertions.ts';
import type { Direction } from './direction.ts';

/** Schemas that are read on each side, and letters by which parts are put in order; beyond, it is not finished. */
const MAX_READ = 20_000;
const MAX_LETTERS = 3_000_000;
/** Schemas above one another; references lead deeper than a definition is nested. */
const MAX_DEPTH = 300;

/** What a schema says beside what is valid: place, unions left out -> word -> all that is said there, in a fixed order. */
interface Said {
  readonly places: Map<string, Map<string, Json[]>>;
  isWhole: boolean;
}

/**
 * Facts about titles, descriptions, defaults, and words that the standard does not have, wherever they stand. Of what only
 * one side declares nothing is told: there is nothing that it could differ from.
 */
export function saidFacts(before: Json, after: Json, direction: Direction, root: string): Fact[] {
  const [old, now] = [readSaid(before), readSaid(after)];
  if (!old.isWhole || !now.isWhole) return [{ class: `${direction}.structure`, path: root, severity: 'breaking' }];
  return [...old.places].flatMap(([path, words]) => {
    const others = now.places.get(path);
    if (others === undefined) return [];
    const keywords = [...new Set([...words.keys(), ...others.keys()])].sort();
    return keywords.flatMap((keyword) => {
      const sides = { before: words.get(keyword) ?? [], after: others.get(keyword) ?? [] };
      if (areSame(sides.before, sides.after)) return [];
      return [wordFact(keyword, sides, direction, `${root}${path}/${pointerStep(keyword)}`)];
    });
  });
}

interface Sides {
  readonly before: readonly Json[];
  readonly after: readonly Json[];
}

function wordFact(keyword: string, sides: Sides, direction: Direction, path: string): Fact {
  const shown = { ...shownSide('before', sides.before), ...shownSide('after', sides.after) };
  if (keyword === 'default') {
    const [what, severity] = defaultChange(sides, direction);
    return { class: `${direction}.default.${what}`, path, ...shown, severity };
  }
  const what = DESCRIPTIONS.has(keyword) ? 'prop.description' : 'other';
  return { class: `${direction}.${what}`, path, ...shown, severity: 'review' };
}

/** Who leaves a value out gets another one, or one where there was none, or none where there was one. */
function defaultChange({ before, after }: Sides, direction: Direction): readonly [what: string, severity: Severity] {
  const [old, now] = [before, after].map((values) => values.filter((value) => value !== null).map(canonicalText));
  const what = before.length === 0 ? 'added' : after.length === 0 ? 'removed' : 'changed';
  if (old === undefined || now === undefined || (old.length === 0 && now.length === 0)) return [what, 'compatible'];
  if (direction === 'out') return [what, 'review'];
  let at = 0;
  for (const text of now) if (text === old[at]) at += 1;
  return [what, at === old.length ? 'review' : 'breaking'];
}

function shownSide(name: 'before' | 'after', values: readonly Json[]): Partial<Record<'before' | 'after', Json>> {
  const [only] = values;
  if (only === undefined) return {};
  return { [name]: values.length === 1 ? only : values };
}

function readSaid(root: Json): Said {
  const said: Said = { places: new Map(), isWhole: true };
  let left = MAX_READ;
  let lettersLeft = MAX_LETTERS;
  const above = new Set<Json>();
  const met = new Set<Json>();
  const texts = new Map<Json, string>();
  const textOf = (part: Json): string => {
    const known = texts.get(part);
    if (known !== undefined || lettersLeft < 0) return known ?? '';
    const text = canonicalText(assertionsOf(part));
    lettersLeft -= text.length;
    texts.set(part, text);
    return text;
  };
  const read = (schema: Json, path: string, hasDefault = false): void => {
    if (--left < 0 || above.size > MAX_DEPTH) said.isWhole = false;
    if (!said.isWhole || above.has(schema)) return;
    const words = said.places.get(path) ?? new Map<string, Json[]>();
    said.places.set(path, words);
    if (!isObject(schema)) return;
    above.add(schema);
    met.add(schema);
    for (const [keyword, value] of Object.entries(schema))
      // Beside a default of its own, those of its parts are of no use.
      if (keyword === 'default' ? !hasDefault : DESCRIPTIONS.has(keyword) || isUnknownKeyword(keyword))
        pushTo(words, keyword, value);
    for (const part of partsOf(schema, root, textOf)) read(part, path, hasDefault || 'default' in schema);
    for (const [step, child] of stepsOf(schema)) read(child, `${path}/${step}`);
    above.delete(schema);
  };
  read(root, '');
  // What a reference leads to is not always found: then it is read where it stands.
  for (const [name, schema] of Object.entries(mapOf(isObject(root) ? root['$defs'] : undefined)))
    if (!met.has(schema)) read(schema, `/$defs/${pointerStep(name)}`);
  if (lettersLeft < 0) said.isWhole = false;
  return said;
}

function pushTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Other schemas of the same value, in an order that does not depend on theirs. */
function partsOf(schema: JsonObject, root: Json, textOf: (part: Json) => string): Json[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    [...listOf(schema[keyword])].sort((a, b) => byCodeUnits(textOf(a), textOf(b))),
  );
  const others = ['not', 'if', 'then', 'else'].flatMap((keyword) => schema[keyword] ?? []);
  const target = typeof schema['$ref'] === 'string' ? resolvePointer(root, schema['$ref']) : undefined;
  return [...lists, ...others, ...Object.values(mapOf(schema['dependentSchemas'])), ...(target ? [target] : [])];
}

const MAPS = ['properties', 'patternProperties'];
const BELOW = ['items', 'additionalProperties', 'contains', 'propertyNames', 'unevaluatedItems'];

/** Schemas of what lies below. */
function stepsOf(schema: JsonObject): [step: string, child: Json][] {
  const named = MAPS.flatMap((keyword) =>
    Object.entries(mapOf(schema[keyword])).map(([name, child]): [string, Json] => [
      `${keyword}/${pointerStep(name)}`,
      child,
    ]),
  );
  const places = Array.isArray(schema['items']) ? schema['items'] : schema['prefixItems'];
  const listed = listOf(places).map((child, at): [string, Json] => [`prefixItems/${at}`, child]);
  const others = BELOW.flatMap((keyword): [string, Json][] => {
    const child = schema[keyword];
    return isObject(child) ? [[keyword, child]] : [];
  });
  return [...named, ...listed, ...others];
}
