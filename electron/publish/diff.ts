import { classify } from '../core/classify/classify.ts';
import { continuity, type Continuity, type Named } from '../core/continuity.ts';
import { KINDS, SEVERITIES, type Change, type Kind, type Severity } from '../core/model.ts';
import { forPublishers } from './diff-words.ts';
import { maskedPairs, type MaskedPair } from './masked-names.ts';
import { inOrder, isRead, storedOf, type About, type Contract, type ContractEntry } from './contract.ts';

/** What nobody can tell, because one side was not read whole. It counts as a reason to stop, never as a change. */
export interface Unknown {
  readonly kind: Kind;
  /** Of an entry that no app could use; without it, the whole kind. */
  readonly originKey?: string;
  readonly side: 'old' | 'new';
  readonly reason: string;
  /** Its name holds a value that was given to the server, and only the other side has it masked. */
  readonly isMaskedName?: true;
}

/** Two contracts compared. */
export interface ContractDiff {
  /** The highest of all changes. */
  readonly severity: Severity;
  readonly changes: readonly Change[];
  readonly continuity: readonly Continuity[];
  readonly unknown: readonly Unknown[];
  readonly old: About & { readonly fingerprint: string };
  readonly new: About & { readonly fingerprint: string };
  /** Where both were started in different ways: told, and no change of what is offered. */
  readonly launch?: { readonly from: string; readonly to: string };
}

/**
 * Every change between two contracts, the gravest first. Definitions are compared as if both came from one place: what
 * was started, `node ./old/server.js` or `node ./new/server.js`, is told by itself and makes no change graver.
 */
export function diffContracts(before: Contract, after: Contract): ContractDiff {
  const unread = [...unknownOf(before, 'old'), ...unknownOf(after, 'new')];
  const untold = new Set(
    unread.map(({ kind, originKey }) => (originKey === undefined ? kind : keyOf(kind, originKey))),
  );
  const isComparable = ({ kind, originKey }: ContractEntry): boolean =>
    !untold.has(kind) && !untold.has(keyOf(kind, originKey));
  const [old, now] = [keyed(before, isComparable), keyed(after, isComparable)];
  const pairs = maskedPairs(without(old, now), without(now, old));
  for (const pair of pairs) {
    old.delete(keyOf(pair.old.kind, pair.old.originKey));
    now.delete(keyOf(pair.new.kind, pair.new.originKey));
  }
  const [removed, added] = [without(old, now), without(now, old)];
  const kept = [...now].flatMap(([key, entry]) => (old.has(key) ? [entry] : []));
  const changed = [...old].flatMap(([key, was]): Change[] => {
    const is = now.get(key);
    if (is === undefined) return [forPublishers(classify(storedOf(was), null))];
    return was.fingerprint === is.fingerprint ? [] : [classify(storedOf(was), storedOf(is))];
  });
  const changes = [...changed, ...added.map((is) => forPublishers(classify(null, storedOf(is))))].sort(gravestFirst);
  const routes = [before.server.launch.route, after.server.launch.route] as const;
  return {
    severity: changes[0]?.severity ?? 'none',
    changes,
    continuity: continuity(removed.map(named), added.map(named), kept.map(named)),
    unknown: [...unread, ...pairs.map(unsure)],
    old: aboutOf(before),
    new: aboutOf(after),
    ...(routes[0] !== routes[1] && { launch: { from: routes[0], to: routes[1] } }),
  };
}

/** True where a change is at least so grave, or something could not be compared. */
export function isNegative({ changes, unknown }: ContractDiff, failOn: Severity): boolean {
  const least = SEVERITIES.indexOf(failOn);
  return unknown.length > 0 || changes.some(({ severity }) => SEVERITIES.indexOf(severity) >= least);
}

function unknownOf({ kinds, invalid }: Contract, side: Unknown['side']): Unknown[] {
  const unread = KINDS.filter((kind) => !isRead(kinds[kind])).map((kind) => ({
    kind,
    side,
    reason: kinds[kind].reason ?? 'its list was not read to the end',
  }));
  return [...unread, ...invalid.map((entry) => ({ ...entry, side }))];
}

function unsure({ old: { kind }, originKey, side }: MaskedPair): Unknown {
  return { kind, originKey, side, reason: 'a value that was given to the server is in its name', isMaskedName: true };
}

/** What is in the one and not in the other. */
function without(one: ReadonlyMap<string, ContractEntry>, other: ReadonlyMap<string, ContractEntry>): ContractEntry[] {
  return [...one].flatMap(([key, entry]) => (other.has(key) ? [] : [entry]));
}

/** Kinds hold no `/`. */
function keyOf(kind: Kind, originKey: string): string {
  return `${kind}/${originKey}`;
}

function keyed(
  { capabilities }: Contract,
  isComparable: (entry: ContractEntry) => boolean,
): Map<string, ContractEntry> {
  return new Map(
    capabilities.filter(isComparable).map((entry) => [keyOf(entry.kind, entry.originKey), entry] as const),
  );
}

function gravestFirst(a: Change, b: Change): number {
  return SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || inOrder(a, b);
}

function named({ kind, originKey, definition }: ContractEntry): Named {
  return { kind, originKey, definition };
}

function aboutOf({ server: { name, version }, fingerprint }: Contract): ContractDiff['old'] {
  return { name, version, fingerprint };
}
