import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BOUNDS, amount, isBoundName } from '../../electron/core/bounds.ts';
import type { Bound, BoundName } from '../../electron/core/bounds.ts';
import { ERROR_CODES, limitReached } from '../../electron/core/errors.ts';
import { errorWords } from '../../electron/core/error-sentences.ts';
import { DEFAULT_TIMINGS } from '../../electron/gateway/timings.ts';

const README = new URL('../../electron/core/README.md', import.meta.url);
const BEGIN = '<!-- bounds: written from bounds.ts -->';
const END = '<!-- end of bounds -->';
const rows = Object.entries(BOUNDS) as [BoundName, Bound][];

/** The table as it stands in the README, in the shape that the formatter gives tables. */
function asMarkdown(): string {
  const cells = rows.map(([name, { value, unit, of, then }]) => {
    const told = unit === 'bytes' || unit === 'ms' ? amount(value, unit) : `${amount(value, unit)} ${unit}`;
    return [`\`${name}\``, told, of, then.en];
  });
  const table = [['bound', 'value', 'sent by', 'when it is exceeded'], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(table[0]!), rule, ...table.slice(1).map(line)].join('\n');
}

describe('the table of bounds', () => {
  it('cannot be changed', () => {
    expect(Object.isFrozen(BOUNDS)).toBe(true);
    expect(rows.filter(([, row]) => !Object.isFrozen(row)).map(([name]) => name)).toEqual([]);
  });

  it.each(rows)('%s is a whole positive number with a sentence in both languages', (_, { value, then }) => {
    expect(Number.isSafeInteger(value) && value > 0).toBe(true);
    expect(then.en).toMatch(/^[A-Z0-9].*\.$/);
    expect(then['zh-CN']).toMatch(/\p{Script=Han}.*。$/u);
    expect(`${then.en}${then['zh-CN']}`).not.toMatch(/[{}]/);
  });

  it.each(rows)('%s is told as large as it is', (_, { value, unit, then }) => {
    expect(then.en).toContain(amount(value, unit, 'en'));
    expect(then['zh-CN']).toContain(amount(value, unit, 'zh-CN'));
  });

  it('gives its reasons as parts of a sentence', () => {
    const reasons = rows.map(([, { reason }]) => reason).filter((reason) => reason !== '');
    expect(reasons.length).toBeGreaterThan(5);
    expect(reasons.filter((reason) => /[.{}]$|^[A-Z]/.test(reason))).toEqual([]);
  });

  it('reads sizes and times as people do', () => {
    expect([amount(64 * 1024 * 1024, 'bytes'), amount(4096, 'bytes')]).toEqual(['64 MB', '4 KB']);
    expect([amount(10_000, 'ms'), amount(500, 'ms'), amount(10_000, 'ms', 'zh-CN')]).toEqual([
      '10 s',
      '500 ms',
      '10 秒',
    ]);
    expect(amount(5_000, 'entries')).toBe('5,000');
  });

  it('has the times that the gateway goes by', () => {
    const times = rows.filter(([, { unit }]) => unit === 'ms').map(([name, { value }]) => [name, value] as const);
    const known = times.filter(([name]) => Object.hasOwn(DEFAULT_TIMINGS, name));
    expect(known.length).toBeGreaterThan(10);
    for (const [name, value] of known) expect(Reflect.get(DEFAULT_TIMINGS, name), name).toBe(value);
  });

  it('gives the sentence of an error that a bound caused, in the language of the person', () => {
    const error = limitReached('connectionsPerApp');
    expect(ERROR_CODES).toContain(error.code);
    expect(errorWords(error, 'en').message).toBe(BOUNDS.connectionsPerApp.then.en);
    expect(errorWords(error, 'zh-CN').message).toBe(BOUNDS.connectionsPerApp.then['zh-CN']);
  });

  it('has no bound by a name that every object has', () => {
    expect(['constructor', '__proto__', 'toString', undefined, 7].filter(isBoundName)).toEqual([]);
    expect(isBoundName('lineBytes')).toBe(true);
  });

  it('stands in the README as it is in the code (HOLDFAST_WRITE_BOUNDS=1 writes it)', () => {
    const text = readFileSync(README, 'utf8');
    const [before = '', after = ''] = [text.split(BEGIN)[0], text.split(END)[1]];
    if (process.env['HOLDFAST_WRITE_BOUNDS'] === '1') {
      writeFileSync(README, `${before}${BEGIN}\n\n${asMarkdown()}\n\n${END}${after}`);
    }
    const written = readFileSync(README, 'utf8').split(BEGIN)[1]?.split(END)[0]?.trim();
    expect(written).toBe(asMarkdown());
  });
});
