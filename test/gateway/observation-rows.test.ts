import { afterEach, describe, expect, it } from 'vitest';
import { BOUNDS } from '../../electron/core/bounds.ts';
import type { KindOutcome, ListedKind, Observation } from '../../electron/core/model.ts';
import { LISTED_KINDS } from '../../electron/core/model.ts';
import { LISTS } from '../../electron/core/observe.ts';
import type { Timings } from '../../electron/gateway/timings.ts';
import { SERVER, World, eventually, tool } from './harness.ts';
import type { Control, Definition } from './harness.ts';

// What one list of a real process amounts to, whatever goes wrong with it: every case in all four kinds, and each time
// the lists that nothing is wrong with are read as ever.

const entryOf: Readonly<Record<ListedKind, (key: string, title?: string) => Definition>> = {
  tool: (key, title) => ({ ...tool(key), ...(title !== undefined && { title }) }),
  prompt: (key, title) => ({ name: key, ...(title !== undefined && { title }) }),
  resource: (key, title) => ({ uri: `x://${key}`, name: key, ...(title !== undefined && { title }) }),
  resourceTemplate: (key, title) => ({
    uriTemplate: `x://${key}/{id}`,
    name: key,
    ...(title !== undefined && { title }),
  }),
};
const keyOf = (kind: ListedKind, key: string): unknown => entryOf[kind](key)[LISTS[kind].key];
/** Two entries of each kind. */
const EVERYTHING: Control = Object.fromEntries(
  LISTED_KINDS.map((kind) => [LISTS[kind].field, [entryOf[kind]('a'), entryOf[kind]('b')]]),
);

let world: World | null = null;
const opened = (): World => {
  if (!world) throw new Error('nothing was started');
  return world;
};
afterEach(() => world?.close());

async function observe(control: Control, timings: Partial<Timings> = {}): Promise<Observation> {
  world = new World(timings);
  world.server({ ...EVERYTHING, ...control });
  return world.gateway.observeNow(SERVER);
}
const others = (kind: ListedKind): ListedKind[] => LISTED_KINDS.filter((each) => each !== kind);
const keysOf = (outcome: KindOutcome | undefined): unknown =>
  outcome?.status === 'complete' ? outcome.items.map(({ originKey }) => originKey) : outcome;
const asked = (kind: ListedKind): (string | undefined)[] =>
  opened()
    .received(LISTS[kind].method)
    .map(({ params }) => params?.['cursor'] as string | undefined); // a text, or left out

describe('a server that cannot be introduced is failed in every kind, and nothing is held to be gone', () => {
  it.each<[string, Control, RegExp, Partial<Timings>]>([
    ['exits', { start: 'exit' }, /exited with code 3/, {}],
    ['does not answer', { start: 'hang' }, /no answer/, { initializeMs: 200 }],
    ['answers too late', { startDelayMs: 1_500 }, /no answer/, { initializeMs: 200 }],
    ['answers with an error', { start: 'error' }, /The key is wrong/, {}],
    ['answers with what is no introduction', { start: 'malformed' }, /malformed/, {}],
  ])('because it %s', async (_what, faults, reason, timings) => {
    const { kinds } = await observe({ faults }, timings);
    for (const kind of [...LISTED_KINDS, 'instructions'] as const) {
      expect(kinds[kind]).toEqual({ status: 'failed', reason: expect.stringMatching(reason) as string });
    }
    for (const kind of LISTED_KINDS) expect(asked(kind)).toEqual([]);
    expect(opened().observations).toHaveLength(1);
  });

  it('because its program file is not there', async () => {
    world = new World();
    world.server(EVERYTHING);
    world.spec({ command: `${world.dir}/published-without-it`, args: [] });
    const { kinds } = await world.gateway.observeNow(SERVER);
    expect(Object.values(kinds).map(({ status }) => status)).toEqual(Array(5).fill('failed'));
  });
});

