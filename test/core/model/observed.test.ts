import { describe, expect, it } from 'vitest';
import { capabilityId } from '../../../electron/core/identity.ts';
import type { JsonObject } from '../../../electron/core/model.ts';
import { broken, definitionOf, key, npx, serverId, Story } from './build.ts';

/** A list with this definition of `search`, and `fetch` as it was. */
function shows(story: Story, definition: JsonObject): Story {
  const observation = story.observation('exa', { tool: { fetch: 'v1' } });
  const stored = { serverId: serverId('exa'), ...key('tool/search'), route: observation.route, definition };
  const fetch = observation.kinds.tool?.status === 'complete' ? observation.kinds.tool.items : [];
  const items = [{ originKey: 'search', id: capabilityId(stored), definition }, ...fetch];
  return story.tell({
    type: 'observed',
    observation: { ...observation, kinds: { tool: { status: 'complete', items } } },
  });
}

/** One app with the whole of a server that offers two tools. */
const wholeServer = (): Story =>
  new Story().server('exa').app('claude').lists('exa', { tool: { search: 'v1', fetch: 'v1' } }).expose('claude', 'exa', 'all'); // prettier-ignore
/** One app with one tool of it. */
const oneTool = (): Story =>
  new Story().server('exa').app('claude').lists('exa', { tool: { search: 'v1', fetch: 'v1' } }).expose('claude', 'exa', 'tool/search'); // prettier-ignore
const BOTH = { 'tool/search': 'exa v1', 'tool/fetch': 'exa v1' };

describe('what an observation does', () => {
  it('nothing at all, where nothing effective changed', () => {
    const story = wholeServer();
    const before = story.state;
    story.lists('exa', { tool: { fetch: 'v1', search: 'v1' } });
    expect(story.state).toBe(before);
    expect(story.last.effects).toEqual([]);
  });

  it('takes a changed definition out and asks about it', () => {
    const story = wholeServer().lists('exa', { tool: { search: 'v2', fetch: 'v1' } });
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'changed' });
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
  });

  it.each([
    ['a hint flips', { annotations: { readOnlyHint: true } }],
    ['a dangerous input is added', { inputSchema: { type: 'object', properties: { force: { type: 'boolean' } } } }],
    ['execution changes', { execution: { taskSupport: 'required' } }],
    ['a field appears that nobody knows', { futureField: 1 }],
  ])('takes it out and asks where %s', (_, part) => {
    const story = shows(wholeServer(), { ...definitionOf(key('tool/search'), 'v1'), ...part });
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'changed' });
    expect(story.waiting('claude')).toHaveLength(1);
  });

  it('carries nothing over to a new name: the old one is missing, the new one waits under whole-server intent', () => {
    const story = wholeServer().lists('exa', { tool: { lookup: 'v1', fetch: 'v1' } });
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'missing', 'exa tool/lookup': 'new' });
    expect(story.waiting('claude')).toEqual(['exa tool/lookup v1']);
  });

  it('takes out what a complete list misses, keeps the intent for it, and shows it as missing', () => {
    const story = oneTool().lists('exa', { tool: { fetch: 'v1' } });
    expect(story.surface('claude')).toEqual({});
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'missing' });
    expect(story.waiting('claude')).toEqual([]);
    expect(story.effects('notice')).toHaveLength(1);
  });

  it.each(['failed', 'incomplete'] as const)('removes nothing where a list is %s', (outcome) => {
    const story = wholeServer();
    const before = story.state;
    story.lists('exa', { tool: outcome });
    expect(story.state).toBe(before);
    expect(story.surface('claude')).toEqual(BOTH);
  });

  it('restores by itself what comes back exactly as it was approved', () => {
    const story = wholeServer().lists('exa', { tool: { fetch: 'v1' } });
    const epoch = story.epoch('claude');
    story.lists('exa', { tool: { search: 'v1', fetch: 'v1' } });
    expect(story.surface('claude')).toEqual(BOTH);
    expect(story.epoch('claude')).toBe(epoch + 1);
    expect(story.effects('notice')).toEqual([]);
    expect(story.waiting('claude')).toEqual([]);
  });

  it('keeps out what comes back with another definition, and asks', () => {
    const story = wholeServer()
      .lists('exa', { tool: { fetch: 'v1' } })
      .lists('exa', { tool: { search: 'v2', fetch: 'v1' } });
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'changed' });
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
  });

  it('does not absorb a new capability where single ones were chosen', () => {
    const story = oneTool().lists('exa', { tool: { search: 'v1', fetch: 'v1', extra: 'v1' } });
    expect(story.surface('claude')).toEqual({ 'tool/search': 'exa v1' });
    expect(story.waiting('claude')).toEqual([]);
    expect(story.withheld('claude')).toEqual({});
    expect(story.effects('notice')).toEqual([]);
    expect(story.shown('exa', null, 'tool/extra')).toHaveLength(1);
  });

  it('does not absorb a new capability where the whole server is wanted: it is an item', () => {
    const story = wholeServer()
      .follows('exa', 'review')
      .lists('exa', { tool: { search: 'v1', fetch: 'v1', extra: 'v1' } });
    expect(story.surface('claude')).toEqual(BOTH);
    expect(story.withheld('claude')).toEqual({ 'exa tool/extra': 'new' });
    expect(story.waiting('claude')).toEqual(['exa tool/extra v1']);
    expect(story.effects('notice')).toHaveLength(1);
  });

  it('makes one commit, one epoch and one incident of all it finds', () => {
    const story = wholeServer();
    const [epoch, sequence] = [story.epoch('claude'), story.state.sequence];
    story.lists('exa', { tool: { search: 'v2', extra: 'v1' } }, { version: '2.0.0' });
    expect(story.epoch('claude')).toBe(epoch + 1);
    expect(story.state.sequence).toBe(sequence + 1);
    expect(story.state.incidents).toMatchObject([{ server: 's-exa', fromVersion: null, toVersion: '2.0.0' }]);
    expect(story.state.incidents[0]?.reviews).toHaveLength(2);
    expect(story.state.incidents[0]?.missing).toHaveLength(1);
    expect(story.effects('list-changed')).toEqual([{ type: 'list-changed', consumer: 'claude', kinds: ['tool'] }]);
  });

  it('concerns each app by what it wants: the same change asks one and leaves another alone', () => {
    const story = wholeServer().app('cursor').expose('cursor', 'exa', 'tool/fetch');
    const epoch = story.epoch('cursor');
    story.lists('exa', { tool: { search: 'v2', fetch: 'v1' } });
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
    expect(story.waiting('cursor')).toEqual([]);
    expect(story.epoch('cursor')).toBe(epoch);
  });
});

