import { describe, expect, test } from 'vitest';
import { EN } from '../../renderer/words/en.ts';
import { ZH_CN } from '../../renderer/words/zh-cn.ts';
import { wordsFor, type Phrase } from '../../renderer/words.ts';

const forms = (phrase: Phrase): string[] => (typeof phrase === 'string' ? [phrase] : [phrase.one, phrase.other]);
const slots = (phrase: Phrase): string[] =>
  [
    ...new Set(forms(phrase).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))),
  ].sort() as string[];
const rows = Object.entries(EN) as [keyof typeof EN, Phrase][];
/** Technical details are for those who ask for them. */
const plain = rows.filter(([key]) => !key.startsWith('tech.'));

describe.each(rows)('%s', (key, english) => {
  test('takes the same values in both languages, and says something in both', () => {
    expect(slots(ZH_CN[key])).toEqual(slots(english));
    for (const text of [...forms(english), ...forms(ZH_CN[key])]) expect(text.trim()).not.toBe('');
  });
});

const JARGON =
  /\b(schema|hash|manifest|stdio|json|api|endpoint|token|env|argument|parameter|config|protocol|drift|ref|capability|consumer|upstream|proxy|digest|publication)s?\b/i;
const JARGON_ZH = /模式|哈希|清单|令牌|环境变量|参数|配置文件|端点|协议|漂移|能力面/;

test.each(plain)('%s has no jargon and no long sentence', (key, english) => {
  for (const text of forms(english)) {
    expect(text).not.toMatch(JARGON);
    for (const sentence of text.split(/[.!?…]\s*/)) expect(sentence.split(/\s+/).length).toBeLessThanOrEqual(16);
  }
  for (const text of forms(ZH_CN[key])) expect(text).not.toMatch(JARGON_ZH);
});

test('Chinese has its own punctuation', () => {
  for (const [key, phrase] of Object.entries(ZH_CN))
    for (const text of forms(phrase))
      expect(text, key).not.toMatch(/[\p{Script=Han}}][,.!?:;()]|[,!?:;()]\p{Script=Han}|您/u);
});

describe('filling', () => {
  const en = wordsFor('en');
  const zh = wordsFor('zh-CN');

  test('puts values in and picks the plural form', () => {
    expect(en.t('servers.tools', { n: 1 })).toBe('1 tool');
    expect(en.t('servers.tools', { n: 0 })).toBe('0 tools');
    expect(zh.t('servers.tools', { n: 1 })).toBe('1 个工具');
    expect(en.t('done.keptOff', { tool: 'A {server} tool' })).toBe('A {server} tool stays off');
  });

  test('joins names as each language does it', () => {
    expect(en.list(['Claude', 'Cursor', 'Zed'])).toBe('Claude, Cursor and Zed');
    expect(zh.list(['Claude', 'Cursor'])).toBe('Claude 和 Cursor');
    expect(en.list([])).toBe('');
  });
});
