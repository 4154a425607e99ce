import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { connectGateway } from '../../electron/bridge/connect-gateway.ts';
import { endpointFor, tokenFile } from '../../electron/bridge/endpoint.ts';
import type { ConsumerId } from '../../electron/core/model.ts';
import { Listener } from '../../electron/gateway/listener.ts';
import { isObject } from '../../electron/gateway/rpc.ts';
import { fuzz, showBytes } from './fuzzing.ts';
import { chunksOf, cuts, fileLike, type Cuts } from './inputs.ts';
import { parsed } from './wire.ts';

const BATCH = 25;
const TOKEN = '0123456789abcdef'.repeat(4);
const APP = 'app' as ConsumerId; // as the core makes it
const NEWLINE = Buffer.from('\n');

const folder = (): string => mkdtempSync(path.join(os.tmpdir(), 'hf-fuzz-'));

/** All that comes back over one connection to the socket, until the other side ends it or has nothing more to say. */
function exchange(home: string, chunks: readonly Buffer[]): Promise<string[]> {
  return new Promise((resolve) => {
    const socket = connect(endpointFor(home));
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.on('error', () => undefined); // 'close' follows
    socket.once('close', () => resolve(received.split('\n').filter((line) => line !== '')));
    for (const chunk of chunks) socket.write(chunk);
    socket.end();
  });
}

const hello = fc.constantFrom<unknown>(
  { holdfast: 1, role: 'bridge', consumer: APP, token: TOKEN, pid: 1 },
  { holdfast: 1, role: 'bridge', consumer: 'other', token: TOKEN },
  { holdfast: 1, role: 'control', token: TOKEN },
  { holdfast: 1, role: 'control', token: TOKEN.toUpperCase() },
);

const command = fc.constantFrom<unknown>(
  { id: 1, command: 'echo', input: { a: 1 } },
  { id: 'a', command: 'fail' },
  { id: 2, command: 'throw' },
);
type Spoken = readonly [first: Buffer, more: readonly Buffer[], Cuts];
const spoken: fc.Arbitrary<Spoken> = fc.tuple(fileLike(hello), fc.array(fileLike(command), { maxLength: 3 }), cuts);
const show = (batch: readonly Spoken[]): string =>
  batch.map(([first, more, at]) => [first, ...more].map(showBytes).join(' \\n ') + ` cut at ${String(at)}`).join('\n');

const firstLine = (bytes: Buffer): Buffer => {
  const line =
    bytes
      .toString('latin1')
      .split('\n')
      .find((text) => text !== '') ?? '';
  return Buffer.from(line, 'latin1');
};

describe('the first line at the socket', () => {
  const home = folder();
  const bridged: ConsumerId[] = [];
  const listener = new Listener({
    token: TOKEN,
    handshakeMs: 30_000,
    isKnown: (consumer) => consumer === APP,
    describe: (error) => ({ code: error.code, message: 'why', next: 'what to do' }),
    onBridge: (consumer, channel) => {
      bridged.push(consumer);
      channel.end();
    },
    onCommand: (name, input) => {
      if (name === 'throw') throw new TypeError('at once');
      return name === 'fail' ? Promise.reject(new Error('later')) : Promise.resolve({ name, input });
    },
  });
  beforeAll(() => listener.listen(home));
  afterAll(async () => {
    await listener.close();
    rmSync(home, { recursive: true });
  });

  fuzz('lets in whoever has the token and nobody else, answers everyone, and goes on serving', {
    batch: BATCH,
    inputs: fc.array(spoken, { minLength: BATCH, maxLength: BATCH, size: 'max' }),
    show,
    check: async (batch) => {
      bridged.length = 0;
      const answers = await Promise.all(
        batch.map(async ([first, more, at]) => exchange(home, chunksOf(joined(first, more), at))),
      );
      for (const [at, [first, more]] of batch.entries()) expectRightAnswers(joined(first, more), answers[at] ?? []);
      expect(bridged.every((consumer) => consumer === APP)).toBe(true);
      const served = await exchange(home, [
        Buffer.from(`{"holdfast":1,"role":"control","token":"${TOKEN}"}\n{"id":9,"command":"x"}\n`),
      ]);
      expect(served).toEqual(['{"ok":true}', '{"id":9,"result":{"name":"x"}}']);
    },
  });
});

