import type { z } from 'zod';
import type { CommandContext } from './context.ts';

/** One command: what it takes, checked, and what it does. */
export interface Command<Input extends z.ZodType, Output> {
  readonly input: Input;
  /** Offered to the window; everything is offered to the command line. */
  readonly inWindow: boolean;
  readonly run: (context: CommandContext, input: z.output<Input>) => Output | Promise<Output>;
}

/** Keeps the types of a row in the table. */
export function command<Input extends z.ZodType, Output>(
  input: Input,
  run: Command<Input, Output>['run'],
  options: { readonly inWindow?: boolean } = {},
): Command<Input, Output> {
  return { input, run, inWindow: options.inWindow ?? false };
}
