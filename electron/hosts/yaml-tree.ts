import { isAlias, isMap, isScalar, Lexer, parseAllDocuments } from 'yaml';
import type { Document, Pair, Scalar, YAMLMap } from 'yaml';
import { isMeant } from './entry.ts';
import type { EntryPlace } from './entry.ts';
import type { JsonValue } from './json-value.ts';
import { HostConfigProblem, positionAt } from './problem.ts';
import type { ProblemCode } from './problem.ts';

/** One `key: value` of a map, by offsets into the text. */
export interface YamlPair {
  readonly name: string;
  /** Where the key begins and ends. */
  readonly start: number;
  readonly keyEnd: number;
  /** Behind the value; for a value of several lines that may be the start of the next line. */
  readonly end: number;
  /** Undefined where nothing is written behind the colon. */
  readonly node: YamlNode | undefined;
  readonly value: JsonValue;
}

export interface YamlNode {
  readonly kind: 'map' | 'list' | 'scalar' | 'alias';
  readonly isFlow: boolean;
  readonly start: number;
  readonly end: number;
  readonly pairs: readonly YamlPair[];
}

export interface ParsedYaml {
  readonly text: string;
  /** Undefined where the file holds nothing (but comments). */
  readonly root: YamlNode | undefined;
  readonly section: YamlPair | undefined;
  readonly entries: readonly YamlPair[];
}

/** Parses strictly and refuses every text whose meaning for the section is not beyond doubt. */
export function parseYaml(text: string, sectionName: string): ParsedYaml {
  const document = documentOf(text, sectionName);
  const contents = document?.contents ?? null;
  if (document === undefined || contents === null || (isScalar(contents) && contents.source === '')) {
    return { text, root: undefined, section: undefined, entries: [] };
  }
  const root = orTooMuch(() => nodeOf(document, contents));
  if (root?.kind !== 'map') {
    throw new HostConfigProblem('ROOT_TYPE', 'The settings in this file are not names with values.');
  }
  const section = root.pairs.find(({ name }) => name === sectionName);
  refuseOtherSection(text, sectionName, section);
  return { text, root, section, entries: section?.node?.pairs ?? [] };
}

/** Our entry, found by the owner token; more than one is refused. */
export function ownedPair({ text, entries }: ParsedYaml, place: EntryPlace): YamlPair | undefined {
  const owned = entries.filter((entry) => isMeant(place, entry));
  const [first, second] = owned;
  if (!second) return first;
  const sentence = `An entry made by Holdfast is there ${owned.length} times. Remove all but one.`;
  throw new HostConfigProblem('DUP_ENTRY', sentence, positionAt(text, second.start));
}

/** The comments of a text in order, less those inside of one pair. */
export function commentsOf(text: string, without?: YamlPair): string[] {
  const comments: string[] = [];
  let offset = 0;
  let isContent = false;
  for (const token of new Lexer().lex(text)) {
    const isMark = token === '\x02' || token === '\x18' || token === '\x1f'; // of the lexer, not of the text
    const isInside = without && offset > without.start && offset < without.end;
    if (token.startsWith('#') && !isContent && !isInside) comments.push(token);
    isContent = token === '\x1f';
    if (!isMark) offset += token.length;
  }
  return comments;
}

function refuseOtherSection(text: string, name: string, section: YamlPair | undefined): void {
  const node = section?.node;
  if (!section || !node || (node.kind === 'map' && !(node.isFlow && node.pairs.length > 0))) return;
  const position = positionAt(text, section.start);
  if (node.kind === 'scalar' && section.value === null) return;
  const [code, sentence]: readonly [ProblemCode, string] =
    node.kind === 'alias'
      ? ['SHAPE', `The section "${name}" on line ${position.line} stands for another part of the file.`]
      : node.kind === 'map'
        ? ['FLOW', `The section "${name}" on line ${position.line} is written inside { and }.`]
        : ['SECTION_TYPE', `The section "${name}" should hold names with values.`];
  throw new HostConfigProblem(code, sentence, position);
}

function documentOf(text: string, section: string): Document.Parsed | undefined {
  const all = orTooMuch(() => parseAllDocuments(text, { merge: true, prettyErrors: true, strict: true }));
  if (!Array.isArray(all)) return undefined; // an empty stream
  const documents = all as Document.Parsed[]; // what it is, where it is not an empty stream
  const [document, second] = documents;
  const error = documents.flatMap(({ errors }) => errors)[0];
  if (error) {
    const position = positionAt(text, error.pos[0]);
    const isTwice = error.code === 'DUPLICATE_KEY';
    const hint = isTwice ? 'this name is there already' : (HINTS[error.code] ?? 'this is not valid YAML');
    const sentence = `There is a mistake on line ${position.line}, column ${position.column}: ${hint}.`;
    throw new HostConfigProblem(isTwice ? twiceCode(text, error.pos[0], section) : 'SYNTAX', sentence, position);
  }
  if (second) {
    const sentence = 'This file holds several documents, one after the other.';
    throw new HostConfigProblem('SHAPE', sentence, positionAt(text, second.range[0]));
  }
  return document;
}

const HINTS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab cannot be used to indent, use spaces',
  BAD_INDENT: 'this line is indented too much or too little',
  MISSING_CHAR: 'something is missing before this',
  UNEXPECTED_TOKEN: 'there is something here that does not belong',
  MULTILINE_IMPLICIT_KEY: 'a name must be on one line',
  BLOCK_IN_FLOW: 'this cannot be inside { and } or [ and ]',
};

function twiceCode(text: string, offset: number, section: string): ProblemCode {
  return text.startsWith(section, offset) ? 'DUP_SECTION' : 'DUP_ENTRY';
}

// The parser is recursive, and aliases can stand for more than memory holds.
function orTooMuch<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof HostConfigProblem || !(cause instanceof RangeError || cause instanceof ReferenceError))
      throw cause;
    const sentence = 'The settings in this file are nested or repeated too much.';
    throw new HostConfigProblem('SHAPE', sentence, undefined, { cause });
  }
}

function nodeOf(document: Document.Parsed, node: unknown): YamlNode | undefined {
  if (!isNode(node)) return undefined;
  const [start, end] = node.range ?? [0, 0];
  if (isAlias(node)) return { kind: 'alias', isFlow: false, start, end, pairs: [] };
  if (isScalar(node)) return start === end ? undefined : { kind: 'scalar', isFlow: true, start, end, pairs: [] };
  const isFlow = node.flow === true;
  if (!isMap(node)) return { kind: 'list', isFlow, start, end, pairs: [] };
  const pairs = node.items.map((pair) => pairOf(document, pair));
  return { kind: 'map', isFlow, start, end, pairs };
}

type AnyNode = Scalar | YAMLMap;

function isNode(node: unknown): node is AnyNode {
  return typeof node === 'object' && node !== null && 'range' in node;
}

function pairOf(document: Document.Parsed, { key, value }: Pair): YamlPair {
  const [start = 0, keyEnd = 0] = (isNode(key) ? key.range : undefined) ?? [];
  const node = nodeOf(document, value);
  return {
    name: isScalar(key) ? String(key.value) : '',
    start,
    keyEnd,
    end: node?.end ?? keyEnd,
    node,
    value: isNode(value) ? (value.toJS(document, { maxAliasCount: 100 }) as JsonValue) : null, // plain values, as the schema has no others
  };
}
