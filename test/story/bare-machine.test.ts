import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Installation } from '../support/holdfast.ts';

/** A server without dependencies; it has one tool. */
const SERVER = `#!/usr/bin/env node
const answers = {
  initialize: (params) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'from_npm', inputSchema: { type: 'object' } }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'none' } }) }));
});
`;
const PACKAGE = 'holdfast-fixture';

/** A registry on this machine that has one package in one version. */
class Registry {
  readonly #server: Server;
  asked = 0;

  constructor(folder: string) {
    mkdirSync(path.join(folder, 'package'), { recursive: true });
    const manifest = { name: PACKAGE, version: '1.0.0', bin: { [PACKAGE]: 'server.js' } };
    writeFileSync(path.join(folder, 'package/package.json'), JSON.stringify(manifest));
    writeFileSync(path.join(folder, 'package/server.js'), SERVER);
    execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
    const archive = readFileSync(path.join(folder, 'package.tgz'));
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    this.#server = createServer((request, response) => {
      this.asked += 1;
      if (request.url?.endsWith('.tgz')) return void response.end(archive);
      const versions = { '1.0.0': { ...manifest, dist: { integrity, tarball: `${this.url}package.tgz` } } };
      response.end(JSON.stringify({ name: PACKAGE, 'dist-tags': { latest: '1.0.0' }, versions }));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`; // it listens on a port
  }

  open(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

let installation: Installation;
let user: string;
beforeEach(() => {
  installation = new Installation();
  user = path.join(installation.home, 'user');
  mkdirSync(user, { recursive: true });
  // Started from a desktop: no terminal, no PATH to speak of, and a shell that tells none.
  Object.assign(installation.env, { PATH: path.join(installation.home, 'nothing'), SHELL: '/bin/false' });
  for (const name of ['SHLVL', 'TERM', 'npm_config_cache', 'npm_config_registry'])
    Reflect.deleteProperty(installation.env, name);
});
afterEach(() => installation.dispose());

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

describe.runIf(process.platform !== 'win32')('on a machine that has no Node of its own', () => {
  test('a package is installed once, and started without a network from then on', async () => {
    const registry = new Registry(path.join(installation.home, 'registry'));
    await registry.open();
    writeFileSync(path.join(user, '.npmrc'), `registry=${registry.url}\n`);
    // What lies about in the folders above is not taken for it.
    put(
      path.join(installation.home, 'node_modules', PACKAGE, 'package.json'),
      '{"name":"holdfast-fixture","version":"1.0.0"}',
    );
    await installation.ok('servers', 'add', 'Fixture', '--', 'npx', '-y', `${PACKAGE}@1.0.0`);
    const installed = { complete: true, problem: null, kinds: { tool: { count: 1 } } };
    expect(await installation.ok('servers', 'check', 'Fixture')).toMatchObject(installed);
    const asked = registry.asked;
    expect(asked).toBeGreaterThan(0);
    await registry.close();
    expect(await installation.ok('servers', 'check', 'Fixture')).toMatchObject(installed);
    expect(registry.asked).toBe(asked);
    // Kept in the data folder, per server; the person's own store was not touched.
    expect(readdirSync(path.join(installation.data, 'caches'))).toHaveLength(1);
    expect(existsSync(path.join(user, '.npm'))).toBe(false);
  });
});
