import type { AST } from 'toml-eslint-parser';
import { freeName, shapeProblem } from './entry.ts';
import type { AddedEntry, Dialect, EntryPlace } from './entry.ts';
import { equals, holds, isJsonObject } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { HostConfigProblem, positionAt } from './problem.ts';
import { applyInserts, undoInserts } from './splice.ts';
import type { Insert } from './splice.ts';
import { printPair, printTables, printValue } from './toml-print.ts';
import { jsonOf, keyOf, namesOf, ownedName, parseToml, startsWith } from './toml-tree.ts';
import type { ParsedToml } from './toml-tree.ts';

/** TOML, as Codex reads it: a new entry is a table at the end, and nothing before it changes. */
export const TOML: Dialect = {
  add(text, place, wantedName, { always, atFirst }) {
    const config = parseToml(text, place.section);
    const owned = ownedName(config, place);
    const name = owned ?? freeName(wantedName, new Set(config.entries.keys()));
    const value = owned === undefined ? { ...always, ...atFirst } : always;
    const inserts = owned === undefined ? append(config, place, name, value) : updates(config, place, name, value);
    const did = owned === undefined ? 'added' : inserts.length > 0 ? 'updated' : 'nothing';
    const added = {
      text: applyInserts(text, inserts),
      inserts,
      name,
      did,
      createdSection: !config.hasSection,
    } as const;
    verifyAdded(config, place, value, added);
    return added;
  },
  remove(text, place) {
    const config = parseToml(text, place.section);
    const name = ownedName(config, place);
    if (name === undefined) return { text, name };
    const cut = applyInserts(text, cuts(config, [place.section, name]));
    verifyRest(config, place, cut, name, undefined);
    return { text: cut, name };
  },
  see(text, place) {
    const { entries, tables, leaves } = parseToml(text, place.section);
    const names = [...tables.map(keyOf), ...leaves.map(({ path }) => path)].map(([first]) => first ?? '');
    return {
      entries: [...entries].map(([name, value]) => ({ name, value })),
      otherSections: [...new Set(names)].filter((name) => name !== place.section),
    };
  },
  print: (section, name, value) => printTables([section, name], value, '\n').trimEnd(),
  printInside: printPair,
};

function append({ text, inline }: ParsedToml, { section }: EntryPlace, name: string, value: JsonObject): Insert[] {
  const eol = eolOf(text);
  if (inline) {
    const position = positionAt(text, inline.range[0]);
    const sentence = `The section "${section}" on line ${position.line} is written inside { and }, where nothing can be added safely.`;
    throw new HostConfigProblem('SHAPE', sentence, position);
  }
  const gap = text === '' ? '' : (text.endsWith('\n') ? '' : eol) + eol;
  return [{ at: text.length, text: gap + printTables([section, name], value, eol), replaced: '' }];
}

// Touches only what differs, so that what a person added to our entry stays.
function updates(config: ParsedToml, { section }: EntryPlace, name: string, value: JsonObject): Insert[] {
  if (config.inline) throw shapeProblem();
  return Object.entries(value).flatMap(([key, item]) => update(config, [section, name, key], item));
}

function update(config: ParsedToml, path: readonly string[], wanted: JsonValue): Insert[] {
  const leaf = config.leaves.find((one) => one.path.length === path.length && startsWith(one.path, path));
  if (leaf) return replace(config.text, leaf.pair.value, wanted);
  const isTable = config.tables.some((table) => startsWith(keyOf(table), path));
  const isDotted = config.leaves.some((one) => startsWith(one.path, path));
  if (isJsonObject(wanted) && (isTable || isDotted)) {
    return Object.entries(wanted).flatMap(([key, item]) => update(config, [...path, key], item));
  }
  return insertNew(config, path, wanted);
}

function replace(text: string, node: AST.TOMLContentNode, wanted: JsonValue): Insert[] {
  if (holds(jsonOf(node), wanted)) return [];
  const [start, end] = node.range;
  const last = node.type === 'TOMLInlineTable' ? node.body.at(-1) : undefined;
  if (node.type !== 'TOMLInlineTable' || !last || !isJsonObject(wanted)) {
    return [{ at: start, text: printValue(wanted), replaced: text.slice(start, end) }];
  }
  const missing: string[] = [];
  const inserts = Object.entries(wanted).flatMap(([key, item]) => {
    const pair = node.body.find((one) => equals(namesOf(one.key), [key]));
    if (!pair) missing.push(`, ${printPair(key, item)}`);
    return pair ? replace(text, pair.value, item) : [];
  });
  const added = missing.length === 0 ? [] : [{ at: last.range[1], text: missing.join(''), replaced: '' }];
  return [...inserts, ...added];
}

