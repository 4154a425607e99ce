import { describe, expect, it } from 'vitest';
import { recover } from '../../../electron/core/reduce.ts';
import type { EventOf } from '../../../electron/core/model.ts';
import { decisionsOn } from '../../../electron/core/view.ts';
import { app, minute, readDefinition, ref, serverId, Story, type KeyText } from './build.ts';

/** Claude has search and fetch of a server that then offers find instead of search. */
function renamed(what: 'all' | KeyText = 'all'): Story {
  const story = new Story().server('exa').lists('exa', { tool: { search: 'v1', fetch: 'v1' } });
  story.app('claude').expose('claude', 'exa', what);
  return story.lists('exa', { tool: { find: 'v1', fetch: 'v1' } });
}
function rebind(story: Story, from: KeyText[] = ['tool/search'], to: KeyText[] = ['tool/find'], version = 'v1'): Story {
  const shown = to.map((key) => ({ ref: ref('exa', key), id: story.id('exa', key, version) }));
  const old = from.map((key) => ref('exa', key));
  return story.tell({ type: 'rebound', consumer: app('claude'), from: old, to: shown, evidence: 'said' });
}
const own = (story: Story) => story.state.exposures[app('claude')]?.[serverId('exa')];
const verdicts = (story: Story, key: KeyText): string[] =>
  decisionsOn(story.state, app('claude'), ref('exa', key)).map(({ verdict }) => verdict);

describe('a rebind', () => {
  it('moves the wish for one thing of a whole server, and approves what was shown', () => {
    const story = renamed();
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    rebind(story);
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1', 'tool/find': 'exa v1' });
    expect(story.withheld('claude')).toEqual({});
    expect(own(story)).toEqual({ all: true, chosen: [], excluded: [{ kind: 'tool', originKey: 'search' }] });
    expect(story.effects('list-changed')).toMatchObject([{ consumer: 'claude', kinds: ['tool'] }]);
  });

  it('moves the wish for what was chosen by name', () => {
    const story = rebind(renamed('tool/search'));
    expect(own(story)).toEqual({ all: false, chosen: [{ kind: 'tool', originKey: 'find' }], excluded: [] });
    expect(story.surface('claude')).toEqual({ 'tool/find': 'exa v1' });
  });

  it('is of one app: a tool set stays as it is, and so does another app that uses it', () => {
    const story = new Story()
      .server('exa')
      .lists('exa', { tool: { search: 'v1' } })
      .profile('work', 'exa', 'tool/search');
    for (const name of ['claude', 'cursor']) story.app(name).assign('work', name);
    const { profiles } = story.lists('exa', { tool: { find: 'v1' } }).state;
    rebind(story);
    expect(story.state.profiles).toBe(profiles);
    expect(story.surface('claude')).toEqual({ 'tool/find': 'exa v1' });
    expect(story.withheld('claude')).toEqual({});
    expect([story.surface('cursor'), story.withheld('cursor')]).toEqual([{}, { 'exa tool/search': 'missing' }]);
  });

  it('leaves the old name off when it comes back, exactly as it was approved', () => {
    const story = rebind(renamed()).lists('exa', { tool: { search: 'v1', find: 'v1', fetch: 'v1' } });
    expect(story.surface('claude')).not.toHaveProperty('tool/search');
    expect(verdicts(story, 'tool/search')).toEqual([]);
  });

  it('keeps off what was kept off', () => {
    const story = new Story()
      .server('exa')
      .lists('exa', { tool: { search: 'v1' } })
      .app('claude');
    story.expose('claude', 'exa', 'all').lists('exa', { tool: { search: 'v2' } });
    story.keepOff('claude', 'exa', 'tool/search').lists('exa', { tool: { find: 'v1' } });
    expect(verdicts(rebind(story), 'tool/search')).toEqual(['rejected']);
  });

  it('joins several into one, and takes each of the old ones out', () => {
    const story = new Story()
      .server('exa')
      .lists('exa', { tool: { a: 'v1', b: 'v1' } })
      .app('claude');
    story.expose('claude', 'exa', 'tool/a').lists('exa', { tool: { find: 'v1' } });
    rebind(story, ['tool/a', 'tool/b']);
    expect(story.surface('claude')).toEqual({ 'tool/find': 'exa v1' });
    expect(own(story)?.chosen).toEqual([{ kind: 'tool', originKey: 'find' }]);
  });

  it.each<[string, (story: Story) => Story]>([
    ['what is new has moved on', (story) => rebind(story.lists('exa', { tool: { find: 'v2', fetch: 'v1' } }))],
    ['the old one is back', (story) => rebind(story.lists('exa', { tool: { search: 'v1', find: 'v1' } }))],
    ['nobody wants the old one', (story) => rebind(story.hide('claude', 'exa', 'tool/search'))],
    ['there is nothing to go on with', (story) => rebind(story, ['tool/search'], [])],
    ['nothing has gone', (story) => rebind(story, [])],
    ['one of the old ones is still there', (story) => rebind(story, ['tool/search', 'tool/fetch'])],
    [
      'one of the new ones was not shown as it is',
      (story) => rebind(story, ['tool/search'], ['tool/find', 'tool/none']),
    ],
    ['the new one is of another kind', (story) => rebind(story.lists('exa', { prompt: { find: 'v1' } }), ['tool/search'], ['prompt/find'])], // prettier-ignore
    [
      'the new one is of another server',
      (story) => {
        story
          .server('two')
          .lists('two', { tool: { seek: 'v1' } })
          .expose('claude', 'two', 'tool/seek');
        const to = [{ ref: ref('two', 'tool/seek'), id: story.id('two', 'tool/seek', 'v1') }];
        const from = [ref('exa', 'tool/search')];
        return story.tell({ type: 'rebound', consumer: app('claude'), from, to, evidence: 'said' });
      },
    ],
  ])('is refused where %s', (_, act) => {
    const story = renamed();
    expect(() => act(story)).toThrow('REVIEW_STALE');
    expect(story.surface('claude')).not.toHaveProperty('tool/find');
  });
});

