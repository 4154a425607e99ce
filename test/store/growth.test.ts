import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorWords } from '../../electron/core/error-sentences.ts';
import type { CapabilityRef, State } from '../../electron/core/model.ts';
import { realFiles, type Files } from '../../electron/store/files.ts';
import { Journal } from '../../electron/store/journal.ts';
import type { JournalLine } from '../../electron/store/journal-line.ts';
import { controlOn, exposeDemo, observed } from './control.ts';
import { AT, CLAUDE, nextCommit } from './sample.ts';
import { errorOf, openStore, readAll, statePath, temporaryFolder } from './support.ts';

/** Nothing here is about a disk that fails, so nothing waits for it. */
const quick: Files = { ...realFiles, sync: () => Promise.resolve(), syncFolder: () => Promise.resolve() };

const OBSERVATIONS = 2_000;
const MAX_STATE = 512 * 1024;
const MAX_DEFINITIONS = 400;
const MAX_JOURNAL = 8 * 1024 * 1024;

const sizeOf = (folder: string): number =>
  fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);

describe('what a data folder holds', { timeout: 180_000 }, () => {
  it('stays small when one tool is another one every time it is looked at', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir, quick);
    const control = controlOn(store);
    await exposeDemo(control, { search: 'version 0' });
    for (let number = 1; number <= OBSERVATIONS; number += 1)
      await control.dispatch(observed({ search: `version ${number}` }));
    await store.close();

    const { store: again } = await openStore(dir, quick);
    expect(again.state.sequence).toBe(OBSERVATIONS + 4);
    const seen = again.state.seen[CLAUDE]?.['srv-demo/tool/search' as CapabilityRef] ?? [];
    expect(seen).toHaveLength(100);
    expect(fs.statSync(statePath(dir)).size).toBeLessThan(MAX_STATE);
    expect(fs.readdirSync(path.join(dir, 'definitions')).length).toBeLessThan(MAX_DEFINITIONS);
    expect(sizeOf(path.join(dir, 'journal'))).toBeLessThan(MAX_JOURNAL);
    // What was approved first is still there to be compared with, and would be in force again.
    expect(() => readAll(again)).not.toThrow();
    const back = controlOn(again);
    await back.dispatch(observed({ search: 'version 0' }));
    expect(back.surface(CLAUDE)?.entries.size).toBe(1);
  });

  it('has a line of each connection and of every six hours, also where the clock is set back', async () => {
    const { store } = await openStore(temporaryFolder(), quick);
    const control = controlOn(store);
    await exposeDemo(control, { search: 'a' });
    const seenBy = (): unknown[] =>
      store
        .history(100, ({ index, type }) => index === null && type === 'observed')
        .map(({ at, details }) => [at.slice(0, 16), details?.['connection']])
        .reverse();
    const look = (at: string, connection: string): Promise<void> =>
      control.dispatch({ ...observed({ search: 'a' }, connection), at });
    for (const time of ['06:00', '06:01', '11:59', '12:00', '17:59', '05:00', '10:59'])
      await look(`2026-03-04T${time}:00.000Z`, 'c-1');
    for (const connection of ['c-2', 'c-2', 'c-1']) await look('2026-03-04T10:59:00.000Z', connection);
    expect(seenBy()).toEqual([
      ['2026-03-04T06:00', 'c-1'],
      ['2026-03-04T12:00', 'c-1'],
      ['2026-03-04T05:00', 'c-1'],
      ['2026-03-04T10:59', 'c-2'],
      ['2026-03-04T10:59', 'c-1'],
    ]);
  });

  it('has one line for a server that says the same a thousand times, and another one when it says something else', async () => {
    const { store } = await openStore(temporaryFolder(), quick);
    const control = controlOn(store);
    await exposeDemo(control, { search: 'a' });
    const evidence = (): number =>
      store.history(10_000, ({ index, type }) => index === null && type === 'observed').length;
    for (let number = 0; number < 1_000; number += 1) await control.dispatch(observed({ search: 'a' }, 'c-1'));
    expect(evidence()).toBe(1);
    const failed = observed({});
    if (failed.type !== 'observed') throw new Error('not what was made');
    const kinds = { tool: { status: 'failed', reason: 'it stopped' } } as const;
    for (let number = 0; number < 10; number += 1)
      await control.dispatch({ ...failed, observation: { ...failed.observation, kinds } });
    expect(evidence()).toBe(2);
    await control.dispatch(observed({ search: 'a' }));
    expect(evidence()).toBe(3);
  });

  it('has a limit, and what goes beyond is refused in words that say so', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir, quick);
    const commit = nextCommit(store.state);
    const before = fs.readFileSync(statePath(dir), 'utf8');
    const ref = 'srv-exa/tool/x' as CapabilityRef;
    const names = Array.from({ length: 70 }, (_, number) => [`tool/${'x'.repeat(999_900)}${number}`, ref] as const);
    const large: State['names'] = { [CLAUDE]: Object.fromEntries(names) };
    const error = await errorOf(() => store.commit({ ...commit, state: { ...commit.state, names: large } }));
    expect(error.code).toBe('STORE_WRITE_FAILED');
    expect(errorWords(error).message).toContain('more to remember than its 64 MB allow');
    expect(errorWords(error, 'zh-CN').message).toContain('64 MB');
    expect(fs.readFileSync(statePath(dir), 'utf8')).toBe(before);
    await store.commit(commit);
  });
});

