import { HoldfastError } from '../core/errors.ts';

/** Words that are no command. */
export function badInput(reason: string): HoldfastError {
  return new HoldfastError('COMMAND_BAD_INPUT', { reason });
}
