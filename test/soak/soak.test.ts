import { describe, expect, it } from 'vitest';
import { faultsOf, report } from './report.ts';
import { soak } from './soak.ts';

const SECONDS = 30;
/** The same choices every time; how they fall together in time is another matter. */
const SEED = 20_261_130;

describe.runIf(process.platform === 'linux')(
  'half a minute of servers, faults, apps, decisions and restarts at once',
  () => {
    it('breaks nothing, leaves no process behind and keeps its handles', { timeout: 400_000 }, async () => {
      const outcome = await soak({ seconds: SECONDS, seed: SEED });
      expect(faultsOf(outcome), report(outcome)).toEqual([]);
      expect(outcome.invariants.checked('approved')).toBeGreaterThan(0);
      expect(outcome.invariants.checked('pinned')).toBeGreaterThan(0);
    });
  },
);
