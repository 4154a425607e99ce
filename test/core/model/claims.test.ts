import { describe, expect, it } from 'vitest';
import { Story, type Lists } from './build.ts';

/** One app with the whole of some servers, exposed in their order. */
function withServers(...servers: [label: string, lists: Lists][]): Story {
  const story = new Story().app('claude');
  for (const [label, lists] of servers) story.server(label).lists(label, lists);
  for (const [label] of servers) story.expose('claude', label, 'all');
  return story;
}
const SEARCH: Lists = { tool: { search: 'v1' } };

describe('a published name', () => {
  it('is the origin key, and with the prefix of the server where another capability has it', () => {
    const story = withServers(['exa', SEARCH], ['brave', SEARCH]);
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1', 'tool/brave_search': 'brave v1' });
  });

  it('is a name of its own for each kind and each app', () => {
    const story = withServers(['exa', { ...SEARCH, prompt: { search: 'v1' } }])
      .app('cursor')
      .server('brave');
    story.lists('brave', SEARCH).expose('cursor', 'brave', 'all');
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1', 'prompt/search': 'exa v1' });
    expect(story.surface('cursor')).toEqual({ 'tool/search': 'brave v1' });
  });

  it('stays with its capability while that is absent, hidden from the app, or removed with its server', () => {
    const absent = withServers(['exa', SEARCH]).lists('exa', { tool: { other: 'v1' } });
    absent.server('brave').lists('brave', SEARCH).expose('claude', 'brave', 'all');
    expect(absent.surface('claude')).toEqual({ 'tool/brave_search': 'brave v1' });
    const hidden = withServers(['exa', SEARCH]).hide('claude', 'exa', 'all').server('brave').lists('brave', SEARCH);
    hidden.expose('claude', 'brave', 'all').expose('claude', 'exa', 'all');
    expect(hidden.surface('claude')).toEqual({ 'tool/search': 'exa v1', 'tool/brave_search': 'brave v1' });
  });

  it('of a new definition is the one of the old', () => {
    const story = withServers(['exa', SEARCH], ['brave', SEARCH]).lists('brave', { tool: { search: 'v2' } });
    story.approve('claude', 'brave', 'tool/search');
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1', 'tool/brave_search': 'brave v2' });
  });

  it('is claimed when its capability first gets in force, not before', () => {
    const story = new Story()
      .app('claude')
      .server('exa')
      .lists('exa', { tool: { other: 'v1' } });
    story.expose('claude', 'exa', 'all').lists('exa', { tool: { search: 'v1' } });
    expect(story.waiting('claude')).toEqual(['exa tool/search v1']);
    story.server('brave').lists('brave', SEARCH).expose('claude', 'brave', 'all');
    story.approve('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({ 'tool/search': 'brave v1', 'tool/exa_search': 'exa v1' });
  });

  it('is not moved by another server or tool', () => {
    const story = withServers(['exa', SEARCH]);
    story.server('a').lists('a', SEARCH).expose('claude', 'a', 'all');
    story.lists('exa', { tool: { search: 'v1', Search: 'v1', a_search: 'v1' } });
    story.approve('claude', 'exa', 'tool/Search').approve('claude', 'exa', 'tool/a_search');
    expect(story.surface('claude')).toEqual({
      'tool/search': 'exa v1',
      'tool/a_search': 'a v1',
      'tool/Search': 'exa v1',
      'tool/exa_a_search': 'exa v1',
    });
  });
});

describe('a conflict', () => {
  const taken = (): Story =>
    withServers(['brave', { tool: { search: 'v1' } }], ['exa', { tool: { exa_search: 'v1' } }]).lists('exa', {
      tool: { exa_search: 'v1', search: 'v1' },
    });

  it('is withheld where the prefixed name is taken too', () => {
    const story = taken().approve('claude', 'exa', 'tool/search');
    expect(story.surface('claude')).toEqual({ 'tool/search': 'brave v1', 'tool/exa_search': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'conflict' });
    expect(story.waiting('claude')).toEqual([]);
  });

  it('is never promoted, whatever becomes of the one that has the name', () => {
    const story = taken().approve('claude', 'exa', 'tool/search').removes('brave').hide('claude', 'exa', 'tool/exa_search'); // prettier-ignore
    expect(story.surface('claude')).toEqual({});
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'conflict' });
  });

  it('is what two servers with one URI have: the first keeps it', () => {
    const story = withServers(['exa', { resource: { 'file:///a': 'v1' } }], ['brave', { resource: { 'file:///a': 'v1' } }]); // prettier-ignore
    expect(story.surface('claude')).toEqual({ 'resource/file:///a': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'brave resource/file:///a': 'conflict' });
  });
});

