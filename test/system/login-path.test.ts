import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isFromTerminal, readLoginPath, soundFolders } from '../../electron/system/login-path.ts';
import { isRunning } from '../gateway/harness.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'holdfast-login-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const SHORT_MS = 600;
/** A shell that answers at all has answered in half of it, also on a busy machine. */
const ENOUGH_MS = 3_000;

/** What a desktop gives a program. */
function desktop(): NodeJS.ProcessEnv {
  return { HOME: home, PATH: '/usr/bin:/bin' };
}

function bash(profile: string, timeoutMs = 20_000): Promise<string[] | null> {
  writeFileSync(path.join(home, '.bash_profile'), profile);
  return readLoginPath({ shell: '/bin/bash', env: desktop(), timeoutMs });
}

/** A shell of its own kind: it gets the question and does what its text says. */
function shell(text: string, timeoutMs = 20_000): Promise<string[] | null> {
  const file = path.join(home, 'shell');
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return readLoginPath({ shell: file, env: desktop(), timeoutMs });
}

describe.runIf(existsSync('/bin/bash'))('the PATH of a login shell', () => {
  test('is what its start files make of it', async () => {
    expect((await bash('export PATH="$HOME/tools:$PATH"'))?.[0]).toBe(`${home}/tools`);
  });

  test('is read in full where they print, also without an end of line, and close the output behind it', async () => {
    const noise = 'echo hello; printf "PATH=/evil"; printf "\\033]1337;x\\007"; trap "echo bye" EXIT; PATH=/a:/bin';
    expect(await bash(noise)).toEqual(['/a', '/bin']);
  });

  test('is read although they leave a process behind that keeps the output open, which ends with the shell', async () => {
    const pid = path.join(home, 'pid');
    expect(await bash(`sleep 600 & echo $! > ${pid}; PATH=/a:/bin`)).toEqual(['/a', '/bin']);
    await expect.poll(() => isRunning(Number(readFileSync(pid, 'utf8')))).toBe(false);
  });

  test('leaves nothing running where the program that reads it ends meanwhile', async () => {
    const pid = path.join(home, 'pid');
    writeFileSync(path.join(home, '.bash_profile'), `echo $$ > ${pid}; sleep 600`);
    const module = fileURLToPath(new URL('../../electron/system/login-path.ts', import.meta.url));
    const script = path.join(home, 'reads.mjs');
    await build({
      stdin: {
        contents: `import { readLoginPath } from ${JSON.stringify(module)};
          void readLoginPath({ shell: '/bin/bash', env: process.env });
          const { existsSync, readFileSync } = await import('node:fs');
          setInterval(() => existsSync(${JSON.stringify(pid)}) && readFileSync(${JSON.stringify(pid)}, 'utf8') && process.exit(0), 20);`,
        resolveDir: home,
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
    });
    spawnSync(process.execPath, [script], { env: desktop() });
    await expect.poll(() => isRunning(Number(readFileSync(pid, 'utf8')))).toBe(false);
  });

  test('is read where no program can be found on it', async () => {
    expect(await bash('PATH=/nowhere')).toEqual(['/nowhere']);
  });

  test('is all that is taken: relative folders are left out, and each counts once', async () => {
    expect(await bash('export EVIL=1 HOME=/evil; PATH=.:bin::/a:/a:/bin')).toEqual(['/a', '/bin']);
  });

  test('can be had without the start files of a terminal, where these end the shell or wait for a person', async () => {
    const text = 'case $- in *i*) PATH=/terminal:/bin;; *) PATH=/plain:/bin;; esac';
    expect(await bash(text)).toEqual(['/terminal', '/bin']);
    expect(await bash(`${text}; case $- in *i*) exit 3;; esac`)).toEqual(['/plain', '/bin']);
    expect(await bash(`${text}; case $- in *i*) sleep 600;; esac`, ENOUGH_MS)).toEqual(['/plain', '/bin']);
    expect(await bash(`${text}; case $- in *i*) read answer < /dev/tty || exit 1;; esac`)).toEqual(['/plain', '/bin']);
  });
});

describe.runIf(process.platform !== 'win32')('a shell that tells no PATH', () => {
  test.each([
    ['hangs', 'exec sleep 600', SHORT_MS],
    ['ends', 'exit 1', undefined],
    ['prints without an end', 'exec yes', undefined],
    ['prints the question', 'echo "$@"', undefined],
    ['prints its first mark alone', 'echo "$4" | sed "s/;.*//; s/echo //"', undefined],
  ])('is done without when it %s', async (_, text, timeoutMs) => {
    expect(await shell(text, timeoutMs)).toBe(null);
  });

  test.each(['/no/such/shell', 'bash', ''])('is done without when it is %j', async (file) => {
    expect(await readLoginPath({ shell: file, env: desktop() })).toBe(null);
  });

  test('is asked in the way that it understands', async () => {
    const asked = path.join(home, 'asked');
    for (const name of ['tcsh', 'pwsh', 'nu', 'fish']) {
      const file = path.join(home, name);
      writeFileSync(file, `#!/bin/sh\nfor last; do :; done\necho "$@" | cut -d" " -f1-3 >> ${asked}\neval "$last"\n`);
      chmodSync(file, 0o755);
      expect(await readLoginPath({ shell: file, env: desktop() })).toEqual(['/usr/bin', '/bin']);
    }
    const lines = readFileSync(asked, 'utf8').trim().split('\n');
    expect(lines.map((line) => line.replace(/ ?echo.*/, ''))).toEqual(['-ic', '-Login -Command', '-l -c', '-i -l -c']);
  });
});

test.each([
  ['/a:/b', ['/a', '/b']],
  ['/a:/b:/a', ['/a', '/b']],
  ['a:./b', null],
  ['', null],
  ['/a\n/b', null],
  ['/a\0:/b', null],
  ['/a:'.repeat(20_000), null],
  ['/Users/Anna B/tools:/b', ['/Users/Anna B/tools', '/b']],
])('of %j the folders are %j', (text, folders) => {
  expect(soundFolders(text)).toEqual(folders);
});

test('no more folders are taken than anyone has', () => {
  mkdirSync(path.join(home, 'x'));
  const text = Array.from({ length: 900 }, (_, at) => `/f${at}`).join(':');
  expect(soundFolders(text)).toHaveLength(500);
});

test.each([
  [{ SHLVL: '1', TERM: 'xterm-256color' }, true],
  [{ SHLVL: '2', TERM: 'dumb' }, false],
  [{ SHLVL: '0', TERM: 'linux' }, false],
  [{ SHLVL: '1' }, false],
  [{ TERM: 'xterm' }, false],
  [{}, false],
])('started with %j is from a terminal: %s', (env, is) => {
  expect(isFromTerminal(env)).toBe(is);
});
