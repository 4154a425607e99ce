import { parse, type ParseError } from 'jsonc-parser';
import { z } from 'zod';
import { addressServer } from './address.ts';
import { lineServer } from './line.ts';
import { envRow, isLauncher, nameFromArgs, serverOf } from './parts.ts';
import type { Found, PastedServer, Unreadable } from './pasted.ts';

const MAX_SERVERS = 50;
const text = z.string().max(8_000);
const scalar = z.union([text, z.number(), z.boolean()]).transform(String);
/** One entry, as any app writes it. */
const entryShape = z.looseObject({
  command: z.union([text, z.array(text).min(1).max(200)]).optional(),
  args: z.array(scalar).max(200).default([]),
  env: z.record(z.string().max(200), scalar).default({}),
  url: text.optional(),
  serverUrl: text.optional(),
  httpUrl: text.optional(),
  headers: z.record(z.string().max(200), scalar).default({}),
});
type Entry = z.output<typeof entryShape>;

/** Under these names apps keep their servers, at the top or one level down. */
const SECTIONS = ['mcpServers', 'servers', 'mcp', 'context_servers', 'mcp_servers'];

/** Reads a block of settings, as pages print it for one app or another: whole, or an entry cut out of the middle. */
export function blockServers(block: string): Found {
  const start = block.search(/[{"]/);
  if (start < 0 || !block.includes(':') || !block.includes('}')) return null;
  const value = looseJson(block.slice(start));
  if (value === undefined) return 'block';
  const found = entriesIn(value, 0);
  if (found.length === 0) return 'nothing';
  if (found.length > MAX_SERVERS) return 'long';
  const servers = found.map(([name, entry]) => entryServer(name, entry));
  const bad = servers.find((server) => typeof server === 'string');
  return bad ?? servers.filter((server): server is PastedServer => typeof server !== 'string');
}

/** Comments, trailing commas and missing outer brackets are common on pages. */
function looseJson(block: string): object | undefined {
  const end = Math.max(block.lastIndexOf('}'), 0) + 1;
  for (const candidate of [block.slice(0, end), `{${block.slice(0, end)}}`]) {
    const errors: ParseError[] = [];
    try {
      const value: unknown = parse(candidate, errors, { allowTrailingComma: true });
      if (errors.length === 0 && isObject(value)) return value;
    } catch {
      return undefined; // nested deeper than the stack: no settings
    }
  }
  return undefined;
}

function entriesIn(value: object, depth: number): [name: string, entry: Entry][] {
  const whole = entryOf(value);
  if (whole !== undefined) return [['', whole]];
  if (depth > 2) return [];
  const sections = SECTIONS.filter((name) => Object.hasOwn(value, name));
  const rows = Object.entries(value).filter(([name]) => sections.length === 0 || sections.includes(name));
  return rows.flatMap(([name, inner]: [string, unknown]) => {
    if (!isObject(inner)) return [];
    const entry = entryOf(inner);
    return entry === undefined ? entriesIn(inner, depth + 1) : [[name, entry] as [string, Entry]];
  });
}

function entryOf(value: object): Entry | undefined {
  // Only what the block itself says counts: a key such as `__proto__` gives an object other properties.
  const entry = entryShape.safeParse(Object.fromEntries(Object.entries(value))).data;
  if (entry === undefined) return undefined;
  return entry.command !== undefined || addressIn(entry) !== undefined ? entry : undefined;
}

function addressIn({ url, serverUrl, httpUrl }: Entry): string | undefined {
  return url ?? serverUrl ?? httpUrl;
}

function entryServer(name: string, entry: Entry): PastedServer | Unreadable {
  const { command, args, env, headers } = entry;
  if (command === undefined) return addressServer(addressIn(entry) ?? '', name, headers);
  const [program = '', ...more] = typeof command === 'string' ? [command] : command;
  const rows = Object.entries(env).map(([key, value]) => envRow(key, value));
  // Some pages put the whole line into the command.
  if (args.length === 0 && more.length === 0 && isLauncher(program.split(' ')[0] ?? '') && program.includes(' ')) {
    const line = lineServer(program);
    return line === null || typeof line === 'string' ? (line ?? 'nothing') : withRows(line, name, rows);
  }
  const all = [...more, ...args];
  return serverOf(name === '' ? nameFromArgs(program, all) : name, program, all, rows);
}

function withRows(line: PastedServer, name: string, rows: PastedServer['env']): PastedServer | Unreadable {
  return serverOf(name === '' ? line.name : name, line.command, line.args, [...line.env, ...rows]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
