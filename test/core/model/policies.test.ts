import { describe, expect, it } from 'vitest';
import { recover } from '../../../electron/core/reduce.ts';
import { isQuiet, pendingReviews, reviewItems } from '../../../electron/core/review.ts';
import type { Preset } from '../../../electron/core/model.ts';
import { app, minute, ref, serverId, Story, versionOf, type KeyText } from './build.ts';

/** One app with one tool, chosen by name, and one with the whole server; the policy is set before anything moves. */
const withOne = (policy: Preset, first = 'v1'): Story =>
  new Story().server('exa').app('claude').lists('exa', { tool: { search: first } }).expose('claude', 'exa', 'tool/search').follows('exa', policy); // prettier-ignore
const withAll = (policy: Preset, first = 'v1'): Story =>
  new Story().server('exa').app('claude').lists('exa', { tool: { search: first } }).expose('claude', 'exa', 'all').follows('exa', policy); // prettier-ignore

type Outcome = 'follows' | 'asks' | 'stays quiet about';
/** What became of a key after the last event. */
function outcomeOf(story: Story, text: KeyText, version: string): Outcome {
  const item = pendingReviews(story.state, app('claude')).find((one) => one.ref === ref('exa', text));
  if (item !== undefined) {
    expect(versionOf(item.id)).toBe(version);
    expect(story.surface('claude')).not.toHaveProperty(text);
    return isQuiet(story.state, app('claude'), item.ref, item.id) ? 'stays quiet about' : 'asks';
  }
  expect(story.surface('claude')).toMatchObject({ [text]: `exa ${version}` });
  return 'follows';
}

describe('a server whose changes are', () => {
  const ROWS: readonly (readonly [Preset, string, string, Outcome])[] = [
    ['review', 'v1', 'more', 'asks'],
    ['review', 'reads', 'reads on', 'asks'],
    ['follow-safe', 'v1', 'more', 'follows'],
    ['follow-safe', 'v1', 'v2', 'asks'],
    ['follow-safe', 'reads', 'reads on', 'follows'],
    ['follow-safe', 'v1', 'needs', 'asks'],
    ['follow-safe', 'v1', 'reads', 'asks'],
    ['follow-safe', 'v1', 'force', 'asks'],
    ['follow', 'v1', 'more', 'follows'],
    ['follow', 'v1', 'v2', 'follows'],
    ['follow', 'v1', 'needs', 'follows'],
    ['follow', 'v1', 'reads', 'asks'],
    ['follow', 'reads', 'v1', 'asks'],
    ['follow', 'v1', 'force', 'asks'],
  ];
  it.each(ROWS)('set to “%s”: from %s to %s it %s', (policy, from, to, outcome) => {
    const story = withOne(policy, from).lists('exa', { tool: { search: to } });
    expect(outcomeOf(story, 'tool/search', to)).toBe(outcome);
    expect(story.effects('notice')).toHaveLength(outcome === 'asks' ? 1 : 0);
  });

  const NEW: readonly (readonly [Preset, string, Outcome])[] = [
    ['review', 'v1', 'asks'],
    ['review', 'reads', 'asks'],
    ['follow-safe', 'v1', 'stays quiet about'],
    ['follow-safe', 'reads', 'stays quiet about'],
    ['follow', 'v1', 'asks'],
    ['follow', 'reads', 'follows'],
  ];
  it.each(NEW)(
    'set to “%s”, with the whole server wanted: of a new tool that is %s it %s',
    (policy, version, outcome) => {
      const story = withAll(policy).lists('exa', { tool: { search: 'v1', extra: version } });
      expect(outcomeOf(story, 'tool/extra', version)).toBe(outcome);
      expect(story.effects('notice')).toHaveLength(outcome === 'asks' ? 1 : 0);
    },
  );

  it('never absorbed: a new tool beside one that was chosen by name is listed as available', () => {
    const story = withOne('follow').lists('exa', { tool: { search: 'v1', extra: 'reads' } });
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1' });
    expect(story.waiting('claude')).toEqual([]);
  });
});

