import { isEnvName } from '../core/value-names.ts';
import { wordsOf } from './entry.ts';
import { isJsonObject } from './json-value.ts';
import type { JsonValue } from './json-value.ts';
import { skip } from './import-skips.ts';
import type { ImportSkip } from './import-skips.ts';
import { blanksIn, machineValues, withValues } from './import-variables.ts';
import type { ImportBlank, ImportInput, Variables } from './import-variables.ts';
import { entryShape } from './import-shape.ts';
import type { Entry } from './import-shape.ts';

type Pairs = Readonly<Record<string, string>>;

/** How a server is reached, whatever app had it. */
export type ImportStart =
  | {
      readonly kind: 'program';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Pairs;
      /** The folder it is started in; `null` where the app leaves it to chance. */
      readonly cwd: string | null;
    }
  | { readonly kind: 'address'; readonly url: string; readonly headers: Pairs };

/** One server as one app had it. */
export interface ReadServer {
  readonly start: ImportStart;
  readonly isDisabled: boolean;
  /** Tools the app used, where it names them, and those it left out. */
  readonly tools: { readonly only: readonly string[] | null; readonly without: readonly string[] };
  readonly blanks: readonly ImportBlank[];
}

/** What the meaning of an entry depends on besides itself. */
export interface ReadContext {
  readonly appTitle: string;
  readonly variables: Variables;
  readonly inputs: readonly ImportInput[];
  readonly home: string;
  readonly separator: string;
}

const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,60}$/;
/** What hides in a text or turns it round: what would run could then read differently from what is shown. */
const HIDDEN = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** A name may be joined emoji. */
const HIDDEN_IN_NAME = /(?!\u200D|\uFE0F)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const MAX_NAME = 200;
const MAX_DEPTH = 20;
/** Goose and Zed have servers of their own kind, which are a part of them. */
const BUILT_IN = new Set(['builtin', 'platform', 'frontend', 'inline_python', 'extension', 'sdk']);
const PROGRAM_TYPES = new Set(['stdio', 'local', 'custom']);
const ADDRESS_TYPES = new Set(['http', 'sse', 'streamable-http', 'streamable_http', 'streamablehttp', 'remote']);

/** Reads one entry of an app's settings. Pure, and never throws, whatever is in it. */
export function readEntry(name: string, value: JsonValue, context: ReadContext): ReadServer | ImportSkip {
  if (isOwnEntry(value)) return skip('ours');
  if (name.trim() === '' || name.length > MAX_NAME) return skip('malformed', { where: 'name' });
  if (HIDDEN_IN_NAME.test(name)) return skip('hidden');
  const parsed = isJsonObject(value) && !isUnsafe(value) ? entryShape.safeParse(value) : undefined;
  if (parsed?.success !== true)
    return skip('malformed', { where: String(parsed?.error.issues[0]?.path[0] ?? 'entry') });
  return readShape(parsed.data, context);
}

/** Of any installation: what starts with our bridge's arguments leads back here. */
function isOwnEntry(value: JsonValue): boolean {
  return wordsOf(value).some((word, at, all) => /^hf-[0-9a-f]{12}$/.test(word) && all[at - 1] === '--owner');
}

/** A name that means something else to the language than to people, or more levels than any entry has. */
function isUnsafe(value: JsonValue, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_DEPTH) return true;
  return Object.entries(value).some(
    ([key, item]: [string, JsonValue]) => key === '__proto__' || isUnsafe(item, depth + 1),
  );
}

function readShape(entry: Entry, context: ReadContext): ReadServer | ImportSkip {
  const type = (entry.type ?? entry.transport ?? entry.source ?? '').toLowerCase();
  if (BUILT_IN.has(type)) return skip('built-in', { app: context.appTitle });
  const start = startOf(entry, type);
  if ('code' in start) return start;
  if (typeof entry.envFile === 'string') return skip('env-file', { file: entry.envFile });
  if (textsOf(start).some((text) => HIDDEN.test(text))) return skip('hidden');
  const fixed = mapStart(start, machineValues(context.variables, context.home, context.separator));
  if (isBridge(fixed)) return skip('bridge');
  if (fixed.kind === 'program' && !isWholeFolder(fixed.cwd)) return skip('malformed', { where: 'cwd' });
  const own = new Set(fixed.kind === 'program' ? Object.keys(fixed.env) : []);
  const handedOn = handedOnBlanks(entry);
  const blanks = blanksIn(textsOf(fixed), context.variables, context.inputs, own);
  return {
    start: fixed,
    isDisabled: entry.disabled === true || entry.enabled === false,
    tools: {
      only: entry.enabled_tools ?? entry.includeTools ?? null,
      without: entry.disabledTools ?? entry.disabled_tools ?? entry.excludeTools ?? [],
    },
    blanks: [...blanks.filter(({ token }) => !handedOn.some((other) => other.token === token)), ...handedOn],
  };
}

