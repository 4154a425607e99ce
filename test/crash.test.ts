import { describe, expect, test } from 'vitest';
import { redactor } from '../electron/core/redact.ts';
import { crashLine } from '../electron/crash.ts';

const SECRET = 'f81d4fae-7dec-11d0-a765\nsecond-line-of-the-key';
const mask = redactor([SECRET]);

describe('the line of a crash', () => {
  test('has class, message and stack of what was thrown, in one line and without keys', () => {
    const error = new RangeError(`wrong:\n${SECRET}\r\nend`);
    error.stack = `RangeError: ${SECRET}\n    at f (/x/${SECRET.slice(0, 23)}.js:1:2)\n    at g (y.js:3:4)`;
    expect(crashLine(error, mask)).toBe(
      'Holdfast stopped unexpectedly: RangeError: wrong: ••• end | at f (/x/•••.js:1:2) | at g (y.js:3:4)',
    );
  });

  test('is cut after it is masked, so that no half of a key is left', () => {
    const line = crashLine(new Error(`${'x'.repeat(1_990)}${SECRET}`), mask);
    expect(line).toContain('xxx•••');
    expect(line).not.toContain('f81d4fae');
    expect(crashLine(new Error('y '.repeat(100_000)), mask).length).toBeLessThan(10_000);
  });

  test.each([
    ['a text', `no ${SECRET}`, 'string: no •••'],
    ['nothing', undefined, 'undefined: undefined'],
    ['what has no text', Object.create(null), 'unknown: it cannot be read'],
    ['an error with odd members', Object.assign(new Error(), { name: 1, message: null, stack: {} }), '1: null'],
  ])('tells of %s', (_, thrown: unknown, told) => {
    expect(crashLine(thrown, mask)).toBe(`Holdfast stopped unexpectedly: ${told}`);
  });
});
