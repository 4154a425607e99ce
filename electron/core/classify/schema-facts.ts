import { isObject } from '../canonical.ts';
import type { Fact, Json, JsonObject, Severity } from '../model.ts';
import { schemaNormalForm } from '../schema-form.ts';
import { areSame, assertionsOf, listOf, mapOf, pointerStep } from './assertions.ts';
import { isDangerousInput, isGraveInput } from './dangerous.ts';
import { missingNames, type MissingName } from './declared.ts';
import { isOtherDialect } from './dialect.ts';
import { isHarmless, type Direction, type Place } from './direction.ts';
import { keywordFacts } from './keyword-facts.ts';
import { saidFacts } from './said-facts.ts';
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
  const names = namesBetween(beforeRoot, afterRoot);
  const newPaths = new Set(names.news.map((found) => `${path}${found.path}`));
  const place: Place = { direction, path, beforeRoot, afterRoot, newPaths, budget: newBudget() };
  const facts = [
    ...declaredFacts(names, place),
    ...saidFacts(beforeRoot, afterRoot, direction, path),
    ...compareSchemas(beforeRoot, afterRoot, place),
  ];
  const isBreaking = facts.some(({ severity }) => severity === 'breaking' || severity === 'security');
  if (isBreaking) return facts;
  // What cannot be shown to be harmless counts as the opposite.
  if (isOtherDialect(before, after) || !isHarmless(beforeRoot, afterRoot, direction, newBudget()))
    return [...facts, { class: `${direction}.structure`, path, severity: 'breaking' }];
  return facts.length > 0 ? facts : [{ class: `${direction}.spelling`, path, severity: 'compatible' }];
}

interface Names {
  readonly gone: readonly MissingName[];
  readonly news: readonly MissingName[];
  readonly isWhole: boolean;
}

function namesBetween(before: Json, after: Json): Names {
  if (areSame(assertionsOf(before), assertionsOf(after))) return { gone: [], news: [], isWhole: true };
  const [gone, news] = [missingNames(before, after), missingNames(after, before)];
  return { gone: gone.names, news: news.names, isWhole: gone.isWhole && news.isWhole };
}

/**
 * Names that one side declares, wherever in it, and the other knows nowhere. An open object would still take what is gone,
 * and do nothing with it.
 */
function declaredFacts({ gone, news, isWhole }: Names, { direction, path: root }: Place): Fact[] {
  if (!isWhole) return [{ class: `${direction}.structure`, path: root, severity: 'breaking' }];
  const fact = (what: string, path: string, severity: Severity): Fact => ({
    class: `${direction}.prop.${what}`,
    path: `${root}${path}`,
    severity,
  });
  const dangerous = news.filter(
    ({ name, below }) => direction === 'in' && (isDangerousInput(name) || below.some(isGraveInput)),
  );
  return [
    ...gone.map(({ path, isRequired }) => fact(isRequired ? 'removed.required' : 'removed.optional', path, 'breaking')),
    ...dangerous.map(({ path }) => fact('added.dangerous', path, 'security')),
  ];
}

function presenceFacts(before: Json | undefined, after: Json | undefined, direction: Direction, path: string): Fact[] {
  if (before === undefined && after === undefined) return [];
  const isHarmlessHere =
    direction === 'out' ? before === undefined : isHarmless(before ?? true, after ?? true, 'in', newBudget());
  const what = before === undefined ? 'added' : 'removed';
  return [{ class: `${direction}.schema.${what}`, path, severity: isHarmlessHere ? 'compatible' : 'breaking' }];
}

/** Compares what two schemas in the same place take, and everything below them. */
function compareSchemas(before: Json, after: Json, place: Place): Fact[] {
  if (areSame(before, after)) return [];
  // A union on one side only is compared as one thing: its parts have no counterpart.
  if (!isObject(before) || !isObject(after) || !haveSameUnions(before, after)) return wholeFacts(before, after, place);
  return [
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

function wholeFacts(before: Json, after: Json, place: Place): Fact[] {
  const within = (root: Json, node: Json): Json =>
    isObject(node) && isObject(root) && isObject(root['$defs']) ? { ...node, $defs: root['$defs'] } : node;
  const [old, now] = [within(place.beforeRoot, before), within(place.afterRoot, after)];
  if (areSame(assertionsOf(old), assertionsOf(now), place.budget)) return [];
  const [isHarmlessHere, isNarrower] = [
    isHarmless(old, now, place.direction, place.budget),
    isHarmless(now, old, place.direction, place.budget),
  ];
  const what =
    isHarmlessHere === isNarrower ? 'changed' : isHarmlessHere === (place.direction === 'in') ? 'widened' : 'narrowed';
  const severity: Severity = isHarmlessHere ? 'compatible' : 'breaking';
  return [{ class: `${place.direction}.union.${what}`, path: place.path, severity }];
}

function objectFacts(before: JsonObject, after: JsonObject, place: Place): Fact[] {
  const [old, now] = [mapOf(before['properties']), mapOf(after['properties'])];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  const facts = names.flatMap((name) => {
    const path = `${place.path}/properties/${pointerStep(name)}`;
    if (Object.hasOwn(old, name) && Object.hasOwn(now, name))
      return compareSchemas(old[name] ?? true, now[name] ?? true, { ...place, path });
    // What was declared in some other part of it is not new.
    return place.newPaths.has(path) ? [addedFact(name, after, { ...place, path })] : [];
  });
  return [...facts, ...requiredFacts(before, after, place), ...openFacts(before, after, place)];
}

/** One input or field that was not there. What is gone is told by {@link declaredFacts}. */
function addedFact(name: string, after: JsonObject, { direction, path }: Place): Fact {
  const isRequired = listOf(after['required']).includes(name);
  const own = mapOf(after['properties'])[name] ?? true;
  const hasDefault = isObject(own) && own['default'] !== undefined;
  const kind = isRequired ? (hasDefault ? 'requiredWithDefault' : 'required') : 'optional';
  const severity = direction === 'out' || !isRequired ? 'compatible' : 'breaking';
  return { class: `${direction}.prop.added.${kind}`, path, severity };
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
  // The inputs of a tool are open by default, and nobody sends more than is declared; unless nothing is.
  const isMapOfRoot = isRoot && wasMap && now !== false;
  const isTakenAway = isClosed && direction === 'in' && ((wasMap && !isRoot) || isMapOfRoot || isObject(old));
  const what = isClosed ? (isTakenAway ? 'closed.map' : 'closed') : 'opened';
  return [
    { class: `${direction}.additionalProperties.${what}`, path, severity: isTakenAway ? 'breaking' : 'compatible' },
  ];
}
