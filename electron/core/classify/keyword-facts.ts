import { isObject } from '../canonical.ts';
import type { Fact, Json, JsonObject, Severity } from '../model.ts';
import { areSame, assertionsOf } from './assertions.ts';
import { boundKnown, typesOf, valuesOf, type Side } from './known.ts';
import { isHarmless, type Place } from './direction.ts';

type Way = 'widened' | 'narrowed' | 'changed';
interface Row {
  readonly keywords: readonly string[];
  readonly name: (way: Way, before: JsonObject, after: JsonObject) => string;
  readonly way: (before: JsonObject, after: JsonObject) => Way;
}

const bound = (side: Side, keywords: readonly string[]): Row => ({
  keywords,
  name: (way) => (way === 'widened' ? 'bound.loosened' : 'bound.tightened'),
  way: (before, after) => {
    const [old, now] = [boundKnown([before], side), boundKnown([after], side)];
    if (old === null || now === null) return old === null ? 'narrowed' : 'widened';
    const sign = side === 'lower' ? 1 : -1;
    const difference = (now.at - old.at) * sign || Number(now.isExcluded) - Number(old.isExcluded);
    return difference > 0 ? 'narrowed' : 'widened';
  },
});
const count = (keyword: string, isLower: boolean): Row => ({
  keywords: [keyword],
  name: (way) => (way === 'widened' ? 'bound.loosened' : 'bound.tightened'),
  way: (before, after) => {
    const [old, now] = [before[keyword], after[keyword]];
    if (typeof old !== 'number') return 'narrowed';
    if (typeof now !== 'number') return 'widened';
    return now > old === isLower ? 'narrowed' : 'widened';
  },
});
/** A word that is there, not there, or another one: nothing of it can be compared by size. */
const word = (keyword: string): Row => ({
  keywords: [keyword],
  name: (_, before, after) => {
    const what = before[keyword] === undefined ? 'added' : after[keyword] === undefined ? 'removed' : 'changed';
    return `${keyword}.${what}`;
  },
  way: (before, after) =>
    before[keyword] === undefined ? 'narrowed' : after[keyword] === undefined ? 'widened' : 'changed',
});

const ROWS: readonly Row[] = [
  {
    keywords: ['type'],
    name: (way) => `type.${way}`,
    way: (before, after) =>
      compareSets(typesOf({ type: before['type'] ?? ALL }), typesOf({ type: after['type'] ?? ALL })),
  },
  { keywords: ['enum', 'const'], name: enumName, way: enumWay },
  bound('lower', ['minimum', 'exclusiveMinimum']),
  bound('upper', ['maximum', 'exclusiveMaximum']),
  ...['minLength', 'minItems', 'minProperties', 'minContains'].map((keyword) => count(keyword, true)),
  ...['maxLength', 'maxItems', 'maxProperties', 'maxContains'].map((keyword) => count(keyword, false)),
  ...['multipleOf', 'uniqueItems', 'pattern', 'format'].map(word),
];
const ALL: Json = ['null', 'boolean', 'string', 'number', 'array', 'object'];

function compareSets<T>(before: ReadonlySet<T>, after: ReadonlySet<T>): Way {
  const [isKept, isOld] = [[...before].every((each) => after.has(each)), [...after].every((each) => before.has(each))];
  return isKept === isOld ? 'changed' : isKept ? 'widened' : 'narrowed';
}

function enumWay(before: JsonObject, after: JsonObject): Way {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (old === null || now === null) return old === null ? 'narrowed' : 'widened';
  const text = (value: Json): string => JSON.stringify(value);
  return compareSets(new Set(old.map(text)), new Set(now.map(text)));
}

function enumName(way: Way, before: JsonObject, after: JsonObject): string {
  if (valuesOf(before) === null) return 'enum.added';
  return valuesOf(after) === null ? 'enum.dropped' : `enum.${way}`;
}

/**
 * Facts about the words of one schema that say which values are valid, but for what is compared part by part. Words that
 * together accept all that they accepted are no harm, whatever each of them did.
 */
export function keywordFacts(before: JsonObject, after: JsonObject, place: Place): Fact[] {
  const [old, now] = [objectOf(assertionsOf(before)), objectOf(assertionsOf(after))];
  if (areSame(old, now)) return [];
  const isFine = isHarmless(old, now, place.direction, place.budget);
  const facts = ROWS.filter(({ keywords }) => keywords.some((keyword) => !areSame(old[keyword], now[keyword]))).map(
    (row): Fact => {
      const way = row.way(old, now);
      const isRefused = place.direction === 'in' ? way !== 'widened' : way !== 'narrowed';
      const severity: Severity = isRefused && !isFine ? 'breaking' : 'compatible';
      return {
        class: `${place.direction}.${row.name(way, old, now)}`,
        path: place.path,
        ...sides(row, before, after),
        severity,
      };
    },
  );
  const isUnexplained = !isFine && !facts.some(({ severity }) => severity === 'breaking');
  if (!isUnexplained && facts.length > 0) return facts;
  return [
    ...facts,
    { class: `${place.direction}.structure`, path: place.path, severity: isFine ? 'compatible' : 'breaking' },
  ];
}

function sides({ keywords }: Row, before: JsonObject, after: JsonObject): Pick<Fact, 'before' | 'after'> {
  const [keyword] = keywords.filter((each) => before[each] !== undefined || after[each] !== undefined);
  const [old, now] = [before[keyword ?? ''], after[keyword ?? '']];
  return { ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) };
}

function objectOf(schema: Json): JsonObject {
  return isObject(schema) ? schema : {};
}
