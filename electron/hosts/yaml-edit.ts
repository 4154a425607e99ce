import { freeName, shapeProblem } from './entry.ts';
import type { AddedEntry, Dialect, EntryPlace } from './entry.ts';
import { equals, holds, isJsonObject } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { HostConfigProblem } from './problem.ts';
import { applyInserts, undoInserts } from './splice.ts';
import type { Insert } from './splice.ts';
import { printFlow, printKey, printMap } from './yaml-print.ts';
import type { YamlLayout } from './yaml-print.ts';
import { commentsOf, ownedPair, parseYaml } from './yaml-tree.ts';
import type { ParsedYaml, YamlNode, YamlPair } from './yaml-tree.ts';

/** YAML, as Goose reads it: lines are added and taken out, and all others stay as they are. */
export const YAML: Dialect = {
  add(text, place, wantedName, { always, atFirst }) {
    const config = parseYaml(text, place.section);
    const owned = ownedPair(config, place);
    const name = owned?.name ?? freeName(wantedName, new Set(config.entries.map((entry) => entry.name)));
    const value = owned ? always : { ...always, ...atFirst };
    const inserts = owned ? update(text, owned, value) : insertion(config, place.section, name, value);
    const did = owned ? (inserts.length > 0 ? 'updated' : 'nothing') : 'added';
    const added = { text: applyInserts(text, inserts), inserts, name, did, createdSection: !config.section } as const;
    verifyAdded(config, place, value, added);
    return added;
  },
  remove(text, place, { dropEmptySection }) {
    const config = parseYaml(text, place.section);
    const owned = ownedPair(config, place);
    if (!owned || !config.section) return { text, name: undefined };
    const cut = cutEntry(config, config.section, owned, dropEmptySection);
    verifyRest(config, place, cut, undefined);
    return { text: cut, name: owned.name };
  },
  see(text, place) {
    const { root, section, entries } = parseYaml(text, place.section);
    return {
      entries: entries.map(({ name, value }) => ({ name, value })),
      otherSections: (root?.pairs ?? []).filter((pair) => pair !== section).map(({ name }) => name),
    };
  },
  print: (section, name, value) => printMap({ [section]: { [name]: value } }, { indent: '', unit: '  ', eol: '\n' }),
  printInside: (name, value) => `${printKey(name)}: ${printFlow(value)}`,
};

// A new entry: below the last one of the section, or below a section that is empty or new.
function insertion(config: ParsedYaml, sectionName: string, name: string, value: JsonObject): Insert[] {
  const { text, root, section, entries } = config;
  const eol = eolOf(text);
  const content = { [name]: value };
  if (root?.isFlow) throw new HostConfigProblem('FLOW', 'The settings in this file are written inside { and }.');
  const rootIndent = root?.pairs[0] ? indentAt(text, root.pairs[0].start) : '';
  const last = entries.at(-1);
  if (last) {
    const indent = indentAt(text, last.start);
    return [
      addLines(
        text,
        endOfLines(text, last.end),
        printMap(content, { indent, unit: unitOf(text, entries, indent), eol }),
        eol,
      ),
    ];
  }
  const layout: YamlLayout = { indent: `${rootIndent}  `, unit: '  ', eol };
  if (!section) {
    const printed = printMap({ [sectionName]: content }, { ...layout, indent: rootIndent });
    return [addLines(text, endOfDocument(text, root), printed, eol)];
  }
  const lines = addLines(text, endOfLines(text, section.end), printMap(content, layout), eol);
  return [...emptied(text, section), lines];
}

/** Takes `null` or `{}` away from behind the colon. */
function emptied(text: string, { node }: YamlPair): Insert[] {
  if (!node) return [];
  const gap = /[ \t]*$/.exec(text.slice(0, node.start))?.[0].length ?? 0;
  return [{ at: node.start - gap, text: '', replaced: text.slice(node.start - gap, node.end) }];
}

function addLines(text: string, at: number, lines: string, eol: string): Insert {
  const isLineStart = at === 0 || text[at - 1] === '\n';
  return { at, text: isLineStart ? lines + eol : eol + lines, replaced: '' };
}

/** Behind the line break of the line that an offset is in; an offset at the start of a line is behind one already. */
function endOfLines(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}

// The mark of the end of a document, where there is one, is not ours to move.
function endOfDocument(text: string, root: YamlNode | undefined): number {
  const from = root?.end ?? 0;
  const mark = /^\.\.\.(?:[ \t]|\r?$)/m.exec(text.slice(from));
  return mark ? from + mark.index : text.length;
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (!/^ *$/.test(line)) throw shapeProblem();
  return line;
}

// One step of indentation, from the first entry that shows it.
function unitOf(text: string, entries: readonly YamlPair[], indent: string): string {
  const inner = entries.flatMap(({ node }) => (node && !node.isFlow ? (node.pairs[0] ?? []) : []))[0];
  const line = inner ? text.slice(text.lastIndexOf('\n', inner.start - 1) + 1, inner.start) : '';
  return /^ +$/.test(line) && line.length > indent.length ? line.slice(indent.length) : '  ';
}

