import { describe, expect, it } from 'vitest';
import { app, ref, Story } from './build.ts';

const TWO = { tool: { search: 'v1', fetch: 'v1' } };
const listed = (): Story => new Story().server('exa').app('claude').app('cursor').lists('exa', TWO);
const BOTH = { 'tool/search': 'exa v1', 'tool/fetch': 'exa v1' };

describe('choosing one capability', () => {
  it('puts it in force at the id that was shown', () => {
    const story = listed().expose('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1' });
    expect(story.surface('cursor')).toEqual({});
  });

  it('is refused where the view has moved on from what was shown', () => {
    const story = listed();
    const shown = story.shown('exa', app('claude'), 'tool/search');
    story.lists('exa', { tool: { search: 'v2', fetch: 'v1' } });
    expect(() => story.expose('claude', 'exa', 'tool/search', shown)).toThrow('REVIEW_STALE');
    expect(story.surface('claude')).toEqual({});
  });

  it('is refused where more was shown than there is to decide', () => {
    const story = listed();
    const shown = story.shown('exa', app('claude'), 'all');
    expect(() => story.expose('claude', 'exa', 'tool/search', shown)).toThrow('REVIEW_STALE');
  });

  it('is refused where nothing was shown, and where it is not there', () => {
    const story = listed();
    expect(() => story.expose('claude', 'exa', 'tool/search', [])).toThrow('REVIEW_STALE');
    expect(() => story.expose('claude', 'exa', 'tool/lookup')).toThrow('CAPABILITY_UNKNOWN');
    expect(() => story.expose('zed', 'exa', 'tool/search')).toThrow('CONSUMER_NOT_FOUND');
    expect(() => story.expose('claude', 'nowhere', 'tool/search')).toThrow('UPSTREAM_NOT_FOUND');
  });

  it('decides nothing where the app has decided on it before', () => {
    const story = listed().expose('claude', 'exa', 'tool/search').keepOff('claude', 'exa', 'tool/search');
    story.hide('claude', 'exa', 'tool/search').expose('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({});
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'rejected' });
  });

  it('decides nothing where an item is open', () => {
    const story = listed()
      .expose('claude', 'exa', 'all')
      .lists('exa', { tool: { ...TWO.tool, extra: 'v1' } });
    story.expose('claude', 'exa', 'tool/extra');
    expect(story.waiting('claude')).toEqual(['exa tool/extra v1']);
  });

  it('leaves a later definition to be reviewed although it was chosen while another was approved', () => {
    const story = listed().expose('claude', 'exa', 'tool/search').hide('claude', 'exa', 'tool/search');
    story.lists('exa', { tool: { search: 'v2', fetch: 'v1' } }).expose('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({});
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
  });
});

