import type { Node } from 'jsonc-parser';
import { ownedEntry, parseConfig, refuseRepeats, sourceOfOthers } from './json-section.ts';
import type { ParsedConfig } from './json-section.ts';
import * as style from './json-style.ts';
import type { Layout } from './json-style.ts';
import { endOf, equals, holds, isJsonObject, memberNamed, membersOf, sourceOf, valueOf } from './json-tree.ts';
import type { JsonObject, JsonValue, Member } from './json-tree.ts';
import { HostConfigProblem } from './problem.ts';
import { applyInserts, undoInserts } from './splice.ts';
import type { Insert } from './splice.ts';

/** Where an entry goes and how it is told from those of other people. */
export interface EntryPlace {
  readonly section: string;
  /** A token that is among the entry's arguments and in no other entry. */
  readonly owner: string;
}

/** A finished edit; `inserts` lead from the old text to `text` and back ({@link undoInserts}). */
export interface AddedEntry {
  readonly text: string;
  readonly inserts: readonly Insert[];
  /** The name in the file: an entry that was renamed by hand keeps its name, a taken one gets a number. */
  readonly name: string;
  readonly did: 'added' | 'updated' | 'nothing';
  readonly createdSection: boolean;
}

export interface RemovedEntry {
  readonly text: string;
  /** Undefined where no entry of ours was found. */
  readonly name: string | undefined;
}

const MAX_NAMES = 99;

/**
 * Adds our entry to a strict JSON text, or brings the one that is there up to date; every other byte stays.
 * Members that a person added to our entry stay too. Throws HostConfigProblem where the text is not beyond doubt.
 */
export function addEntry(text: string, place: EntryPlace, wantedName: string, value: JsonObject): AddedEntry {
  const config = parseConfig(text, place.section);
  const sameName = config.entries.filter((entry) => entry.key === wantedName);
  refuseRepeats('DUP_ENTRY', text, sameName, `The entry "${wantedName}"`);
  const owned = ownedEntry(config, place.owner);
  const name = owned?.key ?? freeName(wantedName, config.entries);
  const inserts = owned ? updates(config, owned, value) : [insertion(config, place.section, name, value)];
  const added: AddedEntry = {
    text: applyInserts(text, inserts),
    inserts,
    name,
    did: owned ? (inserts.length > 0 ? 'updated' : 'nothing') : 'added',
    createdSection: !config.section,
  };
  verifyAdded(config, place, value, added);
  return added;
}

/** Cuts exactly our entry; with `dropEmptySection` also the section, where nothing else is in it. */
export function removeEntry(text: string, place: EntryPlace, options: { dropEmptySection: boolean }): RemovedEntry {
  const config = parseConfig(text, place.section);
  const { root, section } = config;
  const owned = ownedEntry(config, place.owner);
  if (!owned || !section || !root) return { text, name: undefined };
  const isLast = config.entries.length === 1;
  const cut =
    isLast && options.dropEmptySection ? cutMember(text, root, section) : cutMember(text, section.value, owned);
  verifyRest(config, cut, place);
  return { text: cut, name: owned.key };
}

function freeName(wanted: string, entries: readonly Member[]): string {
  const taken = new Set(entries.map((entry) => entry.key));
  for (let number = 1; number <= MAX_NAMES; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(name)) return name;
  }
  throw new HostConfigProblem('NAME_TAKEN', `All names from "${wanted}" to "${wanted}-${MAX_NAMES}" are taken.`);
}

// A new entry: into the section, or with a new section, or as the first content of the file.
function insertion(config: ParsedConfig, sectionName: string, name: string, value: JsonObject): Insert {
  const { text, root, section, entries } = config;
  const content = { [name]: value };
  if (!root) {
    const layout = style.layoutOfNothing(text);
    return { at: 0, text: style.printValue({ [sectionName]: content }, layout) + layout.eol, replaced: text };
  }
  if (section && entries.length > 0) return append(text, root, section.value, [[name, value]], true);
  if (section) return fill(text, section.value, content, style.layoutOfMember(text, root, root, section));
  if (root.children?.length) return append(text, root, root, [[sectionName, content]], false);
  return fill(text, root, { [sectionName]: content }, style.layoutOfEmptyRoot(text, root));
}

function fill(text: string, node: Node, value: JsonValue, layout: Layout): Insert {
  return { at: node.offset, text: style.printValue(value, layout), replaced: sourceOf(text, node) };
}

