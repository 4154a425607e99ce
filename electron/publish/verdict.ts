import { isObject } from '../core/canonical.ts';
import type { Json } from '../core/model.ts';

/**
 * What came of a request. `accepted`: the server took it, whether or not its work then succeeded. `refused`: it did not
 * take the request. `unanswered`: nobody can tell.
 */
export interface Verdict {
  readonly outcome: 'accepted' | 'refused' | 'unanswered';
  /** The server's own words, or ours where it said nothing. */
  readonly reason?: string;
  /** It took the request, and then reported an error of its own. */
  readonly isOwnError?: true;
}

/** An answer as it was read. */
export type Reply =
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'error'; readonly code: number | null; readonly message: string }
  | { readonly type: 'none'; readonly reason: string };

/** What has to be in the result of each method, so that it is one. */
const MEMBER: Readonly<Record<string, string>> = { 'prompts/get': 'messages', 'resources/read': 'contents' };

/** What was asked for: complaints are told from other errors by its names. */
export interface Asked {
  readonly method: string;
  /** Of the tool, as it was sent. */
  readonly name: string;
  /** Of the inputs that were sent, and those that the tool declares. */
  readonly inputs: readonly string[];
}

/**
 * Judges an answer. A protocol error refuses whatever its code: the request as it was recorded has no result any more. An
 * `isError` result refuses where it speaks of the arguments or of an unknown tool; otherwise the tool ran and failed by
 * itself (no network, nothing found), which says nothing about the contract.
 */
export function verdictOf({ method, name, inputs }: Asked, reply: Reply): Verdict {
  if (reply.type === 'none') return { outcome: 'unanswered', reason: reply.reason };
  if (reply.type === 'error') return { outcome: 'refused', reason: `error ${reply.code ?? '–'}: ${reply.message}` };
  const { result } = reply;
  const member = MEMBER[method];
  if (!isObject(result) || (member !== undefined && !Array.isArray(result[member])))
    return { outcome: 'unanswered', reason: 'its answer is malformed' };
  if (method !== 'tools/call' || result['isError'] !== true) return { outcome: 'accepted' };
  const said = textOf(result['content']);
  const complaints = [...COMPLAINTS, ...toolComplaints(name), ...inputs.slice(0, MAX_INPUTS).flatMap(inputComplaints)];
  return complaints.some((pattern) => pattern.test(said))
    ? { outcome: 'refused', reason: said }
    : { outcome: 'accepted', reason: said, isOwnError: true };
}

/** Longer answers are looked at up to here: who complains says so at once. */
const MAX_SAID = 4_000;

function textOf(content: Json | undefined): string {
  const blocks: readonly Json[] = Array.isArray(content) ? (content as readonly Json[]) : []; // isArray widens to any[]
  const texts = blocks.flatMap((block) =>
    isObject(block) && typeof block['text'] === 'string' ? [block['text'].slice(0, MAX_SAID)] : [],
  );
  return texts.slice(0, 20).join('\n').slice(0, MAX_SAID);
}

/** How the SDKs and the validators that servers use complain about arguments, whatever they are called. */
const COMPLAINTS: readonly RegExp[] = [
  /-3260[0-2]\b/,
  /\b(?:invalid|bad|malformed|wrong|unexpected|unknown|unrecogni[sz]ed|unsupported|missing|illegal)\b[^.,:;\n]{0,20}\b(?:arguments?|params?|parameters?|inputs?|fields?|propert(?:y|ies))\b|\bunrecognized keys?\b/i,
  /\b(?:arguments?|params?|parameters?|inputs?|fields?|propert(?:y|ies))\b[^.,;\n]{0,40}\b(?:(?:is|are) (?:required|missing|invalid|not allowed|not valid)|must (?:not )?(?:be|have|match|contain)|field required)\b/i,
  /\b(?:required|missing)\b[^.,:;\n]{0,20}\b(?:argument|param|parameter|input|field|property)\b/i,
  /\b(?:input|arguments?|params?|schema|request)\b[^.\n]{0,10}\bvalidation\b|\bvalidation (?:error|failed)|\bZodError\b|\bpydantic\b/i,
  /"?code"?:\s{0,3}"(?:invalid_type|invalid_value|invalid_enum_value|invalid_literal|invalid_union|invalid_string|invalid_format|unrecognized_keys|too_small|too_big)"/,
  /\bmust (?:NOT )?have (?:required|additional) propert|\badditional propert(?:y|ies)|\bis not of type\b|\bis a required property\b/i,
  /^\W{0,3}(?:error\W{1,3})?(?:unknown tool|tool not found)\W{0,3}$/i,
];

const MAX_INPUTS = 200;
const MAX_INPUT_NAME = 100;
/** Words of any sentence: as the name of an input they count only between quotes or before a colon. */
const ORDINARY = /^(?:an?|all|and|any|as|at|be|by|for|from|if|in|is|it|no|not|of|off|on|or|that|the|this|to|with)$/i;

const WORST = 'required|missing|invalid|unexpected|unknown|unrecogni[sz]ed|unsupported|malformed|illegal|wrong|bad';
/** What may stand between a complaint and the name it is about. */
const BEFORE = `(?:["'“][^"'”\\n]{0,80}["'”]|(?:value|type|argument|param|parameter|input|field|property|required|the|an?|for|of|in)\\b|[\\s:(]){0,12}`;
const AFTER = `(?:(?:value|argument|param|parameter|input|field|property|a|an|is|are|was|has)\\b|[\\s:=)-]){0,8}`;
const OUGHT = `must|expected|undefined|(?:can ?not|can['’]t|may not|should not) be|not (?:allowed|valid|supported|provided|given|specified)|should be|needs to be`;

/** A complaint right before or after the name of an input. */
function inputComplaints(name: string): RegExp[] {
  if (name.trim() === '' || name.length > MAX_INPUT_NAME) return [];
  const plain = escaped(name);
  const quoted = `["'\`“]${plain}["'\`”]`;
  const named = ORDINARY.test(name)
    ? `(?:${quoted}|(?<![\\w-])${plain}(?=\\s{0,2}:))`
    : `(?:${quoted}|${whole(plain)})`;
  return [
    new RegExp(`\\b(?:${WORST}|expected)\\b${BEFORE}${named}`, 'i'),
    new RegExp(`${named}${AFTER}\\b(?:${WORST}|${OUGHT})\\b`, 'i'),
  ];
}

/** That the tool itself is not there; what something else did not find is its own error. */
function toolComplaints(name: string): RegExp[] {
  const own = `["'\`“]?${whole(escaped(name))}["'\`”]?`;
  return [
    new RegExp(
      `\\b(?:unknown|no such|unrecogni[sz]ed|undefined|invalid) (?:tool|function|method)\\b(?: (?:named|name|called))?[\\s:(]{1,3}${own}`,
      'i',
    ),
    new RegExp(
      `\\b(?:tool|function|method)[\\s:(]{1,3}${own}[\\s:)]{1,3}(?:was |is |has been |could )?(?:not (?:be )?(?:found|available|known|registered)|does not exist|unknown|disabled)\\b`,
      'i',
    ),
    new RegExp(
      `${own}[\\s:]{1,3}(?:(?:is )?not a (?:known |registered )?tool|(?:unknown tool|tool not found))\\b`,
      'i',
    ),
  ];
}

/** As a word of its own. */
function whole(plain: string): string {
  return `(?<![\\w-])${plain}(?![\\w-])`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
