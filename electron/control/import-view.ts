import { redactor, maskArgs, MASK } from '../core/redact.ts';
import type { ImportGroup } from '../hosts/import-groups.ts';
import { mapStart, type ImportStart } from '../hosts/import-read.ts';
import { soundsSecret } from '../core/value-names.ts';
import type { CommandContext, TryableServer } from './context.ts';
import { addressServer } from './pasted/address.ts';
import { keysFor } from './server-keys.ts';

/** Values for blanks, by token. */
export type Values = Readonly<Record<string, string>>;

/** What would run, with the person's values in it; `null` for an address that cannot be used. */
export function programOf(name: string, start: ImportStart, values: Values = {}): TryableServer | null {
  const filled = mapStart(start, new Map(Object.entries(values)));
  if (filled.kind === 'program') return filled;
  const found = addressServer(filled.url, name, filled.headers);
  if (typeof found === 'string') return null;
  const given = Object.values(filled.headers);
  const env = found.env.map((row, at) => [row.name, row.value ?? given[at] ?? ''] as const);
  return { command: found.command, args: found.args, env: Object.fromEntries(env), cwd: null };
}

/** Values for all blanks: the person's, else those that the app would take. */
export function filledIn(
  { blanks }: Pick<ImportGroup, 'blanks'>,
  given: Values,
): { values: Values; missing: string[] } {
  const rows = blanks.map(({ token, label, fallback }) => {
    const own = Object.hasOwn(given, token) ? given[token] : undefined;
    return { token, label, value: own === undefined || own === '' ? fallback : own };
  });
  const values = rows.flatMap(({ token, value }) => (value === null ? [] : [[token, value] as const]));
  const missing = rows.flatMap(({ label, value }) => (value === null ? [label] : []));
  return { values: Object.fromEntries(values), missing };
}

/** The server that Holdfast has already and that is started in the very same way; its id. */
export function sameServer({ state, secrets }: CommandContext, program: TryableServer) {
  return Object.values(state.servers).find((server) => {
    const { launch, archivedAt } = server;
    if (archivedAt !== null || launch.command !== program.command) return false;
    const env = keysFor(secrets, server);
    return (
      JSON.stringify(launch.args) === JSON.stringify(program.args) &&
      (launch.cwd ?? null) === program.cwd &&
      launch.envNames.length === Object.keys(program.env).length &&
      launch.envNames.every((name) => Object.hasOwn(env, name) && env[name] === program.env[name])
    );
  });
}

/** One that needs nobody's help: it is ticked, or taken where no name is given. */
export function isSuggested({ blanks, sources }: ImportGroup): boolean {
  return blanks.every(({ fallback }) => fallback !== null) && sources.some(({ scope }) => scope === 'section');
}

/** A mask for the keys of these servers, which nobody has been told about yet. */
export function maskFor(groups: readonly ImportGroup[]): (text: string) => string {
  return redactor(
    groups.flatMap(({ start }) => {
      const all = Object.entries(start.kind === 'program' ? start.env : start.headers);
      const isAllSecret = start.kind === 'address';
      return all.flatMap(([name, value]) => (isAllSecret || soundsSecret(name) ? [value] : []));
    }),
  );
}

/** A found server as a person may see it: the whole command, and of its keys only their names. */
export function viewOf(context: CommandContext, group: ImportGroup) {
  const { id, name, start, blanks, sources } = group;
  const mask = maskFor([group]);
  const shown = (text: string): string => context.mask(mask(text));
  const program = programOf(name, start) ?? plainly(start);
  const same = sameServer(context, program);
  return {
    id,
    name: same?.name ?? name,
    /** It is one of Holdfast's already. */
    isKnown: same !== undefined,
    command: shown(program.command),
    args: maskArgs(program.args, shown),
    folder: program.cwd,
    isRemote: start.kind === 'address',
    env: Object.entries(program.env).map(([key, value]) => envView(key, value, start, shown)),
    blanks,
    isSuggested: isSuggested(group),
    apps: sources.map(({ app, title, entry, file, scope, folder, canMove, isDisabled }) => ({
      ...{ app, title, entry, file, scope, project: folder, canMove, isDisabled },
    })),
  };
}
export type ImportView = ReturnType<typeof viewOf>;

/** An address that has blanks in it is shown as it stands. */
function plainly(start: ImportStart): TryableServer {
  return start.kind === 'program'
    ? start
    : { command: 'npx', args: ['-y', 'mcp-remote', start.url], env: {}, cwd: null };
}

function envView(name: string, value: string, start: ImportStart, shown: (text: string) => string) {
  const isSecret = start.kind === 'address' || soundsSecret(name);
  return { name, isSecret, value: isSecret ? MASK : shown(value) };
}
