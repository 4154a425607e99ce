import { memberSpan } from './json-span.ts';

/** An upstream's answer to a request of ours, as bytes: everything but the id stands in `line[start, end)`. */
export interface Answer {
  readonly isError: boolean;
  readonly line: Buffer;
  /** What goes before the span. */
  readonly prefix: string;
  readonly start: number;
  readonly end: number;
}

/** A request or notification, or an answer that needs looking at. */
export interface WireMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

// Longer than any envelope that the two fast forms match.
const EDGE_BYTES = 72;
const ID_AT_HEAD = /^\{"jsonrpc": ?"2\.0", ?"id": ?(\d{1,15}), ?"(result|error)":/;
const BODY_AT_HEAD = /^\{(?:"jsonrpc": ?"2\.0", ?)?"(result|error)":/;
const ID_AT_TAIL = /(, ?"jsonrpc": ?"2\.0")?, ?"id": ?(\d{1,15})\}\s*$/;

/**
 * Recognises an answer by its first or last bytes, without parsing what may be megabytes. Our id is put back last:
 * where an object has a key twice the last one counts, so an upstream cannot smuggle in another call's id.
 */
export function quickAnswer(line: Buffer): { id: number; answer: Answer } | null {
  const head = line.toString('latin1', 0, Math.min(EDGE_BYTES, line.length));
  const atHead = ID_AT_HEAD.exec(head);
  if (atHead) {
    const start = atHead[0].length - `"${atHead[2]}":`.length;
    const end = line.lastIndexOf('}');
    const answer = { isError: atHead[2] === 'error', line, prefix: '{"jsonrpc":"2.0",', start, end };
    return { id: Number(atHead[1]), answer };
  }
  const body = BODY_AT_HEAD.exec(head);
  if (!body) return null;
  const edge = Math.max(0, line.length - EDGE_BYTES);
  const atTail = ID_AT_TAIL.exec(line.toString('latin1', edge));
  const hasVersion = head.startsWith('{"jsonrpc"') || atTail?.[1] !== undefined;
  if (!atTail || !hasVersion) return null;
  const answer = { isError: body[1] === 'error', line, prefix: '{', start: 1, end: edge + atTail.index };
  return { id: Number(atTail[2]), answer: { ...answer, end: answer.end + (atTail[1]?.length ?? 0) } };
}

/** The same for a line that was parsed because its id stands elsewhere. */
export function parsedAnswer(line: Buffer, message: WireMessage): Answer | null {
  const isError = message.error !== undefined;
  const member = isError ? 'error' : 'result';
  const span = memberSpan(line, 0, member);
  if (!span) return null;
  return { isError, line, prefix: `{"jsonrpc":"2.0","${member}":`, start: span.start, end: span.end };
}

/** The answer's message as an object, for what has to be read after the reply. */
export function readAnswer(answer: Answer): WireMessage {
  // Valid JSON objects only become answers; `{` is the first byte of every one.
  return JSON.parse(`${answer.prefix}${answer.line.toString('utf8', answer.start, answer.end)}}`) as WireMessage;
}

/** Bytes of the answer with another id, ready to be written: one piece where small, three where large. */
export function withId(answer: Answer, idText: string): readonly Buffer[] {
  const pieces = [
    Buffer.from(answer.prefix),
    answer.line.subarray(answer.start, answer.end),
    Buffer.from(`,"id":${idText}}\n`),
  ];
  return answer.line.length < 64 * 1024 ? [Buffer.concat(pieces)] : pieces;
}
