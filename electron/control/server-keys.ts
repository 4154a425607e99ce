import { createHash } from 'node:crypto';
import { canonicalText } from '../core/canonical.ts';
import type { Event, Launch, Server, ServerId } from '../core/model.ts';
import { reduce } from '../core/reduce.ts';
import type { CommandContext, SecretsPort } from './context.ts';

type Environment = Readonly<Record<string, string>>;

/**
 * The keys of a server: what its launch names and nothing else. More may be kept for it, where a change of its launch
 * was broken off.
 */
export function keysFor(secrets: Pick<SecretsPort, 'get'>, { id, launch }: Pick<Server, 'id' | 'launch'>): Environment {
  const kept = secrets.get(id);
  const valueOf = (name: string): string | undefined => (Object.hasOwn(kept, name) ? kept[name] : undefined);
  const rows = launch.envNames.flatMap((name) => {
    const value = valueOf(nameWith(launch, name)) ?? valueOf(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(rows);
}

/** Where the value of a key waits that is to go with a new launch: no variable can be called so. */
function nameWith(launch: Launch, name: string): string {
  const digest = createHash('sha256')
    .update(canonicalText({ ...launch }))
    .digest('hex');
  return `${name}@${digest.slice(0, 32)}`;
}

/** A change of a server's launch together with its keys. */
export interface KeyedChange {
  readonly id: ServerId;
  readonly event: Event;
  /** As it was; `null` for a server that is new. */
  readonly before: { readonly launch: Launch; readonly env: Environment } | null;
  readonly after: { readonly launch: Launch; readonly env: Environment };
}

/**
 * Commits a change of launch and keys. Until the commit the keys of both launches are kept, and each launch finds its own,
 * so that a commit that fails, or never comes, leaves everything as it was.
 * @throws HoldfastError what `reduce` refuses, STORE_WRITE_FAILED, or that of shut keys: then nothing was changed.
 */
export async function commitWithKeys(context: CommandContext, change: KeyedChange): Promise<void> {
  const { id, event, before, after } = change;
  const { secrets } = context;
  reduce(context.state, event);
  if (hasNone(before?.env ?? {}) && hasNone(after.env)) return context.dispatch(event);
  if (before !== null && canonicalText({ ...before.launch }) === canonicalText({ ...after.launch })) {
    // Nothing in the state says which values they are: these are changed last, in one step.
    await context.dispatch(event);
    return secrets.set(id, after.env);
  }
  await secrets.set(id, unionOf(before?.env ?? {}, after));
  let kept = before?.env ?? {};
  try {
    await context.dispatch(event);
    kept = after.env;
  } finally {
    // What is left over is passed to nobody, and goes with the next change.
    await secrets.set(id, kept).catch(() => undefined);
  }
}

function unionOf(before: Environment, { launch, env }: KeyedChange['after']): Environment {
  const added = Object.entries(env).map(([name, value]) => {
    const isTaken = Object.hasOwn(before, name) && before[name] !== value;
    return [isTaken ? nameWith(launch, name) : name, value] as const;
  });
  return Object.fromEntries([...Object.entries(before), ...added]);
}

function hasNone(env: Environment): boolean {
  return Object.keys(env).length === 0;
}
