import { errorWords } from '../core/error-sentences.ts';
import { asHoldfastError, HoldfastError } from '../core/errors.ts';
import type { Settings } from '../core/model.ts';
import { isWindowCommand, type Answer } from './contract.ts';

/** The window's own requests are far smaller; a page that went wrong must not be able to fill the main process. */
export const MAX_INPUT_BYTES = 256 * 1024;

export interface AnswerDeps {
  readonly run: (command: string, input: unknown) => Promise<unknown>;
  readonly language: () => Settings['language'];
  readonly log: (error: HoldfastError) => void;
}

/** Runs one request of the window and puts whatever happens into an envelope; never throws. */
export async function answer(deps: AnswerDeps, command: unknown, input: unknown): Promise<Answer<unknown>> {
  try {
    if (!isWindowCommand(command))
      throw new HoldfastError('COMMAND_BAD_INPUT', { reason: 'the window has no such command' });
    return { ok: true, value: await deps.run(command, plainInput(input)) };
  } catch (thrown) {
    return refusal(deps, asHoldfastError(thrown));
  }
}

/** The envelope of an error, in the person's language. */
export function refusal({ language, log }: AnswerDeps, error: HoldfastError): Answer<never> {
  if (error.code === 'INTERNAL') log(error);
  return { ok: false, error: errorWords(error, language()) };
}

/** What was measured is what runs: structured clones may hold dates, maps and cycles, JSON may not. */
function plainInput(input: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(input);
  } catch (cause) {
    throw new HoldfastError('COMMAND_BAD_INPUT', { reason: 'the input is not plain data' }, { cause });
  }
  // JSON.stringify answers undefined for what JSON cannot say, against its type.
  if (typeof text !== 'string') throw new HoldfastError('COMMAND_BAD_INPUT', { reason: 'the input is missing' });
  if (Buffer.byteLength(text) > MAX_INPUT_BYTES)
    throw new HoldfastError('COMMAND_BAD_INPUT', { reason: 'the input is too large' });
  return JSON.parse(text);
}
