import type { Json } from './model.ts';

/** Takes secrets out of a text; what it takes out reads as {@link MASK}. */
export type Mask = (text: string) => string;

export const MASK = '•••';

/** Shorter values, such as `debug` or `8080`, stand in too many innocent texts. */
const MIN_VALUE = 6;
/** A piece of a value is looked for only where both are long enough to be no word by chance. */
const MIN_CUT_VALUE = 16;
const MIN_CUT_PIECE = 8;
/** Of a value with lines of its own, such as a private key, so many are looked for by themselves. */
const MAX_LINES = 500;
const MAX_DEPTH = 64;
const MAX_NODES = 100_000;

/**
 * A mask for these values, whole and in the forms in which programs print them, and for whatever looks like somebody's
 * credential. Takes time in proportion to the text, whatever is in it. Text that was cut by someone else may begin or end
 * within a value: such a piece is masked as well.
 */
export function redactor(values: readonly string[]): Mask {
  const long = [...new Set(values)].filter((value) => value.trim().length >= MIN_VALUE);
  const needles = [...new Set(long.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const cuttable = long.map((value) => value.trim()).filter((value) => value.length >= MIN_CUT_VALUE);
  if (needles.length === 0) return maskCredentials;
  return (text) => maskCredentials(maskCuts(maskNeedles(text, needles), cuttable));
}

/** As it is, trimmed, line by line, in a URL, in base64, and inside a JSON text. */
function formsOf(value: string): string[] {
  const lines = value.includes('\n') ? value.split(/\r?\n/, MAX_LINES).map((line) => line.trim()) : [];
  const bytes = Buffer.from(value, 'utf8');
  const base64 = bytes.toString('base64');
  const forms = [
    value,
    value.trim(),
    ...lines,
    urlForm(value),
    JSON.stringify(value).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
  return forms.filter((form) => form.length >= MIN_VALUE);
}

function urlForm(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // half a character cannot be in a URL
  }
}

type Span = readonly [start: number, end: number];

/** Values may overlap in the text, so all are found before any is taken out. */
function maskNeedles(text: string, needles: readonly string[]): string {
  const spans: Span[] = [];
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
      spans.push([at, at + needle.length]);
  }
  return spans.length === 0 ? text : withoutSpans(text, spans);
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  const kept: string[] = [];
  let done = 0;
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (start >= done) kept.push(text.slice(done, start), MASK);
    done = Math.max(done, end);
  }
  return `${kept.join('')}${text.slice(done)}`;
}

