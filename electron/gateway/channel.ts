import type { Socket } from 'node:net';
import { BOUNDS } from '../core/bounds.ts';
import { LineReader } from './lines.ts';

export interface ChannelEvents {
  onLine(line: Buffer): void;
  /** The other side will send no more, but may still read. */
  onEnd(): void;
  onClose(): void;
  onDrain(): void;
  /** A line was too long; without this, the connection is closed. */
  onOverflow?(): void;
}

/** One accepted socket as lines both ways. While the other side leaves much unread, nothing more is read from it. */
export class Channel {
  readonly #socket: Socket;
  readonly #lines: LineReader;
  #events: ChannelEvents;
  #isClosed = false;
  /** The other side ended while lines of it were held. */
  #endsLater = false;

  constructor(socket: Socket, events: ChannelEvents, lineLimit: number) {
    this.#socket = socket;
    this.#events = events;
    this.#lines = new LineReader(
      (line) => this.#events.onLine(line),
      () => (this.#events.onOverflow ? this.#events.onOverflow() : this.close()),
      lineLimit,
    );
    socket.on('data', (chunk: Buffer) => this.#lines.push(chunk));
    socket.on('end', () => this.#ended());
    socket.on('drain', () => this.#drained());
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
  take(events: ChannelEvents, lineLimit: number = BOUNDS.lineBytes.value): void {
    this.#events = events;
    this.#lines.limit = lineLimit;
  }

  writeLine(text: string): void {
    if (this.#isClosed) return;
    this.#socket.write(`${text}\n`);
    this.#holdIfUnread();
  }

  write(pieces: readonly Buffer[]): void {
    if (this.#isClosed) return;
    if (pieces.length > 1) this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    if (pieces.length > 1) this.#socket.uncork();
    this.#holdIfUnread();
  }

  /** Sends a last line and reads on without heed, so that the other side gets to it, whatever it still sends. */
  refuse(text: string, withinMs: number): void {
    this.writeLine(text);
    this.#lines.stop();
    this.#socket.end();
    this.#socket.resume();
    const timer = setTimeout(() => this.#socket.destroy(), withinMs);
    timer.unref();
    this.#socket.once('end', () => this.#socket.destroy());
    this.#socket.once('close', () => clearTimeout(timer));
  }

  /** Sends what is written and ends. */
  end(): void {
    this.#lines.stop();
    this.#socket.end(() => this.#socket.destroy());
    // Who never reads what is left would keep it in memory for ever.
    this.#socket.setTimeout(BOUNDS.stallMs.value, () => this.#socket.destroy());
  }

  close(): void {
    this.#lines.stop();
    this.#socket.destroy();
  }

  #holdIfUnread(): void {
    if (this.queuedBytes <= BOUNDS.queuedBytes.value) return;
    this.#lines.hold();
    this.#socket.pause();
  }

  #drained(): void {
    this.#lines.resume();
    this.#events.onDrain();
    if (this.#lines.isHeld) return; // what was held filled the queue again
    this.#socket.resume();
    if (this.#endsLater) this.#ended();
  }

  #ended(): void {
    this.#endsLater = this.#lines.isHeld;
    if (!this.#endsLater) this.#events.onEnd();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#lines.stop();
    this.#events.onClose();
  }
}
