import { setTimeout as pause } from 'node:timers/promises';
import type { Route, ServerId } from '../../electron/core/model.ts';
import { FIXTURE } from './fixture.ts';
import { Gone, Refused } from './control-client.ts';
import type { Shown } from './decided.ts';
import type { Random } from './random.ts';
import { LIST_FAULTS, type SoakServer } from './servers.ts';
import type { Surface, World } from './world.ts';

/** What happens to servers and to the gateway. */
const UPHEAVALS = {
  change: 20,
  startFault: 5,
  runningFault: 6,
  heal: 8,
  relaunch: 5,
  check: 5,
  failedList: 6,
  remove: 2,
  add: 5,
  restart: 2,
  kill: 2,
} as const;
const CHECK_MS = 5_000;
type What = keyof typeof UPHEAVALS;

/** The answer to a check. */
interface Checked {
  readonly complete: boolean;
  readonly kinds: object;
}
interface FailedList {
  readonly fault: string;
  readonly first: Checked;
  readonly second: Checked;
  readonly lost: readonly Shown[];
  readonly before: readonly Surface[];
  readonly after: readonly Surface[];
}

export class Upheaval {
  readonly #world: World;
  readonly #random: Random;
  #launches = 0;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async live(): Promise<void> {
    while (!this.#world.isOver) {
      const what = this.#random.weighted(UPHEAVALS);
      const isDone = await this.#do(what).catch((error: unknown) => {
        if (!(error instanceof Refused) && !(error instanceof Gone)) throw error;
      });
      if (isDone !== false) this.#world.count(`upheaval: ${what}`);
      await pause(this.#random.below(500));
    }
  }

  /** `false` where there was nothing to do it to. */
  async #do(what: What): Promise<unknown> {
    if (what === 'restart' || what === 'kill') return this.#restart(what === 'kill' ? 'SIGKILL' : 'SIGTERM');
    if (what === 'add') return this.#addOne();
    const server = this.#random.pick(this.#world.present());
    if (server === undefined) return false;
    switch (what) {
      case 'change':
        return server.change(this.#random);
      case 'startFault':
        server.fault(this.#random, true);
        return this.#relaunch(server);
      case 'runningFault':
        return server.fault(this.#random, false);
      case 'heal':
        return this.heal(server);
      case 'relaunch':
        return this.#relaunch(server);
      case 'check':
        // One that does not start keeps its own check waiting, but not what happens to others.
        return Promise.race([this.#check(server), pause(CHECK_MS)]);
      case 'failedList':
        return this.#world.exclusively(() => this.#failList(server));
      case 'remove':
        return this.#remove(server);
    }
  }

  async #restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<boolean> {
    if (this.#world.isLastLife) return false;
    if (signal === 'SIGKILL') await this.kill();
    else await this.#world.gateway.restart(signal);
    return true;
  }

  /** Kills the gateway while a server runs that does not end by itself, and starts it again. */
  async kill(): Promise<void> {
    const [server] = this.#world.present();
    if (server !== undefined) {
      server.cling();
      await this.#relaunch(server);
      await Promise.race([this.#check(server), pause(CHECK_MS)]);
    }
    await this.#world.gateway.restart('SIGKILL');
  }

  /** Its environment is another one, so that it is started anew. */
  async #relaunch(server: SoakServer): Promise<void> {
    this.#launches += 1;
    const isWell = Object.keys(server.faults).length === 0;
    await this.#world.control.run('servers.set', { name: server.name, env: { LAUNCH: String(this.#launches) } });
    server.hasStartedWell = isWell;
  }

  /** Also of how its process was started. */
  async heal(server: SoakServer): Promise<void> {
    server.heal();
    if (!server.hasStartedWell) await this.#relaunch(server);
  }

  async #check(server: SoakServer): Promise<boolean> {
    return (await this.#checked(server)).complete;
  }

  async #checked(server: SoakServer): Promise<Checked> {
    const checked = await this.#world.control.run<Checked>('servers.check', { name: server.name });
    server.isKnown ||= checked.complete;
    return checked;
  }

  /** Nothing else is done to surfaces meanwhile, so what is gone after a failed list was taken by it. */
  async #failList(server: SoakServer): Promise<boolean> {
    // An empty list takes all away once a second process says the same, and that may come right now.
    if (server.tools.size === 0) server.change(this.#random);
    await this.heal(server);
    if (server.hasAsked) return false;
    const first = await this.#checked(server);
    if (!first.complete) return false;
    const before = await this.#surfaces();
    server.faults = { list: { tools: this.#random.pick(LIST_FAULTS) } };
    server.write(true);
    const fault = JSON.stringify(server.faults);
    const second = await this.#checked(server);
    const after = await this.#surfaces();
    server.heal();
    const lost = before.flatMap(({ app, entries }) => {
      const kept = new Set(after.find((one) => one.app === app)?.entries.map(({ ref, id }) => `${ref} ${id}`));
      return entries.filter(({ ref, id }) => ref.startsWith(`${server.id}/`) && !kept.has(`${ref} ${id}`));
    });
    const isKept = lost.length === 0 && !second.complete;
    const story = isKept ? '' : await this.#toldOf(server, { fault, first, second, lost, before, after });
    this.#world.invariants.check('failedList', isKept, () => story);
    return true;
  }

  /** What the two lists were and what the product says that happened, so that another cause can be told from the fault. */
  async #toldOf(server: SoakServer, facts: FailedList): Promise<string> {
    const { fault, first, second, lost, before, after } = facts;
    const { events } = await this.#world.control.run<{ events: { at: string; type: string; text: string }[] }>(
      'history',
      { server: server.name, limit: 25 },
    );
    return [
      `${server.name} with ${fault}: ${lost.map(({ ref, id }) => `${ref} as ${id}`).join(', ') || 'nothing lost'}`,
      `it lists ${JSON.stringify([...server.tools])}`,
      ...[first, second].map(({ kinds }) => `checked as ${JSON.stringify(kinds)}`),
      ...[before, after].map((looks) => `served ${looks.map((look) => toldOf(look, server)).join('; ')}`),
      ...events.map(({ at, type, text }) => `${at} ${type}: ${text}`),
    ].join('\n    ');
  }

  #surfaces(): Promise<Surface[]> {
    return Promise.all(this.#world.apps.map((app) => this.#world.look(app)));
  }

  #remove(server: SoakServer): Promise<unknown> {
    if (this.#world.present().length < 3) return Promise.resolve(false);
    return this.#world.exclusively(async () => {
      await this.#world.control.run('servers.remove', { name: server.name });
      server.id = null;
    });
  }

  async #addOne(): Promise<unknown> {
    const server = this.#world.servers.find(({ id }) => id === null);
    if (server === undefined) return false;
    return this.#world.exclusively(() => this.add(server));
  }

  /** As a new one, or with what was chosen before. */
  async add(server: SoakServer): Promise<void> {
    const known = this.#random.chance(0.6) ? 'restore' : 'fresh';
    const input = { name: server.name, command: process.execPath, args: [FIXTURE, server.control], known };
    const added = await this.#world.control
      .run<{ id: ServerId; route: Route; restored: boolean }>('servers.add', input)
      .catch((error: unknown) => this.#added(server, error));
    if (!added.restored) {
      server.isKnown = false;
      // The account here is of what the person decided; what policies decide is judged by the tests of the core.
      await this.#world.control.run('servers.policy', { name: server.name, policy: 'review' });
    }
    server.id = added.id;
    server.route = added.route;
    if (server.hasStartedWell && this.#random.chance(0.7)) await this.#check(server);
  }

  /** The gateway went away in the middle: it is there, or is added the next time. */
  async #added(server: SoakServer, error: unknown): Promise<{ id: ServerId; route: Route; restored: boolean }> {
    if (!(error instanceof Gone)) throw error;
    await this.#world.gateway.ready();
    const { servers } = await this.#world.control.run<{ servers: { id: ServerId; name: string; route: Route }[] }>(
      'servers.list',
    );
    const found = servers.find(({ name }) => name === server.name);
    if (found === undefined) throw error;
    return { ...found, restored: false };
  }
}

function toldOf({ app, epoch, entries }: Surface, { id }: SoakServer): string {
  const own = entries.filter(({ ref }) => ref.startsWith(`${id}/`));
  return `${app} (${epoch}) ${own.map((entry) => `${entry.originKey} ${entry.id.slice(-8)}`).join(' ')}`;
}
