import { z } from 'zod';
import { BOUNDS } from '../../core/bounds.ts';
import { HoldfastError, limitReached } from '../../core/errors.ts';
import { classify } from '../../core/classify/classify.ts';
import { diffCatalogs } from '../../core/diff.ts';
import { launchRoute } from '../../core/launch.ts';
import { maskArgs } from '../../core/redact.ts';
import { shownRoute } from '../../core/shown-route.ts';
import type {
  CapabilityId,
  Catalog,
  CatalogEntry,
  Change,
  Kind,
  KindOutcome,
  Launch,
  Observation,
  Server,
  ServerId,
} from '../../core/model.ts';
import { KINDS } from '../../core/model.ts';
import { scopeKey } from '../../core/view.ts';
import { words } from '../../core/words.ts';
import { isShut, keysShut } from '../../store/secrets.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { argsInput, commandInput, envInput, folderInput, nameInput, nothing } from '../inputs.ts';
import { serverNamed } from '../resolve.ts';
import { commitWithKeys, keysFor } from '../server-keys.ts';
import type { Snapshot } from '../snapshot.ts';
import { keysOf } from '../snapshot-view.ts';

export const addInput = z.strictObject({
  name: nameInput,
  command: commandInput,
  args: argsInput.default([]),
  env: envInput.default({}),
  cwd: folderInput.optional(),
  /** What to do where the same launch was removed before: bring its choices back, or start anew. */
  known: z.enum(['ask', 'restore', 'fresh']).default('ask'),
});
const setInput = z.strictObject({
  name: nameInput,
  command: commandInput.optional(),
  args: argsInput.optional(),
  env: envInput.default({}),
});

export const SERVER_COMMANDS = {
  'servers.list': command(
    nothing,
    (context) => {
      const keys = keysOf(context.state, context.secrets.keeping);
      return { servers: listServers(context), keys, keysNote: keysNote(context, keys) };
    },
    { inWindow: true },
  ),
  'servers.add': command(addInput, (context, input) => addServer(context, input), { inWindow: true }),
  'servers.set': command(setInput, (context, input) => setServer(context, input), { inWindow: true }),
  'servers.remove': command(z.strictObject({ name: nameInput }), (context, { name }) => removeServer(context, name), {
    inWindow: true,
  }),
  'servers.check': command(z.strictObject({ name: nameInput }), (context, { name }) => checkServer(context, name), {
    inWindow: true,
  }),
  /** The way out where a key store will never open the keys again. Only a person asks for it. */
  'servers.forget-keys': command(nothing, (context) => forgetKeys(context)),
} as const;

/** What a person should know of how the keys are kept; `null` where all is well. */
function keysNote({ state }: CommandContext, keys: Snapshot['keys']): string | null {
  if (keys === 'none' || keys === 'sealed') return null;
  return words(isShut(keys) ? 'keys.note.shut' : 'keys.note.file', state.settings.language);
}

async function forgetKeys(context: CommandContext) {
  const { secrets, state } = context;
  const file = await secrets.forget(context.now());
  const { language } = state.settings;
  if (file === null) return { file, about: words('keys.notForgotten', language) };
  context.pushSnapshot();
  return { file, about: words('keys.forgotten', language, { file }) };
}

function listServers(context: CommandContext) {
  return Object.values(context.state.servers)
    .filter((server) => server.archivedAt === null)
    .map((server) => ({
      id: server.id,
      name: server.name,
      command: server.launch.command,
      // Keys belong into the environment; those that stand here all the same are not shown.
      args: maskArgs(server.launch.args, context.mask),
      envNames: server.launch.envNames,
      route: shownRoute(server.launch, context.mask),
      version: server.version,
      policy: server.policy,
      perApp: server.asks,
      ...context.data.status(server.id),
    }));
}

/** Adds a server as it is given; nothing of it is exposed to an app by that. */
export async function addServer(context: CommandContext, input: z.output<typeof addInput>) {
  const current = Object.values(context.state.servers).filter(({ archivedAt }) => archivedAt === null);
  if (current.length >= BOUNDS.servers.value) throw limitReached('servers');
  const former = formerServer(context, launchOf(input.command, input.args, {}));
  if (former !== undefined && input.known === 'ask')
    throw new HoldfastError('UPSTREAM_KNOWN_BEFORE', { server: former.name });
  const at = context.now();
  const restored = former !== undefined && input.known === 'restore';
  if (restored) requireReadable(context, former);
  const id = restored ? former.id : (`srv-${context.random(12)}` as ServerId); // the one place that makes the brand
  const kept = restored ? keysFor(context.secrets, former) : {};
  const env = { ...kept, ...input.env };
  const launch = launchOf(input.command, input.args, env, input.cwd);
  await commitWithKeys(context, {
    id,
    before: restored ? { launch: former.launch, env: kept } : null,
    after: { launch, env },
    event: restored
      ? { type: 'server-restored', at, server: id, name: input.name, launch }
      : { type: 'server-added', at, server: { id, name: input.name, launch } },
  });
  context.data.observeSoon(id);
  return { server: input.name, id, route: shownRoute(launch, context.mask), restored };
}

