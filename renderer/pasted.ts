import type { PastedServer } from '../electron/control/pasted/pasted.ts';

/** What a person fills in: the name, a value per key and per hole. */
export interface Filled {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly holes: Readonly<Record<number, string>>;
}

/** The server as it will be added. */
export interface Ready {
  readonly name: string;
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

export function emptyFill(server: PastedServer): Filled {
  const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value ?? '']));
  return { name: server.name, env, holes: {} };
}

/** What still has to be filled in, by the label it has on the screen. */
export function missingIn(server: PastedServer, { name, env, holes }: Filled): string[] {
  const keys = server.env.filter((row) => (env[row.name] ?? '').trim() === '').map((row) => row.name);
  const places = server.holes.filter(({ at }) => (holes[at] ?? '').trim() === '').map(({ label }) => label);
  return [...(name.trim() === '' ? [''] : []), ...keys, ...places];
}

export function readyServer(server: PastedServer, { name, env, holes }: Filled): Ready {
  const args = server.args.map((arg, at) => ((holes[at] ?? '') === '' ? arg : (holes[at] ?? '')));
  return { name: name.trim(), command: server.command, args, env: { ...env } };
}

/** The whole line as it will run, so that nothing in it can hide; parts with a space stand in quotation marks. */
export function fullCommand({ command, args }: { readonly command: string; readonly args: readonly string[] }): string {
  return [command, ...args].map((part) => (/^[\w@%+=:,./~${}-]+$/.test(part) ? part : JSON.stringify(part))).join(' ');
}
