import { readFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import type { Socket } from 'node:net';
import { endpointFor, isPrivateEndpoint, tokenFile } from './endpoint.ts';
import { readLaunch, startGateway, takeStartLock } from './start-gateway.ts';

const FIRST_RETRY_MS = 25;
const MAX_RETRY_MS = 1_000;
/** A gateway that takes the connection but does not greet is as good as none. */
const GREETING_MS = 10_000;

/** Either a greeted socket with the bytes that came after the greeting, or why there is none. */
export type Connected =
  | { readonly type: 'connected'; readonly socket: Socket; readonly rest: Buffer }
  /** The gateway runs and says no. */
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'unreachable'; readonly reason: string };

/** Connects to the gateway of a data folder, starting it first where it does not run. */
export async function connectGateway(home: string, app: string, waitMs: number): Promise<Connected> {
  const end = Date.now() + waitMs;
  let attempt = await connectOnce(home, app);
  let unlock: (() => void) | null = null;
  let hasStarted = false;
  try {
    for (let delayMs = FIRST_RETRY_MS; attempt.type === 'unreachable' && Date.now() < end; delayMs *= 2) {
      unlock ??= hasStarted ? null : takeStartLock(home);
      if (unlock && !hasStarted) {
        hasStarted = true;
        // It may have come up between the attempt and the lock.
        attempt = await connectOnce(home, app);
        if (attempt.type !== 'unreachable') break;
        const problem = await start(home);
        if (problem !== null) return { type: 'unreachable', reason: problem };
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(delayMs, MAX_RETRY_MS)));
      attempt = await connectOnce(home, app);
    }
    return attempt;
  } finally {
    unlock?.();
  }
}

async function start(home: string): Promise<string | null> {
  const launch = readLaunch(home);
  if (!launch) return 'it has not been started on this computer yet';
  try {
    await startGateway(home, launch);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function connectOnce(home: string, app: string): Promise<Connected> {
  let token: string;
  try {
    token = readFileSync(tokenFile(home), 'utf8').trim();
  } catch {
    return Promise.resolve({ type: 'unreachable', reason: 'there is no token file' });
  }
  const endpoint = endpointFor(home);
  if (!isPrivateEndpoint(endpoint)) {
    return Promise.resolve({ type: 'unreachable', reason: 'there is no socket that is only yours' });
  }
  return new Promise((resolve) => {
    const socket = connectSocket({ path: endpoint, allowHalfOpen: true });
    const fail = (reason: string): void => {
      socket.destroy();
      resolve({ type: 'unreachable', reason });
    };
    socket.setTimeout(GREETING_MS, () => fail('it does not answer'));
    socket.once('error', (error) => fail(error.message));
    socket.once('end', () => fail('it closed the connection'));
    socket.once('connect', () => {
      const hello = { holdfast: 1, role: 'bridge', consumer: app, token, pid: process.pid };
      socket.write(`${JSON.stringify(hello)}\n`);
    });
    readGreeting(socket, resolve);
  });
}

function readGreeting(socket: Socket, resolve: (connected: Connected) => void): void {
  let received = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf(10);
    if (end < 0) return;
    socket.off('data', onData);
    socket.pause();
    socket.setTimeout(0);
    socket.removeAllListeners('error');
    socket.removeAllListeners('end');
    const refusal = refusalIn(received.toString('utf8', 0, end));
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
