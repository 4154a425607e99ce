import { hasDangerousText } from '../core/classify/classify.ts';
import { otherToolNames } from '../core/classify/other-names.ts';
import { HoldfastError } from '../core/errors.ts';
import { isDecidedBy } from '../core/events/selecting.ts';
import { parseRef } from '../core/identity.ts';
import type {
  CapabilityRef,
  Consumer,
  ConsumerId,
  Kind,
  Profile,
  Server,
  ServerId,
  Shown,
  State,
  Target,
} from '../core/model.ts';
import { requireConsumer } from '../core/state.ts';
import { shownBy } from '../core/view.ts';
import type { CommandContext } from './context.ts';

/** @throws HoldfastError UPSTREAM_NOT_FOUND */
export function serverNamed(state: State, name: string): Server {
  const server = Object.values(state.servers).find((s) => s.archivedAt === null && (s.name === name || s.id === name));
  if (server === undefined) throw new HoldfastError('UPSTREAM_NOT_FOUND', { server: name });
  return server;
}

/** @throws HoldfastError CONSUMER_NOT_FOUND */
export function consumerNamed(state: State, app: string): Consumer {
  return requireConsumer(state, app as ConsumerId); // an app's name is its id; unknown ones are refused
}

/** @throws HoldfastError PROFILE_NOT_FOUND */
export function profileNamed(state: State, name: string): Profile {
  const profile = Object.values(state.profiles).find((other) => other.name === name || other.id === name);
  if (profile === undefined) throw new HoldfastError('PROFILE_NOT_FOUND', { profile: name });
  return profile;
}

/** @throws HoldfastError COMMAND_BAD_INPUT when only one of the two is given. */
export function targetOf(kind: Kind | undefined, originKey: string | undefined): Target {
  if (kind === undefined && originKey === undefined) return 'all';
  if (kind !== undefined && originKey !== undefined) return { kind, originKey };
  throw new HoldfastError('COMMAND_BAD_INPUT', { reason: 'a kind and a name go together' });
}

/** What choosing this target decides, at the ids in view now. */
export function shownFor(state: State, server: ServerId, consumer: ConsumerId | null, target: Target): Shown[] {
  return shownBy(state, server, consumer).filter(({ ref }) => isDecidedBy(ref, target));
}

/** A whole server is given without what has a dangerous text; that is left to be looked at by itself. */
export function leavingOut(reader: Pick<CommandContext, 'definition' | 'state'>, shown: readonly Shown[]): Shown[] {
  return shown.map((each) => {
    const found = reader.definition(each.id);
    const otherNames = otherToolNames(reader.state, parseRef(each.ref).server);
    return found !== undefined && hasDangerousText(found, { otherNames }) ? { ...each, leftOut: true } : each;
  });
}

export function serverOf(state: State, ref: CapabilityRef): Server | undefined {
  return state.servers[parseRef(ref).server];
}

/** Names of the servers that are not removed. */
export function serverNames({ servers }: State): string[] {
  return Object.values(servers).flatMap(({ archivedAt, name }) => (archivedAt === null ? [name] : []));
}