describe('emptiness and absence of a kind', () => {
  it.each(['empty', 'unsupported'] as const)('counts only once another connection says %s too', (outcome) => {
    const story = wholeServer().lists('exa', { tool: outcome }, { connection: 'one' });
    expect(story.surface('claude')).toEqual(BOTH);
    expect(story.effects('confirm')).toEqual([{ type: 'confirm', server: 's-exa', consumer: null }]);
    story.lists('exa', { tool: outcome }, { connection: 'one' });
    expect(story.surface('claude')).toEqual(BOTH);
    story.lists('exa', { tool: outcome }, { connection: 'two' });
    expect(story.surface('claude')).toEqual({});
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'missing', 'exa tool/fetch': 'missing' });
    expect(story.effects('confirm')).toEqual([]);
  });

  it('needs the same to be said: an empty list does not confirm that a kind is not offered', () => {
    const story = wholeServer()
      .lists('exa', { tool: 'empty' }, { connection: 'one' })
      .lists('exa', { tool: 'unsupported' }, { connection: 'two' });
    expect(story.surface('claude')).toEqual(BOTH);
    expect(story.effects('confirm')).toHaveLength(1);
    story.lists('exa', { tool: 'unsupported' }, { connection: 'three' });
    expect(story.surface('claude')).toEqual({});
  });

  it('waits on through a failed list in between', () => {
    const story = wholeServer()
      .lists('exa', { tool: 'empty' }, { connection: 'one' })
      .lists('exa', { tool: 'failed' }, { connection: 'two' })
      .lists('exa', { tool: 'empty' }, { connection: 'three' });
    expect(story.surface('claude')).toEqual({});
  });

  it('is taken back by a complete list', () => {
    const story = wholeServer()
      .lists('exa', { tool: 'empty' }, { connection: 'one' })
      .lists('exa', { tool: { search: 'v1', fetch: 'v1' } }, { connection: 'two' })
      .lists('exa', { tool: 'empty' }, { connection: 'three' });
    expect(story.surface('claude')).toEqual(BOTH);
    expect(story.effects('confirm')).toHaveLength(1);
  });

  it('counts at once where nothing was there', () => {
    const story = wholeServer().lists('exa', { prompt: 'empty', resource: 'unsupported' });
    expect(story.effects('confirm')).toEqual([]);
    expect(story.state.confirmations).toEqual({});
  });
});

