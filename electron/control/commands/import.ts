import { z } from 'zod';
import { HoldfastError } from '../../core/errors.ts';
import { skip, type ImportSkip } from '../../hosts/import-skips.ts';
import type { ImportGroup } from '../../hosts/import-groups.ts';
import { command } from '../command.ts';
import { serverNames } from '../resolve.ts';
import type { CommandContext } from '../context.ts';
import type { HostEdit } from '../host-apps-port.ts';
import { filledIn, isSuggested, maskFor, programOf, viewOf, type ImportView } from '../import-view.ts';
import { takeServer, type Taken } from '../import-take.ts';
import { appInput, nothing } from '../inputs.ts';

const MAX_SERVERS = 200;
const idInput = z.string().regex(/^[0-9a-f]{16}$/, 'not the id of a server that was found');
const valuesInput = z.record(z.string().max(1_000), z.string().max(32_768)).default({});
const chosenInput = z.strictObject({ id: idInput, values: valuesInput });
const takeInput = z.strictObject({
  /** By id: exactly what was shown. */
  servers: z.array(chosenInput).max(MAX_SERVERS).optional(),
  /** By name, as found now; where neither is given, all that need nobody's help. */
  names: z.array(z.string().min(1).max(200)).max(MAX_SERVERS).optional(),
  apps: z.array(appInput).max(MAX_SERVERS).optional(),
  /** The apps' settings stay as they are. */
  leave: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});
type TakeInput = z.output<typeof takeInput>;

export const IMPORT_COMMANDS = {
  /** What people have in their apps. Writes nothing and starts nothing. */
  'import.look': command(nothing, (context) => look(context), { inWindow: true }),
  /** Starts one for once, after the person has seen its whole command. */
  'import.try': command(chosenInput, (context, input) => tryOne(context, input), { inWindow: true }),
  /** Adds servers, gives them to the apps that had them, and takes them out of the apps' settings. */
  'import.take': command(takeInput, (context, input) => take(context, input), { inWindow: true }),
} as const;

function importable(context: CommandContext) {
  return context.hosts.importable(serverNames(context.state));
}

function look(context: CommandContext) {
  const { groups, skipped, unread } = importable(context);
  const usable = groups.filter((group) => group.blanks.length > 0 || programOf(group.name, group.start) !== null);
  const unusable = groups.filter((group) => !usable.includes(group));
  return {
    servers: usable.map((group) => viewOf(context, group)),
    skipped: [
      ...skipped.map(({ source, reason }) => ({ ...aboutEntry(source), reason })),
      ...unusable.flatMap(({ sources }) =>
        sources.map((source) => ({ ...aboutEntry(source), reason: skip('address') })),
      ),
    ],
    unread,
  };
}

function aboutEntry({ app, title, file, entry }: { app: string; title: string; file: string; entry: string }) {
  return { app, title, file, entry };
}

async function tryOne(context: CommandContext, { id, values }: z.output<typeof chosenInput>) {
  const group = found(importable(context).groups, id);
  const { values: filled, missing } = filledIn(group, values);
  if (missing.length > 0)
    throw new HoldfastError('COMMAND_BAD_INPUT', { reason: skip('values', { names: missing.join(', ') }).en });
  const program = programOf(group.name, group.start, filled);
  if (program === null) throw new HoldfastError('COMMAND_BAD_INPUT', { reason: skip('address').en });
  const { problem, tools } = await context.data.tryOnce(program);
  return { name: group.name, ok: problem === null, problem, tools };
}

/** A server that stays where it is, and why. */
interface Left {
  readonly name: string;
  readonly apps: readonly string[];
  readonly reason: ImportSkip;
}
interface Wanted {
  readonly group: ImportGroup;
  readonly values: Readonly<Record<string, string>>;
}

/** Adding comes first and the apps' settings last, so that whatever fails, no app is without what it had. */
async function take(context: CommandContext, input: TakeInput) {
  const { groups } = importable(context);
  const wanted = chosen(groups, input);
  const hide = maskFor(groups);
  const mask = (text: string): string => context.mask(hide(text));
  const left: Left[] = [];
  const taken: (Taken & Runs)[] = [];
  const shut = new Map(
    appNames(wanted.flatMap(({ group }) => group.sources)).flatMap((app) => shutApp(context, app, wanted, input)),
  );
  for (const { group, values } of wanted) {
    const closed = group.sources.filter(({ app }) => shut.has(app));
    const open = group.sources.filter(({ app }) => !shut.has(app));
    left.push(...closed.flatMap(({ app }) => leftRow(group, [app], shut.get(app))));
    if (open.length === 0) continue;
    const outcome = await takeServer(context, { ...group, sources: open }, values, input.dryRun);
    if ('code' in outcome) left.push(...leftRow(group, appNames(open), outcome));
    else taken.push({ ...runsOf(viewOf(context, group)), ...outcome });
  }
  const edits = input.leave ? [] : editApps(context, taken, input.dryRun, left);
  return {
    dryRun: input.dryRun,
    taken: taken.map((one) => takenRow(one, edits)),
    left,
    edits: edits.map((edit) => masked(edit, mask)),
  };
}

