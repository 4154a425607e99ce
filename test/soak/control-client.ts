import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { endpointFor, tokenFile } from '../../electron/bridge/endpoint.ts';
import { LineReader } from '../../electron/gateway/lines.ts';
import type { Invariants } from './invariants.ts';

/** The gateway went away before it answered: what it did is not known. */
export class Gone extends Error {}

/** A command was refused. */
export class Refused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}
interface Answer {
  readonly id?: number;
  readonly ok?: boolean;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

const ANSWER_MS = 180_000;
/** Refusals that a person may get in the course of things. */
const ORDINARY = /^(UPSTREAM|CONSUMER|PROFILE|CAPABILITY|REVIEW)_/;

/** Commands over the socket, as the command line sends them; a new connection after each restart of the gateway. */
export class ControlClient {
  readonly #home: string;
  readonly #invariants: Invariants;
  readonly #waiting = new Map<number, Waiting>();
  #socket: Socket | null = null;
  #lastId = 0;

  constructor(home: string, invariants: Invariants) {
    this.#home = home;
    this.#invariants = invariants;
  }

  /** @throws Gone, Refused; the caller names the documented shape. */
  async run<T>(command: string, input: object = {}): Promise<T> {
    const socket = this.#socket ?? (this.#socket = await this.#connect());
    const id = ++this.#lastId;
    const hint = `${command} ${JSON.stringify(input)}`;
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      timer = setTimeout(() => reject(new Error('no answer')), ANSWER_MS);
      socket.write(`${JSON.stringify({ id, command, input })}\n`);
    });
    try {
      const result = await answered;
      this.#invariants.check('commands', true, () => hint);
      return result as T;
    } catch (error) {
      const isOrdinary = error instanceof Gone || (error instanceof Refused && ORDINARY.test(error.code));
      this.#invariants.check('commands', isOrdinary, () => `${hint}: ${String(error)}`);
      throw error;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connect(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(endpointFor(this.#home));
      const reader = new LineReader(
        (line) => {
          const answer = JSON.parse(line.toString('utf8')) as Answer; // the gateway's own format
          if (answer.ok === true) resolve(socket);
          else this.#take(answer);
        },
        () => undefined,
      );
      socket.on('data', (chunk: Buffer) => reader.push(chunk));
      socket.on('error', () => undefined); // 'close' follows
      socket.once('close', () => {
        if (this.#socket === socket) this.#socket = null;
        reject(new Gone('closed'));
        for (const { reject: giveUp } of this.#waiting.values()) giveUp(new Gone('closed'));
      });
      const token = readFileSync(tokenFile(this.#home), 'utf8');
      socket.write(`${JSON.stringify({ holdfast: 1, role: 'control', token })}\n`);
    });
  }

  #take({ id, result, error }: Answer): void {
    const waiting = this.#waiting.get(id ?? 0);
    if (error) waiting?.reject(new Refused(error.code, error.message));
    else waiting?.resolve(result);
  }
}
