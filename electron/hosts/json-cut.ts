import type { Node } from 'jsonc-parser';
import type { ParsedConfig } from './json-section.ts';
import type { Range } from './json-scan.ts';
import { gapBefore } from './json-style.ts';
import { endOf, membersOf } from './json-tree.ts';
import type { JsonText, Member } from './json-tree.ts';

/** The text without one member and the comma that it no longer needs; comments around it stay. */
export function cutMember(config: ParsedConfig, object: Node, member: Member): string {
  const { text, plain } = config;
  const members = membersOf(object);
  const index = members.findIndex((other) => other.start === member.start);
  const previous = members[index - 1];
  const next = members[index + 1];
  const close = endOf(object) - 1;
  if (!previous && !next && !hasComments(config, object, member)) {
    return `${text.slice(0, object.offset)}{}${text.slice(endOf(object))}`;
  }
  const own: Range = { start: cutStart(config, object, member, next?.start ?? close), end: member.end };
  const commaAfter = commaIn(plain, member.end, next?.start ?? close);
  if (commaAfter) return without(text, [own, withGap(text, member.end, commaAfter)]);
  const commaBefore = previous && commaIn(plain, previous.end, member.start);
  if (!previous || !commaBefore) return without(text, [own]);
  return without(text, [withGap(text, previous.end, commaBefore), own]);
}

/** A comma with the white space before it, where there is nothing else. */
function withGap(text: string, start: number, comma: Range): Range {
  return text.slice(start, comma.start).trim() === '' ? { start, end: comma.end } : comma;
}

/** Whether there are comments in an object outside of one of its members. */
export function hasComments({ text, plain }: JsonText, object: Node, member?: Member): boolean {
  const rest = (form: string): string =>
    form.slice(object.offset, member?.start ?? endOf(object)) + form.slice(member?.end ?? endOf(object), endOf(object));
  return rest(text) !== rest(plain);
}

// With the white space before it, unless that is the line break that ends a comment: what follows must stay outside.
function cutStart({ text, plain }: JsonText, object: Node, member: Member, until: number): number {
  const start = member.start - gapBefore(text, object, member).length;
  const isAfterComment = text[start - 1] !== plain[start - 1];
  const line = /^[^\r\n]*/.exec(text.slice(member.end, until + 1))?.[0] ?? '';
  const isAloneOnLine = /^[ \t]*,?[ \t]*$/.test(line) && member.end + line.length <= until;
  return isAfterComment && !isAloneOnLine ? member.start : start;
}

function commaIn(plain: string, start: number, end: number): Range | undefined {
  const at = plain.slice(start, end).indexOf(',');
  return at < 0 ? undefined : { start: start + at, end: start + at + 1 };
}

function without(text: string, ranges: readonly Range[]): string {
  let result = '';
  let from = 0;
  for (const { start, end } of ranges) {
    result += text.slice(from, Math.max(from, start));
    from = Math.max(from, end);
  }
  return result + text.slice(from);
}
