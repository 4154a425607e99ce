/** How long things may take, in milliseconds; tests shorten them. */
export interface Timings {
  readonly initializeMs: number;
  /** First start through a package runner, which may have to download first. */
  readonly firstInitializeMs: number;
  readonly pageMs: number;
  readonly observationMs: number;
  /** How long a call waits for its definition to be seen. */
  readonly verifyMs: number;
  /** Between closing stdin, SIGTERM and SIGKILL. */
  readonly killStepMs: number;
  readonly firstGapMs: number;
  readonly maxGapMs: number;
  readonly firstRestartMs: number;
  readonly maxRestartMs: number;
  /** An exit sooner than this after the start is a crash that counts. */
  readonly quickCrashMs: number;
  readonly periodicMs: number;
  /** Between the servers of one round of observations. */
  readonly staggerMs: number;
  readonly handshakeMs: number;
  /** For answers under way when an app closes its side. */
  readonly drainMs: number;
  /** How long one stalled app may hold a server back that others share. */
  readonly stallMs: number;
  readonly shutdownMs: number;
}

export const DEFAULT_TIMINGS: Timings = {
  initializeMs: 30_000,
  firstInitializeMs: 120_000,
  pageMs: 15_000,
  observationMs: 60_000,
  verifyMs: 45_000,
  killStepMs: 2_000,
  firstGapMs: 125,
  maxGapMs: 4_000,
  firstRestartMs: 1_000,
  maxRestartMs: 60_000,
  quickCrashMs: 60_000,
  periodicMs: 6 * 60 * 60 * 1000,
  staggerMs: 500,
  handshakeMs: 5_000,
  drainMs: 2_000,
  stallMs: 10_000,
  shutdownMs: 5_000,
};
