import { describe, expect, test } from 'vitest';
import type { PastedServer } from '../../electron/control/pasted/pasted.ts';
import { historyWords, type HistoryKey } from '../../electron/core/history-words.ts';
import { byDay, filtered, isProblem, undoable, type HistoryEvent } from '../../renderer/activity.ts';
import { continuityTier } from '../../renderer/continuity.ts';
import { emptyFill, fullCommand, missingIn, readyServer } from '../../renderer/pasted.ts';
import { serverState } from '../../renderer/server-state.ts';
import { screenOf } from '../../renderer/view.ts';
import { wordsFor } from '../../renderer/words.ts';
import { CONTINUITY, server } from '../gallery/samples.ts';
import { review } from '../support/desktop-samples.ts';

const words = wordsFor('en');
const event = (type: string, text: string, at = '2026-09-01T10:00:00', sequence = 3): HistoryEvent => ({
  at,
  sequence,
  type,
  text,
});

describe('activity', () => {
  test('leaves bookkeeping out, and finds changes and problems', () => {
    const events = [
      event('decided', 'You approved “Clock”.'),
      event('notified', 'You were told of 1 change.'),
      event('observed', 'The lists of Demo could not be read.'),
      event('observed', 'Demo was checked.'),
    ];
    expect(filtered(events, 'all')).toHaveLength(3);
    expect(filtered(events, 'changes').map(({ type }) => type)).toEqual(['decided']);
    expect(filtered(events, 'problems').map(({ text }) => text)).toEqual(['The lists of Demo could not be read.']);
  });

  test.each(['en', 'zh-CN'] as const)('knows the gateway’s own words for what failed, in %s', (language) => {
    const told = (key: HistoryKey): string => historyWords(key, language, { server: 'Demo', n: 3, kinds: 'x' });
    const texts = (['observed.failed', 'observed.partly', 'observed.other'] as const).map(told);
    expect(texts.map((text) => isProblem(event('observed', text)))).toEqual([true, true, false]);
  });

  test('says today and yesterday, and the date of other days', () => {
    const events = ['2026-09-03', '2026-09-03', '2026-09-02', '2026-08-01'].map((day) =>
      event('decided', day, `${day}T12:00:00`),
    );
    const days = byDay(events, new Date('2026-09-03T18:00:00'), words);
    expect(days.map(({ label, events: of }) => [label, of.length])).toEqual([
      ['Today', 2],
      ['Yesterday', 1],
      ['August 1, 2026', 1],
    ]);
  });

  test('only a decision that still stands can be taken back', () => {
    const standing = review({ state: 'approved', decision: 3 });
    expect(undoable(event('decided', ''), [standing])).toEqual([standing]);
    expect(undoable(event('decided', '', undefined, 2), [standing])).toEqual([]);
    expect(undoable(event('exposed', ''), [standing])).toEqual([]);
  });

  test('what a policy accepted in an app can be taken back together, and nothing else with it', () => {
    const followed = { ...event('followed', ''), app: 'claude' as never }; // a sample id
    const accepted = [1, 2].map((n) => review({ id: `rev-${n}`, state: 'approved', decision: 3, decidedBy: 'policy' }));
    const others = [
      review({ id: 'rev-3', state: 'approved', decision: 3, decidedBy: 'policy', app: 'cursor' }),
      review({ id: 'rev-4', state: 'approved', decision: 3, decidedBy: 'person' }),
    ];
    expect(undoable(followed, [...accepted, ...others])).toEqual(accepted);
  });
});

describe('a pasted server', () => {
  const pasted: PastedServer = {
    name: 'Exa',
    command: 'npx',
    args: ['-y', 'exa', '/path/to/pages'],
    env: [
      { name: 'EXA_API_KEY', value: null, isSecret: true },
      { name: 'MODE', value: 'fast', isSecret: false },
    ],
    holes: [{ at: 2, label: '/path/to/pages' }],
    isRemote: false,
  };

  test('is not ready until every key and place is filled in', () => {
    const empty = emptyFill(pasted);
    expect(missingIn(pasted, empty)).toEqual(['EXA_API_KEY', '/path/to/pages']);
    const filled = { name: ' Exa ', env: { ...empty.env, EXA_API_KEY: 'k' }, holes: { 2: '/home/me/my pages' } };
    expect(missingIn(pasted, filled)).toEqual([]);
    expect(missingIn(pasted, { ...filled, name: ' ' })).toEqual(['']);
    expect(readyServer(pasted, filled)).toEqual({
      name: 'Exa',
      command: 'npx',
      args: ['-y', 'exa', '/home/me/my pages'],
      env: { EXA_API_KEY: 'k', MODE: 'fast' },
    });
  });

  test('is shown as the whole line, each part by itself', () => {
    expect(fullCommand({ command: 'npx', args: ['-y', 'a b', '', '; rm -rf ~'] })).toBe('npx -y "a b" "" "; rm -rf ~"');
  });
});

describe('a server’s state', () => {
  test.each([
    [
      { state: 'problem', problem: 'It stopped.', cause: { kind: 'crash', told: null } },
      'Exa stopped right after it started.',
      'Try again',
    ],
    [
      { state: 'problem', problem: 'x', cause: { kind: 'key', name: null } },
      'Exa needs a key. The service behind it gives you one.',
      'Add key',
    ],
    [
      { state: 'problem', problem: 'x', cause: { kind: 'program', program: 'uvx' } },
      'Exa needs uvx, which isn’t on this computer. Install it first.',
      'Try again',
    ],
    [
      { state: 'problem', problem: 'x', cause: { kind: 'slow', told: null } },
      'Exa isn’t answering. We’ll try again when it’s needed.',
      'Try now',
    ],
    [
      { state: 'problem', problem: 'x', cause: { kind: 'locked' } },
      'Exa needs its keys, and they are locked.',
      'Try again',
    ],
    [
      { state: 'problem', problem: 'x', cause: { kind: 'slow', told: { sentence: 'It is far.', fix: 'Go nearer.' } } },
      'It is far. Go nearer.',
      'Try now',
    ],
    [
      { state: 'problem', problem: 'x', cause: { kind: 'other', told: null } },
      'Exa can’t be used right now. Open it to see what it said.',
      'Try again',
    ],
  ] as const)('%j has its sentence and its one fix', (given, problem, fix) => {
    expect(serverState(server(given), words)).toMatchObject({ look: 'problem', problem, fix: { label: fix } });
  });

  test('an incomplete check is no alarm, and all well has no fix', () => {
    expect(serverState(server({ cause: { kind: 'partial' } }), words)).toMatchObject({
      look: 'quiet',
      problem: 'We couldn’t check Exa fully. Nothing was changed.',
      fix: { label: 'Check again' },
    });
    expect(serverState(server(), words)).toMatchObject({ look: 'ok', problem: null, fix: null });
  });
});

test('a merged tool is always a careful one; others are as careful as their riskiest part', () => {
  expect(continuityTier(CONTINUITY.merged)).toBe('careful');
  expect(continuityTier(CONTINUITY.split)).toBe('careful');
  expect(continuityTier(CONTINUITY.renamed)).toBe('check');
});

test('a page belongs to the screen that leads to it', () => {
  expect(screenOf({ screen: 'server', key: 'x' })).toBe('servers');
  expect(screenOf({ screen: 'continuity', key: 'x' })).toBe('inbox');
  expect(screenOf({ screen: 'activity' })).toBe('activity');
});