describe('choosing a whole server', () => {
  it('approves what its catalog lists', () => {
    expect(listed().expose('claude', 'exa', 'all').surface('claude')).toEqual(BOTH);
  });

  it('is refused where one of the ids shown is no longer the one in view', () => {
    const story = listed();
    const shown = story.shown('exa', app('claude'), 'all');
    story.lists('exa', { tool: { ...TWO.tool, extra: 'v1' } });
    expect(() => story.expose('claude', 'exa', 'all', shown)).toThrow('REVIEW_STALE');
  });

  it('approves the first complete list as first seen, where nothing was listed yet', () => {
    const story = new Story().server('exa').app('claude').expose('claude', 'exa', 'all');
    expect(story.surface('claude')).toEqual({});
    story.lists('exa', TWO);
    expect(story.surface('claude')).toEqual(BOTH);
    expect(story.effects('notice')).toEqual([]);
    const made = story.state.decisions[app('claude')]?.[ref('exa', 'tool/search')];
    expect(made).toMatchObject([{ by: 'first-seen', basis: 'baseline', verdict: 'approved' }]);
  });

  it('does so once: what a second list brings is reviewed', () => {
    const story = new Story().server('exa').app('claude').expose('claude', 'exa', 'all').lists('exa', TWO);
    story.lists('exa', { tool: { ...TWO.tool, extra: 'v1' } });
    expect(story.waiting('claude')).toEqual(['exa tool/extra v1']);
    story.hide('claude', 'exa', 'all').lists('exa', { tool: { ...TWO.tool, extra: 'v1', more: 'v1' } });
    expect(story.surface('claude')).toEqual({});
  });

  it('waits per kind, through lists that failed', () => {
    const story = new Story().server('exa').app('claude').expose('claude', 'exa', 'all');
    story.lists('exa', { ...TWO, prompt: 'failed' });
    story.lists('exa', { tool: { ...TWO.tool, extra: 'v1' }, prompt: { plan: 'v1' } });
    expect(story.surface('claude')).toEqual({ ...BOTH, 'prompt/plan': 'exa v1' });
    expect(story.waiting('claude')).toEqual(['exa tool/extra v1']);
  });

  it.each(['unsupported', 'empty'] as const)(
    'takes a kind that is %s as known: what comes later is reviewed',
    (none) => {
      const story = new Story().server('exa').app('claude').expose('claude', 'exa', 'all').lists('exa', { tool: none });
      story.lists('exa', TWO);
      expect(story.surface('claude')).toEqual({});
      expect(story.waiting('claude')).toEqual(['exa tool/fetch v1', 'exa tool/search v1']);
    },
  );

  it('has a baseline of its own for each app, and none for an app that asked later', () => {
    const story = new Story().server('exa').app('claude').app('cursor').expose('claude', 'exa', 'all');
    story.lists('exa', { tool: 'failed', prompt: { plan: 'v1' } }).expose('cursor', 'exa', 'all');
    story.lists('exa', { ...TWO, prompt: { plan: 'v1', more: 'v1' } });
    expect(story.surface('claude')).toEqual({ ...BOTH, 'prompt/plan': 'exa v1' });
    expect(story.surface('cursor')).toEqual({ ...BOTH, 'prompt/plan': 'exa v1' });
    story
      .app('zed')
      .expose('zed', 'exa', 'all')
      .lists('exa', { tool: { ...TWO.tool, extra: 'v1' } });
    expect(story.waiting('zed')).toEqual(['exa tool/extra v1']);
  });

  it('leaves what the person hid before the first list came out of the baseline', () => {
    const story = new Story().server('exa').app('claude').expose('claude', 'exa', 'all');
    story.hide('claude', 'exa', 'tool/search').lists('exa', TWO);
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.state.decisions[app('claude')]?.[ref('exa', 'tool/search')]).toBeUndefined();
  });

  it('has no baseline any more once the whole server is taken back, by hand or with its profile', () => {
    const hidden = new Story().server('exa').app('claude').expose('claude', 'exa', 'all').hide('claude', 'exa', 'all');
    hidden.lists('exa', TWO).expose('claude', 'exa', 'tool/search');
    hidden.lists('exa', { ...TWO, instructions: { '': 'v1' } });
    expect(hidden.waiting('claude')).toEqual(['exa instructions/ v1']);
    const unassigned = new Story().server('exa').app('claude').profile('work', 'exa').assign('work', 'claude');
    unassigned.unassign('work', 'claude').lists('exa', TWO).expose('claude', 'exa', 'tool/search');
    unassigned.lists('exa', { ...TWO, instructions: { '': 'v1' } });
    expect(unassigned.waiting('claude')).toEqual(['exa instructions/ v1']);
    const removed = new Story().server('exa').app('claude').profile('work', 'exa').assign('work', 'claude');
    removed.takeOut('work', 'exa', 'all').lists('exa', TWO).expose('claude', 'exa', 'tool/search');
    removed.lists('exa', { ...TWO, instructions: { '': 'v1' } });
    expect(removed.waiting('claude')).toEqual(['exa instructions/ v1']);
  });
});

describe('instructions', () => {
  const TEXT = { ...TWO, instructions: { '': 'v1' } };

  it('are shown, decided and in force with anything of their server', () => {
    const story = new Story().server('exa').app('claude').lists('exa', TEXT).expose('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1', 'instructions/exa': 'exa v1' });
  });

  it('are reviewed where they came later or changed, and never take tools with them', () => {
    const story = listed().expose('claude', 'exa', 'tool/search').lists('exa', TEXT);
    expect(story.waiting('claude')).toEqual(['exa instructions/ v1']);
    story.approve('claude', 'exa', 'instructions/').lists('exa', { instructions: { '': 'v2' } });
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1' });
    expect(story.waiting('claude')).toEqual(['exa instructions/ v2']);
  });

  it('go with the last capability of their server', () => {
    const story = new Story().server('exa').app('claude').lists('exa', TEXT).expose('claude', 'exa', 'tool/search');
    expect(story.hide('claude', 'exa', 'tool/search').surface('claude')).toEqual({});
  });

  it('go with the last capability of their server where a profile gives it', () => {
    const story = new Story().server('exa').app('claude').lists('exa', TEXT).profile('work', 'exa', 'tool/search');
    story.assign('work', 'claude').hide('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({});
  });

  it('can be hidden alone, from an app and in a profile', () => {
    const story = new Story().server('exa').app('claude').lists('exa', TEXT).expose('claude', 'exa', 'tool/search');
    expect(story.hide('claude', 'exa', 'instructions/').surface('claude')).toEqual({ 'tool/search': 'exa v1' });
    const profile = new Story().server('exa').app('claude').lists('exa', TEXT).profile('work', 'exa', 'tool/search');
    profile.assign('work', 'claude').takeOut('work', 'exa', 'instructions/');
    expect(profile.surface('claude')).toEqual({ 'tool/search': 'exa v1' });
  });
});

