import path from 'node:path';

export type HostPlatform = 'darwin' | 'linux' | 'win32';

/** Where a settings file is looked for: a base folder of the system and the parts below it; `*` only in one part. */
interface PathRule {
  readonly base: keyof typeof BASES;
  readonly parts: readonly string[];
}

/** What Holdfast knows about a program whose settings it can write. */
export interface HostApp {
  readonly id: string;
  readonly title: string;
  readonly dialect: 'json';
  readonly section: string;
  /** The program refuses or resets a file that begins with a byte order mark. */
  readonly rejectsBom: boolean;
  /** The program writes the file itself, so our entry can vanish: check again after its next start. */
  readonly rewritesOwnFile: boolean;
  /** When a change of the file takes effect. */
  readonly reload: 'restart' | 'live';
  /** The first rule with a `*` that matches goes first; see {@link configFiles}. */
  readonly paths: Readonly<Record<HostPlatform, readonly PathRule[]>>;
}

/** The machine as far as paths depend on it; a test passes its own. */
export interface Machine {
  readonly platform: HostPlatform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Names in a folder; nothing where the folder does not exist. */
export type ListDirectory = (folder: string) => readonly string[];

const CLAUDE_DESKTOP_FILE = ['Claude', 'claude_desktop_config.json'] as const;

const HOST_APPS: Readonly<Record<string, HostApp>> = Object.freeze({
  'claude-desktop': Object.freeze<HostApp>({
    id: 'claude-desktop',
    title: 'Claude Desktop',
    dialect: 'json',
    section: 'mcpServers',
    rejectsBom: true,
    rewritesOwnFile: true,
    reload: 'restart',
    paths: {
      darwin: [{ base: 'applicationSupport', parts: CLAUDE_DESKTOP_FILE }],
      linux: [{ base: 'xdgConfig', parts: CLAUDE_DESKTOP_FILE }],
      win32: [
        // The packaged build is given a private copy of the roaming folder and never sees the classic path.
        { base: 'localAppData', parts: ['Packages', 'Claude_*', 'LocalCache', 'Roaming', ...CLAUDE_DESKTOP_FILE] },
        { base: 'appData', parts: CLAUDE_DESKTOP_FILE },
      ],
    },
  }),
});

const BASES = {
  applicationSupport: ({ home }: Machine) => path.posix.join(home, 'Library', 'Application Support'),
  xdgConfig: ({ home, env }: Machine) => absolute(env['XDG_CONFIG_HOME'], path.posix.join(home, '.config')),
  appData: ({ home, env }: Machine) => env['APPDATA'] || path.win32.join(home, 'AppData', 'Roaming'),
  localAppData: ({ home, env }: Machine) => env['LOCALAPPDATA'] || path.win32.join(home, 'AppData', 'Local'),
};

/** The host app of that id, or undefined where Holdfast has no writer for it. */
export function hostApp(id: string): HostApp | undefined {
  return Object.hasOwn(HOST_APPS, id) ? HOST_APPS[id] : undefined;
}

/** All host apps whose settings Holdfast can write. */
export function hostApps(): readonly HostApp[] {
  return Object.values(HOST_APPS);
}

/**
 * The settings files of a host app on this machine, the one that it reads first. There can be several: packages
 * beside a classic installation. The classic file is left out where only packages are installed.
 */
export function configFiles(app: HostApp, machine: Machine, listDirectory: ListDirectory): string[] {
  const files: string[] = [];
  for (const rule of app.paths[machine.platform]) {
    const isGlob = rule.parts.some((part) => part.includes('*'));
    const found = expand(rule, machine, listDirectory);
    if (isGlob || files.length === 0) files.push(...found);
    else files.push(...found.filter((file) => listDirectory(pathsOf(machine).dirname(file)).length > 0));
  }
  return files;
}

function expand(rule: PathRule, machine: Machine, listDirectory: ListDirectory): string[] {
  const join = (...parts: string[]): string => pathsOf(machine).join(...parts);
  const base = BASES[rule.base](machine);
  const at = rule.parts.findIndex((part) => part.includes('*'));
  const pattern = rule.parts[at];
  if (pattern === undefined) return [join(base, ...rule.parts)];
  const parent = join(base, ...rule.parts.slice(0, at));
  const matches = listDirectory(parent).filter((name) => fits(name, pattern));
  return matches.sort().map((name) => join(parent, name, ...rule.parts.slice(at + 1)));
}

function fits(name: string, pattern: string): boolean {
  const [start = '', end = ''] = pattern.split('*');
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}

function pathsOf(machine: Machine): typeof path.posix {
  return machine.platform === 'win32' ? path.win32 : path.posix;
}

// A relative XDG folder is invalid by its specification and must be ignored.
function absolute(folder: string | undefined, fallback: string): string {
  return folder && path.posix.isAbsolute(folder) ? folder : fallback;
}
