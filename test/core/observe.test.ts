import { describe, expect, it } from 'vitest';
import type { CapabilityId, JsonObject, KindOutcome, ListedKind } from '../../electron/core/model.ts';
import { inspectWith, instructionsOutcome, isSameOutcome, listOutcome } from '../../electron/core/observe.ts';
import type { PageAnswer } from '../../electron/core/observe.ts';

// Ids are the definitions themselves, so that the tests can see what was taken for the same.
const inspect = inspectWith((_kind, _originKey, definition) => JSON.stringify(definition) as CapabilityId);
const read = (answers: readonly PageAnswer[], kind: ListedKind = 'tool', isDeclared = true): KindOutcome =>
  listOutcome(kind, isDeclared, answers, inspect);

const tool = (name: string, more: object = {}): JsonObject => ({ name, inputSchema: { type: 'object' }, ...more });
const page = (tools: unknown, nextCursor?: unknown): PageAnswer => ({
  type: 'result',
  result: { tools, ...(nextCursor !== undefined && { nextCursor }) },
});
const error = (code: number): PageAnswer => ({ type: 'error', code, message: 'no' });
const none: PageAnswer = { type: 'none', reason: 'no answer within 15 s' };
const keys = (outcome: KindOutcome): unknown =>
  outcome.status === 'complete' ? outcome.items.map((item) => item.originKey) : outcome;

describe('what the pages of a list amount to', () => {
  it('is failed when the first page is an error, a time-out or no list', () => {
    for (const first of [
      error(-32603),
      none,
      page({ a: 1 }),
      page(undefined),
      { type: 'result', result: 7 } as const,
    ]) {
      expect(read([first]).status).toBe('failed');
    }
  });

  it('is unsupported when the server does not declare the kind', () => {
    expect(read([], 'tool', false)).toEqual({ status: 'unsupported' });
  });

  it('is complete when every page was read', () => {
    expect(keys(read([page([tool('a')], 'p2'), page([tool('b')])]))).toEqual(['a', 'b']);
  });

  it('is complete-empty when every page was read and nothing was on them', () => {
    expect(read([page([], 'p2'), page([])])).toEqual({ status: 'complete-empty' });
  });

  it('is failed when a declared kind answers that there is no such method', () => {
    for (const kind of ['tool', 'prompt', 'resource'] as const)
      expect(read([error(-32601)], kind).status).toBe('failed');
  });

  it('is unsupported when only resource templates answer that there is no such method', () => {
    expect(read([error(-32601)], 'resourceTemplate')).toEqual({ status: 'unsupported' });
  });

  it('is incomplete when a later page is missing in any way', () => {
    for (const second of [error(-32603), error(-32602), error(-32601), none, page('x')]) {
      expect(read([page([tool('a')], 'p2'), second])).toMatchObject({ status: 'incomplete', count: 1 });
    }
    expect(read([page([tool('a')], 'p2')])).toMatchObject({ status: 'incomplete' });
  });

  it('is incomplete when a cursor repeats, at once or in a circle', () => {
    expect(read([page([], 'p'), page([], 'p')])).toMatchObject({
      status: 'incomplete',
      reason: 'its pages lead back to one that was read',
    });
    expect(read([page([], 'a'), page([], 'b'), page([], 'a')])).toMatchObject({ status: 'incomplete' });
  });

  it('is incomplete beyond 100 pages or 5,000 entries', () => {
    const pages = (count: number): PageAnswer[] =>
      Array.from({ length: count }, (_, i) => page([tool(`t${i}`)], i === count - 1 ? undefined : `p${i}`));
    expect(read(pages(100)).status).toBe('complete');
    expect(read(pages(101)).status).toBe('incomplete');
    const entries = (count: number): JsonObject[] => Array.from({ length: count }, (_, i) => tool(`t${i}`));
    expect(read([page(entries(5000))]).status).toBe('complete');
    expect(read([page(entries(5001))]).status).toBe('incomplete');
  });

  it('is incomplete when a cursor is no text', () => {
    expect(read([page([tool('a')], 7)])).toMatchObject({ status: 'incomplete' });
  });

  it('ends at a cursor that is null, and goes on at an empty one', () => {
    expect(keys(read([page([tool('a')], null)]))).toEqual(['a']);
    expect(keys(read([page([tool('a')], ''), page([tool('b')])]))).toEqual(['a', 'b']);
  });

  it('is incomplete when the key of an entry cannot be read', () => {
    for (const entry of [{ title: 'x' }, { name: 7 }, { name: '' }, null, 'a', []]) {
      expect(read([page([tool('a'), entry])])).toMatchObject({ status: 'incomplete', count: 1 });
    }
  });

  it('holds one malformed entry invalid and counts the rest', () => {
    const outcome = read([page([tool('a'), { name: 'b' }])]);
    expect(outcome).toMatchObject({
      status: 'complete',
      items: [
        { originKey: 'a', id: expect.any(String) as string },
        { originKey: 'b', invalid: expect.any(String) as string },
      ],
    });
  });

  it('holds a key with two definitions invalid, on one page or on two', () => {
    const twice = [tool('a'), tool('a', { description: 'other' })];
    for (const answers of [[page(twice)], [page(twice.slice(0, 1), 'p2'), page(twice.slice(1))]]) {
      expect(read(answers)).toEqual({
        status: 'complete',
        items: [{ originKey: 'a', invalid: 'it is listed twice with different definitions' }],
      });
    }
  });

  it('counts the same entry twice as one', () => {
    expect(keys(read([page([tool('a'), tool('a')], 'p2'), page([tool('a')])]))).toEqual(['a']);
  });

  it('holds invalid what has no id', () => {
    const failing = inspectWith(() => {
      throw new Error('a number beyond 2^53');
    });
    expect(listOutcome('tool', true, [page([tool('a')])], failing)).toEqual({
      status: 'complete',
      items: [{ originKey: 'a', invalid: 'a number beyond 2^53' }],
    });
  });

  it('keeps entries as they came, unknown fields included', () => {
    const odd = tool('a', { 'x-vendor': { z: [null] }, annotations: { xHint: 1 } });
    const outcome = read([page([odd])]);
    expect(outcome.status === 'complete' && outcome.items[0]).toMatchObject({ definition: odd });
  });

  it('reads prompts, resources and templates by their own keys', () => {
    const of = (field: string, entry: object): PageAnswer => ({ type: 'result', result: { [field]: [entry] } });
    expect(keys(read([of('prompts', { name: 'p' })], 'prompt'))).toEqual(['p']);
    expect(keys(read([of('resources', { uri: 'x://1', name: 'r' })], 'resource'))).toEqual(['x://1']);
    expect(keys(read([of('resourceTemplates', { uriTemplate: 'x://{a}', name: 't' })], 'resourceTemplate'))).toEqual([
      'x://{a}',
    ]);
  });
});

