import fs from 'node:fs';
import path from 'node:path';

export type ProgramLook = 'found' | 'missing' | 'not-program';

export interface ProgramPlace {
  /** PATH of the process that will start it. */
  readonly path: string | undefined;
  /** The folder it is started in. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  /** Endings that Windows tries, with their dots; see `endingsIn`. */
  readonly endings?: readonly string[];
  /** Looks at one file; the disk is looked at where a test does not say. */
  readonly look?: (file: string) => ProgramLook;
}

/** What `execvp` looks through where there is no PATH. */
export const DEFAULT_PATH = '/usr/bin:/bin';
const WINDOWS_ENDINGS = ['.com', '.exe', '.bat', '.cmd'];

/** Looks a program up the way it would be when a server is started. */
export function findProgram(command: string, place: ProgramPlace): ProgramLook {
  const looks = candidates(command, place).map(lookIn(place));
  if (looks.includes('found')) return 'found';
  return looks.includes('not-program') ? 'not-program' : 'missing';
}

/** The file that would be started, as an absolute path; `null` where there is none. */
export function programFile(command: string, place: ProgramPlace): string | null {
  const look = lookIn(place);
  return candidates(command, place).find((file) => look(file) === 'found') ?? null;
}

/** Whether a command names a place, and is not looked for on the PATH. */
export function hasFolder(command: string, platform: NodeJS.Platform): boolean {
  return command.includes('/') || (platform === 'win32' && command.includes('\\'));
}

/** What `PATHEXT` says, without what cannot be started without a program of its own (scripts). */
export function endingsIn(pathext: string | undefined): readonly string[] {
  const named = (pathext ?? '').split(';').map((ending) => ending.trim().toLowerCase());
  const known = named.filter((ending) => WINDOWS_ENDINGS.includes(ending));
  return known.length > 0 ? known : WINDOWS_ENDINGS;
}

function candidates(command: string, place: ProgramPlace): string[] {
  const { path: searched, cwd, platform } = place;
  const isWindows = platform === 'win32';
  const paths = isWindows ? path.win32 : path.posix;
  const isPlace = hasFolder(command, platform);
  const folders = (searched ?? (isWindows ? '' : DEFAULT_PATH)).split(paths.delimiter);
  const bases = isPlace
    ? [paths.resolve(cwd, command)]
    : [...(isWindows ? [cwd] : []), ...folders].map((folder) => paths.resolve(cwd, folder, command));
  const suffixes = isWindows ? windowsSuffixes(command, isPlace, place.endings ?? WINDOWS_ENDINGS) : [''];
  return bases.flatMap((base) => suffixes.map((suffix) => `${base}${suffix}`));
}

/** Beside `npx.cmd` lies a script `npx` for other shells, which Windows cannot start: a name alone is not enough. */
function windowsSuffixes(command: string, isPlace: boolean, endings: readonly string[]): string[] {
  const hasEnding = WINDOWS_ENDINGS.includes(path.win32.extname(command).toLowerCase());
  if (hasEnding) return ['', ...endings];
  return isPlace ? [...endings, ''] : [...endings];
}

function lookIn({ look, platform }: ProgramPlace): (file: string) => ProgramLook {
  return look ?? ((file) => lookAt(file, platform));
}

function lookAt(file: string, platform: NodeJS.Platform): ProgramLook {
  try {
    if (!fs.statSync(file).isFile()) return 'not-program';
    if (platform !== 'win32') fs.accessSync(file, fs.constants.X_OK);
    return 'found';
  } catch {
    return fs.existsSync(file) ? 'not-program' : 'missing';
  }
}
