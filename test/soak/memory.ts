import { factsOf } from './processes.ts';
import type { SoakGateway } from './gateway.ts';
import { serversOf } from './gateway.ts';

const MB = 1024 * 1024;
/** Before this share of a life is over, what it loads and caches at first is not counted as growth. */
const WARM_UP = 0.3;
/** Shorter ones say nothing about growth: what is not collected yet is more than what leaks. */
const TELLING_MS = 90_000;
/** Between the first and the last quarter after the warm-up. */
export const MAX_GROWTH = 48 * MB;
/** For any life, also a short one. */
export const MAX_RSS = 512 * MB;
/** Open files beyond the pipes of its servers and the connections of its apps, from a quiet moment to another. */
export const MAX_MORE_FILES = 6;

export interface Sample {
  readonly at: number;
  readonly life: number;
  readonly rss: number;
  readonly files: number;
  readonly threads: number;
  readonly servers: number;
}

export interface Life {
  readonly life: number;
  readonly durationMs: number;
  readonly start: Sample;
  readonly middle: Sample;
  readonly end: Sample;
  readonly highest: number;
  /** Bytes between the first and the last quarter after the warm-up; `null` for a life that is too short to tell. */
  readonly growth: number | null;
  /** Bytes per minute after the warm-up, as a straight line through all samples. */
  readonly slope: number;
}

/** Looks at the gateway from outside, once a second. */
export class Samples {
  readonly #home: string;
  readonly #gateway: SoakGateway;
  readonly samples: Sample[] = [];

  constructor(home: string, gateway: SoakGateway) {
    this.#home = home;
    this.#gateway = gateway;
  }

  take(): Sample | null {
    const { pid, lives: life } = this.#gateway;
    const facts = factsOf(pid);
    if (facts === null) return null;
    const sample = { at: Date.now(), life, ...facts, servers: serversOf(this.#home, pid).length };
    this.samples.push(sample);
    return sample;
  }

  lives(): Life[] {
    const numbers = [...new Set(this.samples.map(({ life }) => life))];
    return numbers.flatMap(
      (life) =>
        lifeOf(
          life,
          this.samples.filter((sample) => sample.life === life),
        ) ?? [],
    );
  }
}

function lifeOf(life: number, samples: readonly Sample[]): Life | null {
  const [first, end] = [samples[0], samples.at(-1)];
  if (first === undefined || end === undefined) return null;
  const durationMs = end.at - first.at;
  const warm = samples.filter(({ at }) => at - first.at >= durationMs * WARM_UP);
  const quarter = Math.max(1, Math.floor(warm.length / 4));
  const growth = median(warm.slice(-quarter)) - median(warm.slice(0, quarter));
  return {
    ...{ life, durationMs, end },
    start: warm[0] ?? first,
    middle: warm[Math.floor(warm.length / 2)] ?? first,
    highest: Math.max(...samples.map(({ rss }) => rss)),
    growth: durationMs < TELLING_MS ? null : growth,
    slope: slopeOf(warm),
  };
}

function median(samples: readonly Sample[]): number {
  const sorted = samples.map(({ rss }) => rss).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const times = samples.map(({ at }) => at / 60_000);
  const [time, rss] = [mean(times), mean(samples.map((sample) => sample.rss))];
  const spread = times.reduce((sum, one) => sum + (one - time) ** 2, 0);
  const common = samples.reduce((sum, one, index) => sum + ((times[index] ?? time) - time) * (one.rss - rss), 0);
  return spread === 0 ? 0 : common / spread;
}
