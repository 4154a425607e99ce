import { z } from 'zod';
import { HoldfastError } from '../../core/errors.ts';
import { parseRef } from '../../core/identity.ts';
import { profilesOf } from '../../core/intent.ts';
import type { ConsumerId, Server, Shown, Target } from '../../core/model.ts';
import { deriveSurface } from '../../core/surface.ts';
import { decisionOn } from '../../core/view.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { appInput, targetInput } from '../inputs.ts';
import { titleOf } from '../review-view.ts';
import { consumerNamed, leavingOut, serverNamed, serverOf, shownFor, targetOf } from '../resolve.ts';
import { isComplete } from './servers.ts';

const exposeInput = z.strictObject(targetInput);

export const SURFACE_COMMANDS = {
  expose: command(exposeInput, (context, input) => expose(context, input), { inWindow: true }),
  hide: command(exposeInput, (context, input) => hide(context, input), { inWindow: true }),
  surface: command(z.strictObject({ app: appInput }), (context, { app }) => showSurface(context, app), {
    inWindow: true,
  }),
} as const;

export async function expose(context: CommandContext, input: z.output<typeof exposeInput>) {
  const consumer = consumerNamed(context.state, input.app);
  const server = serverNamed(context.state, input.server);
  const target = targetOf(input.kind, input.originKey);
  const { problem } = await observeIfUnknown(context, server, consumer.id, target);
  const inView = shownFor(context.state, server.id, consumer.id, target);
  const shown = target === 'all' ? leavingOut(context, inView) : inView;
  if (input.target !== undefined && !shown.some(({ id }) => id === input.target))
    throw new HoldfastError('REVIEW_STALE', { target: input.target });
  await context.dispatch({
    type: 'exposed',
    at: context.now(),
    consumer: consumer.id,
    server: server.id,
    target,
    shown,
  });
  return {
    app: consumer.id,
    server: server.name,
    decided: shown
      .filter(({ ref, id }) => decisionOn(context.state, consumer.id, ref, id)?.verdict === 'approved')
      .map(row),
    undecided: shown.filter(({ ref, id }) => decisionOn(context.state, consumer.id, ref, id) === undefined).map(row),
    /** Kinds whose first list is still to come; it is approved as it is then. */
    waiting: context.state.baselines[consumer.id]?.[server.id] ?? [],
    ...(problem === null ? {} : { problem }),
  };
}

const row = ({ ref, id }: Shown) => ({ kind: parseRef(ref).kind, originKey: parseRef(ref).originKey, ref, id });

/** Nothing can be shown of a server that was never listed, so it is listed first. */
export async function observeIfUnknown(
  context: CommandContext,
  server: Server,
  consumer: ConsumerId | null,
  target: Target,
): Promise<{ problem: string | null }> {
  const isShown = shownFor(context.state, server.id, consumer, target).length > 0;
  const isKnown = server.known.length > 0 && (target === 'all' || isShown);
  if (isKnown) return { problem: null };
  const observation = await context.data.observeNow(server.id, null);
  if (isComplete(observation)) return { problem: null };
  const { problem } = context.data.status(server.id);
  if (target !== 'all' && shownFor(context.state, server.id, consumer, target).length === 0)
    throw new HoldfastError('UPSTREAM_START_FAILED', {
      server: server.name,
      reason: problem ?? 'its list could not be read',
    });
  return { problem: problem ?? 'its list could not be read' };
}

async function hide(context: CommandContext, input: z.output<typeof exposeInput>) {
  const consumer = consumerNamed(context.state, input.app);
  const server = serverNamed(context.state, input.server);
  const target = targetOf(input.kind, input.originKey);
  await context.dispatch({ type: 'hidden', at: context.now(), consumer: consumer.id, server: server.id, target });
  const stillFrom = profilesOf(context.state, consumer.id)
    .filter(({ selections }) => target === 'all' && selections[server.id] !== undefined)
    .map(({ name }) => name);
  return { app: consumer.id, server: server.name, hidden: true, stillFrom };
}

function showSurface(context: CommandContext, app: string) {
  const consumer = consumerNamed(context.state, app);
  const { withheld, manifest } = deriveSurface(context.state, consumer.id);
  const publication = context.state.publications[consumer.id];
  return {
    app: consumer.id,
    epoch: publication?.epoch ?? 0,
    manifestId: publication?.manifestId ?? null,
    entries: manifest.entries.map(({ kind, name, ref, id }) => ({
      name,
      server: serverOf(context.state, ref)?.name ?? '',
      kind,
      originKey: parseRef(ref).originKey,
      ref,
      id,
      title: titleOf(context, ref, id),
    })),
    withheld: withheld.map(({ ref, reason }) => ({
      server: serverOf(context.state, ref)?.name ?? '',
      kind: parseRef(ref).kind,
      originKey: parseRef(ref).originKey,
      ref,
      reason,
    })),
  };
}
