import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { emptyState } from '../../electron/core/state.ts';
import type { State } from '../../electron/core/model.ts';
import { bundleCommitter, marked, startCommitter } from './processes.ts';
import { nextCommit } from './sample.ts';
import { commitLinesOf, expectedLines, openStore, readAll, temporaryFolder } from './support.ts';

const KILLS = 50;
const MOST_COMMITS = 2;

const countOf = (text: string, mark: string): number => text.split(mark).length - 1;
const random = (limit: number): number => Math.random() * limit;

/** Kills the committer at a random moment of a random commit; returns its marks. */
async function killCommitter(
  script: string,
  dir: string,
  commitMs: number,
): Promise<{ marks: string; tookMs: number }> {
  const committer = startCommitter(script, dir);
  await marked(committer, '<');
  const start = performance.now();
  const commits = Math.floor(random(MOST_COMMITS)) + 1;
  while (countOf(committer.marks(), '>') < commits) await pause(1);
  const tookMs = (performance.now() - start) / commits;
  await pause(random(commitMs));
  committer.child.kill('SIGKILL');
  await committer.ended;
  return { marks: committer.marks(), tookMs };
}

/** The state after so many more commits. */
function advance(state: State, commits: number): State {
  return commits === 0 ? state : advance(nextCommit(state).state, commits - 1);
}

it(`survives ${KILLS} kills at random moments with exactly what was committed`, { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const dir = path.join(folder, 'data');
  const script = await bundleCommitter(folder);
  let inside = 0;
  let state = emptyState();
  let commitMs = 10;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const { marks, tookMs } = await killCommitter(script, dir, commitMs);
    commitMs = tookMs;
    state = advance(state, countOf(marks, '>'));
    const isInside = marks.endsWith('<');
    const { store, recovery } = await openStore(dir);
    expect(recovery).toEqual({ kind: 'none', setAside: [], replay: [], uncertain: false });
    const isDone = isInside && store.state.sequence === state.sequence + 1;
    if (isDone) state = advance(state, 1);
    expect(store.state, `kill ${kill}`).toEqual(state);
    expect(() => readAll(store)).not.toThrow();
    expect(commitLinesOf(store)).toEqual(expectedLines(state));
    await store.close();
    if (isInside) inside += 1;
  }
  expect(inside).toBeGreaterThanOrEqual(KILLS / 2);
});
