import { createHash } from 'node:crypto';

/** The SHA-256 of bytes or of a UTF-8 text, in hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