describe('why something is gone', () => {
  const inContext = (context: object, lists: Parameters<Story['lists']>[1]): Story =>
    wholeServer().lists('exa', lists, { context });

  it.each([
    ['you signed out', { signedIn: false }, 'signed-in'],
    ['you changed the key', { launch: 'key 2' }, 'launch'],
    ['other client capabilities were declared', { capabilities: 'none' }, 'capabilities'],
    ['another protocol era was spoken', { era: '2026' }, 'era'],
  ])('is "hidden", with no removal notice, where %s', (_, context, why) => {
    const story = inContext(context, { tool: { fetch: 'v1' } });
    expect(story.surface('claude')).toEqual({ 'tool/fetch': 'exa v1' });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'hidden' });
    expect(story.effects('notice')).toEqual([]);
    const entry = Object.values(story.state.catalogs)[0];
    expect(Object.values(entry ?? {}).find(({ state }) => state === 'absent')).toMatchObject({ reason: 'hidden', why });
  });

  it('is "missing" again once a list in the old circumstances does not show it either', () => {
    const story = inContext({ signedIn: false }, { tool: { fetch: 'v1' } }).lists('exa', { tool: { fetch: 'v1' } });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'missing' });
  });

  it('is over when the old circumstances bring it back', () => {
    const story = inContext({ signedIn: false }, { tool: { fetch: 'v1' } });
    story.lists('exa', { tool: { search: 'v1', fetch: 'v1' } });
    expect(story.surface('claude')).toEqual(BOTH);
  });

  it('is "missing" where the circumstances are those that last showed it, though not the first ones', () => {
    const story = inContext({ launch: 'key 2' }, { tool: { search: 'v1', fetch: 'v1' } });
    story.lists('exa', { tool: { fetch: 'v1' } }, { context: { launch: 'key 2' } });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'missing' });
  });
});

describe('an entry that cannot be read', () => {
  it('is invalid: out of the surface, but not absent, and the rest of the list counts', () => {
    const story = wholeServer().lists('exa', { tool: { search: broken('listed twice'), fetch: 'v2' } });
    expect(story.surface('claude')).toEqual({});
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'invalid', 'exa tool/fetch': 'changed' });
    expect(story.waiting('claude')).toEqual(['exa tool/fetch v2']);
  });

  it('keeps one odd entry from losing the list', () => {
    const story = wholeServer().lists('exa', { tool: { search: 'v1', fetch: 'v1', odd: broken('no schema') } });
    expect(story.surface('claude')).toEqual(BOTH);
  });

  it('is in force again when it can be read as before', () => {
    const story = wholeServer()
      .lists('exa', { tool: { search: broken('listed twice'), fetch: 'v1' } })
      .lists('exa', { tool: { search: 'v1', fetch: 'v1' } });
    expect(story.surface('claude')).toEqual(BOTH);
  });

  it('is missing when it vanishes after that', () => {
    const story = wholeServer()
      .lists('exa', { tool: { search: broken('listed twice'), fetch: 'v1' } })
      .lists('exa', { tool: { search: broken('no schema'), fetch: 'v1' } })
      .lists('exa', { tool: { fetch: 'v1' } });
    expect(story.withheld('claude')).toEqual({ 'exa tool/search': 'missing' });
  });
});

describe('what broke other gateways', () => {
  it('a tool that is removed and added again with another definition is not trusted again by itself', () => {
    const story = oneTool()
      .lists('exa', { tool: { fetch: 'v1' } })
      .lists('exa', { tool: { search: 'poisoned', fetch: 'v1' } });
    expect(story.surface('claude')).toEqual({});
    expect(story.waiting('claude')).toEqual(['exa tool/search poisoned']);
  });

  it('a failed list makes nothing vanish, and neither does the failure of all lists of a half-started server', () => {
    const story = wholeServer().lists('exa', { prompt: { plan: 'v1' }, resource: { 'file:///a': 'v1' } });
    const before = story.state;
    const crash = { tool: 'failed', prompt: 'failed', resource: 'failed', resourceTemplate: 'failed' } as const;
    story.lists('exa', { ...crash, instructions: 'failed' }, { connection: 'two' });
    story.lists('exa', { ...crash, instructions: 'failed' }, { connection: 'three' });
    expect(story.state).toBe(before);
    expect(story.last.effects).toEqual([]);
  });

  it('another order of keys in a definition raises no alarm', () => {
    const turned = Object.entries(definitionOf(key('tool/search'), 'v1')).reverse();
    const story = oneTool();
    const before = story.state;
    expect(shows(story, Object.fromEntries(turned)).state).toBe(before);
  });

  it('an observation of a server that nobody knows says nothing', () => {
    const story = wholeServer();
    const before = story.state;
    story.lists('nowhere', { tool: { search: 'v1' } });
    expect(story.state).toBe(before);
  });

  it('an observation begun under an old route says nothing', () => {
    const story = wholeServer();
    const stale = story.observation('exa', { tool: { search: 'v2' } });
    story.moves('exa', npx('exa-next'));
    const before = story.state;
    story.tell({ type: 'observed', observation: stale });
    expect(story.state).toBe(before);
  });
});
