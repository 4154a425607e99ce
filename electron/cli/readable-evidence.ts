import { z } from 'zod';
import { cleanName } from '../core/display.ts';
import { table } from './readable-table.ts';

const history = z.object({ events: z.array(z.object({ at: z.string(), text: z.string() })) });
const trace = z.object({
  calls: z.array(
    z.object({
      at: z.string(),
      consumer: z.string(),
      name: z.string(),
      server: z.string().nullable(),
      outcome: z.string(),
      reason: z.string().optional(),
      durationMs: z.number(),
    }),
  ),
});
const doctor = z.object({
  summary: z.string(),
  checks: z.array(
    z.object({
      status: z.enum(['ok', 'note', 'problem']),
      title: z.string(),
      message: z.string(),
      fix: z.string().optional(),
      command: z.string().optional(),
    }),
  ),
});
const diagnostics = z.object({ file: z.string(), about: z.string() });

/** What happened, what was called, and how this machine is, for people. */
export const EVIDENCE_VIEWS: Readonly<Record<string, (result: unknown) => string>> = {
  history: (result) => table(history.parse(result).events.map(({ at, text }) => [shortTime(at), text])),
  trace: (result) =>
    table(
      trace
        .parse(result)
        .calls.map((call) => [
          shortTime(call.at),
          call.consumer,
          cleanName(call.name),
          call.server ?? '',
          call.reason === undefined ? call.outcome : `${call.outcome} (${call.reason})`,
          `${Math.round(call.durationMs)} ms`,
        ]),
    ),
  doctor: (result) => examined(doctor.parse(result)),
  diagnostics: (result) => {
    const { file, about } = diagnostics.parse(result);
    return `${file}\n${about}\n`;
  },
};

const ORDER = ['problem', 'note', 'ok'] as const;
const MARKS = { problem: '!', note: '-', ok: ' ' } as const;

/** Problems first, each with what to do about it. */
function examined({ summary, checks }: z.output<typeof doctor>): string {
  const sorted = ORDER.flatMap((status) => checks.filter((check) => check.status === status));
  const parts = sorted.map(({ status, title, message, fix, command }) => {
    const steps = [fix, command].filter((step) => step !== undefined).map((step) => `    ${step}\n`);
    return `${MARKS[status]} ${title}: ${message}\n${steps.join('')}`;
  });
  return `${summary}\n\n${parts.join('')}`;
}

/** Seconds are enough to read. */
function shortTime(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}
