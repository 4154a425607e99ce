import { isObject } from '../canonical.ts';
import type { Fact, Json, JsonObject, Severity } from '../model.ts';
import { schemaNormalForm } from '../schema-form.ts';
import { areSame, assertionsOf, DESCRIPTIONS, isUnknownKeyword, listOf, mapOf, pointerStep } from './assertions.ts';
import { isDangerousInput } from './dangerous.ts';
import { isHarmless, type Direction, type Place } from './direction.ts';
import { keywordFacts } from './keyword-facts.ts';
import { newBudget } from './schema-subset.ts';

const ROOTS: Readonly<Record<Direction, string>> = {
  in: '/definition/inputSchema',
  out: '/definition/outputSchema',
};

/** Facts about one schema of a definition; none where nothing effective changed. */
export function schemaFacts(before: Json | undefined, after: Json | undefined, direction: Direction): Fact[] {
  const path = ROOTS[direction];
  if (before === undefined || after === undefined) return presenceFacts(before, after, direction, path);
  const [beforeRoot, afterRoot] = [schemaNormalForm(before), schemaNormalForm(after)];
  if (areSame(beforeRoot, afterRoot)) return [];
  const place: Place = { direction, path, isOnlyWords: false, beforeRoot, afterRoot, budget: newBudget() };
  const facts = [...compareSchemas(beforeRoot, afterRoot, place), ...definitionWords(place)];
  const isBreaking = facts.some(({ severity }) => severity === 'breaking' || severity === 'security');
  if (isBreaking) return facts;
  if (isHarmless(beforeRoot, afterRoot, direction, newBudget()))
    return facts.length > 0 ? facts : [{ class: `${direction}.spelling`, path, severity: 'compatible' }];
  // What cannot be shown to be harmless counts as the opposite.
  return [...facts, { class: `${direction}.structure`, path, severity: 'breaking' }];
}

/** Definitions that stayed references: their validity is compared with what refers to them, their words are not. */
function definitionWords(place: Place): Fact[] {
  const [old, now] = [place.beforeRoot, place.afterRoot].map((root) =>
    mapOf(isObject(root) ? root['$defs'] : undefined),
  );
  return Object.entries(old ?? {}).flatMap(([name, before]) =>
    compareSchemas(before, now?.[name] ?? true, {
      ...place,
      isOnlyWords: true,
      path: `${place.path}/$defs/${pointerStep(name)}`,
    }),
  );
}

function presenceFacts(before: Json | undefined, after: Json | undefined, direction: Direction, path: string): Fact[] {
  if (before === undefined && after === undefined) return [];
  const isHarmlessHere =
    direction === 'out' ? before === undefined : isHarmless(before ?? true, after ?? true, 'in', newBudget());
  const what = before === undefined ? 'added' : 'removed';
  return [{ class: `${direction}.schema.${what}`, path, severity: isHarmlessHere ? 'compatible' : 'breaking' }];
}