describe('hiding', () => {
  it('takes one capability out of the whole server, and choosing it or the whole server takes that back', () => {
    const story = listed().expose('claude', 'exa', 'all').hide('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.expose('claude', 'exa', 'tool/search').surface('claude')).toEqual(BOTH);
    story.hide('claude', 'exa', 'tool/search');
    expect(story.expose('claude', 'exa', 'all').surface('claude')).toEqual(BOTH);
  });

  it('outranks every source that gives the capability', () => {
    const story = listed().profile('work', 'exa').profile('home', 'exa', 'tool/search');
    story.assign('work', 'claude').assign('home', 'claude').hide('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
  });

  it('the whole server keeps what was hidden alone, for whatever gives it later', () => {
    const story = listed().expose('claude', 'exa', 'all').hide('claude', 'exa', 'tool/search');
    story.hide('claude', 'exa', 'all').profile('work', 'exa').assign('work', 'claude');
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
  });

  it('in one app leaves the others alone', () => {
    const story = listed().profile('work', 'exa').assign('work', 'claude').assign('work', 'cursor');
    story.hide('claude', 'exa', 'tool/search');
    expect(story.surface('cursor')).toEqual(BOTH);
  });

  it('makes items go, which come back unchanged', () => {
    const story = listed()
      .expose('claude', 'exa', 'all')
      .lists('exa', { tool: { search: 'v2', fetch: 'v1' } });
    expect(story.hide('claude', 'exa', 'tool/search').waiting('claude')).toEqual([]);
    expect(story.expose('claude', 'exa', 'tool/search').waiting('claude')).toEqual(['exa tool/search v2']);
  });
});

describe('profiles', () => {
  it('give an app what they hold, at the ids shown on assigning', () => {
    const story = listed().profile('work', 'exa', 'tool/search').assign('work', 'claude');
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1' });
    expect(story.add('work', 'exa', 'tool/fetch').surface('claude')).toEqual(BOTH);
    expect(story.unassign('work', 'claude').surface('claude')).toEqual({});
  });

  it('are not assigned where the view has moved on from what was shown', () => {
    const story = listed().profile('work', 'exa');
    const profile = story.state.profiles['p-work' as keyof typeof story.state.profiles];
    const shown = story.shown('exa', app('claude'), 'all');
    story.lists('exa', { tool: { search: 'v2', fetch: 'v1' } });
    const event = { profile: profile!.id, consumer: app('claude'), shown };
    expect(() => story.tell({ type: 'profile-assigned', ...event })).toThrow('REVIEW_STALE');
    expect(() => story.assign('nothing', 'claude')).toThrow('PROFILE_NOT_FOUND');
  });

  it('have exclusions of their own: another source gives the capability all the same', () => {
    const story = listed().profile('work', 'exa').assign('work', 'claude').takeOut('work', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    story.profile('home', 'exa', 'tool/search').assign('home', 'claude');
    expect(story.surface('claude')).toEqual(BOTH);
  });

  it('bring a new app nothing that waits for another of their apps', () => {
    const story = listed().profile('work', 'exa').assign('work', 'claude');
    story.lists('exa', { tool: { search: 'v2', fetch: 'v1' } }).assign('work', 'cursor');
    expect(story.surface('cursor')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.waiting('cursor')).toEqual(['exa tool/search v2']);
  });

  it('bring a new app nothing that another of their apps rejected', () => {
    const story = listed().profile('work', 'exa').assign('work', 'claude').keepOff('claude', 'exa', 'tool/search');
    story.assign('work', 'cursor');
    expect(story.surface('cursor')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.waiting('cursor')).toEqual(['exa tool/search v1']);
  });

  it('bring a new app nothing where the newest decision of another of their apps is a rejection', () => {
    const story = listed().profile('work', 'exa').assign('work', 'claude');
    story.lists('exa', { tool: { search: 'v2', fetch: 'v1' } }).keepOff('claude', 'exa', 'tool/search');
    story.lists('exa', TWO).assign('work', 'cursor');
    expect(story.surface('claude')).toEqual(BOTH);
    expect(story.waiting('cursor')).toEqual(['exa tool/search v1']);
  });

  it('do bring it once it was decided for the other app', () => {
    const story = listed().profile('work', 'exa').assign('work', 'claude');
    story.lists('exa', { tool: { search: 'v2', fetch: 'v1' } }).approve('claude', 'exa', 'tool/search');
    expect(story.assign('work', 'cursor').surface('cursor')).toEqual({
      'tool/search': 'exa v2',
      'tool/fetch': 'exa v1',
    });
  });

  it('of a whole server that was never listed have a baseline for each of their apps', () => {
    const story = new Story().server('exa').app('claude').app('cursor').profile('work').assign('work', 'claude');
    story.add('work', 'exa', 'all').assign('work', 'cursor').lists('exa', TWO);
    expect(story.surface('claude')).toEqual(BOTH);
    expect(story.surface('cursor')).toEqual(BOTH);
  });

  it('have one name each', () => {
    expect(() => new Story().profile('work').profile('work')).toThrow('PROFILE_NAME_TAKEN');
  });
});
