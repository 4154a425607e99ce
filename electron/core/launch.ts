import { canonicalText } from './canonical.ts';
import type { Launch, Route } from './model.ts';

/**
 * Launch identity (README, "Launch identity"): what is started, without version, other arguments or environment. A form
 * that is not recognised counts with its whole command line, so that nothing can hide in it.
 */
export function launchRoute(launch: Pick<Launch, 'command' | 'args'>): Route {
  const name = programName(launch.command);
  const recognise = LAUNCHERS.get(name);
  const found = recognise ? recognise(launch.args, launch.command) : plainProgram(launch.command, launch.args);
  return (found ?? `cmdline:${canonicalText([launch.command, ...launch.args])}`) as Route; // the one place that makes the brand
}

/** Last part of a path without the endings that Windows adds. */
function programName(command: string): string {
  const last = command.split(/[\\/]/).at(-1) ?? command;
  const name = last.toLowerCase().replace(/\.(exe|cmd|bat|ps1)$/, '');
  const plain = name.replace(/[\d.]+$/, '');
  return INTERPRETERS.has(plain) ? plain : name; // as in python3.11
}

type Recognise = (args: readonly string[], command: string) => string | undefined;

/** Options that change nothing about what is started, per launcher: without a value, and with one. */
interface Options {
  readonly flags: readonly string[];
  readonly valued: readonly string[];
}

/** Splits off leading options; `undefined` at the first one that is not listed. */
function afterOptions(args: readonly string[], { flags, valued }: Options): readonly string[] | undefined {
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-')) break;
    if (flags.includes(arg) || valued.some((option) => option.startsWith('--') && arg.startsWith(`${option}=`)))
      continue;
    if (!valued.includes(arg)) return undefined;
    at += 1;
  }
  return args.slice(at);
}

const NPX: Options = {
  flags: ['-y', '--yes', '-q', '--quiet', '--prefer-offline', '--prefer-online', '--offline'],
  valued: [],
};
const npx: Recognise = (args) => {
  const [spec] = afterOptions(args, NPX) ?? [];
  return spec === undefined ? undefined : npmPackage(spec);
};

function npmPackage(spec: string): string | undefined {
  const match = /^((?:@[a-z0-9~._-]+\/)?[a-z0-9~._-]+)(?:@([^:/\\]+))?$/i.exec(spec);
  return match?.[1] === undefined || match[1].startsWith('.') ? undefined : `npm:${match[1]}`;
}

const UVX: Options = { flags: ['-q', '--quiet', '--no-cache', '--offline', '--isolated'], valued: ['--python', '-p'] };
const uvx: Recognise = (args) => {
  const [spec] = afterOptions(args, UVX) ?? [];
  return spec === undefined ? undefined : pythonPackage(spec);
};

function pythonPackage(spec: string): string | undefined {
  const match = /^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[A-Za-z0-9,._-]*\])?(?:(?:@|==|>=|<=|~=)[^:/\\]+)?$/.exec(spec);
  // Names of Python packages are one for all spellings (PEP 503).
  return match?.[1] === undefined ? undefined : `pypi:${match[1].toLowerCase().replaceAll(/[-_.]+/g, '-')}`;
}

const DOCKER_RUN: Options = {
  flags: ['-i', '-t', '-it', '-ti', '--interactive', '--tty', '--rm', '--init', '--read-only', '-d', '--detach'],
  valued: [
    ...['-e', '--env', '--env-file', '-v', '--volume', '--mount', '--name', '--network', '--net', '-p', '--publish'],
    ...[
      '-w',
      '--workdir',
      '-u',
      '--user',
      '--platform',
      '--pull',
      '-l',
      '--label',
      '-m',
      '--memory',
      '--cpus',
      '--add-host',
    ],
  ],
};
const docker: Recognise = (args) => {
  const [verb, ...rest] = args[0] === 'container' ? args.slice(1) : args;
  const [image] = verb === 'run' ? (afterOptions(rest, DOCKER_RUN) ?? []) : [];
  return image === undefined ? undefined : containerImage(image);
};

/** A colon after the last slash starts the tag; before it, it belongs to the registry's port. */
function containerImage(image: string): string {
  const name = image.split('@')[0] ?? image;
  const slash = name.lastIndexOf('/');
  const colon = name.indexOf(':', slash + 1);
  return `oci:${colon < 0 ? name : name.slice(0, colon)}`;
}

