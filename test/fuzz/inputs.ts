/** Generators that start from what is valid and break it, because random bytes are refused at their first one. */
import fc from 'fast-check';

/** Names that every object has, names that mean something in the formats, and names that are hard to write. */
const ODD_NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'length', '0'],
  ...['', ' ', '/', '|', '\0', '\n', '\u2028', '\ud800', '\udc00', '\ufeff', 'é', 'e\u0301', '💥', 'A'.repeat(300)],
  ...['id', 'result', 'error', 'method', 'params', 'jsonrpc', 'name', 'uri', 'nextCursor', 'holdfast', 'token'],
];

const deep = (levels: number): unknown => {
  let value: unknown = 0;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Values of the wrong type, and values at the edge of the right one. */
const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 0.1, 1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 53 + 2, Number.MAX_SAFE_INTEGER],
  ...['', 'null', '2026-01-01T00:00:00.000Z', 'x'.repeat(2_000), [], {}, [[]], [null], { a: null }],
  ...[deep(20), deep(300), Array.from({ length: 300 }, (_, at) => at)],
];

export const oddName = fc.constantFrom(...ODD_NAMES);
export const oddText = fc.oneof(oddName, fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 20 }));
export const oddValue = fc.oneof(
  fc.constantFrom(...ODD_VALUES),
  oddText,
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
);

/** One change of a JSON value, at a place that is counted over all its places. */
interface JsonChange {
  readonly how: 'replace' | 'remove' | 'add' | 'copy' | 'wrap';
  readonly at: number;
  readonly other: number;
  readonly name: string;
  readonly value: unknown;
}

const jsonChange: fc.Arbitrary<JsonChange> = fc.record({
  how: fc.constantFrom('replace', 'remove', 'add', 'copy', 'wrap'),
  at: fc.nat(),
  other: fc.nat(),
  name: oddName,
  value: oddValue,
});

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function placesIn(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  // Arrays are looked at by their indexes, as objects are by their names.
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    found.push({ holder, key });
    placesIn(holder[key], found);
  }
  return found;
}

/** An own property even where it has a name that every object has. */
function put(holder: object, key: string, value: unknown): void {
  if (Array.isArray(holder) && !/^\d+$/.test(key)) holder.push(value);
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function changeJson(root: { value: unknown }, { how, at, other, name, value: given }: JsonChange): void {
  const value = structuredClone(given); // changed itself, perhaps, by the next change
  const places = placesIn(root);
  const place = places[at % places.length];
  const source = places[other % places.length];
  if (place === undefined || source === undefined) return;
  const { holder, key } = place;
  if (how === 'remove' && Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (how === 'remove') Reflect.deleteProperty(holder, key);
  else if (how === 'add')
    put(typeof holder[key] === 'object' && holder[key] !== null ? holder[key] : holder, name, value);
  else if (how === 'copy') put(holder, key, structuredClone(source.holder[source.key]));
  else if (how === 'wrap') put(holder, key, [holder[key]]);
  else put(holder, key, value);
}

/** A valid value with up to `most` changes; most often few, so that what is checked last is reached, too. */
export function changed(valid: fc.Arbitrary<unknown>, most = 3): fc.Arbitrary<unknown> {
  return fc.tuple(valid, fc.array(jsonChange, { maxLength: most })).map(([value, changes]) => {
    const root = { value: structuredClone(value) };
    for (const change of changes) changeJson(root, change);
    return root.value;
  });
}

/** What is put into bytes: pieces of JSON, and what is no UTF-8. */
const PIECES: readonly Buffer[] = [
  ...['"', '\\', '\\"', '{', '}', '[', ']', ',', ':', '\n', '\r\n', ' ', '\t', '\0', '\ufeff', '{}', '[]', 'null'],
  ...['"id":7', ',"id":7', '"result":{}', '"error":{}', '"\\u0069d":7', '"__proto__":{}', '\\u0000', '\\ud800', '\\u'],
  ...['1e999', '-1e999', '9007199254740993', '0.1e-400', '-', '1e', '[['.repeat(200), '{"a":'.repeat(300)],
].map((text) => Buffer.from(text));
const BROKEN: readonly Buffer[] = [[0xff], [0xc0, 0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf5], [0x80]].map(
  (bytes) => Buffer.from(bytes),
);

interface ByteChange {
  readonly how: 'flip' | 'cut' | 'drop' | 'repeat' | 'move' | 'insert';
  readonly at: number;
  readonly length: number;
  readonly to: number;
  readonly piece: Buffer;
}

const byteChange: fc.Arbitrary<ByteChange> = fc.record({
  how: fc.constantFrom('flip', 'cut', 'drop', 'repeat', 'move', 'insert'),
  at: fc.nat(),
  length: fc.nat({ max: 40 }),
  to: fc.nat(),
  piece: fc.constantFrom(...PIECES, ...BROKEN),
});

function changeBytes(bytes: Buffer, { how, at, length, to, piece }: ByteChange): Buffer {
  const start = at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, start), bytes.subarray(start)];
  if (how === 'insert') return Buffer.concat([before, piece, after]);
  if (how === 'cut') return before;
  if (how === 'drop') return Buffer.concat([before, after.subarray(length)]);
  if (how === 'repeat') return Buffer.concat([before, after.subarray(0, length), after]);
  if (how === 'move') {
    const target = to % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, target), after.subarray(0, length), bytes.subarray(target)]);
  }
  const flipped = Buffer.from(bytes);
  if (start < flipped.length) flipped[start] = (flipped[start] ?? 0) ^ (1 << (length % 8));
  return flipped;
}

/** Bytes with up to `most` changes. */
export function broken(valid: fc.Arbitrary<Buffer>, most = 3): fc.Arbitrary<Buffer> {
  return fc
    .tuple(valid, fc.array(byteChange, { maxLength: most }))
    .map(([bytes, changes]) => changes.reduce(changeBytes, bytes));
}

/** Random bytes, now and then. */
export const anyBytes: fc.Arbitrary<Buffer> = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(...PIECES),
    ),
    {
      maxLength: 6,
    },
  )
  .map((parts) => Buffer.concat(parts));

/** The bytes of a file or line: a valid value changed as a value, then as bytes; or no such thing at all. */
export function fileLike(valid: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const encode = (value: unknown): Buffer => Buffer.from(JSON.stringify(value ?? null));
  return fc.oneof(
    { weight: 6, arbitrary: changed(valid).map(encode) },
    { weight: 4, arbitrary: broken(changed(valid, 1).map(encode)) },
    { weight: 1, arbitrary: fc.jsonValue().map(encode) },
    { weight: 1, arbitrary: anyBytes },
  );
}

/** Where a stream is cut into chunks: any places, each byte alone, or nowhere. */
export const cuts = fc.oneof(
  fc.array(fc.nat({ max: 400 }), { maxLength: 12 }),
  fc.constant<'each byte'>('each byte'),
  fc.constant<number[]>([]),
);
export type Cuts = number[] | 'each byte';

export function chunksOf(bytes: Buffer, at: Cuts): Buffer[] {
  if (at === 'each byte') return [...bytes].map((byte) => Buffer.from([byte]));
  const places = [...new Set(at.filter((place) => place < bytes.length))].sort((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}
