/** What is kept, for how long, and how much of it. */
import { describe, expect, it } from 'vitest';
import type { CapabilityId, Incident, IncidentId, State } from '../../../electron/core/model.ts';
import type { Rebind } from '../../../electron/core/rebind.ts';
import { app, minute, ref, serverId, Story } from './build.ts';

const SEARCH = 'tool/search';
const CLAUDE = app('claude');
const at = ref('exa', SEARCH);
const one = (): Story =>
  new Story().server('exa').app('claude').lists('exa', { tool: { search: 'v1' } }).expose('claude', 'exa', SEARCH).follows('exa', 'review'); // prettier-ignore
/** The same story with other facts from now on. */
function knowing(story: Story, facts: Partial<State>): Story {
  story.state = { ...story.state, ...facts };
  return story;
}
const ids = (length: number): CapabilityId[] => Array.from({ length }, (_, n) => `sha256:${n}` as CapabilityId);
/** Minutes in which nothing happens to any tool. */
function waits(story: Story, minutes: number): Story {
  for (let n = 0; n < minutes; n += 1) story.tell({ type: 'language', language: n % 2 === 0 ? 'zh-CN' : 'en' });
  return story;
}

describe('of one tool in one app', () => {
  it('the last 100 definitions that were seen are no news, and of those that came quietly too', () => {
    const full = { [CLAUDE]: { [at]: ids(100) } };
    const story = knowing(one(), { seen: full }).lists('exa', { tool: { search: 'v2' } });
    const next = story.id('exa', SEARCH, 'v2');
    expect(story.state.seen[CLAUDE]?.[at]).toEqual([...ids(100).slice(1), next]);
    const few = knowing(one(), { seen: { [CLAUDE]: { [at]: ids(99) } } }).lists('exa', { tool: { search: 'v2' } });
    expect(few.state.seen[CLAUDE]?.[at]).toEqual([...ids(99), next]);
    const held = one()
      .lists('exa', { tool: { search: 'v2' } })
      .keepOff('claude', 'exa', SEARCH);
    knowing(held, { quiet: full }).lists('exa', { tool: { search: 'v3' } });
    expect(held.state.quiet[CLAUDE]?.[at]).toEqual([...ids(100).slice(1), held.id('exa', SEARCH, 'v3')]);
  });

  it('a person told at most 100 others apart, the last ones', () => {
    const others = Array.from({ length: 101 }, (_, n) => ref('exa', `tool/${n}`));
    const told = { type: 'told-apart', consumer: CLAUDE, ref: at } as const;
    const story = one().tell({ ...told, others: others.slice(0, 100) });
    expect(story.state.apart[CLAUDE]?.[at]).toEqual(others.slice(0, 100));
    story.tell({ ...told, others: others.slice(99) });
    expect(story.state.apart[CLAUDE]?.[at]).toEqual(others.slice(1));
    expect(() => story.tell({ ...told, consumer: app('zed'), others })).toThrow('CONSUMER_NOT_FOUND');
  });
});

describe('of one app', () => {
  it('the last 200 rebinds can be taken back', () => {
    const nothing = { all: false, chosen: [], excluded: [] };
    const old: Rebind = { sequence: 0, at: minute(0), from: [at], to: [], evidence: 'said', retired: {}, before: nothing, after: nothing }; // prettier-ignore
    const before = Array.from({ length: 200 }, (_, n) => ({ ...old, sequence: -n }));
    const story = knowing(one().lists('exa', { tool: { find: 'v1' } }), { rebinds: { [CLAUDE]: before } });
    const to = [{ ref: ref('exa', 'tool/find'), id: story.id('exa', 'tool/find', 'v1') }];
    story.tell({ type: 'rebound', consumer: CLAUDE, from: [at], to, evidence: 'said' });
    const rebinds = story.state.rebinds[CLAUDE] ?? [];
    expect(rebinds.slice(0, -1)).toEqual(before.slice(1));
    expect(rebinds.at(-1)).toMatchObject({ sequence: story.state.sequence, from: [at], to: [ref('exa', 'tool/find')] });
  });
});

describe('incidents', () => {
  const past = (n: number, parts = 0): Incident => ({
    ...{ id: `inc-old-${n}` as IncidentId, server: serverId('two'), at: minute(0), fromVersion: null, toVersion: null },
    ...{ reviews: [], missing: [], unusable: [], change: `${n}`, loud: false, notified: true },
    followed: Array.from({ length: parts }, () => ({ consumer: CLAUDE, ref: at, fromId: null, targetId: ids(1)[0]!, quiet: false })), // prettier-ignore
  });
  const after = (incidents: readonly Incident[]): string[] =>
    knowing(one(), { incidents })
      .lists('exa', { tool: { search: 'v2' } })
      .state.incidents.map(({ id }) => id.replace(/^inc-\d+$/, 'new'));

  it('are kept up to 200, the newest', () => {
    const many = Array.from({ length: 200 }, (_, n) => past(n));
    expect(after(many.slice(1))).toEqual([...many.slice(1).map(({ id }) => id), 'new']);
    expect(after(many)).toEqual([...many.slice(1).map(({ id }) => id), 'new']);
  });

  it('are kept up to 20,000 changes in all of them', () => {
    expect(after([past(0, 10_000), past(1, 9_999)])).toEqual(['inc-old-0', 'inc-old-1', 'new']);
    expect(after([past(0, 10_000), past(1, 10_000)])).toEqual(['inc-old-1', 'new']);
    expect(after([past(0, 20_000)])).toEqual(['new']);
  });

  it('say which version of the server went and which one came', () => {
    const story = new Story()
      .server('exa')
      .app('claude')
      .lists('exa', { tool: { search: 'v1' } }, { version: '1.0.0' });
    story.expose('claude', 'exa', SEARCH).lists('exa', { tool: { search: 'v2' } }, { version: '1.1.0' });
    expect(story.state.incidents).toMatchObject([{ fromVersion: '1.0.0', toVersion: '1.1.0', server: 's-exa' }]);
    expect(story.state.servers[serverId('exa')]?.version).toBe('1.1.0');
    expect(story.lists('exa', { tool: { search: 'v1' } }).state.servers[serverId('exa')]?.version).toBe('1.1.0');
  });
});