describe('a policy', () => {
  it('decides in the same commit that contracts: one epoch, and the app is told once', () => {
    const story = withOne('follow-safe');
    const epoch = story.epoch('claude');
    story.lists('exa', { tool: { search: 'more' } });
    expect(story.epoch('claude')).toBe(epoch + 1);
    expect(story.effects('list-changed')).toHaveLength(1);
    expect(story.last.cutOvers).toMatchObject([{ withdrawn: [], added: [], followed: ['tool/search'] }]);
  });

  it('is told of in its incident, as accepted and not as asked', () => {
    const story = withOne('follow-safe').lists('exa', { tool: { search: 'more' } });
    expect(story.state.incidents).toMatchObject([{ reviews: [], missing: [], notified: true }]);
    expect(story.state.incidents[0]?.followed.map(({ targetId }) => versionOf(targetId))).toEqual(['more']);
    expect(reviewItems(story.state)).toMatchObject([{ state: 'approved', decidedBy: 'policy' }]);
  });

  it('acts once, when something comes into view: never at a change of policy, never backwards', () => {
    const story = withOne('review')
      .lists('exa', { tool: { search: 'more' } })
      .follows('exa', 'follow');
    expect(story.waiting('claude')).toEqual(['exa tool/search more']);
    story.lists('exa', { tool: { search: 'v1' } }).lists('exa', { tool: { search: 'more' } });
    expect(story.waiting('claude')).toEqual(['exa tool/search more']);
  });

  it('accepts what waits when a person says so', () => {
    const story = withOne('review').lists('exa', { tool: { search: 'more' } });
    story.follows('exa', 'follow-safe').appliesPolicy('exa');
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa more' });
  });

  it('leaves what it does not follow waiting, also when a person applies it', () => {
    const story = withOne('review').lists('exa', { tool: { search: 'needs' } });
    const before = story.follows('exa', 'follow-safe').state;
    expect(story.appliesPolicy('exa').state).toBe(before);
  });

  it('keeps what it accepted when it is tightened', () => {
    const story = withOne('follow')
      .lists('exa', { tool: { search: 'v2' } })
      .follows('exa', 'review');
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v2' });
  });

  it('judges from what a person approved last, too: small steps do not add up unseen', () => {
    // From "more" to "needs" one input is required; from v1 it is new and required.
    const story = withOne('follow', 'force').lists('exa', { tool: { search: 'v1' } });
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1' });
    // It came from "force", which a person approved, so going back to that is no news; but a claim made on the way is.
    story.lists('exa', { tool: { search: 'reads' } });
    expect(story.waiting('claude')).toEqual(['exa tool/search reads']);
  });

  it('decides nothing on what a person keeps off, and what comes is quiet', () => {
    const story = withOne('review').lists('exa', { tool: { search: 'v2' } });
    story
      .keepOff('claude', 'exa', 'tool/search')
      .follows('exa', 'follow')
      .lists('exa', { tool: { search: 'v3' } });
    expect(outcomeOf(story, 'tool/search', 'v3')).toBe('stays quiet about');
    expect(story.effects('notice')).toEqual([]);
  });

  it('decides for no app what a person keeps off in another one', () => {
    const story = new Story()
      .server('exa')
      .app('claude')
      .app('cursor')
      .lists('exa', { tool: { search: 'v1' } });
    story.expose('claude', 'exa', 'tool/search').expose('cursor', 'exa', 'tool/search');
    story
      .hide('claude', 'exa', 'tool/search')
      .lists('exa', { tool: { search: 'v2' } })
      .keepOff('cursor', 'exa', 'tool/search');
    story.lists('exa', { tool: { search: 'v1' } }).expose('claude', 'exa', 'tool/search');
    story.follows('exa', 'follow').lists('exa', { tool: { search: 'v2' } });
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
  });

  it('holds back after one of its decisions was undone, until a person decides', () => {
    const story = withOne('follow')
      .lists('exa', { tool: { search: 'v2' } })
      .undo('claude', 'exa', 'tool/search');
    expect(outcomeOf(story, 'tool/search', 'v2')).toBe('stays quiet about');
    story.lists('exa', { tool: { search: 'v3' } });
    expect(outcomeOf(story, 'tool/search', 'v3')).toBe('stays quiet about');
    story.approve('claude', 'exa', 'tool/search').lists('exa', { tool: { search: 'more' } });
    expect(outcomeOf(story, 'tool/search', 'more')).toBe('follows');
  });

  it('loses what it decided because of a decision that is undone', () => {
    const story = withOne('review')
      .lists('exa', { tool: { search: 'v2' } })
      .approve('claude', 'exa', 'tool/search');
    const approval = story.state.sequence;
    story
      .follows('exa', 'follow')
      .lists('exa', { tool: { search: 'v3' } })
      .lists('exa', { tool: { search: 'more' } });
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa more' });
    const id = story.state.decisions[app('claude')]?.[ref('exa', 'tool/search')]?.[1]?.id;
    if (id === undefined) throw new Error('nothing was approved');
    story.tell({ type: 'undone', consumer: app('claude'), ref: ref('exa', 'tool/search'), id, sequence: approval });
    expect(story.surface('claude')).toEqual({});
    expect(story.state.decisions[app('claude')]?.[ref('exa', 'tool/search')]).toHaveLength(1);
  });

  it('is tightened and never loosened where an older generation of the settings has to serve', () => {
    const { state } = withOne('follow-safe');
    const set = (policy: Preset) => ({ type: 'policy-set', at: minute(9), server: serverId('exa'), policy }) as const;
    expect(recover(state, set('follow')).state).toBe(state);
    expect(recover(state, set('review')).state.servers[serverId('exa')]?.policy).toBe('review');
  });

  it('decides nothing again where an older generation of the settings has to serve', () => {
    const { state } = withOne('follow');
    const story = withOne('follow');
    const observation = story.observation('exa', { tool: { search: 'v2' } });
    const again = recover(state, { type: 'observed', at: minute(9), observation });
    expect(pendingReviews(again.state, app('claude')).map(({ id }) => versionOf(id))).toEqual(['v2']);
  });
});

