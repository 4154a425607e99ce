import { beforeEach, expect, test } from 'vitest';
import type { Control } from '../../electron/control/control.ts';
import { realFiles } from '../../electron/store/files.ts';
import { Traces } from '../../electron/store/traces.ts';
import { controlOn, DEMO, exposeDemo, listing } from '../store/control.ts';
import { AT, CLAUDE } from '../store/sample.ts';
import { openStore, temporaryFolder } from '../store/support.ts';

const REF = `${DEMO}/tool/search`;
const day = (n: number): string => new Date(Date.parse(AT) + n * 86_400_000).toISOString();
let at: string;
let traces: Traces;
let control: Control;

/** Search and fetch were approved on day 0, and the clock stands there. */
beforeEach(async () => {
  at = day(0);
  const dir = temporaryFolder();
  traces = await Traces.open({ files: realFiles, dir, now: () => at });
  const { store } = await openStore(dir);
  control = controlOn(store, { now: () => at, recentCalls: (limit, isWanted) => traces.recent(limit, isWanted) });
  await exposeDemo(control, { search: 'one', fetch: 'one' });
});

const calls = (line: object): void =>
  traces.add({ at, consumer: CLAUDE, method: 'tools/call', name: 'search', ref: REF, ...line });
/** What waits once the server has changed its tools, and whether it counts as unused. */
async function changed(tools: Record<string, string>): Promise<Record<string, boolean>> {
  await control.dispatch({ type: 'observed', at, observation: listing(tools) });
  const { reviews } = control.snapshot();
  return Object.fromEntries(reviews.map(({ originKey, isUnused }) => [originKey, isUnused]));
}

test('what no app used for 30 days is told as unused when it changes', async () => {
  at = day(5);
  calls({});
  at = day(34);
  expect(await changed({ search: 'two', fetch: 'two' })).toEqual({ search: false, fetch: true });
  at = day(36);
  expect(await changed({ search: 'two', fetch: 'two' })).toEqual({ search: true, fetch: true });
});

test('an attempt to use it while it is off makes it needed again', async () => {
  at = day(40);
  expect(await changed({ search: 'two', fetch: 'one' })).toEqual({ search: true });
  calls({ ref: null, outcome: 'refused' });
  at = new Date(Date.parse(at) + 61_000).toISOString();
  expect(await changed({ search: 'two', fetch: 'one' })).toEqual({ search: false });
});

test('a refused request for a prompt of the same name is no use of the tool', async () => {
  at = day(40);
  expect(await changed({ search: 'two', fetch: 'one' })).toEqual({ search: true });
  for (const method of ['prompts/get', 'resources/read', 'completion/complete'])
    calls({ method, ref: null, outcome: 'refused' });
  at = new Date(Date.parse(at) + 61_000).toISOString();
  expect(await changed({ search: 'two', fetch: 'one' })).toEqual({ search: true });
});

test('what was approved less than 30 days ago had no time to be unused, and nothing new has', async () => {
  at = day(29);
  expect(await changed({ search: 'two', fetch: 'one', extra: 'one' })).toEqual({ search: false, extra: false });
});

test('where older traces were given up for their size, nothing counts as unused', async () => {
  at = day(45);
  for (let n = 0; n <= 20_000; n += 1) calls({ ref: `${DEMO}/tool/fetch` });
  expect(await changed({ search: 'two', fetch: 'one' })).toEqual({ search: false });
});

test('where more than five wait, it is told when each was last used, and nothing of the kind before', async () => {
  const names = ['search', 'fetch', 'a', 'b', 'c', 'd'];
  const all = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
  const { store } = await openStore(temporaryFolder());
  control = controlOn(store, { now: () => at, recentCalls: (limit, isWanted) => traces.recent(limit, isWanted) });
  await exposeDemo(control, all('one'));
  at = day(5);
  calls({});
  await changed({ ...all('one'), search: 'two' });
  expect([control.snapshot().waiting, control.snapshot().lastUsed]).toEqual([1, undefined]);
  at = day(6);
  await changed(all('three'));
  expect([control.snapshot().waiting, control.snapshot().lastUsed]).toEqual([6, { [REF]: day(5) }]);
});
