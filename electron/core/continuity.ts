import { byCodeUnits, canonicalText, isObject } from './canonical.ts';
import { quotedMentions, structuredMentions } from './continuity-words.ts';
import { similarPairs } from './continuity-similar.ts';
import type { Json, JsonObject, Kind } from './model.ts';
import { normalForm } from './normal-form.ts';

/** A capability of one server by its kind, origin key and definition. */
export interface Named {
  readonly kind: Kind;
  readonly originKey: string;
  readonly definition: JsonObject;
}

/**
 * What speaks for it, strongest first: `said`, the maintainer's own word; `same-content`, identical description and
 * schema; `same-name`, the same but for case, `-` and `_`; `similar`, name and description are alike.
 */
export const EVIDENCE = ['said', 'same-content', 'same-name', 'similar'] as const;
export type Evidence = (typeof EVIDENCE)[number];

const CONFIDENCE = { said: 'high', 'same-content': 'medium', 'same-name': 'medium', similar: 'low' } as const;

/** Evidence that one capability continues another of the same kind. It orders suggestions, and is never applied. */
export interface Continuity {
  readonly kind: Kind;
  /** Origin key of what is gone. */
  readonly from: string;
  /** Origin key of what may continue it. */
  readonly to: string;
  readonly evidence: Evidence;
  readonly confidence: (typeof CONFIDENCE)[Evidence];
  /** The maintainer's words. */
  readonly quote?: string;
}

type Found = Pick<Continuity, 'from' | 'to' | 'evidence' | 'quote'>;

/** A description that more than so many share on one side says nothing about any of them. */
const MAX_ALIKE = 4;

/**
 * Evidence that what was added continues what was removed (README, "Continuity"), strongest first, one row per pair.
 * Several rows to one capability are a merge, several from one a split. What was there before and still is, `kept`
 * (as it is now), counts only where the maintainer names it. Takes time in proportion to the definitions.
 */
export function continuity(
  removed: readonly Named[],
  added: readonly Named[],
  kept: readonly Named[] = [],
): Continuity[] {
  // Instructions have no name that could change.
  const kinds = [...new Set(removed.map(({ kind }) => kind))].filter((kind) => kind !== 'instructions');
  return kinds.flatMap((kind) => {
    const of = (list: readonly Named[]): Named[] => list.filter((each) => each.kind === kind);
    return ofOneKind(of(removed), of(added), of(kept)).map(({ quote, ...row }) => ({
      kind,
      ...row,
      confidence: CONFIDENCE[row.evidence],
      ...(quote !== undefined && { quote }),
    }));
  });
}

function ofOneKind(removed: readonly Named[], added: readonly Named[], kept: readonly Named[]): Found[] {
  const strong = [
    ...said(removed, [...added, ...kept]),
    ...alike(removed, added, 'same-content', contentKey),
    ...alike(removed, added, 'same-name', ({ originKey }) => foldedName(originKey)),
  ];
  const explained = new Set(strong.map(({ from }) => from));
  const rest = removed.filter(({ originKey }) => !explained.has(originKey));
  // A new name for the same thing is no new name for another thing that is only like it.
  const taken = new Set(strong.filter(({ evidence }) => evidence !== 'said').map(({ to }) => to));
  const free = added.filter(({ originKey }) => !taken.has(originKey));
  const weak = similarPairs(rest, free, kept).map((pair): Found => ({ ...pair, evidence: 'similar' }));
  const rows = new Map<string, Found>();
  for (const row of [...strong, ...weak]) {
    const key = JSON.stringify([row.from, row.to]);
    if (!rows.has(key)) rows.set(key, row); // the strongest comes first
  }
  const rank = ({ evidence }: Found): number => EVIDENCE.indexOf(evidence);
  // The sort is stable: pairs that are similar stay in the order of how much they are.
  return [...rows.values()].sort((a, b) => rank(a) - rank(b) || byCodeUnits(a.from, b.from));
}

/** What the old definition says of its successor, and the present ones of what they succeed. */
function said(removed: readonly Named[], present: readonly Named[]): Found[] {
  const goneNames = new Set(removed.map(({ originKey }) => originKey));
  const presentNames = new Set(present.map(({ originKey }) => originKey).filter((name) => !goneNames.has(name)));
  const forward = removed.flatMap(({ originKey, definition }) =>
    mentions(definition, presentNames, 'old').map(({ name, quote }) => ({ from: originKey, to: name, quote })),
  );
  const backward = present.flatMap(({ originKey, definition }) =>
    mentions(definition, goneNames, 'new').map(({ name, quote }) => ({ from: name, to: originKey, quote })),
  );
  return [...forward, ...backward].map((row) => ({ ...row, evidence: 'said' }));
}

function mentions(definition: JsonObject, names: ReadonlySet<string>, side: 'old' | 'new') {
  return names.size === 0
    ? []
    : [...structuredMentions(definition, names), ...quotedMentions(textOf(definition['description']), names, side)];
}

/** Pairs with the same key, where few enough share it. */
function alike(
  removed: readonly Named[],
  added: readonly Named[],
  evidence: Evidence,
  keyOf: (each: Named) => string | null,
): Found[] {
  const [gone, news] = [grouped(removed, keyOf), grouped(added, keyOf)];
  return [...gone].flatMap(([key, froms]) => {
    const tos = news.get(key) ?? [];
    if (froms.length > MAX_ALIKE || tos.length > MAX_ALIKE) return [];
    return froms.flatMap((from) => tos.map((to): Found => ({ from, to, evidence })));
  });
}

function grouped(list: readonly Named[], keyOf: (each: Named) => string | null): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const each of list) {
    const key = keyOf(each);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each.originKey]);
    else group.push(each.originKey);
  }
  return groups;
}

/** Case, `-` and `_` make no other name. */
function foldedName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

const CONTENT: Readonly<Record<Kind, readonly string[]>> = {
  tool: ['inputSchema'],
  prompt: ['arguments'],
  resource: ['name', 'mimeType'],
  resourceTemplate: ['name', 'mimeType'],
  instructions: [],
};

/** Description and schema; `null` without a description, because equal schemas alone say nothing. */
function contentKey({ kind, definition }: Named): string | null {
  const description = textOf(definition['description']).trim();
  if (description === '') return null;
  const form = normalForm(kind, definition);
  const rest = CONTENT[kind].map((field): Json => (isObject(form) ? (form[field] ?? null) : null));
  return canonicalText([description, ...rest]);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