describe('entries that host apps refuse a whole list for', () => {
  it.each([
    ['no input schema', { name: 'a' }],
    ['an input schema that is no object schema', { name: 'a', inputSchema: { properties: {} } }],
    ['a property that is no schema object', tool('a', { inputSchema: { type: 'object', properties: { x: true } } })],
    ['an output schema of an array', tool('a', { outputSchema: { type: 'array' } })],
    ['null for annotations', tool('a', { annotations: null })],
    ['a hint that is no boolean', tool('a', { annotations: { readOnlyHint: 'yes' } })],
    ['a description that is no text', tool('a', { description: 7 })],
    ['an unknown task support', tool('a', { execution: { taskSupport: 'sometimes' } })],
  ])('are invalid: %s', (_, entry) => {
    expect(read([page([entry])])).toMatchObject({ items: [{ originKey: 'a', invalid: expect.any(String) as string }] });
  });
});

describe('the text a server gives about itself', () => {
  const outcome = (instructions: unknown): KindOutcome =>
    instructionsOutcome(instructions, (definition) => JSON.stringify(definition) as CapabilityId);

  it('is one entry with an empty key', () => {
    const definition = { instructions: 'be nice' };
    expect(outcome('be nice')).toEqual({
      status: 'complete',
      items: [{ originKey: '', id: JSON.stringify(definition), definition }],
    });
  });

  it('is complete-empty where there is none', () => {
    for (const nothing of [undefined, null, '']) expect(outcome(nothing)).toEqual({ status: 'complete-empty' });
  });

  it('is failed where it is no text', () => {
    expect(outcome(7).status).toBe('failed');
  });

  it('is invalid where it has no id', () => {
    const failing = (): CapabilityId => {
      throw new Error('a lone surrogate in a text');
    };
    expect(instructionsOutcome('x', failing)).toMatchObject({ items: [{ invalid: 'a lone surrogate in a text' }] });
  });
});

describe('two lists in a row', () => {
  const list = (...tools: JsonObject[]): KindOutcome => read([page(tools)]);

  it('are the same whatever their order', () => {
    expect(isSameOutcome(list(tool('a'), tool('b')), list(tool('b'), tool('a')))).toBe(true);
  });

  it('differ by a definition, an entry or how they ended', () => {
    const one = list(tool('a'));
    expect(isSameOutcome(one, list(tool('a', { title: 'A' })))).toBe(false);
    expect(isSameOutcome(one, list(tool('a'), tool('b')))).toBe(false);
    expect(isSameOutcome(one, list(tool('b')))).toBe(false);
    expect(isSameOutcome(one, read([none]))).toBe(false);
    expect(isSameOutcome(list(), list())).toBe(true);
  });
});
