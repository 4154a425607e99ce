import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Installation } from '../support/holdfast.ts';
import { ControlClient } from './control-client.ts';
import { Decided } from './decided.ts';
import { SoakGateway } from './gateway.ts';
import { Invariants, type Invariant } from './invariants.ts';
import { Samples, type Sample } from './memory.ts';
import { Person } from './person.ts';
import { processesOf, sizeOf, type Running } from './processes.ts';
import { Random } from './random.ts';
import type { Outcome } from './report.ts';
import { SoakServer } from './servers.ts';
import { Markers, Traffic } from './traffic.ts';
import { Upheaval } from './upheaval.ts';
import { World } from './world.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Hears how it goes, now and then. */
  readonly tell?: (line: string) => void;
}

const SERVERS = 4;
const APPS = ['claude', 'cursor', 'zed'];
/** Of the whole time, in which the gateway is restarted; what follows is one life, in which memory is watched. */
const RESTARTS = 0.4;
const SETTLING_MS = 60_000;
const NEEDED: readonly Invariant[] = ['approved', 'listed', 'pinned', 'epoch', 'answered'];
const MAX_LONGER = 10;

/** The built gateway on a fresh data folder, under load, faults and decisions, with everything that must hold looked at. */
export async function soak({ seconds, seed, tell = () => undefined }: SoakOptions): Promise<Outcome> {
  const begun = Date.now();
  const installation = new Installation();
  const invariants = new Invariants(() => `[${Math.round((Date.now() - begun) / 1000)} s]`);
  const random = new Random(seed);
  const world = worldIn(installation, invariants, random);
  const samples = new Samples(installation.home, world.gateway);
  await world.gateway.start();
  try {
    const upheaval = await settleIn(world, random);
    const dataBefore = sizeOf(installation.data);
    const watching = watch(samples, tell);
    const calm = await live(world, samples, upheaval, random, seconds * 1000);
    await watching.stop();
    const after = await comeToRest(world, samples, upheaval);
    const dataAfter = sizeOf(installation.data);
    world.control.close();
    await world.gateway.stop('SIGTERM');
    return {
      ...{ seed, invariants, events: world.events, durationMs: Date.now() - begun, lives: samples.lives() },
      ...{ quiet: [calm, after], dataBytes: [dataBefore, dataAfter], left: await leftOver(installation.home) },
    };
  } finally {
    for (const { pid } of processesOf(installation.home)) process.kill(pid, 'SIGKILL');
    await installation.dispose();
  }
}

function worldIn(installation: Installation, invariants: Invariants, random: Random): World {
  const folder = path.join(installation.home, 'servers');
  mkdirSync(folder, { recursive: true });
  const servers = Array.from({ length: SERVERS }, (_, at) => new SoakServer(folder, `server-${at}`, random));
  return new World({
    ...{ installation, invariants, servers, apps: APPS },
    gateway: new SoakGateway(installation, invariants),
    control: new ControlClient(installation.data, invariants),
    decided: new Decided(invariants, (id, since) => servers.flatMap((server) => server.listedSince(id, since))),
  });
}

/** A few servers and apps, so that there is something to disturb. */
async function settleIn(world: World, random: Random): Promise<Upheaval> {
  for (const app of world.apps) await world.control.run('apps.add', { app });
  await world.control.run('profiles.create', { name: 'work' });
  const upheaval = new Upheaval(world, random.fork());
  for (const server of world.servers.slice(0, -1)) await upheaval.add(server);
  for (const app of world.apps) await new Person(world, random.fork()).exposeAll(app);
  return upheaval;
}

/** Everyone acts at once, until the end; returns the quiet moment at the beginning of the last life. */
async function live(world: World, samples: Samples, upheaval: Upheaval, random: Random, ms: number): Promise<Sample> {
  const markers = new Markers();
  const everyone = (): Promise<unknown> => {
    world.isOver = false;
    return Promise.all([
      new Person(world, random.fork()).live(),
      upheaval.live(),
      ...world.apps.flatMap((app) => [0, 1].map(() => new Traffic(world, random.fork(), app, markers).live())),
      arrivals(world, markers),
    ]);
  };
  await during(everyone, ms * RESTARTS, world);
  await upheaval.kill();
  world.isLastLife = true;
  const calm = await comeToRest(world, samples, upheaval);
  await during(everyone, ms * (1 - RESTARTS), world);
  return calm;
}

/** For so long; on a slow machine for longer, until everything was looked at once. */
async function during(act: () => Promise<unknown>, ms: number, world: World): Promise<void> {
  const begun = performance.now();
  const done = act();
  const isLong = (): boolean => performance.now() - begun >= ms;
  const isEnough = (): boolean => NEEDED.every((name) => world.invariants.checked(name) > 0);
  while (!isLong() || (!isEnough() && performance.now() - begun < ms * MAX_LONGER)) await pause(100);
  world.isOver = true;
  await done;
}

/** What came through to servers. */
async function arrivals(world: World, markers: Markers): Promise<void> {
  for (;;) {
    const isLast = world.isOver;
    const arrived = world.servers.flatMap((server) => server.arrivals());
    // In turn with the person: what a command under way has decided is known once it is answered.
    await world.exclusively(() => Promise.resolve(arrived.forEach((one) => markers.check(world, one))));
    if (isLast) return;
    await pause(500);
  }
}

function watch(samples: Samples, tell: (line: string) => void): { stop: () => Promise<void> } {
  const ending = new AbortController();
  const watching = (async () => {
    for (let second = 0; !ending.signal.aborted; second++) {
      const sample = samples.take();
      if (second % 30 === 0 && sample !== null) tell(told(sample));
      await pause(1_000);
    }
  })();
  return {
    stop: () => {
      ending.abort();
      return watching;
    },
  };
}

function told({ life, rss, files, servers }: Sample): string {
  return `life ${life}: ${Math.round(rss / 2 ** 20)} MB, ${files} open files, ${servers} server processes`;
}

/** No app is connected any more and every server is well: the moment in which handles can be compared. */
async function comeToRest(world: World, samples: Samples, upheaval: Upheaval): Promise<Sample> {
  for (const server of world.present()) await upheaval.heal(server);
  for (const server of world.present()) await world.control.run('servers.check', { name: server.name });
  const listed = await world.installation.run('servers', 'list');
  world.invariants.check('commands', listed.status === 0, () => `servers list: ${listed.stderr}`);
  const doctor = await world.installation.run('doctor');
  world.invariants.check('commands', doctor.status !== 2 && doctor.stdout !== '', () => `doctor: ${doctor.stderr}`);
  const end = Date.now() + SETTLING_MS;
  for (let steady = 0, files = -1; steady < 3 && Date.now() < end;) {
    const sample = samples.take();
    steady = sample !== null && sample.files === files ? steady + 1 : 0;
    files = sample?.files ?? -1;
    await pause(700);
  }
  const sample = samples.take();
  if (sample === null) throw new Error('the gateway does not run');
  return sample;
}

/** Of all that ever ran in this home. */
async function leftOver(home: string): Promise<Running[]> {
  const end = Date.now() + 20_000;
  for (;;) {
    const left = processesOf(home);
    if (left.length === 0 || Date.now() > end) return left;
    await pause(200);
  }
}
