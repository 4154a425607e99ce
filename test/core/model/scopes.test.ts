import { describe, expect, it } from 'vitest';
import { Story } from './build.ts';

const TWO = { tool: { search: 'v1', fetch: 'v1' } };
const BOTH = { 'tool/search': 'exa v1', 'tool/fetch': 'exa v1' };
const forBoth = (): Story =>
  new Story().server('exa').app('claude').app('cursor').lists('exa', TWO).expose('claude', 'exa', 'all').expose('cursor', 'exa', 'all'); // prettier-ignore

describe('a server that gets a process per app', () => {
  it('changes nothing by that alone', () => {
    const story = forBoth();
    const { publications } = story.state;
    story.asks('exa');
    expect(story.state.publications).toBe(publications);
    story.lists('exa', TWO, { app: 'claude' });
    expect(story.state.publications).toBe(publications);
    expect(story.last.effects).toEqual([]);
  });

  it('speaks for the app whose process it is', () => {
    const story = forBoth()
      .asks('exa')
      .lists('exa', { tool: { search: 'v2', fetch: 'v1' } }, { app: 'claude' });
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
    expect(story.surface('cursor')).toEqual(BOTH);
    expect(story.waiting('cursor')).toEqual([]);
  });

  it('no longer speaks through the shared process for an app that has its own', () => {
    const story = forBoth().asks('exa').lists('exa', TWO, { app: 'claude' });
    story.lists('exa', { tool: { fetch: 'v1' } });
    expect(story.surface('claude')).toEqual(BOTH);
    expect(story.surface('cursor')).toEqual({ 'tool/fetch': 'exa v1' });
  });

  it("starts an app's own catalog as a copy: what its first list does not speak of stays as it was", () => {
    const story = forBoth()
      .lists('exa', { prompt: 'empty' })
      .asks('exa')
      .lists('exa', { tool: 'failed', prompt: { plan: 'v1' } }, { app: 'claude' });
    expect(story.surface('claude')).toEqual(BOTH);
    expect(story.waiting('claude')).toEqual(['exa prompt/plan v1']);
    story.lists('exa', { tool: { fetch: 'v1' } }, { app: 'claude' });
    expect(story.withheld('claude')).toMatchObject({ 'exa tool/search': 'missing' });
  });

  it('gets nothing new approved on the way: "new" means new for the app', () => {
    const story = forBoth()
      .follows('exa', 'review')
      .asks('exa')
      .lists('exa', { tool: { ...TWO.tool, extra: 'v1' } }, { app: 'claude' });
    expect(story.surface('claude')).toEqual(BOTH);
    expect(story.waiting('claude')).toEqual(['exa tool/extra v1']);
    expect(story.effects('notice')).toHaveLength(1);
  });

  it('reports nothing twice that the app was told of through the shared process', () => {
    const story = forBoth()
      .lists('exa', { tool: { search: 'v2', fetch: 'v1' } })
      .asks('exa');
    story.lists('exa', { tool: { search: 'v2', fetch: 'v1' } }, { app: 'claude' });
    expect(story.effects('notice')).toEqual([]);
    story.lists('exa', TWO, { app: 'claude' });
    story.lists('exa', { tool: { search: 'v2', fetch: 'v1' } }, { app: 'claude' });
    expect(story.effects('notice')).toEqual([]);
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
  });

  it('needs two connections of the same scope before everything vanishes', () => {
    const story = forBoth().asks('exa').lists('exa', TWO, { app: 'claude' });
    story.lists('exa', { tool: 'empty' }, { connection: 'shared' });
    story.lists('exa', { tool: 'empty' }, { app: 'claude', connection: 'own 1' });
    expect(story.effects('confirm')).toEqual([{ type: 'confirm', server: 's-exa', consumer: 'claude' }]);
    expect(story.surface('claude')).toEqual(BOTH);
    story.lists('exa', { tool: 'empty' }, { app: 'claude', connection: 'own 2' });
    expect(story.surface('claude')).toEqual({});
    expect(story.surface('cursor')).toEqual(BOTH);
  });

  it('is refused as a change to a server that is not there', () => {
    expect(() => new Story().asks('exa')).toThrow('UPSTREAM_NOT_FOUND');
  });
});

describe('a whole server that was wanted unseen', () => {
  const unseen = (): Story =>
    new Story().server('exa').app('claude').app('cursor').expose('claude', 'exa', 'all').asks('exa');

  it("has its baseline in the app's own first list, whatever other apps saw before", () => {
    const story = unseen().lists('exa', { tool: { other: 'v1' } }, { app: 'cursor' });
    story.lists('exa', TWO, { app: 'claude' });
    expect(story.surface('claude')).toEqual(BOTH);
    story.lists('exa', { tool: { ...TWO.tool, extra: 'v1' } }, { app: 'claude' });
    expect(story.waiting('claude')).toEqual(['exa tool/extra v1']);
  });

  it("has used up its baseline when the app's own first list is empty", () => {
    const story = unseen().lists('exa', { tool: { other: 'v1' } }, { app: 'cursor' });
    story
      .lists('exa', { prompt: { plan: 'v1' } }, { app: 'claude' })
      .lists('exa', { tool: 'empty' }, { app: 'claude' });
    story.lists('exa', TWO, { app: 'claude' });
    expect(story.surface('claude')).toEqual({ 'prompt/plan': 'exa v1' });
    expect(story.waiting('claude')).toEqual(['exa tool/fetch v1', 'exa tool/search v1']);
  });
});