describe('the same upgrade in the processes of two apps', () => {
  const both = (): Story =>
    new Story().server('exa').app('claude').app('cursor').lists('exa', { tool: { search: 'v1' } }).expose('claude', 'exa', SEARCH).expose('cursor', 'exa', SEARCH).asks('exa').lists('exa', { tool: { search: 'v1' } }, { app: 'claude' }).lists('exa', { tool: { search: 'v1' } }, { app: 'cursor' }); // prettier-ignore

  it.each([
    [60, 1],
    [61, 2],
  ])('is, after %s minutes, told in %s', (minutes, incidents) => {
    const story = both().lists('exa', { tool: { search: 'v2' } }, { app: 'claude' });
    waits(story, minutes - 1).lists('exa', { tool: { search: 'v2' } }, { app: 'cursor' });
    expect(story.state.incidents).toHaveLength(incidents);
  });

  it('is told once for both where something else went in both, and that of each server by itself', () => {
    const story = both()
      .server('two')
      .lists('two', { tool: { search: 'v1' } })
      .expose('claude', 'two', SEARCH);
    story.lists('exa', { tool: { search: 'v2' } }, { app: 'claude' }).lists('two', { tool: { search: 'v2' } });
    story.lists('exa', { tool: { search: 'v2' } }, { app: 'cursor' });
    expect(story.state.incidents.map(({ server, reviews }) => [server, reviews.length])).toEqual([
      ['s-exa', 2],
      ['s-two', 1],
    ]);
  });

  it('keeps together what is missing, what cannot be used and what was followed', () => {
    const first = { tool: { search: 'v1', fetch: 'v1', more: 'v1' } };
    const story = new Story().server('exa').app('claude').app('cursor').lists('exa', first);
    for (const name of ['claude', 'cursor']) story.expose(name, 'exa', 'all');
    story.asks('exa').follows('exa', 'follow');
    for (const name of ['claude', 'cursor']) story.lists('exa', first, { app: name });
    const next = { tool: { search: { invalid: 'no type' }, more: 'v2' } };
    for (const name of ['claude', 'cursor']) story.lists('exa', next, { app: name });
    const [incident] = story.state.incidents;
    expect(story.state.incidents).toHaveLength(1);
    for (const part of ['missing', 'unusable', 'followed'] as const)
      expect(incident?.[part].map(({ consumer }) => consumer)).toEqual(['claude', 'cursor']);
  });
});

describe('a tool that moves', () => {
  /** How many notices each of so many moves brings, with so many quiet minutes before each. */
  const notices = (story: Story, moves: number, pause = 0): number[] =>
    Array.from({ length: moves }, (_, n) => {
      waits(story, pause).lists('exa', { tool: n % 2 === 0 ? { other: 'v1' } : { search: 'v1', other: 'v1' } });
      return story.effects('notice').length;
    });

  it('three times in ten minutes is told of each time it goes, and not the fourth time', () => {
    // Gone, back, gone, back, gone: it came back on its own, which is no notice.
    expect(notices(one(), 5)).toEqual([1, 0, 1, 0, 0]);
    expect(notices(one(), 5, 2)).toEqual([1, 0, 1, 0, 0]);
    // With four minutes from one to the next, there are never four of them in ten minutes.
    expect(notices(one(), 7, 3)).toEqual([1, 0, 1, 0, 1, 0, 1]);
  });

  it('keeps no other tool quiet, nor another server', () => {
    const story = new Story()
      .server('exa')
      .app('claude')
      .lists('exa', { tool: { search: 'v1', fetch: 'v1' } });
    story.expose('claude', 'exa', 'all').follows('exa', 'review');
    for (let n = 0; n < 6; n += 1) story.lists('exa', { tool: n % 2 === 0 ? { fetch: 'v1' } : { search: 'v1', fetch: 'v1' } }); // prettier-ignore
    story.lists('exa', { tool: { search: 'v1' } });
    expect(story.effects('notice')).toHaveLength(1);
  });

  it('is forgotten as one once it kept still, in every scope', () => {
    const story = one();
    notices(story, 4);
    expect(Object.keys(story.state.moves[serverId('exa') as never] ?? {})).toEqual([at]);
    story.server('two').lists('two', { tool: { search: 'v1' } });
    waits(story, 11).lists('two', { tool: { search: 'v2' } });
    expect(Object.keys(story.state.moves)).toEqual(['s-two']);
  });
});
