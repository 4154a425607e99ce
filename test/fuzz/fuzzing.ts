/** How the fuzzed claims are run: so many inputs each, the same ones every time unless another seed is given. */
import fc from 'fast-check';
import { expect, it } from 'vitest';

/** Inputs per claim; `npm run fuzz` takes many more. */
const INPUTS = Number(process.env['HOLDFAST_FUZZ_RUNS'] ?? 5_000);
const SEED = Number(process.env['HOLDFAST_SEED'] ?? 20_261_130);
/** A time-out is there for a hang; it grows with the inputs. */
const TIMEOUT_MS = 120_000 + INPUTS * 40;
const MAX_SHOWN = 2_000;

/** A claim about a tenth of its inputs or less is hardly tried. */
const LEAST_SHARE = 0.1;

export interface Claim<T> {
  readonly inputs: fc.Arbitrary<T>;
  /** Throws where the claim does not hold; calls `beside` where it says nothing about this input. */
  readonly check: (input: T, beside: () => void) => void | Promise<void>;
  /** An input as a person can paste it; the shrunk one is printed. */
  readonly show?: (input: T) => string;
  /** Inputs that one run takes together, where each run costs more than its inputs. */
  readonly batch?: number;
  /** The part of the inputs that is enough, where others share the claim or an input is a whole file. */
  readonly share?: number;
  /** The part of the inputs that must have been tried. */
  readonly leastTried?: number;
}

/** One test: so many inputs, and where one breaks the claim, the smallest like it with seed and path. */
export function fuzz<T>(
  name: string,
  { inputs, check, show = showJson, batch = 1, share = 1, leastTried = LEAST_SHARE }: Claim<T>,
): void {
  it(name, { timeout: TIMEOUT_MS }, async () => {
    let beside = 0;
    const property = fc.asyncProperty(inputs, async (input) => {
      await check(input, () => void (beside += 1));
    });
    const numRuns = Math.ceil((INPUTS * share) / batch);
    const found = await fc.check(property, { numRuns, seed: SEED });
    if (!found.failed) return expect(numRuns - beside, 'inputs that tried it').toBeGreaterThan(numRuns * leastTried);
    const { seed, counterexamplePath, numShrinks, counterexample, errorInstance } = found;
    const input = counterexample === null ? 'none: it was interrupted' : show(counterexample[0]).slice(0, MAX_SHOWN);
    const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    throw new Error(
      `${reason}\n\nThe input, shrunk ${numShrinks} times (HOLDFAST_SEED=${seed}, path ${counterexamplePath}):\n${input}`,
      { cause: errorInstance },
    );
  });
}

function showJson(input: unknown): string {
  return JSON.stringify(input, (_, value: unknown) => (Buffer.isBuffer(value) ? showBytes(value) : value));
}

/** Bytes with everything but plain ASCII escaped. */
export function showBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1');
  return text.replaceAll(/[^\x20-\x7e]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
