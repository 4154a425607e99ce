import fs from 'node:fs';
import path from 'node:path';
import { readSmall } from './small-files.ts';

/** What is looked at to find them; the disk where a test does not say. */
export interface KnownPlace {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names in a folder, none where it cannot be read. */
  readonly list?: (folder: string) => readonly string[];
  /** Text of a small file. */
  readonly read?: (file: string) => string | null;
}

/**
 * Folders where people's programs are, whatever their PATH says: package managers, and the version managers of Node and
 * Python. Only those that are there, in the order in which they are looked through.
 */
export function knownFolders(place: KnownPlace): string[] {
  const eyes = { ...place, list: place.list ?? listFolder, read: place.read ?? readChoice };
  const folders = place.platform === 'win32' ? windowsFolders(eyes) : posixFolders(eyes);
  return [...new Set(folders)].filter((folder) => eyes.list(folder).length > 0);
}

type Eyes = Required<KnownPlace>;

/** In the home folder, on macOS and Linux. */
const HOME_FOLDERS = [
  '.local/bin',
  'bin',
  '.volta/bin',
  '.asdf/shims',
  '.local/share/mise/shims',
  '.nodenv/shims',
  '.pyenv/shims',
  '.bun/bin',
  '.deno/bin',
  '.cargo/bin',
  '.rye/shims',
  '.npm-global/bin',
  '.rd/bin',
  '.nix-profile/bin',
] as const;

const SYSTEM_FOLDERS: Readonly<Record<'darwin' | 'linux', readonly string[]>> = {
  darwin: [
    '/opt/homebrew/bin',
    '/usr/local/bin',
    '/opt/local/bin',
    '/nix/var/nix/profiles/default/bin',
    '/run/current-system/sw/bin',
    '/Applications/Docker.app/Contents/Resources/bin',
  ],
  linux: [
    '/usr/local/bin',
    '/home/linuxbrew/.linuxbrew/bin',
    '/nix/var/nix/profiles/default/bin',
    '/run/current-system/sw/bin',
    '/snap/bin',
    '/var/lib/flatpak/exports/bin',
  ],
};

function posixFolders(eyes: Eyes): string[] {
  const { home, env, platform } = eyes;
  const inHome = (...parts: readonly string[]): string => path.posix.join(home, ...parts);
  const nvm = env['NVM_DIR'] ?? inHome('.nvm');
  const data = env['XDG_DATA_HOME'] ?? inHome('.local/share');
  const fnm = [env['FNM_DIR'], path.posix.join(data, 'fnm'), inHome('Library/Application Support/fnm'), inHome('.fnm')];
  return [
    ...HOME_FOLDERS.slice(0, 2).map((folder) => inHome(folder)),
    ...chosenVersion(
      path.posix.join(nvm, 'versions/node'),
      eyes.read(path.posix.join(nvm, 'alias/default')),
      eyes,
      'bin',
    ),
    ...fnm.flatMap((folder) => (folder === undefined ? [] : fnmFolders(folder, eyes))),
    ...HOME_FOLDERS.slice(2).map((folder) => inHome(folder)),
    ...SYSTEM_FOLDERS[platform === 'darwin' ? 'darwin' : 'linux'],
  ];
}

function fnmFolders(folder: string, eyes: Eyes): string[] {
  const versions = chosenVersion(path.posix.join(folder, 'node-versions'), null, eyes, 'installation/bin');
  return [path.posix.join(folder, 'aliases/default/bin'), ...versions];
}

function windowsFolders(eyes: Eyes): string[] {
  const { home, env } = eyes;
  const join = (...parts: string[]): string => path.win32.join(...parts);
  const roaming = env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  const local = env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  const programs = env['ProgramFiles'] ?? 'C:\\Program Files';
  const shared = env['ProgramData'] ?? 'C:\\ProgramData';
  const python = join(local, 'Programs', 'Python');
  const pythons = newestFirst(eyes.list(python).filter((name) => /^Python3\d+$/i.test(name)));
  return [
    join(home, '.local', 'bin'),
    ...(env['NVM_SYMLINK'] === undefined ? [] : [env['NVM_SYMLINK']]),
    join(programs, 'nodejs'),
    join(programs, 'Volta'),
    join(roaming, 'npm'),
    ...chosenVersion(join(roaming, 'fnm', 'node-versions'), null, eyes, 'installation'),
    join(local, 'mise', 'shims'),
    ...pythons.slice(0, 1).flatMap((name) => [join(python, name), join(python, name, 'Scripts')]),
    join(home, '.pyenv', 'pyenv-win', 'shims'),
    join(home, '.bun', 'bin'),
    join(home, '.deno', 'bin'),
    join(home, '.cargo', 'bin'),
    join(home, 'scoop', 'shims'),
    join(local, 'Microsoft', 'WinGet', 'Links'),
    join(shared, 'chocolatey', 'bin'),
    join(programs, 'Docker', 'Docker', 'resources', 'bin'),
  ];
}

/** One version among those that are installed: the one a person chose, else the newest. Never the oldest, which is first by name. */
function chosenVersion(folder: string, chosen: string | null, { list, platform }: Eyes, inside: string): string[] {
  const versions = newestFirst(list(folder).filter((name) => /^v?\d/.test(name)));
  const wanted = chosen?.trim().replace(/^v/, '') ?? '';
  const matching = /^\d/.test(wanted) ? versions.find((name) => isVersion(name.replace(/^v/, ''), wanted)) : undefined;
  const version = matching ?? versions[0];
  const paths = platform === 'win32' ? path.win32 : path.posix;
  return version === undefined ? [] : [paths.join(folder, version, inside)];
}

/** `20` and `20.1` stand for the versions that begin so. */
function isVersion(version: string, wanted: string): boolean {
  return version === wanted || version.startsWith(`${wanted}.`);
}

function newestFirst(names: readonly string[]): string[] {
  const numbers = (name: string): number[] => (name.match(/\d+/g) ?? []).map(Number);
  return [...names].sort((one, other) => {
    const [a, b] = [numbers(one), numbers(other)];
    const at = a.findIndex((number, index) => number !== b[index]);
    return at < 0 ? b.length - a.length : (b[at] ?? -1) - (a[at] ?? -1);
  });
}

function listFolder(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // not there, or not ours to read
  }
}

/** A file that holds a person's choice of a version is a line. */
const MAX_CHOICE_BYTES = 4096;
const readChoice = (file: string): string | null => readSmall(file, MAX_CHOICE_BYTES);
