import { BOUNDS } from './bounds.ts';

/**
 * What hides, breaks or turns text round on a screen: controls, formats, private use, halves of pairs, separators, and
 * letters that show nothing.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]+/gu;
/** More marks than any script puts on one letter: they would grow over the lines around. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** Our sentences quote names with these. */
const OUR_QUOTES = /[“”„‟]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const ISOLATE = '\u2068';
const END_ISOLATE = '\u2069';

/**
 * A stranger's name on our screens: one line, bounded, nothing in it that hides text or turns it round, and closed off
 * where it runs from right to left. Empty only for a name without any character. Never part of an identity.
 */
export function cleanName(text: string, length: number = BOUNDS.displayName.value): string {
  // What is cut off would not be shown either way, and need not be looked at.
  const head = text.slice(0, 16 * length);
  const plain = visiblePart(head);
  const shown = plain === '' ? codePoints(head) : plain;
  const short = shown.length <= length ? shown : `${wellCut(shown, length - 1)}…`;
  return RIGHT_TO_LEFT.test(short) ? `${ISOLATE}${short}${END_ISOLATE}` : short;
}

/** True where {@link cleanName} would have nothing to show but numbers. */
export function showsNothing(text: string): boolean {
  return visiblePart(text.slice(0, 16 * BOUNDS.displayName.value)) === '';
}

function visiblePart(text: string): string {
  return text
    .replaceAll(HIDDEN, ' ')
    .replaceAll(OUR_QUOTES, '"')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(PILED_MARKS, '$1')
    .replace(/^[\s\p{M}]+/u, '')
    .trimEnd();
}

/** A longer text that stands in one of our sentences: its lines are kept, its tricks are not. */
export function cleanText(text: string): string {
  const plain = text.replaceAll(HIDDEN, (run) => run.replaceAll(/[^\n\t\u2068\u2069]/gu, ''));
  return isolatesAreClosed(plain) ? plain : plain.replaceAll(/[\u2068\u2069]/g, '');
}

/** A name that shows nothing is told by the numbers of its first characters. */
function codePoints(text: string): string {
  const first = Array.from(text.slice(0, 8)).slice(0, 4);
  return first.map((sign) => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`).join(' ');
}

/** Never in the middle of a pair. */
function wellCut(text: string, length: number): string {
  return /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? text.slice(0, length - 1) : text.slice(0, length);
}

function isolatesAreClosed(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (sign === ISOLATE) open++;
    if (sign === END_ISOLATE && --open < 0) return false;
  }
  return open === 0;
}
