import http from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (url: URL) => { status?: number; body?: unknown; raw?: Buffer; location?: string } | undefined;

/** A registry of a test: answers as it is told, and keeps in mind what it was asked. */
export class FakeRegistry {
  readonly asked: string[] = [];
  answer: Answer;
  readonly #server: http.Server;

  private constructor(answer: Answer) {
    this.answer = answer;
    this.#server = http.createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://registry');
      this.asked.push(`${url.pathname}${url.search}`);
      const found = this.answer(url);
      if (found === undefined) return void request.socket.destroy();
      const { status = 200, body = {}, raw, location } = found;
      response.writeHead(status, { 'content-type': 'application/json', ...(location !== undefined && { location }) });
      response.end(raw ?? JSON.stringify(body));
    });
  }

  static async start(answer: Answer): Promise<FakeRegistry> {
    const registry = new FakeRegistry(answer);
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on a port
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** An entry as the registry answers it. */
export function listing(name: string, more: Record<string, unknown> = {}, status = 'active'): Record<string, unknown> {
  const version = '1.0.0';
  return {
    server: {
      name,
      description: `Does ${name}`,
      version,
      packages: [{ registryType: 'npm', identifier: name.split('/')[1], version, transport: { type: 'stdio' } }],
      ...more,
    },
    _meta: { 'io.modelcontextprotocol.registry/official': { status, isLatest: true } },
  };
}
