/** Walks random histories through the core; every state and event is frozen before the core sees it. */
import fc from 'fast-check';
import { beforeAll, it } from 'vitest';
import { HoldfastError, type ErrorCode } from '../../../electron/core/errors.ts';
import type { CapabilityId, Event, State } from '../../../electron/core/model.ts';
import { reduce, type Reduction } from '../../../electron/core/reduce.ts';
import { emptyState } from '../../../electron/core/state.ts';
import { deepFreeze, readDefinition, versionOf } from './build.ts';
import { play } from './histories.ts';
import { histories } from './moves.ts';

/** One event of a history, and what came of it. */
export interface Moment {
  readonly before: State;
  readonly event: Event;
  /** The same state, where the event was refused. */
  readonly after: State;
  readonly reduction: Reduction | null;
  readonly refusal: ErrorCode | null;
}

/** With everything frozen, so that a write to it throws. */
export function momentOf(before: State, event: Event): Moment {
  return attempt(deepFreeze(before), deepFreeze(event));
}

export function attempt(before: State, event: Event): Moment {
  try {
    const reduction = reduce(before, event, readDefinition);
    return { before, event, after: reduction.state, reduction, refusal: null };
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    return { before, event, after: before, reduction: null, refusal: error.code };
  }
}

/** Histories per property; more with `HOLDFAST_RUNS`, to hunt. */
const RUNS = Number(process.env['HOLDFAST_RUNS'] ?? 500);
/** The same histories every time; another `HOLDFAST_SEED` hunts in others. */
const SEED = Number(process.env['HOLDFAST_SEED'] ?? 20_261_130);

/** One event in one line, ids by their version labels. */
function sentence({ event, refusal }: Moment): string {
  const plain = JSON.stringify(event, (name, value: unknown) => {
    if (name === 'definition' || name === 'context' || name === 'at') return undefined;
    return typeof value === 'string' && value.startsWith('sha256:') ? versionOf(value as CapabilityId) : value;
  });
  const context = event.type === 'observed' ? ` in ${JSON.stringify(event.observation.context)}` : '';
  return `${plain}${context}${refusal === null ? '' : ` -> ${refusal}`}`;
}

export type Check = (moment: Moment) => void;

/** Checks every moment of many histories; a failure is shrunk and printed with its seed and path. */
export function always(start: () => Check, seed = SEED): void {
  const property = fc.property(histories, (history) => {
    const check = start();
    const told: Moment[] = [];
    const take = (event: Event, state: State): State => {
      const moment = momentOf(state, event);
      told.push(moment);
      check(moment);
      return moment.after;
    };
    try {
      play(history, take, emptyState());
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${reason}\n\nThe events, the last one failing:\n${told.map(sentence).join('\n')}\n`, { cause });
    }
  });
  fc.assert(property, { numRuns: RUNS, seed });
}

/** A test per claim, from one pass over the same histories; a broken claim is tried again alone, to be shrunk. */
export function claim(claims: Readonly<Record<string, () => Check>>): void {
  const seed = SEED;
  const broken = new Map<string, unknown>();
  beforeAll(() => {
    always(() => {
      const checks = Object.entries(claims).map(([name, start]) => ({ name, check: start() }));
      return (moment) => {
        for (const { name, check } of checks) if (!broken.has(name)) tryClaim(name, check, moment);
      };
    }, seed);
  }, 300_000);
  const tryClaim = (name: string, check: Check, moment: Moment): void => {
    try {
      check(moment);
    } catch (error) {
      broken.set(name, error);
    }
  };
  for (const [name, start] of Object.entries(claims))
    it(name, { timeout: 300_000 }, () => {
      if (!broken.has(name)) return;
      always(start, seed);
      throw broken.get(name);
    });
}
