import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { realFiles, type Files } from '../../electron/store/files.ts';
import { Traces, type TraceOptions } from '../../electron/store/traces.ts';
import { AT } from './sample.ts';
import { temporaryFolder } from './support.ts';

const namesIn = (dir: string): string[] => fs.readdirSync(path.join(dir, 'traces')).sort();
const open = (dir: string, options: Partial<TraceOptions> = {}): Promise<Traces> =>
  Traces.open({ files: realFiles, dir, now: () => AT, ...options });

describe('traces', () => {
  it('are written later, together, one file per day', async () => {
    const dir = temporaryFolder();
    const traces = await open(dir, { flushMs: 20 });
    traces.add({ name: 'a' });
    traces.add({ name: 'b' });
    expect(namesIn(dir)).toEqual([]);
    await pause(200);
    expect(fs.readFileSync(path.join(dir, 'traces', '2026-03-04.jsonl'), 'utf8')).toBe('{"name":"a"}\n{"name":"b"}\n');
  });

  it('are written when closed, and read newest first, those that wait included', async () => {
    const dir = temporaryFolder();
    const traces = await open(dir);
    for (const name of ['a', 'b', 'c']) traces.add({ name });
    await traces.close();
    traces.add({ name: 'd' });
    expect(traces.recent(3).map((line) => line['name'])).toEqual(['d', 'c', 'b']);
    expect(traces.recent(9, (line) => line['name'] !== 'b')).toHaveLength(3);
    expect((await open(dir)).recent(9)).toHaveLength(3);
  });

  it('go on after a line that a crash left unfinished', async () => {
    const dir = temporaryFolder();
    fs.mkdirSync(path.join(dir, 'traces'));
    fs.writeFileSync(path.join(dir, 'traces', '2026-03-04.jsonl'), '{"name":"a"}\n{"na');
    const traces = await open(dir);
    traces.add({ name: 'b' });
    await traces.close();
    expect(traces.recent(9).map((line) => line['name'])).toEqual(['b', 'a']);
  });

  it('are gone after 90 days', async () => {
    const dir = temporaryFolder();
    fs.mkdirSync(path.join(dir, 'traces'));
    const days = ['2025-12-03', '2025-12-04', '2026-03-03'];
    for (const day of days) fs.writeFileSync(path.join(dir, 'traces', `${day}.jsonl`), '{}\n');
    fs.writeFileSync(path.join(dir, 'traces', 'notes.txt'), 'mine');
    await open(dir);
    expect(namesIn(dir)).toEqual(['2025-12-04.jsonl', '2026-03-03.jsonl', 'notes.txt']);
  });

  it('never take more room than they may, the oldest going first', async () => {
    const dir = temporaryFolder();
    const keepBytes = 10_000;
    const traces = await open(dir, { keepBytes });
    for (let number = 0; number < 400; number += 1) {
      traces.add({ number, filler: 'x'.repeat(80) });
      await traces.flush();
    }
    const bytes = namesIn(dir).map((name) => fs.statSync(path.join(dir, 'traces', name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(keepBytes);
    const numbers = traces.recent(1_000).map((line) => line['number']);
    expect(numbers[0]).toBe(399);
    expect(numbers).toEqual(numbers.map((_, index) => 399 - index));
    expect(numbers.length).toBeGreaterThan(60);
  });

  it('stop nobody when the disk takes none, and are written once it does', async () => {
    const dir = temporaryFolder();
    let isFull = true;
    const write: Files['write'] = (handle, text) =>
      isFull ? Promise.reject(new Error('ENOSPC')) : realFiles.write(handle, text);
    const traces = await open(dir, { files: { ...realFiles, write } });
    for (let number = 0; number < 20_005; number += 1) traces.add({ number });
    await traces.flush();
    expect([traces.dropped, traces.recent(1)]).toEqual([5, [{ number: 20_004 }]]);
    isFull = false;
    await traces.close();
    expect((await open(dir)).recent(30_000)).toHaveLength(20_000);
  });
});

describe('traces under a clock that is wrong', () => {
  async function addOn(dir: string, now: string, name: string): Promise<void> {
    const traces = await open(dir, { now: () => now });
    traces.add({ name });
    await traces.close();
  }
  const tracesIn = async (dir: string): Promise<unknown[]> => (await open(dir)).recent(99).map((line) => line['name']);

  it('are all there after a jump of ten years ahead that is put right within a day', async () => {
    const dir = temporaryFolder();
    for (const [now, name] of [
      ['2026-03-01T00:00:00.000Z', 'a'],
      ['2026-03-02T00:00:00.000Z', 'b'],
      ['2036-03-02T00:00:00.000Z', 'ahead'],
      ['2026-03-03T00:00:00.000Z', 'c'],
    ] as const)
      await addOn(dir, now, name);
    expect(await tracesIn(dir)).toEqual(['c', 'ahead', 'b', 'a']);
  });

  it('are all there after a clock that starts in 1970', async () => {
    const dir = temporaryFolder();
    for (const [now, name] of [
      ['2026-03-01T00:00:00.000Z', 'a'],
      ['1970-01-01T00:00:00.000Z', 'b'],
      ['1970-01-02T00:00:00.000Z', 'c'],
      ['2026-03-02T00:00:00.000Z', 'd'],
    ] as const)
      await addOn(dir, now, name);
    expect(await tracesIn(dir)).toEqual(['d', 'c', 'b', 'a']);
  });

  it('grow old where a later date is that of two days', async () => {
    const dir = temporaryFolder();
    for (const [now, name] of [
      ['2025-03-01T00:00:00.000Z', 'old'],
      ['2026-03-01T00:00:00.000Z', 'a'],
      ['2026-03-02T00:00:00.000Z', 'b'],
      ['2026-03-03T00:00:00.000Z', 'c'],
    ] as const)
      await addOn(dir, now, name);
    expect(await tracesIn(dir)).toEqual(['c', 'b', 'a']);
  });
});
