import { parse } from 'shell-quote';
import { isEnvName } from '../../core/value-names.ts';
import { addressServer } from './address.ts';
import { envRow, isLauncher, nameFromArgs, serverOf } from './parts.ts';
import type { PastedEnv, PastedServer, Unreadable } from './pasted.ts';

/** Programs with a command that adds a server: `claude mcp add …`. */
const ADDERS = ['claude', 'codex', 'gemini'];
/** Options of theirs that take a value; the others stand alone. */
const WITH_VALUE = ['-s', '--scope', '-t', '--transport', '-e', '--env', '-H', '--header', '--cwd', '--timeout'];

/** Reads one line that starts a server, or tells another app to; `null` for any other line. */
export function lineServer(line: string): PastedServer | Unreadable | null {
  const bare = line.replace(/^\s*(?:[$>#%]\s+)?/, '').trim();
  if (/^https?:\/\/\S+$/i.test(bare)) return addressServer(bare, '');
  const words = wordsOf(bare);
  if (words === null) return startsLikeServer(bare) ? 'shell' : null;
  const [env, rest] = leadingEnv(words);
  const [program = ''] = rest;
  if (ADDERS.includes(program) && rest[1] === 'mcp' && rest[2] === 'add') return addedServer(rest.slice(3), env);
  if (!isLauncher(program)) return null;
  return startedServer('', rest, env);
}

function startsLikeServer(line: string): boolean {
  const words = line.split(/\s+/).filter((word) => !/^[A-Za-z_]\w*=/.test(word));
  return isLauncher(words[0] ?? '') || ADDERS.includes(words[0] ?? '');
}

/** The words of a line; `null` where it is more than one command, or none that a shell takes. */
function wordsOf(line: string): string[] | null {
  if (line.includes('`') || line.includes('$(')) return null;
  // `<your-folder>` stands for a value; to a shell it would be a redirection.
  const quoted = /["']/.test(line) ? line : line.replaceAll(/<([\w./-]+)>/g, '"<$1>"');
  try {
    // Variables stay as they are written: they are asked for, never looked up.
    const parts = parse(quoted, (name) => `\${${name}}`);
    const words = parts.map((part) => (typeof part === 'string' ? part : 'pattern' in part ? part.pattern : null));
    return words.includes(null) ? null : words.filter((word) => word !== null);
  } catch {
    return null; // half a variable, such as `${`
  }
}

/** `KEY=value npx …`, with or without `env` before it. */
function leadingEnv(words: readonly string[]): [env: PastedEnv[], rest: string[]] {
  const start = words[0] === 'env' ? 1 : 0;
  const count = words.slice(start).findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const end = count < 0 ? words.length : start + count;
  return [words.slice(start, end).map(assignment), words.slice(end)];
}

function assignment(word: string): PastedEnv {
  const at = word.indexOf('=');
  return at < 0 ? envRow(word, '') : envRow(word.slice(0, at), word.slice(at + 1));
}

function startedServer(name: string, words: readonly string[], env: readonly PastedEnv[]): PastedServer | Unreadable {
  const [command = '', ...args] = words;
  return serverOf(name === '' ? nameFromArgs(command, args) : name, command, args, [
    ...env,
    ...dockerEnv(command, args),
  ]);
}

/** `docker run -e KEY` hands a variable of its own environment on. */
function dockerEnv(command: string, args: readonly string[]): PastedEnv[] {
  if (command !== 'docker' && command !== 'podman') return [];
  return args.flatMap((arg, at) => {
    const given = ['-e', '--env'].includes(args[at - 1] ?? '') ? arg : undefined;
    return given !== undefined && isEnvName(given) ? [envRow(given, '')] : [];
  });
}

/** `[options] name [--] command …` or `[options] name address`. */
function addedServer(words: readonly string[], env: readonly PastedEnv[]): PastedServer | Unreadable {
  const given: PastedEnv[] = [...env];
  const headers: Record<string, string> = {};
  const plain: string[] = [];
  let at = 0;
  for (; at < words.length && words[at] !== '--'; at += 1) {
    const word = words[at] ?? '';
    const isOption = word.startsWith('-') && plain.length < 2;
    if (!isOption) plain.push(word);
    else if (WITH_VALUE.includes(word)) takeOption(word, words[(at += 1)] ?? '', given, headers);
  }
  const [name = '', ...before] = plain;
  const command = [...before, ...words.slice(at + 1)];
  if (command.length === 0) return 'nothing';
  if (/^https?:\/\//i.test(command[0] ?? '')) return addressServer(command[0] ?? '', name, headers);
  return startedServer(name, command, given);
}

function takeOption(option: string, value: string, env: PastedEnv[], headers: Record<string, string>): void {
  if (option === '-e' || option === '--env') env.push(assignment(value));
  if (option !== '-H' && option !== '--header') return;
  const colon = value.indexOf(':');
  headers[value.slice(0, Math.max(colon, 0)).trim()] = value.slice(colon + 1).trim();
}
