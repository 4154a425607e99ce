import type { ReadyUpdate, Updater, UpdatesPort } from './control/updates-port.ts';
import { HoldfastError } from './core/errors.ts';

interface Wish {
  readonly isOn: boolean;
  save(isOn: boolean): Promise<void>;
}

export interface UpdatesDeps {
  readonly updater: Updater;
  /** Whether a person wants it to be looked for, and what keeps that. */
  readonly wish: Wish;
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

/**
 * For the desktop's program, with the process's clock. `undefined` where there is no updater, or whoever started the
 * program has switched it off for good.
 */
export function updatesOf(
  updater: Updater | null,
  deps: Omit<UpdatesDeps, 'updater' | 'every'>,
  env: NodeJS.ProcessEnv = process.env,
): Updates | undefined {
  if (updater === null || env['HOLDFAST_UPDATES'] === 'off') return undefined;
  const every = (periodMs: number, act: () => void): (() => void) => {
    const timer = setInterval(act, periodMs).unref();
    return () => clearInterval(timer);
  };
  return new Updates({ ...deps, updater, every });
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

  get isOn(): boolean {
    return this.#deps.wish.isOn;
  }

  async setOn(isOn: boolean): Promise<void> {
    const wasOn = this.isOn;
    await this.#deps.wish.save(isOn);
    if (!wasOn) this.#look();
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
    if (this.#ready !== null || !this.isOn) return;
    this.#deps.updater.check().catch(this.#deps.onProblem);
  }

  #install(): void {
    if (this.#isInstalling) return;
    this.#isInstalling = true;
    this.stop();
    this.#deps.leave().then(() => this.#deps.updater.install(), this.#deps.onProblem);
  }
}
