import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Control } from '../../electron/control/control.ts';
import type { FetchedView } from '../../electron/control/snapshot.ts';
import type { FetchedLists } from '../../electron/gateway/ports.ts';
import type { ManifestId } from '../../electron/core/model.ts';
import { controlOn, exposeDemo, observed } from '../store/control.ts';
import { AT, CLAUDE } from '../store/sample.ts';
import { openStore, reopen, temporaryFolder } from '../store/support.ts';

const fetched = (control: Control): FetchedView | null | undefined => control.snapshot().apps[0]?.fetched;
const inForce = (control: Control): ManifestId => control.state.publications[CLAUDE]?.manifestId as ManifestId; // it is there
const lists = (control: Control, kind: 'tool' | 'prompt' = 'tool', at = AT): Promise<void> =>
  control.dispatch({ type: 'listed', at, consumer: CLAUDE, kind, manifestId: inForce(control) });

test('an app that never listed anything has fetched nothing', async () => {
  const { store } = await openStore(temporaryFolder());
  const control = controlOn(store);
  await exposeDemo(control, { search: 'one' });
  expect(fetched(control)).toBeNull();
});

test('what an app fetched is known after a restart, and is never taken for newer than it is', async () => {
  const dir = temporaryFolder();
  const { store } = await openStore(dir);
  const before = controlOn(store);
  await exposeDemo(before, { search: 'one', fetch: 'one' });
  await lists(before);
  expect(fetched(before)).toEqual({ at: AT, isCurrent: true });
  await store.close();

  const { store: again } = await reopen(dir);
  const after = controlOn(again);
  expect(fetched(after)).toEqual({ at: AT, isCurrent: true });
  await after.dispatch(observed({ search: 'one' }));
  await after.dispatch(observed({ search: 'one' }, 'two'));
  expect(fetched(after)).toEqual({ at: AT, isCurrent: false });
});

test('a list of a kind that has not changed since is the one in force', async () => {
  const { store } = await openStore(temporaryFolder());
  const control = controlOn(store);
  await exposeDemo(control, { search: 'one', fetch: 'one' });
  await lists(control, 'prompt');
  await control.dispatch(observed({ search: 'one' }));
  expect(fetched(control)).toEqual({ at: AT, isCurrent: true });
});

test('each running process of an app counts, and the one that was left behind says since when', async () => {
  const { store } = await openStore(temporaryFolder());
  const running: FetchedLists[] = [];
  const control = controlOn(store, { listed: () => running });
  await exposeDemo(control, { search: 'one', fetch: 'one' });
  running.push({ tool: { manifestId: inForce(control), at: '2026-01-01T08:00:00.000Z' } });
  await control.dispatch(observed({ search: 'one' }));
  running.push({ tool: { manifestId: inForce(control), at: '2026-01-01T09:00:00.000Z' } });
  await lists(control, 'tool', '2026-01-01T09:00:00.000Z');
  expect(fetched(control)).toEqual({ at: '2026-01-01T08:00:00.000Z', isCurrent: false });
  running.shift();
  expect(fetched(control)).toEqual({ at: '2026-01-01T09:00:00.000Z', isCurrent: true });
});

test('what cannot be compared any more is neither old nor new, and is no damage', async () => {
  const dir = temporaryFolder();
  const { store } = await openStore(dir);
  const control = controlOn(store);
  await exposeDemo(control, { search: 'one', fetch: 'one' });
  const listed = inForce(control);
  await lists(control);
  await control.dispatch(observed({ search: 'one' }));
  await store.close();
  fs.rmSync(path.join(dir, 'manifests', `${listed.slice('sha256:'.length)}.json`));

  const problems: unknown[] = [];
  const { store: again } = await reopen(dir);
  const after = controlOn(again, { onProblem: (problem) => problems.push(problem) });
  expect(fetched(after)).toEqual({ at: AT, isCurrent: null });
  expect(problems).toEqual([]);
});
