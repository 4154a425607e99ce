import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProcessLedger } from '../electron/gateway/process-ledger.ts';
import type { PlanStart } from '../electron/gateway/process-transport.ts';
import { clearCache, clearLeftBehind } from '../electron/left-behind.ts';
import { tryServer } from '../electron/try-server.ts';

const SERVER = path.join(import.meta.dirname, 'fixtures/upstream.mjs');
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'holdfast-try-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const names = (folder: string): string[] => {
  const whole = path.join(dataDir, folder);
  return existsSync(whole) ? readdirSync(whole).sort() : [];
};

test('a server is tried as the gateway starts its own, written down while it runs, and leaves nothing', async () => {
  const control = path.join(dataDir, 'control.json');
  const tools = [{ name: 'one', inputSchema: { type: 'object' } }];
  writeFileSync(control, JSON.stringify({ name: 'demo', tools }));
  const running: string[][] = [];
  const ledger = new ProcessLedger(path.join(dataDir, 'processes'));
  const records = {
    started: async (pid: number, server: string, mark: string): Promise<void> => {
      await ledger.started(pid, server, mark);
      running.push(names('processes'), names('servers'));
    },
    gone: (pid: number): void => ledger.gone(pid),
  };
  // What the person has is not on the PATH of this process: the plan is what finds it.
  const plan: PlanStart = ({ args, env }) =>
    Promise.resolve({ command: process.execPath, args, env, isVerbatim: false });
  const server = { command: 'holdfast-has-no-such-program', args: [SERVER, control], env: {}, cwd: null };
  expect(await tryServer(server, dataDir, { plan, records })).toEqual({ problem: null, tools: ['one'] });
  expect(running).toEqual([[expect.stringMatching(/^\d+\.json$/)], [expect.stringMatching(/^try-/)]]);
  expect([names('processes'), names('servers')]).toEqual([[], []]);
});

test('what was downloaded goes with its server, and what a cut-off try left goes at the next start', async () => {
  for (const folder of [
    'caches/srv-a/npm',
    'caches/srv-b/uv',
    'caches/snapshot/npm',
    'servers/srv-a',
    'servers/try-x1',
  ])
    mkdirSync(path.join(dataDir, folder), { recursive: true });
  await clearLeftBehind(dataDir, (server) => server === 'srv-a');
  expect([names('caches'), names('servers')]).toEqual([['srv-a'], ['srv-a']]);
  await clearCache(dataDir, 'srv-a');
  expect([names('caches'), names('servers')]).toEqual([[], ['srv-a']]);
  await clearLeftBehind(path.join(dataDir, 'nowhere'), () => false);
});
