import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ASK_MS = 5_000;

/**
 * When a process was started, as text that only ever equals that of the same process: a process id alone may have been
 * given to another one since. `null` where there is no such process or the system does not tell.
 */
export async function processStart(pid: number): Promise<string | null> {
  if (process.platform === 'linux') return statOf(pid)?.start ?? null;
  const [command, args] =
    process.platform === 'win32' ? windowsQuestion(pid) : ['ps', ['-o', 'lstart=', '-p', `${pid}`]];
  try {
    const { stdout } = await run(command, args, {
      timeout: ASK_MS,
      windowsHide: true,
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    });
    return stdout.trim() === '' ? null : stdout.trim();
  } catch {
    return null; // no such process, or nobody to ask
  }
}

function windowsQuestion(pid: number): [string, string[]] {
  const question = `(Get-Process -Id ${pid} -ErrorAction Stop).StartTime.ToFileTimeUtc()`;
  return ['powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', question]];
}

/** What Linux tells of a process. */
export interface ProcessStat {
  readonly group: number;
  readonly session: number;
  /** `<boot>/<clock ticks since then>`. */
  readonly start: string;
}

/** `null` where no such process runs, or on another system. */
export function statOf(pid: number): ProcessStat | null {
  const fields = fieldsOf(pid);
  const ticks = fields?.[19];
  if (!fields || ticks === undefined) return null;
  return { group: Number(fields[2]), session: Number(fields[3]), start: `${boot()}/${ticks}` };
}

/** From the state on: the second field is the program's name, which may hold spaces and brackets. */
function fieldsOf(pid: number | string): string[] | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Ended already, and only waiting for its parent to ask how.
    return fields[0] === 'Z' || fields[0] === 'X' ? null : fields;
  } catch {
    return null;
  }
}

let knownBoot: string | undefined;
/** Ticks begin anew with every start of the computer, and process ids come again. */
function boot(): string {
  knownBoot ??= fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return knownBoot;
}

/** Ids of a group's processes that run on this Linux system; none on others. */
export function membersOf(group: number): number[] {
  const wanted = String(group);
  return allProcesses().filter((pid) => fieldsOf(pid)?.[2] === wanted);
}

/** True where a process of this Linux system was started with that value of an environment variable. */
export function wasStartedWith(pid: number, name: string, value: string): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${name}=${value}`);
  } catch {
    return false; // it ended, or belongs to another user
  }
}

function allProcesses(): number[] {
  try {
    return fs.readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}
