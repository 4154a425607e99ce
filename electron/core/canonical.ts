import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { BOUNDS } from './bounds.ts';
import type { Json } from './model.ts';

/** Beyond these a definition is `invalid` and stays off. */
const { definitionDepth, definitionValues, definitionLength } = BOUNDS;

/** The value has no canonical form, so no id: it is not I-JSON (RFC 7493) or beyond the bounds. */
export class NotCanonical extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotCanonical';
  }
}

/**
 * Refuses what two JSON parsers may read differently: numbers beyond 2^53 - 1 and lone surrogates.
 * @throws NotCanonical with a reason in plain words.
 */
export function assertIJson(value: Json): void {
  let nodes = 0;
  let length = 0;
  const read = (text: string): void => {
    length += text.length;
    if (length > definitionLength.value) throw new NotCanonical(definitionLength.reason);
    assertWellFormed(text);
  };
  const visit = (node: Json, depth: number): void => {
    if (depth > definitionDepth.value) throw new NotCanonical(definitionDepth.reason);
    if (++nodes > definitionValues.value) throw new NotCanonical(definitionValues.reason);
    if (typeof node === 'string') read(node);
    else if (typeof node === 'number') assertSafeNumber(node);
    else if (Array.isArray(node)) for (const item of node as readonly Json[]) visit(item, depth + 1);
    else if (isObject(node))
      for (const [key, child] of Object.entries(node)) {
        read(key);
        visit(child, depth + 1);
      }
  };
  visit(value, 0);
}

function assertWellFormed(text: string): void {
  // With the `u` flag a surrogate pair is one code point, so only lone ones match.
  if (/\p{Surrogate}/u.test(text)) throw new NotCanonical('a lone surrogate in a text');
}

function assertSafeNumber(number: number): void {
  if (!(Math.abs(number) <= Number.MAX_SAFE_INTEGER)) throw new NotCanonical('a number beyond 2^53');
}

/** True for a JSON object, false for arrays and null. */
export function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 8785 canonical text. The caller has checked the value with {@link assertIJson} or built it itself. */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new NotCanonical('not a JSON value');
  return text;
}

/** `sha256:<hex>` over the UTF-8 bytes of a text. */
export function sha256(text: string): `sha256:${string}` {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}

/** Order by UTF-16 code units, as RFC 8785 sorts keys. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
