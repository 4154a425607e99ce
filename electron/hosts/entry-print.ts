import { createHmac } from 'node:crypto';
import type { JsonValue } from './json-value.ts';

/** A value's fingerprint under this installation's secret: a short value cannot be guessed from it. */
export function printOf(value: JsonValue, token: string): string {
  return createHmac('sha256', token)
    .update(`entry ${JSON.stringify(value)}`)
    .digest('hex')
    .slice(0, 32);
}
