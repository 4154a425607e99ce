import { z } from 'zod';
import { HoldfastError } from '../../core/errors.ts';
import type { CapabilityRef } from '../../core/model.ts';
import { reviewItems } from '../../core/review.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { continuityQuestions, type Question } from '../continuities.ts';
import { reviewView } from '../review-view.ts';
import type { ContinuityView, ReviewView } from '../snapshot.ts';

const id = z.string().regex(/^con-[0-9a-f]{16}$/, 'an id looks like con-…');
const ref = z.string().max(10_000);

/** A person says whether something goes on under another name. Nothing else ever does. */
export const CONTINUITY_COMMANDS = {
  /** The new one that is the same, or `null`: none of them is. */
  'continuity.rebind': command(
    z.strictObject({ id, ref: ref.nullable() }),
    (context, input) => answer(context, input.id, 'renamed', input.ref === null ? [] : [input.ref]),
    { inWindow: true },
  ),
  'continuity.merge': command(
    z.strictObject({ id, verdict: z.enum(['approve', 'keep-off']) }),
    (context, input) => answer(context, input.id, 'merged', input.verdict === 'approve' ? 'all' : []),
    { inWindow: true },
  ),
  /** Each of the new ones by itself; none of them leaves everything off. */
  'continuity.split': command(
    z.strictObject({ id, refs: z.array(ref).max(200) }),
    (context, input) => answer(context, input.id, 'split', input.refs),
    { inWindow: true },
  ),
} as const;

/** @throws HoldfastError REVIEW_STALE where what was shown is not what there is now. */
async function answer(
  context: CommandContext,
  questionId: string,
  type: ContinuityView['type'],
  chosen: readonly string[] | 'all',
): Promise<{ readonly reviews: readonly ReviewView[] }> {
  const question = continuityQuestions(context).find(({ view }) => view.id === questionId);
  if (question?.view.type !== type) throw new HoldfastError('REVIEW_STALE', {});
  const refs: readonly CapabilityRef[] = question.links[0].to.map((each) => each.ref);
  const wanted = refs.filter((each) => chosen === 'all' || chosen.includes(each));
  if (chosen !== 'all' && wanted.length !== chosen.length) throw new HoldfastError('REVIEW_STALE', {});
  return wanted.length === 0 ? tellApart(context, question) : rebind(context, question, wanted);
}

async function rebind(context: CommandContext, { links }: Question, wanted: readonly CapabilityRef[]) {
  const before = new Set(decidedBy(context, wanted).map((item) => item.id));
  for (const { consumer, from, to } of links) {
    const chosen = to.filter((each) => wanted.includes(each.ref));
    const evidence = chosen[0]?.evidence ?? 'similar';
    const shown = chosen.map((each) => ({ ref: each.ref, id: each.id }));
    await context.dispatch({ type: 'rebound', at: context.now(), consumer, from, to: shown, evidence });
  }
  const items = decidedBy(context, wanted).filter((item) => !before.has(item.id));
  return { reviews: items.map((item) => reviewView(context, item)) };
}

function decidedBy(context: CommandContext, refs: readonly CapabilityRef[]) {
  return reviewItems(context.state).filter((item) => refs.includes(item.ref) && item.state === 'approved');
}

async function tellApart(context: CommandContext, { links }: Question) {
  for (const { consumer, from, to } of links)
    for (const old of from) {
      const others = to.map((each) => each.ref);
      await context.dispatch({ type: 'told-apart', at: context.now(), consumer, ref: old, others });
    }
  return { reviews: [] };
}
