import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConsumerId, State } from '../../electron/core/model.ts';
import { deriveSurface } from '../../electron/core/surface.ts';
import { reviewItems } from '../../electron/core/review.ts';
import { realFiles } from '../../electron/store/files.ts';
import { faultyFiles, Stopped } from './faulty-files.ts';
import { CLAUDE, nextCommit, VERSION } from './sample.ts';
import {
  codeOf,
  commitLinesOf,
  contentsOf,
  errorOf,
  openStore,
  previousPath,
  readAll,
  reopen,
  statePath,
  temporaryFolder,
} from './support.ts';

const FIXTURES = path.join(import.meta.dirname, 'fixtures');
const CURSOR = 'cursor' as ConsumerId;
const BACKUP = 'state-v1-2026-03-04T05-06-07-000Z.json';
const COMMITS = 15;

/** What the program that wrote the folder answered about it. */
interface Answers {
  readonly 'claude-desktop': { readonly epoch: number; readonly manifestId: string; readonly entries: unknown[] };
  readonly cursor: { readonly epoch: number; readonly manifestId: string };
  readonly reviews: { readonly reviews: readonly { readonly id: string; readonly state: string }[] };
}
const answers = JSON.parse(fs.readFileSync(path.join(FIXTURES, 'format-1-answers.json'), 'utf8')) as Answers; // kept with the folder

/** A data folder as a program of format 1 left it. */
function oldFolder(): string {
  const dir = path.join(temporaryFolder(), 'data');
  fs.cpSync(path.join(FIXTURES, 'format-1'), dir, { recursive: true });
  return dir;
}

const read = (file: string): string => fs.readFileSync(file, 'utf8');
const stateIn = (file: string): State => (JSON.parse(read(file)) as { state: State }).state; // a state file
const backupsIn = (dir: string): string[] =>
  realFiles.list(path.join(dir, 'backups')).filter((n) => !n.endsWith('.tmp'));

/** What the present format says more: every change is asked about, as it was. */
function asNow(state: State): State {
  const asking = Object.entries(state.servers).map(([id, server]) => [id, { ...server, policy: 'review' }]);
  const incidents = state.incidents.map((incident) => ({
    ...incident,
    reviews: incident.reviews.map((review) => ({ ...review, quiet: false })),
    followed: [],
    unusable: [],
    change: '',
    loud: true,
  }));
  const servers = Object.fromEntries(asking) as State['servers']; // the same keys
  const lastListed = Object.fromEntries(
    Object.entries(state.lastListed).map(([app, lists]) => [
      app,
      Object.fromEntries(Object.entries(lists).map(([kind, manifestId]) => [kind, { manifestId, at: null }])),
    ]),
  ) as unknown as State['lastListed']; // the old shape in, the present one out
  const settings = { ...state.settings, tell: 'all' } as const;
  return {
    ...state,
    servers,
    incidents,
    lastListed,
    settings,
    rebinds: {},
    apart: {},
    quiet: {},
    stops: {},
    moves: {},
  };
}

