import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { capabilityId } from '../../electron/core/identity.ts';
import type { Event } from '../../electron/core/model.ts';
import { emptyState } from '../../electron/core/state.ts';
import { realFiles } from '../../electron/store/files.ts';
import { isNarrowing } from '../../electron/store/stored-event.ts';
import { faultyFiles, Stopped } from './faulty-files.ts';
import { AT, CLAUDE, EXA, nextCommit, tool } from './sample.ts';
import {
  codeOf,
  commitLinesOf,
  commitTimes,
  contentsOf,
  errorOf,
  expectedLines,
  folderWith,
  locksIn,
  openStore,
  previousPath,
  readAll,
  reopen,
  statePath,
  temporaryFolder,
} from './support.ts';

const journalPath = (dir: string): string => path.join(dir, 'journal', '2026-03.jsonl');
const linesIn = (dir: string): string[] => fs.readFileSync(journalPath(dir), 'utf8').split('\n').slice(0, -1);
const writeLines = (dir: string, lines: readonly string[]): void =>
  fs.writeFileSync(journalPath(dir), lines.map((line) => `${line}\n`).join(''));

/** The connections of the observations that are to be applied again. */
const connections = (replay: readonly Event[]): string[] =>
  replay.flatMap((event) => (event.type === 'observed' ? [event.observation.connection] : []));

