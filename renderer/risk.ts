import type { Change, Fact, Severity } from '../electron/core/model.ts';
import type { WordKey } from './words.ts';

/** The three looks of a change; a person sees a word, a shape and a colour. */
export type Tier = 'small' | 'check' | 'careful';
export const TIERS: readonly Tier[] = ['careful', 'check', 'small'];

/** What `security` facts come to, riskiest first. `more` stands for whatever has no words of its own. */
const RISKS = ['program', 'deletes', 'changes', 'online', 'more', 'repeats'] as const;
/** Claims to be safer than before: no risk, and nothing to take on trust either. */
const CLAIMS = ['safer.changes', 'safer.deletes', 'safer.online', 'safer.repeats'] as const;
export type Risk = (typeof RISKS)[number] | (typeof CLAIMS)[number];

/** By the first two parts of a fact's class: the value that means more risk, and the words for a flip to it and away from it. */
const HINTS: Readonly<Record<string, { readonly risky: boolean; readonly risk: Risk; readonly claim: Risk }>> = {
  'hint.readOnlyHint': { risky: false, risk: 'changes', claim: 'safer.changes' },
  'hint.destructiveHint': { risky: true, risk: 'deletes', claim: 'safer.deletes' },
  'hint.openWorldHint': { risky: true, risk: 'online', claim: 'safer.online' },
  'hint.idempotentHint': { risky: false, risk: 'repeats', claim: 'safer.repeats' },
};

/** Hints move together: what only reads deletes nothing. The left one says all that the right ones say. */
const IMPLIES: Partial<Readonly<Record<Risk, readonly Risk[]>>> = {
  deletes: ['changes', 'repeats'],
  changes: ['repeats'],
  'safer.changes': ['safer.deletes', 'safer.repeats'],
};

export function tierOf(severity: Severity): Tier {
  if (severity === 'security') return 'careful';
  return severity === 'review' || severity === 'breaking' ? 'check' : 'small';
}

/** Riskiest first; the first one goes on the button. Empty for anything but `security`. */
export function risksOf(changes: readonly Change[]): Risk[] {
  const security = changes.filter(({ severity }) => severity === 'security');
  if (security.length === 0) return [];
  const facts = security.flatMap((change) => change.facts.filter(({ severity }) => severity === 'security'));
  const found = new Set(facts.map(riskOf));
  const said = [...found].flatMap((risk) => IMPLIES[risk] ?? []);
  const sorted = [...RISKS, ...CLAIMS].filter((risk) => found.has(risk) && !said.includes(risk));
  return sorted.length === 0 ? ['more'] : sorted;
}

function riskOf(fact: Fact): Risk {
  if (fact.class === 'launch') return 'program';
  const hint = HINTS[fact.class.split('.').slice(0, 2).join('.')];
  if (hint === undefined) return 'more';
  return fact.after === hint.risky ? hint.risk : hint.claim;
}

const DOES_MORE: readonly Risk[] = ['program', 'deletes', 'changes', 'online', 'more'];

/** True where “can do more now” is a true thing to say. */
export function doesMore(risks: readonly Risk[]): boolean {
  return risks.some((risk) => DOES_MORE.includes(risk));
}

/** The words that stand on the button. */
export function shortRiskKey(risks: readonly Risk[]): Extract<WordKey, `short.${string}`> {
  return `short.${risks[0] ?? 'more'}`;
}

/** The sentences the risks make; `more` has none of its own, the change's own sentences say what it is. */
export function factKeys(risks: readonly Risk[]): Extract<WordKey, `fact.${Risk}`>[] {
  return risks.flatMap((risk) => (risk === 'more' ? [] : [`fact.${risk}` as const]));
}
