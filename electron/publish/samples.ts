import { z } from 'zod';
import { HoldfastError } from '../core/errors.ts';
import type { JsonObject } from '../core/model.ts';
import { isObject } from '../core/canonical.ts';
import { isTooDeep } from '../gateway/json-span.ts';

export const MAX_SAMPLES_BYTES = 16 * 1024 * 1024;
const MAX_SAMPLES = 10_000;
const MAX_LINE = 1024 * 1024;
const MAX_NAME = 8_192;

const sampleShape = z.strictObject({
  /** Of a tool or prompt; the address of a resource. */
  name: z.string().min(1).max(MAX_NAME),
  kind: z.enum(['tool', 'prompt', 'resource']).default('tool'),
  // As it is, without a copy: it is sent.
  arguments: z.custom<JsonObject>(isObject, 'expected an object').optional(),
  expect: z.enum(['accepted', 'refused']),
  /** For whoever reads the file. */
  note: z.string().max(MAX_LINE).optional(),
});

/** One recorded request, what came of it then, and where it stands in the file, counted from 1. */
export interface Sample extends z.output<typeof sampleShape> {
  readonly line: number;
}

/**
 * Reads recorded requests, a JSON object per line; empty lines are skipped. All are looked at before any is sent.
 * @throws HoldfastError SAMPLES_UNREADABLE, with the number of the line
 */
export function readSamples(file: string, bytes: Buffer): Sample[] {
  const refuse = (reason: string): HoldfastError => new HoldfastError('SAMPLES_UNREADABLE', { file, reason });
  const lines = textOf(bytes, refuse).split(/\r?\n/);
  const numbered = lines.map((text, at) => ({ text, line: at + 1 })).filter(({ text }) => text.trim() !== '');
  if (numbered.length === 0) throw refuse('there is no sample in it');
  if (numbered.length > MAX_SAMPLES) throw refuse(`it has more than ${MAX_SAMPLES.toLocaleString('en')} samples`);
  return numbered.map(({ text, line }) => ({ ...sampleOf(text, (reason) => refuse(`line ${line}: ${reason}`)), line }));
}

function textOf(bytes: Buffer, refuse: (reason: string) => Error): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('it is not UTF-8 text');
  }
}

function sampleOf(text: string, refuse: (reason: string) => Error): z.output<typeof sampleShape> {
  if (text.length > MAX_LINE) throw refuse('it is longer than 1 MB');
  if (isTooDeep(Buffer.from(text))) throw refuse('it is nested too deep');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('it is not JSON');
  }
  const sample = sampleShape.safeParse(value);
  if (!sample.success) throw refuse(problemOf(sample.error));
  if (sample.data.kind === 'resource' && sample.data.arguments !== undefined)
    throw refuse('a resource is read by its address and takes no “arguments”');
  return sample.data;
}

function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'it is malformed';
  const path = issue.path.map(String).join('.');
  return path === '' ? issue.message : `“${path}”: ${issue.message}`;
}