const damages: [string, (file: string) => void][] = [
  ['empty', (file) => fs.writeFileSync(file, '')],
  ['cut short', (file) => fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2))],
  ['not JSON', (file) => fs.writeFileSync(file, '\0'.repeat(500))],
  ['not UTF-8', (file) => fs.writeFileSync(file, fs.readFileSync(file, 'latin1').replace('Exa', 'Ex\xe4'), 'latin1')],
  ['JSON of another program', (file) => fs.writeFileSync(file, '{"mcpServers":{}}')],
  ['a list', (file) => fs.writeFileSync(file, '[]')],
  [
    'of the wrong shape',
    (file) => fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"epoch":', '"epok":')),
  ],
  [
    'a decision for no exact id',
    (file) => fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('sha256:', '')),
  ],
  [
    'one with a prototype key',
    (file) => fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"names":{', '"names":{"__proto__":{},')),
  ],
  ['too large', (file) => fs.truncateSync(file, 65 * 1024 * 1024)],
  ['a folder', (file) => (fs.rmSync(file), fs.mkdirSync(file))],
];

describe('a damaged state file', () => {
  it.each(damages)('that is %s is set aside, and the generation before it serves', async (_, damage) => {
    const { dir } = await folderWith(4);
    damage(statePath(dir));
    const { store, recovery } = await openStore(dir);
    expect(recovery.kind).toBe('previous');
    expect(recovery.uncertain).toBe(false);
    expect(recovery.setAside.map((file) => path.basename(file))).toEqual([
      'state.damaged-2026-03-04T05-06-07-000Z.json',
    ]);
    expect(fs.existsSync(recovery.setAside[0] ?? '')).toBe(true);
    expect(store.state.publications[CLAUDE]?.epoch).toBe(4);
    expect(connections(recovery.replay)).toEqual(['connection-4']);
    expect(() => readAll(store)).not.toThrow();
  });

  it('that is missing, with an older generation there, counts as damaged', async () => {
    const { dir } = await folderWith(4);
    fs.rmSync(statePath(dir));
    const { store, recovery } = await openStore(dir);
    expect(recovery).toMatchObject({ kind: 'previous', setAside: [], uncertain: false });
    expect(connections(recovery.replay)).toEqual(['connection-4']);
    expect(store.state.publications[CLAUDE]?.epoch).toBe(4);
  });

  it('gives the lost events back whole, with the definitions they showed', async () => {
    const { dir, state } = await folderWith(4);
    const { lines } = nextCommit({ ...state, sequence: 3 });
    fs.writeFileSync(statePath(dir), '');
    const { recovery } = await openStore(dir);
    expect(recovery.replay).toEqual([lines[0]?.event]);
  });

  it('turns an item whose definition is lost into an invalid one, which only takes away', async () => {
    const { dir } = await folderWith(4);
    fs.writeFileSync(statePath(dir), '');
    fs.rmSync(path.join(dir, 'definitions', `${capabilityId(tool(8)).slice(7)}.json`));
    const { recovery } = await openStore(dir);
    const [event] = recovery.replay;
    const outcome = event?.type === 'observed' ? event.observation.kinds.tool : undefined;
    expect(outcome?.status === 'complete' && outcome.items[0]).toEqual({ originKey: 'tool_8', invalid: 'damaged' });
  });

  it('is reported at every start until the recovery is over, whatever was committed meanwhile', async () => {
    const { dir } = await folderWith(4);
    fs.writeFileSync(statePath(dir), '');
    await openStore(dir).then(({ store }) => store.close());
    const second = await openStore(dir);
    expect(connections(second.recovery.replay)).toEqual(['connection-4']);
    expect(second.recovery).toMatchObject({ kind: 'previous', uncertain: false });
    await commitTimes(second.store, 2);
    await second.store.close();
    const third = await openStore(dir);
    expect(connections(third.recovery.replay)).toEqual(['connection-4']);
    await third.store.replayed();
    await third.store.close();
    const fourth = await openStore(dir);
    expect(fourth.recovery).toEqual({ kind: 'none', setAside: [], replay: [], uncertain: false });
    expect(fourth.store.state.sequence).toBe(6);
  });

  it('that is damaged again before the recovery is over loses nothing', async () => {
    const { dir } = await folderWith(4);
    fs.writeFileSync(statePath(dir), '');
    const { store } = await openStore(dir);
    await commitTimes(store, 2);
    await store.close();
    fs.writeFileSync(statePath(dir), '');
    const { recovery } = await openStore(dir);
    expect(connections(recovery.replay)).toEqual(['connection-4', 'connection-5', 'connection-6']);
    expect(recovery.uncertain).toBe(false);
  });

  it('that is damaged again, with no line for its newest commit, is uncertain', async () => {
    const { dir } = await folderWith(4);
    fs.writeFileSync(statePath(dir), '');
    const { store } = await openStore(dir);
    await commitTimes(store, 2);
    await store.close();
    writeLines(dir, linesIn(dir).slice(0, -2));
    fs.writeFileSync(statePath(dir), '');
    const { recovery } = await openStore(dir);
    expect(connections(recovery.replay)).toEqual(['connection-4', 'connection-5']);
    expect(recovery.uncertain).toBe(true);
  });

  it('never gives a number of a lost commit to another one', async () => {
    const { dir } = await folderWith(4);
    fs.writeFileSync(statePath(dir), '');
    const { store } = await openStore(dir);
    expect(store.state.sequence).toBe(4);
    await commitTimes(store, 1);
    expect(commitLinesOf(store)).toEqual(expectedLines({ ...store.state, sequence: 5 }));
  });

  it('does not overwrite one that was set aside before', async () => {
    const { dir } = await folderWith(4);
    for (const text of ['first', 'second']) {
      fs.writeFileSync(statePath(dir), text);
      await openStore(dir).then(({ store }) => store.close());
    }
    const aside = fs.readdirSync(dir).filter((name) => name.includes('damaged'));
    expect(aside.map((name) => fs.readFileSync(path.join(dir, name), 'utf8')).sort()).toEqual(['first', 'second']);
  });

  it('keeps the two generations apart after a crash between keeping and replacing', async () => {
    const { dir } = await folderWith(3);
    fs.rmSync(previousPath(dir));
    fs.linkSync(statePath(dir), previousPath(dir));
    await openStore(dir).then(({ store }) => store.close());
    fs.writeFileSync(statePath(dir), '');
    const { store, recovery } = await openStore(dir);
    expect(store.state.publications[CLAUDE]?.epoch).toBe(4);
    expect(recovery.uncertain).toBe(true);
  });
});

describe('an uncertain recovery', () => {
  it.each<[string, (dir: string) => void]>([
    ['has no line for the lost commit', (dir) => writeLines(dir, linesIn(dir).slice(0, -2))],
    ['is gone', (dir) => fs.rmSync(path.join(dir, 'journal'), { recursive: true })],
    ['is empty', (dir) => fs.writeFileSync(journalPath(dir), '')],
    ['ends in something unreadable', (dir) => fs.appendFileSync(journalPath(dir), 'garbage\n')],
    ['is a folder', (dir) => (fs.rmSync(journalPath(dir)), fs.mkdirSync(journalPath(dir)))],
    ['is all zeros', (dir) => fs.writeFileSync(journalPath(dir), '\0'.repeat(4096))],
    [
      'has the event in no line',
      (dir) =>
        writeLines(
          dir,
          linesIn(dir).filter((line) => !/"sequence":4,"index":0/.test(line)),
        ),
    ],
    [
      'has the event cut off',
      (dir) =>
        writeLines(
          dir,
          linesIn(dir).map((line) => line.replace(/"event":\{.*\}$/, '"cut":true}')),
        ),
    ],
  ])('follows when the journal %s', async (_, damage) => {
    const { dir } = await folderWith(4);
    damage(dir);
    fs.writeFileSync(statePath(dir), '');
    const { store, recovery } = await openStore(dir);
    expect(recovery).toMatchObject({ kind: 'previous', uncertain: true });
    expect(store.state.publications[CLAUDE]?.epoch).toBe(4);
  });

  it('stays uncertain over restarts until it is over', async () => {
    const { dir } = await folderWith(4);
    fs.rmSync(path.join(dir, 'journal'), { recursive: true });
    fs.writeFileSync(statePath(dir), '');
    const { store } = await openStore(dir);
    await commitTimes(store, 3);
    await store.close();
    expect((await openStore(dir)).recovery.uncertain).toBe(true);
  });

  it('follows when a commit in the middle is missing', async () => {
    const { dir } = await folderWith(4);
    fs.writeFileSync(statePath(dir), '');
    const { store } = await openStore(dir);
    await commitTimes(store, 2);
    await store.close();
    writeLines(
      dir,
      linesIn(dir).filter((line) => !line.startsWith('{"sequence":5,')),
    );
    fs.writeFileSync(statePath(dir), '');
    expect((await openStore(dir)).recovery.uncertain).toBe(true);
  });

  it('leaves an empty state when both generations are damaged, and sets both aside', async () => {
    const { dir } = await folderWith(4);
    fs.writeFileSync(statePath(dir), '{"a":1}');
    fs.writeFileSync(previousPath(dir), '');
    const { store, recovery } = await openStore(dir);
    expect(recovery).toMatchObject({ kind: 'empty', replay: [], uncertain: true });
    expect(recovery.setAside.map((file) => path.basename(file).replace(/-.*/, ''))).toEqual([
      'state.damaged',
      'state.previous.damaged',
    ]);
    // Numbers go on, so that the journal stays in order.
    expect(store.state).toEqual({ ...emptyState(), sequence: 4 });
    await commitTimes(store, 1);
    expect(commitLinesOf(store)).toEqual(expectedLines(store.state));
  });
});

describe('state files that are both missing', () => {
  it('are no fresh start where the journal has a history: numbers go on, and nothing may be used until confirmed', async () => {
    const { dir } = await folderWith(4);
    for (const file of [statePath(dir), previousPath(dir)]) fs.rmSync(file);
    const { store, recovery } = await openStore(dir);
    expect(recovery).toEqual({ kind: 'empty', setAside: [], replay: [], uncertain: true });
    expect(store.state).toEqual({ ...emptyState(), sequence: 4 });
    await store.close();
    expect((await openStore(dir)).recovery).toMatchObject({ kind: 'empty', uncertain: true });
  });

  it.each(['not a line\n', '\0'.repeat(500), 'no line at all'])(
    'are no fresh start where the journal is damaged: %j',
    async (text) => {
      const { dir } = await folderWith(2);
      for (const file of [statePath(dir), previousPath(dir)]) fs.rmSync(file);
      fs.writeFileSync(journalPath(dir), text);
      expect((await openStore(dir)).recovery).toMatchObject({ kind: 'empty', uncertain: true });
    },
  );

  it('are a fresh start where there is no history', async () => {
    const { dir } = await folderWith(0);
    for (const file of [statePath(dir), previousPath(dir)]) fs.rmSync(file, { force: true });
    expect((await openStore(dir)).recovery.kind).toBe('none');
  });
});

describe('state files that are not damaged', () => {
  it('of a later version stay as they are', async () => {
    const { dir } = await folderWith(2);
    fs.writeFileSync(statePath(dir), fs.readFileSync(statePath(dir), 'utf8').replace('"holdfast":4', '"holdfast":5'));
    const before = contentsOf(dir);
    const error = await errorOf(() => openStore(dir));
    expect([error.code, error.details['found'], error.details['known']]).toEqual(['STORE_NEWER', 5, 4]);
    expect(contentsOf(dir)).toEqual(before);
    // The folder is free again: the later version can open it.
    expect(locksIn(dir)).toEqual([]);
  });

  it('of a later version are not touched either when only the older generation is readable', async () => {
    const { dir } = await folderWith(2);
    fs.writeFileSync(statePath(dir), '');
    fs.writeFileSync(previousPath(dir), '{"holdfast":7,"anything":"else"}');
    const before = contentsOf(dir);
    expect(await codeOf(() => openStore(dir))).toBe('STORE_NEWER');
    expect(contentsOf(dir)).toEqual(before);
  });

  it.each([
    ['for want of rights', 'EACCES'],
    ['for a failure of the moment', 'EMFILE'],
  ])('are not set aside %s', async (_, code) => {
    const { dir } = await folderWith(2);
    const read = (file: string): Buffer | undefined => {
      if (file === statePath(dir)) throw Object.assign(new Error(code), { code });
      return realFiles.read(file);
    };
    expect(await codeOf(() => openStore(dir, { ...realFiles, read }))).toBe('STORE_CORRUPT');
    expect((await openStore(dir)).recovery.kind).toBe('none');
  });

  it('but older than the journal, as after a restored backup, serve with what happened since', async () => {
    const { dir } = await folderWith(2);
    const backup = fs.readFileSync(statePath(dir));
    await openStore(dir).then(async ({ store }) => {
      await commitTimes(store, 2);
      await store.close();
    });
    fs.writeFileSync(statePath(dir), backup);
    const { store, recovery } = await openStore(dir);
    expect(recovery).toMatchObject({ kind: 'previous', uncertain: false });
    expect(connections(recovery.replay)).toEqual(['connection-3', 'connection-4']);
    expect(store.state.sequence).toBe(4);
    expect(store.state.publications[CLAUDE]?.epoch).toBe(4);
  });
});

describe('a recovery that is itself stopped', { timeout: 60_000 }, () => {
  const rounds: [string, (dir: string) => void, string][] = [
    ['from the previous generation', (dir) => fs.writeFileSync(statePath(dir), ''), 'previous'],
    [
      'with nothing to serve',
      (dir) => [statePath(dir), previousPath(dir)].forEach((file) => fs.writeFileSync(file, '')),
      'empty',
    ],
  ];
  it.each(rounds)('%s comes to the same at the next start, after every single operation', async (_, damage, kind) => {
    let stops = 0;
    for (let at = 1, isDone = false; !isDone; at += 1) {
      const { dir } = await folderWith(3);
      damage(dir);
      const files = faultyFiles(realFiles);
      files.arm({ at, how: 'tear' });
      const stopped = await openStore(dir, files).catch((error: { cause?: unknown }) => error);
      isDone = !('cause' in stopped);
      if (!isDone) expect((stopped as { cause?: unknown }).cause).toBeInstanceOf(Stopped);
      stops += isDone ? 0 : 1;
      const { store, recovery } = await reopen(dir);
      expect(recovery.kind, `after ${at} operations`).toBe(kind);
      expect(recovery.uncertain).toBe(kind === 'empty');
      expect(connections(recovery.replay)).toEqual(kind === 'empty' ? [] : ['connection-3']);
      expect(() => readAll(store)).not.toThrow();
      await store.close();
    }
    expect(stops).toBeGreaterThan(15);
  });
});

describe('the events that are applied again', () => {
  const ref = 'srv-exa/tool/x' as never;
  const base = { at: AT, consumer: CLAUDE, ref, id: capabilityId(tool(1)) };
  it('are those that take away', () => {
    expect(isNarrowing({ ...base, type: 'decided', verdict: 'rejected' })).toBe(true);
    expect(isNarrowing({ ...base, type: 'undone', sequence: 1 })).toBe(true);
    expect(isNarrowing({ at: AT, type: 'hidden', consumer: CLAUDE, server: EXA, target: 'all' })).toBe(true);
    expect(isNarrowing({ at: AT, type: 'server-removed', server: EXA })).toBe(true);
    const rebound = { at: AT, type: 'rebound', consumer: CLAUDE, evidence: 'said' } as const;
    expect(isNarrowing({ ...rebound, from: [ref], to: [{ ref, id: base.id }] })).toBe(true);
    expect(isNarrowing({ at: AT, type: 'paused', until: null, reason: 'person' })).toBe(true);
  });

  it('are not those by which a person gives more', () => {
    expect(isNarrowing({ ...base, type: 'decided', verdict: 'approved' })).toBe(false);
    expect(isNarrowing({ at: AT, type: 'resumed' })).toBe(false);
    expect(isNarrowing({ at: AT, type: 'exposed', consumer: CLAUDE, server: EXA, target: 'all', shown: [] })).toBe(
      false,
    );
  });
});

it('forgets nothing about a fresh folder that never had a commit', async () => {
  const dir = temporaryFolder();
  await openStore(dir).then(({ store }) => store.close());
  expect((await openStore(dir)).recovery.kind).toBe('none');
});
