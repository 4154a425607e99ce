import { describe, expect, it } from 'vitest';
import { BOUNDS } from '../../../electron/core/bounds.ts';
import { capabilityRef } from '../../../electron/core/identity.ts';
import type {
  CapabilityId,
  CapabilityRef,
  JsonObject,
  Kind,
  KindOutcome,
  Server,
  ServerId,
} from '../../../electron/core/model.ts';
import { claimNames, nameKey, serverPrefix } from '../../../electron/core/names.ts';
import {
  inspectWith,
  instructionsOutcome,
  isSameOutcome,
  listOutcome,
  ListReader,
} from '../../../electron/core/observe.ts';
import type { PageAnswer } from '../../../electron/core/observe.ts';

// Ids are the definitions themselves.
const inspect = inspectWith((_kind, _originKey, definition) => JSON.stringify(definition) as CapabilityId);
const tool = (name: string, more: object = {}): JsonObject => ({ name, inputSchema: { type: 'object' }, ...more });
const page = (tools: readonly unknown[], more: object = {}, bytes?: number): PageAnswer => ({
  type: 'result',
  result: { tools, ...more },
  ...(bytes !== undefined && { bytes }),
});
const reader = (): ListReader => new ListReader('tool', inspect);
function outcomeOf(...answers: PageAnswer[]): KindOutcome | null {
  const one = reader();
  for (const answer of answers) if (one.outcome === null) one.accept(answer);
  return one.outcome;
}
const many = (count: number, from = 0): JsonObject[] => Array.from({ length: count }, (_, n) => tool(`t${from + n}`));

describe('while a list is read', () => {
  it('it says which page comes next', () => {
    const one = reader();
    expect([one.cursor, one.outcome]).toEqual([undefined, null]);
    one.accept(page([], { nextCursor: 'p2' }));
    expect([one.cursor, one.outcome]).toEqual(['p2', null]);
  });

  it('each page gives what its entries are now held to be', () => {
    const one = reader();
    expect(one.accept(page([tool('a'), 7, tool('b')], { nextCursor: 'p' })).map((item) => item.originKey)).toEqual([
      'a',
      'b',
    ]);
    const other = tool('a', { title: 'A' });
    expect(one.accept(page([tool('c'), other]))).toEqual([
      { originKey: 'c', id: JSON.stringify(tool('c')), definition: tool('c') },
      { originKey: 'a', invalid: 'it is listed twice with different definitions' },
    ]);
  });

  it('what a page shows twice in two ways, it does not show', () => {
    expect(reader().accept(page([tool('a'), tool('a', { title: 'A' })]))).toEqual([
      { originKey: 'a', invalid: 'it is listed twice with different definitions' },
    ]);
  });

  it('what cannot be read twice for one reason is one entry, and for two reasons another', () => {
    expect(reader().accept(page([{ name: 'a' }, { name: 'a', title: 'A' }]))).toEqual([
      { originKey: 'a', invalid: 'its “inputSchema” is missing or malformed' },
    ]);
    expect(reader().accept(page([{ name: 'a' }, tool('a', { title: 7 })]))).toEqual([
      { originKey: 'a', invalid: 'it is listed twice with different definitions' },
    ]);
  });

  it('a page that is no page gives nothing', () => {
    const nothing: PageAnswer[] = [
      ...[{ type: 'none', reason: 'exit' } as const, { type: 'error', code: -1, message: 'no' } as const],
      ...[{ type: 'result', result: 7 } as const, page([tool('a')], { resultType: 'partial' })],
    ];
    for (const answer of nothing) expect(reader().accept(answer)).toEqual([]);
  });
});

