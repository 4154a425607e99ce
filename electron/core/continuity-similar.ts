import { isObject } from './canonical.ts';
import type { Named } from './continuity.ts';
import type { Json } from './model.ts';

/** How much two capabilities have to have in common, from 0 to 1. */
const ENOUGH = 0.44;
/** A second one is named only where it is nearly as good. */
const NEARLY = 0.9;
const MAX_ROWS = 3;

const MAX_WORDS = 120;
/** Of one capability, the rarest words lead to what it is compared with: so many words, so many others each. */
const LEADS = 12;
const MAX_FOLLOWED = 100;
const MAX_COMPARED = 10;

interface Features {
  readonly originKey: string;
  readonly name: Words;
  readonly text: Words;
  readonly inputs: Words;
}
/** Words, and what they weigh together once that has been worked out. */
interface Words {
  readonly all: ReadonlySet<string>;
  total?: number;
}

export interface Pair {
  readonly from: string;
  readonly to: string;
}

/**
 * Pairs whose names and descriptions are alike, the closest first for each that was removed. Words that many share count
 * little; inputs alone count nothing.
 */
export function similarPairs(removed: readonly Named[], added: readonly Named[], kept: readonly Named[]): Pair[] {
  if (removed.length === 0 || added.length === 0) return [];
  const news = added.map(featuresOf);
  const gone = removed.map(featuresOf);
  const weight = weights([...news, ...gone, ...kept.map(featuresOf)]);
  const index = indexOf(news);
  return gone.flatMap((one) => {
    const scored = candidates(one, news, index, weight)
      .map((other) => ({ to: other.originKey, score: likeness(one, other, weight) }))
      .filter(({ score }) => score >= ENOUGH)
      .sort((a, b) => b.score - a.score);
    const best = scored[0]?.score ?? 0;
    return scored
      .filter(({ score }) => score >= best * NEARLY)
      .slice(0, MAX_ROWS)
      .map(({ to }) => ({ from: one.originKey, to }));
  });
}

function featuresOf({ originKey, definition }: Named): Features {
  const description = definition['description'];
  return {
    originKey,
    name: { all: new Set(nameWords(originKey)) },
    text: { all: new Set(typeof description === 'string' ? textWords(description) : []) },
    inputs: { all: new Set(inputNames(definition['inputSchema'] ?? null)) },
  };
}

/** `getLibrary-docs` -> get, library, docs. */
function nameWords(name: string): string[] {
  const apart = name.slice(0, 500).replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function textWords(text: string): string[] {
  const words = text
    .slice(0, 4_000)
    .toLowerCase()
    .match(/[\p{L}\p{N}]{3,40}/gu);
  return (words ?? []).slice(0, MAX_WORDS);
}

function inputNames(schema: Json): string[] {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? Object.keys(properties).slice(0, MAX_WORDS) : [];
}

function wordsOf({ name, text }: Features): ReadonlySet<string> {
  return new Set([...name.all, ...text.all]);
}

type Weight = (word: string) => number;

/** A word that stands in every description says nothing. */
function weights(all: readonly Features[]): Weight {
  const counts = new Map<string, number>();
  for (const each of all) for (const word of wordsOf(each)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const known = new Map([...counts].map(([word, count]) => [word, Math.log(1 + all.length / count)]));
  return (word) => known.get(word) ?? 0; // every word that is asked for was counted
}

type Index = ReadonlyMap<string, readonly number[]>;

function indexOf(news: readonly Features[]): Index {
  const index = new Map<string, number[]>();
  news.forEach((each, at) => {
    for (const word of wordsOf(each)) {
      const list = index.get(word);
      if (list === undefined) index.set(word, [at]);
      else list.push(at);
    }
  });
  return index;
}

/** What shares its rarest words, the most of them first: never everything with everything. */
function candidates(one: Features, news: readonly Features[], index: Index, weight: Weight): Features[] {
  const shared = [...wordsOf(one)].flatMap((word) => {
    const list = index.get(word);
    return list === undefined ? [] : [{ weight: weight(word), list }];
  });
  const sums = new Map<number, number>();
  for (const { weight: own, list } of shared.sort((a, b) => a.list.length - b.list.length).slice(0, LEADS)) {
    for (const at of list.slice(0, MAX_FOLLOWED)) sums.set(at, (sums.get(at) ?? 0) + own);
  }
  const best = [...sums].sort(([, a], [, b]) => b - a).slice(0, MAX_COMPARED);
  return best.flatMap(([at]) => news[at] ?? []);
}

function likeness(a: Features, b: Features, weight: Weight): number {
  const [names, texts] = [overlap(a.name, b.name, weight), overlap(a.text, b.text, weight)];
  return 0.45 * names + 0.45 * texts + 0.1 * overlap(a.inputs, b.inputs, () => 1);
}

/** Weight of what is in both, of what is in either; nothing where one has none. */
function overlap(a: Words, b: Words, weight: Weight): number {
  if (a.all.size === 0 || b.all.size === 0) return 0;
  let both = 0;
  for (const word of a.all) if (b.all.has(word)) both += weight(word);
  return both / (totalOf(a, weight) + totalOf(b, weight) - both);
}

function totalOf(words: Words, weight: Weight): number {
  words.total ??= [...words.all].reduce((total, word) => total + weight(word), 0);
  return words.total;
}
