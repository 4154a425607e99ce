import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Platform, RunningProgram } from './running-programs.ts';

/** How a program is started, or another one asked to do something about it. */
export interface ProgramStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
/** Asking an app to quit may wait for a person who allows that. */
const ASK_MS = 20_000;
const MAX_ENVIRONMENT = 2_000;

/** What asks a program to quit, as its own menu would: it may say no. `null` where a signal does. */
export function quitCommand(
  platform: Platform,
  { pid, file }: Pick<RunningProgram, 'pid' | 'file'>,
): ProgramStart | null {
  if (platform === 'linux') return null;
  if (platform === 'win32') return { command: 'taskkill', args: ['/PID', `${pid}`] };
  // The path is an argument of the script and never part of it.
  const script = ['on run argv', 'tell application (item 1 of argv) to quit', 'end run'];
  return { command: 'osascript', args: [...script.flatMap((line) => ['-e', line]), bundleOf(file)] };
}

/** What starts it again. On Linux `as` is how it was started: an app that is one file is started by that. */
export function openCommand(platform: Platform, file: string, as: LinuxStart | null): ProgramStart {
  if (platform === 'darwin') return { command: 'open', args: [bundleOf(file)] };
  if (platform === 'win32' || as === null) return { command: file, args: [], cwd: folderOf(platform, file) };
  const { APPIMAGE: image, APPDIR: folder, ...env } = as.env;
  // Inherited from another app otherwise, such as the one whose terminal this was opened in.
  const isOwn = image !== undefined && folder !== undefined && file.startsWith(`${folder}/`) && path.isAbsolute(image);
  // A link that it was opened with has been followed already.
  const args = as.args.filter((arg) => !/^[a-z][\w+.-]*:\/\//i.test(arg));
  return { command: isOwn ? image : file, args, cwd: as.cwd, env: isOwn ? as.env : env };
}

/** How a program of this Linux system was started. */
export interface LinuxStart {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** `null` on other systems and where it is not to be seen. */
export function startOf(platform: Platform, pid: number): LinuxStart | null {
  if (platform !== 'linux') return null;
  try {
    const [, ...args] = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').split('\0');
    const variables = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').slice(0, MAX_ENVIRONMENT);
    const env = variables.flatMap((line): [string, string][] => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
    });
    return { args, cwd: fs.readlinkSync(`/proc/${pid}/cwd`), env: Object.fromEntries(env) };
  } catch {
    return null;
  }
}

/** Asks it to quit; whether it does is another question. Never ends it by force. @throws Error where it cannot be asked */
export async function askToQuit(platform: Platform, program: RunningProgram): Promise<void> {
  const ask = quitCommand(platform, program);
  if (ask === null) process.kill(program.pid, 'SIGTERM');
  else await run(ask.command, ask.args, { timeout: ASK_MS, windowsHide: true });
}

/** Starts a program that goes on without this one. @throws Error where it cannot be started */
export async function open({ command, args, cwd, env = ownEnvironment() }: ProgramStart): Promise<void> {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: 'ignore' });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
}

/** Without what is meant for this program alone. */
function ownEnvironment(): Record<string, string> {
  const all = Object.entries(process.env).filter(([name]) => !/^(?:ELECTRON_|NODE_|HOLDFAST_)/i.test(name));
  return Object.fromEntries(all.map(([name, value]) => [name, value ?? '']));
}

/** `/Applications/Claude.app/Contents/MacOS/Claude` -> `/Applications/Claude.app`. */
function bundleOf(file: string): string {
  return file.replace(/\/Contents\/MacOS\/[^/]+$/, '');
}

function folderOf(platform: Platform, file: string): string {
  return (platform === 'win32' ? path.win32 : path.posix).dirname(file);
}
