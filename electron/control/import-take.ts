import { errorWords } from '../core/error-sentences.ts';
import { asHoldfastError, HoldfastError } from '../core/errors.ts';
import { parseRef } from '../core/identity.ts';
import { serversInIntent } from '../core/intent.ts';
import type { ConsumerId, ServerId } from '../core/model.ts';
import type { ImportGroup } from '../hosts/import-groups.ts';
import { skip, type ImportSkip } from '../hosts/import-skips.ts';
import { APP_COMMANDS } from './commands/apps.ts';
import { SERVER_COMMANDS } from './commands/servers.ts';
import { SURFACE_COMMANDS } from './commands/surfaces.ts';
import type { CommandContext, TryableServer } from './context.ts';
import { filledIn, programOf, sameServer, type Values } from './import-view.ts';
import { leavingOut, shownFor } from './resolve.ts';

type Source = ImportGroup['sources'][number];

/** A server that Holdfast has now, or would have, and what may go from the apps' settings. */
export interface Taken {
  readonly name: string;
  readonly id: ServerId | null;
  readonly isNew: boolean;
  /** Names of the tools it showed when it was tried; `null` where it was not. */
  readonly tools: readonly string[] | null;
  /** `isOn`: it was not switched off there. */
  readonly apps: readonly { readonly app: string; readonly isOn: boolean }[];
  /** Apps that get our entry: those that lose theirs, and those that never read where it was. */
  readonly connects: readonly string[];
  readonly moves: readonly {
    readonly app: string;
    readonly file: string;
    readonly name: string;
    readonly print: string;
  }[];
}

/**
 * Adds one server and gives it to the apps that had it, each with the tools it had there. It has to start first. With
 * `dryRun` it says what would come of it, and starts nothing.
 */
export async function takeServer(
  context: CommandContext,
  group: ImportGroup,
  given: Values,
  dryRun: boolean,
): Promise<Taken | ImportSkip> {
  const { values, missing } = filledIn(group, given);
  if (missing.length > 0) return skip('values', { names: missing.join(', ') });
  const program = programOf(group.name, group.start, values);
  if (program === null) return skip('address');
  const same = sameServer(context, program);
  if (dryRun) return takenOf(group, { name: same?.name ?? group.name, id: same?.id ?? null }, same === undefined, null);
  try {
    const tried = same === undefined ? await context.data.tryOnce(program) : null;
    if (tried !== null && tried.problem !== null) return skip('not-started', { reason: tried.problem });
    const server = same ?? (await add(context, group.name, program));
    for (const source of group.sources) await give(context, server, source);
    return takenOf(group, server, same === undefined, tried?.tools ?? null);
  } catch (thrown) {
    return refusal(thrown);
  }
}

function takenOf(
  { sources }: ImportGroup,
  { name, id }: { readonly name: string; readonly id: ServerId | null },
  isNew: boolean,
  tools: readonly string[] | null,
): Taken {
  const movable = sources.filter(({ canMove }) => canMove);
  const connects = sources.filter(({ canMove, scope }) => canMove || scope === 'misplaced').map(({ app }) => app);
  return {
    ...{ name, id, isNew, tools, connects },
    apps: sources.map(({ app, isDisabled }) => ({ app, isOn: !isDisabled })),
    moves: movable.map(({ app, file, entry, print }) => ({ app, file, name: entry, print })),
  };
}

async function add(context: CommandContext, name: string, { command, args, env, cwd }: TryableServer) {
  const { run, input } = SERVER_COMMANDS['servers.add'];
  // What the app had is what is wanted now; choices of an earlier time stay put away.
  const folder = cwd === null ? {} : { cwd };
  const { id } = await run(context, input.parse({ name, command, args, env, known: 'fresh', ...folder }));
  return { name, id };
}

/**
 * An import is the person's own choice of what the app had: the whole server, or, where some of it was off there, what was
 * not, each by its name. An app that has something of the server keeps its choices.
 * @throws HoldfastError SERVER_NOT_STARTED: what is off there cannot be told from the rest
 */
async function give(
  context: CommandContext,
  { name, id }: { name: string; id: ServerId },
  source: Source,
): Promise<void> {
  const { app, isDisabled, tools } = source;
  await APP_COMMANDS['apps.add'].run(context, { app });
  const consumer = app as ConsumerId; // an app's id is its name
  if (isDisabled || isChosen(context, consumer, id)) return;
  const isOn = (tool: string): boolean => !tools.without.includes(tool) && tools.only?.includes(tool) !== false;
  if (tools.only === null && tools.without.length === 0) {
    await SURFACE_COMMANDS.expose.run(context, { app, server: name });
    return;
  }
  const listed = await listedNow(context, name, id, consumer);
  const wanted = listed.filter(({ kind, originKey }) => kind !== 'tool' || isOn(originKey));
  for (const { kind, originKey } of wanted) {
    if (kind === 'instructions') continue; // they come with the first of the others
    await SURFACE_COMMANDS.expose.run(context, { app, server: name, kind, originKey });
  }
}

/** The person has chosen of this server for that app before, on or off. */
function isChosen({ state }: CommandContext, consumer: ConsumerId, server: ServerId): boolean {
  return state.exposures[consumer]?.[server] !== undefined || serversInIntent(state, consumer).includes(server);
}

async function listedNow(context: CommandContext, name: string, server: ServerId, consumer: ConsumerId) {
  const { complete } = await SERVER_COMMANDS['servers.check'].run(context, { name });
  if (!complete) throw new HoldfastError('SERVER_NOT_STARTED', { command: name, reason: 'its list cannot be read' });
  const shown = leavingOut(context, shownFor(context.state, server, consumer, 'all'));
  return shown.filter(({ leftOut }) => leftOut !== true).map(({ ref }) => parseRef(ref));
}

function refusal(thrown: unknown): ImportSkip {
  const error = asHoldfastError(thrown);
  const [en, zh] = [errorWords(error, 'en').message, errorWords(error, 'zh-CN').message];
  return { ...skip('not-added', { message: en }), 'zh-CN': skip('not-added', { message: zh })['zh-CN'] };
}
