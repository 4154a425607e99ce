import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LISTED_KINDS } from '../../electron/core/model.ts';
import type { ListedKind } from '../../electron/core/model.ts';
import { LISTS } from '../../electron/core/observe.ts';
import { eventually } from '../gateway/harness.ts';
import type { Control, HostApp } from '../gateway/harness.ts';
import { until } from '../support/holdfast.ts';
import { ENTRY, EVERYTHING, Product, use } from './running-product.ts';
import type { Everything } from './running-product.ts';

// What a list that went wrong means for a person and an app: nothing. The store, the core and the gateway are the real
// ones, and so are the server processes.

let product: Product;
let app: HostApp;
const others = (kind: ListedKind): ListedKind[] => LISTED_KINDS.filter((each) => each !== kind);
const listOf = async (kind: ListedKind): Promise<unknown> => (await app.ask(LISTS[kind].method))['result'];
/** The key of an entry is a text. */
const originKeyOf = (kind: ListedKind, key: string): string => ENTRY[kind](key)[LISTS[kind].key] as string;
const withFault = (kind: ListedKind, fault: string): Control => ({
  pageSize: 1,
  faults: { list: { [LISTS[kind].field]: fault } },
});
const start = async (control: Control = {}): Promise<void> => {
  product = await Product.open();
  app = await product.exposed(control);
  // What an app has listed is remembered: from here on nothing new is.
  for (const kind of LISTED_KINDS) await listOf(kind);
  await until(
    () => Object.values(product.state.lastListed).flatMap((kinds) => Object.keys(kinds)),
    (kinds) => kinds.length === LISTED_KINDS.length,
  );
};

describe.each(LISTED_KINDS)('a list of kind %s that goes wrong', (kind) => {
  const { field, method } = LISTS[kind];
  beforeAll(() => start());
  afterAll(() => product.close());

  const FAULTS: readonly (readonly [fault: string, status: string])[] = [
    ['fail', 'failed'],
    ['hang', 'failed'],
    ['not-array', 'failed'],
    ['unfinished', 'failed'],
    ...(kind === 'resourceTemplate' ? [] : [['missing', 'failed'] as const]),
    ['fail-2', 'incomplete'],
    ['bad-cursor-2', 'incomplete'],
    ['hang-2', 'incomplete'],
    ['not-array-2', 'incomplete'],
    ['loop', 'incomplete'],
    ['endless', 'incomplete'],
    ['number-cursor', 'incomplete'],
    ['scopes', 'incomplete'],
    ['churn', 'incomplete'],
  ];
  test.each(FAULTS)('by “%s” changes nothing that anybody has, and nobody is asked or told', async (fault, status) => {
    const before = await product.everything();
    const lists = await Promise.all(LISTED_KINDS.map(listOf));
    await product.server(withFault(kind, fault));
    const checked = await product.check();
    expect(checked.kinds[kind]?.status).toBe(status);
    // Without its tools nothing of it can be called; anything else may go on.
    const isUseless = kind === 'tool' && status === 'failed';
    expect(checked).toMatchObject({ complete: false, state: isUseless ? 'problem' : 'working' });
    // The same object: not one commit was made.
    expect(product.state).toBe(before.state);
    expect(await product.everything()).toEqual(before);
    expect(await Promise.all(LISTED_KINDS.map(listOf))).toEqual(lists);
    expect(app.messages.filter((message) => message.method !== undefined)).toEqual([]);
    await product.server({});
    expect(await product.check()).toMatchObject({ complete: true });
    expect(product.state).toBe(before.state);
  });

  test('by an entry that cannot be read changes nothing, though its neighbours are others', async () => {
    const before = await product.everything();
    await product.server({ [field]: [{ ...ENTRY[kind]('a'), title: 'another' }, { title: 'no key' }] });
    expect((await product.check()).kinds[kind]?.status).toBe('incomplete');
    expect(await product.everything()).toEqual(before);
    await product.server({});
    await product.check();
    expect(product.state).toBe(before.state);
  });

  test.each([
    ['fail', false, false],
    ['hang', false, false],
    ['fail-2', true, false],
    ['loop', true, false],
    ['number-cursor', true, false],
  ])('by “%s” after a start holds back what it did not show, and nothing else', async (fault, isAShown, isBShown) => {
    const before = await product.everything();
    await product.gateway.stopServer(product.id());
    await product.server(withFault(kind, fault));
    const words = 'Demo isn’t working right now. Nothing was run. The user can see why in Holdfast.';
    expect(await use(app, kind, 'a')).toBe(isAShown ? 'answered' : words);
    expect(await use(app, kind, 'b')).toBe(isBShown ? 'answered' : words);
    for (const other of others(kind)) expect(await use(app, other, 'b')).toBe('answered');
    await product.server({});
    expect(await use(app, kind, 'b')).toBe('answered');
    expect(await product.everything()).toEqual(before);
  });

  test('by an incomplete list that shows another definition fails uses of it at once, and nothing is decided', async () => {
    const before = await product.everything();
    await product.gateway.stopServer(product.id());
    const changed = [{ ...ENTRY[kind]('a'), title: 'another' }, ENTRY[kind]('b')];
    await product.server({ ...withFault(kind, 'fail-2'), [field]: changed });
    expect(await use(app, kind, 'a')).toMatch(/has changed and is off until the user approves it/);
    // Its first page is enough for that. The second must have failed before the server offers something else again.
    expect((await product.check()).kinds[kind]?.status).toBe('incomplete');
    expect(await product.everything()).toEqual(before);
    await product.server({});
    await product.check();
    expect(await use(app, kind, 'a')).toBe('answered');
    expect(await product.everything()).toEqual(before);
  });

  test('because the process exits changes nothing, and the next process is read as ever', async () => {
    for (const fault of ['exit', 'exit-2']) {
      const before = await product.everything();
      await product.server(withFault(kind, fault));
      const checked = await product.check();
      expect(checked.kinds[kind]?.status).toBe(fault === 'exit' ? 'failed' : 'incomplete');
      await product.server({});
      await until(
        () => product.check(),
        ({ complete }) => complete,
      );
      expect(await product.everything()).toEqual(before);
      expect(await use(app, kind, 'a')).toBe('answered');
    }
    expect(product.received(method).length).toBeGreaterThan(2);
  });
});

