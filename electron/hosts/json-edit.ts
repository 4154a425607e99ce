import type { Node } from 'jsonc-parser';
import { freeName, shapeProblem } from './entry.ts';
import type { AddedEntry, EntryContent, EntryPlace, RemovedEntry, SeenConfig } from './entry.ts';
import { cutMember, hasComments } from './json-cut.ts';
import { ownedEntry, parseConfig, refuseRepeats, sourceOfOthers } from './json-section.ts';
import type { ParsedConfig } from './json-section.ts';
import * as style from './json-style.ts';
import type { Layout } from './json-style.ts';
import { commentsOf, endOf, memberNamed, membersOf, sourceOf, valueOf } from './json-tree.ts';
import type { JsonSyntax, Member } from './json-tree.ts';
import { equals, holds, isJsonObject } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { applyInserts, undoInserts } from './splice.ts';
import type { Insert } from './splice.ts';

/** A text taken apart, with what is to be changed about it. */
interface Edit {
  readonly config: ParsedConfig;
  readonly place: EntryPlace;
  readonly syntax: JsonSyntax;
}

/**
 * Adds our entry to a JSON text, or brings the one that is there up to date; every other byte stays.
 * Members that a person added to our entry stay too. Throws HostConfigProblem where the text is not beyond doubt.
 */
export function addEntry(
  text: string,
  place: EntryPlace,
  wantedName: string,
  { always, atFirst }: EntryContent,
  syntax: JsonSyntax,
): AddedEntry {
  const config = parseConfig(text, place.section, syntax);
  const sameName = config.entries.filter((entry) => entry.key === wantedName);
  refuseRepeats('DUP_ENTRY', text, sameName, `The entry "${wantedName}"`);
  const owned = ownedEntry(config, place);
  const name = owned?.key ?? freeName(wantedName, new Set(config.entries.map((entry) => entry.key)));
  const value = owned ? always : { ...always, ...atFirst };
  const inserts = owned ? updates(config, owned, value) : insertion(config, place.section, name, value);
  const added: AddedEntry = {
    text: applyInserts(text, inserts),
    inserts,
    name,
    did: owned ? (inserts.length > 0 ? 'updated' : 'nothing') : 'added',
    createdSection: !config.section,
  };
  verifyAdded({ config, place, syntax }, value, added);
  return added;
}

/** Cuts exactly our entry; with `dropEmptySection` also the section, where nothing else is in it. */
export function removeEntry(
  text: string,
  place: EntryPlace,
  { dropEmptySection }: { readonly dropEmptySection: boolean },
  syntax: JsonSyntax,
): RemovedEntry {
  const config = parseConfig(text, place.section, syntax);
  const { root, section } = config;
  const owned = ownedEntry(config, place);
  if (!owned || !section || !root) return { text, name: undefined };
  const isEmptied = config.entries.length === 1 && !hasComments(config, section.value, owned);
  const cut =
    isEmptied && dropEmptySection ? cutMember(config, root, section) : cutMember(config, section.value, owned);
  verifyRest({ config, place, syntax }, cut);
  return { text: cut, name: owned.key };
}

/** The entries of a JSON text and what else is in it. */
export function seeConfig(text: string, place: EntryPlace, syntax: JsonSyntax): SeenConfig {
  const config = parseConfig(text, place.section, syntax);
  const { root, section, entries } = config;
  const others = root ? membersOf(root).filter((member) => member.start !== section?.start) : [];
  return {
    entries: entries.map((entry) => ({ name: entry.key, value: valueOf(config, entry.value) })),
    otherSections: others.map((member) => member.key),
  };
}

// A new entry: into the section, or with a new section, or as the first content of the file.
function insertion(config: ParsedConfig, sectionName: string, name: string, value: JsonObject): Insert[] {
  const { text, plain, root, section, entries } = config;
  const content = { [name]: value };
  if (!root) {
    const layout = style.layoutOfNothing(text);
    const printed = style.printValue({ [sectionName]: content }, layout) + layout.eol;
    if (text === plain) return [{ at: 0, text: printed, replaced: text }];
    const isLineEnded = /[\r\n]$/.test(text);
    return [{ at: text.length, text: (isLineEnded ? '' : layout.eol) + printed, replaced: '' }];
  }
  if (section && entries.length > 0) return append(config, root, section.value, [[name, value]], true);
  if (section)
    return fillEmpty(config, root, section.value, content, style.layoutOfMember(config, root, root, section));
  if (root.children?.length) return append(config, root, root, [[sectionName, content]], false);
  return fillEmpty(config, root, root, { [sectionName]: content }, style.layoutOfEmptyRoot(text, root));
}

function fill(text: string, node: Node, value: JsonValue, layout: Layout): Insert {
  return { at: node.offset, text: style.printValue(value, layout), replaced: sourceOf(text, node) };
}

