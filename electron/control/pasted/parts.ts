import { isEnvName, soundsSecret } from '../../core/value-names.ts';
import type { PastedEnv, PastedHole, PastedServer, Unreadable } from './pasted.ts';

/** Programs that a server's page tells people to start one with. */
const LAUNCHERS = [
  ...['npx', 'npm', 'pnpm', 'yarn', 'bunx', 'bun', 'node', 'deno'],
  ...['uvx', 'uv', 'pipx', 'python', 'python3', 'docker', 'podman'],
];
const MAX_PARTS = 200;
const MAX_NAME = 60;
/** What a page writes where a person's own value has to go. */
const STANDS_FOR =
  /^(?:\s*|<.*>|\[.*\]|\{\{?.*\}?\}|\$\{?.*\}?|%.+%|x{3,}|\.{3,}|…|.*\byour[\s_-].*|.*\byour(?:key|token)\b.*|(?:sk|ghp|pk)[-_](?:x+|\.+|…|\*+)|\*{3,}|(?:replace|insert|change|enter|add)[\s_-].*)$/i;
const STANDS_FOR_PATH =
  /(?:^|[\s=])(?:[a-z]:)?[\\/](?:absolute[\\/])?path[\\/]to[\\/]|^path[\\/]to[\\/]|[\\/]username[\\/]|[\\/]<[^>]+>/i;

/** True for the name of a program that servers are started with, whatever its folder. */
export function isLauncher(word: string): boolean {
  const base = (word.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd)$/i, '');
  return LAUNCHERS.includes(base);
}

/** One environment value as the text gives it. */
export function envRow(name: string, value: string): PastedEnv {
  return { name, value: STANDS_FOR.test(value) ? null : value, isSecret: soundsSecret(name) };
}

/** The server that these parts make, or why they make none. */
export function serverOf(
  name: string,
  command: string,
  args: readonly string[],
  env: readonly PastedEnv[],
): PastedServer | Unreadable {
  if (command === '' || args.length > MAX_PARTS || env.length > MAX_PARTS) return 'nothing';
  if (env.some((row) => !isEnvName(row.name))) return 'nothing';
  const holes = args.flatMap((arg, at): PastedHole[] => (isHole(arg) ? [{ at, label: arg }] : []));
  return { name: plainName(name), command, args, env: once(env), holes, isRemote: false };
}

function isHole(arg: string): boolean {
  return (arg !== '' && !arg.startsWith('-') && STANDS_FOR.test(arg)) || STANDS_FOR_PATH.test(arg);
}

function once(env: readonly PastedEnv[]): PastedEnv[] {
  return [...new Map(env.map((row) => [row.name, row])).values()];
}

/** What the server is called until the person says otherwise: the package's own name, readable. */
export function nameFromArgs(command: string, args: readonly string[]): string {
  const first = args.find((arg) => !arg.startsWith('-') && !['run', 'exec', 'dlx', 'tool', '-y'].includes(arg));
  const last = command === 'docker' || command === 'podman' ? args.filter((arg) => !arg.startsWith('-')).at(-1) : first;
  const whole = (last ?? command).replace(/^@[^/]*\/(?=.)/, '');
  const base = whole.split(/[\\/]/).at(-1) ?? whole;
  const bare = base
    .replace(/@[^@]*$/, '')
    .replace(/:[^:]*$/, '')
    .replace(/\.(?:js|mjs|cjs|ts|py)$/, '');
  const short = bare.replace(/^(?:mcp-server-|server-|mcp-)/, '').replace(/-(?:mcp-server|mcp|server)$/, '');
  return short === '' || short === 'mcp' ? bare : short;
}

function plainName(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').replaceAll(/\s+/g, ' ').trim();
  const short = (words === '' ? 'Server' : words).slice(0, MAX_NAME).trim();
  return short.charAt(0).toUpperCase() + short.slice(1);
}