describe('a server that cannot be started any more', () => {
  beforeAll(() => start());
  afterAll(() => product.close());

  test.each(['exit', 'error', 'malformed'])(
    'because it does “%s” keeps everything that apps had of it',
    async (fault) => {
      const before = await product.everything();
      const lists = await Promise.all(LISTED_KINDS.map(listOf));
      await product.gateway.stopServer(product.id());
      await product.server({ faults: { start: fault } });
      const checked = await product.check();
      expect(Object.values(checked.kinds).map(({ status }) => status)).toEqual(Array(5).fill('failed'));
      expect(checked.state).toBe('problem');
      for (const kind of LISTED_KINDS) expect(await use(app, kind, 'a')).toMatch(/^Demo isn’t working right now/);
      expect(await Promise.all(LISTED_KINDS.map(listOf))).toEqual(lists);
      expect(await product.everything()).toEqual(before);
      await product.server({});
      expect(await product.check()).toMatchObject({ complete: true });
      for (const kind of LISTED_KINDS) expect(await use(app, kind, 'a')).toBe('answered');
      expect(await product.everything()).toEqual(before);
    },
  );
});

describe('a server whose resources can never be listed', () => {
  afterEach(() => product.close());
  const broken = { faults: { list: { resources: 'fail' } } };

  test('from the first day on gives its tools, and its resources as they are at the first list that works', async () => {
    await start(broken);
    expect(await use(app, 'tool', 'a')).toBe('answered');
    expect(await use(app, 'prompt', 'a')).toBe('answered');
    expect(await use(app, 'resourceTemplate', 'a')).toBe('answered');
    expect(await listOf('resource')).toEqual({ resources: [] });
    expect((await product.check()).state).toBe('working');
    await product.server({});
    await product.check();
    expect(await listOf('resource')).toEqual({ resources: EVERYTHING['resources'] });
    expect(await use(app, 'resource', 'a')).toBe('answered');
    expect((await product.everything()).notices).toBe(0);
  });

  test('since yesterday keeps them in the list over restarts, and its tools go on as ever', async () => {
    await start();
    const before = await product.everything();
    await product.server(broken);
    for (let restart = 0; restart < 3; restart++) {
      await product.gateway.stopServer(product.id());
      expect(await use(app, 'tool', 'a')).toBe('answered');
      expect(await use(app, 'resource', 'a')).toMatch(/^Demo isn’t working right now/);
      expect((await product.check()).state).toBe('working');
    }
    expect(await listOf('resource')).toEqual({ resources: EVERYTHING['resources'] });
    expect(await product.everything()).toEqual(before);
  });

  test('may change a tool meanwhile, which is seen and asked about as ever', async () => {
    await start(broken);
    await product.server({ ...broken, tools: [{ ...ENTRY.tool('a'), description: 'does more' }, ENTRY.tool('b')] });
    await product.check();
    const { entries, withheld } = await product.surface();
    expect(withheld).toMatchObject([{ kind: 'tool', originKey: 'a', reason: 'changed' }]);
    expect(entries.map(({ kind, originKey }) => `${kind}/${originKey}`)).toContain('tool/b');
  });
});

