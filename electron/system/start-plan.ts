import path from 'node:path';
import { batchCall, npmShimScript } from './batch-call.ts';
import { hasFolder } from './find-program.ts';
import type { Runtimes } from './runtimes.ts';

/** What is to be started, as the person wrote it. */
export interface Wanted {
  readonly command: string;
  readonly args: readonly string[];
  /** What the person set. */
  readonly env: Readonly<Record<string, string>>;
  /** Of this server alone: what package runners download is kept there. */
  readonly cacheDir: string;
}

/** What the machine has. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly runtimes: readonly Runtimes[];
  /** Folders that programs are looked up in. */
  readonly path: readonly string[];
  /** The file behind a command, or `null`. */
  readonly find: (command: string) => string | null;
  readonly isFile: (file: string) => boolean;
  /** Text of a small file, or `null`. */
  readonly read: (file: string) => string | null;
  /** Windows' command interpreter. */
  readonly interpreter: string;
}

/** What is handed to the system. The launch identity is that of what was wanted, whatever this says. */
export interface Plan {
  readonly command: string;
  readonly args: readonly string[];
  /** On top of what the process gets anyway; what the person set is in it. */
  readonly env: Readonly<Record<string, string>>;
  /** Windows: the arguments are a finished command line. */
  readonly isVerbatim: boolean;
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly isVerbatim?: boolean;
  /** Folder that has to come first on the PATH, so that what it starts finds the same program. */
  readonly first?: string;
}

/** How a wanted program is started on this machine, so that it needs no shell and depends on no other app's settings. */
export function startPlan(wanted: Wanted, machine: Machine): Plan {
  const program = programFor(wanted, machine);
  const { command, args, env = {}, isVerbatim = false } = program;
  const added = { ...packageRunner(wanted, machine), ...env };
  const own = Object.fromEntries(Object.entries(added).filter(([name]) => !isSet(wanted.env, name, machine.platform)));
  return { command, args, env: { ...own, ...searched(program, wanted, machine), ...wanted.env }, isVerbatim };
}

type Launcher = 'node' | 'npm' | 'npx' | 'uv' | 'uvx';
const LAUNCHERS: readonly string[] = ['node', 'npm', 'npx', 'uv', 'uvx'] satisfies readonly Launcher[];

/** Name of one of the programs that Holdfast brings along, where the command is one. */
function launcherIn(command: string, { platform }: Pick<Machine, 'platform'>): Launcher | null {
  const file = (platform === 'win32' ? path.win32 : path.posix).basename(command);
  const name = platform === 'win32' ? file.toLowerCase().replace(/\.(exe|cmd|bat)$/, '') : file;
  return LAUNCHERS.includes(name) ? (name as Launcher) : null; // one of the list, as just seen
}

function programFor(wanted: Wanted, machine: Machine): Program {
  const { command, args } = wanted;
  const isBare = !hasFolder(command, machine.platform);
  const launcher = isBare ? launcherIn(command, machine) : null;
  const packaged = launcher && ours(launcher, args, machine, true);
  // Package runners keep what they run for themselves, so ours is as good and known to work. Node itself is another
  // matter: what a person has built for their own Node may not run on ours.
  if (packaged && launcher !== 'node') return packaged;
  const file = machine.find(command);
  if (file !== null) return started(file, args, machine);
  return packaged ?? (launcher && ours(launcher, args, machine, false)) ?? { command, args };
}

/** The program among our own runtimes, or among those at hand. */
function ours(
  launcher: Launcher,
  args: readonly string[],
  machine: Pick<Machine, 'platform' | 'runtimes'>,
  isPackaged: boolean,
): Program | null {
  for (const { node, npm, uv } of machine.runtimes.filter((runtimes) => runtimes.isPackaged === isPackaged)) {
    if (launcher === 'uv' && uv !== null) return { command: uv, args };
    if (launcher === 'uvx' && uv !== null) return { command: uv, args: ['tool', 'run', ...args] };
    if (node === null) continue;
    const paths = machine.platform === 'win32' ? path.win32 : path.posix;
    const shared = { command: node.file, env: node.env, first: paths.dirname(node.file) };
    if (launcher === 'node') return { ...shared, args };
    if (npm !== null && (launcher === 'npm' || launcher === 'npx'))
      return { ...shared, args: [paths.join(npm, 'bin', `${launcher}-cli.js`), ...args] };
  }
  return null;
}