/** What may stand around a text that was cut: brackets, quotes and dots of whoever cut it. */
const CLOSING = /[)\]"'”….\s]{1,8}$/;
const OPENING = /^[([{"'“….\s]{1,8}/;

function maskCuts(text: string, values: readonly string[]): string {
  const tail = CLOSING.exec(text.slice(-8))?.[0] ?? '';
  const head = OPENING.exec(text)?.[0] ?? '';
  let body = text.slice(head.length, text.length - tail.length);
  if (head.length + tail.length > text.length) return text; // nothing but brackets
  for (const value of values) {
    const begun = longestPiece(value, (length) => body.endsWith(value.slice(0, length)));
    if (begun > 0) body = `${body.slice(0, -begun)}${MASK}`;
    const ended = longestPiece(value, (length) => body.startsWith(value.slice(-length)));
    if (ended > 0) body = `${MASK}${body.slice(ended)}`;
  }
  return `${head}${body}${tail}`;
}

/** Longest part of a value that is there; 0 where none is. */
function longestPiece(value: string, isThere: (length: number) => boolean): number {
  for (let length = Math.min(value.length - 1, 4_096); length >= MIN_CUT_PIECE; length -= 1)
    if (isThere(length)) return length;
  return 0;
}

/** Names of what holds a credential, as the end of a longer name. */
const NAMES =
  'password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|private[_-]?key|secret[_-]?key|credentials?';

/**
 * Keys with a prefix of their issuer, and nothing that could hold words: no blanks, no end that is missing. The prefix and
 * the rest are groups of their own.
 */
export const ISSUED_KEYS: readonly RegExp[] = [
  /\b(sk-)([A-Za-z0-9_-]{16,})/g,
  /\b(gh[pousr]_|github_pat_|glpat-|npm_)([A-Za-z0-9_-]{20,})/g,
  /\b(xox[a-z]-)([A-Za-z0-9-]{10,})/g,
  /\b(AKIA|ASIA)([A-Z0-9]{16})(?![A-Z0-9])/g,
  /\b(AIza)([A-Za-z0-9_-]{35})/g,
  /(?<![A-Za-z0-9_-])(eyJ)([A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?)/g,
];

/**
 * Credentials that are known by their looks. Each pattern is a fixed beginning and one run of characters, or has an end
 * that no character of its run can be, so that no text makes it go back and forth.
 */
const LOOKS: readonly (readonly [pattern: RegExp, kept: string])[] = [
  // Header lines, in text or as a member of JSON.
  [/\b((?:proxy-)?authorization["']?\s{0,4}[:=]\s{0,4}["']?)[^\r\n"']+/gi, '$1'],
  [/\b((?:x-)?(?:api-key|auth-token|access-token)["']?\s{0,4}:\s{0,4}["']?)[^\r\n"',;]+/gi, '$1'],
  [/\b(set-cookie|cookie)(["']?\s{0,4}:\s{0,4}["']?)[^\r\n"']+/gi, '$1$2'],
  [/\b(bearer\s{1,4})[A-Za-z0-9._~+/=-]{16,}/gi, '$1'],
  ...ISSUED_KEYS.map((pattern): readonly [RegExp, string] => [pattern, '']),
  // name=value, "name": "value", --name value, and the same among the arguments of a command in JSON.
  [new RegExp(`((?:${NAMES})["']?=["']?)[^\\s"'&,;<>]+`, 'gi'), '$1'],
  [new RegExp(`((?:${NAMES})(?:\\\\?["'])?\\s{0,4}:\\s{0,4}\\\\?["'])[^"'\\\\\\r\\n]+`, 'gi'), '$1'],
  [new RegExp(`((?:${NAMES})\\s{0,4}:\\s{0,4})[^\\s"'&,;<>]{8,}`, 'gi'), '$1'],
  [
    new RegExp(
      `(?<![\\w-])(--?(?:[a-z0-9]{1,20}[_-]){0,4}(?:${NAMES})(?:\\s{1,4}|["'],\\s{0,4}["']))[^\\s"'-][^\\s"']*`,
      'gi',
    ),
    '$1',
  ],
  [/([?&](?:key|sig|signature|auth|code)=)[^\s"'&#]+/gi, '$1'],
  // user:password@ in a URL.
  [/(:\/\/[^\s/:@"']{0,256}:)[^\s/"']+@/g, '$1@'],
];

function maskCredentials(text: string): string {
  let masked = maskKeyBlocks(text);
  for (const [pattern, kept] of LOOKS) masked = masked.replace(pattern, restored(kept));
  return masked;
}

function restored(kept: string): string {
  return kept.endsWith('@') ? `${kept.slice(0, -1)}${MASK}@` : `${kept}${MASK}`;
}

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/;

/** From the first line of a private key to its last one, or to the end of the text. */
function maskKeyBlocks(text: string): string {
  const kept: string[] = [];
  let rest = text;
  for (let begin = KEY_BEGIN.exec(rest); begin; begin = KEY_BEGIN.exec(rest)) {
    kept.push(rest.slice(0, begin.index), MASK);
    rest = rest.slice(begin.index + begin[0].length);
    const end = KEY_END.exec(rest);
    rest = end ? rest.slice(end.index + end[0].length) : '';
  }
  return kept.length === 0 ? text : `${kept.join('')}${rest}`;
}

/** An option that takes a credential, by its name. */
const OPTION = new RegExp(`^--?(?:[a-z0-9]{1,20}[_-]){0,4}(?:${NAMES}|key|bearer)(=|$)`, 'i');

/** The arguments of a command as a person may see them: what follows the name of a credential is masked. */
export function maskArgs(args: readonly string[], mask: Mask): string[] {
  return args.map((arg, at) => {
    const own = OPTION.exec(arg);
    if (own?.[1] === '=') return `${arg.slice(0, arg.indexOf('=') + 1)}${MASK}`;
    const isValue = OPTION.exec(args[at - 1] ?? '')?.[1] === '' && !arg.startsWith('-');
    return isValue ? MASK : mask(arg);
  });
}

/** Masks every text in a JSON value, names of members included. What is deeper or longer than any record of ours is masked whole. */
export function redactDeep<T extends Json>(value: T, mask: Mask): T {
  let nodes = 0;
  const walk = (node: Json, depth: number): Json => {
    nodes += 1;
    if (typeof node === 'string') return mask(node);
    if (typeof node !== 'object' || node === null) return node;
    if (depth >= MAX_DEPTH || nodes > MAX_NODES) return MASK;
    if (isList(node)) return node.map((each) => walk(each, depth + 1));
    return Object.fromEntries(Object.entries(node).map(([name, each]) => [mask(name), walk(each, depth + 1)]));
  };
  return walk(value, 0) as T; // the same shape, with other texts in it
}

function isList(node: Json): node is readonly Json[] {
  return Array.isArray(node);
}
