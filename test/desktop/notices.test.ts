import { describe, expect, test } from 'vitest';
import { joinNames, noticeOf, type IncidentNews } from '../../electron/desktop/notices.ts';
import { hint, review } from '../support/desktop-samples.ts';

const news = (given: Partial<IncidentNews>): IncidentNews => ({
  serverName: 'Exa',
  reviews: [],
  removed: [],
  unusable: [],
  ...given,
});

describe('one changed tool', () => {
  test('is named with its apps and what changed, and can be approved in the notification', () => {
    const reviews = [review(), review({ id: 'rev-2', app: 'cursor', appName: 'Cursor' })];
    expect(noticeOf(news({ reviews }), 'en')).toEqual({
      title: 'Fetch page changed',
      body: 'It’s off in Claude and Cursor until you decide. What it says about itself has changed.',
      button: { act: 'approve', label: 'Approve' },
      openLabel: 'Review',
      reviews: [
        { id: 'rev-1', target: 'sha256:2' },
        { id: 'rev-2', target: 'sha256:2' },
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

  test('are counted, once per tool, and can only be opened', () => {
    const reviews = [
      review(),
      review({ ...other }),
      review({ ...other, id: 'rev-3', app: 'cursor', appName: 'Cursor' }),
    ];
    expect(noticeOf(news({ reviews }), 'en')).toMatchObject({
      title: 'Exa changed 2 tools',
      body: 'They’re off until you decide.',
      button: { act: 'review' },
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

describe('what asks nothing', () => {
  test('makes no notice: quiet and decided reviews', () => {
    const reviews = [review({ quiet: true }), review({ state: 'approved' }), review({ state: 'superseded' })];
    expect(noticeOf(news({ reviews }), 'en')).toBeNull();
  });

  test('is told without a button where tools are gone', () => {
    expect(noticeOf(news({ removed: ['Clock'] }), 'en')).toMatchObject({
      title: 'Clock is gone from Exa',
      body: 'Your choice is kept in case it comes back.',
      button: null,
      reviews: [],
    });
    expect(noticeOf(news({ removed: ['Clock', 'Search'] }), 'en')?.title).toBe('2 tools are gone from Exa');
    expect(noticeOf(news({ unusable: ['Clock'] }), 'en')?.title).toBe('Clock of Exa can’t be used any more');
  });
});

test('names are joined as each language does it', () => {
  expect(joinNames(['Claude'], 'en')).toBe('Claude');
  expect(joinNames(['A', 'B', 'C'], 'en')).toBe('A, B and C');
  expect(joinNames(['Claude', 'Cursor', '豆包'], 'zh-CN')).toBe('Claude、Cursor 和豆包');
});
