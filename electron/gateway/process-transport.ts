import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import spawn from 'cross-spawn';
import { LineReader } from './lines.ts';
import { isTreeAlive, signalTree, waitUntil } from './process-tree.ts';

const STDERR_TAIL_BYTES = 4096;
/** What a server may leave unread. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** What a process that has exited may still have in its pipes. */
const PIPE_DRAIN_MS = 500;

/** The SDK's transport, and the same as bytes: a parsed message has lost what the line may have said. */
export interface LineTransport extends Transport {
  /** Takes whole lines instead of `onmessage`. */
  online?: ((line: Buffer) => void) | undefined;
  sendLine(line: string): void;
  pause(): void;
  resume(): void;
  /** Ends it for this reason, in plain words. */
  fail(reason: string): void;
  /** For an exit of this process that leaves no time. */
  kill(): void;
  /** Why it ended, where it is known; for a person. */
  readonly endReason: string | null;
  /** Last words on stderr: kept in memory for a person to look at, never logged. */
  readonly stderrTail: string;
}

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly killStepMs: number;
  readonly maxLineBytes?: number;
}

/** One server process over stdin and stdout, in a process group of its own, ended as a tree. */
export class ProcessTransport implements LineTransport {
  onmessage?: Transport['onmessage'];
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  online?: ((line: Buffer) => void) | undefined;
  readonly #options: ProcessOptions;
  readonly #lines: LineReader;
  #child: ChildProcess | null = null;
  #stderr = Buffer.alloc(0);
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

  get stderrTail(): string {
    return this.#stderr.toString('utf8');
  }

  get endReason(): string | null {
    return this.#endReason;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when the process runs; rejects where it cannot be started. */
  start(): Promise<void> {
    const { command, args, env, cwd } = this.#options;
    return new Promise((resolve, reject) => {
      mkdirSync(cwd, { recursive: true, mode: 0o700 });
      const child = spawn(command, [...args], {
        cwd,
        env: { ...getDefaultEnvironment(), ...env },
        // Its own group, so that what it starts ends with it.
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      this.#child = child;
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.#ended(error.message);
        reject(error);
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
    if (stdin.writableLength > MAX_UNREAD_BYTES) this.fail('it does not read what it is sent');
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
    child.stderr?.on('data', (chunk: Buffer) => this.#keep(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
    child.once('exit', (code, signal) => {
      this.#hasExited = true;
      const reason = signal ? `it was ended by ${signal}` : `it exited with code ${code ?? 'unknown'}`;
      setTimeout(() => this.#ended(reason), PIPE_DRAIN_MS).unref();
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
    this.#endReason ??= reason;
    this.onerror?.(new Error(reason));
    void this.close();
  }

  #overflow(): void {
    this.fail('it sent a message that is too long');
  }

  #keep(chunk: Buffer): void {
    this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-STDERR_TAIL_BYTES);
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
      this.#ended('it was not started');
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
    this.#isGone = true;
    this.#ended('it was stopped');
  }
}