describe('the journal', () => {
  const limits = { file: 2_000, total: 6_000 };
  const line = (sequence: number, index: number | null = 0): JournalLine => {
    return { sequence, index, at: AT, type: 'x', details: { filler: 'x'.repeat(100) } };
  };
  const open = async (folder: string): Promise<Journal> => (await Journal.open(quick, folder, AT, limits)).journal;

  async function written(folder: string, lines: readonly JournalLine[]): Promise<Journal> {
    const journal = await open(folder);
    for (const each of lines) await journal.append([each]);
    return journal;
  }

  it('goes on in another part when a file is large, in the order it was written', async () => {
    const folder = temporaryFolder();
    await written(
      folder,
      Array.from({ length: 60 }, (_, index) => line(index + 1)),
    );
    const names = fs.readdirSync(folder).sort();
    expect(names).toContain('2026-03.jsonl');
    expect(names).toContain('2026-03.001.jsonl');
    const journal = await open(folder);
    await journal.append([line(61)]);
    expect(journal.recent(100).map(({ sequence }) => sequence)).toEqual(Array.from({ length: 61 }, (_, at) => 61 - at));
    expect(journal.since(58).lines.map(({ sequence }) => sequence)).toEqual([59, 60, 61]);
  });

  it('drops whole old files beyond its bound, and keeps the newest lines', async () => {
    const folder = temporaryFolder();
    const journal = await written(
      folder,
      Array.from({ length: 100 }, (_, index) => line(index + 1)),
    );
    expect(sizeOf(folder)).toBeGreaterThan(limits.total);
    await journal.prune(99);
    expect(sizeOf(folder)).toBeLessThanOrEqual(limits.total);
    const left = journal.recent(1_000).map(({ sequence }) => sequence);
    expect(left[0]).toBe(100);
    expect(left).toEqual(left.map((_, index) => 100 - index));
    expect(left.length).toBeGreaterThan(20);
  });

  it('keeps whatever tells what happened after a commit that may have to serve, and the newest file', async () => {
    const folder = temporaryFolder();
    const evidence = Array.from({ length: 80 }, () => line(5, null));
    const journal = await written(folder, [...[1, 2, 3, 4, 5].map((sequence) => line(sequence)), ...evidence]);
    await journal.prune(4);
    expect(journal.since(4).lines.map(({ sequence }) => sequence)).toEqual([5]);
    await journal.prune(5);
    expect(sizeOf(folder)).toBeLessThanOrEqual(limits.total);
    const other = temporaryFolder();
    const one = await written(other, [line(1)]);
    await one.append(Array.from({ length: 100 }, (_, index) => line(index + 2)));
    await one.prune(1_000);
    expect(one.recent(1_000)).toHaveLength(101);
  });
});
