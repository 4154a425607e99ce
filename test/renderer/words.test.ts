import { describe, expect, test } from 'vitest';
import { EN } from '../../renderer/words/en.ts';
import { slotsOf, wordProblems } from '../../renderer/words/problems.ts';
import { translation, type Slots } from '../../renderer/words/translation.ts';
import { ZH_CN } from '../../renderer/words/zh-cn.ts';
import { TABLES, wordsFor, type WordKey } from '../../renderer/words.ts';
import { jargonIn } from '../support/jargon.ts';
import { pseudoTable } from '../support/pseudo.ts';

const rows = Object.entries(EN) as [WordKey, string][]; // its own keys
/** Technical details are for those who ask for them. */
const plain = rows.filter(([key]) => !key.startsWith('tech.'));
/** Text that stands between the braces, so that a sentence is not cut at them. */
const spoken = (message: string): string => message.replaceAll(/\{\w+, plural,|=\d+|\bone\b|\bother\b|[{}]/g, ' ');

describe('both languages', () => {
  test('say the same things with the same placeholders', () => {
    expect(wordProblems(EN, ZH_CN)).toEqual([]);
  });

  test('a missing key, a missing placeholder and a broken message are problems', () => {
    const first = { a: 'Hello {name}', b: 'Two', c: '{n, plural, one {# x} other {# y}}' };
    expect(wordProblems(first, { a: 'Hallo', c: '{n, plural, one {#}', d: 'x' })).toEqual([
      'b is missing',
      'd is not a key',
      'a has the placeholders {}, not {name}',
      expect.stringMatching(/^c is no message/),
    ]);
  });

  test('the compiler sees the placeholders that the messages have', () => {
    // @ts-expect-error -- a table without its keys does not compile
    expect(() => translation({})).not.toThrow();
    // @ts-expect-error -- neither does one that drops a placeholder
    expect(translation({ ...EN, 'detail.from': '来自' })['detail.from']).toBe('来自');
    const slot: Slots<(typeof EN)['done.approved']> = 'apps';
    expect(slotsOf(EN['done.approved'])).toContain(slot);
  });
});

test.each(plain)('%s has no jargon and no long sentence', (key, english) => {
  expect(jargonIn(english, 'en')).toEqual([]);
  expect(jargonIn(ZH_CN[key], 'zh-CN')).toEqual([]);
  const longest = spoken(english)
    .split(/[.!?…:]\s+/)
    .map((sentence) => sentence.trim().split(/\s+/).length);
  if (!english.includes('plural')) expect(Math.max(...longest)).toBeLessThanOrEqual(16);
});

test('Chinese has its own punctuation, and addresses a person as 你', () => {
  const own = Object.entries(ZH_CN).filter(([, text]) => !text.includes('plural'));
  const wrong = own.filter(([, text]) =>
    /[\p{Script=Han}][,.!?:;()]|[,!?:;()]\p{Script=Han}|您/u.test(text.replaceAll(/, number/g, '')),
  );
  expect(wrong).toEqual([]);
});

describe('filling', () => {
  const en = wordsFor('en');
  const zh = wordsFor('zh-CN');

  test('puts values in, picks the plural form and writes numbers as the language does', () => {
    expect(en.t('servers.tools', { n: 1 })).toBe('1 tool');
    expect(en.t('servers.tools', { n: 2000 })).toBe('2,000 tools');
    expect(zh.t('servers.tools', { n: 1 })).toBe('1 个工具');
    expect(en.t('detail.stops.rest', { n: 0 })).toBe('');
  });

  test('a value is text, whatever stands in it', () => {
    expect(en.t('done.keptOff', { tool: 'A {server} <b>tool</b> #' })).toBe('A {server} <b>tool</b> # stays off');
  });

  test('joins names as each language does it', () => {
    expect(en.list(['Claude', 'Cursor', 'Zed'])).toBe('Claude, Cursor and Zed');
    expect(zh.list(['Claude', 'Cursor'])).toBe('Claude 和 Cursor');
    expect(en.list([])).toBe('');
  });
});

test('the pseudo-locale is longer, keeps its placeholders and fills like any other', () => {
  const table = pseudoTable(TABLES.en);
  expect(wordProblems(EN, table)).toEqual([]);
  const words = wordsFor('en', table);
  expect(words.t('act.approve').length).toBeGreaterThanOrEqual(2 * 'Approve'.length);
  expect(words.t('servers.tools', { n: 3 })).toContain('3');
});
