import { describe, expect, it } from 'vitest';
import type { ManifestId } from '../../../electron/core/model.ts';
import { app, Story } from './build.ts';

const served = (): Story =>
  new Story()
    .server('exa')
    .app('claude')
    .lists('exa', { tool: { search: 'v1' } })
    .expose('claude', 'exa', 'all');

describe('a new app', () => {
  it('has a publication of nothing from the start, and is not told of its first', () => {
    const story = new Story().app('claude');
    expect(story.surface('claude')).toEqual({});
    expect(story.epoch('claude')).toBe(1);
    expect(story.last.effects).toEqual([]);
  });

  it('is added once', () => {
    const story = new Story().app('claude');
    const before = story.state;
    expect(story.app('claude').state).toBe(before);
  });
});

describe('a server', () => {
  it('has a name that no other server has at the time', () => {
    const story = new Story().server('exa', 'Exa');
    expect(() => story.server('other', 'Exa')).toThrow('UPSTREAM_NAME_TAKEN');
    expect(story.removes('exa').server('other', 'Exa').state.servers).toHaveProperty('s-other');
  });

  it('can only be changed or removed while it is there', () => {
    const story = new Story().server('exa').removes('exa');
    expect(() => story.removes('exa')).toThrow('UPSTREAM_NOT_FOUND');
    expect(() => story.moves('nowhere', { type: 'stdio', command: 'x', args: [], envNames: [] })).toThrow(
      'UPSTREAM_NOT_FOUND',
    );
  });
});

describe('notes', () => {
  it('of what an app last listed are kept per kind, and change nothing else', () => {
    const story = served();
    const [{ publications }, listed] = [story.state, 'sha256:one' as ManifestId];
    story.tell({ type: 'listed', consumer: app('claude'), kind: 'tool', manifestId: listed });
    expect(story.state.lastListed).toEqual({ claude: { tool: { manifestId: listed, at: expect.any(String) } } });
    expect(story.state.publications).toBe(publications);
    const before = story.state;
    story.tell({ type: 'listed', consumer: app('claude'), kind: 'tool', manifestId: listed });
    expect(story.state).toBe(before);
    expect(() => story.tell({ type: 'listed', consumer: app('zed'), kind: 'tool', manifestId: listed })).toThrow(
      'CONSUMER_NOT_FOUND',
    );
  });

  it('of a sent notification mark the incident', () => {
    const story = served().lists('exa', { tool: { search: 'v2' } });
    const incidents = story.state.incidents.map(({ id }) => id);
    story.tell({ type: 'notified', incidents });
    expect(story.state.incidents).toMatchObject([{ notified: true }]);
    const before = story.state;
    expect(story.tell({ type: 'notified', incidents }).state).toBe(before);
  });
});

describe('a pause', () => {
  it('publishes nothing, and neither does its end', () => {
    const story = served();
    const { publications } = story.state;
    story.tell({ type: 'paused', until: null, reason: 'person' });
    expect(story.state.settings.paused).toEqual({ until: null, reason: 'person' });
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1' });
    story.tell({ type: 'resumed' });
    expect(story.state.settings.paused).toBeNull();
    expect(story.state.publications).toBe(publications);
  });

  it('does not keep a change from contracting the surface', () => {
    const story = served().tell({ type: 'paused', until: null, reason: 'person' });
    expect(story.lists('exa', { tool: { search: 'v2' } }).surface('claude')).toEqual({});
  });
});

describe('a pause that a person has to end', () => {
  const recovered = (): Story => served().tell({ type: 'paused', until: null, reason: 'recovered' });

  it('is not shortened by another one', () => {
    const story = recovered();
    const before = story.state;
    expect(story.tell({ type: 'paused', until: '2026-01-01T01:00:00.000Z', reason: 'person' }).state).toBe(before);
    expect(story.tell({ type: 'resumed' }).state.settings.paused).toBeNull();
  });

  it('takes the place of one that ends by itself', () => {
    const story = served().tell({ type: 'paused', until: '2026-01-01T01:00:00.000Z', reason: 'person' });
    story.tell({ type: 'paused', until: null, reason: 'recovered' });
    expect(story.state.settings.paused).toEqual({ until: null, reason: 'recovered' });
  });
});

describe('a setting', () => {
  it('is changed where it is another one, and nothing is committed where it is the same', () => {
    const story = served();
    const { settings } = story.state;
    story.tell({ type: 'language', language: 'zh-CN' }).tell({ type: 'tell-set', tell: 'dot' });
    const later = '2026-01-01T01:00:00.000Z';
    story
      .tell({ type: 'paused', until: null, reason: 'person' })
      .tell({ type: 'paused', until: later, reason: 'person' });
    expect(story.state.settings).toEqual({ ...settings, language: 'zh-CN', tell: 'dot', paused: { until: later, reason: 'person' } }); // prettier-ignore
    const before = story.state;
    story.tell({ type: 'language', language: 'zh-CN' }).tell({ type: 'tell-set', tell: 'dot' });
    expect(story.tell({ type: 'paused', until: later, reason: 'person' }).state).toBe(before);
    story.tell({ type: 'resumed' });
    const resumed = story.state;
    expect(story.tell({ type: 'resumed' }).state).toBe(resumed);
  });
});
