import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { capabilityId } from '../../electron/core/identity.ts';
import type { JsonObject, KindOutcome, ListedKind, Route, ServerId } from '../../electron/core/model.ts';
import { LISTS, inspectWith, instructionsOutcome, isSameOutcome, listOutcome } from '../../electron/core/observe.ts';
import type { PageAnswer } from '../../electron/core/observe.ts';
import { isObject } from '../../electron/gateway/rpc.ts';
import { fuzz } from './fuzzing.ts';
import { changed, oddName, oddText, oddValue } from './inputs.ts';

const SERVER = 'srv-a' as ServerId; // as the core makes them
const ROUTE = 'npm:a' as Route;
const inspect = inspectWith((kind, originKey, definition) =>
  capabilityId({ serverId: SERVER, kind, originKey, route: ROUTE, definition }),
);

const kinds = fc.constantFrom<ListedKind>('tool', 'prompt', 'resource', 'resourceTemplate');
const key = fc.oneof(fc.constantFrom('search', 'fetch', 'file:///a', 'file:///{id}'), oddName);
const schema = fc.constantFrom<unknown>(
  { type: 'object' },
  { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a' } },
    $defs: { a: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/a' }] } },
  },
);

/** An entry that is right for every kind; then changed. */
const entry = changed(
  fc.record(
    { name: key, uri: key, uriTemplate: key, description: oddText, inputSchema: schema },
    { requiredKeys: ['name', 'uri', 'uriTemplate', 'inputSchema'] },
  ),
  2,
);
const entries = fc.oneof(
  { weight: 9, arbitrary: fc.array(entry, { maxLength: 4 }) },
  { weight: 1, arbitrary: oddValue },
);
const cursor = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 1000 }).map((at) => `page-${at}`) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(undefined, null) },
  { weight: 1, arbitrary: oddValue },
);

const page: fc.Arbitrary<PageAnswer> = fc.oneof(
  {
    weight: 12,
    arbitrary: changed(
      fc.tuple(entries, cursor).map(([items, nextCursor]) => resultOf(items, nextCursor)),
      1,
    ).map((result): PageAnswer => ({ type: 'result', result })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(-32601, -32603, NaN), oddText)
      .map(([code, message]): PageAnswer => ({ type: 'error', code, message })),
  },
  { weight: 1, arbitrary: oddText.map((reason): PageAnswer => ({ type: 'none', reason })) },
);

/** The field of every kind, so that one page serves them all. */
function resultOf(items: unknown, nextCursor: unknown): JsonObject {
  const fields = Object.values(LISTS).map(({ field }) => [field, items] as const);
  // As it would come out of JSON.parse: without members that are undefined.
  return JSON.parse(JSON.stringify({ ...Object.fromEntries(fields), nextCursor })) as JsonObject;
}

/** Told from the pages themselves: how many belong to the list, and whether its last one was seen. */
function readWhole(kind: ListedKind, answers: readonly PageAnswer[]): { isWhole: boolean; entries: unknown[] } {
  const seen: unknown[] = [];
  for (const answer of answers) {
    if (answer.type !== 'result' || !isObject(answer.result)) return { isWhole: false, entries: seen };
    const items = Object.hasOwn(answer.result, LISTS[kind].field) ? answer.result[LISTS[kind].field] : undefined;
    if (!Array.isArray(items)) return { isWhole: false, entries: seen };
    seen.push(...(items as unknown[]));
    const next = Object.hasOwn(answer.result, 'nextCursor') ? answer.result['nextCursor'] : undefined;
    if (next === undefined || next === null) return { isWhole: true, entries: seen };
    if (typeof next !== 'string') return { isWhole: false, entries: seen };
  }
  return { isWhole: false, entries: seen };
}

const isComplete = ({ status }: KindOutcome): boolean => status === 'complete' || status === 'complete-empty';