/** Compares two schemas in the same place, and everything below them. */
function compareSchemas(before: Json, after: Json, place: Place): Fact[] {
  if (areSame(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return place.isOnlyWords ? [] : wholeFacts(before, after, place);
  const facts = [...wordFacts(before, after, place), ...defaultFacts(before, after, place)];
  if (place.isOnlyWords) return [...facts, ...branchWords(before, after, place), ...objectFacts(before, after, place)];
  // A union on one side only is compared as one thing: its parts have no counterpart.
  if (!haveSameUnions(before, after))
    return [
      ...facts,
      ...wholeFacts(before, after, place),
      ...lostFacts(before, after, place),
      ...innerWords(before, after, place),
    ];
  return [
    ...facts,
    ...branchWords(before, after, place),
    ...objectFacts(before, after, place),
    ...itemFacts(before, after, place),
    ...keywordFacts(withoutParts(before, after), withoutParts(after, before), place),
  ];
}

const UNIONS = ['anyOf', 'oneOf', 'not', 'if', 'then', 'else', '$ref'] as const;

function haveSameUnions(before: JsonObject, after: JsonObject): boolean {
  return UNIONS.every((keyword) =>
    areSame(
      keyword in before ? assertionsOf({ [keyword]: before[keyword] ?? true }) : undefined,
      keyword in after ? assertionsOf({ [keyword]: after[keyword] ?? true }) : undefined,
    ),
  );
}

/** What is compared part by part elsewhere. */
const PARTS = new Set(['properties', 'required', 'additionalProperties', '$defs', ...UNIONS]);

function withoutParts(schema: JsonObject, other: JsonObject): JsonObject {
  const hasItems = hasPlainItems(schema) && hasPlainItems(other);
  const kept = Object.entries(schema).filter(([keyword]) => !PARTS.has(keyword) && !(keyword === 'items' && hasItems));
  return Object.fromEntries(kept);
}

function hasPlainItems(schema: JsonObject): boolean {
  return isObject(schema['items']) && schema['prefixItems'] === undefined;
}

function itemFacts(before: JsonObject, after: JsonObject, place: Place): Fact[] {
  if (!hasPlainItems(before) || !hasPlainItems(after)) return [];
  return compareSchemas(before['items'] ?? true, after['items'] ?? true, { ...place, path: `${place.path}/items` });
}

/** Names that one side declares and the other knows nowhere: an open object would take them, and do nothing with them. */
function lostFacts(before: JsonObject, after: JsonObject, place: Place): Fact[] {
  const kept = namesWithin(after);
  return [...namesWithin(before)].flatMap((name) => {
    const path = `${place.path}/properties/${pointerStep(name)}`;
    return kept.has(name)
      ? []
      : [{ class: `${place.direction}.prop.removed.optional`, path, severity: 'breaking' as const }];
  });
}

/** Declared for the same value, in whatever part of a union. */
function namesWithin(schema: Json): Set<string> {
  if (!isObject(schema)) return new Set();
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listOf(schema[keyword]));
  const branches = ['if', 'then', 'else'].map((keyword) => schema[keyword] ?? true);
  const within = [...parts, ...branches].flatMap((part) => [...namesWithin(part)]);
  return new Set([...Object.keys(mapOf(schema['properties'])), ...within]);
}

function wholeFacts(before: Json, after: Json, place: Place): Fact[] {
  const within = (root: Json, node: Json): Json =>
    isObject(node) && isObject(root) && isObject(root['$defs']) ? { ...node, $defs: root['$defs'] } : node;
  const [old, now] = [within(place.beforeRoot, before), within(place.afterRoot, after)];
  if (areSame(assertionsOf(old), assertionsOf(now))) return [];
  const [isHarmlessHere, isNarrower] = [
    isHarmless(old, now, place.direction, place.budget),
    isHarmless(now, old, place.direction, place.budget),
  ];
  const what =
    isHarmlessHere === isNarrower ? 'changed' : isHarmlessHere === (place.direction === 'in') ? 'widened' : 'narrowed';
  const severity: Severity = isHarmlessHere ? 'compatible' : 'breaking';
  return [{ class: `${place.direction}.union.${what}`, path: place.path, severity }];
}

/** Titles, descriptions, examples, and words that the standard does not have. */
function wordFacts(before: JsonObject, after: JsonObject, { direction, path }: Place): Fact[] {
  const keywords = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keywords.flatMap((keyword): Fact[] => {
    const isWords = DESCRIPTIONS.has(keyword);
    if ((!isWords && !isUnknownKeyword(keyword)) || areSame(before[keyword], after[keyword])) return [];
    const sides = { ...side('before', before[keyword]), ...side('after', after[keyword]) };
    const what = isWords ? 'prop.description' : 'other';
    return [{ class: `${direction}.${what}`, path: `${path}/${pointerStep(keyword)}`, ...sides, severity: 'review' }];
  });
}

function defaultFacts(before: JsonObject, after: JsonObject, { direction, path }: Place): Fact[] {
  const [old, now] = [before['default'], after['default']];
  if (areSame(old, now)) return [];
  const what = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
  const sides = { ...side('before', old), ...side('after', now) };
  return [
    {
      class: `${direction}.default.${what}`,
      path: `${path}/default`,
      ...sides,
      severity: defaultSeverity(direction, old, now),
    },
  ];
}

/** Who leaves a value out gets another one, or one where there was none, or none where there was one. */
function defaultSeverity(direction: Direction, old: Json | undefined, now: Json | undefined): Severity {
  const isNothing = (value: Json | undefined): boolean => value === undefined || value === null;
  if (isNothing(old) && isNothing(now)) return 'compatible';
  if (direction === 'out' || isNothing(old)) return 'review';
  return 'breaking';
}

/** The same parts in the same order: validity has been compared, what they say has not. */
function branchWords(before: JsonObject, after: JsonObject, place: Place): Fact[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => {
    const [old, now] = [listOf(before[keyword]), listOf(after[keyword])];
    if (old.length !== now.length) return [];
    return old.flatMap((part, at) =>
      compareSchemas(part, now[at] ?? true, { ...place, isOnlyWords: true, path: `${place.path}/${keyword}/${at}` }),
    );
  });
}

/** Parts without a counterpart: all that both sides say and leave out, taken together. */
function innerWords(before: JsonObject, after: JsonObject, { direction, path }: Place): Fact[] {
  const [old, now] = [saidIn(before), saidIn(after)];
  const facts: Fact[] = [];
  if (old.defaults.join() !== now.defaults.join() && old.defaults.length > 0 && direction === 'in')
    facts.push({ class: 'in.default.changed', path, severity: 'breaking' });
  if (old.words.join() !== now.words.join())
    facts.push({ class: `${direction}.prop.description`, path, severity: 'review' });
  return facts;
}

