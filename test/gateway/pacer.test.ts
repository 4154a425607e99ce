import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pacer } from '../../electron/gateway/pacer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How often it lists while a notice comes every so many milliseconds, for a minute; each list takes no time. */
function listsInAMinute(everyMs: number, firstGapMs = 125, maxGapMs = 4_000): number {
  let lists = 0;
  const pacer = new Pacer(
    () => {
      lists++;
      pacer.ended();
    },
    firstGapMs,
    maxGapMs,
  );
  for (let ms = 0; ms < 60_000; ms += everyMs) {
    pacer.notice();
    vi.advanceTimersByTime(everyMs);
  }
  pacer.stop();
  return lists;
}

describe('change notices', () => {
  it.each([5, 100, 200, 500, 1_000, 3_000])(
    'every %i ms are followed with gaps that grow to the longest',
    (everyMs) => {
      expect(listsInAMinute(everyMs)).toBeLessThanOrEqual(21);
      expect(listsInAMinute(everyMs)).toBeGreaterThan(10);
    },
  );

  it('that come seldom are followed at once', () => {
    expect(listsInAMinute(5_000)).toBe(12);
  });

  it('are followed by a last list after the last of them', () => {
    const ran: number[] = [];
    const pacer = new Pacer(
      () => {
        ran.push(performance.now());
        pacer.ended();
      },
      100,
      1_000,
    );
    const begin = performance.now();
    for (let i = 0; i < 10; i++) pacer.notice();
    expect(ran).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    expect(ran).toHaveLength(2);
    expect((ran[1] ?? 0) - begin).toBeLessThanOrEqual(1_000);
  });

  it('are followed as ever when the clock is set back or forward', () => {
    let lists = 0;
    const pacer = new Pacer(
      () => {
        lists++;
        pacer.ended();
      },
      100,
      1_000,
    );
    pacer.notice();
    for (const minutes of [-10, 20, -40]) {
      vi.setSystemTime(Date.now() + minutes * 60_000);
      pacer.notice();
      vi.advanceTimersByTime(999);
    }
    expect(lists).toBe(4);
  });

  it('lead to nothing once it is stopped', () => {
    let lists = 0;
    const pacer = new Pacer(() => lists++, 100, 1_000);
    pacer.notice();
    pacer.ended();
    pacer.notice();
    pacer.stop();
    vi.advanceTimersByTime(10_000);
    expect(lists).toBe(1);
  });
});
