import type { Node } from 'jsonc-parser';
import { isMeant } from './entry.ts';
import type { EntryPlace } from './entry.ts';
import { formsOf, membersOf, parseJson, sourceOf, valueOf } from './json-tree.ts';
import type { JsonSyntax, JsonText, Member } from './json-tree.ts';
import { HostConfigProblem, positionAt } from './problem.ts';
import type { ProblemCode } from './problem.ts';

/** A settings text, taken apart as far as an edit needs it. */
export interface ParsedConfig extends JsonText {
  /** Undefined where there is only white space (and comments). */
  readonly root: Node | undefined;
  /** The section as an object or null, where there is one. */
  readonly section: Member | undefined;
  readonly entries: readonly Member[];
}

/** Parses strictly and refuses every text whose meaning for `section` is not beyond doubt. */
export function parseConfig(text: string, sectionName: string, syntax: JsonSyntax): ParsedConfig {
  const forms = formsOf(text, syntax);
  const root = parseJson(forms, syntax, sectionName);
  if (!root) return { ...forms, root, section: undefined, entries: [] };
  if (root.type !== 'object') {
    const sentence = 'The settings in this file are not inside { and }.';
    throw new HostConfigProblem('ROOT_TYPE', sentence, positionAt(text, root.offset));
  }
  const sections = membersOf(root).filter((member) => member.key === sectionName);
  refuseRepeats('DUP_SECTION', text, sections, `The section "${sectionName}"`);
  const [section] = sections;
  if (section && section.value.type !== 'object' && section.value.type !== 'null') {
    const sentence = `The section "${sectionName}" should hold a list of servers inside { and }.`;
    throw new HostConfigProblem('SECTION_TYPE', sentence, positionAt(text, section.value.offset));
  }
  return { ...forms, root, section, entries: section ? membersOf(section.value) : [] };
}

/** Refuses where one thing is there more than once: picking one of them would be a guess. */
export function refuseRepeats(code: ProblemCode, text: string, members: readonly Member[], what: string): void {
  const [, second] = members;
  if (!second) return;
  const lines = members.map((member) => positionAt(text, member.start).line).join(' and ');
  const sentence = `${what} is there ${members.length} times (line ${lines}). Remove all but one.`;
  throw new HostConfigProblem(code, sentence, positionAt(text, second.start));
}

/** Our entry, found by the owner token among its arguments; the name is no evidence. */
export function ownedEntry(config: ParsedConfig, place: EntryPlace): Member | undefined {
  const owned = config.entries.filter((entry) => isOwned(config, entry, place));
  const what = place.name === undefined ? 'An entry made by Holdfast' : `The entry "${place.name}"`;
  refuseRepeats('DUP_ENTRY', config.text, owned, what);
  return owned[0];
}

/** The source of everything that is not ours, in order: equal lists mean that an edit left the rest alone. */
export function sourceOfOthers(config: ParsedConfig, place: EntryPlace): string[] {
  const { text, root, section, entries } = config;
  const settings = root ? membersOf(root).filter((member) => member.start !== section?.start) : [];
  const servers = entries.filter((entry) => !isOwned(config, entry, place));
  return [
    ...settings.map((member) => sourceOfMember(text, member)),
    '',
    ...servers.map((entry) => sourceOfMember(text, entry)),
  ];
}

function isOwned(config: ParsedConfig, entry: Member, place: EntryPlace): boolean {
  return isMeant(place, { name: entry.key, value: valueOf(config, entry.value) });
}

function sourceOfMember(text: string, member: Member): string {
  return `${text.slice(member.start, member.keyEnd)}:${sourceOf(text, member.value)}`;
}
