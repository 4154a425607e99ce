import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { LineReader } from '../../electron/gateway/lines.ts';
import { ROOT, type Installation } from './holdfast.ts';

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

const BRIDGE = path.join(ROOT, 'dist/bridge.cjs');

/** One process of a host app behind the real bridge. */
export function bridgeOf(app: string, { data, env }: Installation): RawClient {
  return new RawClient(app, [BRIDGE, 'connect', app, '--home', data], env);
}

/** A client of one process that speaks MCP on its pipes, in raw messages. */
export class RawClient {
  readonly name: string;
  readonly process: ChildProcess;
  readonly notices = new Map<string, number>();
  isGone = false;
  readonly #waiting = new Map<number, (answer: Message | null) => void>();
  #lastId = 0;

  /** @param args of Node */
  constructor(name: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.name = name;
    this.process = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const reader = new LineReader(
      (line) => this.#take(JSON.parse(line.toString('utf8')) as Message), // gateways and test servers send objects only
      () => undefined,
    );
    this.process.stdout?.on('data', (chunk: Buffer) => reader.push(chunk));
    this.process.stdin?.on('error', () => undefined); // 'close' follows
    this.process.once('close', () => this.#gone());
  }

  async introduce(): Promise<boolean> {
    const clientInfo = { name: this.name, version: '1' };
    const capabilities = { roots: { listChanged: true } };
    const answer = await this.ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    this.#write({ method: 'notifications/initialized' });
    return answer?.result !== undefined;
  }

  /** `null` where the connection ends before the answer. */
  ask(method: string, params: object = {}): Promise<Message | null> {
    return this.begin(method, params).answer;
  }

  begin(method: string, params: object = {}): { id: number; answer: Promise<Message | null> } {
    const id = ++this.#lastId;
    if (this.isGone) return { id, answer: Promise.resolve(null) };
    const answer = new Promise<Message | null>((resolve) => this.#waiting.set(id, resolve));
    this.#write({ id, method, params });
    return { id, answer };
  }

  /** No answer is awaited any more. */
  cancel(id: number): void {
    this.#write({ method: 'notifications/cancelled', params: { requestId: id } });
    this.#waiting.get(id)?.(null);
    this.#waiting.delete(id);
  }

  /** Ends as apps do, or as a killed one. */
  async leave(isKilled: boolean): Promise<void> {
    if (this.isGone) return;
    const gone = new Promise<void>((resolve) => this.process.once('close', () => resolve()));
    if (isKilled) this.process.kill('SIGKILL');
    else this.process.stdin?.end();
    await gone;
  }

  #write(message: object): void {
    if (!this.isGone) this.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take({ id, method, ...rest }: Message): void {
    if (method !== undefined && id !== undefined) this.#write({ id, result: { roots: [] } });
    else if (method !== undefined) this.notices.set(method, (this.notices.get(method) ?? 0) + 1);
    else if (id !== undefined) {
      this.#waiting.get(id)?.({ id, ...rest });
      this.#waiting.delete(id);
    }
  }

  #gone(): void {
    this.isGone = true;
    for (const resolve of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
  }
}
