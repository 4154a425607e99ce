import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { appRestarts, type ProgramsPort } from '../../electron/hosts/restart-app.ts';
import { programsOf } from '../../electron/programs-port.ts';
import { openCommand, quitCommand } from '../../electron/system/restart-program.ts';
import {
  readPsPrograms,
  readWindowsPrograms,
  runningPrograms,
  type RunningProgram,
} from '../../electron/system/running-programs.ts';

/** `restarted`, or why it was not. */
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'restarted',
    (error: { code?: string; details?: { problem?: string } }) =>
      `${error.code ?? ''}: ${error.details?.problem ?? ''}`,
  );

describe.runIf(process.platform === 'linux')('an app that runs on this computer', () => {
  let home: string;
  let started: ChildProcess[];
  const at = (...parts: string[]): string => path.join(home, ...parts);
  const zed = (): string => at('.local', 'zed.app', 'libexec', 'zed-editor');
  const pidsOf = async (file: string): Promise<number[]> =>
    (await runningPrograms('linux', home)).filter((one) => one.file === file).map(({ pid }) => pid);
  const restart = (port: Partial<ProgramsPort> = {}): Promise<unknown> => {
    const machine = { home, env: {}, platform: process.platform };
    return refusal(appRestarts(machine, { ...programsOf(machine), ...port }).restart('zed'));
  };

  /** A real program, copied to where the app lies. */
  async function run(program: string, file: string, args: readonly string[], env: object = {}): Promise<ChildProcess> {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (!fs.existsSync(file)) fs.copyFileSync(program, file);
    const child = spawn(file, args, { cwd: home, env: { HOME: home, MARK: 'one of a kind', ...env }, stdio: 'ignore' });
    await once(child, 'spawn');
    started.push(child);
    return child;
  }

  beforeEach(() => {
    home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-restart-')));
    started = [];
  });
  afterEach(async () => {
    for (const child of started) child.kill('SIGKILL');
    for (const pid of await pidsOf(zed())) process.kill(pid, 'SIGKILL');
    fs.rmSync(home, { recursive: true, force: true });
  });

  it('is asked to quit, and opens again the way it was opened', async () => {
    const old = await run('/bin/sleep', zed(), ['600']);
    expect(await restart()).toBe('restarted');
    if (old.signalCode === null) await once(old, 'exit'); // it has ended; this process is told a moment later
    expect(old.signalCode).toBe('SIGTERM');
    const [pid, ...more] = await pidsOf(zed());
    expect(more).toEqual([]);
    expect(pid).not.toBe(old.pid);
    const told = (what: string): string => fs.readFileSync(`/proc/${pid ?? 0}/${what}`, 'utf8');
    expect(told('cmdline').split('\0').slice(1)).toEqual(['600', '']);
    expect(told('environ')).toContain('MARK=one of a kind');
    expect(fs.readlinkSync(`/proc/${pid ?? 0}/cwd`)).toBe(home);
  });

  it('is left as it is where it does not quit, and is not opened a second time', async () => {
    const old = await run('/bin/bash', zed(), ['-c', 'trap "" TERM; while :; do sleep 0.05; done']);
    await wait(100); // until it has said that it does not listen
    expect(await restart({ wait: () => wait(5) })).toBe('HOST_RESTART_FAILED: still open');
    expect([old.exitCode, old.signalCode]).toEqual([null, null]);
    expect(await pidsOf(zed())).toEqual([old.pid]);
  });

  it('is not found elsewhere, under another home, as a helper or at work as an interpreter; none of these is touched', async () => {
    const others = [
      await run('/bin/sleep', at('bin', 'zed-editor'), ['600']),
      await run('/bin/sleep', zed(), ['600'], { HOME: `${home}-other` }),
      await run('/bin/bash', zed().replace('zed-editor', 'other'), ['-c', 'sleep 600; :']),
      await run('/bin/sleep', zed(), ['600'], { ELECTRON_RUN_AS_NODE: '1' }),
    ];
    expect(await restart()).toBe('HOST_RESTART_FAILED: not found');
    expect(others.map(({ signalCode, exitCode }) => signalCode ?? exitCode)).toEqual([null, null, null, null]);
  });

  it('that is there twice is left alone: nothing tells which is meant', async () => {
    const both = [await run('/bin/sleep', zed(), ['600']), await run('/bin/sleep', zed(), ['600'])];
    expect(await restart()).toBe('HOST_RESTART_FAILED: several');
    expect(both.map(({ signalCode }) => signalCode)).toEqual([null, null]);
  });

  it('asked for twice at once, is restarted once', async () => {
    await run('/bin/sleep', zed(), ['600']);
    const machine = { home, env: {}, platform: process.platform };
    const { restart: go } = appRestarts(machine, programsOf(machine));
    expect(await Promise.all([refusal(go('zed')), refusal(go('zed'))])).toEqual(['restarted', 'restarted']);
    expect(await pidsOf(zed())).toHaveLength(1);
  });
});