/** New members after the last one, which shows how: on lines of their own or on the same line. */
function append(
  text: string,
  root: Node,
  object: Node,
  additions: readonly (readonly [string, JsonValue])[],
  likeSibling: boolean,
): Insert {
  const members = membersOf(object);
  const last = members.at(-1);
  if (!last) return fill(text, object, Object.fromEntries(additions), style.COMPACT);
  const layout = style.layoutOfMember(text, root, object, last);
  const separator = layout.kind === 'block' ? `,${layout.eol}${layout.indent}` : layout.comma;
  const isLikeLine = likeSibling && last.value.type === 'object' && style.isOneLine(text, last.value);
  const valueLayout = isLikeLine ? style.lineLayoutOf(text, last.value) : layout;
  const printed = additions.map(
    ([key, value]) => separator + JSON.stringify(key) + layout.colon + style.printValue(value, valueLayout),
  );
  return { at: last.end, text: printed.join(''), replaced: '' };
}

function updates(config: ParsedConfig, owned: Member, value: JsonObject): Insert[] {
  const { text, root, section } = config;
  if (!root || !section) return [];
  return updateMember(text, root, section.value, owned, value);
}

// Touches only what differs, so that what a person added to our entry stays.
function updateMember(text: string, root: Node, parent: Node, member: Member, wanted: JsonValue): Insert[] {
  const node = member.value;
  const current = valueOf(text, node);
  if (holds(current, wanted)) return [];
  if (isJsonObject(wanted) && isJsonObject(current) && Object.keys(current).length > 0) {
    return updateObject(text, root, node, wanted);
  }
  const layout = style.isOneLine(text, node)
    ? style.lineLayoutOf(text, node)
    : style.layoutOfMember(text, root, parent, member);
  return [fill(text, node, wanted, layout)];
}

function updateObject(text: string, root: Node, object: Node, wanted: JsonObject): Insert[] {
  const members = membersOf(object);
  const inserts: Insert[] = [];
  const missing: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(wanted)) {
    const member = memberNamed(members, key);
    if (member) inserts.push(...updateMember(text, root, object, member, value));
    else missing.push([key, value]);
  }
  if (missing.length > 0) inserts.push(append(text, root, object, missing, false));
  return inserts;
}

function cutMember(text: string, object: Node, member: Member): string {
  const members = membersOf(object);
  const index = members.findIndex((other) => other.start === member.start);
  const previous = members[index - 1];
  const next = members[index + 1];
  if (next) {
    // With the white space before us and our comma: the next member keeps its own line.
    const start = member.start - style.gapBefore(text, object, member).length;
    return text.slice(0, start) + text.slice(text.indexOf(',', member.end) + 1);
  }
  if (previous) return text.slice(0, previous.end) + text.slice(member.end);
  return `${text.slice(0, object.offset)}{}${text.slice(endOf(object))}`;
}

function verifyAdded(before: ParsedConfig, place: EntryPlace, value: JsonObject, added: AddedEntry): void {
  const after = verifyRest(before, added.text, place, added.name);
  const entry = ownedEntry(after, place.owner);
  const actual = entry && valueOf(added.text, entry.value);
  const isRight = added.did === 'added' ? equals(actual, value) : holds(actual, value);
  const isReversible = undoInserts(added.text, added.inserts) === before.text;
  if (!isRight || !isReversible) throw shapeProblem();
}

// Everything but our entry must be there with the very same source text, and our entry only where it is wanted.
function verifyRest(before: ParsedConfig, text: string, place: EntryPlace, name?: string): ParsedConfig {
  const after = parseResult(text, place.section);
  const isRestKept = equals(sourceOfOthers(before, place.owner), sourceOfOthers(after, place.owner));
  if (!isRestKept || ownedEntry(after, place.owner)?.key !== name) throw shapeProblem();
  return after;
}

// A result that does not parse is our mistake, not one in the person's file.
function parseResult(text: string, section: string): ParsedConfig {
  try {
    return parseConfig(text, section);
  } catch (cause) {
    throw shapeProblem({ cause });
  }
}

function shapeProblem(options?: { cause: unknown }): HostConfigProblem {
  const sentence = 'This file is written in a way that Holdfast cannot change safely.';
  return new HostConfigProblem('SHAPE', sentence, undefined, options);
}
