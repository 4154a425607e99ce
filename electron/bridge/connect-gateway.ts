import { readFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import type { Socket } from 'node:net';
import { endpointFor, isPrivateEndpoint, tokenFile } from './endpoint.ts';
import { Starts, missingIn, readLaunch, readWithheld, takeStartLock } from './start-gateway.ts';

const FIRST_RETRY_MS = 25;
const MAX_RETRY_MS = 1_000;
/** A gateway that takes the connection but does not greet, or does not end its greeting, is as good as none. */
const MAX_GREETING_BYTES = 64 * 1024;
const GREETING_MS = 10_000;

/** While an update puts the new program in place there is none. */
const UPDATE_MS = 3_000;

/** Either a greeted socket with the bytes that came after the greeting, or why there is none. */
export type Connected =
  | { readonly type: 'connected'; readonly socket: Socket; readonly rest: Buffer }
  /** The gateway runs and says no. */
  | { readonly type: 'refused'; readonly reason: string }
  | Unreachable;

/** `walled`: it may not be started from here; `removed`: what starts it is no longer on this computer. */
interface Unreachable {
  readonly type: 'unreachable';
  readonly reason: string;
  readonly because: 'silent' | 'walled' | 'removed';
}

const unreachable = (reason: string, because: Unreachable['because'] = 'silent'): Unreachable => ({
  type: 'unreachable',
  reason,
  because,
});

export interface Wait {
  /** For a gateway that has to be started. */
  readonly waitMs: number;
  /** Ends the wait at once; nothing is connected any more. */
  readonly signal: AbortSignal;
  /** Only looks for one that runs. */
  readonly mayNotStart?: boolean;
}

/** Connects to the gateway of a data folder, starting it first where it does not run. */
export async function connectGateway(home: string, app: string, wait: Wait): Promise<Connected> {
  const { waitMs, signal, mayNotStart = false } = wait;
  const begun = performance.now();
  const starts = new Starts(home);
  let attempt = await connectOnce(home, app, signal);
  if (mayNotStart && attempt.type === 'unreachable') return { ...attempt, because: 'walled' };
  let unlock: (() => void) | null = null;
  const isWaiting = (): boolean =>
    attempt.type === 'unreachable' && performance.now() < begun + waitMs && !signal.aborted;
  try {
    for (let delayMs = FIRST_RETRY_MS; isWaiting(); delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      if (!unlock) {
        unlock = takeStartLock(home);
        // It may have come up between the attempt and the lock.
        if (unlock) attempt = await connectOnce(home, app, signal);
        if (!isWaiting()) break;
      }
      const launch = readLaunch(home);
      const never = launch ? null : neverStarted(home);
      if (never !== null) return never;
      const gone = launch && missingIn(launch);
      if (gone !== null && performance.now() > begun + UPDATE_MS) break;
      const problem = launch && unlock && gone === null ? await starts.ensure(launch) : null;
      if (problem !== null) return unreachable(problem);
      await pause(delayMs, signal);
      attempt = await connectOnce(home, app, signal);
    }
    return attempt.type === 'unreachable' ? orRemoved(attempt, home) : attempt;
  } finally {
    unlock?.();
  }
}

/** `null` where an update starts it before long. */
function neverStarted(home: string): Unreachable | null {
  const withheld = readWithheld(home);
  if (withheld === 'update') return null;
  return withheld === 'removed'
    ? unreachable('it was taken out of every app', 'removed')
    : unreachable('it has not been started on this computer yet');
}

function orRemoved(attempt: Unreachable, home: string): Unreachable {
  const launch = readLaunch(home);
  const gone = launch && missingIn(launch);
  return gone === null ? attempt : unreachable(`${gone} is no longer there`, 'removed');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

function connectOnce(home: string, app: string, signal: AbortSignal): Promise<Connected> {
  const settled = (reason: string): Promise<Connected> => Promise.resolve(unreachable(reason));
  if (signal.aborted) return settled('the app has left');
  let token: string;
  try {
    token = readFileSync(tokenFile(home), 'utf8').trim();
  } catch {
    return settled('there is no token file');
  }
  const endpoint = endpointFor(home);
  if (!isPrivateEndpoint(endpoint)) return settled('there is no socket that is only yours');
  return new Promise((resolve) => {
    const socket = connectSocket({ path: endpoint, allowHalfOpen: true });
    const settle = (connected: Connected): void => {
      signal.removeEventListener('abort', leave);
      resolve(connected);
    };
    const fail = (reason: string): void => {
      socket.destroy();
      settle(unreachable(reason));
    };
    const leave = (): void => fail('the app has left');
    signal.addEventListener('abort', leave);
    socket.setTimeout(GREETING_MS, () => fail('it does not answer'));
    socket.once('error', (error) => fail(error.message));
    socket.once('end', () => fail('it closed the connection'));
    socket.once('connect', () => {
      const hello = { holdfast: 1, role: 'bridge', consumer: app, token, pid: process.pid };
      socket.write(`${JSON.stringify(hello)}\n`);
    });
    readGreeting(socket, settle);
  });
}

function readGreeting(socket: Socket, resolve: (connected: Connected) => void): void {
  let received = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf(10);
    if (end < 0 && received.length <= MAX_GREETING_BYTES) return;
    socket.off('data', onData);
    socket.pause();
    socket.setTimeout(0);
    socket.removeAllListeners('error');
    socket.removeAllListeners('end');
    const refusal = end < 0 ? 'its greeting cannot be read' : refusalIn(received.toString('utf8', 0, end));
    if (refusal === null) return resolve({ type: 'connected', socket, rest: received.subarray(end + 1) });
    socket.on('error', () => undefined);
    socket.destroy();
    resolve({ type: 'refused', reason: refusal });
  };
  socket.on('data', onData);
}

function refusalIn(line: string): string | null {
  try {
    const greeting: unknown = JSON.parse(line);
    if (typeof greeting !== 'object' || greeting === null) return 'its greeting cannot be read';
    if ('ok' in greeting && greeting.ok === true) return null;
    const error = 'error' in greeting ? greeting.error : null;
    if (typeof error !== 'object' || error === null) return 'its greeting cannot be read';
    const parts = [member(error, 'message'), member(error, 'next')].filter((part) => part !== '');
    return parts.join(' ');
  } catch {
    return 'its greeting cannot be read';
  }
}

function member(error: object, key: string): string {
  const value: unknown = (error as Record<string, unknown>)[key]; // an object, which is all that is needed to look
  return typeof value === 'string' ? value : '';
}