describe('the list reader', () => {
  fuzz('calls a list complete only where its last page was read and every entry on the way has a key', {
    inputs: fc.tuple(kinds, fc.array(page, { maxLength: 5 })),
    check: ([kind, answers], beside) => {
      const outcome = listOutcome(kind, true, answers, inspect);
      const { isWhole, entries: seen } = readWhole(kind, answers);
      if (!isComplete(outcome)) return outcome.status === 'failed' ? beside() : undefined;
      expect(isWhole).toBe(true);
      const keys = seen.map((one) =>
        isObject(one) && Object.hasOwn(one, LISTS[kind].key) ? one[LISTS[kind].key] : '',
      );
      for (const one of keys) expect(typeof one === 'string' && one !== '').toBe(true);
      const items = outcome.status === 'complete' ? outcome.items : [];
      expect(new Set(items.map(({ originKey }) => originKey))).toEqual(new Set(keys));
      expect(items.length).toBe(new Set(keys).size);
    },
  });

  fuzz('says the same of the same entries in any order and on any pages', {
    inputs: fc.tuple(
      kinds,
      fc.array(entry, { maxLength: 6 }),
      fc.array(fc.nat({ max: 6 }), { maxLength: 3 }),
      fc.nat(),
    ),
    check: ([kind, items, places, seed], beside) => {
      const plain = listOutcome(kind, true, pagesOf(items, []), inspect);
      const mixed = listOutcome(kind, true, pagesOf(shuffled(items, seed), places), inspect);
      if (!isSameOutcome(plain, mixed)) expect.fail(`${JSON.stringify(plain)}\nis not\n${JSON.stringify(mixed)}`);
      if (plain.status !== 'complete') beside();
    },
  });

  fuzz('gives an entry the same id in whatever order its members are', {
    inputs: fc.tuple(kinds, entry, fc.nat()),
    check: ([kind, one, seed], beside) => {
      const [plain, mixed] = [one, reordered(one, seed)].map((each) =>
        idsOf(listOutcome(kind, true, pagesOf([each], []), inspect)),
      );
      expect(mixed).toEqual(plain);
      if (plain?.[0] === undefined) beside();
    },
  });

  fuzz('takes any instructions for a text, for none, or for a failure', {
    inputs: fc.oneof(oddValue, oddText),
    check: (instructions) => {
      const outcome = instructionsOutcome(instructions, (definition) =>
        capabilityId({ serverId: SERVER, kind: 'instructions', originKey: '', route: ROUTE, definition }),
      );
      const isText = typeof instructions === 'string' && instructions !== '';
      const isNone = instructions === undefined || instructions === null || instructions === '';
      expect(outcome.status).toBe(isText ? 'complete' : isNone ? 'complete-empty' : 'failed');
    },
  });
});

/** Ids, and `null` for what is invalid: of two faults either may be named. */
function idsOf(outcome: KindOutcome): (string | null)[] {
  return outcome.status === 'complete' ? outcome.items.map((item) => ('id' in item ? item.id : null)) : [];
}

function pagesOf(items: readonly unknown[], places: readonly number[]): PageAnswer[] {
  const cuts = [...new Set(places)].filter((at) => at <= items.length).sort((a, b) => a - b);
  const starts = [0, ...cuts];
  return starts.map((start, at): PageAnswer => {
    const nextCursor = at === starts.length - 1 ? undefined : `page-${at}`;
    return { type: 'result', result: resultOf(items.slice(start, starts[at + 1] ?? items.length), nextCursor) };
  });
}

/** Another order that the seed alone decides. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const left = [...items];
  const order: T[] = [];
  for (let at = seed; left.length > 0; at = (at * 31 + 7) % 1_000_003) order.push(...left.splice(at % left.length, 1));
  return order;
}

function reordered(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((one) => reordered(one, seed));
  if (typeof value !== 'object' || value === null) return value;
  const members = shuffled(Object.entries(value), seed).map(
    ([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(reordered(one, seed))}`,
  );
  return JSON.parse(`{${members.join(',')}}`);
}
