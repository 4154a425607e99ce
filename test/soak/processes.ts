/** What Linux tells of processes from outside. */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';

export interface ProcessFacts {
  /** Resident memory, in bytes. */
  readonly rss: number;
  readonly files: number;
  readonly threads: number;
}

/** `null` where it does not run. */
export function factsOf(pid: number): ProcessFacts | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    // What is ending has no memory any more, or is a zombie that its parent has not looked at.
    if (!status.includes('VmRSS')) return null;
    const number = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return { rss: number('VmRSS') * 1024, files: readdirSync(`/proc/${pid}/fd`).length, threads: number('Threads') };
  } catch {
    return null;
  }
}

export interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Processes started, directly or not, in the home of this installation, by environment or working folder; no zombies. */
export function processesOf(home: string): Running[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z' || !isOf(pid, home)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid, parent: Number(parent), command }];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

function isOf(pid: number, home: string): boolean {
  if (readFileSync(`/proc/${pid}/environ`, 'utf8').includes(home)) return true;
  return readlinkSync(`/proc/${pid}/cwd`).startsWith(home);
}

/** Bytes of all files below a folder. */
export function sizeOf(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => {
    try {
      const found = statSync(path.join(folder, name));
      return sum + (found.isFile() ? found.size : 0);
    } catch {
      return sum; // it was replaced meanwhile
    }
  }, 0);
}
