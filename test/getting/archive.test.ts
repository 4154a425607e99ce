import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { errorWords } from '../../electron/core/error-sentences.ts';
import { HoldfastError } from '../../electron/core/errors.ts';
import { ARCHIVE_BOUNDS, openArchive } from '../../electron/getting/archive.ts';
import { isPlainName } from '../../electron/getting/entry-names.ts';
import { unpackInto } from '../../electron/getting/unpack.ts';
import { bundleOf, zipOf, type Entry } from './zip.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-zip-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const small = { ...ARCHIVE_BOUNDS, unpackedBytes: 20_000, entries: 10, ratioFromBytes: 1_000 };

/** What stands in the folder above and below, so that nothing can be put beside it unseen. */
function everything(): string[] {
  return fs.readdirSync(folder, { recursive: true }).map(String).sort();
}

async function unpacked(bytes: Buffer): Promise<string[]> {
  const archive = await openArchive(bytes, 'x.mcpb', small);
  try {
    await unpackInto(path.join(folder, 'in', 'target'), archive, 'x.mcpb');
  } finally {
    archive.close();
  }
  return everything();
}

async function refusal(bytes: Buffer): Promise<unknown> {
  const error: unknown = await unpacked(bytes).then(
    () => 'taken',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HoldfastError)) return error;
  const { message, next } = errorWords(error);
  expect(message).not.toContain('–');
  expect(next).not.toBe('');
  return error.details['refusal'];
}

const good: Entry = { name: 'a.txt', content: 'good' };

test('unpacks files and folders as they are, for this user alone, and keeps what can be started startable', async () => {
  const run = { name: 'bin/run', content: '#!/bin/sh\n', mode: 0o100755 };
  const stored = { name: 'b/深/文件.txt', content: 'stored', method: 0 };
  expect(await unpacked(zipOf([good, run, stored]))).toEqual([
    'in',
    'in/target',
    'in/target/a.txt',
    'in/target/b',
    'in/target/b/深',
    'in/target/b/深/文件.txt',
    'in/target/bin',
    'in/target/bin/run',
  ]);
  const at = (name: string) => path.join(folder, 'in/target', name);
  expect(fs.readFileSync(at('b/深/文件.txt'), 'utf8')).toBe('stored');
  expect([at('a.txt'), at('bin/run'), at('')].map((file) => fs.statSync(file).mode & 0o777)).toEqual([
    0o600, 0o700, 0o700,
  ]);
});

describe('a name that leads out of the folder, or is another one elsewhere, is refused', () => {
  test.each([
    '../evil',
    'a/../../evil',
    '/etc/evil',
    'C:/evil',
    'c:evil',
    'a\\..\\evil',
    '\\\\server\\share',
    'a//b',
    './a',
    'a/.',
    'a/..',
    'a.txt:stream',
    'CON',
    'x/aux.js',
    'com1.txt',
    'LPT9',
    'ends.',
    'ends ',
    'nul\u0000byte',
    'new\nline',
    'rtl\u202Etxt.exe',
    'a?b',
    `${'d/'.repeat(40)}deep`,
    'n'.repeat(300),
  ])('%j', async (name) => {
    expect(await refusal(zipOf([good, { name, content: 'evil' }]))).toBe('path');
    expect(everything()).toEqual([]);
  });
});

describe('two names that some system takes for one are refused', () => {
  test.each([
    ['the same twice', ['x/a', 'x/a']],
    ['another case', ['x/readme', 'x/README']],
    ['another case of a folder', ['Lib/a', 'lib/b']],
    ['composed and not', ['caf\u00e9', 'cafe\u0301']],
    ['wide letters', ['ａ', 'a']],
    ['long s', ['ſ', 's']],
    ['a file and a folder', ['x', 'x/a']],
    ['a folder and a file', ['x/a', 'X']],
    ['two manifests', ['manifest.json', 'Manifest.json']],
  ])('%s', async (_, names) => {
    expect(await refusal(zipOf(names.map((name) => ({ name, content: 'x' }))))).toBe('twice');
    expect(everything()).toEqual([]);
  });
});

