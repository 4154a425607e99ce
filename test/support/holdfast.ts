import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const CLI = path.join(ROOT, 'dist/cli.cjs');

/** What a command printed, and how it ended. */
export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One data folder with everything a story does to it, through the built command line only. */
export class Installation {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Puts other words before a program, so that it runs under other conditions. */
  wrap: (program: readonly string[]) => readonly string[] = (program) => program;
  readonly #clients: Client[] = [];
  #gateway: ChildProcess | undefined;

  constructor() {
    this.home = mkdtempSync(path.join(os.tmpdir(), 'holdfast-story-'));
    // A home of its own, so that no test finds, or writes, a real host app's settings.
    this.env = { ...process.env, HOME: path.join(this.home, 'user'), XDG_CONFIG_HOME: path.join(this.home, 'config') };
    delete this.env['HOLDFAST_HOME'];
  }

  /** The data folder. */
  get data(): string {
    return path.join(this.home, 'data');
  }

  run(...args: readonly string[]): Promise<Ran> {
    return new Promise((resolve) => {
      const [program = '', ...all] = this.wrap([process.execPath, CLI, '--home', this.data, ...args]);
      execFile(program, all, { env: this.env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ status, stdout, stderr });
      });
    });
  }

  /** Runs a command that must succeed and returns its JSON document. */
  async ok<T>(...args: readonly string[]): Promise<T> {
    const ran = await this.run('--json', ...args);
    if (ran.status !== 0)
      throw new Error(`holdfast ${args.join(' ')} ended with ${ran.status}: ${ran.stderr}${ran.stdout}`);
    return JSON.parse(ran.stdout) as T; // the caller names the documented shape
  }

  /** Starts `holdfast serve` and waits until it says that it is ready. */
  async serve(): Promise<ChildProcess> {
    const [program = '', ...all] = this.wrap([process.execPath, CLI, 'serve', '--json', '--home', this.data]);
    const gateway = spawn(program, all, { env: this.env });
    this.#gateway = gateway;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      const hear = (chunk: Buffer): void => {
        said += chunk.toString();
        if (said.includes('"ready":true')) resolve();
      };
      gateway.stdout.on('data', hear);
      gateway.stderr.on('data', hear);
      gateway.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
    });
    return gateway;
  }

  /** Ends the gateway as the system would, and waits for it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const gateway = this.#gateway;
    this.#gateway = undefined;
    if (gateway === undefined || gateway.exitCode !== null) return gateway?.exitCode ?? null;
    const ended = new Promise<number | null>((resolve) => gateway.once('exit', resolve));
    gateway.kill(signal);
    return ended;
  }

  /** A host app: the SDK's own client, started on the command that its settings would name. */
  async hostApp(app: string): Promise<HostApp> {
    const client = new Client({ name: app, version: '1.0.0' }, { capabilities: {} });
    const seen = { toolListChanges: 0 };
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      seen.toolListChanges += 1;
    });
    const [command = '', ...args] = this.wrap([process.execPath, CLI, 'connect', app, '--home', this.data]);
    await client.connect(new StdioClientTransport({ command, args, stderr: 'pipe' }));
    this.#clients.push(client);
    return { client, seen };
  }

  async dispose(): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.stop();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10 });
  }
}

export interface HostApp {
  readonly client: Client;
  readonly seen: { toolListChanges: number };
}

/** Waits, bounded, until something is so; the last value is part of the complaint. */
export async function until<T>(read: () => T | Promise<T>, isSo: (value: T) => boolean, withinMs = 20_000): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > end) throw new Error(`still not so: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Ends every process whose command line holds this text; returns how many there were. */
export async function endProcesses(needle: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<number> {
  const found = processesOf(needle);
  for (const pid of found) process.kill(pid, signal);
  // What they write at their end is written once they are gone.
  while (processesOf(needle).some((pid) => found.includes(pid))) await pause(20);
  return found.length;
}

function processesOf(needle: string): number[] {
  const isOne = (name: string): boolean => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(needle);
    } catch {
      return false; // it ended meanwhile
    }
  };
  return readdirSync('/proc').filter(isOne).map(Number);
}
