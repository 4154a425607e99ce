import { describe, expect, it } from 'vitest';
import { reviewItems } from '../../../electron/core/review.ts';
import { app, ref, Story } from './build.ts';

const ONE = { tool: { search: 'v1' } };
const changed = (): Story =>
  new Story().server('exa').app('claude').app('cursor').lists('exa', ONE).expose('claude', 'exa', 'all').expose('cursor', 'exa', 'all').lists('exa', { tool: { search: 'v2' } }); // prettier-ignore
const items = (story: Story) => reviewItems(story.state).filter(({ consumer }) => consumer === app('claude'));

describe('deciding an item', () => {
  it('puts exactly the approved definition in force, for that app alone', () => {
    const story = changed().approve('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v2' });
    expect(story.waiting('claude')).toEqual([]);
    expect(story.surface('cursor')).toEqual({});
    expect(story.waiting('cursor')).toEqual(['exa tool/search v2']);
  });

  it('keeps off what was rejected', () => {
    const story = changed().keepOff('claude', 'exa', 'tool/search');
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'rejected' });
    expect(story.waiting('claude')).toEqual([]);
  });

  it('keeps off an approved definition while it is in view', () => {
    const story = changed().approve('claude', 'exa', 'tool/search').keepOff('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({});
  });

  it('is refused where the view has moved on', () => {
    const story = changed().lists('exa', { tool: { search: 'v3' } });
    expect(() => story.approve('claude', 'exa', 'tool/search', 'v2')).toThrow('REVIEW_STALE');
    story.lists('exa', { tool: { other: 'v1' } });
    expect(() => story.keepOff('claude', 'exa', 'tool/search', 'v3')).toThrow('REVIEW_STALE');
  });

  it('is refused where the capability is no longer wanted', () => {
    const story = changed().hide('claude', 'exa', 'tool/search');
    expect(() => story.approve('claude', 'exa', 'tool/search')).toThrow('REVIEW_STALE');
  });

  it('says nothing of any other definition: the next one is another item', () => {
    const story = changed()
      .approve('claude', 'exa', 'tool/search')
      .lists('exa', { tool: { search: 'v3' } });
    expect(story.surface('claude')).toEqual({});
    expect(story.waiting('claude')).toEqual(['exa tool/search v3']);
  });

  it('the same way twice changes nothing', () => {
    const story = changed().approve('claude', 'exa', 'tool/search');
    const before = story.state;
    expect(story.approve('claude', 'exa', 'tool/search').state).toBe(before);
  });

  it('is remembered when the definition goes and comes back', () => {
    const story = changed().keepOff('claude', 'exa', 'tool/search').lists('exa', ONE);
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1' });
    story.lists('exa', { tool: { search: 'v2' } });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'rejected' });
    expect(story.waiting('claude')).toEqual([]);
  });
});