/** An interpreter and its script: the first argument, when it is no option. */
const interpreter: Recognise = (args, command) => {
  const [script] = args;
  return script === undefined || script.startsWith('-') || isLauncherScript(script)
    ? undefined
    : `exec:${canonicalText([command, script])}`;
};
const python: Recognise = (args, command) =>
  args[0] === '-m' && args[1] !== undefined && !PACKAGE_LAUNCHERS.has(args[1])
    ? `exec:${canonicalText([command, '-m', args[1]])}`
    : interpreter(args, command);
const java: Recognise = (args, command) =>
  args[0] === '-jar' && args[1] !== undefined ? `exec:${canonicalText([command, '-jar', args[1]])}` : undefined;
const dotnet: Recognise = (args, command) =>
  args[0]?.toLowerCase().endsWith('.dll') === true ? interpreter(args, command) : undefined;
const subcommand =
  (verbs: readonly string[], inner: Recognise): Recognise =>
  (args, command) =>
    verbs.every((verb, at) => args[at] === verb) ? inner(args.slice(verbs.length), command) : undefined;
const unknown: Recognise = () => undefined;

const npmExec: Recognise = (args, command) =>
  subcommand(['exec'], npx)(args[1] === '--' ? ['exec', ...args.slice(2)] : args, command);
const bun: Recognise = (args, command) =>
  args[0] === 'x' ? npx(args.slice(1), command) : interpreter(args[0] === 'run' ? args.slice(1) : args, command);

/** Programs that start other programs. Shells and wrappers are listed to be counted whole. */
const LAUNCHERS: ReadonlyMap<string, Recognise> = new Map<string, Recognise>([
  ...pairs(npx, ['npx', 'bunx']),
  ...pairs(npmExec, ['npm']),
  ...pairs(subcommand(['dlx'], npx), ['pnpm', 'yarn']),
  ...pairs(uvx, ['uvx']),
  ...pairs(subcommand(['tool', 'run'], uvx), ['uv']),
  ...pairs(subcommand(['run'], uvx), ['pipx']),
  ...pairs(docker, ['docker', 'podman']),
  ...pairs(bun, ['bun']),
  ...pairs(python, ['python', 'py']),
  ...pairs(java, ['java']),
  ...pairs(dotnet, ['dotnet']),
  ...pairs(interpreter, ['node', 'nodejs', 'electron', 'tsx', 'ts-node', 'ruby', 'perl', 'php', 'rscript']),
  ...pairs(unknown, ['deno', 'sh', 'bash', 'zsh', 'fish', 'dash', 'ksh', 'cmd', 'powershell', 'pwsh', 'wsl']),
  ...pairs(unknown, ['env', 'sudo', 'doas', 'nice', 'nohup', 'timeout', 'time', 'xargs', 'ssh', 'exec', 'eval']),
  ...pairs(unknown, ['setsid', 'stdbuf', 'dotenv', 'op', 'doppler', 'make', 'just', 'mise', 'asdf', 'direnv']),
  ...pairs(unknown, ['nix', 'nix-shell', 'conda', 'poetry', 'pipenv', 'pip', 'rye', 'go', 'cargo', 'corepack']),
]);

const INTERPRETERS = new Set([
  ...['bun', 'python', 'py', 'java', 'node', 'nodejs', 'electron', 'tsx', 'ts-node'],
  ...['ruby', 'perl', 'php', 'rscript', 'dotnet'],
]);

const PACKAGE_LAUNCHERS = new Set(['npx', 'npm', 'pnpm', 'yarn', 'corepack', 'bunx', 'uv', 'uvx', 'pipx', 'pip']);

/** `npx-cli.js` and the like: package launchers started by their own script. */
function isLauncherScript(script: string): boolean {
  return PACKAGE_LAUNCHERS.has(programName(script).replace(/(-cli)?\.(c|m)?js$/, ''));
}

function pairs(recognise: Recognise, names: readonly string[]): [string, Recognise][] {
  return names.map((name) => [name, recognise]);
}

/** A program of its own: the executable as written. What looks like a wrapped launcher counts whole. */
function plainProgram(command: string, args: readonly string[]): string | undefined {
  const wraps = args.some((arg) => arg === '--' || LAUNCHERS.has(programName(arg)));
  return wraps ? undefined : `exec:${canonicalText([command])}`;
}
