import { hasDangerousText } from '../classify/classify.ts';
import { otherToolNames } from '../classify/other-names.ts';
import { isInIntent } from '../intent.ts';
import { capabilityRef } from '../identity.ts';
import type { ConsumerId, Kind, Observation, ServerId, State } from '../model.ts';
import { drop, put } from '../state.ts';
import { consumersOf, decisionsOn } from '../view.ts';
import { addDecisions } from './decisions.ts';

/**
 * The first complete list of a kind is the baseline that the person asked for when they exposed the whole server before
 * anything of that kind had been listed. It exists once per consumer, server and kind; "not offered" uses it up too.
 */
export function approveBaselines(state: State, observation: Observation, at: string, sequence: number): State {
  return consumersOf(state, observation).reduce((current, consumer) => {
    const waiting = current.baselines[consumer]?.[observation.server] ?? [];
    const settled = waiting.filter((kind) => isSettled(observation.kinds[kind]?.status));
    if (settled.length === 0) return current;
    const approved = settled.reduce(
      (next, kind) => approveKind(next, observation, consumer, kind, at, sequence),
      current,
    );
    const left = waiting.filter((kind) => !settled.includes(kind));
    return { ...approved, baselines: setWaiting(approved, consumer, observation.server, left) };
  }, state);
}

function isSettled(status: string | undefined): boolean {
  return status === 'complete' || status === 'complete-empty' || status === 'unsupported';
}

function approveKind(
  state: State,
  observation: Observation,
  consumer: ConsumerId,
  kind: Kind,
  at: string,
  sequence: number,
): State {
  const outcome = observation.kinds[kind];
  if (outcome?.status !== 'complete') return state;
  const surroundings = { otherNames: otherToolNames(state, observation.server) };
  const made = outcome.items.flatMap((item) => {
    if ('invalid' in item) return [];
    const ref = capabilityRef(observation.server, kind, item.originKey);
    const isFree = decisionsOn(state, consumer, ref).length === 0 && isInIntent(state, consumer, ref);
    const { server: serverId, route } = observation;
    const { originKey, definition } = item;
    if (hasDangerousText({ serverId, kind, originKey, route, definition }, surroundings)) return [];
    const decision = { id: item.id, verdict: 'approved', by: 'first-seen', at, basis: 'baseline' } as const;
    return isFree ? [[ref, decision] as const] : [];
  });
  return addDecisions(state, sequence, consumer, made);
}

function setWaiting(state: State, consumer: ConsumerId, server: ServerId, kinds: readonly Kind[]): State['baselines'] {
  const waiting = state.baselines[consumer] ?? {};
  return put(state.baselines, consumer, kinds.length === 0 ? drop(waiting, server) : put(waiting, server, kinds));
}
