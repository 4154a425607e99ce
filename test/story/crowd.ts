import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connectToGateway, runRemotely } from '../../electron/cli/client.ts';
import { launchFile } from '../../electron/bridge/endpoint.ts';
import { Bridge } from '../bridge/harness.ts';
import { isRunning, tool } from '../gateway/harness.ts';
import type { Control, LogLine, Message } from '../gateway/harness.ts';
import { CLI, Installation, ROOT, until } from '../support/holdfast.ts';

const FIXTURE = path.join(ROOT, 'test/fixtures/upstream.mjs');

/** A host app's bridge as its settings start it, spoken to in raw lines. */
export class AppBridge extends Bridge {
  #lastId = 0;

  async introduce(capabilities: object = {}): Promise<Message> {
    const clientInfo = { name: 'app', version: '1' };
    const answer = await this.ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    this.notify('notifications/initialized');
    return answer;
  }

  notify(method: string, params: object = {}): void {
    this.send(undefined, method, params);
  }

  ask(method: string, params: object = {}): Promise<Message> {
    const id = ++this.#lastId;
    this.send(id, method, params);
    return this.answer(id);
  }

  /** Sends a call and gives its id; every bridge counts from 1. */
  begin(name: string, args: object = {}): number {
    const id = ++this.#lastId;
    this.send(id, 'tools/call', { name, arguments: args });
    return id;
  }

  call(name: string, args: object = {}): Promise<Message> {
    return this.answer(this.begin(name, args));
  }

  override answer(id: number): Promise<Message> {
    const isIt = (each: Message): boolean => each.id === id && each.method === undefined;
    // Raised to `found` where it is there.
    return until(
      () => this.messages.find(isIt),
      (found) => found !== undefined,
      60_000,
    ) as Promise<Message>;
  }

  received(method: string): Message[] {
    return this.messages.filter((message) => message.method === method);
  }

  async tools(): Promise<string[]> {
    const { result } = await this.ask('tools/list');
    return (result as { tools: { name: string }[] }).tools.map(({ name }) => name); // as Holdfast lists them
  }

  /** Leaves as the protocol says. */
  async leave(): Promise<void> {
    this.child.stdin?.end();
    await until(
      () => this.exit,
      (exit) => exit !== undefined,
    );
  }
}

/** An installation with servers of the project's own, and host apps that come and go. */
export class Crowd {
  readonly installation = new Installation();
  readonly #bridges: Bridge[] = [];

  get data(): string {
    return this.installation.data;
  }

  /** Starts the gateway; resolves with its process id. */
  async serve(): Promise<number> {
    const { pid } = await this.installation.serve();
    return pid ?? 0;
  }

  /** A command in the running gateway. */
  async command<T>(name: string, input: object = {}): Promise<T> {
    const socket = await connectToGateway(this.data);
    if (!socket) throw new Error('no gateway runs');
    return (await runRemotely(socket, this.data, name, input)) as T; // the caller names the documented shape
  }

  /** What a server offers from now on. */
  offer(server: string, control: Control): void {
    const file = this.#file(server);
    writeFileSync(`${file}.new`, JSON.stringify({ name: server, log: `${file}.log`, ...control }));
    renameSync(`${file}.new`, file);
  }

  async server(server: string, ...names: readonly string[]): Promise<void> {
    this.offer(server, { tools: names.map((name) => tool(name)) });
    const program = { command: process.execPath, args: [FIXTURE, this.#file(server)] };
    await this.command('servers.add', { name: server, ...program, env: {}, known: 'ask' });
  }

  /** Adds an app that is given whole servers. */
  async app(app: string, ...servers: readonly string[]): Promise<void> {
    await this.command('apps.add', { app });
    for (const server of servers) await this.command('expose', { app, server });
  }

  /** Starts one bridge of an app. */
  bridge(app: string, home = this.data): AppBridge {
    const file = path.join(this.data, 'bin', 'bridge.cjs');
    const bridge = new AppBridge([file], home, this.installation.env, app);
    this.#bridges.push(bridge);
    return bridge;
  }

  /** The same, introduced. */
  async connected(app: string, capabilities: object = {}): Promise<AppBridge> {
    const bridge = this.bridge(app);
    await bridge.introduce(capabilities);
    return bridge;
  }

  async connections(): Promise<Record<string, number>> {
    const { apps } = await this.command<{ apps: { id: string; connections: number }[] }>('apps.list');
    return Object.fromEntries(apps.map(({ id, connections }) => [id, connections]));
  }

  /** What a server has received, oldest first. */
  received(server: string, method?: string): LogLine[] {
    const file = `${this.#file(server)}.log`;
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''; // it may never have been started
    const lines = text.split('\n').filter((line) => line !== '');
    const parsed = lines.map((line) => JSON.parse(line) as LogLine); // written by the fixture
    return method === undefined ? parsed : parsed.filter((line) => line.method === method);
  }

  /** Processes that a server was ever started as. */
  processes(server: string): number[] {
    return [...new Set(this.received(server, 'initialize').map(({ pid }) => pid))];
  }

  get startsFile(): string {
    return path.join(this.installation.home, 'starts');
  }

  /** What holds a gateway up while it is there. */
  get gate(): string {
    return path.join(this.installation.home, 'gate');
  }

  /** Gateways that bridges have started since {@link watchStarts}. */
  starts(): number[] {
    try {
      return readFileSync(this.startsFile, 'utf8').trim().split('\n').map(Number);
    } catch {
      return [];
    }
  }

  /** Has bridges start the same gateway in a way that counts, and that {@link gate} can hold up. */
  watchStarts(): void {
    const [starts, gate, cli, data] = [this.startsFile, this.gate, CLI, this.data].map((file) => JSON.stringify(file));
    const code = `const fs = require('node:fs');
      fs.appendFileSync(${starts}, process.pid + '\\n');
      const go = () => {
        if (fs.existsSync(${gate})) return setTimeout(go, 20);
        process.argv = [process.execPath, ${cli}, 'serve', '--home', ${data}];
        require(${cli});
      };
      go();`;
    writeFileSync(launchFile(this.data), JSON.stringify({ command: process.execPath, args: ['-e', code], env: {} }));
  }

  /** Lets gateways go on that {@link gate} holds up. */
  open(): void {
    rmSync(this.gate, { force: true });
  }

  async close(): Promise<void> {
    for (const { child } of this.#bridges) child.kill('SIGKILL');
    for (const pid of this.starts().filter(isRunning)) {
      process.kill(pid, 'SIGTERM');
      await until(
        () => isRunning(pid),
        (is) => !is,
      );
    }
    await this.installation.dispose();
  }

  #file(server: string): string {
    return path.join(this.installation.home, `${server}.json`);
  }
}

/** Processes whose command line or environment folder names this text. */
export function processesWith(needle: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(needle) && isRunning(Number(pid));
      } catch {
        return false; // it ended meanwhile
      }
    })
    .map(Number);
}

/** Memory that a process holds, in MiB. */
export function memoryOf(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

/** The text that the fixture answers with. */
export const says = (text: string): object => ({ do: 'result', result: { content: [{ type: 'text', text }] } });
