import type { Node } from 'jsonc-parser';
import { endOf, isJsonObject, membersOf, sourceOf } from './json-tree.ts';
import type { JsonValue, Member } from './json-tree.ts';

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

const LINE_BREAK = /\r\n|\n|\r/;
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
function printMember(key: string, value: JsonValue, layout: Layout): string {
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

function nested(layout: Layout): Layout {
  return layout.kind === 'line' ? layout : { ...layout, indent: layout.indent + layout.unit };
}

/** The white space between a member and the token before it: the opening brace or a comma. */
export function gapBefore(text: string, object: Node, member: Member): string {
  let start = member.start;
  while (start > object.offset + 1 && /[ \t\r\n]/.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, member.start);
}

/** The last line break of a gap and the indentation after it; undefined where the gap stays on the line. */
function lineStart(gap: string): { readonly eol: string; readonly indent: string } | undefined {
  const found = /(\r\n|\n|\r)([ \t]*)$/.exec(gap);
  return found ? { eol: found[1] ?? '\n', indent: found[2] ?? '' } : undefined;
}

/** The indentation of the line that holds an offset. */
function lineIndent(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** The spacing of a one-line object or array. */
export function lineLayoutOf(text: string, container: Node): LineLayout {
  const [first, second] = container.children ?? [];
  if (!first) return COMPACT;
  const member = container.type === 'object' ? membersOf(container)[0] : undefined;
  const between = second ? text.slice(endOf(first), second.offset) : undefined;
  const colon = member ? colonOf(text, member) : between === ',' ? COMPACT.colon : SPACED.colon;
  const comma = between === undefined || LINE_BREAK.test(between) ? undefined : `,${between.replace(/^[ \t]*,/, '')}`;
  const pad = container.type === 'object' ? text.slice(container.offset + 1, first.offset) : '';
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
export function layoutOfMember(text: string, root: Node, object: Node, member: Member): Layout {
  const start = lineStart(gapBefore(text, object, member));
  if (!start) return lineLayoutOf(text, object);
  return { kind: 'block', colon: colonOf(text, member), ...start, unit: unitOf(text, [object, root]) };
}

/** How an empty root object is to be filled. */
export function layoutOfEmptyRoot(text: string, root: Node): Layout {
  const eol = LINE_BREAK.exec(text)?.[0];
  if (eol) return { kind: 'block', colon: ': ', eol, indent: lineIndent(text, root.offset), unit: DEFAULT_UNIT };
  return root.length > 2 ? { ...SPACED, pad: ' ' } : COMPACT;
}

/** How a file that holds nothing but white space is to be filled. */
export function layoutOfNothing(text: string): Layout & { readonly eol: string } {
  const eol = LINE_BREAK.exec(text)?.[0] ?? '\n';
  return { kind: 'block', colon: ': ', eol, indent: '', unit: DEFAULT_UNIT };
}

function colonOf(text: string, member: Member): string {
  const colon = text.slice(member.keyEnd, member.value.offset);
  return LINE_BREAK.test(colon) ? SPACED.colon : colon;
}

// One step of indentation, from the first of the objects that shows it.
function unitOf(text: string, objects: readonly Node[]): string {
  for (const object of objects) {
    const [first] = membersOf(object);
    const inner = first && lineStart(gapBefore(text, object, first))?.indent;
    const outer = lineIndent(text, object.offset);
    if (inner?.startsWith(outer)) return inner.slice(outer.length);
  }
  return DEFAULT_UNIT;
}
