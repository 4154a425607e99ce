import { z } from 'zod';
import { maskArgs } from '../../core/redact.ts';
import { shownRoute } from '../../core/shown-route.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { nameInput } from '../inputs.ts';
import { serverNamed } from '../resolve.ts';

export const SERVER_VIEW_COMMANDS = {
  /** Everything there is to know of one server, for the view of a problem. */
  'servers.show': command(z.strictObject({ name: nameInput }), (context, { name }) => showServer(context, name), {
    inWindow: true,
  }),
} as const;

function showServer(context: CommandContext, name: string) {
  const { id, name: server, version, launch, asks } = serverNamed(context.state, name);
  const { command: program, args, envNames } = launch;
  return {
    server,
    id,
    version,
    route: shownRoute(launch, context.mask),
    command: program,
    args: maskArgs(args, context.mask),
    envNames,
    perApp: asks,
    ...context.data.status(id),
    ...context.data.details(id),
  };
}
