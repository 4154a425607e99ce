import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { LineReader } from '../../electron/gateway/lines.ts';
import { APP, eventually, isRunning } from '../gateway/harness.ts';
import type { Message } from '../gateway/harness.ts';

const FAKE = fileURLToPath(new URL('../fixtures/fake-gateway.mjs', import.meta.url));
const ENTRY = fileURLToPath(new URL('../../electron/bridge/bridge.ts', import.meta.url));

/** The bundled bridge, made for one test file. `more` replaces what it is run with, as source text. */
export async function buildBridge(more?: string): Promise<{ file: string; remove: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hf-bridge-built-'));
  const file = path.join(folder, more === undefined ? 'bridge.cjs' : 'other.cjs');
  const source = `import { readArguments, runBridge } from ${JSON.stringify(ENTRY)};
    const { stdin, stdout, stderr } = process;
    void runBridge({ ...readArguments(process.argv.slice(2)), stdin, stdout, stderr, ${more ?? ''} }).then(process.exit);`;
  await build({
    ...(more === undefined ? { entryPoints: [ENTRY] } : { stdin: { contents: source, resolveDir: folder } }),
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node18',
  });
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}

export interface Start {
  readonly pid: number;
  readonly asNode?: string;
  readonly nodeOptions?: string;
  readonly mark?: string;
  readonly argv?: readonly string[];
}

/** A data folder whose gateway is the fake one. */
export class FakeHome {
  readonly dir = mkdtempSync(path.join(tmpdir(), 'hf-home-'));

  get starts(): Start[] {
    try {
      const lines = readFileSync(this.startsFile, 'utf8').trim().split('\n');
      return lines.map((line) => JSON.parse(line) as Start); // written by the fake gateway
    } catch {
      return [];
    }
  }

  get startsFile(): string {
    return path.join(this.dir, 'starts');
  }

  /** Says how to start the fake gateway, as a real one would have at its last start. */
  canStart(options: object = {}, launch: object = {}): void {
    writeFileSync(path.join(this.dir, 'fake.json'), JSON.stringify(options));
    const args = [FAKE, this.dir, this.startsFile];
    const file = { command: process.execPath, args, env: { MARK: 'set' }, ...launch };
    writeFileSync(path.join(this.dir, 'launch.json'), JSON.stringify(file));
  }

  remove(): void {
    for (const { pid } of this.starts) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** A bridge as a host app has started it. */
export class Bridge {
  readonly child: ChildProcess;
  readonly messages: Message[] = [];
  stderr = '';
  /** `undefined` while it runs, `null` where a signal ended it. */
  exit: number | null | undefined;
  signal: string | null = null;

  /** `command`: what comes before the arguments of the bridge. */
  constructor(command: readonly string[], dir: string, env: NodeJS.ProcessEnv = process.env, app: string = APP) {
    const args = [...command, 'connect', app, '--home', dir, '--owner', 'x', '--no-sandbox'];
    this.child = spawn(process.execPath, args, { env });
    const reader = new LineReader(
      (line) => this.messages.push(JSON.parse(line.toString('utf8')) as Message), // bridges pass objects
      () => undefined,
    );
    this.child.stdin?.on('error', () => undefined);
    this.child.stdout?.on('data', (chunk: Buffer) => reader.push(chunk));
    this.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk));
    this.child.once('close', (code, signal) => {
      this.exit = code;
      this.signal = signal;
    });
  }

  send(id: number | undefined, method: string, params: object = {}): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  }

  answer(id: number): Promise<Message> {
    return eventually(() => this.messages.find((message) => message.id === id), `answer ${id}: ${this.stderr}`);
  }
}
