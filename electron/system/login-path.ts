import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';

export interface LoginShell {
  /** Absolute path of the person's shell. */
  readonly shell: string;
  readonly env: NodeJS.ProcessEnv;
  /** For the shell as a terminal would start it; half of that again for one without its interactive part. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
const MAX_FOLDERS = 500;
const MAX_LENGTH = 32 * 1024;

/** What start files look at before they start something that waits for a person. */
const QUIET = {
  DISABLE_AUTO_UPDATE: 'true',
  ZSH_TMUX_AUTOSTART: 'false',
  HOLDFAST_READS_PATH: '1',
};

/**
 * The folders of PATH as the person's login shell has them: a program that is started from a desktop has a much shorter
 * one. Start files may print, hang, end the shell or leave processes behind: what they do is bounded, and nothing but
 * PATH is taken from them. `null` where it cannot be had.
 */
export async function readLoginPath({ shell, env, timeoutMs = TIMEOUT_MS }: LoginShell): Promise<string[] | null> {
  if (!path.isAbsolute(shell)) return null;
  const [asInTerminal, plain] = shellArguments(shell);
  const asked = (await ask(shell, asInTerminal, env, timeoutMs)) ?? (await ask(shell, plain, env, timeoutMs / 2));
  return asked === null ? null : soundFolders(asked);
}

type Question = (script: string) => string[];

/** With the start files of a terminal, and without: these are more often in a state that a terminal alone can bear. */
function shellArguments(shell: string): readonly [Question, Question] {
  const name = path.basename(shell);
  if (/^t?csh$/.test(name)) return [(script) => ['-ic', script], (script) => ['-c', script]];
  if (name === 'pwsh') return [(script) => ['-Login', '-Command', script], (script) => ['-Command', script]];
  if (name === 'nu') return [(script) => ['-l', '-c', script], (script) => ['-c', script]];
  return [(script) => ['-i', '-l', '-c', script], (script) => ['-l', '-c', script]];
}

/** PATH as text, between two marks that nothing else prints. */
function ask(shell: string, question: Question, env: NodeJS.ProcessEnv, timeoutMs: number): Promise<string | null> {
  const mark = `holdfast-${randomUUID()}`;
  // `;` and `||` mean the same in every shell here. Its own PATH may not lead to the program that prints it.
  const script = `echo ${mark}; /usr/bin/printenv PATH || printenv PATH; echo ${mark}`;
  return new Promise((resolve) => {
    const child = spawn(shell, question(script), {
      env: { ...env, ...QUIET },
      // A session of its own: without a terminal there is none that it could wait for.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let said = '';
    const end = (): void => endGroup(child.pid);
    // Whatever ends this program in the meantime, nothing of it is left running.
    process.once('exit', end);
    const settle = (found: string | null): void => {
      clearTimeout(timer);
      process.off('exit', end);
      child.stdout.destroy();
      end();
      resolve(found);
    };
    const timer = setTimeout(() => settle(null), timeoutMs);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      const found = between(said, mark);
      // Not its end: what the start files have left running may keep the pipe open.
      if (found !== null) settle(found);
      else if (said.length > MAX_BYTES) settle(null);
    });
    child.stdout.once('end', () => settle(between(said, mark)));
    child.once('error', () => settle(null));
  });
}

/** Shells that trace print the question as well, with the mark in it: only the last two count, alone on their lines. */
function between(said: string, mark: string): string | null {
  const lines = said.split(/\r?\n/);
  const ends = lines.flatMap((line, at) => (line.endsWith(mark) && !line.includes('printenv') ? [at] : []));
  const [first, last] = ends;
  if (first === undefined || last === undefined || last === first) return null;
  // Its own end of line has to have come.
  return last === lines.length - 1 ? null : lines.slice(first + 1, last).join('\n');
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

/** Whatever a shell said, only absolute folders are looked through for programs, each once. */
export function soundFolders(text: string): string[] | null {
  if (text.length > MAX_LENGTH || /[\0\r\n]/.test(text)) return null;
  const folders = text.split(':').filter((folder) => path.posix.isAbsolute(folder));
  return folders.length === 0 ? null : [...new Set(folders)].slice(0, MAX_FOLDERS);
}

/** Started from a terminal, a program has the PATH of its shell already. A desktop sets neither, or not both. */
export function isFromTerminal({ SHLVL: depth, TERM: terminal }: NodeJS.ProcessEnv): boolean {
  return Number(depth) >= 1 && terminal !== undefined && terminal !== '' && terminal !== 'dumb';
}
