import { describe, expect, it } from 'vitest';
import type { Event, IncidentId } from '../../electron/core/model.ts';
import { controlOn, exposeDemo, observed } from './control.ts';
import { AT } from './sample.ts';
import { openStore, temporaryFolder } from './support.ts';

/** A folder in which an app has these tools. */
async function started(dir: string, tools: Readonly<Record<string, string>>): Promise<void> {
  const { store } = await openStore(dir);
  await exposeDemo(controlOn(store), tools);
  await store.close();
}

/** What a program does that opens the folder, makes some commits, and ends without anybody to tell. */
async function passing(dir: string, ...steps: readonly Parameters<typeof observed>[0][]): Promise<void> {
  const { store } = await openStore(dir);
  const control = controlOn(store);
  if (store.state.sequence === 0) await exposeDemo(control, { search: 'one' });
  for (const tools of steps) await control.dispatch(observed(tools));
  await control.dispatch({
    at: AT,
    type: 'language',
    language: store.state.settings.language === 'en' ? 'zh-CN' : 'en',
  });
  await store.close();
}

/** A start of a gateway that nobody looks at. */
async function serveOnce(dir: string, ...work: readonly Event[]): Promise<void> {
  const { store } = await openStore(dir);
  const control = controlOn(store);
  control.completeOwed(store.owed());
  for (const event of work) await control.dispatch(event);
  await store.close();
}

/** A start of the app: what it is told when it can tell a person, and marks as told. */
async function appStart(dir: string, marksAsTold = true, ...work: readonly Event[]): Promise<IncidentId[]> {
  const { store } = await openStore(dir);
  const told: IncidentId[] = [];
  const control = controlOn(store, { onNotice: (incident) => void told.push(incident) });
  expect(told).toEqual([]);
  control.completeOwed(store.owed());
  for (const event of work) await control.dispatch(event);
  if (marksAsTold) for (const incident of told) await control.told(incident);
  await store.close();
  return told;
}

describe('a notice', () => {
  it('is told by the next app, however many commands came in between', async () => {
    const dir = temporaryFolder();
    await passing(dir, { search: 'two' });
    await passing(dir);
    await passing(dir);
    expect(await appStart(dir)).toEqual(['inc-5']);
  });

  it('is told by the next app after a gateway without one, which has nobody to tell', async () => {
    const dir = temporaryFolder();
    await passing(dir, { search: 'two' });
    for (const tools of [{ search: 'three' }, { search: 'three', fetch: 'new' }])
      await serveOnce(dir, observed(tools, 'two'));
    expect(await appStart(dir)).toHaveLength(1);
    expect(await appStart(dir)).toEqual([]);
  });

  it('of what is settled or has moved on is not told any more', async () => {
    const dir = temporaryFolder();
    await passing(dir, { search: 'two' });
    await passing(dir, { search: 'three' });
    expect(await appStart(dir, false)).toEqual(['inc-7']);
    await passing(dir, { search: 'one' });
    expect(await appStart(dir)).toEqual([]);
  });

  it('is one for each server however much came together, and what it stands for is told with it', async () => {
    const dir = temporaryFolder();
    const tools = { search: 'one', fetch: 'one', copy: 'one' };
    await started(dir, tools);
    await passing(dir, { ...tools, search: 'two' }, { ...tools, search: 'two', fetch: 'two' });
    expect(await appStart(dir, false)).toHaveLength(1);
    expect(await appStart(dir)).toHaveLength(1);
    expect(await appStart(dir)).toEqual([]);
  });

  it('of an app that ended while the desktop was slow is told by the next, whatever was committed meanwhile', async () => {
    const dir = temporaryFolder();
    await passing(dir);
    const other: Event = { at: AT, type: 'paused', until: null, reason: 'person' };
    expect(await appStart(dir, false, observed({ search: 'two' }), other)).toHaveLength(1);
    expect(await appStart(dir)).toHaveLength(1);
  });

  it('of something that is gone is told as long as it is gone', async () => {
    const dir = temporaryFolder();
    await started(dir, { search: 'one', other: 'one' });
    await passing(dir, { other: 'one' });
    expect(await appStart(dir, false)).toHaveLength(1);
    await passing(dir, { search: 'one', other: 'one' });
    expect(await appStart(dir)).toEqual([]);
  });

  it('is told once', async () => {
    const dir = temporaryFolder();
    await passing(dir, { search: 'two' });
    expect(await appStart(dir)).toHaveLength(1);
    await passing(dir);
    expect(await appStart(dir)).toEqual([]);
  });

  it('is told again after an app that ended before a person could have seen it', async () => {
    const dir = temporaryFolder();
    await passing(dir, { search: 'two' });
    expect(await appStart(dir, false)).toHaveLength(1);
    expect(await appStart(dir)).toHaveLength(1);
    expect(await appStart(dir)).toEqual([]);
  });

  it('of what comes before the app can tell anything is told once, when it can', async () => {
    const { store } = await openStore(temporaryFolder());
    const told: IncidentId[] = [];
    const control = controlOn(store, { onNotice: (incident) => void told.push(incident) });
    await exposeDemo(control, { search: 'one' });
    await control.dispatch(observed({ search: 'two' }));
    expect(told).toEqual([]);
    control.completeOwed(store.owed());
    expect(told).toEqual(['inc-5']);
  });

  it('is told at once where somebody is there to hear it', async () => {
    const { store } = await openStore(temporaryFolder());
    const told: IncidentId[] = [];
    const control = controlOn(store, { onNotice: (incident) => void told.push(incident) });
    control.completeOwed(store.owed());
    await exposeDemo(control, { search: 'one' });
    await control.dispatch(observed({ search: 'two' }));
    expect(told).toEqual(['inc-5']);
    expect(store.owed()).toContainEqual({ type: 'notice', incident: 'inc-5' });
  });
});
