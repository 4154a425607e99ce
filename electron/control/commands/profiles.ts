import { z } from 'zod';
import { assignmentOf } from '../../core/events/profiles.ts';
import { BOUNDS } from '../../core/bounds.ts';
import { limitReached } from '../../core/errors.ts';
import { parseRef } from '../../core/identity.ts';
import type { Profile, ProfileId } from '../../core/model.ts';
import { entriesOf } from '../../core/state.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { appInput, kindInput, nameInput, nothing, originKeyInput } from '../inputs.ts';
import { consumerNamed, leavingOut, profileNamed, serverNamed, shownFor, targetOf } from '../resolve.ts';
import { observeIfUnknown } from './surfaces.ts';

const profileTarget = z.strictObject({
  profile: nameInput,
  server: nameInput,
  kind: kindInput.optional(),
  originKey: originKeyInput.optional(),
});
const assignInput = z.strictObject({ profile: nameInput, app: appInput });

export const PROFILE_COMMANDS = {
  'profiles.list': command(
    nothing,
    (context) => ({ profiles: Object.values(context.state.profiles).map((p) => view(context, p)) }),
    {
      inWindow: true,
    },
  ),
  'profiles.create': command(z.strictObject({ name: nameInput }), (context, { name }) => create(context, name), {
    inWindow: true,
  }),
  'profiles.add': command(profileTarget, (context, input) => addTo(context, input), { inWindow: true }),
  'profiles.remove': command(profileTarget, (context, input) => removeFrom(context, input), { inWindow: true }),
  'profiles.assign': command(assignInput, (context, input) => assign(context, input), { inWindow: true }),
  'profiles.unassign': command(assignInput, (context, input) => unassign(context, input), { inWindow: true }),
} as const;

async function create(context: CommandContext, name: string) {
  if (Object.keys(context.state.profiles).length >= BOUNDS.profiles.value) throw limitReached('profiles');
  const profile = `set-${context.random(12)}` as ProfileId; // the one place that makes the brand
  await context.dispatch({ type: 'profile-created', at: context.now(), profile, name });
  return { profile: name, id: profile };
}

function view({ state }: CommandContext, profile: Profile) {
  return {
    id: profile.id,
    name: profile.name,
    apps: profile.consumers,
    servers: entriesOf(profile.selections).map(([id, selection]) => ({
      server: state.servers[id]?.name ?? id,
      ...selection,
    })),
  };
}

async function addTo(context: CommandContext, input: z.output<typeof profileTarget>) {
  const profile = profileNamed(context.state, input.profile);
  const server = serverNamed(context.state, input.server);
  const target = targetOf(input.kind, input.originKey);
  const { problem } = await observeIfUnknown(context, server, null, target);
  const inView = shownFor(context.state, server.id, null, target);
  const shown = target === 'all' ? leavingOut(context, inView) : inView;
  await context.dispatch({
    type: 'profile-added',
    at: context.now(),
    profile: profile.id,
    server: server.id,
    target,
    shown,
  });
  return { profile: profile.name, server: server.name, shown, ...(problem === null ? {} : { problem }) };
}

async function removeFrom(context: CommandContext, input: z.output<typeof profileTarget>) {
  const profile = profileNamed(context.state, input.profile);
  const server = serverNamed(context.state, input.server);
  const target = targetOf(input.kind, input.originKey);
  await context.dispatch({
    type: 'profile-removed',
    at: context.now(),
    profile: profile.id,
    server: server.id,
    target,
  });
  return { profile: profile.name, server: server.name, removed: true };
}

async function assign(context: CommandContext, { profile: name, app }: z.output<typeof assignInput>) {
  const profile = profileNamed(context.state, name);
  const consumer = consumerNamed(context.state, app);
  const shown = assignmentOf(context.state, profile, consumer.id).map((each) => {
    const { server, kind, originKey } = parseRef(each.ref);
    const isChosen = profile.selections[server]?.chosen.some((key) => key.kind === kind && key.originKey === originKey);
    return isChosen === true ? each : (leavingOut(context, [each])[0] ?? each);
  });
  await context.dispatch({
    type: 'profile-assigned',
    at: context.now(),
    profile: profile.id,
    consumer: consumer.id,
    shown,
  });
  return { profile: profile.name, app: consumer.id, shown };
}

async function unassign(context: CommandContext, { profile: name, app }: z.output<typeof assignInput>) {
  const profile = profileNamed(context.state, name);
  const consumer = consumerNamed(context.state, app);
  await context.dispatch({ type: 'profile-unassigned', at: context.now(), profile: profile.id, consumer: consumer.id });
  return { profile: profile.name, app: consumer.id, assigned: false };
}
