import fs from 'node:fs';
import path from 'node:path';

export type ProgramLook = 'found' | 'missing' | 'not-program';

export interface ProgramPlace {
  /** PATH of the process that will start it. */
  readonly path: string | undefined;
  /** The folder it is started in. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  /** Endings that Windows tries. */
  readonly endings?: readonly string[];
}

/** What `execvp` looks through where there is no PATH. */
const DEFAULT_PATH = '/usr/bin:/bin';
const WINDOWS_ENDINGS = ['.com', '.exe', '.bat', '.cmd'];

/** Looks a program up the way it would be when a server is started. */
export function findProgram(command: string, place: ProgramPlace): ProgramLook {
  const looks = candidates(command, place).map((file) => lookAt(file, place.platform));
  if (looks.includes('found')) return 'found';
  return looks.includes('not-program') ? 'not-program' : 'missing';
}

function candidates(command: string, { path: searched, cwd, platform, endings }: ProgramPlace): string[] {
  const isWindows = platform === 'win32';
  const paths = isWindows ? path.win32 : path.posix;
  const suffixes = isWindows ? ['', ...(endings ?? WINDOWS_ENDINGS)] : [''];
  const hasFolder = command.includes('/') || (isWindows && command.includes('\\'));
  const folders = (searched ?? (isWindows ? '' : DEFAULT_PATH)).split(paths.delimiter);
  const bases = hasFolder
    ? [paths.resolve(cwd, command)]
    : [...(isWindows ? [cwd] : []), ...folders].map((folder) => paths.resolve(cwd, folder, command));
  return bases.flatMap((base) => suffixes.map((suffix) => `${base}${suffix}`));
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