// Touches only what differs, so that what a person added to our entry stays.
function update(text: string, pair: YamlPair, wanted: JsonValue): Insert[] {
  if (holds(pair.value, wanted)) return [];
  const { node } = pair;
  const isFilledMap = node?.kind === 'map' && node.pairs.length > 0;
  if (!isFilledMap || !isJsonObject(wanted)) return [replace(text, pair, wanted)];
  const missing = Object.entries(wanted).filter(([key]) => !node.pairs.some(({ name }) => name === key));
  const changed = node.pairs.flatMap((member) => {
    const item = Object.hasOwn(wanted, member.name) ? wanted[member.name] : undefined;
    return item === undefined ? [] : update(text, member, item);
  });
  return missing.length === 0 ? changed : [...changed, extend(text, node, Object.fromEntries(missing))];
}

function extend(text: string, node: YamlNode, value: JsonObject): Insert {
  const last = node.pairs.at(-1);
  if (!last) throw shapeProblem();
  if (node.isFlow) {
    const pairs = Object.entries(value).map(([key, item]) => `, ${printKey(key)}: ${printFlow(item)}`);
    return { at: last.end, text: pairs.join(''), replaced: '' };
  }
  const eol = eolOf(text);
  return addLines(
    text,
    endOfLines(text, last.end),
    printMap(value, { indent: indentAt(text, last.start), unit: '  ', eol }),
    eol,
  );
}

function replace(text: string, { keyEnd, node }: YamlPair, wanted: JsonValue): Insert {
  const printed = printFlow(wanted);
  if (node?.isFlow) return { at: node.start, text: printed, replaced: text.slice(node.start, node.end) };
  const colon = text.indexOf(':', keyEnd) + 1;
  const end = node?.end ?? colon;
  const replaced = text.slice(colon, end);
  return { at: colon, text: ` ${printed}${replaced.endsWith('\n') ? eolOf(text) : ''}`, replaced };
}

function cutEntry(
  { text, entries }: ParsedYaml,
  section: YamlPair,
  owned: YamlPair,
  dropEmptySection: boolean,
): string {
  if (section.node?.isFlow) throw shapeProblem();
  if (entries.length > 1) return cutLines(text, owned);
  const inside = { ...section, start: section.keyEnd };
  const hasComments = commentsOf(text, owned).length > commentsOf(text, inside).length;
  if (dropEmptySection && !hasComments) return cutLines(text, section);
  // A section with nothing in it would read as no value at all.
  const colon = text.indexOf(':', section.keyEnd) + 1;
  const cut = cutLines(text, owned);
  return `${cut.slice(0, colon)} {}${cut.slice(colon)}`;
}

// Whole lines; a comment behind the last value is left in place.
function cutLines(text: string, { start, end }: YamlPair): string {
  const indent = indentAt(text, start).length;
  const rest = text[end - 1] === '\n' ? '' : /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end))?.[0];
  if (rest === undefined) return text.slice(0, start) + text.slice(end).trimStart();
  const until = end + rest.length;
  const isLast = until === text.length && !text.endsWith('\n');
  const gap = isLast ? (/\r?\n$/.exec(text.slice(0, start - indent))?.[0].length ?? 0) : 0;
  return text.slice(0, start - indent - gap) + text.slice(until);
}

function verifyAdded(config: ParsedYaml, place: EntryPlace, value: JsonObject, added: AddedEntry): void {
  const after = verifyRest(config, place, added.text, added.name);
  const actual = ownedPair(after, place)?.value;
  const isRight = added.did === 'added' ? equals(actual, value) : holds(actual, value);
  if (!isRight || undoInserts(added.text, added.inserts) !== config.text) throw shapeProblem();
}

// Everything but our entry must be there with the very same source text, and our entry only where it is wanted.
function verifyRest(config: ParsedYaml, place: EntryPlace, text: string, name: string | undefined): ParsedYaml {
  const after = parseResult(text, place.section);
  const [old, now] = [config, after].map((one) => othersOf(one, place));
  if (!equals(old, now) || ownedPair(after, place)?.name !== name) throw shapeProblem();
  return after;
}

function othersOf(config: ParsedYaml, place: EntryPlace): JsonValue[] {
  const { text, root, section, entries } = config;
  const owned = ownedPair(config, place);
  const read = ({ name, start, end, value }: YamlPair): JsonValue => [name, text.slice(start, end).trimEnd(), value];
  return [
    ...(root?.pairs ?? []).filter((pair) => pair !== section).map(read),
    '',
    ...entries.filter((pair) => pair !== owned).map(read),
    '',
    ...commentsOf(text, owned),
  ];
}

// A result that does not parse is our mistake, not one in the person's file.
function parseResult(text: string, section: string): ParsedYaml {
  try {
    return parseYaml(text, section);
  } catch (cause) {
    throw shapeProblem({ cause });
  }
}

function eolOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}
