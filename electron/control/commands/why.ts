import { z } from 'zod';
import { HoldfastError } from '../../core/errors.ts';
import { cleanName } from '../../core/display.ts';
import { capabilityRef, parseRef, reviewId } from '../../core/identity.ts';
import {
  KINDS,
  type CapabilityRef,
  type Change,
  type Consumer,
  type Decision,
  type ReviewId,
} from '../../core/model.ts';
import { nameKey } from '../../core/names.ts';
import { reviewItems } from '../../core/review.ts';
import { standingOf, type Standing } from '../../core/why.ts';
import { whyWords, type WhyKey } from '../../core/why-words.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { appInput, kindInput, nameInput, originKeyInput } from '../inputs.ts';
import { consumerNamed } from '../resolve.ts';
import { changeOfItem, titleOf } from '../review-view.ts';

const whyInput = z.union([
  /** As the app knows it. */
  z.strictObject({ app: appInput, name: originKeyInput }),
  z.strictObject({ app: appInput, server: nameInput, kind: kindInput.default('tool'), originKey: originKeyInput }),
]);

/** Why is it off? One call answers for any capability and app. */
export const WHY_COMMANDS = {
  why: command(whyInput, (context, input) => why(context, input), { inWindow: true }),
} as const;

export interface WhyView {
  readonly app: string;
  readonly server: string;
  readonly kind: string;
  readonly originKey: string;
  readonly ref: CapabilityRef;
  readonly on: boolean;
  /** Key of the first sentence, for programs. */
  readonly reason: WhyKey;
  /** What is to be said, in the person's language: why, what changed, and what stands in the way besides. */
  readonly sentences: readonly string[];
  readonly next: string;
  /** The item that would decide it, or did. */
  readonly review: ReviewId | null;
  readonly change: Change | null;
  readonly decision: Pick<Decision, 'verdict' | 'by' | 'at'> | null;
}

function why(context: CommandContext, input: z.output<typeof whyInput>): WhyView {
  const consumer = consumerNamed(context.state, input.app);
  const ref = 'name' in input ? refNamed(context, consumer, input.name) : refOf(context, input);
  const standing = standingOf(context.state, consumer.id, ref, (id) => context.definition(id) !== undefined);
  const { server, kind, originKey } = parseRef(ref);
  const item = reviewItems(context.state).find(
    (one) => one.consumer === consumer.id && one.ref === ref && one.targetId === standing.id,
  );
  const change = item?.state === 'pending' ? changeOfItem(context, item) : null;
  const { decision } = standing;
  return {
    app: consumer.id,
    server: context.state.servers[server]?.name ?? server,
    kind,
    originKey,
    ref,
    on: standing.isOn,
    reason: standing.why,
    ...sentencesOf(context, consumer, ref, standing, change),
    review: standing.inView === null ? null : reviewId(consumer.id, ref, standing.inView),
    change,
    decision: decision && { verdict: decision.verdict, by: decision.by, at: decision.at },
  };
}

function sentencesOf(
  context: CommandContext,
  consumer: Consumer,
  ref: CapabilityRef,
  standing: Standing,
  change: Change | null,
): Pick<WhyView, 'sentences' | 'next'> {
  const { settings, servers } = context.state;
  const { server } = parseRef(ref);
  const isServed = servers[server]?.archivedAt === null;
  const problem = standing.isOn && isServed ? context.data.status(server).problem : null;
  const isPaused = settings.paused !== null;
  const say = (key: WhyKey): string =>
    whyWords(key, settings.language, {
      name: titleOf(context, ref, standing.id),
      app: cleanName(consumer.name),
      server: cleanName(servers[server]?.name ?? server),
      serverId: server,
      reason: problem ?? standing.reason ?? '',
      review: standing.id === null ? '' : reviewId(consumer.id, ref, standing.id),
    });
  return {
    sentences: [
      say(standing.why),
      ...(change?.change === 'changed' ? change.sentences[settings.language] : []),
      ...(problem === null ? [] : [say('problem')]),
      ...(isPaused ? [say('paused')] : []),
    ],
    next: say(standing.isOn && isPaused ? 'next.resume' : standing.next),
  };
}

/** Names of one app, of any kind; the name table never forgets. @throws HoldfastError CAPABILITY_UNKNOWN */
function refNamed({ state }: CommandContext, consumer: Consumer, name: string): CapabilityRef {
  const names = state.names[consumer.id] ?? {};
  const found = KINDS.map((kind) => nameKey(kind, name)).find((key) => Object.hasOwn(names, key));
  const ref = found === undefined ? undefined : names[found];
  if (ref === undefined) throw new HoldfastError('CAPABILITY_UNKNOWN', { kind: 'tool', name });
  return ref;
}

type ByKey = Extract<z.output<typeof whyInput>, { originKey: string }>;
/** Of a removed server too: what hung on it is kept. @throws HoldfastError UPSTREAM_NOT_FOUND */
function refOf({ state }: CommandContext, { server: name, kind, originKey }: ByKey): CapabilityRef {
  const named = Object.values(state.servers).filter((server) => server.name === name || server.id === name);
  const server = named.find(({ archivedAt }) => archivedAt === null) ?? named.at(-1);
  if (server === undefined) throw new HoldfastError('UPSTREAM_NOT_FOUND', { server: name });
  return capabilityRef(server.id, kind, originKey);
}
