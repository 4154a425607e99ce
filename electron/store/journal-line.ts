import { z } from 'zod';
import type { Event, JsonObject } from '../core/model.ts';
import { storedEventSchema } from './event-schema.ts';
import { isRecord, parseJson } from './json.ts';
import { at, count, exactly } from './schema.ts';
import { stripEvent, type StoredEvent } from './stored-event.ts';

/** Longest line, in bytes; it bounds what the state file carries of a commit as well. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** What a caller writes into the journal. The event that made a commit goes with exactly one of its lines. */
export interface NewLine {
  readonly at: string;
  readonly type: string;
  readonly event?: Event;
  readonly details?: JsonObject;
}

/** One line of the journal. */
export interface JournalLine {
  /** The commit it belongs to; for evidence, the last one before it. */
  readonly sequence: number;
  /** Place among the lines of its commit; `null` for evidence, which changed no state. */
  readonly index: number | null;
  readonly at: string;
  readonly type: string;
  readonly event?: StoredEvent;
  readonly details?: JsonObject;
  /** Event and details were too long for a line. */
  readonly cut?: true;
}

/** The shape of a line on disk. */
export const journalLineSchema = exactly<JournalLine>()(
  z.strictObject({
    sequence: count,
    index: count.nullable(),
    at,
    type: z.string().min(1).max(100),
    event: storedEventSchema.exactOptional(),
    // Read with JSON.parse or made by this program: what is in it is JSON.
    details: z.custom<JsonObject>((value) => isRecord(value) && isWritable(value)).exactOptional(),
    cut: z.literal(true).exactOptional(),
  }),
);

/** Numbers too large for JavaScript are read as infinite and would be written as `null`; what is too deep is not written at all. */
function isWritable(value: unknown): boolean {
  try {
    JSON.stringify(value, (_, each: unknown) => {
      if (typeof each === 'number' && !Number.isFinite(each)) throw new RangeError('not a number of JSON');
      return each;
    });
    return true;
  } catch {
    return false;
  }
}

/** The lines of one commit, numbered. */
export function commitLines(sequence: number, lines: readonly NewLine[]): JournalLine[] {
  return lines.map((line, index) => storedLine(sequence, index, line));
}

/** A line about something that changed no state. */
export function evidenceLine(sequence: number, line: NewLine): JournalLine {
  return storedLine(sequence, null, line);
}

function storedLine(sequence: number, index: number | null, line: NewLine): JournalLine {
  const head = { sequence, index, at: line.at, type: line.type };
  const whole: JournalLine = {
    ...head,
    ...(line.event && { event: stripEvent(line.event) }),
    ...(line.details && { details: line.details }),
  };
  return Buffer.byteLength(encodeLine(whole)) <= MAX_LINE_BYTES ? whole : { ...head, cut: true };
}

/** One line of text, with its end. */
export function encodeLine(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** `undefined` for what is no line of the journal. */
export function decodeLine(bytes: Buffer): JournalLine | undefined {
  return journalLineSchema.safeParse(parseJson(bytes)).data;
}