describe('why a list is not complete', () => {
  const of = (kind: 'tool' | 'resourceTemplate', ...answers: PageAnswer[]): KindOutcome =>
    listOutcome(kind, true, answers, inspect);
  const error = (code: number): PageAnswer => ({ type: 'error', code, message: 'no\n“way”' });
  const templates = { type: 'result', result: { resourceTemplates: [], nextCursor: 'p' } } as const;

  it.each<readonly [KindOutcome, KindOutcome]>([
    [of('tool', { type: 'none', reason: 'exit' }), { status: 'failed', reason: 'exit' }],
    [of('tool', error(-32603)), { status: 'failed', reason: 'it answered with error -32603: no "way"' }],
    [of('tool', { type: 'result', result: {} }), { status: 'failed', reason: 'its answer is not a list' }],
    [of('tool', page([], { resultType: 'partial' })), { status: 'failed', reason: 'its answer is not a finished one' }],
    [of('tool', page([], { resultType: 'complete' })), { status: 'complete-empty' }],
    [
      of('tool', page([tool('a')], { nextCursor: 'p' })),
      { status: 'incomplete', reason: 'the list ends in the middle', count: 1 },
    ],
    [
      of('tool', page([], { nextCursor: 7 })),
      { status: 'incomplete', reason: 'it does not say where its next page is', count: 0 },
    ],
    [
      of('tool', page([tool('a'), 1, {}])),
      { status: 'incomplete', reason: '2 of its entries have no readable “name”', count: 1 },
    ],
    [
      of('tool', page([], { cacheScope: 'a', nextCursor: 'p' }), page([], { cacheScope: 'b' })),
      { status: 'incomplete', reason: 'its pages do not belong together', count: 0 },
    ],
    [
      of('tool', page([], { cacheScope: 'a', nextCursor: 'p' }), page([], { cacheScope: 'a' })),
      { status: 'complete-empty' },
    ],
    // Templates came later than resources, so that a server may not know of them.
    [of('resourceTemplate', error(-32601)), { status: 'unsupported' }],
    [of('resourceTemplate', error(-32603)), { status: 'failed', reason: 'it answered with error -32603: no "way"' }],
    [
      of('resourceTemplate', templates, error(-32601)),
      { status: 'incomplete', reason: 'it answered with error -32601: no "way"', count: 0 },
    ],
    [of('resourceTemplate', { type: 'none', reason: 'exit' }), { status: 'failed', reason: 'exit' }],
  ])('%j', (found, wanted) => {
    expect(found).toEqual(wanted);
  });

  it.each<readonly [string, PageAnswer[], PageAnswer[], string]>([
    [
      'entries',
      [page(many(BOUNDS.items.value))],
      [page(many(BOUNDS.items.value), { nextCursor: 'p' }), page([tool('more')])],
      BOUNDS.items.reason,
    ],
    [
      'bytes',
      [page([], {}, BOUNDS.listBytes.value)],
      [page([], {}, BOUNDS.listBytes.value + 1)],
      BOUNDS.listBytes.reason,
    ],
    [
      'bytes of all pages',
      [page([], { nextCursor: 'p' }, 1), page([], {}, BOUNDS.listBytes.value - 1)],
      [page([], { nextCursor: 'p' }, 1), page([], {}, BOUNDS.listBytes.value)],
      BOUNDS.listBytes.reason,
    ],
    [
      'characters in a cursor',
      [page([], { nextCursor: 'c'.repeat(BOUNDS.cursorLength.value) }), page([])],
      [page([], { nextCursor: 'c'.repeat(BOUNDS.cursorLength.value + 1) })],
      BOUNDS.cursorLength.reason,
    ],
  ])('it has too many %s', (_, fits, tooMany, reason) => {
    expect(outcomeOf(...fits)?.status).toMatch(/^complete/);
    expect(outcomeOf(...tooMany)).toMatchObject({ status: 'incomplete', reason });
  });

  it('it has too many entries, of which those beyond are not looked at', () => {
    const more = outcomeOf(page(many(BOUNDS.items.value - 1), { nextCursor: 'p' }), page([...many(2, 9_000)]));
    expect(more).toMatchObject({ status: 'incomplete', count: BOUNDS.items.value });
  });

  it('it has a key that is too long', () => {
    expect(outcomeOf(page([tool('k'.repeat(BOUNDS.keyLength.value))]))?.status).toBe('complete');
    expect(outcomeOf(page([tool('k'.repeat(BOUNDS.keyLength.value + 1))]))?.status).toBe('incomplete');
  });

  it('it has keys that are too long together, each counted once', () => {
    const length = 8_000;
    const keys = Array.from({ length: BOUNDS.keysLength.value / length }, (_, n) => String(n).padEnd(length, 'k'));
    expect(outcomeOf(page([...keys, ...keys.slice(0, 9)].map((key) => tool(key))))?.status).toBe('complete');
    expect(outcomeOf(page([...keys, 'x'].map((key) => tool(key))))).toMatchObject({ reason: BOUNDS.keysLength.reason });
  });
});

describe('why an entry is invalid', () => {
  it.each<readonly [JsonObject, string]>([
    [{ name: 'a' }, 'its “inputSchema” is missing or malformed'],
    [tool('a', { annotations: { readOnlyHint: 7 } }), 'its “annotations.readOnlyHint” is missing or malformed'],
    [tool('a', { _meta: { n: 1e300 } }), 'a number beyond 2^53'],
  ])('%j', (entry, reason) => {
    expect(reader().accept(page([entry]))).toEqual([{ originKey: 'a', invalid: reason }]);
  });

  it('is told without the tricks that a name may hold', () => {
    const name = `${'x'.repeat(300)}\u202e`;
    const [item] = reader().accept(page([tool('a', { inputSchema: { type: 'object', properties: { [name]: 7 } } })]));
    expect(item).toEqual({
      originKey: 'a',
      invalid: `its “inputSchema.properties.${'x'.repeat(176)}…” is missing or malformed`,
    });
  });

  it('is told where what failed is no error', () => {
    const odd = inspectWith(() => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- what a library might do
      throw 'odd';
    });
    expect(odd('tool', 'a', tool('a'))).toEqual({ invalid: 'odd' });
  });
});

