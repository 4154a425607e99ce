import type { Launch } from '../core/model.ts';
import type { UpstreamSpec } from '../gateway/ports.ts';

/** A program that comes with Holdfast, and what it is started with on this machine. */
export interface OwnProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Arguments that have to come last. */
  readonly trailing?: readonly string[];
}

/** By the command of a server. */
export type OwnPrograms = Readonly<Record<string, OwnProgram>>;

/**
 * What is started for a server. For a program of Holdfast's own that is whatever runs this gateway; the server's launch and
 * its digest stay those that a person sees, so that Holdfast may move without the program seeming another one.
 */
export function startOf(
  { command, args }: Launch,
  env: UpstreamSpec['env'],
  ownPrograms: OwnPrograms,
): Pick<UpstreamSpec, 'command' | 'args' | 'env'> {
  const own = Object.hasOwn(ownPrograms, command) ? ownPrograms[command] : undefined;
  if (own === undefined) return { command, args, env };
  const { trailing = [] } = own;
  return { command: own.command, args: [...own.args, ...args, ...trailing], env: { ...own.env, ...env } };
}
