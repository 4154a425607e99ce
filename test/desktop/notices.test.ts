import { describe, expect, test } from 'vitest';
import type { ServerId } from '../../electron/core/model.ts';
import type { Lost, Told } from '../../electron/desktop/note-plan.ts';
import * as notices from '../../electron/desktop/notices.ts';
import { hint, review } from '../support/desktop-samples.ts';

const { joinNames, triedNotice } = notices;
const news = (given: Partial<Told>): Told => ({ reviews: [], lost: [], broken: [], ...given });
const gone = (given: Partial<Lost>): Lost => ({ server: 'Exa', removed: [], unusable: [], ...given });
const noticeOf = (told: Told, language: 'en' | 'zh-CN', others = 0) => notices.noticeOf(told, () => others, language);

describe('one changed tool', () => {
  test('is named with its apps and what changed, and can be approved in the notification', () => {
    const reviews = [review(), review({ id: 'rev-2', app: 'cursor', appName: 'Cursor' })];
    expect(noticeOf(news({ reviews }), 'en')).toEqual({
      title: 'Fetch page changed',
      body: 'It’s off in Claude and Cursor until you decide. What it says about itself has changed.',
      button: { act: 'approve', label: 'Approve' },
      openLabel: 'Review',
      place: 'rev-1',
      reviews: [
        { id: 'rev-1', target: 'sha256:2', severity: 'review' },
        { id: 'rev-2', target: 'sha256:2', severity: 'review' },
      ],
    });
  });

  test('reads as Chinese in Chinese', () => {
    const reviews = [review(), review({ id: 'rev-2', app: 'cursor', appName: 'Cursor' })];
    expect(noticeOf(news({ reviews }), 'zh-CN')).toMatchObject({
      title: '“Fetch page”有变化',
      body: '在你决定之前，它在 Claude 和 Cursor 中保持关闭。它的自我说明有变化。',
      button: { act: 'approve', label: '允许' },
    });
  });

  test('can only be opened where no person approved it as read-only', () => {
    expect(noticeOf(news({ reviews: [review({ isReadOnly: false })] }), 'en')?.button?.act).toBe('review');
    const mixed = [review(), review({ id: 'rev-2', app: 'cursor', isReadOnly: false })];
    expect(noticeOf(news({ reviews: mixed }), 'en')?.button?.act).toBe('review');
    const small = [review({ isReadOnly: false, severity: 'compatible' })];
    expect(noticeOf(news({ reviews: small }), 'en')?.button?.act).toBe('approve');
  });

  test('with more sentences than fit can only be opened', () => {
    const sentences = { en: ['One.', 'Two.', 'Three.', 'Four.'], 'zh-CN': [] };
    const notice = noticeOf(news({ reviews: [review({ change: { sentences } })] }), 'en');
    expect(notice?.button?.act).toBe('review');
    expect(notice?.body).toBe('It’s off in Claude until you decide. One. Two. Three.');
  });
});

describe('a risky change', () => {
  test('says so and has no Approve', () => {
    const reviews = [review({ severity: 'security', change: { facts: [hint('destructiveHint', true)] } })];
    expect(noticeOf(news({ reviews }), 'en')).toMatchObject({
      title: 'Fetch page can do more now',
      body: 'What it says about itself has changed. It’s off until you decide.',
      button: { act: 'review', label: 'Review' },
    });
  });

  test('is not said to do more when it only claims to do less', () => {
    const facts = [hint('readOnlyHint', true), hint('destructiveHint', false), hint('idempotentHint', true)];
    const notice = noticeOf(news({ reviews: [review({ severity: 'security', change: { facts } })] }), 'en');
    expect(notice?.title).toBe('Fetch page changed');
    expect(notice?.button?.act).toBe('review');
  });

  test('is said to do more when nothing tells what it is', () => {
    expect(noticeOf(news({ reviews: [review({ severity: 'security' })] }), 'en')?.title).toBe(
      'Fetch page can do more now',
    );
  });
});

describe('several changed tools', () => {
  const other = { id: 'rev-2', ref: 'srv-1/tool/search', originKey: 'search', title: 'Search', targetId: 'sha256:3' };

  test('are counted, once per tool, and can only be opened, all that the upgrade changed at once', () => {
    const reviews = [
      review(),
      review({ ...other }),
      review({ ...other, id: 'rev-3', app: 'cursor', appName: 'Cursor' }),
    ];
    expect(noticeOf(news({ reviews }), 'en')).toMatchObject({
      title: 'Exa changed 2 tools',
      body: 'They’re off until you decide.',
      button: { act: 'review' },
      place: 'inc-1',
    });
    expect(noticeOf(news({ reviews }), 'zh-CN')).toMatchObject({
      title: 'Exa 更新了 2 个工具',
      body: '在你决定之前它们保持关闭。',
    });
  });

  test('that are all small can be approved together', () => {
    const reviews = [review({ severity: 'compatible' }), review({ ...other, severity: 'compatible' })];
    expect(noticeOf(news({ reviews }), 'en')?.button?.act).toBe('approve');
  });
});

