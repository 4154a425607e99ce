import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { CapabilityId, ConsumerId, JsonObject, ManifestId } from '../../electron/core/model.ts';
import type { HoldfastError } from '../../electron/core/errors.ts';
import type { Answer } from '../../electron/gateway/answer.ts';
import { Channel } from '../../electron/gateway/channel.ts';
import type { GatewayPorts } from '../../electron/gateway/ports.ts';
import type { LineTransport } from '../../electron/gateway/process-transport.ts';
import { isObject, resultLine } from '../../electron/gateway/rpc.ts';
import type { Request } from '../../electron/gateway/rpc.ts';
import { Session, type SessionEvents } from '../../electron/gateway/session.ts';
import { Upstream } from '../../electron/gateway/upstream.ts';
import { fuzz, showBytes } from './fuzzing.ts';
import { anyBytes, broken, chunksOf, cuts, type Cuts } from './inputs.ts';
import { message, parsed } from './wire.ts';

const line = fc.oneof(
  { weight: 6, arbitrary: message.map((text) => Buffer.from(text)) },
  { weight: 3, arbitrary: broken(message.map((text) => Buffer.from(text))) },
  { weight: 1, arbitrary: anyBytes },
);
const lines = fc.array(line.map(withoutNewlines), { minLength: 1, maxLength: 6 });

function withoutNewlines(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte) => byte !== 10));
}

/** The messages in a line, a batch taken apart. */
function messagesIn(bytes: Buffer): unknown[] {
  const whole = parsed(bytes);
  return Array.isArray(whole) ? whole : [whole];
}

/** What goes back as it came. */
function isExactId(id: unknown): boolean {
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id) && Math.abs(id) < 2 ** 53);
}

/** Every id that a line names, also where JSON.parse sees another one, later. */
function idsIn(bytes: Buffer): number[] {
  const named = [...bytes.toString('latin1').matchAll(/"id":\s*(-?[\d.e+]+)/g)].map((match) => Number(match[1]));
  return [...named, ...messagesIn(bytes).map((one) => (isObject(one) ? Number(one['id']) : NaN))];
}

interface Listened {
  readonly says: (bytes: Buffer) => void;
  readonly sent: string[];
  readonly failures: string[];
  readonly settled: Map<number, (Answer | null)[]>;
}

/** A connection to a server with requests 1, 2 and 3 under way. */
function upstream(): Listened {
  const sent: string[] = [];
  const failures: string[] = [];
  const transport: LineTransport = {
    start: () => Promise.resolve(),
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
    sendLine: (text) => sent.push(text),
    pause: () => undefined,
    resume: () => undefined,
    kill: () => undefined,
    fail: (reason) => failures.push(reason),
    endReason: null,
    lastWords: [],
    hasRoomFor: () => true,
    pid: undefined,
  };
  const server = new Upstream(transport, {
    onRequest: ({ id }) => expect(isExactId(id)).toBe(true),
    onNotification: (method) => expect(typeof method).toBe('string'),
    onEnd: () => undefined,
  });
  const settled = new Map<number, (Answer | null)[]>();
  for (let request = 0; request < 3; request++) settled.set(server.nextId(), []);
  for (const [id, answers] of settled) server.request(id, 'tools/call', '{}', (answer) => answers.push(answer));
  sent.length = 0;
  return { says: (bytes) => transport.online?.(bytes), sent, failures, settled };
}

describe('what a server sends', () => {
  fuzz('answers each request of ours once at most, by its own id, and ends no more than its connection', {
    inputs: lines,
    show: (input) => input.map(showBytes).join('\n'),
    check: (input, beside) => {
      const { says, sent, failures, settled } = upstream();
      let hasAnswered = false;
      for (const bytes of input) {
        const before = [...settled.values()].flat().length;
        says(bytes);
        const fresh = [...settled].filter(([, answers]) => answers.length > 0).map(([id]) => id);
        hasAnswered ||= fresh.length > 0;
        if ([...settled.values()].flat().length === before) continue;
        for (const [id, answers] of settled) {
          const isNew = answers.some((answer) => answer?.line.equals(bytes) === true);
          if (isNew) expect(idsIn(bytes)).toContain(id);
        }
      }
      for (const answers of settled.values()) expect(answers.length).toBeLessThanOrEqual(1);
      expect(failures.length).toBeLessThanOrEqual(1);
      for (const text of sent) expect(isObject(JSON.parse(text))).toBe(true);
      if (!hasAnswered && failures.length === 0 && sent.length === 0) beside();
    },
  });
});

