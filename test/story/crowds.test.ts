import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { at, isRunning, textOf, tool } from '../gateway/harness.ts';
import { until } from '../support/holdfast.ts';
import { Crowd, processesWith, says } from './crowd.ts';
import type { AppBridge } from './crowd.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });
let crowd: Crowd;
beforeEach(() => {
  crowd = new Crowd();
});
afterEach(() => crowd.close());

const TOOLS_CHANGED = 'notifications/tools/list_changed';
interface Reviews {
  incidents: { id: string }[];
  reviews: { id: string }[];
}

test('three bridges of one app are one consumer', async () => {
  await crowd.serve();
  await crowd.server('Demo', 'clock', 'search');
  await crowd.app('cursor', 'Demo');
  const three = await Promise.all(['a', 'b', 'c'].map(() => crowd.connected('cursor')));
  // The ids of their requests are the same, and each gets its own answers.
  const lists = await Promise.all(three.map((bridge) => bridge.tools()));
  expect(lists).toEqual([0, 1, 2].map(() => ['clock', 'search']));
  const answers = await Promise.all(three.map((bridge, n) => bridge.call('search', says(`for ${n}`))));
  expect(answers.map(textOf)).toEqual(['for 0', 'for 1', 'for 2']);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(crowd.processes('Demo')).toHaveLength(1);
  expect((await crowd.installation.run('apps', 'list')).stdout).toContain('3 connected');

  // One change and one decision are told to each of them once.
  const told = (): number[] => three.map((bridge) => bridge.received(TOOLS_CHANGED).length);
  crowd.offer('Demo', { tools: [tool('search', 'Finds other things.'), tool('clock')] });
  await until(told, (counts) => counts.every((count) => count > 0));
  expect(await Promise.all(three.map((bridge) => bridge.tools()))).toEqual([0, 1, 2].map(() => ['clock']));
  const { incidents, reviews } = await crowd.command<Reviews>('review.list');
  expect([incidents.length, reviews.length]).toEqual([1, 1]);
  await crowd.command('review.approve', { id: reviews[0]?.id });
  expect(await Promise.all(three.map((bridge) => bridge.tools()))).toEqual(lists);
  expect(told()).toEqual([2, 2, 2]);
  const after = await Promise.all(three.map((bridge, n) => bridge.call('search', says(`again ${n}`))));
  expect(after.map(textOf)).toEqual(['again 0', 'again 1', 'again 2']);

  await three[0]?.leave();
  expect(await crowd.connections()).toEqual({ cursor: 2 });
});

const LETTERS = ['a', 'b', 'c'] as const;
const TEN = Array.from({ length: 10 }, (_, n) => n);
/** Two tools of two servers, other ones for each app. */
const chosen = (n: number): (readonly [server: string, name: string])[] =>
  [n, n + 1].map((each) => [`Server ${LETTERS[each % 3]}`, `${LETTERS[each % 3]}${each % 10}`]);

async function tenApps(): Promise<AppBridge[][]> {
  for (const letter of LETTERS) await crowd.server(`Server ${letter}`, ...TEN.map((n) => `${letter}${n}`));
  for (const n of TEN) {
    await crowd.app(`app-${n}`);
    for (const [server, originKey] of chosen(n)) {
      await crowd.command('expose', { app: `app-${n}`, server, kind: 'tool', originKey });
    }
  }
  return Promise.all(TEN.map((n) => Promise.all([crowd.connected(`app-${n}`), crowd.connected(`app-${n}`)])));
}