describe('claims of one commit', () => {
  it('go to legal names first, then by origin key', () => {
    const story = withServers(['exa', { tool: { 'a.b': 'v1', a_b: 'v2' } }]);
    expect(story.surface('claude')).toEqual({ 'tool/a_b': 'exa v2', 'tool/exa_a_b': 'exa v1' });
    const illegal = withServers(['exa', { tool: { 'a/b': 'v2', 'a.b': 'v1' } }]);
    expect(illegal.surface('claude')).toEqual({ 'tool/a_b': 'exa v1', 'tool/exa_a_b': 'exa v2' });
  });

  it('of one key go by the prefix of the server', () => {
    const story = new Story().app('claude').server('zeta').server('alpha').profile('work');
    story.lists('zeta', SEARCH).lists('alpha', SEARCH).add('work', 'zeta', 'all').add('work', 'alpha', 'all');
    story.assign('work', 'claude');
    expect(story.surface('claude')).toEqual({ 'tool/search': 'alpha v1', 'tool/zeta_search': 'zeta v1' });
  });

  it('do not depend on the order of the list', () => {
    const names = ['a.b', 'a_b', 'a/b', 'b'];
    const list = (keys: string[]): Lists => ({ tool: Object.fromEntries(keys.map((name) => [name, 'v1'])) });
    const [one, other] = [list(names), list([...names].reverse())].map((lists) => withServers(['exa', lists]));
    expect(other?.state.names).toEqual(one?.state.names);
  });
});

describe('a name that hosts would refuse', () => {
  it.each([
    ['web.search', 'web_search'],
    ['搜索', 't___'],
    ['2fast', 't_2fast'],
    ['_private', 't__private'],
    ['ok-Name_1', 'ok-Name_1'],
    ['x'.repeat(48), 'x'.repeat(48)],
  ])('%s is published as %s', (originKey, published) => {
    const story = withServers(['exa', { tool: { [originKey]: 'v1' } }]);
    expect(story.surface('claude')).toEqual({ [`tool/${published}`]: 'exa v1' });
  });

  it('ends in a hash where it is too long, and so two long ones stay apart', () => {
    const story = withServers(['exa', { tool: { [`${'x'.repeat(60)}1`]: 'v1', [`${'x'.repeat(60)}2`]: 'v2' } }]);
    const names = Object.keys(story.surface('claude'));
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^tool\/x{41}_[0-9a-f]{6}$/);
  });
});

describe('the prefix of a server', () => {
  const prefixOf = (...names: string[]): string[] => {
    const story = new Story();
    for (const [at, name] of names.entries()) story.server(`${at}`, name);
    return Object.values(story.state.servers).map(({ prefix }) => prefix);
  };

  it('is the slug of its first label', () => {
    expect(prefixOf('Exa Search', '7 Zip!', 'A very long name of a server')).toEqual(['exa-search', 'zip', 'a-very-long-name']); // prettier-ignore
  });

  it('is a hash where the label has no slug or another server has it', () => {
    const [first, second, third] = prefixOf('Exa', 'exa!', '数据');
    expect(first).toBe('exa');
    expect(second).toMatch(/^s[0-9a-f]{4}$/);
    expect(third).toMatch(/^s[0-9a-f]{4}$/);
    expect(third).not.toBe(second);
  });

  it('stays as it was when the server is removed and brought back under another name', () => {
    const story = withServers(['exa', SEARCH], ['brave', SEARCH]).removes('brave');
    const { server } = story.observation('brave', {});
    story.tell({ type: 'server-restored', server, name: 'Other', launch: { type: 'stdio', command: 'npx', args: ['-y', 'brave'], envNames: [] } }); // prettier-ignore
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1', 'tool/brave_search': 'brave v1' });
  });
});
