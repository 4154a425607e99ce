import { isEmptySelection, isInIntent } from '../intent.ts';
import { capabilityRef } from '../identity.ts';
import type { ConsumerId, EventOf, Selection, ServerId, State } from '../model.ts';
import type { Step } from '../reduce.ts';
import { drop, put, requireConsumer, requireServer } from '../state.ts';
import { assertShown, awaitBaselines, decideShown, markSeen, select, selectionOf } from './selecting.ts';
import { quietly } from './small.ts';

/** Direct exposure of a whole server or one capability to one consumer. */
export function onExposed(state: State, { consumer, server, target, shown, at }: EventOf<'exposed'>): Step {
  requireConsumer(state, consumer);
  requireServer(state, server);
  assertShown(state, server, consumer, target, shown);
  const own = select(selectionOf(state.exposures[consumer], server), target);
  const exposed = setExposure(state, consumer, server, own);
  const awaiting = target === 'all' ? awaitBaselines(exposed, consumer, server) : exposed;
  return quietly(markSeen(decideShown(state, awaiting, consumer, shown, at), consumer, shown));
}

/** Takes intent back. What another source still gives is excluded for this consumer, which outranks every source. */
export function onHidden(state: State, { consumer, server, target }: EventOf<'hidden'>): Step {
  requireConsumer(state, consumer);
  if (state.servers[server] === undefined) requireServer(state, server);
  if (target === 'all') return quietly(hideServer(state, consumer, server));
  const own = selectionOf(state.exposures[consumer], server);
  const chosen = own.chosen.filter(({ kind, originKey }) => kind !== target.kind || originKey !== target.originKey);
  const without = setExposure(state, consumer, server, { ...own, chosen });
  if (!isInIntent(without, consumer, capabilityRef(server, target.kind, target.originKey))) return quietly(without);
  const excluded = [...own.excluded, { kind: target.kind, originKey: target.originKey }];
  return quietly(setExposure(state, consumer, server, { ...own, chosen, excluded }));
}

function hideServer(state: State, consumer: ConsumerId, server: ServerId): State {
  const { excluded } = selectionOf(state.exposures[consumer], server);
  const hidden = setExposure(state, consumer, server, { all: false, chosen: [], excluded });
  const waiting = hidden.baselines[consumer];
  if (waiting?.[server] === undefined) return hidden;
  // Whoever hides it no longer asks for it unseen, even where a profile still gives it.
  return { ...hidden, baselines: put(hidden.baselines, consumer, drop(waiting, server)) };
}

/** Sets an app's own selection of a server; one that stands for nothing is dropped. */
export function setExposure(state: State, consumer: ConsumerId, server: ServerId, selection: Selection): State {
  const own = state.exposures[consumer] ?? {};
  const next = isEmptySelection(selection) ? drop(own, server) : put(own, server, selection);
  return { ...state, exposures: put(state.exposures, consumer, next) };
}