/** Whether a command can be started although the machine has no program of that name. */
export function isBrought(command: string, { platform, runtimes }: Pick<Machine, 'platform' | 'runtimes'>): boolean {
  const launcher = hasFolder(command, platform) ? null : launcherIn(command, { platform });
  return launcher !== null && [true, false].some((is) => ours(launcher, [], { platform, runtimes }, is) !== null);
}

/** A file that was found. On Windows only what is a program itself can be started without an interpreter. */
function started(file: string, args: readonly string[], machine: Machine): Program {
  if (machine.platform !== 'win32' || !/\.(cmd|bat)$/i.test(file)) return { command: file, args };
  const script = scriptBehind(file, machine);
  const node = script === null ? null : nodeBeside(file, machine);
  if (script !== null && node !== null) return { command: node, args: [script, ...args] };
  const call = batchCall(file, args, machine.interpreter);
  // What cannot be passed is not passed in another form: the system refuses it by itself.
  return call ? { ...call, isVerbatim: true } : { command: file, args };
}

/** The script of npm's own batch files, and of those that npm writes for what it installs. */
function scriptBehind(file: string, machine: Machine): string | null {
  const folder = path.win32.dirname(file);
  const launcher = launcherIn(file, machine);
  const own = path.win32.join(folder, 'node_modules', 'npm', 'bin', `${launcher ?? ''}-cli.js`);
  if ((launcher === 'npx' || launcher === 'npm') && machine.isFile(own)) return own;
  const inside = npmShimScript(machine.read(file) ?? '');
  const script = inside === null ? null : path.win32.join(folder, inside);
  return script !== null && machine.isFile(script) ? script : null;
}

function nodeBeside(file: string, machine: Machine): string | null {
  const beside = path.win32.join(path.win32.dirname(file), 'node.exe');
  if (machine.isFile(beside)) return beside;
  return machine.find('node') ?? machine.runtimes.find(({ node }) => node !== null)?.node?.file ?? null;
}

/** PATH of the process; a person who set one has the last word. */
function searched({ first }: Program, { env }: Wanted, { path: folders, platform }: Machine): Record<string, string> {
  if (isSet(env, 'PATH', platform) || folders.length === 0) return {};
  const all = first === undefined ? folders : [first, ...folders];
  return { PATH: [...new Set(all)].join(platform === 'win32' ? ';' : ':') };
}

/** Windows does not tell `Path` from `PATH`. */
function isSet(env: Readonly<Record<string, string>>, name: string, platform: NodeJS.Platform): boolean {
  if (platform !== 'win32') return Object.hasOwn(env, name);
  return Object.keys(env).some((key) => key.toUpperCase() === name.toUpperCase());
}

/** Tried twice at most: with npm's own numbers a machine without network hangs for more than a minute. */
const NPM_SETTINGS = {
  npm_config_yes: 'true',
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_fetch_retries: '1',
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_timeout: '30000',
} as const;

/** Settings of package runners: nothing is asked, each server has a store of its own, and what is in it needs no network. */
function packageRunner({ command, args, cacheDir }: Wanted, machine: Machine): Record<string, string> {
  const launcher = launcherIn(command, machine);
  const paths = machine.platform === 'win32' ? path.win32 : path.posix;
  if (launcher === 'uv' || launcher === 'uvx') return { UV_CACHE_DIR: paths.join(cacheDir, 'uv'), UV_NO_PROGRESS: '1' };
  if (launcher !== 'npx' && launcher !== 'npm') return {};
  // An exact version never changes: asking for news of it would only make the start depend on the network.
  const isExact = args.some((arg) => EXACT.test(arg));
  return {
    ...NPM_SETTINGS,
    npm_config_cache: paths.join(cacheDir, 'npm'),
    ...(isExact && { npm_config_prefer_offline: 'true' }),
  };
}

/** `name@1.2.3`, the name with or without its scope. */
const EXACT = /^(?:--package=)?(?:@[\w.~-]+\/)?[\w.~-]+@\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;
