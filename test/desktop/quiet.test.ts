import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Control } from '../../electron/control/control.ts';
import type { Place } from '../../electron/control/snapshot.ts';
import { capabilityId } from '../../electron/core/identity.ts';
import { launchRoute } from '../../electron/core/launch.ts';
import type {
  ConsumerId,
  Event,
  JsonObject,
  KindOutcome,
  Launch,
  Observation,
  ServerId,
} from '../../electron/core/model.ts';
import { desktopFacts } from '../../electron/desktop-facts.ts';
import { DbusNotifier } from '../../electron/desktop/dbus-notifier.ts';
import { Notes } from '../../electron/desktop/notes.ts';
import { Store } from '../../electron/store/store.ts';
import { FakeDesktop } from '../support/desktop.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { hasBus, startBus } from '../support/session-bus.ts';
import { controlOn } from '../store/control.ts';
import { MemoryDisk } from '../store/memory-disk.ts';

const APPS = ['claude-desktop', 'cursor', 'zed'] as ConsumerId[]; // sample ids
const LAUNCH: Launch = { type: 'stdio', command: 'demo-server', args: [], envNames: [] };
const ROUTE = launchRoute(LAUNCH);
const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
const SENTINEL = 'That is all';

type Untimed = Event extends infer E ? (E extends Event ? Omit<E, 'at'> : never) : never;
const serverId = (n: number) => `srv-${n}` as ServerId; // a sample id
const toolNames = (count: number) => Array.from({ length: count }, (_, i) => `tool_${i}`);
const WHATEVER: JsonObject = { readOnlyHint: true };

