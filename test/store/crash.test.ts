import { describe, expect, it } from 'vitest';
import { realFiles, type Files } from '../../electron/store/files.ts';
import type { State } from '../../electron/core/model.ts';
import { Store, type Commit } from '../../electron/store/store.ts';
import { faultyFiles, Stopped, type Fault } from './faulty-files.ts';
import { MemoryDisk, type Failure } from './memory-disk.ts';
import { AT, nextCommit, VERSION } from './sample.ts';
import {
  commitLinesOf,
  commitTimes,
  expectedLines,
  folderWith,
  locksIn,
  openStore,
  readAll,
  reopen,
} from './support.ts';

const now = (): string => AT;

/** Commits on files that stop at one operation; says whether it was reached, and whether the caller was told. */
async function commitAndStop(store: Store, files: ReturnType<typeof faultyFiles>, fault: Fault, commit: Commit) {
  files.arm(fault);
  const outcome = await store.commit(commit).then(
    () => 'done' as const,
    (error: { cause?: unknown }) => error.cause,
  );
  const isReached = files.operations >= fault.at;
  if (outcome !== 'done') expect(rootOf(outcome)).toBeInstanceOf(Stopped);
  return { isReached, isDone: outcome === 'done', operation: files.log[fault.at - 1] ?? 'none' };
}

function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
}

/** Exactly the state before or the one after, with all that belongs to it. */
function expectOneOf(store: Store, before: State, after: State, where: string): 'before' | 'after' {
  const which = store.state.sequence === before.sequence ? 'before' : 'after';
  expect(store.state, where).toEqual(which === 'before' ? before : after);
  expect(() => readAll(store), where).not.toThrow();
  expect(commitLinesOf(store), where).toEqual(expectedLines(store.state));
  return which;
}

describe('a commit that is stopped', { timeout: 60_000 }, () => {
  it.each(['stop', 'tear'] as const)(
    'after any single file operation (%s) is there as a whole or not at all',
    async (how) => {
      const seen = { before: 0, after: 0 };
      for (let at = 1, isReached = true; isReached; at += 1) {
        const { dir, state: before } = await folderWith(2);
        const files = faultyFiles(realFiles);
        const { store } = await openStore(dir, files);
        const commit = nextCommit(before);
        const stop = await commitAndStop(store, files, { at, how }, commit);
        isReached = stop.isReached;
        const { store: again, recovery } = await reopen(dir);
        expect(recovery.kind).toBe('none');
        const which = expectOneOf(again, before, commit.state, `${how} at ${at}: ${stop.operation}`);
        if (stop.isDone) expect(which).toBe('after');
        expect(again.owed()).toEqual(
          which === 'after' ? commit.effects : nextCommit({ ...before, sequence: 1 }).effects,
        );
        seen[which] += 1;
        // And it goes on from there.
        await commitTimes(again, 1);
        expect(commitLinesOf(again)).toEqual(expectedLines(again.state));
        await again.close();
      }
      expect(seen.before).toBeGreaterThan(15);
      expect(seen.after).toBeGreaterThan(5);
    },
  );

  it('and stopped again while the next start completes it, has every line exactly once', async () => {
    for (const at of await journalOperations()) {
      const { dir, state } = await folderWith(2);
      const files = faultyFiles(realFiles);
      const { store } = await openStore(dir, files);
      await commitAndStop(store, files, { at, how: 'tear' }, nextCommit(state));
      for (let second = 1; second < 40; second += 3) {
        const stopping = faultyFiles(realFiles);
        stopping.arm({ at: second, how: 'tear' });
        await reopen(dir, stopping).catch(() => undefined);
      }
      const last = await reopen(dir);
      expect(commitLinesOf(last.store)).toEqual(expectedLines({ ...state, sequence: 3 }));
    }
  });

  /** Numbers of the operations by which a commit writes its lines. */
  async function journalOperations(): Promise<number[]> {
    const { dir, state } = await folderWith(2);
    const files = faultyFiles(realFiles);
    const { store } = await openStore(dir, files);
    files.arm({ at: Number.MAX_SAFE_INTEGER, how: 'stop' });
    await store.commit(nextCommit(state));
    const first = files.log.lastIndexOf('openAppend') + 1;
    return files.log.map((_, index) => index + 1).filter((number) => number >= first);
  }
});

describe('a power failure', { timeout: 60_000 }, () => {
  const failures: Failure[] = (['none', 'all', 'all-but-last'] as const).flatMap((names) =>
    (['none', 'all', 'half'] as const).map((content) => ({ names, content })),
  );

  async function diskWith(times: number): Promise<{ disk: MemoryDisk; state: State }> {
    const disk = new MemoryDisk();
    const { store } = await Store.open({ dir: '/data', files: disk.files, now, version: VERSION });
    await commitTimes(store, times);
    await store.close();
    return { disk, state: store.state };
  }

  async function openAgain(files: Files): Promise<Store> {
    for (const name of locksIn('/data', files)) await files.remove(`/data/${name}`);
    const { store, recovery } = await Store.open({ dir: '/data', files, now, version: VERSION });
    expect(recovery.kind).toBe('none');
    return store;
  }

  it.each(failures)(
    'that keeps $names of the names and $content of the content leaves one whole state',
    async (failure) => {
      const seen = { before: 0, after: 0 };
      for (let at = 1, isReached = true; isReached; at += 1) {
        const { disk, state: before } = await diskWith(2);
        const files = faultyFiles(disk.files);
        const store = await openAgain(files);
        const commit = nextCommit(before);
        const stop = await commitAndStop(store, files, { at, how: 'tear' }, commit);
        isReached = stop.isReached;
        const again = await openAgain(disk.afterFailure(failure).files);
        const which = expectOneOf(again, before, commit.state, `stopped at ${at}: ${stop.operation}`);
        if (stop.isDone) expect(which).toBe('after');
        seen[which] += 1;
      }
      expect(Math.min(seen.before, seen.after)).toBeGreaterThan(5);
    },
  );

  it('after a start takes back nothing that the start has shown', async () => {
    for (let at = 1, isReached = true; isReached; at += 1) {
      const { disk, state } = await diskWith(2);
      const files = faultyFiles(disk.files);
      const stop = await commitAndStop(await openAgain(files), files, { at, how: 'tear' }, nextCommit(state));
      isReached = stop.isReached;
      const shown = (await openAgain(disk.files)).state;
      const again = await openAgain(disk.afterFailure({ names: 'none', content: 'none' }).files);
      expect(again.state, `stopped at ${at}: ${stop.operation}`).toEqual(shown);
      expect(commitLinesOf(again)).toEqual(expectedLines(shown));
      expect(() => readAll(again)).not.toThrow();
    }
  });

  it('at the first start leaves a folder that starts', async () => {
    for (const failure of failures) {
      for (let at = 1; at < 40; at += 1) {
        const disk = new MemoryDisk();
        const files = faultyFiles(disk.files);
        files.arm({ at, how: 'tear' });
        await Store.open({ dir: '/data', files, now, version: VERSION }).catch(() => undefined);
        expect((await openAgain(disk.afterFailure(failure).files)).state.sequence).toBe(0);
      }
    }
  });
});
