import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import spawn from 'cross-spawn';
import { BOUNDS } from '../core/bounds.ts';
import type { Plan } from '../system/start-plan.ts';
import { LastWords } from './last-words.ts';
import { LineReader } from './lines.ts';
import { PROCESS_MARK } from './process-ledger.ts';
import { isTreeAlive, signalTree, waitUntil } from './process-tree.ts';

/** The SDK's transport, and the same as bytes: a parsed message has lost what the line may have said. */
export interface LineTransport extends Transport {
  /** Takes whole lines instead of `onmessage`. */
  online?: ((line: Buffer) => void) | undefined;
  sendLine(line: string): void;
  /** Room for so many more bytes, besides what the server has not read yet. */
  hasRoomFor(bytes: number): boolean;
  pause(): void;
  resume(): void;
  /** Ends it for this reason, in plain words. */
  fail(reason: string): void;
  /** For an exit of this process that leaves no time. */
  kill(): void;
  /** Why it ended, where it is known; for a person. */
  readonly endReason: string | null;
  /** Last lines on stderr, oldest first: for a person to look at, never logged. */
  readonly lastWords: readonly string[];
  /** The process itself, where it was started. */
  readonly pid: number | undefined;
}

/** Where running processes are written down, so that none outlives a gateway that was killed. */
export interface ProcessRecords {
  started(pid: number, server: string, mark: string): Promise<void>;
  gone(pid: number): void;
}

/** How a process is started on this machine; as it is written, where nothing says. */
export type PlanStart = (start: Pick<ProcessOptions, 'command' | 'args' | 'env' | 'cwd' | 'server'>) => Promise<Plan>;

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly killStepMs: number;
  readonly maxLineBytes?: number;
  /** Whose process it is, in the records. */
  readonly server?: string;
  readonly records?: ProcessRecords | undefined;
  readonly plan?: PlanStart | undefined;
}

const NOT_STARTED = 'it was not started';

/** One server process over stdin and stdout, in a process group of its own, ended as a tree. */
export class ProcessTransport implements LineTransport {
  onmessage?: Transport['onmessage'];
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  online?: ((line: Buffer) => void) | undefined;
  readonly #options: ProcessOptions;
  readonly #lines: LineReader;
  #child: ChildProcess | null = null;
  readonly #lastWords = new LastWords();
  #hasExited = false;
  #isClosed = false;
  /** Nothing is left of the tree, so that its number may belong to another one. */
  #isGone = false;
  #closing: Promise<void> | null = null;
  #endReason: string | null = null;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#lines = new LineReader(
      (line) => this.#receive(line),
      () => this.#overflow(),
      options.maxLineBytes,
    );
  }

  get lastWords(): readonly string[] {
    return this.#lastWords.lines;
  }

  get endReason(): string | null {
    return this.#endReason;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when the process runs; rejects where it cannot be started. */
  async start(): Promise<void> {
    const { plan, command, args, env } = this.#options;
    if (!plan) return this.#spawn({ command, args, env, isVerbatim: false });
    const planned = await plan(this.#options);
    if (this.#closing) throw new Error(NOT_STARTED);
    return this.#spawn(planned);
  }

  #spawn({ command, args, env, isVerbatim }: Plan): Promise<void> {
    const { cwd, records, server = '' } = this.#options;
    const mark = randomUUID();
    return new Promise((resolve, reject) => {
      mkdirSync(cwd, { recursive: true, mode: 0o700 });
      const child = spawn(command, [...args], {
        cwd,
        env: { ...getDefaultEnvironment(), ...env, [PROCESS_MARK]: mark },
        // Its own group, so that what it starts ends with it.
        detached: process.platform !== 'win32',
        windowsHide: true,
        windowsVerbatimArguments: isVerbatim,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      this.#child = child;
      if (child.pid !== undefined) void records?.started(child.pid, server, mark);
      child.once('spawn', resolve);
      child.once('error', (error) => {
        const reason = startReason(error);
        this.#ended(reason);
        reject(new Error(reason, { cause: error }));
      });
      this.#listen(child);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.sendLine(JSON.stringify(message));
    return Promise.resolve();
  }

  sendLine(line: string): void {
    const stdin = this.#child?.stdin;
    if (this.#isClosed || !stdin || this.#closing) return;
    stdin.write(`${line}\n`);
    if (stdin.writableLength > BOUNDS.unreadBytes.value) this.fail(BOUNDS.unreadBytes.reason);
  }

  hasRoomFor(bytes: number): boolean {
    return (this.#child?.stdin?.writableLength ?? 0) + bytes <= BOUNDS.unreadBytes.value;
  }

  pause(): void {
    this.#child?.stdout?.pause();
  }

  resume(): void {
    if (!this.#isClosed) this.#child?.stdout?.resume();
  }

  /** Ends the whole tree: asks by closing stdin, then with SIGTERM, then with SIGKILL. */
  close(): Promise<void> {
    this.#closing ??= this.#endTree();
    return this.#closing;
  }

  kill(): void {
    const pid = this.#child?.pid;
    if (pid !== undefined && !this.#isGone) signalTree(pid, 'SIGKILL');
  }

  #listen(child: ChildProcess): void {
    child.stdout?.on('data', (chunk: Buffer) => this.#lines.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#lastWords.add(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
    child.once('exit', (code, signal) => {
      this.#hasExited = true;
      const reason = signal ? `it was ended by ${signal}` : `it exited with code ${code ?? 'unknown'}`;
      setTimeout(() => this.#ended(reason), BOUNDS.pipeDrainMs.value).unref();
      void this.close();
      child.once('close', () => this.#ended(reason));
    });
    // A server that closes its stdout cannot answer any more, whether it goes on running or not.
    child.stdout?.once('end', () => void this.close());
  }

  #receive(line: Buffer): void {
    if (this.online) return this.online(line);
    try {
      // The caller of `onmessage` checks what it gets; that is how the SDK's own transports are used here.
      this.onmessage?.(JSON.parse(line.toString('utf8')) as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  fail(reason: string): void {
    this.onerror?.(new Error(reason));
    void this.close();
    // Who waits for an answer hears of it now, however long the process takes to end.
    this.#ended(reason);
  }

  #overflow(): void {
    this.fail(BOUNDS.lineBytes.reason);
  }

  #ended(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#endReason ??= reason;
    this.#lines.stop();
    this.onclose?.();
  }

  async #endTree(): Promise<void> {
    const child = this.#child;
    const pid = child?.pid;
    if (!child || pid === undefined) {
      this.#ended(NOT_STARTED);
      return;
    }
    child.stdout?.resume(); // a paused pipe would keep the process from ending
    child.stdin?.end();
    const isGone = (): boolean => this.#hasExited && !isTreeAlive(pid);
    // What outlives its own leader was forgotten by it and is not asked first.
    const isLeaderGone = await waitUntil(() => this.#hasExited, this.#options.killStepMs);
    if (!isLeaderGone || !isGone()) {
      signalTree(pid, 'SIGTERM');
      if (!(await waitUntil(isGone, this.#options.killStepMs))) {
        signalTree(pid, 'SIGKILL');
        await waitUntil(isGone, this.#options.killStepMs);
      }
    }
    this.#isGone = isGone();
    if (this.#isGone) this.#options.records?.gone(pid);
    this.#ended('it was stopped');
  }
}

/** Why a program cannot be started, in words. */
function startReason(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'its program was not found';
  if (code === 'EACCES' || code === 'EPERM') return 'its program may not be run';
  return error.message;
}
