/** Ways in which a policy could decide too much, or an incident tell too little. */
import { describe, expect, it } from 'vitest';
import { changeFromBases } from '../../../electron/core/classify/from-bases.ts';
import { causeOf } from '../../../electron/core/causes.ts';
import { recover } from '../../../electron/core/reduce.ts';
import { isQuiet, itemWithId, pendingReviews, reviewItems } from '../../../electron/core/review.ts';
import { reviewId } from '../../../electron/core/identity.ts';
import type { Preset } from '../../../electron/core/model.ts';
import { app, minute, npx, readDefinition, ref, serverId, Story, versionOf } from './build.ts';

const SEARCH = 'tool/search';
const CLAUDE = app('claude');
const withOne = (policy: Preset, first = 'v1'): Story =>
  new Story().server('exa').app('claude').lists('exa', { tool: { search: first } }).expose('claude', 'exa', SEARCH).follows('exa', policy); // prettier-ignore
const isQuietNow = (story: Story, version: string): boolean =>
  isQuiet(story.state, CLAUDE, ref('exa', SEARCH), story.id('exa', SEARCH, version));

describe('a policy', () => {
  it('does not take a decision that a changed launch copied for the end of a rejection', () => {
    const story = withOne('follow')
      .follows('exa', 'review')
      .lists('exa', { tool: { search: 'more' } });
    story
      .keepOff('claude', 'exa', SEARCH)
      .follows('exa', 'follow')
      .lists('exa', { tool: { search: 'v1' } });
    story.moves('exa', npx('exa-next')).lists('exa', { tool: { search: 'v1' } });
    expect(story.surface('claude')).toEqual({ [SEARCH]: 'exa v1' });
    story.lists('exa', { tool: { search: 'more' } });
    expect(story.surface('claude')).toEqual({});
  });

  it('decides nothing while apps are paused because the restored settings may not be complete', () => {
    const story = withOne('follow').tell({ type: 'paused', until: null, reason: 'recovered' });
    story.lists('exa', { tool: { search: 'v2' } });
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
    story.appliesPolicy('exa');
    expect(story.waiting('claude')).toEqual(['exa tool/search v2']);
  });

  it('stays stopped by an undo of what an older generation of the settings never had', () => {
    const { state } = withOne('follow').follows('exa', 'follow');
    const story = withOne('follow').lists('exa', { tool: { search: 'v2' } });
    const id = story.id('exa', SEARCH, 'v2');
    const undo = { type: 'undone', at: minute(9), consumer: CLAUDE, ref: ref('exa', SEARCH), id, sequence: 5 } as const;
    const recovered = recover(state, undo).state;
    story.state = recovered;
    story.lists('exa', { tool: { search: 'v3' } });
    expect(story.waiting('claude')).toEqual(['exa tool/search v3']);
  });

  it('loses a copy of what it decided with the decision that was copied', () => {
    const story = withOne('follow').lists('exa', { tool: { search: 'more' } });
    story.moves('exa', npx('exa-next')).lists('exa', { tool: { search: 'more' } });
    expect(story.surface('claude')).toEqual({ [SEARCH]: 'exa more' });
    const [chosen] = story.state.decisions[CLAUDE]?.[ref('exa', SEARCH)] ?? [];
    story.undo('claude', 'exa', SEARCH, chosen?.sequence);
    expect(story.surface('claude')).toEqual({});
  });

  it('says nothing of another program where a person has confirmed the present one since', () => {
    const story = withOne('follow').lists('exa', { tool: { search: 'more' } });
    story
      .moves('exa', npx('exa-next'))
      .lists('exa', { tool: { search: 'more' } })
      .lists('exa', { tool: { search: 'v2' } });
    const change = reviewItems(story.state).find(({ targetId }) => versionOf(targetId) === 'v2');
    expect(change?.state).toBe('approved');
    expect(story.surface('claude')).toEqual({ [SEARCH]: 'exa v2' });
  });
});

describe('what cannot be read', () => {
  it('is no claim that one click could approve', () => {
    const story = withOne('review').lists('exa', { tool: { search: 'reads' } });
    const [item] = reviewItems(story.state);
    if (item === undefined) throw new Error('nothing is asked');
    const readable = changeFromBases(readDefinition, item.ref, item.bases, item.targetId);
    expect(causeOf(readable)).toBe('claims');
    const other = story.id('exa', SEARCH, 'v3');
    const unreadable = changeFromBases((id) => (id === other ? undefined : readDefinition(id)), item.ref, [...item.bases, other], item.targetId); // prettier-ignore
    expect(unreadable.severity).toBe('security');
    expect(causeOf(unreadable)).toBe('careful');
  });
});