/** A folder by its whole path; what stands in place of one is asked for. */
function isWholeFolder(cwd: string | null): boolean {
  return cwd === null || /^(?:[\\/]|[A-Za-z]:[\\/]|\$?\{)/.test(cwd);
}

function startOf(entry: Entry, type: string): ImportStart | ImportSkip {
  const { command, cmd } = entry;
  const isProgram =
    PROGRAM_TYPES.has(type) || (!ADDRESS_TYPES.has(type) && (command ?? cmd ?? undefined) !== undefined);
  if (type !== '' && !PROGRAM_TYPES.has(type) && !ADDRESS_TYPES.has(type)) return skip('transport', { type });
  const start = isProgram ? programOf(entry) : addressOf(entry);
  return start ?? skip('empty');
}

function programOf(entry: Entry): ImportStart | ImportSkip | undefined {
  const { words, env: inner } = lineOf(entry);
  const [command = '', ...args] = words;
  if (command.trim() === '') return undefined;
  const env = { ...inner, ...(entry.env ?? entry.envs ?? entry.environment), ...handedOnEnv(entry) };
  if (Object.keys(env).some((name) => !isEnvName(name))) return skip('malformed', { where: 'env' });
  return { kind: 'program', command, args, env, cwd: entry.cwd ?? entry.working_directory ?? null };
}

/** Apps have the program and its arguments in one value, in two, or in a value of its own. */
function lineOf({ command, cmd, args }: Entry): { readonly words: readonly string[]; readonly env: Pairs } {
  const line = command ?? cmd ?? [];
  const more = args ?? [];
  if (typeof line === 'string') return { words: [line, ...more], env: {} };
  if (Array.isArray(line)) return { words: [...line, ...more], env: {} };
  return { words: [line.path, ...(line.args ?? []), ...more], env: line.env ?? {} };
}

function addressOf(entry: Entry): ImportStart | ImportSkip | undefined {
  const url = entry.httpUrl ?? entry.url ?? entry.serverUrl ?? entry.uri ?? '';
  if (url.trim() === '') return undefined;
  const named = Object.entries(entry.env_http_headers ?? {}).map(([header, name]) => [header, tokenOf(name)] as const);
  const bearer = entry.bearer_token_env_var;
  const headers = {
    ...(entry.headers ?? entry.http_headers),
    ...Object.fromEntries(named),
    ...(typeof bearer === 'string' && { Authorization: `Bearer ${tokenOf(bearer)}` }),
  };
  if (Object.keys(headers).some((name) => !HEADER_NAME.test(name))) return skip('malformed', { where: 'headers' });
  return { kind: 'address', url, headers };
}

/** How a value that the app takes from elsewhere stands in an entry until the person gives it. */
function tokenOf(name: string): string {
  return `\${${name}}`;
}

function handedOnEnv(entry: Entry): Pairs {
  const names = [...(entry.env_keys ?? []), ...(entry.env_vars ?? [])];
  return Object.fromEntries(names.map((name) => [name, tokenOf(name)]));
}

function handedOnBlanks(entry: Entry): ImportBlank[] {
  const bearer = typeof entry.bearer_token_env_var === 'string' ? [entry.bearer_token_env_var] : [];
  const secret = [...(entry.env_keys ?? []), ...bearer, ...Object.values(entry.env_http_headers ?? {})];
  const blank = (name: string, isSecret: boolean): ImportBlank => ({
    ...{ token: tokenOf(name), label: name, isSecret, fallback: null },
  });
  return [...secret.map((name) => blank(name, true)), ...(entry.env_vars ?? []).map((name) => blank(name, false))];
}

function textsOf(start: ImportStart): string[] {
  if (start.kind === 'address') return [start.url, ...Object.values(start.headers)];
  const { command, args, env, cwd } = start;
  return [command, ...args, ...Object.values(env), ...(cwd === null ? [] : [cwd])];
}

/** The same start with values in place of what stands for them. */
export function mapStart(start: ImportStart, values: ReadonlyMap<string, string>): ImportStart {
  const map = (text: string): string => withValues(text, values);
  const mapPairs = (pairs: Pairs): Pairs =>
    Object.fromEntries(Object.entries(pairs).map(([key, text]) => [key, map(text)]));
  if (start.kind === 'address') return { kind: 'address', url: map(start.url), headers: mapPairs(start.headers) };
  const { command, args, env, cwd } = start;
  const folder = cwd === null ? null : map(cwd);
  return { kind: 'program', command: map(command), args: args.map(map), env: mapPairs(env), cwd: folder };
}

/** Programs that hold other servers; one inside the other, a call could go round for ever. */
const GATEWAYS = /^(?:@?mcp[_-]router(?:\/cli)?|mcp-hub|mcpm|@metamcp\/.*|mcp-gateway|@smithery\/gateway)(?:@.*)?$/i;
/** Programs that only lead on to an address. */
const LEADING_ON = /^(?:mcp-remote|mcp-proxy|supergateway|@modelcontextprotocol\/bridge)(?:@.*)?$/i;
const OWN_COMPUTER = /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)(?::\d+)?(?:[/?#]|$)/i;

function isBridge(start: ImportStart): boolean {
  if (start.kind === 'address') return false;
  const words = [lastPart(start.command), ...start.args];
  const isDocker = words[0] === 'docker' && words[1] === 'mcp' && words[2] === 'gateway';
  const isGateway = words[0] === 'holdfast' || words.slice(0, 4).some((word) => GATEWAYS.test(word));
  const leadsOn = words.slice(0, 4).some((word) => LEADING_ON.test(word));
  return isDocker || isGateway || (leadsOn && words.some((word) => OWN_COMPUTER.test(word)));
}

function lastPart(command: string): string {
  return (command.split(/[\\/]/).at(-1) ?? command).replace(/\.(?:exe|cmd)$/i, '');
}
