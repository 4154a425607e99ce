import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endpointFor } from '../../electron/bridge/endpoint.ts';
import { isRunning, textOf } from '../gateway/harness.ts';
import { CLI, until } from '../support/holdfast.ts';
import { Crowd } from './crowd.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });
let crowd: Crowd;
/** The gateway that the world is made with. */
let first: number;
beforeEach(async () => {
  crowd = new Crowd();
  first = await crowd.serve();
  await crowd.server('Demo', 'search');
  await crowd.app('cursor', 'Demo');
});
afterEach(() => crowd.close());

const FIVE = [1, 2, 3, 4, 5];
const gateways = (): number[] => crowd.starts().filter(isRunning);
const locks = (): string[] => readdirSync(crowd.data).filter((name) => name.startsWith('lock-'));

async function allAreServedByOne(bridges: readonly ReturnType<Crowd['bridge']>[]): Promise<void> {
  await Promise.all(bridges.map((bridge) => bridge.introduce()));
  const answers = await Promise.all(bridges.map((bridge) => bridge.call('search')));
  expect(answers.map(textOf)).toEqual(bridges.map(() => 'search of Demo 1.0.0'));
  expect(await crowd.connections()).toEqual({ cursor: bridges.length });
  expect(gateways()).toHaveLength(1);
  expect(locks()).toHaveLength(1);
}

test('a bridge that comes while the gateway starts waits for it', async () => {
  await crowd.installation.stop();
  crowd.watchStarts();
  writeFileSync(crowd.gate, '');
  const bridge = crowd.bridge('cursor');
  const introduced = bridge.introduce();
  await until(
    () => crowd.starts().length,
    (count) => count === 1,
  );
  const late = crowd.bridge('cursor');
  const lateToo = late.introduce();
  expect([bridge.exit, late.exit, bridge.messages, late.messages]).toEqual([undefined, undefined, [], []]);
  crowd.open();
  expect(await introduced).toMatchObject({ result: { serverInfo: { name: 'holdfast' } } });
  expect(await lateToo).toMatchObject({ result: { serverInfo: { name: 'holdfast' } } });
  expect(crowd.starts()).toHaveLength(1);
  expect(textOf(await bridge.call('search'))).toBe('search of Demo 1.0.0');
});

test('five bridges start a stopped gateway once, whatever a killed one has left behind', async () => {
  await crowd.installation.stop('SIGKILL');
  expect(existsSync(endpointFor(crowd.data))).toBe(true);
  expect(locks()).toHaveLength(1);
  writeFileSync(path.join(crowd.data, 'bridge-start.lock'), '999999999');
  crowd.watchStarts();
  await allAreServedByOne(FIVE.map(() => crowd.bridge('cursor')));
  expect(crowd.starts()).toHaveLength(1);
  expect(existsSync(path.join(crowd.data, 'bridge-start.lock'))).toBe(false);
});

test('five bridges are served though the gateway they wait for is killed', async () => {
  await crowd.installation.stop();
  crowd.watchStarts();
  writeFileSync(crowd.gate, '');
  const five = FIVE.map(() => crowd.bridge('cursor'));
  await until(
    () => crowd.starts().length,
    (count) => count === 1,
  );
  process.kill(crowd.starts()[0] ?? 0, 'SIGKILL');
  crowd.open();
  await allAreServedByOne(five);
});

test('bridges of a gateway that is killed while it serves end, and those that come then start one', async () => {
  const bridges = [await crowd.connected('cursor'), await crowd.connected('cursor')];
  crowd.watchStarts();
  await crowd.installation.stop('SIGKILL');
  for (const bridge of bridges) {
    await until(
      () => bridge.exit,
      (exit) => exit !== undefined,
    );
    expect([bridge.exit, bridge.stderr]).toEqual([1, expect.stringContaining('Holdfast closed the connection')]);
  }
  expect(crowd.starts()).toEqual([]);
  await allAreServedByOne(FIVE.map(() => crowd.bridge('cursor')));
});

test('a second gateway says whose folder it is, by whatever name it was asked for, and the first goes on', async () => {
  const bridge = await crowd.connected('cursor');
  const link = path.join(crowd.installation.home, 'another-name');
  symlinkSync(crowd.data, link);
  for (const home of [crowd.data, link]) {
    const second = spawnSync(process.execPath, [CLI, 'serve', '--home', home], { env: crowd.installation.env });
    expect(second.status).toBe(1);
    expect(second.stderr.toString()).toBe(
      `Holdfast is running already with this data folder (process ${first}). Use that one, or close it first.\n`,
    );
  }
  expect(locks()).toHaveLength(1);
  const other = crowd.bridge('cursor', link);
  await other.introduce();
  for (const each of [bridge, other]) expect(textOf(await each.call('search'))).toBe('search of Demo 1.0.0');
  expect(await crowd.connections()).toEqual({ cursor: 2 });
  expect(isRunning(first)).toBe(true);
});
