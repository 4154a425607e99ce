import { BOUNDS } from './bounds.ts';
import { byCodeUnits, sha256 } from './canonical.ts';
import { parseRef } from './identity.ts';
import type { CapabilityRef, Kind, Server, ServerId } from './model.ts';
import { entriesOf } from './state.ts';

const MAX_PUBLISHED_NAME = BOUNDS.publishedName.value;
const LEGAL_NAME = new RegExp(`^[a-zA-Z][a-zA-Z0-9_-]{0,${MAX_PUBLISHED_NAME - 1}}$`);

/** Of one consumer: `<kind>/<published name>` -> ref. */
export type NameTable = Readonly<Record<string, CapabilityRef>>;

/** Key of the name table. Tools and prompts have name spaces of their own. */
export function nameKey(kind: Kind, name: string): string {
  return `${kind}/${name}`;
}

/** ASCII slug of the first label, else `s` and four hash characters, as where another server has that slug. */
export function serverPrefix(name: string, id: ServerId, taken: readonly string[]): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-$/g, '')
    .slice(0, BOUNDS.prefixLength.value)
    .replace(/-$/, '');
  const isAscii = /^[\x20-\x7e]+$/.test(name);
  return isAscii && slug !== '' && !taken.includes(slug) ? slug : `s${hash(id, 4)}`;
}

/**
 * Gives every ref a name that it keeps for ever (README, "Names"). Refs whose name and prefixed name are taken get none:
 * that is a conflict, which only a person settles.
 */
export function claimNames(
  table: NameTable,
  refs: readonly CapabilityRef[],
  servers: Readonly<Record<ServerId, Server>>,
): { table: NameTable; nameOf: ReadonlyMap<CapabilityRef, string> } {
  const claimed = new Map(entriesOf(table));
  const nameOf = new Map([...claimed].map(([key, ref]) => [ref, key.slice(key.indexOf('/') + 1)]));
  const prefixOf = (ref: CapabilityRef): string => servers[parseRef(ref).server]?.prefix ?? '';
  const unnamed = refs.filter((ref) => !nameOf.has(ref)).sort((a, b) => claimOrder(a, b, prefixOf));
  for (const ref of unnamed) {
    const { kind } = parseRef(ref);
    const name = candidates(ref, prefixOf(ref)).find((candidate) => !claimed.has(nameKey(kind, candidate)));
    if (name === undefined) continue;
    claimed.set(nameKey(kind, name), ref);
    nameOf.set(ref, name);
  }
  const hasGrown = claimed.size > Object.keys(table).length;
  return { table: hasGrown ? Object.fromEntries(claimed) : table, nameOf }; // same keys and values
}

function candidates(ref: CapabilityRef, prefix: string): string[] {
  const { server, kind, originKey } = parseRef(ref);
  if (kind === 'resource' || kind === 'resourceTemplate') return [originKey];
  if (kind === 'instructions') return [prefix, `${prefix}-${hash(server, 4)}`];
  return [legalName(originKey), legalName(`${prefix}_${originKey}`)];
}

/** A legal name as it is; else made legal, and overlong ones end in a hash of the whole. */
function legalName(name: string): string {
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  const started = /^[a-zA-Z]/.test(plain) ? plain : `t_${plain}`;
  if (started.length <= MAX_PUBLISHED_NAME) return started;
  return `${started.slice(0, MAX_PUBLISHED_NAME - 7)}_${hash(name, 6)}`;
}

/** Within one commit: names already legal first, then origin keys by code units, then servers. */
function claimOrder(a: CapabilityRef, b: CapabilityRef, prefixOf: (ref: CapabilityRef) => string): number {
  const [keyA, keyB] = [parseRef(a).originKey, parseRef(b).originKey];
  const rank = (key: string): number => (LEGAL_NAME.test(key) ? 0 : 1);
  return (
    rank(keyA) - rank(keyB) || byCodeUnits(keyA, keyB) || byCodeUnits(prefixOf(a), prefixOf(b)) || byCodeUnits(a, b)
  );
}

function hash(text: string, length: number): string {
  return sha256(text).slice('sha256:'.length, 'sha256:'.length + length);
}
