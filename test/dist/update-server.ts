import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface UpdateServer {
  readonly url: string;
  /** What was asked for. */
  readonly asked: readonly string[];
  close(): void;
}

/** Offers version 99.0.0 the way a release does: a page with the digest, and the file. */
export async function updateServer(file: string, { digestOf = file } = {}): Promise<UpdateServer> {
  const name = 'Holdfast-99.0.0-linux-x86_64.AppImage';
  const sha512 = createHash('sha512').update(digestOf).digest('base64');
  const size = Buffer.byteLength(file);
  const about = { version: '99.0.0', files: [{ url: name, sha512, size }], path: name, sha512 };
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    // YAML reads JSON.
    if (url.includes('latest-linux.yml')) response.end(JSON.stringify({ ...about, releaseDate: '2026-01-01' }));
    else if (url.includes(name)) response.end(file);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${port}/`, asked, close: () => server.close() };
}
