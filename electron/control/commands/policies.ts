import { z } from 'zod';
import { followable } from '../../core/events/following.ts';
import { parseRef } from '../../core/identity.ts';
import { PRESETS, type Preset, type ReviewId, type ServerId } from '../../core/model.ts';
import { reviewItems } from '../../core/review.ts';
import { viewedId } from '../../core/view.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { nameInput } from '../inputs.ts';
import { serverNamed } from '../resolve.ts';
import { reviewView } from '../review-view.ts';
import type { ReviewView } from '../snapshot.ts';

const policyInput = z.strictObject({ name: nameInput, policy: z.enum(PRESETS).optional() });

/** What is followed of a server's changes without asking (core/README.md, "Policies"). */
export const POLICY_COMMANDS = {
  'servers.policy': command(policyInput, (context, input) => policy(context, input), { inWindow: true }),
  /** Lets the policy decide what waits already; it never does so by itself. */
  'servers.apply-policy': command(policyInput, (context, input) => apply(context, input), { inWindow: true }),
} as const;

export interface PolicyView {
  readonly server: string;
  readonly policy: Preset;
  /** In force because a policy accepted it: to be looked at again, each with its undo. */
  readonly accepted: readonly ReviewId[];
  /** What waits and would be accepted, were the policy applied to it. */
  readonly acceptable: number;
}

async function policy(context: CommandContext, input: z.output<typeof policyInput>): Promise<PolicyView> {
  const { id } = serverNamed(context.state, input.name);
  if (input.policy !== undefined)
    await context.dispatch({ type: 'policy-set', at: context.now(), server: id, policy: input.policy });
  return policyView(context, id);
}

async function apply(
  context: CommandContext,
  input: z.output<typeof policyInput>,
): Promise<PolicyView & { readonly reviews: readonly ReviewView[] }> {
  await policy(context, input);
  const { id } = serverNamed(context.state, input.name);
  const before = new Set(acceptedOf(context, id).map((item) => item.id));
  await context.dispatch({ type: 'policy-applied', at: context.now(), server: id });
  const reviews = acceptedOf(context, id).filter((item) => !before.has(item.id));
  return { ...policyView(context, id), reviews: reviews.map((item) => reviewView(context, item)) };
}

function policyView(context: CommandContext, id: ServerId): PolicyView {
  const server = context.state.servers[id];
  return {
    server: server?.name ?? id,
    policy: server?.policy ?? 'review',
    accepted: acceptedOf(context, id).map((item) => item.id),
    acceptable: followable(context.state, id, (one) => context.definition(one)).length,
  };
}

function acceptedOf({ state }: CommandContext, server: ServerId) {
  return reviewItems(state).filter(
    (item) =>
      parseRef(item.ref).server === server &&
      item.state === 'approved' &&
      item.decidedBy === 'policy' &&
      viewedId(state, item.consumer, item.ref) === item.targetId,
  );
}
