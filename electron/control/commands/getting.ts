import { z } from 'zod';
import { HoldfastError } from '../../core/errors.ts';
import { launchRoute } from '../../core/launch.ts';
import type { Server } from '../../core/model.ts';
import { fillOffer } from '../../getting/fill-offer.ts';
import type { LaidOut } from '../../getting/getting.ts';
import { isBelow } from '../../getting/is-below.ts';
import { readLink, type LinkWish } from '../../getting/link.ts';
import type { Offer, Values } from '../../getting/offer.ts';
import { refused } from '../../getting/refused.ts';
import { STEERS } from '../../getting/steers.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { nameInput } from '../inputs.ts';
import type { PastedServer } from '../pasted/pasted.ts';
import { readPaste } from '../pasted/read.ts';
import { serverNamed } from '../resolve.ts';
import { keysFor } from '../server-keys.ts';
import { addApp } from './apps.ts';
import { addInput, addServer, changeLaunch, launchOf, requireReadable } from './servers.ts';

const offerInput = z.string().regex(/^offer-[0-9a-f]{16}$/, 'it looks like offer-…');
const valuesInput = z
  .record(z.string().max(200), z.array(z.string().max(8_192)).max(50))
  .refine((values) => Object.keys(values).length <= 200, 'too many')
  .default({});
const fileInput = z
  .string()
  .min(1)
  .max(4_096)
  .refine((text) => !/[\0\p{Cs}]/u.test(text), 'a character in it is not allowed');
const listedInput = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/, 'that is no name of the list');
const fillInput = { values: valuesInput, update: nameInput.optional() };
const howInput = {
  ...fillInput,
  name: nameInput.optional(),
  known: z.enum(['ask', 'restore', 'fresh']).default('ask'),
};

/** Servers from files, links and lists. Each is laid out to be looked at first; only an `add` adds one. */
export const GETTING_COMMANDS = {
  'getting.open': command(
    z.strictObject({ file: fileInput }),
    async (context, { file }) => offerView(context, await context.getting.open(file, foldersInUse(context))),
    { inWindow: true },
  ),
  'getting.link': command(
    z.strictObject({ link: z.string().max(10_000) }),
    (context, { link }) => open(context, link),
    {
      inWindow: true,
    },
  ),
  'getting.search': command(
    z.strictObject({ word: z.string().trim().max(100).default(''), online: z.boolean().default(false) }),
    ({ getting, state }, { word, online }) => getting.search(word, online, state.settings.language),
    { inWindow: true },
  ),
  'getting.pick': command(
    z.strictObject({ name: listedInput }),
    async (context, { name }) => offerView(context, await pick(context, name)),
    { inWindow: true },
  ),
  'getting.fill': command(
    z.strictObject({ offer: offerInput, ...fillInput }),
    (context, { offer, ...how }) => filledView(context, context.getting.laidOut(offer).offer, how),
    { inWindow: true },
  ),
  'getting.add': command(
    z.strictObject({ offer: offerInput, ...howInput }),
    (context, { offer, ...how }) => add(context, context.getting.laidOut(offer), how),
    { inWindow: true },
  ),
  'getting.drop': command(
    z.strictObject({ offer: offerInput }),
    async (context, { offer }) => {
      await context.getting.drop(offer, foldersInUse(context));
      return { dropped: true };
    },
    { inWindow: true },
  ),
  /** A bundle of our bridge, for a host app that takes such files and loses what stands in its settings. */
  'apps.bundle': command(z.strictObject({ app: z.literal('claude-desktop'), file: fileInput }), writeBundle),
  /** For the command line: lays out and, where the person has said yes, adds in one step. */
  'getting.add-from': command(
    z.strictObject({ file: fileInput.optional(), listed: listedInput.optional(), yes: z.boolean(), ...howInput }),
    (context, input) => addFrom(context, input),
  ),
} as const;

interface How {
  readonly values: Values;
  /** The server that this bundle is another version of. */
  readonly update?: string | undefined;
  readonly name?: string | undefined;
  readonly known?: 'ask' | 'restore' | 'fresh';
}

/** True for a folder that some server is started from, one that was removed and may come back included. */
export function foldersInUse(context: Pick<CommandContext, 'state'>): (folder: string) => boolean {
  return (folder) =>
    Object.values(context.state.servers).some((server) => launchTexts(server).some((text) => isBelow(folder, text)));
}

function launchTexts({ launch }: Server): string[] {
  return [launch.command, ...launch.args];
}

function pick(context: CommandContext, name: string): Promise<LaidOut> {
  return context.getting.pick(name, context.state.settings.language, foldersInUse(context));
}

function offerView(context: CommandContext, { id, from, source, offer, reviewed, bundle }: LaidOut) {
  const isVersion = (server: Server): boolean =>
    bundle !== null && server.archivedAt === null && context.getting.isVersionOf(bundle, launchTexts(server));
  const updates = Object.values(context.state.servers).filter(isVersion);
  return {
    offer: id,
    from,
    source,
    reviewed,
    digest: bundle?.digest ?? null,
    author: bundle?.author ?? null,
    name: offer.name,
    version: offer.version,
    about: offer.about,
    isRemote: offer.isRemote,
    fields: offer.fields,
    /** Servers that run from another version of it. */
    updates: updates.map(({ name }) => name),
    ...filledView(context, offer, { values: {} }),
  };
}

