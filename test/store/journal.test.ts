import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { realFiles } from '../../electron/store/files.ts';
import { Journal } from '../../electron/store/journal.ts';
import { MAX_LINE_BYTES, type JournalLine } from '../../electron/store/journal-line.ts';
import { AT, nextCommit } from './sample.ts';
import {
  codeOf,
  commitLinesOf,
  commitTimes,
  expectedLines,
  folderWith,
  openStore,
  temporaryFolder,
} from './support.ts';

const fileOf = (dir: string): string => path.join(dir, 'journal', '2026-03.jsonl');
const lineAt = (sequence: number, at: string, index: number | null = 0): JournalLine => ({
  sequence,
  index,
  at,
  type: 't',
});

async function openJournal(folder: string): Promise<Journal> {
  return (await Journal.open(realFiles, folder, AT)).journal;
}

describe('the journal', () => {
  it('keeps ids instead of definitions', async () => {
    const { dir } = await folderWith(1);
    const text = fs.readFileSync(fileOf(dir), 'utf8');
    expect(text).toContain('"originKey":"tool_2","id":"sha256:');
    expect(text).not.toContain('Searches');
  });

  it('keeps evidence between commits, under the number of the last one', async () => {
    const { dir } = await folderWith(1);
    const { store } = await openStore(dir);
    await store.journal({ at: AT, type: 'launched', details: { version: '1' } });
    await commitTimes(store, 1);
    const [line] = store.history(1, (each) => each.index === null);
    expect(line).toEqual({ sequence: 1, index: null, at: AT, type: 'launched', details: { version: '1' } });
  });

  it('cuts off a torn last line at start, and completes what the last commit owes', async () => {
    const { dir, state } = await folderWith(2);
    fs.truncateSync(fileOf(dir), fs.statSync(fileOf(dir)).size - 10);
    const { store, recovery } = await openStore(dir);
    expect(recovery.kind).toBe('none');
    expect(commitLinesOf(store)).toEqual(expectedLines(state));
  });

  it.each([0, 1, 2])('gets the lines of the last commit exactly once when %i of them are there', async (present) => {
    const { dir, state } = await folderWith(2);
    const lines = fs
      .readFileSync(fileOf(dir), 'utf8')
      .split('\n')
      .slice(0, 2 + present);
    fs.writeFileSync(fileOf(dir), lines.map((line) => `${line}\n`).join(''));
    for (let start = 0; start < 3; start += 1) {
      const { store } = await openStore(dir);
      expect(commitLinesOf(store)).toEqual(expectedLines(state));
      await store.close();
    }
  });

  it('does not repeat lines that evidence follows', async () => {
    const { dir, state } = await folderWith(2);
    await openStore(dir).then(async ({ store }) => {
      await store.journal({ at: AT, type: 'launched' });
      await store.close();
    });
    expect(commitLinesOf((await openStore(dir)).store)).toEqual(expectedLines(state));
  });

  it('that is unreadable at its end is set aside, still read, and goes on', async () => {
    const { dir, state } = await folderWith(2);
    fs.appendFileSync(fileOf(dir), 'not a line\n');
    const { store, recovery } = await openStore(dir);
    expect(recovery).toMatchObject({ kind: 'none', uncertain: false });
    expect(recovery.setAside.map((file) => path.basename(file))).toEqual([
      '2026-03.damaged-2026-03-04T05-06-07-000Z.jsonl',
    ]);
    await commitTimes(store, 1);
    expect(commitLinesOf(store)).toEqual(expectedLines({ ...state, sequence: 3 }));
  });

  it('that cannot be read at all does not keep the store from starting', async () => {
    const { dir, state } = await folderWith(2);
    fs.rmSync(fileOf(dir));
    fs.mkdirSync(fileOf(dir));
    const { store, recovery } = await openStore(dir);
    expect([recovery.kind, recovery.setAside.length]).toEqual(['none', 1]);
    expect(store.state).toEqual(state);
    expect(commitLinesOf(store)).toEqual(['2/0', '2/1']);
  });

  it('stands when its lines cannot be written for a while, and has them before the next commit', async () => {
    const { dir } = await folderWith(1);
    let isFull = true;
    const openAppend = (file: string): Promise<number> =>
      isFull ? Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })) : realFiles.openAppend(file);
    const { store } = await openStore(dir, { ...realFiles, openAppend });
    await store.commit(nextCommit(store.state));
    expect(store.state.sequence).toBe(2);
    expect(await codeOf(() => store.commit(nextCommit(store.state)))).toBe('STORE_WRITE_FAILED');
    expect(await codeOf(() => store.journal({ at: AT, type: 'launched' }))).toBe('STORE_WRITE_FAILED');
    isFull = false;
    await store.commit(nextCommit(store.state));
    expect(commitLinesOf(store)).toEqual(expectedLines(store.state));
  });

  it('cuts off what a failed write left before it writes again', async () => {
    const { dir } = await folderWith(1);
    let isTorn = true;
    const write = async (handle: number, text: string): Promise<void> => {
      const isHere = isTorn && text.startsWith('{"sequence"');
      await realFiles.write(handle, isHere ? text.slice(0, 30) : text);
      if (isHere) throw new Error('ENOSPC');
    };
    const { store } = await openStore(dir, { ...realFiles, write });
    await store.commit(nextCommit(store.state));
    isTorn = false;
    await store.commit(nextCommit(store.state));
    expect(commitLinesOf(store)).toEqual(expectedLines(store.state));
    expect(fs.readFileSync(fileOf(dir), 'utf8').trim().split('\n')).toHaveLength(6);
  });

  it('cuts an event that is too long for a line, but keeps the line', async () => {
    const dir = temporaryFolder();
    const { store } = await openStore(dir);
    const commit = nextCommit(store.state);
    const details = { reason: 'x'.repeat(MAX_LINE_BYTES) };
    await store.commit({ ...commit, lines: [{ at: AT, type: 'observed', details }] });
    expect(store.history(1)).toEqual([{ sequence: 1, index: 0, at: AT, type: 'observed', cut: true }]);
  });

  it('starts a file per month and reads over all of them, newest first', async () => {
    const folder = temporaryFolder();
    const journal = await openJournal(folder);
    await journal.append([lineAt(1, '2026-03-31T23:59:59.000Z')]);
    await journal.append([lineAt(2, '2026-04-01T00:00:00.000Z')]);
    expect(fs.readdirSync(folder).sort()).toEqual(['2026-03.jsonl', '2026-04.jsonl']);
    const again = await openJournal(folder);
    expect(again.recent(9).map((line) => line.sequence)).toEqual([2, 1]);
    expect(again.since(0).lines.map((line) => line.sequence)).toEqual([1, 2]);
  });

  it('never goes back to an earlier month when the clock does', async () => {
    const folder = temporaryFolder();
    await (await openJournal(folder)).append([lineAt(1, '2026-04-01T00:00:00.000Z')]);
    const again = await openJournal(folder);
    await again.append([lineAt(2, '2026-03-01T00:00:00.000Z'), lineAt(2, '2026-03-01T00:00:00.000Z', 1)]);
    expect(fs.readdirSync(folder)).toEqual(['2026-04.jsonl']);
    expect(again.recent(9).map((line) => line.sequence)).toEqual([2, 2, 1]);
  });

  it('goes on after a file that was set aside, whatever the clock says and however many starts come between', async () => {
    const folder = temporaryFolder();
    await (await openJournal(folder)).append([lineAt(1, '2026-02-01T00:00:00.000Z')]);
    await (await openJournal(folder)).append([lineAt(2, '2099-01-01T00:00:00.000Z')]);
    const file = path.join(folder, '2099-01.jsonl');
    for (const [sequence, damaged] of [
      [3, file],
      [4, path.join(folder, '2099-01.001.jsonl')],
    ] as const) {
      fs.appendFileSync(damaged, 'not a line\n');
      await openJournal(folder); // only looks: it appends nothing
      await (await openJournal(folder)).append([lineAt(sequence, '2026-02-02T00:00:00.000Z')]);
    }
    const journal = await openJournal(folder);
    expect(journal.recent(9).map(({ sequence }) => sequence)).toEqual([4, 3, 2, 1]);
    expect(journal.since(2)).toMatchObject({ last: 4 });
    const aside = `damaged-${AT.replaceAll(/[:.]/g, '-')}.jsonl`;
    expect(fs.readdirSync(folder).sort()).toEqual([
      '2026-02.jsonl',
      `2099-01.001.${aside}`,
      '2099-01.002.jsonl',
      `2099-01.${aside}`,
    ]);
  });

  it('does not repeat lines that are in a file that was set aside', async () => {
    const { dir, state } = await folderWith(2);
    fs.appendFileSync(fileOf(dir), 'not a line\n');
    for (let start = 0; start < 3; start += 1) {
      const { store } = await openStore(dir);
      expect(commitLinesOf(store)).toEqual(expectedLines(state));
      await store.close();
    }
  });

  it('leaves out what is unreadable in the middle, but does not call it complete', async () => {
    const folder = temporaryFolder();
    await (await openJournal(folder)).append([lineAt(1, AT), lineAt(2, AT), lineAt(3, AT)]);
    const file = path.join(folder, '2026-03.jsonl');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('{"sequence":2', '{"sequence":"2'));
    const again = await openJournal(folder);
    expect(again.recent(9).map((line) => line.sequence)).toEqual([3, 1]);
    expect(again.since(1).isComplete).toBe(false);
  });
});
