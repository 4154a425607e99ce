import type { JsonObject } from '../core/model.ts';
import { knownRefusal } from './phrases.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** What of a line of the traces is counted. */
export interface Call {
  readonly ref: string | null;
  readonly outcome: string;
  readonly reason?: unknown;
  readonly durationMs: number;
}

const OUTCOMES: readonly string[] = ['result', 'tool-error', 'error', 'cancelled', 'refused'];
const NOBODY = 'none';

/** Calls per server: how many, how they ended, and how long they took in milliseconds. */
export function callStatistics(calls: readonly Call[], names: Pseudonyms, maxServers: number): JsonObject[] {
  const groups = new Map<string, Call[]>();
  for (const call of calls) {
    const server = call.ref === null ? NOBODY : names.server(serverOf(call.ref));
    const group = groups.get(server) ?? [];
    group.push(call);
    groups.set(server, group);
  }
  return [...groups].slice(0, maxServers).map(([server, group]) => ({ server, ...statistics(group) }));
}

/** The first part of a ref. */
function serverOf(ref: string): string {
  return ref.slice(0, Math.max(0, ref.indexOf('/')));
}

function statistics(calls: readonly Call[]): JsonObject {
  const outcomes = OUTCOMES.map((outcome): [string, number] => [
    outcome,
    calls.filter((call) => call.outcome === outcome).length,
  ]);
  const reasons: Record<string, number> = {};
  for (const { reason } of calls) {
    if (typeof reason !== 'string') continue;
    const known = knownRefusal(reason);
    reasons[known] = (reasons[known] ?? 0) + 1;
  }
  // Waiting for a person or being turned away says nothing about a server.
  const times = calls.filter(({ outcome }) => outcome !== 'refused').map(({ durationMs }) => durationMs);
  return { calls: calls.length, outcomes: Object.fromEntries(outcomes), reasons, durationMs: percentiles(times) };
}

function percentiles(times: readonly number[]): JsonObject {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number | null =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1) ?? null };
}
