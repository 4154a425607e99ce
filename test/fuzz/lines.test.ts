import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader } from '../../electron/gateway/lines.ts';
import { fuzz, showBytes } from './fuzzing.ts';
import { anyBytes, chunksOf, cuts, type Cuts } from './inputs.ts';

/** Lines with newlines between them, some long, some empty. */
const stream = fc
  .array(
    fc.oneof(
      anyBytes,
      fc.constant(Buffer.from('\n')),
      fc.constant(Buffer.from('a line\n')),
      fc.constant(Buffer.alloc(1_500, 65)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts));

interface Read {
  readonly lines: string[];
  readonly overflows: number;
  readonly rest: string;
}

/** What a reader says of a stream in chunks; `stopAfter` and `raiseAfter` are numbers of lines. */
function read(chunks: readonly Buffer[], limit: number, stopAfter = Infinity, raiseAfter = Infinity): Read {
  const lines: string[] = [];
  let overflows = 0;
  const reader: LineReader = new LineReader(
    (line) => {
      lines.push(line.toString('latin1'));
      if (lines.length === stopAfter) reader.stop();
      if (lines.length === raiseAfter) reader.limit = Infinity;
    },
    () => overflows++,
    limit,
  );
  for (const chunk of chunks) reader.push(chunk);
  return { lines, overflows, rest: reader.rest().toString('latin1') };
}

/** The same, told from the whole: cut at the newlines, empty ones left out, up to the first that is too long. */
function told(bytes: Buffer, limit: number, stopAfter = Infinity, raiseAfter = Infinity): Read {
  const lines: string[] = [];
  const parts = bytes.toString('latin1').split('\n');
  for (const [at, part] of parts.entries()) {
    if (part.length > (lines.length >= raiseAfter ? Infinity : limit)) return { lines, overflows: 1, rest: '' };
    if (at === parts.length - 1) return { lines, overflows: 0, rest: part };
    if (part !== '') lines.push(part);
    if (part !== '' && lines.length === stopAfter) return { lines, overflows: 0, rest: '' };
  }
  return { lines, overflows: 0, rest: '' };
}

const limit = fc.oneof(fc.integer({ min: 1, max: 80 }), fc.constant(10_000));
const count = fc.option(fc.integer({ min: 1, max: 5 }), { nil: Infinity });
type Streamed = readonly [Buffer, Cuts, limit: number, stopAfter: number, raiseAfter: number];
const streamed: fc.Arbitrary<Streamed> = fc.tuple(stream, cuts, limit, count, count);
const show = ([bytes, at, ...rest]: Streamed): string => `${showBytes(bytes)} cut at ${String(at)}, ${rest.join(' ')}`;

describe('the line reader', () => {
  fuzz('tells the same lines however the stream is cut, up to its limit, and nothing once it is stopped', {
    inputs: streamed,
    show,
    check: ([bytes, at, limit, stopAfter, raiseAfter]) => {
      const found = read(chunksOf(bytes, at), limit, stopAfter, raiseAfter);
      expect(found).toEqual(told(bytes, limit, stopAfter, raiseAfter));
    },
  });

  it('keeps a line that comes in single bytes in little more than its length', () => {
    const length = 2_000_000;
    const reader = new LineReader(
      () => undefined,
      () => undefined,
    );
    const before = usedMemory();
    for (let at = 0; at < length; at++) reader.push(Buffer.from([65]));
    const grown = usedMemory() - before;
    expect(reader.rest().length).toBe(length);
    // A buffer of its own for each byte is more than a hundred times as much.
    expect(grown).toBeLessThan(10 * length);
  });
});

/** Bytes that are still referred to. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
