import { setTimeout as wait } from 'node:timers/promises';
import { hostPlatform, type HostAccessOptions } from './hosts/app-edits.ts';
import type { ProgramsPort } from './hosts/restart-app.ts';
import { askToQuit, open, openCommand, startOf } from './system/restart-program.ts';
import { isStillRunning, runningPrograms } from './system/running-programs.ts';

/** The programs of this user on this machine. */
export function programsOf(machine: Pick<HostAccessOptions, 'home' | 'platform'>): ProgramsPort {
  const platform = hostPlatform(machine.platform);
  return {
    running: () => runningPrograms(platform, machine.home),
    isRunning: (program) => isStillRunning(platform, machine.home, program),
    reopener({ pid, file }) {
      const start = openCommand(platform, file, startOf(platform, pid));
      return () => open(start);
    },
    askToQuit: (program) => askToQuit(platform, program),
    wait: (durationMs) => wait(durationMs),
  };
}
