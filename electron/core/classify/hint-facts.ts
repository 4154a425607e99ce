import { isObject } from '../canonical.ts';
import { effectiveHints, HINTS, type Hint } from '../hints.ts';
import type { Fact, Json, JsonObject } from '../model.ts';

/** The value of each hint that promises less harm. */
const SAFER: Readonly<Record<Hint, boolean>> = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/**
 * A hint counts by its effective value. A flip of what was said is one thing, either way; the first claim to be harmless,
 * where nothing was said before, another: it is asked about once per server (README, "Claims").
 */
export function hintFacts(before: JsonObject, after: JsonObject): Fact[] {
  const [old, now] = [before['annotations'], after['annotations']];
  const [was, is] = [effectiveHints(old), effectiveHints(now)];
  return HINTS.filter((hint) => was[hint] !== is[hint]).map((hint) => {
    const isSafer = is[hint] === SAFER[hint];
    const what = isSafer ? (isFirstClaim(hint, old) ? 'claimed' : 'claimsSafer') : 'claimsRiskier';
    const path = `/definition/annotations/${hint}`;
    return { class: `hint.${hint}.${what}`, path, before: was[hint], after: is[hint], severity: 'security' };
  });
}

/** Nothing was said about it, neither by itself nor by what it follows from. */
function isFirstClaim(hint: Hint, annotations: Json | undefined): boolean {
  const said = (name: Hint): boolean => isObject(annotations) && typeof annotations[name] === 'boolean';
  if (said(hint)) return false;
  return hint === 'openWorldHint' || !said('readOnlyHint');
}
