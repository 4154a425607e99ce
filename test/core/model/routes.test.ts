import { describe, expect, it } from 'vitest';
import type { Launch } from '../../../electron/core/model.ts';
import { app, npx, ref, Story } from './build.ts';

const TWO = { tool: { search: 'v1', fetch: 'v1' } };
const BOTH = { 'tool/search': 'exa v1', 'tool/fetch': 'exa v1' };
const wholeServer = (): Story =>
  new Story().server('exa').app('claude').app('cursor').lists('exa', TWO).expose('claude', 'exa', 'all');
const NEXT = npx('exa-next');
const LOCAL: Launch = { type: 'stdio', command: 'node', args: ['/srv/exa.js'], envNames: [] };

describe('a changed launch identity', () => {
  it('ends the processes and leaves the surface until the first complete list', () => {
    const story = wholeServer().moves('exa', NEXT);
    expect(story.last.effects).toEqual([{ type: 'stop', server: 's-exa' }]);
    expect(story.surface('claude')).toEqual(BOTH);
  });

  it('copies approvals and rejections to the ids that differ only in route', () => {
    const story = wholeServer().expose('cursor', 'exa', 'all').keepOff('claude', 'exa', 'tool/fetch');
    story.moves('exa', NEXT).lists('exa', TWO);
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'exa tool/fetch': 'rejected' });
    expect(story.surface('cursor')).toEqual(BOTH);
    expect(story.effects('notice')).toEqual([]);
  });

  it('copies nothing to a definition that differs in more: that is asked about', () => {
    const story = wholeServer()
      .moves('exa', NEXT)
      .lists('exa', { tool: { search: 'v2', fetch: 'v1' } });
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
  });

  it('copies nothing from a list that failed, was cut short or was empty, and waits for the first complete one', () => {
    const story = wholeServer().moves('exa', NEXT);
    story.lists('exa', { tool: 'failed' }).lists('exa', { tool: 'incomplete' }).lists('exa', { tool: 'empty' });
    const made = story.state.decisions[app('claude')]?.[ref('exa', 'tool/search')];
    expect(made).toHaveLength(1);
    expect(story.lists('exa', TWO).surface('claude')).toEqual(BOTH);
  });

  it('copies kind by kind, at the first complete list of each', () => {
    const story = wholeServer()
      .lists('exa', { prompt: { plan: 'v1' } })
      .approve('claude', 'exa', 'prompt/plan');
    story.moves('exa', NEXT).lists('exa', { ...TWO, prompt: 'failed' });
    story.lists('exa', { prompt: { plan: 'v1' } });
    expect(story.surface('claude')).toEqual({ ...BOTH, 'prompt/plan': 'exa v1' });
  });

  it('copies once: what the first complete list did not show is asked about later', () => {
    const story = wholeServer()
      .moves('exa', NEXT)
      .lists('exa', { tool: { fetch: 'v1' } });
    expect(story.lists('exa', TWO).waiting('claude')).toEqual(['exa tool/search v1']);
  });

  it('copies once, also where the first complete list shows what was there already', () => {
    const story = wholeServer()
      .moves('exa', NEXT)
      .lists('exa', { tool: { search: 'v2' } });
    story.approve('claude', 'exa', 'tool/search').moves('exa', npx('exa')).lists('exa', TWO);
    story.moves('exa', NEXT).moves('exa', npx('exa')).lists('exa', TWO);
    expect(story.lists('exa', { tool: { search: 'v2' } }).waiting('claude')).toEqual(['exa tool/search v2']);
  });

  it('copies from every route that was passed without a complete list', () => {
    const story = wholeServer().moves('exa', LOCAL).lists('exa', { tool: 'failed' }).moves('exa', NEXT);
    expect(story.lists('exa', TWO).surface('claude')).toEqual(BOTH);
    const back = wholeServer().moves('exa', LOCAL).moves('exa', npx('exa')).moves('exa', NEXT);
    expect(back.lists('exa', TWO).surface('claude')).toEqual(BOTH);
  });

  it.each([
    ['the newer one', [npx('exa'), NEXT, LOCAL]],
    ['the older one', [npx('exa'), LOCAL]],
  ])('lets a rejection win between several routes, where it was made under %s', (_, passed) => {
    const story = wholeServer().moves('exa', NEXT).lists('exa', TWO).keepOff('claude', 'exa', 'tool/search');
    for (const launch of passed) story.moves('exa', launch);
    story.lists('exa', TWO);
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'rejected' });
  });

  it('lets a rejection win over an older approval on going back to the first route', () => {
    const story = wholeServer().moves('exa', NEXT).lists('exa', TWO).keepOff('claude', 'exa', 'tool/search');
    story.moves('exa', npx('exa')).lists('exa', TWO);
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'rejected' });
  });

  it('keeps in a copy by whom it was decided: first seen stays first seen', () => {
    const story = new Story().server('exa').app('claude').expose('claude', 'exa', 'all').lists('exa', TWO);
    story.moves('exa', NEXT).lists('exa', TWO);
    const made = story.state.decisions[app('claude')]?.[ref('exa', 'tool/search')];
    expect(made?.at(-1)).toMatchObject({ basis: 'route', verdict: 'approved', by: 'first-seen' });
  });

  it('is none where only the version or other arguments changed: everything stays in force', () => {
    const story = wholeServer().moves('exa', npx('exa@3.2.1'));
    const before = story.state.publications;
    story.lists('exa', TWO);
    expect(story.state.publications).toEqual(before);
    expect(story.state.servers[story.observation('exa', {}).server]?.formerRoutes).toEqual([]);
  });
});

describe('a removed server', () => {
  it('serves nothing, and says nothing any more', () => {
    const story = wholeServer();
    const late = story.observation('exa', { tool: { search: 'v2' } });
    story.removes('exa');
    expect(story.last.effects).toContainEqual({ type: 'stop', server: 's-exa' });
    expect(story.surface('claude')).toEqual({});
    expect(story.withheld('claude')).toEqual({});
    const before = story.state;
    expect(story.tell({ type: 'observed', observation: late }).state).toBe(before);
    expect(() => story.expose('claude', 'exa', 'all')).toThrow('UPSTREAM_NOT_FOUND');
  });

  it('comes back with its choices, decisions and names when the same launch identity is added again', () => {
    const story = wholeServer().keepOff('claude', 'exa', 'tool/fetch').removes('exa');
    story
      .server('other')
      .lists('other', { tool: { search: 'v1' } })
      .expose('claude', 'other', 'all');
    expect(story.surface('claude')).toEqual({ 'tool/other_search': 'other v1' });
    story.restores('exa', npx('exa@9'));
    expect(story.surface('claude')).toEqual({ 'tool/other_search': 'other v1', 'tool/search': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'exa tool/fetch': 'rejected' });
  });

  it('does not come back under another launch identity or a name that is taken', () => {
    const story = wholeServer().removes('exa');
    expect(() => story.restores('exa', NEXT)).toThrow('UPSTREAM_NOT_FOUND');
    story.server('second', 'exa', npx('second'));
    expect(() => story.restores('exa')).toThrow('UPSTREAM_NAME_TAKEN');
    expect(() => new Story().server('exa').restores('exa')).toThrow('UPSTREAM_NOT_FOUND');
  });

  it('asks about what changed while it was away', () => {
    const story = wholeServer()
      .removes('exa')
      .restores('exa')
      .lists('exa', { tool: { search: 'v2', fetch: 'v1' } });
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
  });

  it('can still be hidden, so that it does not come back with it', () => {
    const story = wholeServer().removes('exa').hide('claude', 'exa', 'tool/search').restores('exa');
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
  });
});
