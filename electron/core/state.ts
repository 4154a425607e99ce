import type { ConsumerId, Consumer, Server, ServerId, Settings, State } from './model.ts';
import { HoldfastError } from './errors.ts';

const SETTINGS: Settings = { language: 'en', tell: 'all', paused: null };

/** What a fresh data folder holds: nothing, so nothing is published. */
export function emptyState(): State {
  return {
    format: 1,
    sequence: 0,
    servers: {},
    consumers: {},
    profiles: {},
    exposures: {},
    catalogs: {},
    decisions: {},
    names: {},
    incidents: [],
    confirmations: {},
    lastListed: {},
    seen: {},
    quiet: {},
    stops: {},
    moves: {},
    baselines: {},
    rebinds: {},
    apart: {},
    publications: {},
    settings: SETTINGS,
  };
}

/** Replaces one entry of a record. */
export function put<K extends string, V>(record: Readonly<Record<K, V>>, key: K, value: V): Readonly<Record<K, V>> {
  return { ...record, [key]: value };
}

/** Takes one entry out of a record. */
export function drop<K extends string, V>(record: Readonly<Record<K, V>>, key: K): Readonly<Record<K, V>> {
  return Object.fromEntries(entriesOf(record).filter(([name]) => name !== key)) as Record<K, V>; // K minus a key is K
}

/** `Object.entries` that keeps the branded key type: every record here is keyed by what its type says. */
export function entriesOf<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  return Object.entries(record) as [K, V][];
}

/** @throws HoldfastError UPSTREAM_NOT_FOUND for an unknown or archived server. */
export function requireServer(state: State, id: ServerId): Server {
  const server = state.servers[id];
  if (server?.archivedAt !== null) throw new HoldfastError('UPSTREAM_NOT_FOUND', { server: server?.name ?? id });
  return server;
}

/** @throws HoldfastError CONSUMER_NOT_FOUND */
export function requireConsumer(state: State, id: ConsumerId): Consumer {
  const consumer = state.consumers[id];
  if (consumer === undefined) throw new HoldfastError('CONSUMER_NOT_FOUND', { app: id });
  return consumer;
}
