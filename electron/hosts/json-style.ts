import type { Node } from 'jsonc-parser';
import { endOf, membersOf, sourceOf } from './json-tree.ts';
import type { JsonText, Member } from './json-tree.ts';
import { isJsonObject } from './json-value.ts';
import type { JsonValue } from './json-value.ts';

/** How a new value is written, copied from what is around it. */
export type Layout = LineLayout | BlockLayout;

/** All on one line. */
export interface LineLayout {
  readonly kind: 'line';
  readonly colon: string;
  readonly comma: string;
  /** White space inside the braces of an object. */
  readonly pad: string;
}

/** One member per line. `indent` is that of the line on which the value begins. */
export interface BlockLayout {
  readonly kind: 'block';
  readonly colon: string;
  readonly eol: string;
  readonly indent: string;
  readonly unit: string;
}

export const LINE_BREAK = /\r\n|\n|\r/;
const DEFAULT_UNIT = '  ';
export const COMPACT: LineLayout = { kind: 'line', colon: ':', comma: ',', pad: '' };
const SPACED: LineLayout = { kind: 'line', colon: ': ', comma: ', ', pad: '' };

/** Writes a value in the given layout. */
export function printValue(value: JsonValue, layout: Layout): string {
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return printItems(
      '[',
      ']',
      items.map((item) => printValue(item, nested(layout))),
      layout,
    );
  }
  if (isJsonObject(value)) {
    const items = Object.entries(value).map(([key, item]) => printMember(key, item, nested(layout)));
    return printItems('{', '}', items, layout);
  }
  return JSON.stringify(value);
}

/** Writes `"key": value`; the layout is that of the value. */
export function printMember(key: string, value: JsonValue, layout: Layout): string {
  return JSON.stringify(key) + layout.colon + printValue(value, layout);
}

function printItems(open: string, close: string, items: readonly string[], layout: Layout): string {
  if (items.length === 0) return open + close;
  if (layout.kind === 'line') {
    const pad = open === '{' ? layout.pad : '';
    return open + pad + items.join(layout.comma) + pad + close;
  }
  const { eol, indent, unit } = layout;
  return open + eol + items.map((item) => indent + unit + item).join(`,${eol}`) + eol + indent + close;
}

/** The layout of what is inside. */
export function nested(layout: Layout): Layout {
  return layout.kind === 'line' ? layout : { ...layout, indent: layout.indent + layout.unit };
}

/** The white space right before a member; with comments as blanks, all that is between it and the token before it. */
export function gapBefore(text: string, object: Node, member: Member): string {
  let start = member.start;
  while (start > object.offset + 1 && /[ \t\r\n]/.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, member.start);
}

/** The indentation of the line that holds an offset. */
function lineIndent(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** The last line break before a member and the indentation after it; undefined where it does not begin a line. */
function lineStart({ text, plain }: JsonText, object: Node, member: Member) {
  const breaks = gapBefore(plain, object, member).match(/\r\n|\n|\r/g);
  return breaks ? { eol: breaks.at(-1) ?? '\n', indent: lineIndent(text, member.start) } : undefined;
}

/** What is between two offsets, unless there is a comment in it, which is not to be copied. */
function between({ text, plain }: JsonText, start: number, end: number): string | undefined {
  const part = text.slice(start, end);
  return part === plain.slice(start, end) ? part : undefined;
}

/** The spacing of a one-line object or array. */
export function lineLayoutOf(forms: JsonText, container: Node): LineLayout {
  const [first, second] = container.children ?? [];
  if (!first) return COMPACT;
  const member = container.type === 'object' ? membersOf(container)[0] : undefined;
  const gap = second && between(forms, endOf(first), second.offset);
  const colon = member ? colonOf(forms, member) : gap === ',' ? COMPACT.colon : SPACED.colon;
  const comma = gap === undefined || LINE_BREAK.test(gap) ? undefined : `,${gap.replace(/^[ \t]*,/, '')}`;
  const pad = (container.type === 'object' && between(forms, container.offset + 1, first.offset)) || '';
  return {
    kind: 'line',
    colon,
    comma: comma ?? (colon.endsWith(' ') ? SPACED.comma : COMPACT.comma),
    pad: LINE_BREAK.test(pad) ? '' : pad,
  };
}

/** Whether a non-empty object or array is written on one line. */
export function isOneLine(text: string, node: Node): boolean {
  return Boolean(node.children?.length) && !LINE_BREAK.test(sourceOf(text, node));
}

/** How the value of `member` is to be written when it is replaced or filled. */
export function layoutOfMember(forms: JsonText, root: Node, object: Node, member: Member): Layout {
  const start = lineStart(forms, object, member);
  if (!start) return lineLayoutOf(forms, object);
  return { kind: 'block', colon: colonOf(forms, member), ...start, unit: unitOf(forms, [object, root]) };
}

/** How an empty root object is to be filled. */
export function layoutOfEmptyRoot(text: string, root: Node): Layout {
  const eol = LINE_BREAK.exec(text)?.[0];
  if (eol) return { kind: 'block', colon: ': ', eol, indent: lineIndent(text, root.offset), unit: DEFAULT_UNIT };
  return root.length > 2 ? { ...SPACED, pad: ' ' } : COMPACT;
}

/** How an object that holds nothing but comments is to be filled: on lines of its own where the comments are. */
export function layoutInside(forms: JsonText, root: Node, object: Node): Layout {
  const eol = LINE_BREAK.exec(sourceOf(forms.text, object))?.[0];
  if (!eol) return { ...SPACED, pad: ' ' };
  return {
    kind: 'block',
    colon: ': ',
    eol,
    indent: lineIndent(forms.text, object.offset),
    unit: unitOf(forms, [root]),
  };
}

/** How a file that holds nothing but white space (and comments) is to be filled. */
export function layoutOfNothing(text: string): BlockLayout {
  const eol = LINE_BREAK.exec(text)?.[0] ?? '\n';
  return { kind: 'block', colon: ': ', eol, indent: '', unit: DEFAULT_UNIT };
}

function colonOf(forms: JsonText, member: Member): string {
  const colon = between(forms, member.keyEnd, member.value.offset);
  return colon === undefined || LINE_BREAK.test(colon) ? SPACED.colon : colon;
}

// One step of indentation, from the first of the objects that shows it.
function unitOf(forms: JsonText, objects: readonly Node[]): string {
  for (const object of objects) {
    const [first] = membersOf(object);
    const inner = first && lineStart(forms, object, first)?.indent;
    const outer = lineIndent(forms.text, object.offset);
    if (inner?.startsWith(outer)) return inner.slice(outer.length);
  }
  return DEFAULT_UNIT;
}