describe('a rebind is refused', () => {
  it('for an app that is not known, and for a server that was removed', () => {
    const story = renamed();
    const to = [{ ref: ref('exa', 'tool/find'), id: story.id('exa', 'tool/find', 'v1') }];
    const rebound = { type: 'rebound', from: [ref('exa', 'tool/search')], to, evidence: 'said' } as const;
    expect(() => story.tell({ ...rebound, consumer: app('zed') })).toThrow('CONSUMER_NOT_FOUND');
    expect(() => story.removes('exa').tell({ ...rebound, consumer: app('claude') })).toThrow('UPSTREAM_NOT_FOUND');
  });
});

/** Search became find and seek, both were given, and a policy followed what became of seek. */
function split(): Story {
  const story = renamed().lists('exa', { tool: { find: 'v1', seek: 'v1', fetch: 'v1' } });
  rebind(story, ['tool/search'], ['tool/find', 'tool/seek']).follows('exa', 'follow');
  story.lists('exa', { tool: { find: 'v1', seek: 'v2', fetch: 'v1' } });
  expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1', 'tool/find': 'exa v1', 'tool/seek': 'exa v2' });
  return story;
}

describe('a rebind made after the settings that have to serve', () => {
  const rebound = { type: 'rebound', consumer: app('claude'), evidence: 'said', at: minute(99) } as const;
  const lost = (story: Story): EventOf<'rebound'> => {
    const to = [{ ref: ref('exa', 'tool/find'), id: story.id('exa', 'tool/find', 'v1') }];
    return { ...rebound, from: [ref('exa', 'tool/search')], to };
  };

  it.each(['all', 'tool/search'] as const)('takes the old one off for good and gives nothing new: %s', (what) => {
    const story = renamed(what);
    const before = decisionsOn(story.state, app('claude'), ref('exa', 'tool/find'));
    story.state = recover(story.state, lost(story)).state;
    expect(verdicts(story, 'tool/search')).toEqual([]);
    expect(decisionsOn(story.state, app('claude'), ref('exa', 'tool/find'))).toEqual(before);
    story.follows('exa', 'follow').lists('exa', { tool: { search: 'v1', find: 'v1', fetch: 'v1' } });
    expect(story.surface('claude')).toEqual(what === 'all' ? { 'tool/fetch': 'exa v1' } : {});
    expect(own(story)).toEqual({ all: what === 'all', chosen: [], excluded: [{ kind: 'tool', originKey: 'search' }] });
  });

  it('keeps the old one off where a tool set gives it that was lost with them', () => {
    const story = renamed().hide('claude', 'exa', 'all').profile('work');
    story.state = recover(story.state, lost(story)).state;
    story.lists('exa', { tool: { search: 'v1', find: 'v1', fetch: 'v1' } }).add('work', 'exa', 'tool/search');
    expect(story.assign('work', 'claude').surface('claude')).toEqual({});
  });

  it('changes nothing for an app that is not known there', () => {
    const { state } = new Story().server('exa');
    expect(recover(state, lost(renamed())).state).toBe(state);
  });
});

