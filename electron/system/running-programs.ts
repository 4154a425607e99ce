import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';
import { statOf } from './process-start.ts';

/** A program of this user that runs now. */
export interface RunningProgram {
  readonly pid: number;
  /** Its executable, with its whole path, as the system tells it. */
  readonly file: string;
  /** It has a window of its own or is the first of its processes, rather than a helper of one. */
  readonly isMain: boolean;
  /** Tells it from a later process of the same number, where the system has that. */
  readonly start: string | null;
}

export type Platform = 'darwin' | 'linux' | 'win32';

const run = promisify(execFile);
/** A system that does not answer by then is taken to run nothing. */
const LOOK_MS = 5_000;
const MAX_BYTES = 10_000_000;

/**
 * Programs of this user. On Linux only those whose home folder is this one. Never throws: what cannot be told does not
 * run, so that nothing is done to it.
 */
export async function runningPrograms(platform: Platform, home: string): Promise<readonly RunningProgram[]> {
  if (platform === 'linux') return linuxPrograms(home);
  const { command, args, read } = LOOKS[platform];
  try {
    const { stdout } = await run(command, args, { timeout: LOOK_MS, windowsHide: true, maxBuffer: MAX_BYTES });
    return read(stdout, process.getuid?.());
  } catch {
    return [];
  }
}

/** Whether this very program still runs. Never throws. */
export async function isStillRunning(platform: Platform, home: string, program: RunningProgram): Promise<boolean> {
  const { pid, file, start } = program;
  const found = platform === 'linux' ? [linuxProgram(pid, home)] : await runningPrograms(platform, home);
  return found.some((one) => one?.pid === pid && one.file === file && one.start === start);
}

/** Output of `ps -axww -o pid=,uid=,comm=`, of one user. */
export function readPsPrograms(output: string, uid: number | undefined): RunningProgram[] {
  return output.split('\n').flatMap((line) => {
    const [, pid, owner, file] = /^\s*(\d+)\s+(\d+)\s+(\/.*?)\s*$/.exec(line) ?? [];
    if (file === undefined || Number(owner) !== uid) return [];
    return [{ pid: Number(pid), file, isMain: true, start: null }];
  });
}

/** A line for each process of this session: number, window (0 for none) and executable, apart by tabs. */
export function readWindowsPrograms(output: string): RunningProgram[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const [, pid, window, file] = /^(\d+)\t(\d+)\t(.+)$/.exec(line) ?? [];
    return file === undefined ? [] : [{ pid: Number(pid), file, isMain: window !== '0', start: null }];
  });
}

const WINDOWS_LOOK = [
  '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
  '$session = (Get-Process -Id $PID).SessionId',
  'Get-Process | Where-Object { $_.SessionId -eq $session -and $_.Path } | ForEach-Object { "$($_.Id)`t$($_.MainWindowHandle)`t$($_.Path)" }',
].join('; ');

const LOOKS = {
  darwin: { command: 'ps', args: ['-axww', '-o', 'pid=,uid=,comm='], read: readPsPrograms },
  win32: {
    command: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_LOOK],
    read: readWindowsPrograms,
  },
} as const;

function linuxPrograms(home: string): RunningProgram[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    const program = Number.isInteger(pid) ? linuxProgram(pid, home) : null;
    return program === null ? [] : [program];
  });
}

function linuxProgram(pid: number, home: string): RunningProgram | null {
  try {
    if (fs.statSync(`/proc/${pid}`).uid !== process.getuid?.()) return null;
    const environment = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    if (!environment.includes(`HOME=${home}`)) return null;
    const file = fs.readlinkSync(`/proc/${pid}/exe`);
    const line = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    // Helpers of a browser-like app, and its executable at work as an interpreter, are not the app.
    const isHelper = /[\0 ]--type=/.test(line) || environment.some((one) => one.startsWith('ELECTRON_RUN_AS_NODE='));
    return { pid, file, isMain: !isHelper, start: statOf(pid)?.start ?? null };
  } catch {
    return null; // it has ended, or it is somebody else's
  }
}
