import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MASK, maskArgs, redactDeep, redactor } from '../../electron/core/redact.ts';

const SECRET = 'Zq7/+w&1 kéy"x';
const LONG = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6';

describe('a known value is masked', () => {
  const mask = redactor([SECRET, 'short', LONG]);

  test.each([
    ['as it is', SECRET],
    ['in a URL', encodeURIComponent(SECRET)],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64 without its padding', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
    ['in base64 for URLs', Buffer.from(SECRET).toString('base64url')],
    ['inside JSON', JSON.stringify(SECRET).slice(1, -1)],
  ])('%s, wherever it stands', (_, form) => {
    expect(mask(`${form} was given, ${form}, twice and<${form}>`)).toBe(
      `${MASK} was given, ${MASK}, twice and<${MASK}>`,
    );
  });

  test('but not one of fewer than six characters, which stands in too many innocent texts', () => {
    expect(mask('too short to be one')).toBe('too short to be one');
  });

  test('where two of them overlap, nothing of either is left', () => {
    expect(redactor(['abcdefgh', 'efghijkl'])('x abcdefghijkl y')).toBe(`x ${MASK} y`);
    expect(redactor(['abcdef', 'abcdefghij'])('abcdefghij')).toBe(MASK);
  });

  test('line by line, where it has lines of its own', () => {
    const key = redactor(['first-line-of-it\nsecond-line-of-it\r\nthird-line-of-it\n']);
    expect(key('a\nsecond-line-of-it\nb third-line-of-it')).toBe(`a\n${MASK}\nb ${MASK}`);
  });

  test('where somebody cut the text within it', () => {
    expect(mask(`it said (${LONG.slice(0, 20)}…)`)).toBe(`it said (${MASK}…)`);
    expect(mask(`${LONG.slice(9)} is wrong`)).toBe(`${MASK} is wrong`);
    expect(mask(`it said ${LONG.slice(0, 5)}`)).toBe(`it said ${LONG.slice(0, 5)}`);
  });

  test('whatever it is and whatever stands around it', () => {
    const around = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.string({ minLength: 6, unit: 'binary' }), around, around, (value, before, after) => {
        fc.pre(value.trim().length >= 6 && !MASK.includes(value) && !value.includes('•'));
        const text = redactor([value])(`${before}|${value}|${after}`);
        expect(text.includes(value)).toBe(false);
      }),
    );
  });

  test('and a text without one is the same text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('The', 'list', 'of', '12', 'tools', 'changed.', '✓', '\n')), (parts) => {
        expect(mask(parts.join(' '))).toBe(parts.join(' '));
      }),
    );
  });
});

describe('what looks like a credential is masked, whoever it belongs to', () => {
  const mask = redactor([]);

  test.each([
    ['Authorization: Bearer abc123', `Authorization: ${MASK}`],
    ['{"authorization":"Basic dXNlcjpwYXNz","a":1}', `{"authorization":"${MASK}","a":1}`],
    ['got bearer 0123456789abcdef0123 from', `got bearer ${MASK} from`],
    ['x-api-key: 12ab; next', `x-api-key: ${MASK}; next`],
    ['Cookie: session=1; b=2', `Cookie: ${MASK}`],
    ['key sk-proj-0123456789abcdefXYZ is invalid', `key ${MASK} is invalid`],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345', MASK],
    ['github_pat_0123456789abcdefghij_x', MASK],
    ['xoxb-123456789012-abc', MASK],
    ['id AKIAIOSFODNN7EXAMPLE.', `id ${MASK}.`],
    ['AIzaSyA0123456789abcdefghijklmnopqrstuv', MASK],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27', MASK],
    ['password=hunter2&x=1', `password=${MASK}&x=1`],
    ['MY_API_KEY="abc" next', `MY_API_KEY="${MASK}" next`],
    ['{"client_secret": "a b", "n": 1}', `{"client_secret": "${MASK}", "n": 1}`],
    ['{\\"token\\":\\"abc\\"}', `{\\"token\\":\\"${MASK}\\"}`],
    ['token: 0123456789', `token: ${MASK}`],
    ['run --api-key abcdef --verbose', `run --api-key ${MASK} --verbose`],
    ['cmdline:["x","--auth-token","abc"]', `cmdline:["x","--auth-token","${MASK}"]`],
    ['GET https://h/x?key=abc&b=1', `GET https://h/x?key=${MASK}&b=1`],
    ['postgres://me:p@ss:w@db.local/x', `postgres://me:${MASK}@db.local/x`],
    ['redis://:pw@h', `redis://:${MASK}@h`],
    ['a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb', `a\n${MASK}\nb`],
    ['a -----BEGIN PRIVATE KEY-----\nMIIE', `a ${MASK}`],
  ])('%s', (text, masked) => {
    expect(mask(text)).toBe(masked);
    expect(mask(masked)).toBe(masked);
  });

  test.each([
    'The list of tokens: 12 are left',
    'sk-learn and risk-assessment-of-everything',
    'https://github.com/a/b@1.2.3 and git@github.com:a/b',
    'http://127.0.0.1:8080/mcp',
    'error -32603: Unexpected token } in JSON at position 3',
    'bearer authentication failed',
    'sha256:0123456789abcdef',
    'npm:exa-mcp-server',
  ])('and nothing else: %s', (text) => {
    expect(mask(text)).toBe(text);
  });
});