function leftRow({ name }: ImportGroup, apps: readonly string[], reason: ImportSkip | undefined): Left[] {
  return reason === undefined ? [] : [{ name, apps, reason }];
}

function appNames(sources: readonly { readonly app: string }[]): string[] {
  return [...new Set(sources.map(({ app }) => app))];
}

/** What was taken out of settings is told by the edits of these, not by what was meant. */
function takenRow({ moves, connects: _, apps, ...one }: Taken & Runs, edits: readonly HostEdit[]) {
  const isMoved = (app: string, name: string): boolean =>
    edits.some((edit) => edit.app === app && edit.moved?.includes(name) === true);
  const moved = moves.filter(({ app, name }) => isMoved(app, name)).map(({ app, name }) => ({ app, entry: name }));
  return {
    ...one,
    apps: apps.map((each) => ({ ...each, stays: !moved.some(({ app }) => app === each.app) })),
    moved,
  };
}

type Runs = Pick<ImportView, 'command' | 'args' | 'folder' | 'env'>;

function runsOf({ command: program, args, folder, env }: ImportView): Runs {
  return { command: program, args, folder, env };
}

/** The edit of a file is shown as lines of it, and in these are the keys. */
function masked(edit: HostEdit, mask: (text: string) => string): HostEdit {
  return edit.diff === undefined ? edit : { ...edit, diff: mask(edit.diff) };
}

function chosen(groups: readonly ImportGroup[], { servers, names, apps }: TakeInput): Wanted[] {
  const within = groups.flatMap((group) => {
    const sources = group.sources.filter(({ app }) => apps === undefined || apps.includes(app));
    return sources.length === 0 ? [] : [{ ...group, sources }];
  });
  if (servers !== undefined) return servers.map(({ id, values }) => ({ group: found(within, id), values }));
  if (names !== undefined) return names.map((name) => ({ group: named(within, name), values: {} }));
  // What is for one project of an app is brought in only where it is named.
  const everywhere = ({ sources }: ImportGroup) => sources.filter(({ scope }) => scope === 'section');
  return within.filter(isSuggested).map((group) => ({ group: { ...group, sources: everywhere(group) }, values: {} }));
}

/** @throws HoldfastError IMPORT_STALE: what was shown is not what is there now. */
function found(groups: readonly ImportGroup[], id: string): ImportGroup {
  const group = groups.find((one) => one.id === id);
  if (group === undefined) throw new HoldfastError('IMPORT_STALE');
  return group;
}

function named(groups: readonly ImportGroup[], name: string): ImportGroup {
  const group =
    groups.find((one) => one.name === name) ??
    groups.find(({ sources }) => sources.some(({ entry }) => entry === name));
  if (group === undefined)
    throw new HoldfastError('COMMAND_BAD_INPUT', { reason: `no app has a server called “${name}”` });
  return group;
}

/** Asked before anything is done: an app whose settings cannot be changed keeps its servers. */
function shutApp(
  context: CommandContext,
  app: string,
  wanted: readonly Wanted[],
  { leave }: TakeInput,
): [string, ImportSkip][] {
  const sources = wanted.flatMap(({ group }) => group.sources.filter((source) => source.app === app && source.canMove));
  if (leave || sources.length === 0) return [];
  try {
    const moves = sources.map(({ file, entry, print }) => ({ file, name: entry, print }));
    context.hosts.connect(app, { dryRun: true, moves });
    return [];
  } catch (error) {
    return [[app, settingsReason(error, sources[0]?.title ?? app)]];
  }
}

function settingsReason(error: unknown, app: string): ImportSkip {
  if (!(error instanceof HoldfastError)) throw error;
  return skip('settings', { app, hint: String(error.details['hint'] ?? error.details['reason'] ?? error.code) });
}

/** One write for each app. What cannot be written leaves the file as it was, and its servers in both places. */
function editApps(context: CommandContext, taken: readonly Taken[], dryRun: boolean, left: Left[]): HostEdit[] {
  const all = taken.flatMap(({ moves, id }) => moves.map((move) => ({ ...move, server: id ?? undefined })));
  return [...new Set(taken.flatMap(({ connects }) => connects))].flatMap((app) => {
    const moves = all.filter((move) => move.app === app).map(({ app: _, ...move }) => move);
    try {
      return [context.hosts.connect(app, { dryRun, moves })];
    } catch (error) {
      left.push({ name: app, apps: [app], reason: settingsReason(error, app) });
      return [];
    }
  });
}
