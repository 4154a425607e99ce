import { parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import type { JsonValue } from './json-value.ts';
import { blanked, extrasOf, outline } from './json-scan.ts';
import type { Range } from './json-scan.ts';
import { HostConfigProblem, positionAt } from './problem.ts';

/** What a program accepts beyond strict JSON. */
export interface JsonSyntax {
  /** Comments, and a comma behind the last of several things. */
  readonly isRelaxed: boolean;
}

/** A text in three forms of the same length, so that an offset means the same in each. */
export interface JsonText {
  readonly text: string;
  /** Comments are blanks. */
  readonly plain: string;
  /** Commas without something behind them are blanks too. */
  readonly strict: string;
  readonly comments: readonly Range[];
}

/** One `"key": value` of an object, by offsets into the text. */
export interface Member {
  readonly key: string;
  readonly start: number;
  readonly keyEnd: number;
  readonly value: Node;
  readonly end: number;
}

const SYNTAX_HINTS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'there is something here that does not belong, perhaps a quotation mark is missing',
  InvalidNumberFormat: 'this number is not written correctly',
  PropertyNameExpected: 'a name in quotation marks is missing here, or there is one comma too many before this',
  ValueExpected: 'a value is missing here, or there is one comma too many before this',
  ColonExpected: 'a colon is missing before this',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'there is more text after the end of the settings',
  InvalidCommentToken: 'comments are not allowed in this file',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a closing quotation mark is missing',
  UnexpectedEndOfNumber: 'this number is not complete',
  InvalidUnicode: 'a \\u escape is not complete',
  InvalidEscapeCharacter: 'a single backslash is not allowed in this text, write it twice',
  InvalidCharacter: 'there is a control character in this text, such as a tab',
};

/** The text with blanks for what is not strict JSON. */
export function formsOf(text: string, { isRelaxed }: JsonSyntax): JsonText {
  if (!isRelaxed) return { text, plain: text, strict: text, comments: [] };
  const { comments, lastCommas } = extrasOf(text);
  const plain = blanked(text, comments);
  const strict = blanked(
    plain,
    lastCommas.map((start) => ({ start, end: start + 1 })),
  );
  return { text, plain, strict, comments };
}

/** The comments of a text in order, less those inside of one member. */
export function commentsOf({ text, comments }: JsonText, without?: Member): string[] {
  return comments
    .filter(({ start }) => !(without && start > without.start && start < without.end))
    .map(({ start, end }) => text.slice(start, end));
}

/**
 * The tree of a text, or undefined where it holds nothing (but comments). The content of settings other than `section`
 * is left out of it: some of these files hold megabytes that are nobody's business here.
 */
export function parseJson({ text, plain, strict }: JsonText, syntax: JsonSyntax, section: string): Node | undefined {
  if (/^[ \t\r\n]*$/.test(plain)) return undefined;
  // The engine that most host apps use has the say: a tolerant parser must never be the base of a write.
  if (!isJson(strict)) throw syntaxProblem(text, syntax);
  return orTooDeep(() => parseTree(outline(strict, section)));
}

function orTooDeep<T>(parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    // The parser is recursive: thousands of nested brackets exhaust its stack.
    if (!(cause instanceof RangeError)) throw cause;
    throw new HostConfigProblem('SHAPE', 'The settings in this file are nested too deeply.', undefined, { cause });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function syntaxProblem(text: string, { isRelaxed }: JsonSyntax): HostConfigProblem {
  const errors: ParseError[] = [];
  orTooDeep(() => parseTree(text, errors, { disallowComments: !isRelaxed, allowTrailingComma: isRelaxed }));
  const [error] = errors;
  if (!error) return new HostConfigProblem('SYNTAX', 'This file is not valid JSON.');
  const position = positionAt(text, error.offset);
  const hint = SYNTAX_HINTS[printParseErrorCode(error.error)] ?? 'this is not valid JSON';
  const sentence = `There is a mistake on line ${position.line}, column ${position.column}: ${hint}.`;
  return new HostConfigProblem('SYNTAX', sentence, position);
}

/** The members of an object in file order, duplicates included. */
export function membersOf(object: Node): Member[] {
  const members: Member[] = [];
  for (const property of object.children ?? []) {
    const [key, value] = property.children ?? [];
    if (!key || !value) continue; // cannot happen in a tree without errors
    members.push({
      key: String(key.value),
      start: property.offset,
      keyEnd: endOf(key),
      value,
      end: endOf(value),
    });
  }
  return members;
}

export function endOf(node: Node): number {
  return node.offset + node.length;
}

export function sourceOf(text: string, node: Node): string {
  return text.slice(node.offset, endOf(node));
}

/** The value of a node. Through JSON.parse, because the tree library would set prototypes for a key `__proto__`. */
export function valueOf({ strict }: JsonText, node: Node): JsonValue {
  return JSON.parse(sourceOf(strict, node)) as JsonValue; // the strict text of a node is JSON
}

/** The last member of that name: the one that every JSON reader uses. */
export function memberNamed(members: readonly Member[], key: string): Member | undefined {
  return members.filter((member) => member.key === key).at(-1);
}
