import { parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { HostConfigProblem, positionAt } from './problem.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
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

/** The tree of a strict JSON text, or undefined where it holds nothing but white space. */
export function parseStrict(text: string): Node | undefined {
  if (/^[ \t\r\n]*$/.test(text)) return undefined;
  const errors: ParseError[] = [];
  const root = parseOrTooDeep(text, errors);
  const [error] = errors;
  if (error) throw syntaxProblem(text, error);
  if (!root || !isJson(text)) throw new HostConfigProblem('SYNTAX', 'This file is not valid JSON.');
  return root;
}

function parseOrTooDeep(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (cause) {
    // The parser is recursive: thousands of nested brackets exhaust its stack.
    if (!(cause instanceof RangeError)) throw cause;
    throw new HostConfigProblem('SHAPE', 'The settings in this file are nested too deeply.', undefined, { cause });
  }
}

// A second opinion from the engine the host app itself uses: the tolerant parser must never be the base of a write.
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function syntaxProblem(text: string, error: ParseError): HostConfigProblem {
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
export function valueOf(text: string, node: Node): JsonValue {
  return JSON.parse(sourceOf(text, node)) as JsonValue; // the text of a node is JSON
}

/** The last member of that name: the one that every JSON reader uses. */
export function memberNamed(members: readonly Member[], key: string): Member | undefined {
  return members.filter((member) => member.key === key).at(-1);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `actual` has everything of `wanted`; objects may have more members (a person may add some by hand). */
export function holds(actual: JsonValue | undefined, wanted: JsonValue): boolean {
  if (isJsonObject(wanted)) {
    const own = isJsonObject(actual) ? actual : undefined;
    return own !== undefined && Object.entries(wanted).every(([key, value]) => holds(ownValue(own, key), value));
  }
  if (Array.isArray(wanted)) {
    const list: readonly JsonValue[] | undefined = Array.isArray(actual) ? actual : undefined;
    const items: readonly JsonValue[] = wanted; // Array.isArray widens to any[]
    return list?.length === items.length && items.every((value, at) => equals(list[at], value));
  }
  return actual === wanted;
}

/** Deep equality of JSON values. */
export function equals(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return holds(left, right) && holds(right, left);
}

function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
