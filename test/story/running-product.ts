import { existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Catalog, ConsumerId, ListedKind, ServerId, State } from '../../electron/core/model.ts';
import type { Timings } from '../../electron/gateway/timings.ts';
import { openHoldfast } from '../../electron/headless.ts';
import type { Holdfast } from '../../electron/headless.ts';
import { HostApp, at } from '../gateway/harness.ts';
import type { Control, Definition, LogLine, Message } from '../gateway/harness.ts';

const FIXTURE = fileURLToPath(new URL('../fixtures/upstream.mjs', import.meta.url));

/** A definition of each kind that goes by this short name. */
export const ENTRY: Readonly<Record<ListedKind, (key: string) => Definition>> = {
  tool: (key) => ({ name: key, description: `does ${key}`, inputSchema: { type: 'object' } }),
  prompt: (key) => ({ name: key, description: `about ${key}` }),
  resource: (key) => ({ uri: `x://${key}`, name: key }),
  resourceTemplate: (key) => ({ uriTemplate: `x://${key}/{id}`, name: key }),
};
/** How an app uses what goes by this short name. */
const USE: Readonly<Record<ListedKind, (key: string) => [method: string, params: object]>> = {
  tool: (key) => ['tools/call', { name: key, arguments: {} }],
  prompt: (key) => ['prompts/get', { name: key }],
  resource: (key) => ['resources/read', { uri: `x://${key}` }],
  resourceTemplate: (key) => ['resources/read', { uri: `x://${key}/7` }],
};

/** Two entries of each kind, and a text about itself. */
export const EVERYTHING: Control = {
  instructions: 'Ask for what you need.',
  tools: ['a', 'b'].map(ENTRY.tool),
  prompts: ['a', 'b'].map(ENTRY.prompt),
  resources: ['a', 'b'].map(ENTRY.resource),
  resourceTemplates: ['a', 'b'].map(ENTRY.resourceTemplate),
};

/** What the command "surface" answers. */
export interface Surface {
  readonly epoch: number;
  readonly manifestId: string;
  readonly entries: readonly { readonly kind: string; readonly originKey: string }[];
  readonly withheld: readonly { readonly kind: string; readonly originKey: string; readonly reason: string }[];
}
/** What the command "servers.check" answers. */
export interface Checked {
  readonly complete: boolean;
  readonly state: string;
  readonly kinds: Readonly<
    Record<string, { readonly status: string; readonly count: number; readonly reason?: string }>
  >;
}
/** All that an observation may touch of what a person or an app sees. */
export interface Everything {
  readonly state: State;
  readonly surface: Surface;
  readonly reviews: unknown;
  readonly notices: number;
}

/**
 * Everything but the desktop, in this process: the real store on a real data folder, the real gateway, and server
 * processes whose faults are switched from outside.
 */
export class Product {
  readonly dir: string;
  readonly #holdfast: Holdfast;
  readonly #notices: readonly string[];
  readonly #apps: HostApp[] = [];

  private constructor(dir: string, holdfast: Holdfast, notices: readonly string[]) {
    this.dir = dir;
    this.#holdfast = holdfast;
    this.#notices = notices;
  }

  static async open(timings: Partial<Timings> = {}): Promise<Product> {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'holdfast-product-'));
    const notices: string[] = [];
    const start = { command: process.execPath, args: [], env: {} };
    const holdfast = await openHoldfast({
      dataDir: path.join(dir, 'data'),
      bridgeSource: FIXTURE, // apps connect without a bridge here
      runtime: start,
      launch: start,
      box: null,
      timings: { killStepMs: 300, pageMs: 1_000, firstRestartMs: 20, ...timings },
      onNotice: (incident) => notices.push(incident),
    });
    await holdfast.listen();
    return new Product(dir, holdfast, notices);
  }

  get gateway(): Holdfast['gateway'] {
    return this.#holdfast.gateway;
  }

  get state(): State {
    return this.#holdfast.control.state;
  }

  async close(): Promise<void> {
    for (const app of this.#apps) app.close();
    await this.#holdfast.close();
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Runs one command; the caller names the documented shape. */
  run<T>(name: string, input: object = {}): Promise<T> {
    return this.#holdfast.run(name, input) as Promise<T>;
  }

  /** Switches what a server does, without a notice of it, and adds it where it is new. */
  async server(control: Control, name = 'Demo', env: Readonly<Record<string, string>> = {}): Promise<void> {
    const file = path.join(this.dir, `${name}.json`);
    const isNew = !existsSync(file);
    writeFileSync(`${file}.new`, JSON.stringify({ silent: true, log: this.#log(name), ...EVERYTHING, ...control }));
    renameSync(`${file}.new`, file);
    if (isNew) await this.run('servers.add', { name, command: process.execPath, args: [FIXTURE, file], env });
  }

  /** A server with everything, all of it given to an app that is connected. */
  async exposed(control: Control = {}, name = 'Demo'): Promise<HostApp> {
    await this.server(control, name);
    await this.run('apps.add', { app: 'cursor' });
    await this.run('expose', { app: 'cursor', server: name });
    return this.app();
  }

  async app(): Promise<HostApp> {
    const dataDir = path.join(this.dir, 'data');
    const token = readFileSync(path.join(dataDir, 'token'), 'utf8');
    const app = await HostApp.connect(dataDir, 'cursor' as ConsumerId, token); // the app that `exposed` adds
    this.#apps.push(app);
    await app.introduce();
    return app;
  }

  id(name = 'Demo'): ServerId {
    const server = Object.values(this.state.servers).find((each) => each.name === name);
    if (!server) throw new Error(`there is no server ${name}`);
    return server.id;
  }

  check(name = 'Demo'): Promise<Checked> {
    return this.run<Checked>('servers.check', { name });
  }

  surface(): Promise<Surface> {
    return this.run<Surface>('surface', { app: 'cursor' });
  }

  async everything(): Promise<Everything> {
    const reviews = await this.run('review.list');
    return { state: this.state, surface: await this.surface(), reviews, notices: this.#notices.length };
  }

  /** The catalog of a server that one process of serves all apps. */
  catalog(name = 'Demo'): Catalog {
    const found = Object.entries(this.state.catalogs).find(([scope]) => scope.startsWith(this.id(name)));
    return found?.[1] ?? {};
  }

  /** What a server has received, oldest first. */
  received(method: string, name = 'Demo'): LogLine[] {
    const text = existsSync(this.#log(name)) ? readFileSync(this.#log(name), 'utf8') : '';
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as LogLine).filter((line) => line.method === method); // by the fixture
  }

  journalLines(): number {
    const folder = path.join(this.dir, 'data', 'journal');
    const text = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
    return text.join('').split('\n').length - 1;
  }

  stateBytes(): number {
    return readFileSync(path.join(this.dir, 'data', 'state.json')).length;
  }

  #log(name: string): string {
    return path.join(this.dir, `${name}.log`);
  }
}

/** What an app that uses it gets: “answered” for an answer of the server, else the sentence of Holdfast. */
export async function use(app: HostApp, kind: ListedKind, key: string): Promise<string> {
  const answer: Message = await app.ask(...USE[kind](key));
  const refused = at(answer, 'result.isError') === true || answer['error'] !== undefined;
  if (!refused) return 'answered';
  return String(at(answer, 'error.message') ?? at(answer, 'result.content.0.text'));
}