/** An object without members (or null) gets some; comments in it stay before them. */
function fillEmpty(config: ParsedConfig, root: Node, node: Node, value: JsonObject, layout: Layout): Insert[] {
  const { text } = config;
  if (!hasComments(config, node)) return [fill(text, node, value, layout)];
  const close = endOf(node) - 1;
  const before = text.slice(0, close).trimEnd();
  const inside = style.layoutInside(config, root, node);
  const members = Object.entries(value).map(([key, item]) => style.printMember(key, item, style.nested(inside)));
  if (inside.kind === 'line') return [{ at: before.length, text: ` ${members.join(inside.comma)}`, replaced: '' }];
  const { eol, indent, unit } = inside;
  const isClosedOnLine = !style.LINE_BREAK.test(text.slice(before.length, close));
  const printed = members.map((member) => eol + indent + unit + member).join(',');
  return [{ at: before.length, text: printed + (isClosedOnLine ? eol + indent : ''), replaced: '' }];
}

/** New members after the last one, which shows how: on lines of their own or on the same line. */
function append(
  config: ParsedConfig,
  root: Node,
  object: Node,
  additions: readonly (readonly [string, JsonValue])[],
  likeSibling: boolean,
): Insert[] {
  const { text } = config;
  const last = membersOf(object).at(-1);
  if (!last) return fillEmpty(config, root, object, Object.fromEntries(additions), style.COMPACT);
  const layout = style.layoutOfMember(config, root, object, last);
  const isLikeLine = likeSibling && last.value.type === 'object' && style.isOneLine(text, last.value);
  const valueLayout = isLikeLine ? style.lineLayoutOf(config, last.value) : layout;
  const printed = additions.map(
    ([key, value]) => JSON.stringify(key) + layout.colon + style.printValue(value, valueLayout),
  );
  const gap = layout.kind === 'block' ? layout.eol + layout.indent : layout.comma.slice(1);
  const added = printed.map((member) => gap + member);
  const comma = config.plain.slice(last.end, endOf(object)).indexOf(',');
  const end = comma < 0 ? last.end : last.end + comma + 1;
  // A comment behind the last member on its line is about that member and stays there.
  const at = layout.kind === 'block' ? endOfLineComment(config, end) : end;
  if (comma >= 0) return [{ at, text: `${added.join(',')},`, replaced: '' }];
  if (at === end) return [{ at, text: `,${added.join(',')}`, replaced: '' }];
  return [
    { at: end, text: ',', replaced: '' },
    { at, text: added.join(','), replaced: '' },
  ];
}

const LINE_COMMENTS = /(?:[ \t]*\/\*[^\r\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/y;

function endOfLineComment({ text, plain }: ParsedConfig, offset: number): number {
  if (text === plain) return offset;
  LINE_COMMENTS.lastIndex = offset;
  return offset + (LINE_COMMENTS.exec(text)?.[0].length ?? 0);
}

function updates(config: ParsedConfig, owned: Member, value: JsonObject): Insert[] {
  const { root, section } = config;
  if (!root || !section) return [];
  return updateMember(config, root, section.value, owned, value);
}

// Touches only what differs, so that what a person added to our entry stays.
function updateMember(config: ParsedConfig, root: Node, parent: Node, member: Member, wanted: JsonValue): Insert[] {
  const node = member.value;
  const current = valueOf(config, node);
  if (holds(current, wanted)) return [];
  if (isJsonObject(wanted) && isJsonObject(current) && Object.keys(current).length > 0) {
    return updateObject(config, root, node, wanted);
  }
  const layout = style.isOneLine(config.text, node)
    ? style.lineLayoutOf(config, node)
    : style.layoutOfMember(config, root, parent, member);
  return [fill(config.text, node, wanted, layout)];
}

function updateObject(config: ParsedConfig, root: Node, object: Node, wanted: JsonObject): Insert[] {
  const members = membersOf(object);
  const inserts: Insert[] = [];
  const missing: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(wanted)) {
    const member = memberNamed(members, key);
    if (member) inserts.push(...updateMember(config, root, object, member, value));
    else missing.push([key, value]);
  }
  if (missing.length > 0) inserts.push(...append(config, root, object, missing, false));
  return inserts;
}

function verifyAdded(edit: Edit, value: JsonObject, added: AddedEntry): void {
  const after = verifyRest(edit, added.text, added.name);
  const entry = ownedEntry(after, edit.place);
  const actual = entry && valueOf(after, entry.value);
  const isRight = added.did === 'added' ? equals(actual, value) : holds(actual, value);
  const isReversible = undoInserts(added.text, added.inserts) === edit.config.text;
  if (!isRight || !isReversible) throw shapeProblem();
}

// Everything but our entry must be there with the very same source text, and our entry only where it is wanted.
function verifyRest({ config, place, syntax }: Edit, text: string, name?: string): ParsedConfig {
  const after = parseResult(text, place.section, syntax);
  const owned = [config, after].map((one) => ownedEntry(one, place));
  const others = [config, after].map((one) => sourceOfOthers(one, place));
  const comments = [config, after].map((one, at) => commentsOf(one, owned[at]));
  const isRestKept = equals(others[0], others[1]) && equals(comments[0], comments[1]);
  if (!isRestKept || owned[1]?.key !== name) throw shapeProblem();
  return after;
}

// A result that does not parse is our mistake, not one in the person's file.
function parseResult(text: string, section: string, syntax: JsonSyntax): ParsedConfig {
  try {
    return parseConfig(text, section, syntax);
  } catch (cause) {
    throw shapeProblem({ cause });
  }
}