describe('what is no plain content is refused, and nothing is left behind', () => {
  const rows: [string, string, readonly Entry[]][] = [
    ['a symbolic link', 'link', [good, { name: 'l', content: '/etc/passwd', mode: 0o120777 }]],
    ['a device', 'link', [{ name: 'd', mode: 0o020666 }]],
    ['a pipe', 'link', [{ name: 'p', mode: 0o010666 }]],
    ['a folder that calls itself a file', 'link', [{ name: 'f/', mode: 0o100644, method: 0 }]],
    ['a file that calls itself a folder', 'link', [{ name: 'f', mode: 0o40755 }]],
    ['a file with a password', 'encrypted', [{ ...good, flags: 1 }]],
    ['another packing', 'method', [{ ...good, method: 12 }]],
    ['more than declared', 'damaged', [{ name: 'a', content: 'x'.repeat(900), declaredBytes: 10 }]],
    ['less than declared', 'damaged', [{ name: 'a', content: 'x', declaredBytes: 90 }]],
    ['another checksum', 'damaged', [good, { name: 'b', content: 'x', sum: 1 }]],
    ['too many files', 'too-many', Array.from({ length: 11 }, (_, at) => ({ name: `f${at}` }))],
    ['a bomb by its ratio', 'bomb', [{ name: 'z', content: Buffer.alloc(19_000) }]],
    ['a bomb by what it declares', 'bomb', [{ name: 'z', content: 'x', declaredBytes: 4_000_000_000 }]],
    [
      'a bomb of many small files',
      'bomb',
      Array.from({ length: 9 }, (_, at) => ({ name: `z${at}`, content: Buffer.alloc(2_500, at) })),
    ],
  ];
  test.each(rows)('%s', async (_, expected, entries) => {
    expect(await refusal(zipOf(entries))).toBe(expected);
    expect(everything().filter((name) => name !== 'in')).toEqual([]);
  });
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('{"mcpServers":{}}')],
    ['half an archive', zipOf([good]).subarray(0, 40)],
    ['a directory that is not where it should be', zipOf([good]).subarray(5)],
  ])('%s', async (_, bytes) => {
    expect(await refusal(bytes)).toBe('not-zip');
  });
});

test('what a local header calls itself counts for nothing', async () => {
  expect(await unpacked(zipOf([{ ...good, localName: '../../evil' }]))).toEqual(['in', 'in/target', 'in/target/a.txt']);
});

test('takes a signed archive, whether it says that it is signed or not', async () => {
  const signature = Buffer.concat([Buffer.from('MCPB_SIG_V1'), Buffer.alloc(100, 7), Buffer.from('MCPB_SIG_END')]);
  for (const bytes of [Buffer.concat([zipOf([good]), signature]), zipOf([good], signature)])
    expect(await unpacked(bytes)).toContain('in/target/a.txt');
});

test('a folder that was there is replaced as a whole, and stays as it was where the new one is damaged', async () => {
  await unpacked(zipOf([good, { name: 'old', content: '1' }]));
  expect(await unpacked(zipOf([{ name: 'new', content: '2' }]))).toEqual(['in', 'in/target', 'in/target/new']);
  expect(
    await refusal(
      zipOf([
        { name: 'newer', content: '3' },
        { ...good, sum: 7 },
      ]),
    ),
  ).toBe('damaged');
  expect(everything()).toEqual(['in', 'in/target', 'in/target/new']);
});

test('whatever bytes are broken, what is taken is inside the folder, and what is refused leaves nothing', async () => {
  const whole = bundleOf({}, [{ name: 'lib/a.js', content: 'let a = 1;\n'.repeat(20) }]);
  const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.integer({ min: 0, max: 255 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), fc.nat(9), async (changes, cut) => {
      const bytes = Buffer.from(whole);
      for (const { at, to } of changes) bytes[at] = to;
      const outcome = await refusal(cut === 0 ? bytes.subarray(0, changes[0]?.at) : bytes);
      const found = everything();
      expect(found.every((name) => name === 'in' || /^in\/target(?:\/|$)/.test(name.split(path.sep).join('/')))).toBe(
        true,
      );
      expect(typeof outcome).toBe('string');
      if (outcome !== 'taken') expect(found.filter((name) => name !== 'in')).toEqual([]);
      fs.rmSync(path.join(folder, 'in'), { recursive: true, force: true });
    }),
    { numRuns: 100 },
  );
});

test('a name that is taken for plain never leads out of its folder', () => {
  const part = fc.oneof(fc.constantFrom('..', '.', '', 'a', 'C:', 'con', '\\', '~'), fc.string({ maxLength: 6 }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const name = parts.join('/');
      fc.pre(isPlainName(name));
      for (const system of [path.posix, path.win32]) {
        const root = system === path.posix ? '/data/b' : 'C:\\data\\b';
        const inside = system.resolve(root, name);
        expect(inside.startsWith(root + system.sep)).toBe(true);
        expect(system.relative(root, inside).split(system.sep)).toEqual(name.replace(/\/$/, '').split('/'));
      }
    }),
    { numRuns: 2_000 },
  );
});
