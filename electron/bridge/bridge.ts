import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { connectGateway } from './connect-gateway.ts';
import { HeldInput } from './held-input.ts';
import { HostApp, type HostAppOptions } from './host-app.ts';
import { NOT_REACHABLE, REMOVED, TOO_MUCH, WALLED, answerOffline } from './offline.ts';
import { DRAIN_MS, relay } from './relay.ts';
import { isWalled } from './walled.ts';

export interface BridgeOptions extends HostAppOptions {
  /** Id of the host app, from the command line: what an app says of itself does not count. */
  readonly app: string;
  /** Data folder of the gateway. */
  readonly home: string;
  readonly stdin: Readable;
  readonly stderr: Writable;
  /** How long to wait for a gateway that has to be started. */
  readonly waitMs?: number;
  /** What is started from here would live in a file system of its own. */
  readonly isWalled?: boolean;
}

const START_WAIT_MS = 30_000;
/** A host app has to wait for the answer to its introduction; what it sends until then is small. */
const MAX_HELD_BYTES = 1024 * 1024;

/**
 * What a host app starts: bytes both ways between it and the gateway. Resolves with the exit status when either side
 * has ended: 0 where the host app left, 1 where the gateway could not be reached, said no, or closed the connection.
 */
export async function runBridge(options: BridgeOptions): Promise<number> {
  const { app, stdin, stdout, stderr, waitMs = START_WAIT_MS, isWalled: mayNotStart = false } = options;
  const hostApp = new HostApp(options);
  const waiting = new AbortController();
  const giveUp = (): void => waiting.abort();
  const input = new HeldInput(stdin, MAX_HELD_BYTES, {
    // What it has asked may still be answered, in the same time as later.
    onEnd: () => (input.isEmpty ? giveUp() : setTimeout(giveUp, DRAIN_MS).unref()),
    onFull: giveUp,
  });
  hostApp.signal.addEventListener('abort', giveUp);
  try {
    const wait = { waitMs, signal: waiting.signal, mayNotStart };
    const connected = await connectGateway(path.resolve(options.home), app, wait);
    const ends = { input, stdin, stdout, stderr, hostApp };
    if (connected.type === 'connected') return await relay(connected.socket, connected.rest, ends);
    if (hostApp.isGone || (input.isEnded && input.isEmpty)) return 0;
    const why = connected.type === 'refused' ? '' : ` (${connected.reason})`;
    const text = connected.type === 'refused' ? connected.reason : input.isFull ? TOO_MUCH : TEXTS[connected.because];
    stderr.write(`holdfast: ${text}${why}\n`);
    await answerOffline(text, ends);
    return 1;
  } finally {
    hostApp.stop();
  }
}

const TEXTS = { silent: NOT_REACHABLE, walled: WALLED, removed: REMOVED } as const;

interface Arguments {
  readonly app: string;
  readonly home: string;
  readonly isWalled: boolean;
}

/** Reads `connect APP --home DIR [--walled]`; what else there is (an owner mark, switches of AppImages) is not for the bridge. */
export function readArguments(args: readonly string[]): Arguments | null {
  const [command, app] = args;
  const at = args.indexOf('--home');
  const home = at < 0 ? undefined : args[at + 1];
  if (command !== 'connect' || app === undefined || app.startsWith('-') || home === undefined) return null;
  return { app, home, isWalled: args.includes('--walled') };
}

async function main(): Promise<void> {
  const { stdin, stdout, stderr } = process;
  const given = readArguments(process.argv.slice(2));
  if (!given) {
    stderr.write('usage: bridge.cjs connect APP --home DIR [--walled]\n');
    process.exit(2);
  }
  process.exit(await runBridge({ ...given, isWalled: given.isWalled || isWalled(), stdin, stdout, stderr }));
}

// Only where this file is the program: the command line has it as a part.
if (/^bridge\.(cjs|ts)$/.test(path.basename(process.argv[1] ?? ''))) void main();
