import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHoldfast, type Holdfast, type HoldfastOptions } from '../../electron/headless.ts';

// What happened to the files is told by whatever goes on running, not by the run that happened to find it.

const SOURCE = fileURLToPath(new URL('../fixtures/upstream.mjs', import.meta.url)); // no app connects here
let dir: string;
let open: Holdfast[];

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'holdfast-starts-'));
  open = [];
});
afterEach(async () => {
  for (const holdfast of open) await holdfast.close();
  rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
});

function optionsWith(bridgeSource: string): HoldfastOptions {
  const start = { command: process.execPath, args: [], env: {} };
  return { dataDir: dir, bridgeSource, runtime: start, launch: start, box: null };
}

async function start(): Promise<Holdfast> {
  const holdfast = await openHoldfast(optionsWith(SOURCE));
  open.push(holdfast);
  return holdfast;
}

/** What a passing command shows a person, or one that goes on running. */
async function notices(listens: boolean): Promise<readonly string[]> {
  const holdfast = await start();
  if (listens) await holdfast.listen();
  const told = holdfast.control.snapshot().notices;
  await holdfast.close();
  return told;
}

test('that the keys were damaged is told until something that goes on running has told it', async () => {
  await notices(false);
  writeFileSync(path.join(dir, 'secrets.json'), 'not JSON');
  const damaged = [expect.stringMatching(/servers’ keys was damaged/)];
  expect(await notices(false)).toEqual(damaged);
  expect(await notices(false)).toEqual(damaged);
  expect(await notices(true)).toEqual(damaged);
  expect(await notices(true)).toEqual([]);
});

test('a start that fails half-way gives the folder free for the next one', async () => {
  await expect(openHoldfast(optionsWith(path.join(dir, 'no-bridge.cjs')))).rejects.toThrow();
  const holdfast = await start();
  expect(holdfast.control.state.sequence).toBe(0);
});
