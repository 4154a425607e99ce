import type { EventOf, State } from '../model.ts';
import type { Step } from '../reduce.ts';
import { put, requireConsumer } from '../state.ts';

/** A step without effects. */
export function quietly(state: State): Step {
  return { state, effects: [] };
}

export function onConsumerAdded(state: State, { consumer, name, at }: EventOf<'consumer-added'>): Step {
  if (state.consumers[consumer] !== undefined) return quietly(state);
  return quietly({ ...state, consumers: put(state.consumers, consumer, { id: consumer, name, addedAt: at }) });
}

/** Remembers what an app last listed: a change is refused against that (README, "From discovery to use"). */
export function onListed(state: State, { consumer, kind, manifestId, at }: EventOf<'listed'>): Step {
  requireConsumer(state, consumer);
  const before = state.lastListed[consumer] ?? {};
  if (before[kind]?.manifestId === manifestId && before[kind].at !== null) return quietly(state);
  return quietly({ ...state, lastListed: put(state.lastListed, consumer, { ...before, [kind]: { manifestId, at } }) });
}

export function onNotified(state: State, { incidents }: EventOf<'notified'>): Step {
  if (!state.incidents.some(({ id, notified }) => !notified && incidents.includes(id))) return quietly(state);
  const marked = state.incidents.map((i) => (incidents.includes(i.id) ? { ...i, notified: true } : i));
  return quietly({ ...state, incidents: marked });
}

/** Gates calls; publishes nothing. */
export function onPaused(state: State, { until, reason }: EventOf<'paused'>): Step {
  const { paused } = state.settings;
  // What a person has to confirm does not end by itself.
  if (paused?.reason === 'recovered') return quietly(state);
  if (paused !== null && paused.until === until && paused.reason === reason) return quietly(state);
  return quietly({ ...state, settings: { ...state.settings, paused: { until, reason } } });
}

export function onResumed(state: State): Step {
  if (state.settings.paused === null) return quietly(state);
  return quietly({ ...state, settings: { ...state.settings, paused: null } });
}

export function onLanguage(state: State, { language }: EventOf<'language'>): Step {
  if (state.settings.language === language) return quietly(state);
  return quietly({ ...state, settings: { ...state.settings, language } });
}

export function onTellSet(state: State, { tell }: EventOf<'tell-set'>): Step {
  if (state.settings.tell === tell) return quietly(state);
  return quietly({ ...state, settings: { ...state.settings, tell } });
}
