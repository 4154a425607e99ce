import { createHash, timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { endpointFor, isPrivateEndpoint } from '../bridge/endpoint.ts';
import { BOUNDS } from '../core/bounds.ts';
import { HoldfastError, asHoldfastError, limitReached } from '../core/errors.ts';
import type { ConsumerId } from '../core/model.ts';
import { Channel } from './channel.ts';
import type { ErrorView } from './ports.ts';

/** Runs one command; what it throws is answered as an error with the next step. */
export type OnCommand = (command: string, input: unknown) => Promise<unknown>;

export interface ListenerOptions {
  readonly token: string;
  readonly handshakeMs: number;
  isKnown(consumer: ConsumerId): boolean;
  describe(error: HoldfastError): ErrorView;
  onBridge(consumer: ConsumerId, channel: Channel): void;
  readonly onCommand: OnCommand;
}

const handshakeShape = z.discriminatedUnion('role', [
  z.object({
    holdfast: z.literal(1),
    role: z.literal('bridge'),
    consumer: z.string().min(1),
    token: z.string(),
    pid: z.number().optional(),
  }),
  z.object({ holdfast: z.literal(1), role: z.literal('control'), token: z.string() }),
]);
const commandShape = z.object({
  id: z.union([z.string().max(BOUNDS.idLength.value), z.number()]),
  command: z.string().max(BOUNDS.methodLength.value),
  input: z.unknown().optional(),
});

/** The local socket: one line of introduction, then either a host app's messages or commands. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Connections of apps. */
  readonly #bridges = new Map<Socket, ConsumerId>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    // The app's side may end first while answers are still on their way to it.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  /** Takes the place of a socket that an earlier run left behind. */
  async listen(dir: string): Promise<void> {
    const endpoint = endpointFor(dir);
    const isPipe = process.platform === 'win32';
    if (!isPipe) {
      mkdirSync(path.dirname(endpoint), { recursive: true, mode: 0o700 });
      // Others must not be able to put a socket of their own there.
      if (!isPrivateEndpoint(endpoint)) throw new HoldfastError('FORBIDDEN', { folder: path.dirname(endpoint) });
      rmSync(endpoint, { force: true });
    }
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      const restore = narrowUmask();
      this.#server.listen(endpoint, () => {
        if (!isPipe) chmodSync(endpoint, 0o600);
        this.#server.off('error', reject);
        this.#server.on('error', () => undefined); // one failed accept must not end the gateway
        resolve();
      });
      restore();
    });
  }

  /** Accepts no more; connections that are neither are dropped with it. */
  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    return closed;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#bridges.delete(socket);
    });
    const timer = setTimeout(() => socket.destroy(), this.#options.handshakeMs);
    timer.unref();
    const events = {
      onLine: (line: Buffer) => {
        clearTimeout(timer);
        this.#greet(channel, line, socket);
      },
      onEnd: () => channel.close(),
      onClose: () => clearTimeout(timer),
      onDrain: () => undefined,
    };
    const channel = new Channel(socket, events, BOUNDS.handshakeBytes.value);
    if (this.#sockets.size > BOUNDS.sockets.value) this.#refuse(channel, limitReached('sockets'));
  }

  #refuse(channel: Channel, error: unknown, id?: null): void {
    const answer = { ...(id === null && { id }), error: this.#options.describe(asHoldfastError(error)) };
    channel.refuse(JSON.stringify(answer), this.#options.handshakeMs);
  }

  #greet(channel: Channel, line: Buffer, socket: Socket): void {
    try {
      const hello = readHandshake(line);
      if (!isSameToken(hello.token, this.#options.token)) throw new HoldfastError('FORBIDDEN');
      if (hello.role === 'control') {
        channel.writeLine('{"ok":true}');
        return this.#serveCommands(channel);
      }
      const consumer = hello.consumer as ConsumerId; // known to the store, which is what the brand says
      if (!this.#options.isKnown(consumer)) throw new HoldfastError('CONSUMER_NOT_FOUND', { app: hello.consumer });
      this.#assertRoom(consumer);
      this.#bridges.set(socket, consumer);
      channel.writeLine('{"ok":true}');
      this.#options.onBridge(consumer, channel);
    } catch (error) {
      channel.writeLine(JSON.stringify({ error: this.#options.describe(asHoldfastError(error)) }));
      channel.end();
    }
  }

  /** @throws HoldfastError LIMIT_REACHED */
  #assertRoom(consumer: ConsumerId): void {
    const own = [...this.#bridges.values()].filter((each) => each === consumer).length;
    if (own >= BOUNDS.connectionsPerApp.value) throw limitReached('connectionsPerApp');
    if (this.#bridges.size >= BOUNDS.connections.value) throw limitReached('connections');
  }

  #serveCommands(channel: Channel): void {
    let running = 0;
    let hasEnded = false;
    const done = (): void => {
      running--;
      if (hasEnded && running === 0) channel.end();
    };
    const events = {
      onLine: (line: Buffer) => {
        running++;
        void this.#command(channel, line, running > BOUNDS.commandsInFlight.value).finally(done);
      },
      onEnd: () => {
        hasEnded = true;
        if (running === 0) channel.end();
      },
      onClose: () => undefined,
      onDrain: () => undefined,
      onOverflow: () => this.#refuse(channel, limitReached('commandBytes'), null),
    };
    channel.take(events, BOUNDS.commandBytes.value);
  }

  async #command(channel: Channel, line: Buffer, isTooMany: boolean): Promise<void> {
    let id: string | number | null = null;
    try {
      const request = commandShape.safeParse(parseJson(line));
      if (!request.success) throw new HoldfastError('COMMAND_BAD_INPUT', { reason: 'not a command' });
      id = request.data.id;
      if (isTooMany) throw limitReached('commandsInFlight');
      const result = await this.#options.onCommand(request.data.command, request.data.input);
      channel.writeLine(JSON.stringify({ id, result: result ?? null }));
    } catch (error) {
      channel.writeLine(JSON.stringify({ id, error: this.#options.describe(asHoldfastError(error)) }));
    }
  }
}

function readHandshake(line: Buffer): z.infer<typeof handshakeShape> {
  const hello = line.length <= BOUNDS.handshakeBytes.value ? handshakeShape.safeParse(parseJson(line)) : null;
  if (!hello?.success) throw new HoldfastError('FORBIDDEN');
  return hello.data;
}

function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Compares digests, so that neither length nor content shows in the time it takes. */
function isSameToken(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The socket is made by `listen` itself, so that it is private from its first moment. */
function narrowUmask(): () => void {
  try {
    const before = process.umask(0o177);
    return () => process.umask(before);
  } catch {
    return () => undefined; // not possible in a worker thread; the mode is set right after
  }
}
