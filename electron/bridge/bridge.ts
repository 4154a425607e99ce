import type { Socket } from 'node:net';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { connectGateway } from './connect-gateway.ts';
import { NOT_REACHABLE, offlineAnswer } from './offline.ts';

export interface BridgeOptions {
  /** Id of the host app, from the command line: what an app says of itself does not count. */
  readonly app: string;
  /** Data folder of the gateway. */
  readonly home: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** How long to wait for a gateway that has to be started. */
  readonly waitMs?: number;
}

const START_WAIT_MS = 30_000;
/** For answers under way when the host app closes its side. */
const DRAIN_MS = 2_000;

/**
 * What a host app starts: bytes both ways between it and the gateway. Resolves with the exit status when either
 * side has ended.
 */
export async function runBridge(options: BridgeOptions): Promise<number> {
  const { app, stdin, stdout, stderr } = options;
  const home = path.resolve(options.home);
  stdout.on('error', () => undefined); // the host app is gone; stdin tells the same
  stdin.pause();
  const connected = await connectGateway(home, app, options.waitMs ?? START_WAIT_MS);
  if (connected.type === 'connected') return relay(connected.socket, connected.rest, stdin, stdout);
  const text = connected.type === 'refused' ? connected.reason : NOT_REACHABLE;
  const why = connected.type === 'refused' ? '' : ` (${connected.reason})`;
  stderr.write(`holdfast: ${text}${why}\n`);
  return answerOffline(text, stdin, stdout);
}

function relay(socket: Socket, rest: Buffer, stdin: Readable, stdout: Writable): Promise<number> {
  return new Promise((resolve) => {
    if (rest.length > 0) stdout.write(rest);
    socket.on('error', () => undefined); // 'close' follows
    socket.once('close', () => {
      stdin.unpipe(socket);
      stdin.pause();
      // What was written must reach the pipe before the process ends.
      stdout.write('', () => resolve(0));
    });
    stdout.once('close', () => socket.destroy());
    stdin.once('end', () => setTimeout(() => socket.destroy(), DRAIN_MS));
    stdin.once('error', () => socket.destroy());
    socket.once('end', () => socket.destroySoon());
    socket.pipe(stdout, { end: false });
    stdin.pipe(socket);
  });
}

function answerOffline(text: string, stdin: Readable, stdout: Writable): Promise<number> {
  return new Promise((resolve) => {
    let held = '';
    stdin.setEncoding('utf8');
    stdin.on('data', (chunk: string) => {
      const lines = (held + chunk).split('\n');
      held = lines.pop() ?? '';
      for (const line of lines) {
        const answer = offlineAnswer(line, text);
        if (answer !== null) stdout.write(`${answer}\n`);
      }
    });
    const finish = (): void => void stdout.write('', () => resolve(1));
    stdin.once('end', finish);
    stdin.once('error', finish);
    stdin.resume();
  });
}

interface Arguments {
  readonly app: string;
  readonly home: string;
}

/** Reads `connect APP --home DIR`; what else there is (an owner mark, switches of AppImages) is not for the bridge. */
export function readArguments(args: readonly string[]): Arguments | null {
  const [command, app] = args;
  const at = args.indexOf('--home');
  const home = at < 0 ? undefined : args[at + 1];
  if (command !== 'connect' || app === undefined || app.startsWith('-') || home === undefined) return null;
  return { app, home };
}

async function main(): Promise<void> {
  const { stdin, stdout, stderr } = process;
  const given = readArguments(process.argv.slice(2));
  if (!given) {
    stderr.write('usage: bridge.cjs connect APP --home DIR\n');
    process.exit(2);
  }
  process.exit(await runBridge({ ...given, stdin, stdout, stderr }));
}

// Only where this file is the program: the command line has it as a part.
if (/^bridge\.(cjs|ts)$/.test(path.basename(process.argv[1] ?? ''))) void main();