describe('the text of a server', () => {
  const outcome = (text: unknown): KindOutcome => instructionsOutcome(text, () => 'sha256:1' as CapabilityId);
  it('has a length that is bounded', () => {
    const fits = 'i'.repeat(BOUNDS.instructionsLength.value);
    expect(outcome(fits)).toMatchObject({ status: 'complete', items: [{ id: 'sha256:1' }] });
    expect(outcome(`${fits}i`)).toEqual({
      ...{ status: 'complete', items: [{ originKey: '', invalid: BOUNDS.instructionsLength.reason }] },
    });
  });

  it('is a text, or the list has failed', () => {
    expect(outcome({})).toEqual({ status: 'failed', reason: 'instructions are not a text' });
  });
});

describe('two lists in a row', () => {
  const list = (...tools: unknown[]): KindOutcome => listOutcome('tool', true, [page(tools)], inspect);
  it('are told apart by each of their entries', () => {
    expect(isSameOutcome(list(tool('a'), tool('b')), list(tool('a')))).toBe(false);
    expect(isSameOutcome(list(tool('a'), tool('b')), list(tool('a'), tool('b', { title: 'B' })))).toBe(false);
    expect(isSameOutcome(list({ name: 'a' }), list({ name: 'a' }))).toBe(true);
    expect(isSameOutcome(list({ name: 'a' }), list(tool('a', { title: 7 })))).toBe(false);
    expect(isSameOutcome(list(), list(tool('a')))).toBe(false);
  });

  it('that ended the same way without entries are the same', () => {
    const failed = (reason: string): KindOutcome => ({ status: 'failed', reason });
    expect(isSameOutcome(failed('exit'), failed('time-out'))).toBe(true);
  });
});

describe('names', () => {
  const servers = { a: { prefix: 'one' }, b: { prefix: 'one' }, c: { prefix: 'two' } } as unknown as Record<
    ServerId,
    Server
  >;
  const ref = (server: string, key: string, kind: Kind = 'tool'): CapabilityRef =>
    capabilityRef(server as ServerId, kind, key);
  const named = (...refs: CapabilityRef[]): (string | undefined)[] => {
    const { nameOf } = claimNames({}, refs, servers);
    return refs.map((each) => nameOf.get(each));
  };

  it('that are made legal may have 48 characters', () => {
    expect(named(ref('a', `${'a'.repeat(46)} b`))).toEqual([`${'a'.repeat(46)}_b`]);
  });

  it('that a prefix makes too long end in a hash of the whole', () => {
    const key = 'a'.repeat(45);
    const [, second, third] = named(ref('a', key), ref('c', key), ref('c', `${key} `));
    expect(second).toMatch(/^two_a{37}_[0-9a-f]{6}$/);
    expect(third).toBe(`${key}_`);
    const both = claimNames({ [nameKey('tool', `${key}_`)]: ref('b', 'x') }, [ref('c', `${key} `)], servers);
    expect(both.nameOf.get(ref('c', `${key} `))).toMatch(/^two_a{37}_[0-9a-f]{6}$/);
    expect(both.nameOf.get(ref('c', `${key} `))).not.toBe(second);
  });

  it('that are legal already go before one that is too long', () => {
    const long = 'B'.repeat(49);
    const [cut] = named(ref('a', long));
    const [longs, legals] = named(ref('a', long), ref('c', cut!));
    expect(legals).toBe(cut);
    expect(longs).toMatch(/^one_B{37}_[0-9a-f]{6}$/);
  });

  it('of the instructions of two servers with one prefix differ', () => {
    const [first, second] = named(ref('a', '', 'instructions'), ref('b', '', 'instructions'));
    expect(first).toBe('one');
    expect(second).toMatch(/^one-[0-9a-f]{4}$/);
  });

  it('of a server that is not there have no prefix', () => {
    const table = { [nameKey('tool', 'x')]: ref('a', 'x') };
    expect(claimNames(table, [ref('gone', 'x')], servers).nameOf.get(ref('gone', 'x'))).toBe('t__x');
  });

  it('in conflict are not in the table', () => {
    const { table } = claimNames({}, [ref('a', 'x://', 'resource'), ref('c', 'x://', 'resource')], servers);
    expect(table).toEqual({ [nameKey('resource', 'x://')]: ref('a', 'x://', 'resource') });
  });

  it('go to the first by key, then by prefix, then by ref', () => {
    expect(named(ref('c', 'x'), ref('b', 'x'), ref('a', 'x'))).toEqual(['two_x', 'one_x', 'x']);
    expect(named(ref('c', 'b c'), ref('a', 'b:c'))).toEqual(['b_c', 'one_b_c']);
  });

  it('of servers are ASCII slugs of ASCII labels', () => {
    const prefix = (name: string): string => serverPrefix(name, 'server-1' as ServerId, []);
    for (const name of ['Éclair', 'a\nb', 'Zoë']) expect(prefix(name)).toMatch(/^s[0-9a-f]{4}$/);
    expect(prefix('!! a !! b !!')).toBe('a-b');
    expect(prefix('~Az09~')).toBe('az09');
  });
});