function joined(first: Buffer, more: readonly Buffer[]): Buffer {
  return Buffer.concat([first, ...more].flatMap((bytes) => [bytes, NEWLINE]));
}

/** Told from the bytes alone: who is let in, and what is answered to what follows. */
function expectRightAnswers(bytes: Buffer, answers: readonly string[]): void {
  const said = parsed(firstLine(bytes));
  const isHello = isObject(said) && said['holdfast'] === 1 && said['token'] === TOKEN;
  const isIn = isHello && (said['role'] === 'control' || (said['role'] === 'bridge' && said['consumer'] === APP));
  const [greeting, ...rest] = answers.map((line) => JSON.parse(line) as Record<string, unknown>);
  // One that says nothing or too much gets no answer at all.
  if (greeting?.['ok'] === true) expect(isIn).toBe(true);
  else expect(greeting === undefined || isObject(greeting['error'])).toBe(true);
  if (greeting?.['ok'] !== true || !isObject(said) || said['role'] !== 'control') return expect(rest).toEqual([]);
  const lines = bytes
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
  expect(rest.length).toBe(lines.length - 1);
  for (const answer of rest)
    expect(Object.keys(answer).sort()).toEqual(['id', 'result' in answer ? 'result' : 'error'].sort());
}

describe('the greeting that a bridge gets', () => {
  const home = folder();
  const greetings: Buffer[][] = [];
  const { signal } = new AbortController();
  const server: Server = createServer((socket: Socket) => {
    socket.on('error', () => undefined); // the bridge ends the connection as it likes
    socket.on('data', () => undefined);
    for (const chunk of greetings.shift() ?? []) socket.write(chunk);
    socket.end();
  });
  beforeAll(async () => {
    writeFileSync(tokenFile(home), TOKEN);
    await new Promise<void>((resolve) => void server.listen(endpointFor(home), resolve));
  });
  afterAll(() => {
    server.close();
    rmSync(home, { recursive: true });
  });
  const greeting = fc.constantFrom<unknown>({ ok: true }, { error: { code: 'FORBIDDEN', message: 'no', next: 'ask' } });

  fuzz('connects it where the first line says ok, with every byte after that line, and else gives a reason', {
    batch: BATCH / 5,
    inputs: fc.array(fc.tuple(fileLike(greeting), fileLike(greeting), cuts), {
      minLength: BATCH / 5,
      maxLength: BATCH / 5,
      size: 'max',
    }),
    show: (batch) =>
      batch.map(([first, rest, at]) => `${showBytes(first)} \\n ${showBytes(rest)} cut at ${String(at)}`).join('\n'),
    check: async (batch) => {
      for (const [first, rest, at] of batch) {
        const bytes = Buffer.concat([first, NEWLINE, rest]);
        greetings.push(chunksOf(bytes, at));
        const connected = await connectGateway(home, APP, { waitMs: 0, signal });
        const end = bytes.indexOf(10);
        const said = parsed(bytes.subarray(0, end));
        expect(connected.type === 'connected').toBe(isObject(said) && said['ok'] === true);
        if (connected.type !== 'connected') expect(typeof connected.reason).toBe('string');
        else expect(await readToEnd(connected.socket, connected.rest)).toEqual(bytes.subarray(end + 1));
      }
    },
  });
});

function readToEnd(socket: Socket, first: Buffer): Promise<Buffer> {
  const parts = [first];
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => parts.push(chunk));
    socket.once('end', () => {
      socket.destroy();
      resolve(Buffer.concat(parts));
    });
    socket.resume();
  });
}
