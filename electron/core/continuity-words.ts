import { isObject } from './canonical.ts';
import { cleanName } from './display.ts';
import type { Json, JsonObject } from './model.ts';

/** A name that the maintainer brings up, with the words around it. */
export interface Mention {
  readonly name: string;
  readonly quote: string;
}

const MAX_TEXT = 100_000;
const MAX_MENTIONS = 100;
const MAX_QUOTE = 160;
/** A word this far away in the same paragraph still belongs to the name. */
const BEFORE = 160;
const AFTER = 100;

/** What a definition that is about to go says of another one. */
const OLD_SAYS =
  /\b(?:deprecat(?:ed|ion)|renamed (?:to|as)|replaced (?:by|with)|superseded by|successor|moved (?:in)?to|merged into|consolidated into|in favou?r of|obsolete|will be removed|no longer (?:supported|maintained))\b/i;
/** What a definition that stays says of one that went. */
const NEW_SAYS =
  /\b(?:renamed from|formerly|previously (?:known|called|named)|replaces|replacement for|replacing|supersedes|successor (?:of|to)|alias (?:of|for)|aliases|merges|combines|consolidates|unifies|used to be|was called|deprecated|old name)\b/i;
const DENIED =
  /\b(?:not|never|isn['’]t|no)\b[^.\n]{0,20}\b(?:deprecated|renamed|replac\w{1,8}|supersed\w{1,4}|successor|alias)/i;

const WORD = /[^\s`"'“”‘’()[\]{}<>,;|*]+/g;
/** One that any text may hold, such as `search`. */
const PLAIN_WORD = /^[a-z]+$/i;

/** Names that the text brings up as renamed, replaced or deprecated. */
export function quotedMentions(text: string, names: ReadonlySet<string>, side: 'old' | 'new'): Mention[] {
  const said = side === 'old' ? OLD_SAYS : NEW_SAYS;
  return text
    .slice(0, MAX_TEXT)
    .split(/\n\s{0,100}\n/)
    .flatMap((paragraph) => namesIn(paragraph, names).flatMap((found) => asSaid(paragraph, found, said)))
    .slice(0, MAX_MENTIONS);
}

interface Place {
  readonly name: string;
  readonly at: number;
}

function namesIn(text: string, names: ReadonlySet<string>): Place[] {
  const places: Place[] = [];
  for (const match of text.matchAll(WORD)) {
    const name = [match[0], match[0].replace(/[.:!?]{1,9}$/, '')].find((word) => names.has(word));
    if (name !== undefined && isMeant(text, { name, at: match.index })) places.push({ name, at: match.index });
    if (places.length === MAX_MENTIONS) break;
  }
  return places;
}

/** A plain word is a name only where it is set off, or called a tool. */
function isMeant(text: string, { name, at }: Place): boolean {
  if (!PLAIN_WORD.test(name)) return true;
  const isSetOff = /[`"'“‘*]$/.test(text.slice(0, at));
  return isSetOff || /^\s{1,3}(?:tool|prompt|resource)\b/.test(text.slice(at + name.length, at + name.length + 20));
}

function asSaid(text: string, { name, at }: Place, said: RegExp): Mention[] {
  const around = text.slice(Math.max(0, at - BEFORE), at + name.length + AFTER);
  if (!said.test(around) || DENIED.test(around)) return [];
  const start = Math.max(0, at - MAX_QUOTE / 2);
  return [{ name, quote: cleanName(text.slice(start, start + MAX_QUOTE + name.length), MAX_QUOTE) }];
}

const FIELD =
  /^(?:x-)?(?:deprecat|successor|replac|supersed|alias|renam|former|previous|moved|old_?names?$|new_?names?$|remove_?after)/i;
/** Members that hold what the server works with, not what its maintainer says of it. */
const NOT_A_NOTE = new Set(['inputSchema', 'outputSchema', 'arguments']);
const MAX_DEPTH = 20;

/** Names in members such as `successor` or `aliases`, in `_meta` or beside the description. */
export function structuredMentions(definition: JsonObject, names: ReadonlySet<string>): Mention[] {
  const found: Mention[] = [];
  const walk = (value: Json, note: string | null, depth: number): void => {
    if (depth > MAX_DEPTH || found.length >= MAX_MENTIONS) return;
    if (typeof value === 'string' && note !== null) {
      const meant = names.has(value) ? [value] : namesIn(value.slice(0, MAX_TEXT), names).map(({ name }) => name);
      found.push(...meant.map((name) => ({ name, quote: cleanName(`${note}: ${value}`, MAX_QUOTE) })));
    } else if (Array.isArray(value)) {
      for (const each of value as readonly Json[]) walk(each, note, depth + 1); // isArray widens to any[]
    } else if (isObject(value)) {
      for (const [key, child] of Object.entries(value)) {
        // Keys of `_meta` may have the name of their maker before a slash.
        const own = FIELD.test(key.slice(key.lastIndexOf('/') + 1)) ? key : note;
        if (own !== null && names.has(key)) found.push({ name: key, quote: cleanName(`${own}: ${key}`, MAX_QUOTE) });
        walk(child, own, depth + 1);
      }
    }
  };
  for (const [key, value] of Object.entries(definition)) {
    if (!NOT_A_NOTE.has(key)) walk(value, FIELD.test(key) ? key : null, 0);
  }
  return found;
}
