import type { Readable } from 'node:stream';

export interface HeldInputEvents {
  /** The host app sends no more. */
  onEnd(): void;
  /** More came than is held; the rest waits in the host app. */
  onFull(): void;
}

/** What a host app sends before there is a gateway. It is read all the while, so that its end is seen at once. */
export class HeldInput {
  readonly #stdin: Readable;
  readonly #limit: number;
  readonly #events: HeldInputEvents;
  #chunks: Buffer[] = [];
  #size = 0;
  #isEnded = false;
  readonly #onData = (chunk: Buffer | string): void => this.#hold(Buffer.from(chunk));
  readonly #onEnd = (): void => this.#end();

  /** `limit`: bytes beyond which no more is read. */
  constructor(stdin: Readable, limit: number, events: HeldInputEvents) {
    this.#stdin = stdin;
    this.#limit = limit;
    this.#events = events;
    stdin.on('data', this.#onData);
    stdin.once('end', this.#onEnd);
    stdin.once('error', this.#onEnd);
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  get isFull(): boolean {
    return this.#size > this.#limit;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Hands over what was held, and the stream, which stands still until its new owner reads it. */
  release(): Buffer {
    this.#stdin.pause();
    this.#stdin.off('data', this.#onData);
    this.#stdin.off('end', this.#onEnd);
    this.#stdin.off('error', this.#onEnd);
    const held = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return held;
  }

  #hold(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (!this.isFull) return;
    this.#stdin.pause();
    this.#events.onFull();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#events.onEnd();
  }
}
