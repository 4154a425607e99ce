import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../electron/core/model.ts';
import type { PageAnswer } from '../../electron/core/observe.ts';
import { Lister } from '../../electron/gateway/lister.ts';
import type { Showing } from '../../electron/gateway/lister.ts';
import { DEFAULT_TIMINGS } from '../../electron/gateway/timings.ts';
import { SERVER, eventually, idOf, tool } from './harness.ts';

/** A server whose lists are answered by hand, one after another. */
class Lists {
  readonly asked: ((tools: readonly JsonObject[]) => void)[] = [];
  readonly told: string[] = [];
  inspected = 0;
  readonly lister = new Lister({
    kinds: ['tool'],
    isDeclared: () => true,
    ask: () =>
      new Promise<PageAnswer>((resolve) => this.asked.push((tools) => resolve({ type: 'result', result: { tools } }))),
    inspect: (_, __, definition) => {
      this.inspected++;
      return { id: idOf(SERVER, 'tool', definition) };
    },
    timings: DEFAULT_TIMINGS,
    onOutcomes: (outcomes) => this.told.push(outcomes.get('tool')?.status ?? 'none'),
  });

  async answer(index: number, tools: readonly JsonObject[]): Promise<void> {
    (await eventually(() => this.asked[index], `list ${index}`))(tools);
  }

  verified(name: string): Showing | undefined {
    return this.lister.verified('tool', name);
  }
}

const shows = (definition: JsonObject): Showing => ({ type: 'id', id: idOf(SERVER, 'tool', definition) });

describe('lists of one connection', () => {
  it('are never read two at a time, so that an older one cannot overtake a newer one', async () => {
    const lists = new Lists();
    const first = lists.lister.run();
    const second = lists.lister.run();
    const waiting = new Promise<Showing>((resolve) => lists.lister.show('tool', 'late', resolve));
    await lists.answer(0, [tool('search')]);
    await first;
    // The list that was due serves the call that waits, too.
    await lists.answer(1, [tool('search', 'newer'), tool('late')]);
    await second;
    expect(await waiting).toEqual(shows(tool('late')));
    expect(lists.asked).toHaveLength(2);
    expect(lists.verified('search')).toEqual(shows(tool('search', 'newer')));
  });

  it('verify no longer what a whole one does not show', async () => {
    const lists = new Lists();
    const first = lists.lister.run();
    await lists.answer(0, [tool('a'), tool('b')]);
    await first;
    const second = lists.lister.run();
    await lists.answer(1, [tool('a')]);
    await second;
    expect([lists.verified('a'), lists.verified('b')]).toEqual([shows(tool('a')), undefined]);
  });

  it('give way to everything else while a large page is looked at', async () => {
    const lists = new Lists();
    const wide: JsonObject = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`p${at}`, { type: 'string' }]),
    );
    const run = lists.lister.run();
    const tools = Array.from({ length: 200 }, (_, at) => ({
      ...tool(`t${at}`),
      inputSchema: { type: 'object', properties: wide },
    }));
    let seen = 0;
    const look = setInterval(() => (seen ||= lists.inspected), 0);
    await lists.answer(0, tools);
    await run;
    clearInterval(look);
    expect(seen).toBeGreaterThan(0);
    expect(seen).toBeLessThan(200);
  });
});
