/** Narrowing events of the journal, applied again on settings that are older than they are. */
import { describe, expect, it } from 'vitest';
import { recover } from '../../../electron/core/reduce.ts';
import type { Event, Verdict } from '../../../electron/core/model.ts';
import { decisionsOn } from '../../../electron/core/view.ts';
import { app, minute, ref, serverId, Story, type Told } from './build.ts';

const SEARCH = 'tool/search';
const CLAUDE = app('claude');
const at = ref('exa', SEARCH);
const one = (): Story =>
  new Story()
    .server('exa')
    .app('claude')
    .lists('exa', { tool: { search: 'v1' } })
    .expose('claude', 'exa', SEARCH);
const event = (told: Told): Event => ({ ...told, at: minute(99) });
/** Goes on from what recovering made of a story. */
function recovered(story: Story, told: Told): Story {
  story.last = recover(story.state, event(told));
  story.state = story.last.state;
  return story;
}
const decided = (story: Story, version: string, verdict: Verdict, consumer = CLAUDE): Told => ({
  ...{ type: 'decided', consumer, ref: at, id: story.id('exa', SEARCH, version), verdict },
});

describe('a rejection that is newer than the settings that have to serve', () => {
  it('keeps off what is in view', () => {
    const story = one();
    expect(recovered(story, decided(story, 'v1', 'rejected')).surface('claude')).toEqual({});
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'rejected' });
    expect(story.last.cutOvers).toMatchObject([{ consumer: 'claude', withdrawn: [SEARCH] }]);
  });

  it('keeps off what was not in view there, when it comes, whatever the policy', () => {
    const story = one();
    recovered(story.follows('exa', 'follow'), decided(story, 'more', 'rejected'));
    expect(story.surface('claude')).toEqual({ [SEARCH]: 'exa v1' });
    const [, made] = decisionsOn(story.state, CLAUDE, at);
    expect(made).toEqual({ id: story.id('exa', SEARCH, 'more'), verdict: 'rejected', by: 'person', at: minute(99), basis: 'review', sequence: story.state.sequence }); // prettier-ignore
    story.lists('exa', { tool: { search: 'more' } });
    expect(story.surface('claude')).toEqual({});
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'rejected' });
    story.lists('exa', { tool: { search: 'v2' } });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'changed' });
  });

  it('gives nothing where it was an approval: what is not in view there is passed over', () => {
    const story = one();
    const before = story.state;
    const passed = recovered(story, decided(story, 'v2', 'approved'));
    expect(passed.last).toEqual({ state: before, effects: [], manifests: [], cutOvers: [], followed: [] });
    expect(passed.state).toBe(before);
  });
});

describe('an undo that is newer than the settings that have to serve', () => {
  const undone = (story: Story): Told => {
    const made = decisionsOn(story.state, CLAUDE, at).at(-1)!;
    return { type: 'undone', consumer: CLAUDE, ref: at, id: made.id, sequence: made.sequence };
  };

  it('takes an approval off again', () => {
    const story = one();
    expect(recovered(story, undone(story)).surface('claude')).toEqual({});
    expect(decisionsOn(story.state, CLAUDE, at)).toEqual([]);
  });

  it('gives nothing back that was kept off', () => {
    const story = one().keepOff('claude', 'exa', SEARCH);
    const before = story.state;
    expect(recovered(story, undone(story)).state).toBe(before);
    expect(story.surface('claude')).toEqual({});
  });

  it('of what is not there stops the policies on it, and says nothing of an app that is not there', () => {
    const story = one().follows('exa', 'follow');
    const later = { ...undone(story), sequence: 77 } as Told;
    recovered(story, later).lists('exa', { tool: { search: 'more' } });
    expect(story.surface('claude')).toEqual({});
    const before = story.state;
    expect(recovered(story, { ...later, consumer: app('zed') } as Told).state).toBe(before);
  });
});

describe('what else is newer than the settings that have to serve', () => {
  it('is applied again where it takes something away', () => {
    expect(recovered(one(), { type: 'hidden', consumer: CLAUDE, server: serverId('exa'), target: 'all' }).surface('claude')).toEqual({}); // prettier-ignore
    expect(recovered(one(), { type: 'server-removed', server: serverId('exa') }).surface('claude')).toEqual({});
  });

  it('is passed over where it speaks of what is not there', () => {
    const story = one();
    const before = story.state;
    const told: Told[] = [
      { type: 'hidden', consumer: app('zed'), server: serverId('exa'), target: 'all' },
      { type: 'server-removed', server: serverId('nowhere') },
      { type: 'policy-set', server: serverId('nowhere'), policy: 'review' },
      { type: 'policy-set', server: serverId('exa'), policy: 'follow-safe' },
      { type: 'policy-set', server: serverId('exa'), policy: 'follow' },
    ];
    for (const each of told) expect(recovered(story, each).state).toBe(before);
    // A fault of the program is no refusal.
    expect(() => recovered(story, { type: 'nothing' } as unknown as Told)).toThrow(TypeError);
  });
});