describe.skipIf(!hasBus)('how often a person is told, from what servers list to what the desktop shows', () => {
  let bus: ChildProcess;
  let desktop: FakeDesktop;
  let notifier: DbusNotifier;
  let clock: FakeClock;
  let control: Control;
  let notes: Notes;
  let store: Store;
  let status: 'working' | 'problem';
  let isInFront: boolean;
  let banners: string[];
  let opened: Place[];
  let troubles: { kind: 'tool'; reason: string }[];

  beforeAll(async () => {
    bus = await startBus();
  });
  afterAll(() => {
    bus.kill();
  });
  beforeEach(async () => {
    [status, troubles, isInFront, banners, opened] = ['working', [], false, [], []];
    desktop = await FakeDesktop.start();
    notifier = new DbusNotifier('');
    clock = new FakeClock('2026-09-01T10:00:00.000Z');
    await startHoldfast(new MemoryDisk());
  });
  afterEach(async () => {
    notes.dispose();
    notifier.dispose();
    desktop.stop();
    await store.close();
  });

  const iso = () => new Date(clock.now()).toISOString();

  async function startHoldfast({ files }: Pick<MemoryDisk, 'files'>): Promise<void> {
    ({ store } = await Store.open({ dir: '/data', files, now: iso, version: '1.0.0' }));
    control = controlOn(store, {
      now: iso,
      status: () => ({ state: status, problem: null }),
      onNotice: (incident) => {
        notes.hear(incident);
      },
      onSnapshot: (snapshot) => {
        notes.update(snapshot);
      },
    });
    const gateway = { status: () => ({ state: status }), details: () => ({ troubles }) };
    notes = new Notes({
      ...desktopFacts({ control, gateway } as unknown as Parameters<typeof desktopFacts>[0]), // the rest is not read
      notifier,
      clock,
      snapshot: () => control.snapshot(),
      run: (command, input) => control.run(command, input),
      open: (place) => opened.push(place),
      told: (incident) => void control.told(incident).catch(() => undefined), // the store may be closed by then
      isWindowInFront: () => isInFront,
      banner: (banner) => banners.push(banner.title),
    });
    control.completeOwed([]);
  }

  const dispatch = (event: Untimed) => control.dispatch({ ...event, at: iso() });

  /** A server that all three apps have whole. */
  async function connect(n: number, tools: readonly string[]): Promise<void> {
    const server = serverId(n);
    await dispatch({ type: 'server-added', server: { id: server, name: `Server ${n}`, launch: LAUNCH } });
    await dispatch({ type: 'policy-set', server, policy: 'review' });
    for (const consumer of APPS) {
      if (control.state.consumers[consumer] === undefined)
        await dispatch({ type: 'consumer-added', consumer, name: consumer });
      await dispatch({ type: 'exposed', consumer, server, target: 'all', shown: [] });
    }
    await list(n, tools, 'Does things.');
  }

  async function observe(n: number, tool: KindOutcome, connection = 'one', version = '1.0.0'): Promise<void> {
    const context = { era: '2025', capabilities: 'c', launch: 'l', signedIn: false };
    const kinds = { tool };
    const about = { server: serverId(n), consumer: null, connection, route: ROUTE, context, version, kinds };
    await dispatch({ type: 'observed', observation: about satisfies Observation });
    control.pushSnapshot(); // as the gateway does after each
  }

  const list = (n: number, tools: readonly string[], description: string, connection?: string) =>
    observe(n, { status: 'complete', items: tools.map((originKey) => item(n, originKey, description)) }, connection);

  function item(n: number, originKey: string, description: string) {
    const definition = { name: originKey, description, inputSchema: { type: 'object' }, annotations: WHATEVER };
    const id = capabilityId({ serverId: serverId(n), kind: 'tool', originKey, route: ROUTE, definition });
    return { originKey, definition, id };
  }

  /** What the desktop was asked to show by now, with all that is still on its way. */
  async function shown(): Promise<string[]> {
    await clock.pass(0);
    const note = { id: 'sentinel', title: SENTINEL, body: '', button: null, openLabel: '' };
    await notifier.notify(
      note,
      () => undefined,
      () => undefined,
    );
    await dispatch({ type: 'language', language: 'en' }); // whatever is being marked as told comes before it
    return desktop.notes.flatMap(({ summary }) => (summary === SENTINEL ? [] : [summary]));
  }

  test('one update that touches twelve tools in three apps makes one notification', async () => {
    await connect(1, toolNames(14));
    const [kept, changed] = [toolNames(14).slice(0, 2), toolNames(14).slice(2)];
    const items = [...kept.map((key) => item(1, key, 'Does things.')), ...changed.map((key) => item(1, key, 'Other.'))];
    await observe(1, { status: 'complete', items });
    await clock.pass(20 * SECOND);
    expect(await shown()).toEqual(['Server 1 changed 12 tools']);
    expect(desktop.notes[0]?.body).toBe('They’re off until you decide. The other 2 still work.');
    await clock.pass(DAY);
    expect(await shown()).toHaveLength(1);
  });

  test('while the person looks at the window the same makes no notification and one banner', async () => {
    await connect(1, toolNames(14));
    isInFront = true;
    const [kept, changed] = [toolNames(14).slice(0, 2), toolNames(14).slice(2)];
    const items = [...kept.map((key) => item(1, key, 'Does things.')), ...changed.map((key) => item(1, key, 'Other.'))];
    await observe(1, { status: 'complete', items });
    await clock.pass(DAY);
    expect([await shown(), banners]).toEqual([[], ['Server 1 changed 12 tools']]);
  });

  test('another name is asked about in the notification, which leads straight to the one click that settles it', async () => {
    await connect(1, ['crawl_page']);
    await list(1, ['read_page'], 'Reads pages. Replaces crawl_page.');
    await clock.pass(20 * SECOND);
    expect(await shown()).toEqual(['Crawl page is gone. Is Read page the same tool?']);
    desktop.pressButton(desktop.notes[0]!);
    const [question] = control.snapshot().continuity;
    await expect.poll(() => opened).toEqual([question?.id]);
    await control.run('continuity.rebind', { id: question?.id, ref: question?.now[0]?.ref });
    for (const consumer of APPS)
      expect([...(control.surface(consumer)?.entries.keys() ?? [])]).toEqual(['tool/read_page']);
    expect(await shown()).toHaveLength(1);
  });

  test('five servers that change within twenty seconds make one', async () => {
    for (let n = 1; n <= 5; n++) await connect(n, ['clock']);
    for (let n = 1; n <= 5; n++) {
      await list(n, ['clock'], 'Other.');
      await clock.pass(4 * SECOND);
    }
    await clock.pass(DAY);
    expect(await shown()).toEqual(['5 servers changed 5 tools']);
  });

  test('ten restarts of a server that lists the same make none', async () => {
    await connect(1, toolNames(3));
    for (let i = 0; i < 10; i++) {
      status = 'problem';
      control.pushSnapshot();
      await clock.pass(20 * SECOND);
      status = 'working';
      await list(1, toolNames(3), 'Does things.', `connection ${i}`);
      await clock.pass(20 * SECOND);
    }
    await clock.pass(DAY);
    expect(await shown()).toEqual([]);
  });

  test.each([
    ['failed', { status: 'failed', reason: 'timeout' }],
    ['incomplete', { status: 'incomplete', reason: 'page', count: 1 }],
  ] as const)('a %s check of a server that runs makes none, however long it goes on', async (_, outcome) => {
    await connect(1, toolNames(3));
    [status, troubles] = ['problem', [{ kind: 'tool', reason: 'timeout' }]];
    for (let i = 0; i < 5; i++) {
      await observe(1, outcome, `connection ${i}`);
      control.pushSnapshot();
      await clock.pass(60 * SECOND);
    }
    expect(await shown()).toEqual([]);
  });

  test('what is approved in the notification is on again in all three apps', async () => {
    await connect(1, ['clock']);
    for (const consumer of APPS) await approveNow(consumer);
    await list(1, ['clock'], 'Tells the time.');
    await clock.pass(20 * SECOND);
    expect(await shown()).toEqual(['Clock changed']);
    const [note] = desktop.notes;
    expect(note?.actions.map(({ label }) => label)).toEqual(['Review', 'Approve']);
    desktop.pressButton(note!);
    await expect.poll(() => control.snapshot().waiting).toBe(0);
    for (const consumer of APPS) expect(control.surface(consumer)?.entries.size).toBe(1);
  });

  /** First seen is no showing of read-only: a person has to have approved it. */
  async function approveNow(consumer: ConsumerId): Promise<void> {
    const [entry] = control.surface(consumer)?.entries.values() ?? [];
    if (entry === undefined) throw new Error('nothing is in force');
    await dispatch({ type: 'decided', consumer, ref: entry.ref, id: entry.id, verdict: 'approved' });
  }

  test('what was told is told once, over a restart as well, and what was not told is', async () => {
    const disk = new MemoryDisk();
    await store.close();
    await startHoldfast(disk);
    await connect(1, ['clock']);
    await list(1, ['clock'], 'Other.');
    await clock.pass(20 * SECOND);
    expect(await shown()).toHaveLength(1);
    await list(1, ['clock'], 'Yet another.');
    await clock.pass(SECOND);
    await store.close();
    notes.dispose();

    await startHoldfast(disk);
    await clock.pass(20 * SECOND);
    expect(await shown()).toHaveLength(2);
    await store.close();
    notes.dispose();

    await startHoldfast(disk);
    await clock.pass(DAY);
    expect(await shown()).toHaveLength(2);
  });
});
