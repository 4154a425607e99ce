import { z } from 'zod';
import { assertIJson, isObject } from '../core/canonical.ts';
import { HoldfastError } from '../core/errors.ts';
import { KINDS, type CapabilityId, type JsonObject, type Kind } from '../core/model.ts';
import { LISTS } from '../core/observe.ts';
import { isTooDeep } from '../gateway/json-span.ts';
import {
  CONTRACT_FORMAT,
  fingerprintOf,
  inOrder,
  wholeFingerprint,
  type Contract,
  type ContractEntry,
} from './contract.ts';

/** Room for the largest lists of all kinds that are read, indented. */
export const MAX_CONTRACT_BYTES = 64 * 1024 * 1024;

const MAX_ENTRIES = 20_001;
const MAX_KEY = 8_192;
const MAX_TEXT = 10_000;

const text = z.string().max(MAX_TEXT);
const kind = z.enum(KINDS);
const fingerprint = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const row = z.object({
  status: z.enum(['complete', 'complete-empty', 'unsupported', 'incomplete', 'failed']),
  count: z.int().min(0),
  reason: text.optional(),
});
const originKey = z.string().max(MAX_KEY);

/** What was added to the format since may be in it; it is not looked at. */
const contractShape = z.object({
  format: z.literal(CONTRACT_FORMAT),
  server: z.object({
    name: text.nullable(),
    version: text.nullable(),
    launch: z.object({
      route: z.string().max(1_000_000),
      command: z.string().max(100_000),
      args: z.array(z.string().max(100_000)).max(1_000),
      env: z.array(text).max(1_000),
    }),
  }),
  fingerprint,
  kinds: z.record(kind, row),
  capabilities: z
    .array(
      z.object({
        kind,
        originKey,
        // Checked below against what it is worked out to be, which is how the brand is made.
        fingerprint: fingerprint.transform((id) => id as CapabilityId),
        // As it is, without a copy: a copy may leave members out that have odd names.
        definition: z.custom<JsonObject>(isObject),
      }),
    )
    .max(MAX_ENTRIES),
  invalid: z
    .array(z.object({ kind, originKey, reason: text }))
    .max(MAX_ENTRIES)
    .default([]),
});
const formatOnly = z.looseObject({ format: z.int() });

/**
 * Reads a contract and believes nothing in it: shape, bounds, and every fingerprint is worked out again. A file that was
 * edited by hand, or is half merged, is refused rather than compared.
 * @throws HoldfastError SNAPSHOT_UNREADABLE, SNAPSHOT_NEWER
 */
export function readContract(file: string, bytes: Buffer): Contract {
  const refuse = (reason: string): HoldfastError => new HoldfastError('SNAPSHOT_UNREADABLE', { file, reason });
  const document = parse(bytes, refuse);
  const format = formatOnly.safeParse(document);
  if (!format.success) throw refuse('it is no snapshot');
  if (format.data.format > CONTRACT_FORMAT)
    throw new HoldfastError('SNAPSHOT_NEWER', { file, found: format.data.format, known: CONTRACT_FORMAT });
  const contract = contractShape.safeParse(document);
  if (!contract.success) throw refuse(problemOf(contract.error));
  const problem = untrue(contract.data);
  if (problem !== null) throw refuse(problem);
  return contract.data;
}

/** True for what {@link readContract} would take, or once took: it may be written over. */
export function looksLikeContract(bytes: Buffer): boolean {
  try {
    const shape = z.looseObject({ format: z.int(), fingerprint, capabilities: z.array(z.unknown()) });
    return shape.safeParse(parse(bytes, () => new Error('no'))).success;
  } catch {
    return false;
  }
}

function parse(bytes: Buffer, refuse: (reason: string) => Error): unknown {
  // Asked of the bytes, since what walks through a parsed value would run out of stack first.
  if (isTooDeep(bytes)) throw refuse('it is nested too deep');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw refuse('it is not JSON');
  }
}

function problemOf(error: z.ZodError): string {
  const path = (error.issues[0]?.path ?? []).map(String).join('.');
  return `its “${path}” is missing or malformed`;
}

/** What does not fit together in it, in words; `null` where all does. */
function untrue(contract: Contract): string | null {
  const { capabilities } = contract;
  for (const entry of capabilities) {
    const problem = entryProblem(entry);
    if (problem !== null) return problem;
  }
  const unordered = capabilities.find((entry, at) => at > 0 && inOrder(capabilities[at - 1] ?? entry, entry) >= 0);
  if (unordered !== undefined) return `${unordered.kind} “${unordered.originKey}” is in it twice, or not in its place`;
  const miscounted = KINDS.find((each) => count(contract, each) !== shouldCount(contract, each));
  if (miscounted !== undefined) return `it does not have as many entries of the kind ${miscounted} as it says`;
  return wholeFingerprint(contract) === contract.fingerprint ? null : 'its fingerprint is not that of what is in it';
}

function entryProblem({ kind: own, originKey: key, definition, fingerprint: said }: ContractEntry): string | null {
  const name = `${own} “${key}”`;
  try {
    assertIJson(definition);
    if (own === 'instructions' ? key !== '' : definition[LISTS[own].key] !== key)
      return `the definition of ${name} has another name`;
    return fingerprintOf({ kind: own, originKey: key, definition }) === said
      ? null
      : `the fingerprint of ${name} is not that of its definition`;
  } catch (error) {
    return `the definition of ${name} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function count({ capabilities, invalid }: Contract, own: Kind): number {
  return [...capabilities, ...invalid].filter((entry) => entry.kind === own).length;
}

/** What could not be read whole is not in it. */
function shouldCount({ kinds }: Contract, own: Kind): number {
  return kinds[own].status === 'complete' ? kinds[own].count : 0;
}
