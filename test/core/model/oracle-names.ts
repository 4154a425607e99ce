/** Published names, written from README "Names" with plain loops. */
import { createHash } from 'node:crypto';
import { parseRef } from '../../../electron/core/identity.ts';
import type { CapabilityRef, ConsumerId, Kind, ServerId } from '../../../electron/core/model.ts';

export interface Claim {
  readonly consumer: ConsumerId;
  readonly kind: Kind;
  readonly name: string;
  readonly ref: CapabilityRef;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const isLegal = (name: string): boolean => name.length <= 48 && /^[a-zA-Z][a-zA-Z0-9_-]*$/.test(name);

export function prefixFor(name: string, id: ServerId, others: readonly string[]): string {
  let slug = '';
  for (const letter of name.toLowerCase()) slug += /[a-z0-9]/.test(letter) ? letter : '-';
  slug = slug.replace(/-+/g, '-').replace(/^[^a-z]*/, '');
  slug = slug.slice(0, 16).replace(/-*$/, '');
  const isAscii = !/[^ -~]/.test(name);
  return !isAscii || slug === '' || others.includes(slug) ? `s${hash(id).slice(0, 4)}` : slug;
}

function legal(name: string): string {
  let made = '';
  for (const unit of name.split('')) made += /[a-zA-Z0-9_-]/.test(unit) ? unit : '_';
  if (!/^[a-zA-Z]/.test(made)) made = `t_${made}`;
  return made.length <= 48 ? made : `${made.slice(0, 41)}_${hash(name).slice(0, 6)}`;
}

function namesFor(ref: CapabilityRef, prefix: string): string[] {
  const { server, kind, originKey } = parseRef(ref);
  if (kind === 'tool' || kind === 'prompt') return [legal(originKey), legal(`${prefix}_${originKey}`)];
  if (kind === 'instructions') return [prefix, `${prefix}-${hash(server).slice(0, 4)}`];
  return [originKey];
}

/** Claims that one commit adds for one consumer. */
export function newClaims(
  taken: readonly Claim[],
  consumer: ConsumerId,
  inForce: readonly CapabilityRef[],
  prefixOf: (server: ServerId) => string,
): Claim[] {
  const own = taken.filter((claim) => claim.consumer === consumer);
  const order = (ref: CapabilityRef): string[] => {
    const { server, originKey } = parseRef(ref);
    return [isLegal(originKey) ? '0' : '1', originKey, prefixOf(server), ref];
  };
  const unnamed = inForce.filter((ref) => !own.some((claim) => claim.ref === ref));
  unnamed.sort((a, b) => compare(order(a), order(b)));
  const added: Claim[] = [];
  for (const ref of unnamed) {
    const { server, kind } = parseRef(ref);
    const isFree = (name: string): boolean => ![...own, ...added].some((c) => c.kind === kind && c.name === name);
    const name = namesFor(ref, prefixOf(server)).find(isFree);
    if (name !== undefined) added.push({ consumer, kind, name, ref });
  }
  return added;
}

function compare(a: readonly string[], b: readonly string[]): number {
  for (const [at, text] of a.entries()) {
    const other = b[at] ?? '';
    if (text !== other) return text < other ? -1 : 1;
  }
  return 0;
}