/** A socket without a network: what is written is kept. */
class Wire extends Duplex {
  readonly written: Buffer[] = [];
  override _read(): void {
    // what arrives is pushed by the test
  }
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.written.push(chunk);
    done();
  }
}

const SURFACE = {
  consumer: 'app' as ConsumerId, // made up as the core makes them, like the ids below
  manifestId: 'manifest' as ManifestId,
  epoch: 1,
  entries: new Map(),
  refusals: new Map(),
  lists: { tool: '[{"name":"search"}]', prompt: '[]', resource: '[]', resourceTemplate: '[]' },
  instructions: null,
};

interface App {
  readonly session: Session;
  readonly wire: Wire;
  /** What went on to be used, answered at once as a server would. */
  readonly uses: Request[];
  readonly broken: unknown[];
}

function app(): App {
  const wire = new Wire();
  const uses: Request[] = [];
  const broken: unknown[] = [];
  const note = (session: Session, request: Request): void => {
    uses.push(request);
    session.sendLine(resultLine(request.idText, '{}'));
  };
  const events: SessionEvents = {
    onUse: note,
    onUnsubscribe: note,
    onCancelled: (_, idText) => expect(isExactId(JSON.parse(idText))).toBe(true),
    onAnswer: () => undefined,
    onProgress: () => undefined,
    onRootsChanged: () => undefined,
    onLevel: () => undefined,
    onDrain: () => undefined,
    onEnd: () => undefined,
    onClosed: () => undefined,
  };
  const ports = {
    surface: () => SURFACE,
    listedIds: () => new Map<string, CapabilityId>(),
    lastListed: () => undefined,
    onListed: () => undefined,
    now: () => '2026-01-01T00:00:00.000Z',
    describe: ({ code }: HoldfastError) => ({ code, message: 'That is too much.', next: 'Send less.' }),
  } as Partial<GatewayPorts> as GatewayPorts; // all that a session asks
  const ignored = {
    onLine: () => undefined,
    onEnd: () => undefined,
    onClose: () => undefined,
    onDrain: () => undefined,
  };
  // Of a socket, a channel uses what every stream has.
  const channel = new Channel(wire as unknown as Socket, ignored, 4096);
  return { session: new Session(SURFACE.consumer, channel, ports, '1', events), wire, uses, broken };
}

describe('what a host app sends', () => {
  fuzz('gets each request answered once, by its own id and no other, and ends no more than its connection', {
    inputs: fc.tuple(lines, cuts),
    show: ([input, at]: [Buffer[], Cuts]) => `${input.map(showBytes).join('\n')}\ncut at ${String(at)}`,
    check: ([input, at], beside) => {
      const { wire, uses } = app();
      const stream = Buffer.concat(input.flatMap((bytes) => [bytes, Buffer.from('\n')]));
      for (const chunk of chunksOf(stream, at)) wire.emit('data', chunk);
      expect(wire.destroyed).toBe(false);
      const answers = wire.written
        .join('')
        .split('\n')
        .filter((text) => text !== '');
      const requests = input.flatMap(messagesIn).filter((one) => isObject(one) && typeof one['method'] === 'string');
      const asked = counted(requests.map((one) => (one as JsonObject)['id']).filter(isExactId));
      const answered = counted(
        answers
          .map((text) => JSON.parse(text) as JsonObject)
          .filter(({ id }) => id !== null && id !== undefined)
          .map(({ id }) => id),
      );
      expect(answered).toEqual(asked);
      for (const request of uses) expect(isExactId(JSON.parse(request.idText))).toBe(true);
      if (asked.size === 0) beside();
    },
  });
});

function counted(ids: readonly unknown[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids.map((each) => JSON.stringify(each)).sort()) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
