import { BOUNDS } from '../core/bounds.ts';

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

/** What servers and apps may take comes from the table of bounds; the rest is how Holdfast paces itself. */
export const DEFAULT_TIMINGS: Timings = {
  initializeMs: BOUNDS.initializeMs.value,
  firstInitializeMs: BOUNDS.firstInitializeMs.value,
  pageMs: BOUNDS.pageMs.value,
  observationMs: BOUNDS.observationMs.value,
  verifyMs: BOUNDS.verifyMs.value,
  killStepMs: BOUNDS.killStepMs.value,
  firstGapMs: 125,
  maxGapMs: BOUNDS.maxGapMs.value,
  firstRestartMs: 1_000,
  maxRestartMs: 60_000,
  quickCrashMs: BOUNDS.quickCrashMs.value,
  periodicMs: 6 * 60 * 60 * 1000,
  staggerMs: 500,
  handshakeMs: BOUNDS.handshakeMs.value,
  drainMs: BOUNDS.drainMs.value,
  stallMs: BOUNDS.stallMs.value,
  shutdownMs: BOUNDS.shutdownMs.value,
};