/** As it would be started; of keys only that they are there. */
function filledView(context: CommandContext, offer: Offer, { values, update }: How) {
  const kept = update === undefined ? {} : keysFor(context.secrets, serverNamed(context.state, update));
  const { command: program, args, env, missing, wrong } = fillOffer(offer, values, kept);
  const secret = new Set(offer.fields.filter(({ isSecret }) => isSecret).map(({ key }) => key));
  const isSecret = (name: string): boolean =>
    Object.hasOwn(kept, name) ||
    (offer.env[name] ?? []).some((part) => typeof part !== 'string' && secret.has(part.field));
  const shownEnv = Object.entries(env).map(([name, value]) => ({ name, value: isSecret(name) ? null : value }));
  return { command: program, args, env: shownEnv, missing, wrong };
}

/** @throws HoldfastError OFFER_REFUSED incomplete, value; what adding or changing a server throws. */
async function add(context: CommandContext, { id, offer, bundle }: LaidOut, how: How) {
  const server = how.update === undefined ? null : serverNamed(context.state, how.update);
  const isOther = server !== null && (bundle === null || !context.getting.isVersionOf(bundle, launchTexts(server)));
  if (isOther) throw new HoldfastError('COMMAND_BAD_INPUT', { reason: 'that server does not run from this bundle' });
  const kept = server === null ? {} : keysFor(context.secrets, server);
  const filled = fillOffer(offer, how.values, kept);
  requireFilled(offer, filled);
  const { command: program, args, env } = filled;
  const launch = addInput.safeParse({ name: how.name ?? offer.name, command: program, args, env, known: how.known });
  if (!launch.success) throw refused('value', { name: offer.name }, launch.error);
  const added =
    server === null
      ? await addServer(context, launch.data)
      : await change(context, server, { kept, program, args, env });
  await context.getting.taken(id);
  return { added: true, ...added };
}

function requireFilled({ fields }: Offer, { missing, wrong }: ReturnType<typeof fillOffer>): void {
  const titles = (keys: readonly string[]): string[] =>
    fields.filter(({ key }) => keys.includes(key)).map(({ key, title }) => (title === key ? key : `${title} (${key})`));
  if (missing.length > 0) throw refused('incomplete', { names: titles(missing).join(', ') });
  const [first] = titles(wrong);
  if (first !== undefined) throw refused('value', { name: first });
}

interface NextLaunch {
  readonly kept: Readonly<Record<string, string>>;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Another version in the place of the one before. The person said so, which confirms the launch (README, "Routes"). */
async function change(context: CommandContext, server: Server, { kept, program, args, env }: NextLaunch) {
  requireReadable(context, server);
  const changed = await changeLaunch(context, server, kept, { launch: launchOf(program, args, env), env });
  return { ...changed, restored: false };
}

async function writeBundle(context: CommandContext, { app, file }: { readonly app: string; readonly file: string }) {
  await context.getting.writeHostBundle(file, app);
  return { app, name: await addApp(context, app), file };
}

interface From extends How {
  readonly file?: string | undefined;
  readonly listed?: string | undefined;
  readonly yes: boolean;
}

async function addFrom(context: CommandContext, { file, listed, yes, ...how }: From) {
  if ((file === undefined) === (listed === undefined))
    throw new HoldfastError('COMMAND_BAD_INPUT', { reason: 'it takes a file or a name of the list' });
  const laid =
    file === undefined ? await pick(context, listed ?? '') : await context.getting.open(file, foldersInUse(context));
  try {
    if (yes) return { ...offerView(context, laid), ...(await add(context, laid, how)) };
    const shown = { ...offerView(context, laid), ...filledView(context, laid.offer, how), added: false };
    await context.getting.drop(laid.id, foldersInUse(context));
    return shown;
  } catch (error) {
    await context.getting.drop(laid.id, foldersInUse(context)).catch(() => undefined); // why it was not added matters more
    throw error;
  }
}

/**
 * Lays out what a link asks for, without a connection. A link cannot have a program of its own choice started, only name
 * a published one.
 */
async function open(context: CommandContext, link: string) {
  const wish = readLink(link);
  if (wish.wants === 'catalogue') return { laidOut: offerView(context, await pick(context, wish.name)), pasted: null };
  return { laidOut: null, pasted: linkedServer(wish) };
}

function linkedServer(wish: Exclude<LinkWish, { readonly wants: 'catalogue' }>): PastedServer {
  const text = wish.wants === 'address' ? wish.address : wish.settings;
  const pasted = readPaste(text);
  const server = pasted.ok && pasted.servers.length === 1 ? pasted.servers[0] : undefined;
  if (server === undefined) throw refused('linked', { reason: 'it names no server' });
  if (!server.isRemote && !/^(?:npm|pypi|oci):/.test(launchRoute(server)))
    throw refused('linked', { reason: 'it would start a program that is not published' });
  if (server.env.some(({ name }) => STEERS.test(name)))
    throw refused('linked', { reason: 'it would change how programs are started' });
  // Values are the person's own: a link brings none along.
  const env = server.env.map((row) => ({ ...row, value: null }));
  return { ...server, name: wish.name === '' ? server.name : wish.name, env };
}