describe.each(LISTED_KINDS)('what a server offers of kind %s', (kind) => {
  const { field, capability } = LISTS[kind];
  const gone = LISTED_KINDS.filter((each) => LISTS[each].capability === capability);
  const undeclared: Control = {
    capabilities: Object.fromEntries(
      ['tools', 'prompts', 'resources'].filter((name) => name !== capability).map((name) => [name, {}]),
    ),
  };
  const missing = async (): Promise<string[]> =>
    (await product.surface()).withheld.map(({ kind: of, originKey, reason }) => `${of}/${originKey} ${reason}`).sort();
  const all = (kinds: readonly ListedKind[]): string[] =>
    kinds.flatMap((each) => ['a', 'b'].map((key) => `${each}/${originKeyOf(each, key)} missing`)).sort();
  /** The next process may find the one before it still running, and is asked again then. */
  const untilMissing = (): Promise<string[]> =>
    until(
      () => product.check().then(missing),
      (list) => list.length > 0,
    );
  /** The person hears of it once. */
  const told = async (): Promise<Everything> => {
    await until(
      () => product.everything(),
      ({ notices }) => notices > 0,
    );
    await product.check();
    const everything = await product.everything();
    expect(everything.notices).toBe(1);
    return everything;
  };
  const single = (): Control => ({ single: path.join(product.dir, 'running') });
  afterEach(() => product.close());

  test('is withdrawn by an empty list only when a second process says the same', async () => {
    await start();
    const before = await product.everything();
    const [first] = product.received('initialize');
    // The second process cannot even be started: nothing confirms what the first one says, however often it says it.
    await product.server({ [field]: [], faults: { start: 'exit' } });
    for (let times = 1; times <= 2; times++) {
      expect((await product.check()).kinds[kind]?.status).toBe('complete-empty');
      await eventually(() => product.received('initialize').length === 1 + times);
    }
    expect(await product.surface()).toEqual(before.surface);
    expect((await product.everything()).notices).toBe(0);
    await product.server({ [field]: [] });
    await untilMissing();
    expect(await missing()).toEqual(all([kind]));
    expect((await told()).surface.epoch).toBe(before.surface.epoch + 1);
    // The app's own process went on.
    for (const other of others(kind)) expect(await use(app, other, 'a')).toBe('answered');
    const uses = product.received(kind === 'prompt' ? 'tools/call' : 'prompts/get');
    expect(new Set(uses.map(({ pid }) => pid))).toEqual(new Set([first?.pid]));
  });

  test('is withdrawn where it is no longer declared only when a second process says the same', async () => {
    await start();
    const before = await product.everything();
    await product.gateway.stopServer(product.id());
    // A server that runs only once: no second process can confirm what the first one says while it runs.
    await product.server({ ...undeclared, faults: single() });
    expect((await product.check()).kinds[kind]?.status).toBe('unsupported');
    await product.check();
    expect(await product.surface()).toEqual(before.surface);
    await product.gateway.stopServer(product.id());
    await untilMissing();
    expect(await missing()).toEqual(all(gone));
    await told();
  });

  test('is kept where a whole list comes in between, and what was withdrawn comes back without a question', async () => {
    await start();
    const before = await product.everything();
    const restart = async (control: Control, status: string): Promise<void> => {
      await product.gateway.stopServer(product.id());
      await product.server({ ...control, faults: single() });
      await until(
        () => product.check(),
        ({ kinds }) => kinds[kind]?.status === status,
      );
    };
    await restart(undeclared, 'unsupported');
    await restart({}, 'complete');
    await restart(undeclared, 'unsupported');
    expect(await product.surface()).toEqual(before.surface);
    await restart(undeclared, 'unsupported');
    await untilMissing();
    await restart({}, 'complete');
    const restored = await product.everything();
    expect(restored.surface.manifestId).toBe(before.surface.manifestId);
    expect(restored.surface.withheld).toEqual([]);
    expect(
      (restored.reviews as { reviews: { state: string }[] }).reviews.filter(({ state }) => state === 'pending'),
    ).toEqual([]);
  });

  test('loses one malformed entry alone, and has it back when it is in order again', async () => {
    await start();
    const before = await product.everything();
    await product.server({ [field]: [{ ...ENTRY[kind]('a'), description: 7 }, ENTRY[kind]('b')] });
    expect((await product.check()).kinds[kind]?.status).toBe('complete');
    const { entries, withheld } = await product.surface();
    const originKey = ENTRY[kind]('a')[LISTS[kind].key];
    expect(withheld).toMatchObject([{ kind, originKey, reason: 'invalid' }]);
    expect(entries).toEqual(
      before.surface.entries.filter((each) => each.kind !== kind || each.originKey !== originKey),
    );
    expect(await use(app, kind, 'a')).not.toBe('answered');
    expect(await use(app, kind, 'b')).toBe('answered');
    for (const other of others(kind)) expect(await use(app, other, 'a')).toBe('answered');
    await product.server({});
    await product.check();
    const after = await product.everything();
    expect(after.surface.manifestId).toBe(before.surface.manifestId);
    // It is told of, and nothing is asked.
    const { incidents, reviews } = after.reviews as { incidents: { unusable: object[] }[]; reviews: object[] };
    expect(reviews).toEqual([]);
    expect(incidents.map(({ unusable }) => unusable.length)).toEqual([1]);
    expect(after.notices).toBe(1);
  });

  test('loses one key with two definitions alone, whichever of them comes first', async () => {
    await start();
    const [a, b] = [ENTRY[kind]('a'), ENTRY[kind]('b')];
    for (const entries of [
      [a, { ...a, title: 'another' }, b],
      [{ ...a, title: 'another' }, b, a],
    ]) {
      await product.gateway.stopServer(product.id());
      await product.server({ [field]: entries });
      expect(await use(app, kind, 'a')).not.toBe('answered');
      await product.check();
      expect((await product.surface()).withheld).toMatchObject([{ kind, reason: 'invalid' }]);
      expect(await use(app, kind, 'b')).toBe('answered');
      await product.server({});
      await product.check();
      expect((await product.surface()).withheld).toEqual([]);
    }
  });
});

