import { HoldfastError } from '../core/errors.ts';
import { hostPlatform, type HostAccessOptions } from './app-edits.ts';
import { hostApp, type HostApp } from './host-apps.ts';
import { isAtPlace, type Machine } from './host-paths.ts';

/** A program of this user that runs now; `file` is its executable. */
export interface Program {
  readonly pid: number;
  readonly file: string;
  readonly isMain: boolean;
  readonly start: string | null;
}

/** What the system does with programs; the composition root passes it in. */
export interface ProgramsPort {
  running(): Promise<readonly Program[]>;
  /** Whether this very one still does. */
  isRunning(program: Program): Promise<boolean>;
  /** Remembers how it is started again; to be asked while it runs. */
  reopener(program: Program): () => Promise<void>;
  /** Asks it to quit, as its own menu would. It may say no. */
  askToQuit(program: Program): Promise<void>;
  wait(durationMs: number): Promise<void>;
}

/** An app may take its time to quit: it may be asking its person whether to save. A look takes time of its own. */
const MAX_LOOKS = 60;
const LOOK_MS = 250;

/** Restarting host apps of this machine. */
export function appRestarts(options: Pick<HostAccessOptions, 'home' | 'env' | 'platform'>, programs: ProgramsPort) {
  const machine = { ...options, platform: hostPlatform(options.platform) };
  const underWay = new Map<string, Promise<void>>();
  return {
    /** Whether Holdfast knows the app's program well enough on this system. */
    restarts: (id: string): boolean => (hostApp(id)?.programs[machine.platform] ?? []).length > 0,
    /** Once, however often it is asked for meanwhile. @throws HoldfastError HOST_RESTART_FAILED */
    restart(id: string): Promise<void> {
      const app = hostApp(id);
      if (app === undefined) return Promise.reject(new HoldfastError('HOST_RESTART_FAILED', { app: id }));
      const known = underWay.get(id);
      if (known !== undefined) return known;
      const work = restartApp(app, machine, programs).finally(() => underWay.delete(id));
      underWay.set(id, work);
      return work;
    },
  };
}

/**
 * Asks the app to quit, waits until it has, and opens it again. Nothing is ever ended by force, and only what runs from
 * exactly where that app lies is asked.
 * @throws HoldfastError HOST_RESTART_FAILED where it is not found, is there twice, goes on running, or does not open
 */
async function restartApp(app: HostApp, machine: Machine, programs: ProgramsPort): Promise<void> {
  const refuse = (problem: string, cause?: unknown): HoldfastError =>
    new HoldfastError('HOST_RESTART_FAILED', { app: app.title, problem }, { cause });
  const isOurs = ({ file }: Program): boolean =>
    app.programs[machine.platform].some((place) => isAtPlace(place, machine, file));
  const [program, ...more] = (await programs.running()).filter((one) => one.isMain && isOurs(one));
  if (program === undefined) throw refuse('not found');
  if (more.length > 0) throw refuse('several'); // nothing tells which of them is meant
  const reopen = programs.reopener(program);
  try {
    await programs.askToQuit(program);
  } catch (cause) {
    throw refuse('not asked', cause);
  }
  if (!(await hasQuit(program, programs))) throw refuse('still open');
  try {
    await reopen();
  } catch (cause) {
    throw refuse('not opened', cause);
  }
}

async function hasQuit(program: Program, programs: ProgramsPort): Promise<boolean> {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    if (!(await programs.isRunning(program))) return true;
    await programs.wait(LOOK_MS);
  }
  return false;
}
