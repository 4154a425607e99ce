import { createHash } from 'node:crypto';
import { byCodeUnits } from '../core/canonical.ts';
import { textFacts } from '../core/classify/text-facts.ts';
import { ISSUED_KEYS, MASK, type Mask } from '../core/redact.ts';

/** A value that was given to a server, under the name by which it may be told. */
export interface GivenValue {
  readonly name: string;
  readonly value: string;
}

/** Shorter values, such as `debug` or `8080`, stand in too many innocent texts. */
const MIN_GIVEN = 6;
const MAX_LINES = 500;
/** Of SHA-256, in hexadecimal digits. */
const DIGEST = 16;

interface Needle {
  readonly text: string;
  readonly label: string;
}

/**
 * A mask for definitions, which are compared afterwards: two texts that differ still do when they are masked, or else a
 * server could hide a change behind something that looks like a secret. So exactly the values that were given are taken
 * out, each for the name it was given by, and keys with the prefix of their issuer, each for its digest; nothing around
 * them is.
 */
export function definitionMask(given: readonly GivenValue[]): Mask {
  const needles = needlesOf(given);
  return (text) => maskIssued(maskGiven(text, needles));
}

function needlesOf(given: readonly GivenValue[]): Needle[] {
  const needles = new Map<string, Needle>();
  for (const { name, value } of [...given].sort((a, b) => byCodeUnits(a.name, b.name)))
    for (const needle of formsOf(name, value.trim())) if (!needles.has(needle.text)) needles.set(needle.text, needle);
  // What was written like a mask must not pass for one.
  needles.set(MASK, { text: MASK, label: MASK });
  return [...needles.values()];
}

/** As it is, and in the forms in which programs print it. No two have one label, so that none passes for another. */
function formsOf(name: string, value: string): Needle[] {
  const bytes = Buffer.from(value, 'utf8');
  const lines = value.includes('\n') ? value.split(/\r?\n/, MAX_LINES) : [];
  const forms: readonly (readonly [text: string, form: string])[] = [
    [value, ''],
    ...lines.map((line, at) => [line.trim(), `, line ${at + 1}`] as const),
    [urlForm(value), ', in a URL'],
    [JSON.stringify(value).slice(1, -1), ', in JSON'],
    [bytes.toString('base64').replace(/=+$/, ''), ', base64'],
    [bytes.toString('base64url'), ', base64url'],
  ];
  return value.length < MIN_GIVEN
    ? []
    : forms.filter(([text]) => text.length >= MIN_GIVEN).map(([text, form]) => ({ text, label: `${name}${form}` }));
}

function urlForm(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // half a character cannot be in a URL
  }
}

interface Hit {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

function maskGiven(text: string, needles: readonly Needle[]): string {
  const hits = needles.flatMap((needle) => hitsOf(text, needle)).sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: string[] = [];
  let open: { start: number; end: number; label: string } | undefined;
  let done = 0;
  const close = (): void => {
    if (open === undefined) return;
    kept.push(text.slice(done, open.start), marked(open.label));
    done = open.end;
  };
  for (const hit of hits) {
    if (open === undefined || hit.start >= open.end) {
      close();
      open = { ...hit };
    } else if (hit.end > open.end) {
      // Values may overlap in a text; where the second begins is part of what was there.
      open = { ...open, end: hit.end, label: `${open.label} + ${hit.label} at ${hit.start - open.start}` };
    }
  }
  close();
  return `${kept.join('')}${text.slice(done)}`;
}

function hitsOf(text: string, { text: needle, label }: Needle): Hit[] {
  const hits: Hit[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
    hits.push({ start: at, end: at + needle.length, label });
  return hits;
}

function marked(label: string): string {
  return `${MASK}(${label})`;
}

const GIVEN_MARK = /•••\((?!•••\)|sha256:)[^)]*\)/;

/** A masked text without the values that were given: what stands before, between and after them. */
export function aroundGiven(masked: string): string[] {
  return masked.split(GIVEN_MARK);
}

/** What an issuer marks as a key, whole private keys among it. */
const ISSUED: readonly RegExp[] = [
  ...ISSUED_KEYS,
  /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----\r?\n)((?:[A-Za-z0-9+/=]{40,128}\r?\n)+(?:[A-Za-z0-9+/=]{1,128}(?=\r?\n-----END))?)/g,
];

function maskIssued(text: string): string {
  return ISSUED.reduce((masked, pattern) => masked.replace(pattern, digested(masked)), text);
}

/** Further away than any order to the model reaches. */
const AROUND = 600;

/** What an order to the model, or anything else that is dangerous to read, would vanish behind stays as it is. */
function digested(whole: string) {
  return (issued: string, prefix: string, secret: string, at: number): string => {
    const shown = `${prefix}${marked(`sha256:${createHash('sha256').update(secret).digest('hex').slice(0, DIGEST)}`)}`;
    const before = whole.slice(Math.max(0, at - AROUND), at);
    const after = whole.slice(at + issued.length, at + issued.length + AROUND);
    const lost = textFacts('', `${before}${shown}${after}`, `${before}${issued}${after}`, new Set());
    // That it is a key is what the mask says.
    return lost.some(({ severity, after: found }) => severity === 'security' && found !== issued) ? issued : shown;
  };
}
