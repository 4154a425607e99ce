import { BOUNDS } from '../core/bounds.ts';
import { HoldfastError } from '../core/errors.ts';
import { KINDS, type Kind, type KindOutcome, type Observation, type Route, type ServerId } from '../core/model.ts';
import { isSameOutcome } from '../core/observe.ts';
import type { WireMessage } from '../gateway/answer.ts';
import { Connection, FULL_PROFILE } from '../gateway/connection.ts';
import { IdCache } from '../gateway/id-cache.ts';
import type { PlanStart, ProcessRecords } from '../gateway/process-transport.ts';
import { DEFAULT_TIMINGS } from '../gateway/timings.ts';
import type { Program } from './contract.ts';

const SERVER = 'snapshot' as ServerId; // ids of this connection are compared with each other only
const ROUTE = 'snapshot' as Route;

/** How a program is started for once: in the folder it was typed in, as its author would. */
export interface Starting {
  readonly program: Program;
  readonly cwd: string;
  /** Of Holdfast. */
  readonly version: string;
  /** Of a gateway that does it: as it starts its own servers, and written down so that none outlives it. */
  readonly gateway?: { readonly plan: PlanStart; readonly records: ProcessRecords };
}

/** Two lists of a server that is at rest, this far apart, are the same. */
const SETTLE_MS = 500;

/**
 * Starts a server, without store, data folder or gateway, and ends its whole process tree when the work is done.
 * @throws HoldfastError SERVER_NOT_STARTED, and what the work throws
 */
export async function withServer<T>(starting: Starting, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = connectionTo(starting);
  const kill = (): void => connection.kill();
  // An exit of this process leaves no time to ask.
  process.on('exit', kill);
  try {
    await connection.start().catch((thrown: unknown) => {
      throw notStarted(starting.program.command, connection, thrown);
    });
    return await work(connection);
  } finally {
    await connection.close();
    process.off('exit', kill);
  }
}

function notStarted(command: string, { upstream }: Connection, thrown: unknown): HoldfastError {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const words = upstream.transport.lastWords.map((line) => line.trim());
  // The last line of a stack says less than the one that names the error.
  const telling =
    [...words].reverse().find((line) => /error|cannot|not found|fail|missing/i.test(line)) ?? words.at(-1);
  const said = telling?.slice(0, BOUNDS.lastWordsLength.value) ?? '';
  return new HoldfastError('SERVER_NOT_STARTED', { command, reason: said === '' ? reason : `${reason} (${said})` });
}

function connectionTo({ program, cwd, version, gateway }: Starting): Connection {
  const { command, args, env } = program;
  const nothing = (): void => undefined;
  return new Connection({
    spec: { server: SERVER, name: command, route: ROUTE, command, args, env, cwd, digest: '', asks: false },
    consumer: null,
    // As the gateway does: some servers show a client that can do less, less.
    capabilities: FULL_PROFILE,
    version,
    isFirstStart: true,
    ids: new IdCache(SERVER),
    records: gateway?.records,
    plan: gateway?.plan,
    timings: DEFAULT_TIMINGS,
    events: {
      onRequest: (connection, message) => answerServer(connection, message),
      onNotification: nothing,
      onEnd: nothing,
      onObservation: () => Promise.resolve(),
    },
  });
}

/** Nobody is there to be asked: no folders, a refusal in the form that each request has for it. */
const ANSWERS: Readonly<Record<string, object>> = {
  ping: { result: {} },
  'roots/list': { result: { roots: [] } },
  'elicitation/create': { result: { action: 'decline' } },
  'sampling/createMessage': { error: { code: -1, message: 'There is no model here' } },
};
const UNKNOWN = { error: { code: -32601, message: 'Method not found' } };

function answerServer({ upstream }: Connection, { id, method }: WireMessage): void {
  const known = typeof method === 'string' && Object.hasOwn(ANSWERS, method) ? ANSWERS[method] : undefined;
  upstream.transport.sendLine(JSON.stringify({ jsonrpc: '2.0', id, ...(known ?? UNKNOWN) }));
}

/**
 * Everything a server lists, once it is at rest: two lists in a row, a moment apart, that are the same. A server whose
 * list goes on changing has no contract, and the kinds concerned are incomplete.
 */
export async function observeAtRest(connection: Connection): Promise<Observation> {
  let before = await connection.observe();
  for (let tries = 1; tries < BOUNDS.listTries.value; tries++) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const now = await connection.observe();
    const moved = KINDS.filter((kind) => !isSame(before.kinds[kind], now.kinds[kind]));
    if (moved.length === 0) return now;
    before = { ...now, kinds: tries + 1 < BOUNDS.listTries.value ? now.kinds : unsettled(now.kinds, moved) };
  }
  return before;
}

function isSame(a: KindOutcome | undefined, b: KindOutcome | undefined): boolean {
  return a !== undefined && b !== undefined && isSameOutcome(a, b);
}

function unsettled(kinds: Observation['kinds'], moved: readonly Kind[]): Observation['kinds'] {
  const reason = BOUNDS.listTries.reason;
  const rows = moved.map((kind): [Kind, KindOutcome] => {
    const outcome = kinds[kind];
    if (outcome === undefined || 'reason' in outcome) return [kind, outcome ?? { status: 'failed', reason }];
    return [kind, { status: 'incomplete', reason, count: outcome.status === 'complete' ? outcome.items.length : 0 }];
  });
  return { ...kinds, ...Object.fromEntries(rows) };
}
