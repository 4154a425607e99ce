import { HoldfastError } from '../core/errors.ts';
import { systemCode } from '../core/system-reasons.ts';
import { messageOf } from './files.ts';

/**
 * Something could not be written, with the system's own code for it, which has its words (core/error-sentences.ts).
 * What is a HoldfastError already says more, and stays as it is.
 */
export function writeFailed(file: string, cause: unknown): HoldfastError {
  if (cause instanceof HoldfastError) return cause;
  const system = systemCode(cause);
  const details = { file, reason: messageOf(cause), ...(system !== undefined && { system }) };
  return new HoldfastError('STORE_WRITE_FAILED', details, { cause });
}
