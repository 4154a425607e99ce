import { z } from 'zod';
import { BOUNDS } from '../../core/bounds.ts';
import { HoldfastError, limitReached } from '../../core/errors.ts';
import type { ConsumerId } from '../../core/model.ts';
import { deriveSurface } from '../../core/surface.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { HostEdit } from '../host-apps-port.ts';
import { appInput, nameInput, nothing } from '../inputs.ts';
import { consumerNamed } from '../resolve.ts';

const editInput = z.strictObject({ app: appInput, dryRun: z.boolean().default(false) });

export const APP_COMMANDS = {
  'apps.list': command(nothing, (context) => ({ apps: listApps(context), found: foundApps(context) }), {
    inWindow: true,
  }),
  'apps.add': command(
    z.strictObject({ app: appInput, name: nameInput.optional() }),
    async (context, { app, name }) => ({
      app,
      name: await addApp(context, app, name),
    }),
  ),
  'apps.connect': command(editInput, (context, input) => connect(context, input), { inWindow: true }),
  'apps.disconnect': command(editInput, (context, input) => disconnect(context, input), { inWindow: true }),
  // Before Holdfast is removed from the computer: what was decided stays, and an app can be connected again.
  'apps.disconnect-all': command(nothing, (context) => ({ files: context.hosts.disconnectAll() }), { inWindow: true }),
  // It closes a window that a person may be typing in: whoever asks for this has asked that person.
  'apps.restart': command(z.strictObject({ app: appInput }), (context, { app }) => restart(context, app), {
    inWindow: true,
  }),
  // An entry that is gone or out of date is written again: only for an app that a person has added.
  'apps.repair': command(
    editInput,
    (context, { app, dryRun }) => {
      consumerNamed(context.state, app);
      return shown(context, context.hosts.connect(app, { dryRun }));
    },
    { inWindow: true },
  ),
} as const;

/** Adds an app and writes its settings; throws before either where the settings cannot be changed. */
export async function connect(context: CommandContext, { app, dryRun }: z.output<typeof editInput>) {
  if (dryRun) return context.hosts.connect(app, { dryRun });
  // An app without a known settings file is added all the same; the error then says what to put where.
  if (context.hosts.writes(app)) context.hosts.connect(app, { dryRun: true });
  await addApp(context, app);
  return shown(context, context.hosts.connect(app, { dryRun: false }));
}

/** How the app stands is on the screen, and no commit says that it has changed. */
function shown(context: CommandContext, edit: HostEdit): HostEdit {
  context.pushSnapshot();
  return edit;
}

async function restart(context: CommandContext, app: string) {
  const { id, name } = consumerNamed(context.state, app);
  if (!context.hosts.restarts(id)) throw new HoldfastError('HOST_RESTART_FAILED', { app: name });
  await context.hosts.restart(id);
  return { app: id };
}

function disconnect(context: CommandContext, { app, dryRun }: z.output<typeof editInput>) {
  if (!context.hosts.writes(app)) consumerNamed(context.state, app);
  return shown(context, context.hosts.disconnect(app, { dryRun }));
}

function listApps(context: CommandContext) {
  return Object.values(context.state.consumers).map(({ id, name }) => {
    const { manifest, withheld } = deriveSurface(context.state, id);
    return {
      id,
      name,
      connections: context.data.connections(id),
      entries: manifest.entries.length,
      withheld: withheld.length,
    };
  });
}

/** Apps of this machine that could be connected and are not. */
function foundApps({ setup, state, hosts }: CommandContext) {
  return setup.found().filter(({ id }) => hosts.writes(id) && !Object.hasOwn(state.consumers, id));
}

/** Adding twice is adding once. */
export async function addApp(context: CommandContext, app: string, name?: string): Promise<string> {
  const known = context.state.consumers[app as ConsumerId]; // looked up: an unknown id finds nothing
  if (known !== undefined) return known.name;
  if (Object.keys(context.state.consumers).length >= BOUNDS.apps.value) throw limitReached('apps');
  const title = name ?? context.hosts.title(app) ?? app;
  await context.dispatch({ type: 'consumer-added', at: context.now(), consumer: app as ConsumerId, name: title }); // its id is its name
  return title;
}
