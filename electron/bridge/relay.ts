import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { HostApp } from './host-app.ts';
import type { HeldInput } from './held-input.ts';

/** For answers under way when the host app closes its side. */
export const DRAIN_MS = 2_000;

/** What the log of a host app says where the gateway went first. */
const CLOSED = 'Holdfast closed the connection. Nothing was lost; restart “holdfast” in the app to go on.';

export interface Ends {
  readonly input: HeldInput;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly hostApp: HostApp;
}

/**
 * Passes bytes both ways until either side ends. Resolves with 0 where the host app ended it, with 1 where the gateway
 * did. The bridge then ends, too, and does not connect again: what a host app has listed, subscribed to and introduced
 * itself with is bound to the connection, and its own MCP client answers what is under way when the pipe closes.
 */
export function relay(socket: Socket, rest: Buffer, ends: Ends): Promise<number> {
  const { input, stdin, stdout, stderr, hostApp } = ends;
  return new Promise((resolve) => {
    let hasLeft = false;
    const leave = (): void => {
      hasLeft = true;
      socket.destroy();
    };
    const drain = (): void => {
      hasLeft = true;
      setTimeout(leave, DRAIN_MS);
    };
    socket.on('error', () => undefined); // 'close' follows
    socket.once('end', () => socket.destroySoon());
    socket.once('close', () => {
      stdin.unpipe(socket);
      if (!hasLeft) stderr.write(`holdfast: ${CLOSED}\n`);
      const status = hasLeft ? 0 : 1;
      void flush(ends, hasLeft).then(() => resolve(status));
    });
    hostApp.signal.addEventListener('abort', leave);
    stdin.once('error', leave);
    if (rest.length > 0) stdout.write(rest);
    socket.pipe(stdout, { end: false });
    const held = input.release();
    if (held.length > 0) socket.write(held);
    if (hostApp.isGone) return leave();
    if (input.isEnded) {
      socket.end();
      return drain();
    }
    stdin.once('end', drain);
    stdin.pipe(socket);
  });
}

/** What was written must reach the pipe before the process ends, but not for a host app that reads no more. */
function flush({ stdin, stdout, hostApp }: Ends, hasLeft: boolean): Promise<void> {
  return new Promise((resolve) => {
    if (hostApp.isGone) return resolve();
    hostApp.signal.addEventListener('abort', () => resolve());
    stdout.write('', () => resolve());
    if (hasLeft) return void setTimeout(resolve, DRAIN_MS);
    stdin.once('end', resolve);
    stdin.resume(); // for its end alone
  });
}