describe('a megabyte of hostile text is read in no more than a moment', () => {
  const MEGABYTE = 1_048_576;
  const PIECES = [
    'a',
    ' ',
    '-',
    '--',
    '--a-',
    '--a_token',
    'eyJ',
    'eyJaaaaaaaa.',
    '://',
    '://a:',
    '://a:b:',
    '@',
    'sk-',
    'token',
    'token=',
    'token: ',
    '"token":"',
    'access_key_id',
    'bearer ',
    'authorization:',
    'authorization    ',
    'cookie:',
    'xoxa-',
    'AKIA',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----x-----END PRIVATE KEY-----',
    '?key',
    '\\"',
    SECRET.slice(0, -1),
    LONG.slice(0, -1),
  ];

  // A bound that only ends a hang: `vm` can stop a pattern that goes back and forth.
  const bounded = (run: () => string): string => runInContext('run()', createContext({ run }), { timeout: 30_000 });

  test.each(PIECES)('%j, over and over', (piece) => {
    const text = piece.repeat(Math.ceil(MEGABYTE / piece.length));
    const mask = redactor([SECRET, LONG]);
    expect(typeof bounded(() => mask(`${text}!`))).toBe('string');
    expect(typeof bounded(() => mask(`token ${text}`))).toBe('string');
  });
});

describe('the arguments of a command', () => {
  test('are shown without what follows the name of a credential', () => {
    const args = ['-y', 'pkg', '--api-key', 'X', '--token=Y', '--port', '80', '--key', 'k', '--password', '--verbose'];
    expect(maskArgs(args, redactor([]))).toEqual([
      '-y',
      'pkg',
      '--api-key',
      MASK,
      `--token=${MASK}`,
      '--port',
      '80',
      '--key',
      MASK,
      '--password',
      '--verbose',
    ]);
  });

  test('are shown as they are where none is named', () => {
    const args = ['--keyboard', 'de', '--key-file', '/x', '/srv/data', '--tokens', '5'];
    expect(maskArgs(args, redactor([]))).toEqual(args);
  });
});

describe('a JSON value', () => {
  test('is masked in every text, the names of members included', () => {
    const value = { a: [`say ${LONG}`, 1, null, true], [LONG]: { b: LONG } };
    expect(redactDeep(value, redactor([LONG]))).toEqual({ a: [`say ${MASK}`, 1, null, true], [MASK]: { b: MASK } });
  });

  test('that is too deep or too large is masked whole from there on', () => {
    let deep: object = { secret: 'x' };
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    expect(JSON.stringify(redactDeep(deep as never, redactor([])))).toContain(`"deep":"${MASK}"`); // nested plain data
    const wide = redactDeep(
      Array.from({ length: 150_000 }, () => ['x']),
      redactor([]),
    );
    expect(wide.at(-1)).toBe(MASK);
  });
});