describe('undo', () => {
  it('leaves the item for a person where nothing was decided before', () => {
    const story = changed().approve('claude', 'exa', 'tool/search').undo('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({});
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
  });

  it('restores the decision before it on exactly that definition', () => {
    const story = changed().approve('claude', 'exa', 'tool/search').keepOff('claude', 'exa', 'tool/search');
    expect(story.undo('claude', 'exa', 'tool/search').surface('claude')).toEqual({ 'tool/search': 'exa v2' });
    const turned = changed().keepOff('claude', 'exa', 'tool/search').approve('claude', 'exa', 'tool/search');
    turned.undo('claude', 'exa', 'tool/search');
    expect(turned.withheld('claude')).toEqual({ 'exa tool/search': 'rejected' });
  });

  it('changes no surface where the view has moved on', () => {
    const story = changed()
      .approve('claude', 'exa', 'tool/search')
      .lists('exa', { tool: { search: 'v3' } })
      .approve('claude', 'exa', 'tool/search');
    const [epoch, [, second]] = [story.epoch('claude'), story.state.decisions[app('claude')]?.[ref('exa', 'tool/search')] ?? []]; // prettier-ignore
    story.undo('claude', 'exa', 'tool/search', second?.sequence);
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v3' });
    expect(story.epoch('claude')).toBe(epoch);
  });

  it('is refused after a later decision on the same definition, and where there is none', () => {
    const story = changed().approve('claude', 'exa', 'tool/search');
    const first = story.state.sequence;
    story.keepOff('claude', 'exa', 'tool/search');
    expect(() => story.undo('claude', 'exa', 'tool/search', first)).toThrow('REVIEW_STALE');
    const at = { consumer: app('cursor'), ref: ref('exa', 'tool/search'), id: story.id('exa', 'tool/search', 'v2') };
    expect(() => story.tell({ type: 'undone', ...at, sequence: first })).toThrow('REVIEW_UNKNOWN');
  });

  it('takes back what choosing and first seeing approved', () => {
    const chosen = new Story().server('exa').app('claude').lists('exa', ONE).expose('claude', 'exa', 'tool/search');
    expect(chosen.undo('claude', 'exa', 'tool/search').waiting('claude')).toEqual(['exa tool/search v1']);
    const seen = new Story().server('exa').app('claude').expose('claude', 'exa', 'all').lists('exa', ONE);
    expect(seen.undo('claude', 'exa', 'tool/search').waiting('claude')).toEqual(['exa tool/search v1']);
  });
});

describe('a review item', () => {
  it('is the same item when it comes back', () => {
    const story = changed();
    const [first] = items(story);
    story.lists('exa', ONE);
    expect(items(story)).toMatchObject([{ id: first?.id, state: 'superseded' }]);
    story.lists('exa', { tool: { search: 'v2' } });
    expect(items(story)).toMatchObject([{ id: first?.id, state: 'pending' }]);
  });

  it('is another one for another definition and another app', () => {
    const story = changed().lists('exa', { tool: { search: 'v3' } });
    const all = reviewItems(story.state).map(({ id }) => id);
    expect(new Set(all).size).toBe(4);
  });

  it('is classified from the definition that was approved last', () => {
    const story = changed().lists('exa', { tool: { search: 'v3' } });
    const from = (version: string) => story.id('exa', 'tool/search', version);
    expect(items(story)).toMatchObject([
      { fromId: from('v1'), targetId: from('v3'), state: 'pending' },
      { fromId: from('v1'), targetId: from('v2'), state: 'superseded' },
    ]);
    story.approve('claude', 'exa', 'tool/search').lists('exa', { tool: { search: 'v4' } });
    expect(items(story)[0]).toMatchObject({ fromId: from('v3'), targetId: from('v4') });
  });

  it('is not classified from an approval that was taken back', () => {
    const story = changed().lists('exa', ONE).keepOff('claude', 'exa', 'tool/search');
    story.lists('exa', { tool: { search: 'v3' } });
    expect(items(story)[0]).toMatchObject({ fromId: null, state: 'pending' });
  });

  it('is quiet after a rejection, and asks again after a person approves', () => {
    const story = changed()
      .keepOff('claude', 'exa', 'tool/search')
      .lists('exa', { tool: { search: 'v3' } });
    expect(items(story)[0]).toMatchObject({ quiet: true, state: 'pending' });
    story.approve('claude', 'exa', 'tool/search').lists('exa', { tool: { search: 'v4' } });
    expect(items(story)[0]).toMatchObject({ quiet: false, state: 'pending' });
  });
});

describe('a notice', () => {
  it('is one for all changes of one observation, for all apps', () => {
    const story = changed();
    expect(story.effects('notice')).toHaveLength(1);
    expect(story.state.incidents).toHaveLength(1);
    expect(story.state.incidents[0]?.reviews.map(({ consumer }) => consumer).sort()).toEqual(['claude', 'cursor']);
  });

  it('is not sent twice for the same change', () => {
    const story = changed()
      .lists('exa', ONE)
      .lists('exa', { tool: { search: 'v2' } });
    expect(story.effects('notice')).toEqual([]);
    expect(story.state.incidents).toHaveLength(1);
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
  });

  it('is not sent where every item is quiet', () => {
    const story = new Story().server('exa').app('claude').lists('exa', ONE).expose('claude', 'exa', 'all');
    story.keepOff('claude', 'exa', 'tool/search').lists('exa', { tool: { search: 'v2' } });
    expect(story.effects('notice')).toEqual([]);
    expect(story.state.incidents).toHaveLength(1);
  });

  it('is sent for a removal', () => {
    const story = new Story()
      .server('exa')
      .app('claude')
      .lists('exa', { tool: { search: 'v1', fetch: 'v1' } });
    story.expose('claude', 'exa', 'all').lists('exa', ONE);
    expect(story.effects('notice')).toEqual([{ type: 'notice', incident: story.state.incidents[0]?.id }]);
    expect(story.state.incidents[0]).toMatchObject({ reviews: [], missing: [{ consumer: 'claude' }] });
  });

  it('is not sent for the removal of what was off anyway, or not wanted', () => {
    const story = new Story()
      .server('exa')
      .app('claude')
      .lists('exa', { tool: { search: 'v1', fetch: 'v1' } });
    story.expose('claude', 'exa', 'tool/search').keepOff('claude', 'exa', 'tool/search');
    story.lists('exa', { tool: { other: 'v1' } });
    expect(story.last.effects).toEqual([]);
    expect(story.state.incidents).toEqual([]);
  });

  it('is not sent for the removal of what a name conflict kept off', () => {
    const shared = { resource: { 'file:///a': 'v1', 'file:///b': 'v1' } };
    const story = new Story().app('claude').server('exa').server('brave').lists('exa', shared).lists('brave', shared);
    story.expose('claude', 'exa', 'all').expose('claude', 'brave', 'resource/file:///a');
    story.lists('brave', { resource: { 'file:///b': 'v1' } });
    expect(story.last.effects).toEqual([]);
  });

  it('is not sent for what a person was shown when they chose', () => {
    const story = changed().app('zed').expose('zed', 'exa', 'all').undo('zed', 'exa', 'tool/search');
    story.lists('exa', ONE).lists('exa', { tool: { search: 'v2' } });
    expect(story.state.incidents.at(-1)?.reviews.filter(({ consumer }) => consumer === app('zed'))).toMatchObject([
      { targetId: story.id('exa', 'tool/search', 'v1') },
    ]);
  });
});
