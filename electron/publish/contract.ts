import { assertIJson, byCodeUnits, canonicalText, sha256 } from '../core/canonical.ts';
import { capabilityId } from '../core/identity.ts';
import {
  KINDS,
  type CapabilityId,
  type JsonObject,
  type Kind,
  type KindOutcome,
  type Observation,
  type Route,
  type ServerId,
  type StoredDefinition,
} from '../core/model.ts';
import { maskArgs, type Mask } from '../core/redact.ts';
import { shownRoute } from '../core/shown-route.ts';
import { plainJson } from './plain-json.ts';
import type { Masks } from './secrets.ts';

/** Version of the file. A new version of the effective record or its normal form is one of this, too. */
export const CONTRACT_FORMAT = 1;

/**
 * The same for every contract: what is compared are definitions, wherever and however a server was started (README, "For
 * people who publish servers"). The launch is written down beside them.
 */
const SERVER = 'snapshot' as ServerId; // names no server of anybody
const ROUTE = 'snapshot' as Route; // compared with itself only

/** One capability as listed, without the secrets that were given to the server. */
export interface ContractEntry {
  readonly kind: Kind;
  readonly originKey: string;
  readonly fingerprint: CapabilityId;
  readonly definition: JsonObject;
}

/** How the list of one kind ended; `count` entries were seen. */
export interface KindRow {
  readonly status: KindOutcome['status'];
  readonly count: number;
  readonly reason?: string | undefined;
}

/** An entry that no app could use; there is no definition of it to compare. */
export interface InvalidEntry {
  readonly kind: Kind;
  readonly originKey: string;
  readonly reason: string;
}

/** How it was started, as typed; of the environment, names only. */
export interface ContractLaunch {
  readonly route: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
}

/** What a server offers, as a file to be reviewed. */
export interface Contract {
  readonly format: typeof CONTRACT_FORMAT;
  readonly server: { readonly name: string | null; readonly version: string | null; readonly launch: ContractLaunch };
  /** Of everything below it. */
  readonly fingerprint: string;
  readonly kinds: Readonly<Record<Kind, KindRow>>;
  readonly capabilities: readonly ContractEntry[];
  readonly invalid: readonly InvalidEntry[];
}

/** What was started, as typed. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a server said of itself. */
export interface About {
  readonly name: string | null;
  readonly version: string | null;
}

/** The contract of one observation. The masks take the secrets out before anything is hashed or written. */
export function contractOf(observation: Observation, about: About, program: Program, masks: Masks): Contract {
  const parts = KINDS.map((kind) => partOf(kind, observation.kinds[kind], masks));
  const capabilities = parts.flatMap((part) => part.capabilities).sort(inOrder);
  const invalid = parts.flatMap((part) => part.invalid).sort(inOrder);
  // One row for each kind, in their order.
  const kinds = Object.fromEntries(parts.map(({ kind, row }) => [kind, row])) as Contract['kinds'];
  return {
    format: CONTRACT_FORMAT,
    server: {
      name: about.name === null ? null : masks.words(about.name),
      version: about.version === null ? null : masks.words(about.version),
      launch: launchOf(program, masks.words),
    },
    fingerprint: wholeFingerprint({ kinds, capabilities, invalid }),
    kinds,
    capabilities,
    invalid,
  };
}

/** Kinds of which the whole list could not be read, and entries without a definition: nobody can tell what they are. */
export function isWhole({ kinds, invalid }: Pick<Contract, 'kinds' | 'invalid'>): boolean {
  return invalid.length === 0 && KINDS.every((kind) => isRead(kinds[kind]));
}

/** True where the list was read to its end, or there is none. */
export function isRead({ status }: KindRow): boolean {
  return status !== 'failed' && status !== 'incomplete';
}

/** @throws NotCanonical for what is not I-JSON or beyond the bounds. */
export function fingerprintOf(entry: Pick<ContractEntry, 'kind' | 'originKey' | 'definition'>): CapabilityId {
  return capabilityId(storedOf(entry));
}

/** As the core compares it: one server, one route, so that no difference comes from there. */
export function storedOf({
  kind,
  originKey,
  definition,
}: Pick<ContractEntry, 'kind' | 'originKey' | 'definition'>): StoredDefinition {
  return { serverId: SERVER, route: ROUTE, kind, originKey, definition };
}

/** Of the sorted fingerprints, and of what could not be read: a part is never taken for the whole. */
export function wholeFingerprint({
  kinds,
  capabilities,
  invalid,
}: Pick<Contract, 'kinds' | 'capabilities' | 'invalid'>): string {
  return sha256(
    canonicalText({
      format: CONTRACT_FORMAT,
      capabilities: capabilities.map(({ kind, originKey, fingerprint }) => [kind, originKey, fingerprint]),
      unread: KINDS.filter((kind) => !isRead(kinds[kind])),
      invalid: invalid.map(({ kind, originKey }) => [kind, originKey]),
    }),
  );
}

type Keyed = Pick<ContractEntry, 'kind' | 'originKey'>;

/** By kind, then by origin key, in code units. */
export function inOrder(a: Keyed, b: Keyed): number {
  return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || byCodeUnits(a.originKey, b.originKey);
}

interface Part {
  readonly kind: Kind;
  readonly row: KindRow;
  readonly capabilities: readonly ContractEntry[];
  readonly invalid: readonly InvalidEntry[];
}

function partOf(kind: Kind, outcome: KindOutcome | undefined, { words, definitions }: Masks): Part {
  const none = { kind, capabilities: [], invalid: [] };
  if (outcome === undefined) return { ...none, row: { status: 'failed', count: 0, reason: 'it was not listed' } };
  const { status } = outcome;
  if (status === 'incomplete') return { ...none, row: { status, count: outcome.count, reason: words(outcome.reason) } };
  if (status === 'failed') return { ...none, row: { status, count: 0, reason: words(outcome.reason) } };
  if (status !== 'complete') return { ...none, row: { status, count: 0 } };
  const capabilities: ContractEntry[] = [];
  const invalid: InvalidEntry[] = [];
  for (const item of outcome.items) {
    const originKey = definitions(item.originKey);
    const entry =
      'definition' in item ? entryOf(kind, originKey, item.definition, definitions) : { reason: item.invalid };
    if ('fingerprint' in entry) capabilities.push(entry);
    else invalid.push({ kind, originKey, reason: words(entry.reason) });
  }
  return { kind, capabilities, invalid, row: { status, count: outcome.items.length } };
}

function entryOf(
  kind: Kind,
  originKey: string,
  listed: JsonObject,
  mask: Mask,
): ContractEntry | { readonly reason: string } {
  try {
    assertIJson(listed);
    const definition = plainJson(listed, mask);
    return { kind, originKey, fingerprint: fingerprintOf({ kind, originKey, definition }), definition };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

function launchOf({ command, args, env }: Program, mask: Mask): ContractLaunch {
  return {
    // A launch identity that repeats the arguments is masked like them.
    route: shownRoute({ command, args }, mask),
    command: mask(command),
    args: maskArgs(args, mask),
    env: Object.keys(env).sort(byCodeUnits),
  };
}