describe('taking a rebind back', () => {
  it('takes off what a policy made of any of the new ones, and stops the policy there', () => {
    const story = split().undo('claude', 'exa', 'tool/find');
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect([verdicts(story, 'tool/find'), verdicts(story, 'tool/seek')]).toEqual([[], []]);
    expect(Object.keys(story.state.stops[app('claude')] ?? {})).toEqual([ref('exa', 'tool/seek')]);
  });

  it('takes all of the new ones off where older settings have to serve', () => {
    const story = split();
    const [made] = decisionsOn(story.state, app('claude'), ref('exa', 'tool/find'));
    const event = { type: 'undone', consumer: app('claude'), ref: ref('exa', 'tool/find'), at: minute(99) } as const;
    story.state = recover(story.state, { ...event, id: made!.id, sequence: made!.sequence }).state;
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
  });

  it('gives back the wish and the old approvals, and leaves the new one undecided', () => {
    const story = renamed();
    const before = own(story);
    rebind(story).undo('claude', 'exa', 'tool/find');
    expect(own(story)).toEqual(before);
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'missing', 'exa tool/find': 'new' });
    story.lists('exa', { tool: { search: 'v1', find: 'v1', fetch: 'v1' } });
    expect(story.surface('claude')).toHaveProperty('tool/search');
  });

  it('leaves alone what a person changed since', () => {
    const story = rebind(renamed('tool/search')).expose('claude', 'exa', 'tool/fetch');
    story.undo('claude', 'exa', 'tool/find');
    expect(own(story)?.chosen.map(({ originKey }) => originKey)).toEqual(['fetch', 'search']);
  });

  it('is refused after a later decision, and keeps all of it', () => {
    const story = rebind(renamed());
    const made = decisionsOn(story.state, app('claude'), ref('exa', 'tool/find')).at(-1)?.sequence;
    story.keepOff('claude', 'exa', 'tool/find');
    expect(() => story.undo('claude', 'exa', 'tool/find', made)).toThrow('REVIEW_STALE');
    expect(story.state.rebinds[app('claude')]).toHaveLength(1);
  });

  it('is the person’s to do again where older settings have to serve: only the new one goes off', () => {
    const story = rebind(renamed()).lists('exa', { tool: { search: 'v1', find: 'v1', fetch: 'v1' } });
    const [made] = decisionsOn(story.state, app('claude'), ref('exa', 'tool/find'));
    const event = { type: 'undone', consumer: app('claude'), ref: ref('exa', 'tool/find'), at: minute(99) } as const;
    const undone: EventOf<'undone'> = { ...event, id: made!.id, sequence: made!.sequence };
    const again = new Story();
    again.state = recover(story.state, undone).state;
    expect(again.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(readDefinition(made!.id)).toBeDefined();
  });
});

it('what a person told apart is written down once, and changes nothing else', () => {
  const story = renamed();
  const { publications } = story.state;
  const told = { type: 'told-apart', consumer: app('claude'), ref: ref('exa', 'tool/search') } as const;
  story.tell({ ...told, others: [ref('exa', 'tool/find')] });
  const before = story.state;
  expect(before.apart).toEqual({ claude: { [told.ref]: [ref('exa', 'tool/find')] } });
  expect(before.publications).toBe(publications);
  expect(story.tell({ ...told, others: [ref('exa', 'tool/find')] }).state).toBe(before);
});
