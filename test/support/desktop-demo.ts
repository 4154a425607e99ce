import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, type Installation } from './holdfast.ts';

const FIXTURE = path.join(ROOT, 'test/fixtures/upstream.mjs');

export const CLOCK = {
  name: 'clock',
  title: 'Clock',
  description: 'Tells the time.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};

interface Surface {
  readonly entries: readonly { readonly name: string }[];
}

/** A real server called Demo whose clock Claude Desktop uses, in a running installation. */
export class Demo {
  readonly #installation: Installation;

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  /** Adds the server and turns its clock on. */
  async start(): Promise<void> {
    this.offer([CLOCK]);
    const cli = this.#installation;
    await cli.ok('servers', 'add', 'Demo', '--', process.execPath, FIXTURE, this.#controlFile);
    // Other words for a tool that only reads would be followed; here they are to be asked about.
    await cli.ok('servers', 'policy', 'Demo', 'review');
    await cli.ok('apps', 'add', 'claude-desktop');
    await cli.ok('expose', 'claude-desktop', 'Demo', 'tool', 'clock');
  }

  /** What the server offers from now on; written in one step, because it watches the file. */
  offer(tools: readonly unknown[]): void {
    const temporary = `${this.#controlFile}.new`;
    writeFileSync(temporary, JSON.stringify({ name: 'demo', version: '1.0.0', tools }));
    renameSync(temporary, this.#controlFile);
  }

  /** The line that starts the server, as a person would paste it. */
  get line(): string {
    return [process.execPath, FIXTURE, this.#controlFile].map((part) => `"${part}"`).join(' ');
  }

  /** What Node is started with to run the server. */
  get args(): readonly string[] {
    return [FIXTURE, this.#controlFile];
  }

  /** Names that are in force for Claude Desktop. */
  async inForce(): Promise<string[]> {
    const { entries } = await this.#installation.ok<Surface>('surface', 'claude-desktop');
    return entries.map(({ name }) => name);
  }

  get #controlFile(): string {
    return path.join(this.#installation.home, 'demo.json');
  }
}