describe.each(LISTED_KINDS)('a list of kind %s', (kind) => {
  const { field, capability } = LISTS[kind];
  const entry = entryOf[kind];
  const withFault = (fault: string, more: Control = {}): Control => ({
    pageSize: 1,
    ...more,
    faults: { list: { [field]: fault } },
  });
  /** The other lists were read to their ends. */
  const expectRestComplete = ({ kinds }: Observation): void => {
    for (const other of others(kind)) expect(kinds[other]?.status).toBe('complete');
  };

  it('that is not declared is not asked for, though it would be answered, and is unsupported', async () => {
    const all = { tools: {}, prompts: {}, resources: {} };
    const capabilities = Object.fromEntries(Object.entries(all).filter(([name]) => name !== capability));
    const observation = await observe({ capabilities });
    expect(observation.kinds[kind]).toEqual({ status: 'unsupported' });
    expect(asked(kind)).toEqual([]);
    for (const other of LISTED_KINDS.filter((each) => LISTS[each].capability !== capability)) {
      expect(observation.kinds[other]?.status).toBe('complete');
    }
  });

  it('that is read to its end is complete, in the order and with the ids of its entries', async () => {
    const observation = await observe({ pageSize: 1 });
    expect(keysOf(observation.kinds[kind])).toEqual([keyOf(kind, 'a'), keyOf(kind, 'b')]);
    expect(asked(kind)).toEqual([undefined, 'from-1']);
    expectRestComplete(observation);
  });

  it('that has nothing on it is complete and empty', async () => {
    const observation = await observe({ [field]: [] });
    expect(observation.kinds[kind]).toEqual({ status: 'complete-empty' });
    expectRestComplete(observation);
  });

  it('that is declared but not served is failed, but for templates, which then are unsupported', async () => {
    const observation = await observe(withFault('missing'));
    expect(observation.kinds[kind]?.status).toBe(kind === 'resourceTemplate' ? 'unsupported' : 'failed');
    expectRestComplete(observation);
  });

  it.each([
    ['fail', 'failed', 'it answered with error -32603: The database is down'],
    ['hang', 'failed', 'no answer within 1 s'],
    ['not-array', 'failed', 'its answer is not a list'],
    ['text', 'failed', 'its answer is not a list'],
    ['unfinished', 'failed', 'its answer is not a finished one'],
    ['fail-2', 'incomplete', 'it answered with error -32603: The database is down'],
    ['missing-2', 'incomplete', 'it answered with error -32601: Method not found'],
    ['bad-cursor-2', 'incomplete', 'it answered with error -32602: Unknown cursor'],
    ['hang-2', 'incomplete', 'no answer within 1 s'],
    ['not-array-2', 'incomplete', 'its answer is not a list'],
    ['text-2', 'incomplete', 'its answer is not a list'],
    ['unfinished-2', 'incomplete', 'its answer is not a finished one'],
    ['loop', 'incomplete', 'its pages lead back to one that was read'],
    ['cycle', 'incomplete', 'its pages lead back to one that was read'],
    ['endless', 'incomplete', BOUNDS.pages.reason],
    ['number-cursor', 'incomplete', 'it does not say where its next page is'],
    ['scopes', 'incomplete', 'its pages do not belong together'],
  ])('that does “%s” is %s, with the reason, and the others are complete', async (fault, status, reason) => {
    const observation = await observe(withFault(fault), fault.startsWith('hang') ? { pageMs: 1_000 } : {});
    expect(observation.kinds[kind]).toMatchObject({ status, reason });
    expectRestComplete(observation);
  });

  it.each([
    ['exit', 'failed'],
    ['exit-2', 'incomplete'],
  ])(
    'in the middle of which the process does “%s” is %s, and none of the others is unsupported or empty',
    async (fault, status) => {
      const { kinds } = await observe(withFault(fault));
      expect(kinds[kind]).toMatchObject({ status, reason: 'it exited with code 3' });
      for (const other of others(kind)) expect(['complete', 'incomplete', 'failed']).toContain(kinds[other]?.status);
    },
  );

  it.each([
    ['null-cursor', 2],
    ['finished', 1],
    ['scope', 1],
  ])('that does “%s” is complete', async (fault, pageSize) => {
    const observation = await observe(withFault(fault, { pageSize }));
    expect(keysOf(observation.kinds[kind])).toEqual([keyOf(kind, 'a'), keyOf(kind, 'b')]);
    expectRestComplete(observation);
  });

  it('whose second page is behind an empty cursor is read to its end', async () => {
    const observation = await observe(withFault('empty-cursor'));
    expect(keysOf(observation.kinds[kind])).toEqual([keyOf(kind, 'a'), keyOf(kind, 'b')]);
    expect(asked(kind)).toEqual([undefined, '']);
  });

  it('with more than 5,000 entries is incomplete', async () => {
    const many = Array.from({ length: 5_001 }, (_, i) => entry(`n${i}`));
    const observation = await observe({ [field]: many });
    expect(observation.kinds[kind]).toMatchObject({ status: 'incomplete', reason: BOUNDS.items.reason });
    expectRestComplete(observation);
  });

  it('with an entry whose key cannot be read is incomplete', async () => {
    for (const bad of [{ title: 'x' }, 'a text', null, { ...entry('a'), [LISTS[kind].key]: 7 }]) {
      const observation = await observe({ [field]: [entry('a'), bad] });
      expect(observation.kinds[kind]).toEqual({
        status: 'incomplete',
        reason: `1 of its entries have no readable “${LISTS[kind].key}”`,
        count: 1,
      });
      expectRestComplete(observation);
      await opened().close();
    }
  });

  it.each([1, 9])(
    'with one key in two definitions holds that one invalid, on pages of %i, and counts the rest',
    async (pageSize) => {
      const entries = [entry('a'), entry('b'), entry('a', 'another')];
      const observation = await observe({ [field]: entries, pageSize });
      expect(observation.kinds[kind]).toMatchObject({
        status: 'complete',
        items: [
          { originKey: keyOf(kind, 'a'), invalid: 'it is listed twice with different definitions' },
          { originKey: keyOf(kind, 'b'), id: expect.stringMatching(/^sha256:/) as string },
        ],
      });
      expectRestComplete(observation);
    },
  );

  it('with one entry twice, its keys in another order, has it once and is complete', async () => {
    const turned = Object.fromEntries(Object.entries(entry('a')).reverse());
    const observation = await observe({ [field]: [entry('a'), entry('b'), turned], pageSize: 1 });
    expect(keysOf(observation.kinds[kind])).toEqual([keyOf(kind, 'a'), keyOf(kind, 'b')]);
  });

  it('with a malformed entry holds that one invalid and counts the rest', async () => {
    const observation = await observe({ [field]: [entry('a'), { ...entry('b'), description: 7 }] });
    expect(observation.kinds[kind]).toMatchObject({
      status: 'complete',
      items: [
        { originKey: keyOf(kind, 'a'), id: expect.stringMatching(/^sha256:/) as string },
        { originKey: keyOf(kind, 'b'), invalid: 'its “description” is missing or malformed' },
      ],
    });
    expectRestComplete(observation);
  });

  it('is complete when two lists in a row are the same, whatever change was announced in between', async () => {
    const observation = await observe(withFault('notice'));
    expect(keysOf(observation.kinds[kind])).toEqual([keyOf(kind, 'a'), keyOf(kind, 'b')]);
    expect(asked(kind)).toEqual([undefined, 'from-1', undefined, 'from-1']);
  });

  it('is incomplete when it was another one each of three times', async () => {
    const observation = await observe(withFault('churn', { pageSize: 9 }), { firstGapMs: 60_000 });
    expect(observation.kinds[kind]).toEqual({
      status: 'incomplete',
      reason: BOUNDS.listTries.reason,
      count: 2,
    });
    expect(asked(kind)).toHaveLength(3);
    for (const other of others(kind).filter((each) => LISTS[each].capability !== capability)) {
      expect(observation.kinds[other]?.status).toBe('complete');
    }
  });

  it('that stops changing is complete at the next notice', async () => {
    await observe(withFault('churn', { pageSize: 9 }), { firstGapMs: 50, maxGapMs: 50 });
    opened().server({ ...EVERYTHING });
    await eventually(() => opened().observations.at(-1)?.kinds[kind]?.status === 'complete');
  });

  it('is read through what a server prints that is no message', async () => {
    const observation = await observe({ pageSize: 1, faults: { noise: true, telemetry: true } });
    expect(keysOf(observation.kinds[kind])).toEqual([keyOf(kind, 'a'), keyOf(kind, 'b')]);
    expectRestComplete(observation);
  });
});

describe('what lists of one server say about each other', () => {
  it('is nothing: each of them may end in its own way', async () => {
    const { kinds } = await observe({
      pageSize: 1,
      faults: { list: { prompts: 'fail-2', resources: 'fail', resourceTemplates: 'missing' } },
    });
    expect(LISTED_KINDS.map((kind) => kinds[kind]?.status)).toEqual([
      'complete',
      'incomplete',
      'failed',
      'unsupported',
    ]);
  });

  it('and a notice about one list has only that one read again', async () => {
    await observe({});
    const before = opened().observations.length;
    opened().server({ ...EVERYTHING, prompts: [entryOf.prompt('c')] });
    const later = await eventually(() => opened().observations[before]);
    expect(Object.keys(later.kinds)).toEqual(['prompt']);
    expect(asked('tool')).toHaveLength(1);
  });
});

it('an observation under another launch configuration says so, and is otherwise made under the same', async () => {
  const first = await observe({});
  opened().spec({ digest: 'two' });
  const second = await opened().gateway.observeNow(SERVER);
  expect(second.context).toEqual({ ...first.context, launch: 'two' });
  expect(first.context.launch).toBe('one');
});
