import type { z } from 'zod';
import { HoldfastError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';
import { APP_COMMANDS } from './commands/apps.ts';
import { CONTINUITY_COMMANDS } from './commands/continuity.ts';
import { EVIDENCE_COMMANDS } from './commands/evidence.ts';
import { GETTING_COMMANDS } from './commands/getting.ts';
import { IMPORT_COMMANDS } from './commands/import.ts';
import { POLICY_COMMANDS } from './commands/policies.ts';
import { PROFILE_COMMANDS } from './commands/profiles.ts';
import { REVIEW_COMMANDS } from './commands/reviews.ts';
import { SERVER_TOOL_COMMANDS } from './commands/server-tools.ts';
import { SERVER_VIEW_COMMANDS } from './commands/server-view.ts';
import { SERVER_COMMANDS } from './commands/servers.ts';
import { SETTING_COMMANDS } from './commands/settings.ts';
import { SETUP_COMMANDS } from './commands/setup.ts';
import { SURFACE_COMMANDS } from './commands/surfaces.ts';
import { WHY_COMMANDS } from './commands/why.ts';

/** Every command there is, served to window, command line and tests alike. A new one is one line in one file. */
export const COMMANDS = {
  ...SERVER_COMMANDS,
  ...SERVER_VIEW_COMMANDS,
  ...GETTING_COMMANDS,
  ...POLICY_COMMANDS,
  ...SERVER_TOOL_COMMANDS,
  ...APP_COMMANDS,
  ...IMPORT_COMMANDS,
  ...PROFILE_COMMANDS,
  ...SURFACE_COMMANDS,
  ...WHY_COMMANDS,
  ...REVIEW_COMMANDS,
  ...CONTINUITY_COMMANDS,
  ...SETTING_COMMANDS,
  ...EVIDENCE_COMMANDS,
  ...SETUP_COMMANDS,
} as const;
export type CommandName = keyof typeof COMMANDS;
export type CommandInput<N extends CommandName> = z.input<(typeof COMMANDS)[N]['input']>;
export type CommandOutput<N extends CommandName> = Awaited<ReturnType<(typeof COMMANDS)[N]['run']>>;

/** True for the name of a command; the caller's text is not trusted. */
function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/**
 * Checks the input and runs one command.
 * @throws HoldfastError COMMAND_BAD_INPUT for an unknown command or input that does not fit; whatever the command throws.
 */
export async function runCommand(context: CommandContext, name: string, input: unknown): Promise<unknown> {
  if (!isCommandName(name))
    throw new HoldfastError('COMMAND_BAD_INPUT', { reason: `there is no command “${name.slice(0, 60)}”` });
  const row: { readonly input: z.ZodType; readonly run: unknown } = COMMANDS[name];
  const parsed = row.input.safeParse(input);
  if (!parsed.success) throw new HoldfastError('COMMAND_BAD_INPUT', { reason: describe(parsed.error) });
  // The row pairs its schema with its function; the union of all rows hides that from the compiler.
  const run = row.run as (context: CommandContext, input: unknown) => unknown;
  return await Promise.resolve(run(context, parsed.data));
}

function describe(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'the input does not fit';
  const where = issue.path.join('.');
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}
