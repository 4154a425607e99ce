import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { CLI, until, type Installation } from '../support/holdfast.ts';
import type { Invariants } from './invariants.ts';
import { factsOf, processesOf, type Running } from './processes.ts';

/** Longer than a gateway takes to end its servers, and to clear what a killed one left. */
const ENDING_MS = 30_000;
const STARTING_MS = 60_000;
/** For a gateway that a bridge has started to show. */
const OTHER_MS = 10_000;
const MAX_STARTS = 3;

/** The running gateway of the installation, whoever started it, from life to life. */
export class SoakGateway {
  readonly #installation: Installation;
  readonly #invariants: Invariants;
  /** 0 while it is not meant to run. */
  #pid = 0;
  /** Resolves while it runs; apps and commands wait for it. */
  #running: Promise<void> = Promise.resolve();
  lives = 0;
  /** What it said on stderr, at most so much. */
  said = '';

  constructor(installation: Installation, invariants: Invariants) {
    this.#installation = installation;
    this.#invariants = invariants;
  }

  get pid(): number {
    return this.#pid;
  }

  /** Resolves when it runs, or when it is not going to any more. */
  ready(): Promise<void> {
    return this.#running;
  }

  /** Starts it. A bridge that came in between may have started one; then it is that one. */
  async start(): Promise<void> {
    this.lives += 1;
    for (let tries = 1; ; tries++) {
      const pid = await this.#startOnce();
      const told = (): string => `it did not start: ${this.said.slice(-2_000)}`;
      this.#invariants.check('alive', pid !== undefined, told);
      if (pid === undefined && tries < MAX_STARTS) continue;
      if (pid === undefined) throw new Error(told());
      this.#pid = pid;
      return void this.#watch(pid);
    }
  }

  /** Its process id, or that of the one that another started; `undefined` where none runs. */
  async #startOnce(): Promise<number | undefined> {
    const { installation, child, ended } = this.#spawn();
    const isUp = (): boolean => this.said.includes('"ready":true');
    const up = until(isUp, (is) => is, STARTING_MS).then(() => 'up' as const);
    if ((await Promise.race([up, ended])) === 'up') return child.pid;
    up.catch(() => undefined); // it has ended
    const end = Date.now() + OTHER_MS;
    for (;;) {
      const other = servesOf(installation.home)[0]?.pid;
      if (other !== undefined || Date.now() > end) return other;
      await pause(100);
    }
  }

  #spawn() {
    const installation = this.#installation;
    this.said = '';
    const args = [CLI, 'serve', '--json', '--home', installation.data];
    const child = spawn(process.execPath, args, { env: installation.env, stdio: ['ignore', 'pipe', 'pipe'] });
    const hear = (chunk: Buffer): void => {
      this.said = (this.said + chunk.toString()).slice(-20_000);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const ended = new Promise<'ended'>((resolve) => child.once('exit', () => resolve('ended')));
    return { installation, child, ended };
  }

  /** Notes an end that nobody asked for. */
  async #watch(pid: number): Promise<void> {
    while (this.#pid === pid) {
      const isAlive = factsOf(pid) !== null;
      this.#invariants.check('alive', isAlive, () => `it ended by itself: ${this.said.slice(-2_000)}`);
      if (!isAlive) return;
      await pause(1_000);
    }
  }

  /** Ends it, and looks at what it leaves; a killed one leaves its servers to the next. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<Running[]> {
    const pid = this.#pid;
    this.#pid = 0;
    const before = serversOf(this.#installation.home, pid);
    process.kill(pid, signal);
    await until(
      () => factsOf(pid),
      (facts) => facts === null,
      ENDING_MS,
    );
    if (signal === 'SIGKILL') return before;
    const left = await remaining(before);
    this.#invariants.check('stopped', left.length === 0, () => `left: ${told(left)}`);
    return [];
  }

  /** Another life. */
  async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    let done = (): void => undefined;
    this.#running = new Promise((resolve) => (done = resolve));
    try {
      const before = await this.stop(signal);
      await this.start();
      if (signal === 'SIGTERM') return;
      const left = await remaining(before);
      this.#invariants.check('swept', left.length === 0, () => `left: ${told(left)}`);
    } finally {
      done();
    }
  }
}

const told = (processes: readonly Running[]): string =>
  processes.map(({ pid, command }) => `${pid} ${command}`).join('; ');

function servesOf(home: string): Running[] {
  return processesOf(home).filter(({ command }) => command.includes('cli.cjs serve'));
}

/** Server processes and what they started: neither the gateway nor bridges. */
export function serversOf(home: string, gateway: number): Running[] {
  return processesOf(home).filter(({ pid, command }) => pid !== gateway && !/bridge\.cjs|cli\.cjs/.test(command));
}

/** Those that still run once there was time to end them. */
async function remaining(processes: readonly Running[]): Promise<Running[]> {
  const end = Date.now() + ENDING_MS;
  for (;;) {
    const left = processes.filter(({ pid, command }) => commandOf(pid) === command);
    if (left.length === 0 || Date.now() > end) return left;
    await pause(100);
  }
}

function commandOf(pid: number): string | undefined {
  return processesOf('').find((one) => one.pid === pid)?.command;
}