test('ten apps with two bridges each call at once, and each gets its own and no more', async () => {
  const gateway = await crowd.serve();
  const apps = await tenApps();
  expect(await crowd.connections()).toEqual(Object.fromEntries(TEN.map((n) => [`app-${n}`, 2])));
  const bridges = apps.flatMap((two, app) => two.map((bridge, which) => ({ bridge, app, which })));
  await Promise.all(
    bridges.map(async ({ bridge, app, which }) => {
      const names = chosen(app).map(([, name]) => name);
      expect((await bridge.tools()).sort()).toEqual([...names].sort());
      const texts = Array.from({ length: 20 }, (_, n) => `${app}/${which}/${n}`);
      const answers = await Promise.all(texts.map((text, n) => bridge.call(names[n % 2] ?? '', says(text))));
      expect(answers.map(textOf)).toEqual(texts);
      const [[, foreign]] = chosen(app + 5) as [readonly [string, string]]; // of two
      expect(at(await bridge.call(foreign), 'error.code')).toBe(-32602);
    }),
  );
  const processes = LETTERS.map((letter) => crowd.processes(`Server ${letter}`));
  expect(processes.map((pids) => pids.length)).toEqual([1, 1, 1]);
  for (const letter of LETTERS) {
    expect(new Set(crowd.received(`Server ${letter}`, 'tools/call').map(({ pid }) => pid)).size).toBe(1);
  }
  const calls = LETTERS.flatMap((letter) => crowd.received(`Server ${letter}`, 'tools/call'));
  expect(calls).toHaveLength(400);

  // Half of them leave, half of them are killed.
  for (const { bridge } of bridges.filter(({ which }) => which === 1)) bridge.child.kill('SIGKILL');
  await Promise.all(bridges.filter(({ which }) => which === 0).map(({ bridge }) => bridge.leave()));
  const none = Object.fromEntries(TEN.map((n) => [`app-${n}`, 0]));
  await until(
    () => crowd.connections(),
    (now) => JSON.stringify(now) === JSON.stringify(none),
  );
  expect(isRunning(gateway)).toBe(true);
  expect(await crowd.installation.stop()).toBe(0);
  expect(processes.flat().filter(isRunning)).toEqual([]);
  await until(
    () => processesWith(crowd.installation.home),
    (left) => left.length === 0,
  );
});

/** Calls that are given up, as the server hears of it. */
const cancelled = (server: string): unknown[] =>
  crowd.received(server, 'notifications/cancelled').map(({ params }) => params?.['requestId']);

test('a bridge that is killed takes along its own call and no other', async () => {
  await crowd.serve();
  await crowd.server('Demo', 'search');
  for (const app of ['cursor', 'claude']) await crowd.app(app, 'Demo');
  const [killed, twin, other] = [
    await crowd.connected('cursor'),
    await crowd.connected('cursor'),
    await crowd.connected('claude'),
  ];
  const calls = () => crowd.received('Demo', 'tools/call');
  const ids = [];
  for (const [n, bridge] of [killed, twin, other].entries()) {
    ids.push(bridge.begin('search', { do: 'hang' }));
    await until(calls, (all) => all.length === n + 1);
  }
  killed.child.kill('SIGKILL');
  await until(
    () => cancelled('Demo'),
    (all) => all.length > 0,
  );
  expect(await crowd.connections()).toEqual({ cursor: 1, claude: 1 });
  await other.call('search', { do: 'release' });
  for (const [n, bridge] of [twin, other].entries()) {
    expect(textOf(await bridge.answer(ids[n + 1] ?? 0))).toBe('released');
  }
  expect(cancelled('Demo')).toEqual([calls()[0]?.id]);
  expect(crowd.processes('Demo')).toHaveLength(1);
});

test('an app that leaves while a server asks it something is answered for; late answers to it go nowhere', async () => {
  await crowd.serve();
  await crowd.server('Demo', 'search');
  for (const app of ['cursor', 'claude']) await crowd.app(app, 'Demo');
  const asked = await crowd.connected('cursor', { elicitation: {}, sampling: {} });
  const other = await crowd.connected('claude');
  asked.begin('search', { do: 'ask', method: 'elicitation/create', params: { message: 'Which one?' } });
  asked.begin('search', { do: 'ask', method: 'sampling/createMessage', params: { messages: [] } });
  await until(
    () => asked.messages.filter(({ method }) => method !== undefined),
    (all) => all.length === 2,
  );
  const id = other.begin('search', { do: 'hang' });
  await until(
    () => crowd.received('Demo', 'tools/call'),
    (calls) => calls.length === 3,
  );
  asked.child.kill('SIGKILL');
  const answers = () => crowd.received('Demo').filter(({ method }) => method === undefined);
  const [first, second] = await until(answers, (all) => all.length === 2);
  for (const answer of [first, second]) {
    expect(answer).toMatchObject({ error: { code: -32000, message: 'The app has disconnected' } });
  }
  expect(cancelled('Demo')).toHaveLength(2);
  // By now the server has answered the calls of the app that left, and a new one counts its requests from 1 again.
  const next = await crowd.connected('cursor');
  await next.call('search', { do: 'release' });
  expect(textOf(await other.answer(id))).toBe('released');
  for (const bridge of [next, other]) expect(bridge.messages.map((message) => message.id)).toEqual([1, 2]);
  expect(crowd.processes('Demo')).toHaveLength(1);
});
