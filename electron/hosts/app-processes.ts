import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { HostApp } from './host-apps.ts';
import type { HostPlatform, Machine } from './host-paths.ts';

/** A system that does not answer by then is taken to run nothing. */
const LOOK_MS = 5_000;

/** Names of running programs; on Linux only of those whose home folder is this one, as another one has other settings. */
export function runningPrograms({ platform, home }: Pick<Machine, 'platform' | 'home'>): readonly string[] {
  if (platform === 'linux') return linuxPrograms(home);
  const [command, args, read] = LOOKS[platform];
  const { stdout } = spawnSync(command, args, { encoding: 'utf8', timeout: LOOK_MS, windowsHide: true });
  return read(stdout);
}

/** Whether one of these programs is the app. */
export function isAppRunning(app: HostApp, platform: HostPlatform, programs: readonly string[]): boolean {
  const spelled = (name: string): string => (platform === 'win32' ? name.toLowerCase() : name);
  const wanted = new Set(app.processes[platform].map(spelled));
  return programs.some((name) => wanted.has(spelled(name)));
}

/** Output of `ps -axo comm=`: a path or a name on each line. */
export function readPs(output: string): string[] {
  return output.split('\n').flatMap((line) => (line.trim() === '' ? [] : [path.posix.basename(line.trim())]));
}

/** Output of `tasklist /FO CSV /NH`: the name in quotation marks first. */
export function readTasklist(output: string): string[] {
  return output.split(/\r?\n/).flatMap((line) => /^"([^"]+)"/.exec(line)?.[1] ?? []);
}

const LOOKS = {
  darwin: ['ps', ['-axo', 'comm='], readPs],
  win32: ['tasklist', ['/FO', 'CSV', '/NH'], readTasklist],
} as const;

function linuxPrograms(home: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (!environment.includes(`HOME=${home}`)) return [];
      const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return [path.posix.basename(program), readFileSync(`/proc/${pid}/comm`, 'utf8').trim()];
    } catch {
      return []; // it has ended, or it is somebody else's
    }
  });
}
