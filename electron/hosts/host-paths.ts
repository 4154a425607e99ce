import path from 'node:path';
import type { HostApp, HostCard } from './host-app-schema.ts';

export type HostPlatform = 'darwin' | 'linux' | 'win32';

/** The machine as far as paths depend on it; a test passes its own. */
export interface Machine {
  readonly platform: HostPlatform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Names in a folder; nothing where the folder does not exist. */
export type ListDirectory = (folder: string) => readonly string[];

/** Which files of a host app are to be written. */
export interface ChosenFiles {
  readonly files: readonly string[];
  /** Several installations are there, and nothing tells which of them is in use. */
  readonly isAmbiguous: boolean;
}

const BASES: Readonly<Record<string, (machine: Machine) => string | undefined>> = {
  home: ({ home }) => home,
  root: () => '/',
  applicationSupport: ({ home }) => path.posix.join(home, 'Library', 'Application Support'),
  xdgConfig: (machine) =>
    absolute(machine, machine.env['XDG_CONFIG_HOME']) ?? pathsOf(machine).join(machine.home, '.config'),
  appData: ({ home, env }) => env['APPDATA'] || path.win32.join(home, 'AppData', 'Roaming'),
  localAppData: ({ home, env }) => env['LOCALAPPDATA'] || path.win32.join(home, 'AppData', 'Local'),
};

/**
 * All settings files that a host app may read on this machine, the first of its table first. What a variable of the
 * environment names stands alone: it moves the file away from everywhere else.
 */
export function configFiles(app: HostApp, machine: Machine, list: ListDirectory): string[] {
  return [...mainFiles(app, machine, list), ...profileFiles(app, machine, list)];
}

/** A profile without a file of its own gets none. */
function profileFiles(app: HostApp, machine: Machine, list: ListDirectory): string[] {
  const { isThere } = eyes(machine, list);
  return app.profiles[machine.platform].flatMap((place) => expand(place, machine, list)).filter(isThere);
}

function mainFiles(app: HostApp, machine: Machine, list: ListDirectory): string[] {
  const groups = app.files[machine.platform].map((place) => ({
    isFixed: place.startsWith('{env:'),
    isGlob: place.includes('*'),
    files: expand(place, machine, list),
  }));
  const fixed = groups.find(({ isFixed, files }) => isFixed && files.length > 0);
  if (fixed) return fixed.files;
  const { isThere } = eyes(machine, list);
  const found = groups.flatMap(({ files }) => files);
  if (app.choose === 'existing') return found;
  // A classic file beside packages counts where something is in its folder.
  const packaged = groups.flatMap(({ isGlob, files }) => (isGlob ? files : []));
  const classic = groups.flatMap(({ isGlob, files }) => (isGlob ? [] : files));
  const rest = packaged.length === 0 ? classic : classic.filter((file) => isThere(pathsOf(machine).dirname(file)));
  return [...packaged, ...rest];
}

/** Files of an app that are only read, to find the servers in them. */
export function filesBeside(app: HostApp | HostCard, machine: Machine, list: ListDirectory): string[] {
  return app.alsoRead[machine.platform].flatMap((place) => expand(place, machine, list));
}

/** The files to write: of each installation its own, or the first that is there; and those of further profiles. */
export function chooseFiles(app: HostApp, machine: Machine, list: ListDirectory): ChosenFiles {
  const files = mainFiles(app, machine, list);
  const { isThere } = eyes(machine, list);
  if (app.choose === 'existing') {
    const folderOf = (file: string): string => pathsOf(machine).dirname(file);
    const one = files.find(isThere) ?? files.find((file) => isThere(folderOf(file))) ?? files[0];
    const profiles = profileFiles(app, machine, list);
    return { files: one === undefined ? profiles : [one, ...profiles], isAmbiguous: false };
  }
  const packages = app.files[machine.platform].flatMap((place) =>
    place.includes('*') ? expand(place, machine, list) : [],
  );
  if (packages.length <= 1) return { files, isAmbiguous: false };
  // Several packages: the one that has settings is the one in use.
  const used = packages.filter(isThere);
  if (used.length !== 1) return { files: packages, isAmbiguous: true };
  return { files: files.filter((file) => used.includes(file) || !packages.includes(file)), isAmbiguous: false };
}

/** Whether anything of the app but its settings is there: only then may folders be made for it. */
export function isInstalled(app: HostApp, machine: Machine, list: ListDirectory): boolean {
  const { isThere } = eyes(machine, list);
  const { places, commands } = app.installed;
  if (places[machine.platform].some((place) => expand(place, machine, list).some(isThere))) return true;
  const separator = machine.platform === 'win32' ? ';' : ':';
  const folders = (machine.env['PATH'] ?? machine.env['Path'] ?? '').split(separator).filter((folder) => folder !== '');
  const wanted = commands.flatMap((command) =>
    machine.platform === 'win32' ? [`${command}.exe`, `${command}.cmd`] : [command],
  );
  return folders.some((folder) => list(folder).some((found) => wanted.includes(found)));
}

/** Whether a file lies exactly there; nothing is looked up. On Windows however it is spelled. */
export function isAtPlace(place: string, machine: Machine, file: string): boolean {
  const [base = '', ...parts] = place.split('/');
  const start = baseFolder(base.slice(1, -1), machine);
  if (start === undefined) return false;
  const spelled = (name: string): string => (machine.platform === 'win32' ? name.toLowerCase() : name);
  const wanted = [...partsOf(start), ...parts].map(spelled);
  const found = partsOf(file).map(spelled);
  return found.length === wanted.length && wanted.every((part, at) => isPart(found[at] ?? '', part));
}

function partsOf(file: string): string[] {
  return file.split(/[\\/]/).filter((part, at) => part !== '' || at === 0);
}

function isPart(name: string, pattern: string): boolean {
  return pattern.includes('*') ? fits(name, pattern) : name === pattern;
}

function eyes(machine: Machine, list: ListDirectory) {
  const paths = pathsOf(machine);
  const isThere = (file: string): boolean =>
    list(paths.dirname(file)).includes(paths.basename(file)) || list(file).length > 0;
  return { isThere };
}

function expand(place: string, machine: Machine, list: ListDirectory): string[] {
  const [base = '', ...parts] = place.split('/');
  const start = baseFolder(base.slice(1, -1), machine);
  if (start === undefined) return [];
  const join = (...all: string[]): string => pathsOf(machine).join(...all);
  const at = parts.findIndex((part) => part.includes('*'));
  const pattern = parts[at];
  if (pattern === undefined) return [join(start, ...parts)];
  const parent = join(start, ...parts.slice(0, at));
  const matches = list(parent).filter((name) => fits(name, pattern));
  return matches.sort().map((name) => join(parent, name, ...parts.slice(at + 1)));
}

function baseFolder(base: string, machine: Machine): string | undefined {
  if (base.startsWith('env:')) return absolute(machine, machine.env[base.slice('env:'.length)]);
  return BASES[base]?.(machine);
}

function fits(name: string, pattern: string): boolean {
  const [start = '', end = ''] = pattern.split('*');
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}

function pathsOf(machine: Machine): typeof path.posix {
  return machine.platform === 'win32' ? path.win32 : path.posix;
}

// A folder in a variable that is relative means another one in each program, so it is ignored.
function absolute(machine: Machine, folder: string | undefined): string | undefined {
  return folder && pathsOf(machine).isAbsolute(folder) ? folder : undefined;
}
