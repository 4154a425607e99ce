import type { ContractEntry } from './contract.ts';
import { aroundGiven } from './definition-mask.ts';

/** Two entries that may be one: a value that was given to the server stands in the name of one of them. */
export interface MaskedPair {
  readonly old: ContractEntry;
  readonly new: ContractEntry;
  /** The side that has the value in clear, or under another name. */
  readonly side: 'old' | 'new';
  /** The name without the value. */
  readonly originKey: string;
}

/**
 * Where a server puts a key that it was given into a name, and was given it in one snapshot only, nobody can tell whether
 * it is one capability. Where several fit, they are what they seem to be: gone and new.
 */
export function maskedPairs(removed: readonly ContractEntry[], added: readonly ContractEntry[]): MaskedPair[] {
  return removed.flatMap((old): MaskedPair[] => {
    const fitting = added.filter((each) => mayBeOne(old, each));
    const [now] = fitting;
    if (now === undefined || fitting.length > 1) return [];
    if (removed.filter((each) => mayBeOne(each, now)).length > 1) return [];
    const [side, { originKey }] = fits(old.originKey, now.originKey)
      ? (['new', old] as const)
      : (['old', now] as const);
    return [{ old, new: now, side, originKey }];
  });
}

function mayBeOne(a: ContractEntry, b: ContractEntry): boolean {
  return a.kind === b.kind && (fits(a.originKey, b.originKey) || fits(b.originKey, a.originKey));
}

/** True where the other name is this one with something in place of the values. */
function fits(masked: string, other: string): boolean {
  const [first = '', ...rest] = aroundGiven(masked);
  const last = rest.pop();
  if (last === undefined || !other.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = other.indexOf(part, at + 1);
    if (found < 0) return false;
    at = found + part.length;
  }
  return other.length > at + last.length && other.endsWith(last);
}
