import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROCESS_MARK, ProcessLedger } from '../../electron/gateway/process-ledger.ts';
import { ProcessTransport } from '../../electron/gateway/process-transport.ts';
import { processStart } from '../../electron/system/process-start.ts';
import { eventually, isRunning } from './harness.ts';

/** Ignores the end of its input and SIGTERM, as some real servers do. */
const STUBBORN = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';

let folder: string;
let ledger: ProcessLedger;
const started: ChildProcess[] = [];

beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'hf-ledger-')), 'processes');
  ledger = new ProcessLedger(folder);
});
afterEach(() => {
  for (const { pid } of started.splice(0)) if (pid !== undefined) end(pid);
  rmSync(path.dirname(folder), { recursive: true, force: true });
});

const MARK = 'a-mark-for-this-test';

function end(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // it ended itself
  }
}

/** A process in a group of its own, as servers have it; resolves when it runs its code. */
async function leader(code: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', `${code}; console.log('up')`], {
    detached: true,
    env: { ...process.env, [PROCESS_MARK]: MARK },
  });
  started.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child.pid ?? 0;
}

describe('what a killed gateway left running', () => {
  it('is ended by its recorded process id and start time, though it ignores being asked', async () => {
    const pid = await leader(STUBBORN);
    await ledger.started(pid, 'srv', MARK);
    const ended = await ledger.sweep(300);
    expect(ended.map((record) => [record.pid, record.server])).toEqual([[pid, 'srv']]);
    await eventually(() => !isRunning(pid));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is ended with what it had started, also where it has ended itself', async () => {
    const file = path.join(path.dirname(folder), 'grandchild');
    const code = `const g = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}], { stdio: 'ignore' });
      require('fs').writeFileSync(${JSON.stringify(file)}, String(g.pid));`;
    const pid = await leader(`${code}; setInterval(() => {}, 1000)`);
    const grandchild = Number(readFileSync(file, 'utf8'));
    await ledger.started(pid, 'srv', MARK);
    process.kill(pid, 'SIGKILL');
    await eventually(() => !isRunning(pid));
    expect(isRunning(grandchild)).toBe(true);
    await ledger.sweep(300);
    await eventually(() => !isRunning(grandchild));
  });

  it('is left alone where it belongs to a group that others have opened under the same number', async () => {
    const file = path.join(path.dirname(folder), 'grandchild');
    const code = `const g = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}], { stdio: 'ignore' });
      require('fs').writeFileSync(${JSON.stringify(file)}, String(g.pid));`;
    const pid = await leader(`${code}; setInterval(() => {}, 1000)`);
    await ledger.started(pid, 'srv', 'the-mark-of-another-process');
    process.kill(pid, 'SIGKILL');
    await eventually(() => !isRunning(pid));
    expect(await ledger.sweep(300)).toEqual([]);
    expect(isRunning(Number(readFileSync(file, 'utf8')))).toBe(true);
  });

  it('is left alone where another process has its number now', async () => {
    const pid = await leader(STUBBORN);
    await ledger.started(pid, 'srv', MARK);
    const file = path.join(folder, `${pid}.json`);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/\/(\d+)"/, (_, ticks: string) => `/${Number(ticks) - 1}"`),
    );
    expect(await ledger.sweep(300)).toEqual([]);
    expect(isRunning(pid)).toBe(true);
    expect(existsSync(file)).toBe(false);
  });

  it('is left alone where its start was never told', async () => {
    const pid = await leader(STUBBORN);
    mkdirSync(folder);
    writeFileSync(
      path.join(folder, `${pid}.json`),
      JSON.stringify({ pid, startedAt: null, server: 'srv', mark: MARK }),
    );
    expect(await ledger.sweep(300)).toEqual([]);
    expect(isRunning(pid)).toBe(true);
  });

  it('is left alone where the computer was started anew since', async () => {
    const pid = await leader(STUBBORN);
    const startedAt = ((await processStart(pid)) ?? '').replace(/^[^/]+/, 'another-boot');
    mkdirSync(folder);
    writeFileSync(path.join(folder, `${pid}.json`), JSON.stringify({ pid, startedAt, server: 'srv', mark: MARK }));
    expect(await ledger.sweep(300)).toEqual([]);
    expect(isRunning(pid)).toBe(true);
  });

  it.each(['', '{', '[]', '{"pid":1,"startedAt":"x","server":"s"}', '{"pid":99999999999}', 'x'.repeat(10_000)])(
    'is nothing where its record is damaged: %#',
    async (text) => {
      mkdirSync(folder);
      for (const name of ['1.json', '12345.json']) writeFileSync(path.join(folder, name), text);
      writeFileSync(path.join(folder, 'notes.txt'), 'not ours');
      expect(await ledger.sweep(300)).toEqual([]);
      expect(readdirSync(folder)).toEqual(['notes.txt']);
    },
  );
});

describe('a server process', () => {
  const open = (code: string, records = ledger): ProcessTransport =>
    new ProcessTransport({
      command: process.execPath,
      args: ['-e', code],
      env: {},
      cwd: tmpdir(),
      killStepMs: 300,
      server: 'srv',
      records,
    });

  it('is on record while it runs', async () => {
    const transport = open('setInterval(() => {}, 1000)');
    await transport.start();
    const { pid = 0 } = transport;
    expect(ledger.records()).toMatchObject([{ pid, startedAt: await processStart(pid), server: 'srv' }]);
    await transport.close();
    expect(ledger.records()).toEqual([]);
  });

  it('runs though it cannot be written down', async () => {
    writeFileSync(folder, 'a file where the folder should be');
    const transport = open('setInterval(() => {}, 1000)');
    await transport.start();
    expect(isRunning(transport.pid ?? 0)).toBe(true);
    await transport.close();
    expect(isRunning(transport.pid ?? 0)).toBe(false);
  });
});
