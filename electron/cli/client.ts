import net from 'node:net';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HoldfastError } from '../core/errors.ts';
import { endpointFor, tokenFile } from '../bridge/endpoint.ts';

/** What cannot be done, and what to do instead. */
export interface Words {
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

/** An error as the gateway told it: already in words. */
export class RemoteError extends Error {
  readonly words: Words;

  constructor(words: Words) {
    super(words.message);
    this.words = words;
  }
}

const errorShape = z.object({ code: z.string(), message: z.string(), next: z.string() });
const handshakeAnswer = z.union([z.object({ ok: z.literal(true) }), z.object({ error: errorShape })]);
const commandAnswer = z.union([
  z.object({ id: z.literal(1), result: z.unknown() }),
  z.object({ id: z.literal(1).nullish(), error: errorShape }),
]);

/** A listing of everything is some megabytes at most. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** `undefined` where no gateway runs with this data folder. */
export async function connectToGateway(dataDir: string): Promise<net.Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(endpointFor(dataDir));
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(new HoldfastError('GATEWAY_UNREACHABLE', { reason: error.message }, { cause: error }));
    });
  });
}

/**
 * Runs one command in the gateway at the other end.
 * @throws RemoteError what the gateway refuses; HoldfastError FORBIDDEN, GATEWAY_UNREACHABLE
 */
export async function runRemotely(socket: net.Socket, dataDir: string, name: string, input: unknown): Promise<unknown> {
  const lines = readLines(socket);
  const say = (message: object): void => void socket.write(`${JSON.stringify(message)}\n`);
  try {
    say({ holdfast: 1, role: 'control', token: readToken(dataDir) });
    const greeting = handshakeAnswer.parse(await nextAnswer(lines));
    if ('error' in greeting) throw new RemoteError(greeting.error);
    say({ id: 1, command: name, input });
    const answer = commandAnswer.parse(await nextAnswer(lines));
    if ('error' in answer) throw new RemoteError(answer.error);
    return answer.result;
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new HoldfastError('GATEWAY_UNREACHABLE', { reason: 'its answer could not be read' }, { cause: error });
    throw error;
  } finally {
    socket.destroy();
  }
}

function readToken(dataDir: string): string {
  try {
    return readFileSync(tokenFile(dataDir), 'utf8').trim();
  } catch (cause) {
    throw new HoldfastError('FORBIDDEN', {}, { cause });
  }
}

async function nextAnswer(lines: AsyncGenerator<string, undefined>): Promise<unknown> {
  const line = await lines.next();
  if (line.done === true) throw new HoldfastError('GATEWAY_UNREACHABLE', { reason: 'it closed the connection' });
  return JSON.parse(line.value) as unknown; // checked by the caller's schema
}

async function* readLines(socket: net.Socket): AsyncGenerator<string, undefined> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    const end = chunk.indexOf(10);
    held.push(end < 0 ? chunk : chunk.subarray(0, end));
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) return undefined;
    if (end < 0) continue;
    yield Buffer.concat(held).toString('utf8');
    held = [chunk.subarray(end + 1)];
    size = chunk.length - end - 1;
  }
  return undefined;
}
