import type { ReadyUpdate, Updater, UpdatesPort } from './control/updates-port.ts';
import { HoldfastError } from './core/errors.ts';

export interface UpdatesDeps {
  readonly updater: Updater;
  /** Whether a person wants it to be looked for. */
  readonly isWanted: () => boolean;
  /** Whether an app waits for an answer. */
  readonly hasCalls: () => boolean;
  /** Lets go of apps and servers: bridges leave, and start nothing while files are replaced. */
  readonly leave: () => Promise<void>;
  /** An update has become ready. */
  readonly onReady: () => void;
  readonly onProblem: (error: unknown) => void;
  /** Does something after a while, and again and again; returns what ends it. */
  readonly every: (periodMs: number, act: () => void) => () => void;
}

const LOOK_MS = 6 * 3_600_000;
/** A restart waits for calls and looks this often whether there are any. */
const WAIT_MS = 500;

/** For the desktop's program: clocks and what a person wants are taken from the process. `null` where there is no updater. */
export function updatesOf(
  updater: Updater | null,
  deps: Pick<UpdatesDeps, 'hasCalls' | 'leave' | 'onReady' | 'onProblem'>,
): Updates | undefined {
  if (updater === null) return undefined;
  const every = (periodMs: number, act: () => void): (() => void) => {
    const timer = setInterval(act, periodMs).unref();
    return () => clearInterval(timer);
  };
  return new Updates({ ...deps, updater, every, isWanted: () => process.env['HOLDFAST_UPDATES'] !== 'off' });
}

/** Updates in the background, installed when a person says so, and never in the middle of a call. */
export class Updates implements UpdatesPort {
  readonly #deps: UpdatesDeps;
  #ready: ReadyUpdate | null = null;
  #stopLooking: (() => void) | undefined;
  #stopWaiting: (() => void) | undefined;
  #isInstalling = false;

  constructor(deps: UpdatesDeps) {
    this.#deps = deps;
    deps.updater.onDownloaded((version) => {
      this.#ready = { version };
      deps.onReady();
    });
  }

  ready(): ReadyUpdate | null {
    return this.#ready;
  }

  /** Looks now and every few hours. */
  start(): void {
    this.#look();
    this.#stopLooking ??= this.#deps.every(LOOK_MS, () => this.#look());
  }

  stop(): void {
    this.#stopLooking?.();
    this.#stopWaiting?.();
  }

  restart(): void {
    if (this.#ready === null) throw new HoldfastError('UPDATE_NONE');
    if (this.#isInstalling || this.#stopWaiting !== undefined) return; // asked twice
    if (!this.#deps.hasCalls()) return this.#install();
    this.#stopWaiting = this.#deps.every(WAIT_MS, () => {
      if (!this.#deps.hasCalls()) this.#install();
    });
  }

  #look(): void {
    // One that is ready is installed at the next start or restart, and then it is looked for the next.
    if (this.#ready !== null || !this.#deps.isWanted()) return;
    this.#deps.updater.check().catch(this.#deps.onProblem);
  }

  #install(): void {
    if (this.#isInstalling) return;
    this.#isInstalling = true;
    this.stop();
    this.#deps.leave().then(() => this.#deps.updater.install(), this.#deps.onProblem);
  }
}