/** @throws HoldfastError where the server has keys that cannot be read: they would be lost. */
export function requireReadable({ secrets: { keeping } }: CommandContext, { launch }: Server): void {
  if (isShut(keeping) && launch.envNames.length > 0) throw keysShut(keeping);
}

function formerServer({ state }: CommandContext, launch: Launch): Server | undefined {
  const route = launchRoute(launch);
  return Object.values(state.servers).find((server) => server.archivedAt !== null && server.route === route);
}

export function launchOf(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Launch {
  const folder = cwd === undefined ? {} : { cwd };
  return { type: 'stdio', command: program, args, envNames: Object.keys(env).sort(), ...folder };
}

/**
 * Environment values are added to those that are there; an empty one is taken out. Another program does not get the keys
 * of the one before.
 */
async function setServer(context: CommandContext, input: z.output<typeof setInput>) {
  const server = serverNamed(context.state, input.name);
  requireReadable(context, server);
  const program = input.command ?? server.launch.command;
  const args = input.args ?? launchArgs(input, server);
  const route = launchRoute({ command: program, args });
  const routeChanged = route !== server.route;
  const kept = keysFor(context.secrets, server);
  const merged = Object.entries({ ...(routeChanged ? {} : kept), ...input.env }).filter(([, value]) => value !== '');
  const env = Object.fromEntries(merged);
  // Another program has no use for the folder of the one before.
  const launch = launchOf(program, args, env, routeChanged ? undefined : server.launch.cwd);
  const changed = await changeLaunch(context, server, kept, { launch, env });
  const droppedEnv = Object.keys(kept).filter((name) => !(name in env));
  return { ...changed, routeChanged, droppedEnv };
}

/**
 * Starts a server in another way from now on, with other keys, and looks at what it offers then.
 * @param kept the keys that it has
 */
export async function changeLaunch(
  context: CommandContext,
  server: Server,
  kept: Readonly<Record<string, string>>,
  after: { readonly launch: Launch; readonly env: Readonly<Record<string, string>> },
) {
  const { id, name } = server;
  const { launch } = after;
  const event = { type: 'server-changed', at: context.now(), server: id, launch } as const;
  await commitWithKeys(context, { id, before: { launch: server.launch, env: kept }, after, event });
  context.data.observeSoon(id);
  return { server: name, id, route: shownRoute(launch, context.mask) };
}

/** A new program comes with its own arguments; without one, the old ones stay. */
function launchArgs(input: { readonly command?: string | undefined }, server: Server): readonly string[] {
  return input.command === undefined ? server.launch.args : [];
}

async function removeServer(context: CommandContext, name: string) {
  const server = serverNamed(context.state, name);
  await context.dispatch({ type: 'server-removed', at: context.now(), server: server.id });
  context.hosts.forgetMoves(server.id);
  return { server: server.name, id: server.id, archived: true };
}

async function checkServer(context: CommandContext, name: string) {
  const server = serverNamed(context.state, name);
  const before = catalogOf(context, server.id);
  const observation = await context.data.observeNow(server.id, null);
  const changes = diffCatalogs(before, catalogOf(context, server.id)).flatMap(({ before: was, after: is }) =>
    changeBetween(context, was, is),
  );
  const { state, problem } = context.data.status(server.id);
  return {
    server: server.name,
    version: observation.version,
    complete: isComplete(observation),
    kinds: Object.fromEntries(KINDS.flatMap((kind) => kindRow(kind, observation.kinds[kind]))),
    changes,
    state,
    problem,
  };
}

function catalogOf({ state }: CommandContext, server: ServerId): Catalog {
  return state.catalogs[scopeKey(server, null)] ?? {};
}

export function isComplete({ kinds }: Observation): boolean {
  const outcomes = KINDS.flatMap((kind) => kinds[kind] ?? []);
  return outcomes.length > 0 && outcomes.every(({ status }) => status !== 'failed' && status !== 'incomplete');
}

function kindRow(kind: Kind, outcome: KindOutcome | undefined): [string, object][] {
  if (outcome === undefined) return [];
  const count =
    outcome.status === 'complete' ? outcome.items.length : outcome.status === 'incomplete' ? outcome.count : 0;
  const reason = 'reason' in outcome ? { reason: outcome.reason } : {};
  return [[kind, { status: outcome.status, count, ...reason }]];
}

function changeBetween(context: CommandContext, was: CatalogEntry | undefined, is: CatalogEntry | undefined): Change[] {
  const before = definitionOf(context, lastShown(was));
  const after = is?.state === 'present' ? definitionOf(context, is.id) : null;
  return before === null && after === null ? [] : [classify(before, after)];
}

function lastShown(entry: CatalogEntry | undefined): CapabilityId | null {
  return entry?.state === 'present' ? entry.id : null;
}

function definitionOf(context: CommandContext, id: CapabilityId | null) {
  return id === null ? null : (context.definition(id) ?? null);
}
