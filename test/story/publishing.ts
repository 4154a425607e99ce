import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { Installation, ROOT } from '../support/holdfast.ts';

const UPSTREAM = path.join(ROOT, 'test/fixtures/upstream.mjs');
export const MODULES = path.join(ROOT, 'node_modules');
export const EVERYTHING = path.join(MODULES, '@modelcontextprotocol/server-everything/dist/index.js');
export const SECRET = 'k3y-of-the-server-0123456789';

export const tool = (name: string, rest: object = {}): object => ({ name, inputSchema: { type: 'object' }, ...rest });

/** A folder of a publisher and a machine without Holdfast’s data, both new for every test of the file. */
export function publishing() {
  let installation: Installation;
  let folder: string;
  beforeEach(() => {
    installation = new Installation();
    folder = mkdtempSync(path.join(installation.home, 'publish-'));
  });
  afterEach(() => installation.dispose());

  const file = (name: string): string => path.join(folder, name);
  const run = (...args: readonly string[]) => installation.run(...args);
  /** The command line of a server of the project’s own that does what this says. */
  const server = (name: string, control: object): string[] => {
    const text = JSON.stringify({ name, capabilities: { tools: {}, prompts: {} }, ...control });
    writeFileSync(file(`${name}.control.json`), text);
    return [process.execPath, UPSTREAM, file(`${name}.control.json`)];
  };
  const snapshot = async (name: string, control: object, ...options: readonly string[]): Promise<string> => {
    const ran = await run('snapshot', ...options, '-o', file(`${name}.json`), '--', ...server(name, control));
    expect(ran.stderr).toBe('');
    expect(ran.status).toBe(0);
    return file(`${name}.json`);
  };
  return {
    file,
    run,
    server,
    snapshot,
    get installation() {
      return installation;
    },
    get folder() {
      return folder;
    },
  };
}

export function isAlive(pid: number): boolean {
  try {
    // Ended, and only waiting for somebody to ask how, counts as ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
