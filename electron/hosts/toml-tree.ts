import { ParseError, parseTOML } from 'toml-eslint-parser';
import type { AST } from 'toml-eslint-parser';
import { isMeant } from './entry.ts';
import type { EntryPlace } from './entry.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { HostConfigProblem, positionAt } from './problem.ts';

/** One `key = value`, with its whole path from the root. */
export interface TomlLeaf {
  readonly path: readonly string[];
  readonly pair: AST.TOMLKeyValue;
}

/** A settings text, taken apart as far as an edit needs it. */
export interface ParsedToml {
  readonly text: string;
  readonly tables: readonly AST.TOMLTable[];
  readonly leaves: readonly TomlLeaf[];
  readonly comments: readonly AST.Comment[];
  readonly hasSection: boolean;
  /** The section is a value of its own, to which no table can be added. */
  readonly inline: AST.TOMLKeyValue | undefined;
  readonly entries: ReadonlyMap<string, JsonValue>;
}

/** Parses strictly, as TOML 1.0, and refuses every text whose meaning for the section is not beyond doubt. */
export function parseToml(text: string, section: string): ParsedToml {
  const program = parseOrRefuse(text, section);
  const [root] = program.body;
  const tables = root.body.filter((item) => item.type === 'TOMLTable');
  const leaves = root.body.flatMap((item) => leavesOf(item));
  const inline = leaves.find(({ path }) => path.length === 1 && path[0] === section)?.pair;
  refuseOtherTypes(text, section, tables, inline);
  return {
    text,
    tables,
    leaves,
    comments: program.comments,
    hasSection: [...tables.map(keyOf), ...leaves.map(({ path }) => path)].some(([first]) => first === section),
    inline,
    entries: entriesIn(section, tables, leaves),
  };
}

/** Our entry's name, found by the owner token; more than one is refused. */
export function ownedName({ text, entries }: ParsedToml, place: EntryPlace): string | undefined {
  const owned = [...entries].filter(([name, value]) => isMeant(place, { name, value })).map(([name]) => name);
  if (owned.length <= 1) return owned[0];
  const sentence = `An entry made by Holdfast is there ${owned.length} times. Remove all but one.`;
  throw new HostConfigProblem('DUP_ENTRY', sentence, positionAt(text, text.lastIndexOf(place.owner)));
}

/** The path in a table's header; the places in lists of tables count as parts. */
export function keyOf(table: AST.TOMLTable): string[] {
  return table.resolvedKey.map(String);
}

export function namesOf(key: AST.TOMLKey): string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
}

export function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((part, at) => path[at] === part);
}

/** A value in terms of JSON; dates are texts. */
export function jsonOf(node: AST.TOMLContentNode): JsonValue {
  if (node.type === 'TOMLArray') return node.elements.map(jsonOf);
  if (node.type === 'TOMLInlineTable') {
    const members = node.body.map((pair) => [namesOf(pair.key), jsonOf(pair.value)] as const);
    return members.reduce<JsonObject>((object, [path, value]) => withValue(object, path, value), {});
  }
  return node.value instanceof Date ? node.value.toISOString() : node.value;
}

function leavesOf(item: AST.TOMLKeyValue | AST.TOMLTable): TomlLeaf[] {
  if (item.type === 'TOMLKeyValue') return [{ path: namesOf(item.key), pair: item }];
  return item.body.map((pair) => ({ path: [...keyOf(item), ...namesOf(pair.key)], pair }));
}

function refuseOtherTypes(
  text: string,
  section: string,
  tables: readonly AST.TOMLTable[],
  inline: AST.TOMLKeyValue | undefined,
): void {
  const list = tables.find(({ resolvedKey }) => resolvedKey[0] === section && typeof resolvedKey[1] === 'number');
  const other = inline && inline.value.type !== 'TOMLInlineTable' ? inline : list;
  if (!other) return;
  const sentence = `The section "${section}" should hold one table for each server.`;
  throw new HostConfigProblem('SECTION_TYPE', sentence, positionAt(text, other.range[0]));
}

function entriesIn(section: string, tables: readonly AST.TOMLTable[], leaves: readonly TomlLeaf[]) {
  const all = [
    ...tables.filter(({ body }) => body.length === 0).map((table) => [keyOf(table), {}] as const),
    ...leaves.map(({ path, pair }) => [path, jsonOf(pair.value)] as const),
  ];
  let entries: JsonObject = {};
  for (const [path, value] of all) {
    const [first, ...rest] = path;
    if (first !== section) continue;
    if (rest.length > 0) entries = withValue(entries, rest, value);
    else entries = value as JsonObject; // anything else has been refused
  }
  return new Map(Object.entries(entries));
}

/** The object with one value more, at a path; whatever the name, nothing but own members come of it. */
function withValue(object: JsonObject, [key = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
  const current = Object.hasOwn(object, key) ? object[key] : undefined;
  const inner = typeof current === 'object' && current !== null ? (current as JsonObject) : {}; // the parser knows no other doubles
  const item = rest.length === 0 ? value : withValue(inner, rest, value);
  return Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, item]]);
}

function parseOrRefuse(text: string, section: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: '1.0' });
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new HostConfigProblem('SHAPE', 'The settings in this file are nested too deeply.', undefined, { cause });
    }
    if (!(cause instanceof ParseError)) throw cause;
    const position = { line: cause.lineNumber, column: cause.column + 1 };
    const line = text.split(/\r\n|\n/)[position.line - 1] ?? '';
    const isTwice = cause.message.includes('multiple times');
    const hint = isTwice ? 'this name is there already' : hintOf(cause.message, line);
    const sentence = `There is a mistake on line ${position.line}, column ${position.column}: ${hint}.`;
    const isEntry = isTwice && line.replaceAll(/["'\s]/g, '').startsWith(`[${section}.`);
    throw new HostConfigProblem(isEntry ? 'DUP_ENTRY' : 'SYNTAX', sentence, position, { cause });
  }
}

// The parser's own words name tokens and code points; none of them quotes more than one character of the file.
function hintOf(message: string, line: string): string {
  if (line.includes('\r')) return 'there is a line break of a kind that TOML does not know (a single CR)';
  return `it is not valid TOML (${message.replace(/\.$/, '').slice(0, 80)})`;
}