describe('quiet', () => {
  it('ends where a person approved another definition since: what is in use goes off with a word', () => {
    const story = withOne('review')
      .lists('exa', { tool: { search: 'v2' } })
      .keepOff('claude', 'exa', SEARCH);
    story.lists('exa', { tool: { search: 'v3' } });
    expect(isQuietNow(story, 'v3')).toBe(true);
    story.lists('exa', { tool: { search: 'v2' } }).approve('claude', 'exa', SEARCH);
    for (let n = 0; n < 12; n += 1) story.follows('exa', n % 2 === 0 ? 'follow' : 'review');
    story.lists('exa', { tool: { search: 'v3' } });
    expect(story.surface('claude')).toEqual({});
    expect(story.effects('notice')).toHaveLength(1);
    expect(isQuietNow(story, 'v3')).toBe(false);
    // Once: it is the same item when it comes back.
    for (let n = 0; n < 12; n += 1) story.follows('exa', n % 2 === 0 ? 'follow' : 'review');
    story.lists('exa', { tool: { search: 'v2' } }).lists('exa', { tool: { search: 'v3' } });
    expect(story.effects('notice')).toEqual([]);
  });

  it('ends with the undo of the keep-off that made it so, and where a new tool is chosen by name', () => {
    const story = withOne('review')
      .lists('exa', { tool: { search: 'v2' } })
      .keepOff('claude', 'exa', SEARCH);
    story.lists('exa', { tool: { search: 'v3' } }).undo('claude', 'exa', SEARCH);
    expect(isQuietNow(story, 'v3')).toBe(false);
    const whole = new Story()
      .server('exa')
      .app('claude')
      .lists('exa', { tool: { fetch: 'v1' } });
    whole.expose('claude', 'exa', 'all').lists('exa', { tool: { fetch: 'v1', search: 'v1' } });
    expect(isQuietNow(whole, 'v1')).toBe(true);
    whole.expose('claude', 'exa', SEARCH);
    expect(isQuietNow(whole, 'v1')).toBe(false);
  });
});

describe('an incident', () => {
  const apps = (): Story =>
    new Story().server('exa').app('claude').app('cursor').lists('exa', { tool: { search: 'v1', fetch: 'v1' } }); // prettier-ignore
  const ownProcesses = (story: Story): Story =>
    ['claude', 'cursor'].reduce(
      (told, own) => told.lists('exa', { tool: { search: 'v1', fetch: 'v1' } }, { app: own }),
      story.asks('exa'),
    );

  it('takes in another app that uses more of the server, and tells what nobody was told of', () => {
    const story = ownProcesses(apps().expose('claude', 'exa', SEARCH).expose('cursor', 'exa', 'all'));
    const [both, ours] = [{ tool: { search: 'v2', fetch: 'v2' } }, { app: 'claude' }];
    const [first] = story.lists('exa', both, ours).effects('notice');
    story.tell({ type: 'notified', incidents: first === undefined ? [] : [first.incident] });
    story.lists('exa', both, { app: 'cursor' });
    expect(story.state.incidents).toHaveLength(1);
    expect(story.effects('notice')).toHaveLength(1);
  });

  it('tells of what only one app has to decide, though another one followed it', () => {
    const story = ownProcesses(apps().expose('claude', 'exa', SEARCH).expose('cursor', 'exa', SEARCH));
    story.follows('exa', 'follow').lists('exa', { tool: { search: 'more', fetch: 'v1' } }, { app: 'claude' });
    expect(story.effects('notice')).toEqual([]);
    story.follows('exa', 'review').lists('exa', { tool: { search: 'more', fetch: 'v1' } }, { app: 'cursor' });
    expect(story.state.incidents).toHaveLength(1);
    expect(story.effects('notice')).toHaveLength(1);
  });

  it('tells of what the server describes in a way that cannot be used any more', () => {
    const story = withOne('review').lists('exa', { tool: { search: { invalid: 'no type' } } });
    expect(story.surface('claude')).toEqual({});
    expect(story.effects('notice')).toHaveLength(1);
    expect(story.state.incidents[0]?.unusable).toEqual([{ consumer: CLAUDE, ref: ref('exa', SEARCH) }]);
  });
});

describe('what is in view', () => {
  it('can be decided by its id, though nobody was asked about it', () => {
    const story = withOne('review');
    const id = reviewId(CLAUDE, ref('exa', SEARCH), story.id('exa', SEARCH, 'v1'));
    expect(reviewItems(story.state)).toEqual([]);
    expect(itemWithId(story.state, id)).toMatchObject([{ id, state: 'approved' }]);
    expect(itemWithId(story.state, 'rev-0')).toEqual([]);
    expect(pendingReviews(story.state, CLAUDE)).toEqual([]);
    expect(story.state.servers[serverId('exa')]?.policy).toBe('review');
  });
});
