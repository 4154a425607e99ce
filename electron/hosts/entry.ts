import { isJsonObject, ownValue } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { HostConfigProblem } from './problem.ts';
import type { Insert } from './splice.ts';

/** Where an entry goes and how it is told from those of other people. */
export interface EntryPlace {
  readonly section: string;
  /** A token that is among the entry's arguments and in no other entry. */
  readonly owner: string;
  /** The entry of this name is meant instead, whoever wrote it. */
  readonly name?: string;
}

/** What is written for an app. */
export interface EntryContent {
  /** Kept up to date in the file. */
  readonly always: JsonObject;
  /** Written with a new entry only: a person may change it afterwards, such as switching the entry off. */
  readonly atFirst: JsonObject;
}

/** A finished edit; `inserts` lead from the old text to `text` and back. */
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

/** An entry of the section as it reads. */
export interface SeenEntry {
  readonly name: string;
  readonly value: JsonValue;
}

/** What is said of a settings text without changing it. */
export interface SeenConfig {
  readonly entries: readonly SeenEntry[];
  /** Names of the settings beside the section. */
  readonly otherSections: readonly string[];
}

/**
 * How settings are written in one language. All throw HostConfigProblem for a text whose meaning is not beyond doubt,
 * and for an edit that would touch more than our own entry.
 */
export interface Dialect {
  /** Adds our entry, or brings the one that is there up to date; every other byte stays. */
  readonly add: (text: string, place: EntryPlace, wantedName: string, content: EntryContent) => AddedEntry;
  /** Cuts exactly our entry; with `dropEmptySection` also the section, where nothing else is in it. */
  readonly remove: (text: string, place: EntryPlace, options: { readonly dropEmptySection: boolean }) => RemovedEntry;
  readonly see: (text: string, place: EntryPlace) => SeenConfig;
  /** The entry inside its section, to be pasted by a person. */
  readonly print: (section: string, name: string, value: JsonObject) => string;
  /** The entry on one line, to be pasted inside the brackets of a section. */
  readonly printInside: (name: string, value: JsonObject) => string;
}

const MAX_NAMES = 99;

/** The wanted name, or the first with a number behind it that nobody has. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; number <= MAX_NAMES; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(name)) return name;
  }
  throw new HostConfigProblem('NAME_TAKEN', `All names from "${wanted}" to "${wanted}-${MAX_NAMES}" are taken.`);
}

/** Whether an entry is the one that an edit is about. */
export function isMeant({ owner, name }: EntryPlace, entry: SeenEntry): boolean {
  return name === undefined ? carriesOwner(entry.value, owner) : entry.name === name;
}

/**
 * Whether an entry is ours: the owner token is among its arguments, alone or as `--owner=TOKEN`. Some apps keep the
 * arguments behind the command in one list.
 */
export function carriesOwner(entry: JsonValue, owner: string): boolean {
  if (owner === '' || !isJsonObject(entry)) return false;
  const words = [listIn(entry, 'args'), listIn(entry, 'command')].flat();
  return words.some((word) => word === owner || word.endsWith(`=${owner}`));
}

/** The command line of an entry; apps have two names for the command, and some keep it in one list with the rest. */
export function wordsOf(entry: JsonValue): string[] {
  if (!isJsonObject(entry)) return [];
  const command = ownValue(entry, 'command') ?? ownValue(entry, 'cmd');
  return [...(typeof command === 'string' ? [command] : listIn(entry, 'command')), ...listIn(entry, 'args')];
}

function listIn(entry: JsonObject, key: string): string[] {
  const value = ownValue(entry, key);
  const words: readonly JsonValue[] = Array.isArray(value) ? (value as readonly JsonValue[]) : []; // widens to any[]
  return words.filter((word) => typeof word === 'string');
}

export function shapeProblem(options?: { cause: unknown }): HostConfigProblem {
  const sentence = 'This file is written in a way that Holdfast cannot change safely.';
  return new HostConfigProblem('SHAPE', sentence, undefined, options);
}
