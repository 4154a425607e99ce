import { describe, expect, it } from 'vitest';
import { BOUNDS } from '../../electron/core/bounds.ts';
import { cleanName, cleanText } from '../../electron/core/display.ts';
import { displayName } from '../../electron/core/sentences.ts';
import { words } from '../../electron/core/words.ts';

describe('a name on our screens', () => {
  const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
  const tricks = [
    'a\u202Egnp.exe',
    'a\u2066b',
    'a\u200Bb',
    '\u200E\u200Fa',
    'a\0b\x1b[2J',
    'a\nb\r\tc',
    '\uD800a',
    'a\u00ADb',
    '\u3164',
    '\u115Fa',
    'a\u{E0041}b',
    '\u2028a',
    '\u2800',
  ];

  it.each(tricks)('%j shows in one line, with nothing that hides or turns', (trick) => {
    const shown = cleanName(trick);
    expect(shown).not.toMatch(HIDDEN);
    expect(shown).toMatch(/^\S(.*\S)?$/u);
    expect(cleanName(shown)).toBe(shown);
  });

  it('is never longer than may be, nor cut within a pair', () => {
    for (const text of [
      'x'.repeat(1_000_000),
      '😀'.repeat(500),
      `x${'😀'.repeat(500)}`,
      `a${'\u0301'.repeat(100_000)}`,
    ]) {
      const shown = cleanName(text);
      expect(shown.length).toBeLessThanOrEqual(BOUNDS.displayName.value);
      expect(shown).not.toMatch(/\p{Cs}/u);
    }
  });

  it('from right to left is closed off from what stands around it', () => {
    expect(cleanName('שלום')).toBe('\u2068שלום\u2069');
    expect(cleanName(cleanName('שלום'))).toBe('\u2068שלום\u2069');
    expect(words('note.one.title', 'en', { tool: cleanName('שלום') })).toBe('\u2068שלום\u2069 changed');
  });

  it('that shows nothing is told by its numbers, and a title that shows nothing gives way to the name', () => {
    expect(cleanName('\u200B\u202E')).toBe('U+200B U+202E');
    const definition = { title: '\u200B\u3164' };
    expect(displayName({ kind: 'tool', originKey: 'web_search', definition })).toBe('Web search');
  });

  it('cannot end our quotation marks and go on as if we spoke', () => {
    expect(cleanName('a” is safe. “b')).toBe('a" is safe. "b');
  });

  it('is clean wherever our sentences are filled', () => {
    const text = words('note.missing.title', 'en', { tool: 'a\u202Eb\0', server: 's\u2066\u200B' });
    expect(text).toBe('ab is gone from s');
    expect(cleanText('one\n\ttwo\x07')).toBe('one\n\ttwo');
  });
});
