import type { Socket } from 'node:net';
import { LineReader, MAX_LINE_BYTES } from './lines.ts';

export interface ChannelEvents {
  onLine(line: Buffer): void;
  /** The other side will send no more, but may still read. */
  onEnd(): void;
  onClose(): void;
  onDrain(): void;
}

/** One accepted socket as lines both ways. */
export class Channel {
  readonly #socket: Socket;
  readonly #lines: LineReader;
  #events: ChannelEvents;
  #isClosed = false;

  constructor(socket: Socket, events: ChannelEvents, lineLimit: number) {
    this.#socket = socket;
    this.#events = events;
    this.#lines = new LineReader(
      (line) => this.#events.onLine(line),
      () => this.close(),
      lineLimit,
    );
    socket.on('data', (chunk: Buffer) => this.#lines.push(chunk));
    socket.on('end', () => this.#events.onEnd());
    socket.on('drain', () => this.#events.onDrain());
    socket.on('error', () => undefined); // 'close' follows
    socket.once('close', () => this.#closed());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Bytes that wait for the other side to read. */
  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  /** Hands the connection over, from the next line on. */
  take(events: ChannelEvents): void {
    this.#events = events;
    this.#lines.limit = MAX_LINE_BYTES;
  }

  writeLine(text: string): void {
    if (!this.#isClosed) this.#socket.write(`${text}\n`);
  }

  write(pieces: readonly Buffer[]): void {
    if (this.#isClosed) return;
    if (pieces.length > 1) this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    if (pieces.length > 1) this.#socket.uncork();
  }

  /** Sends what is written and ends. */
  end(): void {
    this.#lines.stop();
    this.#socket.end(() => this.#socket.destroy());
  }

  close(): void {
    this.#lines.stop();
    this.#socket.destroy();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#lines.stop();
    this.#events.onClose();
  }
}