describe('a data folder of format 1', () => {
  it('opens with everything as it was: decisions, names, surfaces, epochs, history', async () => {
    const dir = oldFolder();
    const before = asNow(stateIn(statePath(dir)));
    const { store, recovery } = await openStore(dir);
    expect(recovery).toEqual({ kind: 'none', setAside: [], replay: [], uncertain: false });
    expect(store.state).toEqual(before);
    expect(() => readAll(store)).not.toThrow();
    for (const consumer of [CLAUDE, CURSOR]) {
      const answer = answers[consumer === CLAUDE ? 'claude-desktop' : 'cursor'];
      const { epoch, manifestId } = answer;
      expect(store.state.publications[consumer]).toMatchObject({ epoch, manifestId });
    }
    expect(deriveSurface(store.state, CLAUDE).manifest.entries).toHaveLength(answers['claude-desktop'].entries.length);
    const wasWaiting = answers.reviews.reviews.map(({ id }) => id);
    expect(
      reviewItems(store.state)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...wasWaiting].sort());
    expect(new Set(commitLinesOf(store).map((line) => Number(line.split('/')[0]))).size).toBe(COMMITS);
  });

  it('is kept byte for byte, for this user alone, before it is written in the present format', async () => {
    const dir = oldFolder();
    const before = fs.readFileSync(statePath(dir));
    const { store } = await openStore(dir);
    const backup = path.join(dir, 'backups', BACKUP);
    expect(backupsIn(dir)).toEqual([BACKUP]);
    expect(fs.readFileSync(backup).equals(before)).toBe(true);
    expect(fs.statSync(backup).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(backup)).mode & 0o777).toBe(0o700);
    expect(JSON.parse(read(statePath(dir)))).toMatchObject({ holdfast: 4, writtenBy: VERSION });
    await store.close();
    // Once: the next start finds the present format.
    await openStore(dir);
    expect(backupsIn(dir)).toEqual([BACKUP]);
  });

  it('goes on from there, and its generation before is still one to serve', async () => {
    const dir = oldFolder();
    const { store } = await openStore(dir);
    await store.commit(nextCommit(store.state));
    await store.close();
    fs.writeFileSync(statePath(dir), '');
    const { store: older, recovery } = await openStore(dir);
    expect(recovery).toMatchObject({ kind: 'previous', uncertain: false });
    expect(older.state.decisions).toEqual(stateIn(path.join(dir, 'backups', BACKUP)).decisions);
  });

  it('serves its older generation when the newer one is damaged, and keeps that one, too', async () => {
    const dir = oldFolder();
    const before = read(previousPath(dir));
    fs.writeFileSync(statePath(dir), '{"holdfast":1,"state":');
    const { store, recovery } = await openStore(dir);
    expect(recovery).toMatchObject({ kind: 'previous', uncertain: false });
    expect(recovery.replay.map(({ type }) => type)).toEqual(['decided']);
    expect(store.state.decisions).toEqual((JSON.parse(before) as { state: State }).state.decisions);
    expect(read(path.join(dir, 'backups', BACKUP))).toBe(before);
  });

  it('is never kept over an earlier backup', async () => {
    const dir = oldFolder();
    fs.mkdirSync(path.join(dir, 'backups'));
    fs.writeFileSync(path.join(dir, 'backups', BACKUP), 'an earlier one');
    await openStore(dir);
    expect(backupsIn(dir)).toHaveLength(2);
    expect(read(path.join(dir, 'backups', BACKUP))).toBe('an earlier one');
    const other = backupsIn(dir).find((name) => name !== BACKUP) ?? '';
    expect(stateIn(path.join(dir, 'backups', other)).sequence).toBe(COMMITS);
  });

  it('stays as it is when it cannot be kept', async () => {
    const dir = oldFolder();
    fs.writeFileSync(path.join(dir, 'backups'), 'a file where the folder should be');
    const before = contentsOf(dir);
    expect(await codeOf(() => openStore(dir))).toBe('STORE_WRITE_FAILED');
    expect(contentsOf(dir)).toEqual(before);
  });

  it.each(['stop', 'tear', 'fail'] as const)(
    'opens whatever operation of the change was the last one (%s), with one backup and nothing lost',
    { timeout: 60_000 },
    async (how) => {
      let stops = 0;
      for (let at = 1, isDone = false; !isDone; at += 1) {
        const dir = oldFolder();
        const before = read(statePath(dir));
        const files = faultyFiles(realFiles);
        files.arm({ at, how });
        const outcome = await openStore(dir, files).then(
          ({ store }) => store.close().catch(() => undefined),
          (error: unknown) => error,
        );
        isDone = files.operations < at;
        files.disarm();
        if (outcome instanceof Error && how !== 'fail') expect(rootOf(outcome)).toBeInstanceOf(Stopped);
        stops += outcome instanceof Error ? 1 : 0;
        const { store, recovery } = await reopen(dir);
        expect(recovery, `${how} at ${at}: ${files.log[at - 1] ?? 'none'}`).toMatchObject({ kind: 'none' });
        expect(store.state).toEqual(asNow((JSON.parse(before) as { state: State }).state));
        expect(backupsIn(dir).map((name) => read(path.join(dir, 'backups', name)))).toEqual([before]);
        await store.close();
      }
      expect(stops).toBeGreaterThan(10);
    },
  );

  function rootOf(error: Error): unknown {
    return error.cause instanceof Error ? rootOf(error.cause) : error;
  }
});

describe('a state file of a later format', () => {
  it.each([
    ['that says who wrote it', ',"writtenBy":"4.5.6"', '4.5.6'],
    ['that does not say who wrote it', '', undefined],
    ['that says something no version can be', `,"writtenBy":"${'x'.repeat(101)}"`, undefined],
    ['that says something unfit to be shown', ',"writtenBy":"1.0\\u001b[2J"', undefined],
  ])('%s stays as it is, and is named as far as it can be', async (_, member, writtenBy) => {
    const dir = oldFolder();
    fs.writeFileSync(statePath(dir), `{"holdfast":7${member},"anything":"else"}`);
    const before = contentsOf(dir);
    const error = await errorOf(() => openStore(dir));
    expect([error.code, error.details['found'], error.details['writtenBy']]).toEqual(['STORE_NEWER', 7, writtenBy]);
    expect(contentsOf(dir)).toEqual(before);
  });
});

it('every state file says which version of the program wrote it', async () => {
  const dir = temporaryFolder();
  const { store } = await openStore(dir);
  await store.commit(nextCommit(store.state));
  for (const file of [statePath(dir), previousPath(dir)])
    expect(JSON.parse(read(file))).toMatchObject({ holdfast: 4, writtenBy: VERSION });
});
