import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Installation, ROOT, until } from '../support/holdfast.ts';
import { bridgeOf, RawClient } from '../support/raw-client.ts';

const UPSTREAM = path.join(ROOT, 'test/fixtures/upstream.mjs');
const PROPERTIES = 12;

/** One server and one app, which reach each other directly, and through a gateway. */
export class Place {
  readonly installation = new Installation();
  readonly tools: number;

  /** @param tools how many the server has; each is about 1.6 KB long */
  constructor(tools: number) {
    this.tools = tools;
  }

  async start(): Promise<void> {
    mkdirSync(this.installation.env['HOME'] ?? '', { recursive: true });
    this.offer('Does something.');
    const cli = this.installation;
    await cli.serve();
    await cli.ok('servers', 'add', 'Demo', '--', process.execPath, UPSTREAM, this.#controlFile);
    await cli.ok('servers', 'policy', 'Demo', 'review');
    await cli.ok('apps', 'add', 'claude-desktop');
    await cli.ok('expose', 'claude-desktop', 'Demo');
  }

  /** What the first tool says of itself from now on. */
  offer(first: string): void {
    const tools = Array.from({ length: this.tools }, (_, at) => tool(at, at === 0 ? first : 'Does something.'));
    writeFileSync(`${this.#controlFile}.new`, JSON.stringify({ name: 'demo', version: '1.0.0', tools }));
    renameSync(`${this.#controlFile}.new`, this.#controlFile);
  }

  direct(): RawClient {
    return new RawClient('direct', [UPSTREAM, this.#controlFile], this.installation.env);
  }

  bridge(): RawClient {
    return bridgeOf('claude-desktop', this.installation);
  }

  /** Names a client gets, once they are so many. */
  async names(client: RawClient, count: number): Promise<string[]> {
    return until(
      () => namesOf(client),
      (names) => names.length === count,
    );
  }

  get #controlFile(): string {
    return path.join(this.installation.home, 'demo.json');
  }
}

/** Names of one whole list. */
export async function namesOf(client: RawClient): Promise<string[]> {
  const answer = await client.ask('tools/list');
  const { tools } = (answer?.result ?? {}) as { tools?: readonly { readonly name: string }[] }; // our own server's
  return (tools ?? []).map(({ name }) => name);
}

function tool(at: number, description: string): object {
  const property = { type: 'string', description: 'Words that say what this is about, as servers have them.' };
  const names = Array.from({ length: PROPERTIES }, (_, index) => [`input_${index}`, property] as const);
  const inputSchema = { type: 'object', properties: Object.fromEntries(names), required: ['input_0'] };
  return { name: `tool_${at}`, title: `Tool ${at}`, description, inputSchema, annotations: { readOnlyHint: true } };
}