function insertNew({ text, tables }: ParsedToml, path: readonly string[], wanted: JsonValue): Insert[] {
  const parent = path.slice(0, -1);
  const table = tables.find((one) => equals(keyOf(one), parent));
  if (!table) throw shapeProblem();
  const eol = eolOf(text);
  const at = endOfLine(text, table.body.at(-1)?.range[1] ?? table.key.range[1]);
  const printed = isJsonObject(wanted)
    ? eol + eol + printTables(path, wanted, eol).trimEnd()
    : eol + printPair(path.at(-1) ?? '', wanted);
  return [{ at, text: printed, replaced: '' }];
}

/** What has to go so that nothing of the entry is left. */
function cuts({ text, tables, leaves, inline }: ParsedToml, entry: readonly string[]): Insert[] {
  if (inline) throw shapeProblem();
  const own = tables.filter((table) => startsWith(keyOf(table), entry));
  const pairs = leaves.filter(
    ({ path, pair }) => startsWith(path, entry) && !own.some((table) => table === pair.parent),
  );
  const ranges = [
    ...own.map((table) => cutLines(text, table.range[0], table.body.at(-1)?.range[1] ?? table.range[1], true)),
    ...pairs.map(({ pair }) => cutLines(text, pair.range[0], pair.range[1], false)),
  ];
  return ranges.map(([start, end]) => ({ at: start, text: '', replaced: text.slice(start, end) }));
}

// Whole lines, and the one blank line that we put before a table; a comment behind the last value is left in place.
function cutLines(text: string, start: number, end: number, withBlankLine: boolean): readonly [number, number] {
  const indent = /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  const rest = /^[ \t]*(?:\r\n|\n|$)/.exec(text.slice(end))?.[0];
  const gap = withBlankLine ? (/(?<=\n)\r?\n$/.exec(text.slice(0, start - indent))?.[0].length ?? 0) : 0;
  if (rest === undefined) return [start, end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0)];
  return [start - indent - gap, end + rest.length];
}

function verifyAdded(config: ParsedToml, place: EntryPlace, value: JsonObject, added: AddedEntry): void {
  const before = added.did === 'added' ? undefined : added.name;
  const after = verifyRest(config, place, added.text, before, added.name);
  const actual = after.entries.get(added.name);
  const isRight = added.did === 'added' ? equals(actual, value) : holds(actual, value);
  if (!isRight || undoInserts(added.text, added.inserts) !== config.text) throw shapeProblem();
}

// Everything but our entry must be there with the very same source text, and our entry only where it is wanted.
function verifyRest(config: ParsedToml, place: EntryPlace, text: string, before?: string, now?: string): ParsedToml {
  const after = parseResult(text, place.section);
  const others = [
    sourceOfOthers(config, [place.section, before ?? '\0']),
    sourceOfOthers(after, [place.section, now ?? '\0']),
  ];
  if (!equals(others[0], others[1]) || ownedName(after, place) !== now) throw shapeProblem();
  return after;
}

function sourceOfOthers({ text, tables, leaves, comments }: ParsedToml, entry: readonly string[]): string[] {
  const own = tables.filter((table) => startsWith(keyOf(table), entry)).map(({ range }) => range);
  const isOutside = ({ range: [start] }: AST.Comment): boolean => !own.some(([from, to]) => start > from && start < to);
  return [
    ...tables
      .map(keyOf)
      .filter((path) => !startsWith(path, entry))
      .map((path) => JSON.stringify(path)),
    ...leaves
      .filter(({ path }) => !startsWith(path, entry))
      .map(({ path, pair }) => JSON.stringify(path) + text.slice(...pair.value.range)),
    ...comments.filter(isOutside).map(({ range }) => text.slice(...range)),
  ];
}

// A result that does not parse is our mistake, not one in the person's file.
function parseResult(text: string, section: string): ParsedToml {
  try {
    return parseToml(text, section);
  } catch (cause) {
    throw shapeProblem({ cause });
  }
}

function eolOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

function endOfLine(text: string, offset: number): number {
  return offset + (/^[^\r\n]*/.exec(text.slice(offset))?.[0].length ?? 0);
}
