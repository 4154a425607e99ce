import { describe, expect, test } from 'vitest';
import { batchCall, npmShimScript, quoted } from '../../electron/system/batch-call.ts';

/** As the runtime library of Windows reads a command line (documented under "Parsing C++ command-line arguments"). */
function argumentsIn(line: string): string[] {
  const found: string[] = [];
  let word = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
    if (line[at + slashes] === '"') {
      word += '\\'.repeat(Math.floor(slashes / 2));
      if (slashes % 2 === 1) word += '"';
      else isQuoted = !isQuoted;
      at += slashes;
    } else if (slashes > 0) {
      word += '\\'.repeat(slashes);
      at += slashes - 1;
    } else if (line[at] === ' ' && !isQuoted) {
      found.push(word);
      word = '';
    } else word += line.charAt(at);
  }
  return [...found, word];
}

/** As the command interpreter reads a line: outside of quotes, of which none are left, a caret takes the next as it is. */
function interpreted(line: string): string {
  return line.replace(/\^(.)/g, '$1');
}

const ARGUMENTS = [
  'plain',
  '',
  'two words',
  'C:\\Program Files\\x\\',
  'a"b',
  'a\\"b',
  '\\\\server\\share\\',
  'ends with \\\\',
  '%PATH%',
  '100%',
  'a&b|c<d>e^f',
  '(x)',
  '!important!',
  'semi;comma,',
  '中文 文件夹',
  '"',
  '--json={"a": "b c"}',
];

describe('an argument of a batch file', () => {
  test.each(ARGUMENTS)('reaches the program behind it as it is: %j', (arg) => {
    const call = batchCall('C:\\Tools\\run.cmd', ['first', arg, 'last'], 'C:\\Windows\\System32\\cmd.exe');
    const [, , , line = ''] = call?.args ?? [];
    expect(line.startsWith('"') && line.endsWith('"')).toBe(true);
    // Once for the line itself, and once more where the batch file passes it on.
    const passedOn = interpreted(interpreted(line.slice(1, -1)));
    expect(argumentsIn(passedOn)).toEqual(['C:\\Tools\\run.cmd', 'first', arg, 'last']);
  });

  test.each(ARGUMENTS)('has nothing left in it that the interpreter would act on: %j', (arg) => {
    const [, , , line = ''] = batchCall('C:\\run.cmd', [arg], 'cmd.exe')?.args ?? [];
    for (const text of [line.slice(1, -1), interpreted(line.slice(1, -1))]) {
      expect(text.slice('C:\\run.cmd '.length).replace(/\^./g, '')).not.toMatch(/["%&|<>()!]/);
    }
  });

  test.each(['a\nb', 'a\rb', 'a\0b'])('that cannot be passed is not passed: %j', (arg) => {
    expect(batchCall('C:\\run.cmd', [arg], 'cmd.exe')).toBe(null);
  });
});

test('a batch file in a folder with spaces is one word', () => {
  const call = batchCall('C:\\Users\\Anna B\\x.cmd', [], 'cmd.exe');
  expect(call).toEqual({ command: 'cmd.exe', args: ['/d', '/s', '/c', '"C:\\Users\\Anna^ B\\x.cmd"'] });
});

test.each(ARGUMENTS)('a program reads its argument as it was written: %j', (arg) => {
  expect(argumentsIn(quoted(arg))).toEqual([arg]);
});

test.each([
  // Written by npm 6, and by npm 7 and later.
  ['@"%~dp0\\node_modules\\pkg\\cli.js"   %*', 'node_modules\\pkg\\cli.js'],
  ['  "%~dp0\\node.exe"  "%~dp0\\node_modules\\pkg\\cli.js" %*', 'node_modules\\pkg\\cli.js'],
  [
    'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@a\\b\\dist\\index.mjs" %*',
    'node_modules\\@a\\b\\dist\\index.mjs',
  ],
  ['"%_prog%"  "%dp0%\\..\\pkg\\bin.cjs" %*', '..\\pkg\\bin.cjs'],
  ['@echo off\r\npython "%~dp0\\x.py" %*', null],
  ['', null],
])('the script behind the batch file %j is %j', (text, script) => {
  expect(npmShimScript(text)).toBe(script);
});