describe('the programs of a system', () => {
  test('on macOS are those of this user, with their whole paths', () => {
    const output = [
      '  501   501 /Applications/Claude.app/Contents/MacOS/Claude',
      '  502     0 /Applications/Claude.app/Contents/MacOS/Claude',
      '  503   501 Claude',
      ' rubbish',
    ].join('\n');
    const file = '/Applications/Claude.app/Contents/MacOS/Claude';
    expect(readPsPrograms(output, 501)).toEqual([{ pid: 501, file, isMain: true, start: null }]);
    expect(readPsPrograms(output, undefined)).toEqual([]);
  });

  test('on Windows, only what has a window is the app', () => {
    const file = 'C:\\Users\\Ada\\AppData\\Local\\AnthropicClaude\\claude.exe';
    expect(readWindowsPrograms(`10\t0\t${file}\r\n11\t657482\t${file}\r\nx\r\n\r\n`)).toEqual([
      { pid: 10, file, isMain: false, start: null },
      { pid: 11, file, isMain: true, start: null },
    ]);
  });
});

describe('on systems that are not this one', () => {
  const CLAUDE = '/Applications/Claude.app/Contents/MacOS/Claude';
  const machines = {
    darwin: { home: '/Users/ada', env: {}, platform: 'darwin' },
    win32: { home: 'C:\\Users\\Ada', env: {}, platform: 'win32' },
    linux: { home: '/home/ada', env: {}, platform: 'linux' },
  } as const;
  const LOCAL = 'C:\\Users\\Ada\\AppData\\Local';

  /** Which of these programs is asked to quit where Claude is restarted. */
  async function asked(platform: keyof typeof machines, app: string, files: readonly string[]): Promise<unknown[]> {
    let running: RunningProgram[] = files.map((file, at) => ({ pid: at + 1, file, isMain: true, start: null }));
    const done: unknown[] = [];
    const port: ProgramsPort = {
      running: () => Promise.resolve(running),
      isRunning: (program) => Promise.resolve(running.some(({ pid }) => pid === program.pid)),
      reopener:
        ({ file }) =>
        () => {
          done.push(openCommand(platform, file, null));
          return Promise.resolve();
        },
      askToQuit: (program) => {
        done.push(quitCommand(platform, program)?.args);
        running = running.filter((one) => one !== program);
        return Promise.resolve();
      },
      wait: () => Promise.resolve(),
    };
    await refusal(appRestarts(machines[platform], port).restart(app));
    return done;
  }

  test('macOS is asked through the app itself, by its path, which is no part of the script', async () => {
    expect(await asked('darwin', 'claude-desktop', ['/Users/x/Claude.app/Contents/MacOS/Claude', CLAUDE])).toEqual([
      [
        ...['-e', 'on run argv', '-e', 'tell application (item 1 of argv) to quit', '-e', 'end run'],
        '/Applications/Claude.app',
      ],
      { command: 'open', args: ['/Applications/Claude.app'] },
    ]);
  });

  test('Windows closes its window, and never by force; the same name elsewhere is another program', async () => {
    const own = `${LOCAL}\\AnthropicClaude\\app-1.2.0\\Claude.exe`;
    expect(await asked('win32', 'claude-desktop', [`${LOCAL}\\Programs\\claude.exe`, own])).toEqual([
      ['/PID', '2'],
      { command: own, args: [], cwd: `${LOCAL}\\AnthropicClaude\\app-1.2.0` },
    ]);
  });

  test.each([
    ['claude-code', 'darwin', '/opt/homebrew/bin/claude'],
    ['codex', 'linux', '/usr/bin/codex'],
    ['goose', 'win32', 'C:\\goose.exe'],
    ['no-such-app', 'linux', '/usr/bin/no-such-app'],
  ] as const)('%s is never restarted on %s', async (app, platform, file) => {
    const port = { running: () => Promise.resolve([]) } as unknown as ProgramsPort; // the rest is not reached
    expect(appRestarts(machines[platform], port).restarts(app)).toBe(false);
    expect(await asked(platform, app, [file])).toEqual([]);
  });

  test('an app that is one file is opened by that, without the link that it was opened with', () => {
    const env = { APPIMAGE: '/home/ada/Cursor.AppImage', APPDIR: '/tmp/.mount_x', HOME: '/home/ada' };
    const as = { args: ['--no-sandbox', 'cursor://x/y', '/home/ada/notes'], cwd: '/home/ada', env };
    expect(openCommand('linux', '/tmp/.mount_x/usr/share/cursor/cursor', as)).toEqual({
      command: '/home/ada/Cursor.AppImage',
      args: ['--no-sandbox', '/home/ada/notes'],
      cwd: '/home/ada',
      env,
    });
    // Opened in the terminal of another such app, it has that one’s variables.
    expect(openCommand('linux', '/usr/share/code/code', as)).toMatchObject({
      command: '/usr/share/code/code',
      env: { HOME: '/home/ada' },
    });
  });
});