describe('a setting of a server that changes its list', () => {
  afterEach(() => product.close());

  test('hides what it no longer lists, with the reason, and nobody is told that anything vanished', async () => {
    product = await Product.open();
    const variants = [{ env: { MODE: 'lite' }, set: { tools: [ENTRY.tool('a')] } }];
    await product.server({ variants });
    await product.run('apps.add', { app: 'cursor' });
    await product.run('expose', { app: 'cursor', server: 'Demo' });
    app = await product.app();
    const before = await product.everything();
    const set = async (mode: string): Promise<void> => {
      await product.run('servers.set', { name: 'Demo', env: { MODE: mode } });
      await product.check();
    };
    await set('lite');
    const { withheld } = await product.surface();
    expect(withheld).toMatchObject([{ kind: 'tool', originKey: 'b', reason: 'hidden' }]);
    const entry = Object.entries(product.catalog()).find(([ref]) => ref.endsWith('/tool/b'))?.[1];
    expect(entry).toMatchObject({ state: 'absent', reason: 'hidden', why: 'launch' });
    expect(await use(app, 'tool', 'a')).toBe('answered');
    expect(await use(app, 'tool', 'b')).not.toBe('answered');
    await set('full');
    expect(await use(app, 'tool', 'b')).toBe('answered');
    const after = await product.everything();
    expect(after.surface.manifestId).toBe(before.surface.manifestId);
    expect([after.reviews, after.notices]).toEqual([before.reviews, 0]);
  });

  test('is missing, and no longer hidden, once the setting of before does not list it either', async () => {
    product = await Product.open();
    const lite = { env: { MODE: 'lite' }, set: { tools: [ENTRY.tool('a')] } };
    await product.server({ variants: [lite] });
    await product.run('apps.add', { app: 'cursor' });
    await product.run('expose', { app: 'cursor', server: 'Demo' });
    for (const [mode, reason] of [
      ['lite', 'hidden'],
      ['', 'missing'],
    ]) {
      if (mode === '') await product.server({ tools: [ENTRY.tool('a')] });
      await product.run('servers.set', { name: 'Demo', env: { MODE: mode } });
      await product.check();
      expect((await product.surface()).withheld).toMatchObject([{ kind: 'tool', originKey: 'b', reason }]);
    }
  });
});