describe('a tool that is turned off and on', () => {
  const flap = (story: Story, times: number): number[] =>
    Array.from({ length: times }, (_, n) => {
      story.lists('exa', { tool: { search: n % 2 === 0 ? 'v2' : 'v1' } });
      return story.effects('notice').length;
    });

  it('sends notices for three moves in ten minutes and no further ones; contraction and restoration go on', () => {
    const story = withOne('review');
    const missing = Array.from({ length: 8 }, (_, n) => {
      story.lists('exa', { tool: n % 2 === 0 ? { other: 'v1' } : { search: 'v1', other: 'v1' } });
      expect(story.surface('claude')).toEqual(n % 2 === 0 ? {} : { 'tool/search': 'exa v1' });
      return story.effects('notice').length;
    });
    expect(missing.reduce((sum, n) => sum + n, 0)).toBeLessThan(4);
    expect(missing.slice(4)).toEqual([0, 0, 0, 0]);
  });

  it('is told of again once it has kept still', () => {
    const story = withOne('review');
    flap(story, 6);
    for (let n = 0; n < 12; n += 1) story.follows('exa', n % 2 === 0 ? 'follow' : 'review');
    story.lists('exa', { tool: { search: 'v3' } });
    expect(story.effects('notice')).toHaveLength(1);
  });
});

describe('what several scopes of a server show', () => {
  const forBoth = (): Story =>
    new Story().server('exa').app('claude').app('cursor').lists('exa', { tool: { search: 'v1' } }).expose('claude', 'exa', 'tool/search').expose('cursor', 'exa', 'tool/search').asks('exa').lists('exa', { tool: { search: 'v1' } }, { app: 'claude' }).lists('exa', { tool: { search: 'v1' } }, { app: 'cursor' }); // prettier-ignore

  it('is one incident with one notice where it is the same change', () => {
    const story = forBoth().lists('exa', { tool: { search: 'v2' } }, { app: 'claude' });
    const [first] = story.effects('notice');
    story.tell({ type: 'notified', incidents: [first?.incident].filter((id) => id !== undefined) });
    story.lists('exa', { tool: { search: 'v2' } }, { app: 'cursor' });
    expect(story.effects('notice')).toEqual([]);
    expect(story.state.incidents).toHaveLength(1);
    expect(story.state.incidents[0]?.reviews.map(({ consumer }) => consumer)).toEqual(['claude', 'cursor']);
  });

  it('is two incidents where it is not', () => {
    const story = forBoth().lists('exa', { tool: { search: 'v2' } }, { app: 'claude' });
    story.lists('exa', { tool: { search: 'v3' } }, { app: 'cursor' });
    expect(story.state.incidents).toHaveLength(2);
    expect(story.effects('notice')).toHaveLength(1);
  });

  it('is told again where the same tool goes once more in the same app', () => {
    const story = withOne('review').lists('exa', { tool: { other: 'v1' } });
    story.lists('exa', { tool: { search: 'v1' } }).lists('exa', { tool: { other: 'v1' } });
    expect(story.state.incidents).toHaveLength(2);
    expect(story.effects('notice')).toHaveLength(1);
  });
});