describe('changed tools of several servers', () => {
  const other = {
    id: 'rev-2',
    ref: 'srv-2/tool/list',
    server: 'srv-2' as ServerId, // a sample id
    serverName: 'GitHub',
    title: 'List',
    incident: 'inc-2',
  };

  test('are counted together, and open the list', () => {
    const reviews = [review(), review(other)];
    expect(noticeOf(news({ reviews }), 'en')).toMatchObject({
      title: '2 servers changed 2 tools',
      body: 'They’re off until you decide.',
      button: { act: 'review' },
      place: 'inbox',
    });
    expect(noticeOf(news({ reviews }), 'zh-CN')?.title).toBe('2 个服务更新了 2 个工具');
  });

  test('name the one that can do more', () => {
    const risky = review({ ...other, severity: 'security', change: { facts: [hint('destructiveHint', true)] } });
    expect(noticeOf(news({ reviews: [review(), risky] }), 'en')?.body).toBe(
      'List can do more now. They’re off until you decide.',
    );
    expect(noticeOf(news({ reviews: [review(), risky] }), 'zh-CN')?.body).toBe(
      '“List”现在能做更多事。在你决定之前它们保持关闭。',
    );
  });

  test('say how many go on working', () => {
    const reviews = [review(), review({ ...other, server: 'srv-1' as ServerId })]; // a sample id
    expect(noticeOf(news({ reviews }), 'en', 5)?.body).toBe('They’re off until you decide. The other 5 still work.');
    expect(noticeOf(news({ reviews }), 'en', 1)?.body).toBe('They’re off until you decide. The other one still works.');
    expect(noticeOf(news({ reviews }), 'zh-CN', 5)?.body).toBe('在你决定之前它们保持关闭。其余 5 个照常可用。');
  });
});

describe('a tool that was tried', () => {
  test('is named with the app, and a small change of it can be approved', () => {
    const reviews = [review({ severity: 'compatible' })];
    expect(triedNotice('Claude', reviews, 'en')).toEqual({
      title: 'Claude tried to use Fetch page',
      body: 'It’s waiting for your OK. Nothing was run.',
      button: { act: 'approve', label: 'Approve' },
      openLabel: 'Review',
      reviews: [{ id: 'rev-1', target: 'sha256:2', severity: 'compatible' }],
      place: 'rev-1',
    });
    expect(triedNotice('Claude', reviews, 'zh-CN')?.title).toBe('Claude 想使用“Fetch page”');
  });

  test('can only be opened where the change is not small: the note does not say what it is', () => {
    expect(triedNotice('Claude', [review()], 'en')?.button?.act).toBe('review');
  });
});

describe('what asks nothing', () => {
  test('makes no notice where there is nothing', () => {
    expect(noticeOf(news({ lost: [gone({})] }), 'en')).toBeNull();
  });

  test('is told without a button where tools are gone', () => {
    expect(noticeOf(news({ lost: [gone({ removed: ['Clock'] })] }), 'en')).toMatchObject({
      title: 'Clock is gone from Exa',
      body: 'Your choice is kept in case it comes back.',
      button: null,
      reviews: [],
      place: 'inbox',
    });
    const title = (...lost: Lost[]) => noticeOf(news({ lost }), 'en')?.title;
    expect(title(gone({ removed: ['Clock', 'Search'] }))).toBe('2 tools are gone from Exa');
    expect(title(gone({ unusable: ['Clock'] }))).toBe('Clock of Exa can’t be used any more');
    expect(title(gone({ removed: ['A'] }), gone({ server: 'GitHub', removed: ['B'] }))).toBe(
      '2 tools are gone from 2 servers',
    );
  });

  test('is told where servers do not work, with the way to them', () => {
    expect(noticeOf(news({ broken: ['Exa'] }), 'en')).toMatchObject({
      title: 'Exa isn’t working',
      body: 'Apps can’t use its tools until it works again.',
      button: null,
      place: 'servers',
    });
    expect(noticeOf(news({ broken: ['Exa', 'GitHub'] }), 'zh-CN')).toMatchObject({
      title: '2 个服务无法使用',
      body: '在恢复之前，应用无法使用它们的工具。',
    });
  });
});

test('names are joined as each language does it', () => {
  expect(joinNames(['Claude'], 'en')).toBe('Claude');
  expect(joinNames(['A', 'B', 'C'], 'en')).toBe('A, B and C');
  expect(joinNames(['Claude', 'Cursor', '豆包'], 'zh-CN')).toBe('Claude、Cursor 和豆包');
});
