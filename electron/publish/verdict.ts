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

/**
 * Judges an answer. A protocol error refuses whatever its code: the request as it was recorded has no result any more. An
 * `isError` result refuses where it speaks of the arguments or of an unknown tool; otherwise the tool ran and failed by
 * itself (no network, nothing found), which says nothing about the contract.
 */
export function verdictOf(method: string, reply: Reply): Verdict {
  if (reply.type === 'none') return { outcome: 'unanswered', reason: reply.reason };
  if (reply.type === 'error') return { outcome: 'refused', reason: `error ${reply.code ?? '–'}: ${reply.message}` };
  const { result } = reply;
  const member = MEMBER[method];
  if (!isObject(result) || (member !== undefined && !Array.isArray(result[member])))
    return { outcome: 'unanswered', reason: 'its answer is malformed' };
  if (method !== 'tools/call' || result['isError'] !== true) return { outcome: 'accepted' };
  const said = textOf(result['content']);
  return COMPLAINTS.some((pattern) => pattern.test(said))
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

/** How the SDKs and the validators that servers use complain about arguments, or about a tool that is not there. */
const COMPLAINTS: readonly RegExp[] = [
  /-3260[0-2]\b/,
  /\b(?:invalid|bad|malformed|wrong|unexpected|unknown|unrecogni[sz]ed|unsupported|missing|illegal)\b[^.\n]{0,20}\b(?:arguments?|params?|parameters?|inputs?|fields?|propert(?:y|ies))\b|\bunrecognized keys?\b/i,
  /\b(?:arguments?|params?|parameters?|inputs?|fields?|propert(?:y|ies))\b[^.\n]{0,60}\b(?:(?:is|are) (?:required|missing|invalid|not allowed|not valid)|must|expected|field required)/i,
  /\b(?:required|missing)\b[^.\n]{0,20}\b(?:argument|param|parameter|input|field|property)\b/i,
  /\b(?:input|arguments?|params?|schema|request)\b[^.\n]{0,10}\bvalidation\b|\bvalidation (?:error|failed)|\bZodError\b|\bpydantic\b/i,
  /"?code"?:\s{0,3}"(?:invalid_type|invalid_value|invalid_enum_value|invalid_literal|invalid_union|invalid_string|invalid_format|unrecognized_keys|too_small|too_big)"/,
  /\bmust (?:NOT )?have (?:required|additional) propert|\badditional propert(?:y|ies)|\bis not of type\b|\bis a required property\b/i,
  /\b(?:unknown|no such|unrecogni[sz]ed|undefined|invalid) (?:tool|function|method)\b|\b(?:tool|function|method)\b[^.\n]{0,80}\b(?:not found|does not exist|is not (?:available|known|registered)|disabled)\b/i,
];
