import { HoldfastError, type ErrorDetails } from '../core/errors.ts';
import type { Refusal } from '../core/refusal-sentences.ts';

/** What is offered is not taken, for this reason; its sentence comes from `core/refusal-sentences.ts`. */
export function refused(refusal: Refusal, details: ErrorDetails = {}, cause?: unknown): HoldfastError {
  return new HoldfastError('OFFER_REFUSED', { ...details, refusal }, cause === undefined ? undefined : { cause });
}
