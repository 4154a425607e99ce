import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorWords } from '../../electron/core/error-sentences.ts';
import { HoldfastError } from '../../electron/core/errors.ts';
import { readLink } from '../../electron/getting/link.ts';

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function read(link: string): unknown {
  try {
    return readLink(link);
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    expect(error.details['refusal']).toBe('linked');
    for (const language of ['en', 'zh-CN'] as const) expect(errorWords(error, language).next).not.toBe('');
    return 'refused';
  }
}

test('a link names a server of the list, an address, or one entry of settings', () => {
  expect(read('holdfast://add?catalogue=filesystem')).toEqual({ wants: 'catalogue', name: 'filesystem' });
  expect(read('HOLDFAST://add/?catalogue=memory')).toEqual({ wants: 'catalogue', name: 'memory' });
  expect(read('holdfast://add?url=https%3A%2F%2Fmcp.exa.ai%2Fmcp&name=Exa')).toEqual({
    wants: 'address',
    address: 'https://mcp.exa.ai/mcp',
    name: 'Exa',
  });
  const entry = { command: 'npx', args: ['-y', 'x@1.0.0'] };
  expect(read(`holdfast://add?name=X&config=${base64(entry)}`)).toEqual({
    wants: 'settings',
    settings: JSON.stringify(entry),
    name: 'X',
  });
});

test('a link that names a server of the public list is refused: nothing is asked for or fetched before a click', () => {
  for (const name of ['evil/x', 'io.github.a/b', 'x', 'constructor', 'Filesystem', 'filesystem/'])
    expect(read(`holdfast://add?catalogue=${name}`)).toBe('refused');
});

describe('a link of any other form is refused with a sentence', () => {
  test.each([
    'holdfast://',
    'holdfast://add',
    'holdfast://remove?catalogue=memory',
    'holdfast://add/more?catalogue=memory',
    'holdfast:add?catalogue=memory',
    'holdfast://add?catalogue=memory&catalogue=filesystem',
    'holdfast://add?catalogue=memory&yes=1',
    'holdfast://add?catalogue=memory&url=https://y.example',
    'holdfast://add?catalogue=--yes',
    'holdfast://add?catalogue=../x',
    'holdfast://add?catalogue=memory#y',
    'holdfast://a:b@add?catalogue=memory',
    'holdfast://add:80?catalogue=memory',
    'holdfast://add?url=http://x.example',
    'holdfast://add?url=file:///etc/passwd',
    'holdfast://add?url=javascript:alert(1)',
    'holdfast://add?url=https://x.example&name=%E2%80%AEevil',
    `holdfast://add?url=https://x.example&name=${'n'.repeat(61)}`,
    'holdfast://add?config=%00%00%00%00',
    `holdfast://add?config=${Buffer.from([255, 254, 253]).toString('base64url')}`,
    `holdfast://add?config=${base64('npx x')}`,
    `holdfast://add?config=${base64(['npx'])}`,
    `holdfast://add?catalogue=${'x'.repeat(8_000)}`,
    'https://add?catalogue=memory',
    '--catalogue=memory',
    '',
  ])('%j', (link) => {
    expect(read(link)).toBe('refused');
  });
});

test('whatever a link holds, it is read as one of the three or refused', () => {
  const piece = fc.oneof(
    fc.constantFrom('catalogue=', 'url=', 'config=', 'name=', '&', '#', '%', 'https://', '__proto__', base64({ a: 1 })),
    fc.string({ maxLength: 12, unit: 'binary' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const link = `holdfast://add?${pieces.join('')}`;
      const wish = read(link);
      if (wish !== 'refused') expect(['catalogue', 'address', 'settings']).toContain((wish as { wants: string }).wants);
    }),
    { numRuns: 2_000 },
  );
});