function saidIn(schema: JsonObject): { readonly words: string[]; readonly defaults: string[] } {
  const words: string[] = [];
  const defaults: string[] = [];
  const walk = (node: Json, isTop: boolean): void => {
    if (Array.isArray(node)) for (const child of listOf(node)) walk(child, false);
    else if (isObject(node))
      for (const [key, value] of Object.entries(node)) {
        if (!isTop && DESCRIPTIONS.has(key) && typeof value === 'string') words.push(value);
        else if (!isTop && key === 'default') defaults.push(JSON.stringify(value));
        else walk(value, false);
      }
  };
  walk(schema, true);
  return { words: words.sort(), defaults: defaults.sort() };
}

function objectFacts(before: JsonObject, after: JsonObject, place: Place): Fact[] {
  const [old, now] = [mapOf(before['properties']), mapOf(after['properties'])];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  const facts = names.flatMap((name) => {
    const path = `${place.path}/properties/${pointerStep(name)}`;
    if (Object.hasOwn(old, name) && Object.hasOwn(now, name))
      return compareSchemas(old[name] ?? true, now[name] ?? true, { ...place, path });
    return place.isOnlyWords ? [] : propertyFacts(name, { before, after }, { ...place, path });
  });
  if (place.isOnlyWords) return facts;
  return [...facts, ...requiredFacts(before, after, place), ...openFacts(before, after, place)];
}

/** One input or field that is there on one side only. */
function propertyFacts(name: string, sides: { before: JsonObject; after: JsonObject }, place: Place): Fact[] {
  const { direction, path } = place;
  const isAdded = Object.hasOwn(mapOf(sides.after['properties']), name);
  const schema = isAdded ? sides.after : sides.before;
  const isRequired = listOf(schema['required']).includes(name);
  const own = mapOf(schema['properties'])[name] ?? true;
  const hasDefault = isObject(own) && own['default'] !== undefined;
  const kind = isRequired ? (hasDefault && isAdded ? 'requiredWithDefault' : 'required') : 'optional';
  const what = isAdded ? 'added' : 'removed';
  const isFine = isAdded && (direction === 'out' || !isRequired);
  const fact: Fact = { class: `${direction}.prop.${what}.${kind}`, path, severity: isFine ? 'compatible' : 'breaking' };
  if (direction === 'out' || !isAdded || !isDangerousInput(name)) return [fact];
  return [fact, { class: 'in.prop.added.dangerous', path, severity: 'security' }];
}

function requiredFacts(before: JsonObject, after: JsonObject, place: Place): Fact[] {
  const { direction } = place;
  const [old, now] = [new Set(listOf(before['required'])), new Set(listOf(after['required']))];
  const isShared = (name: Json): name is string =>
    typeof name === 'string' &&
    Object.hasOwn(mapOf(before['properties']), name) === Object.hasOwn(mapOf(after['properties']), name);
  const fact = (name: string, what: 'added' | 'dropped'): Fact => ({
    class: `${direction}.required.${what}`,
    path: `${place.path}/properties/${pointerStep(name)}`,
    severity: (what === 'added') === (direction === 'in') ? 'breaking' : 'compatible',
  });
  return [
    ...[...now].filter(isShared).flatMap((name) => (old.has(name) ? [] : [fact(name, 'added')])),
    ...[...old].filter(isShared).flatMap((name) => (now.has(name) ? [] : [fact(name, 'dropped')])),
  ];
}

/** Names that are not declared. */
function openFacts(before: JsonObject, after: JsonObject, place: Place): Fact[] {
  const [old, now] = [before['additionalProperties'], after['additionalProperties']];
  if (areSame(old, now)) return [];
  const { direction } = place;
  const path = `${place.path}/additionalProperties`;
  if (isObject(old) && isObject(now)) return compareSchemas(old, now, { ...place, path });
  const wasMap = !isObject(before['properties']) || Object.keys(mapOf(before['properties'])).length === 0;
  const isClosed = now === false || (now !== undefined && old === undefined);
  const isRoot = place.path === ROOTS[direction];
  const isTakenAway = isClosed && direction === 'in' && ((wasMap && !isRoot) || isObject(old));
  const what = isClosed ? (isTakenAway ? 'closed.map' : 'closed') : 'opened';
  return [
    { class: `${direction}.additionalProperties.${what}`, path, severity: isTakenAway ? 'breaking' : 'compatible' },
  ];
}

function side(name: 'before' | 'after', value: Json | undefined): Partial<Record<'before' | 'after', Json>> {
  return value === undefined ? {} : { [name]: value };
}
