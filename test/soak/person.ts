import { setTimeout as pause } from 'node:timers/promises';
import { Gone, Refused } from './control-client.ts';
import type { Shown } from './decided.ts';
import type { Random } from './random.ts';
import type { SoakServer } from './servers.ts';
import type { World } from './world.ts';

interface Review extends Shown {
  readonly id: string;
  readonly app: string;
  readonly ref: string;
  readonly targetId: string;
  readonly state: string;
  readonly kind: string;
}

const KINDS = ['tool', 'prompt', 'resource', 'resourceTemplate'];

/** What a person does all day: choose, approve, keep off, undo, make sets of tools, pause. */
const DEEDS = {
  approve: 8,
  keepOff: 6,
  undo: 5,
  expose: 5,
  exposeOne: 5,
  hide: 3,
  addToSet: 3,
  takeFromSet: 2,
  assign: 3,
  unassign: 2,
  pause: 1,
  look: 12,
} as const;

export class Person {
  readonly #world: World;
  readonly #random: Random;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** All of every server, as it is now. */
  async exposeAll(app: string): Promise<void> {
    for (const server of this.#world.present()) await this.#exposeTo(app, server, {});
  }

  /** One deed after the other, and a look at every surface in between. */
  async live(): Promise<void> {
    while (!this.#world.isOver) {
      await this.#world.gateway.ready();
      const deed = this.#random.weighted(DEEDS);
      await this.#world
        .exclusively(() => this.#do(deed))
        .catch((error: unknown) => {
          if (!(error instanceof Refused) && !(error instanceof Gone)) throw error;
        });
      this.#world.count(`person: ${deed}`);
      await pause(this.#random.below(150));
    }
  }

  #do(deed: keyof typeof DEEDS): Promise<unknown> {
    const { control, decided } = this.#world;
    switch (deed) {
      case 'approve':
        return this.#decide('approved');
      case 'keepOff':
        return this.#decide('kept off');
      case 'undo':
        return this.#undo();
      case 'expose':
        return this.#expose({});
      case 'exposeOne':
        return this.#expose({ kind: 'tool', originKey: this.#random.pick(['search', 'fetch', 'write', 'list_all']) });
      case 'hide':
        return this.#about((app, server) => control.run('hide', { app, server }));
      case 'addToSet':
        return this.#toSet();
      case 'takeFromSet':
        return this.#about((_, server) => control.run('profiles.remove', { profile: 'work', server }));
      case 'assign':
        return this.#assign();
      case 'unassign':
        return this.#about((app) => control.run('profiles.unassign', { profile: 'work', app }));
      case 'pause':
        return control
          .run('pause', {})
          .then(() => pause(300))
          .then(() => control.run('resume'));
      case 'look':
        return this.#world.look(this.#app()).then((surface) => decided.checkSurface(surface.app, surface.entries));
    }
  }

  #app(): string {
    return this.#random.pick(this.#world.apps) ?? '';
  }

  async #about<T>(act: (app: string, server: string) => Promise<T>): Promise<T | null> {
    const server = this.#random.pick(this.#world.present());
    return server === undefined ? null : act(this.#app(), server.name);
  }

  async #expose(what: object): Promise<void> {
    const server = this.#random.pick(this.#world.present());
    if (server !== undefined) await this.#exposeTo(this.#app(), server, what);
  }

  async #exposeTo(app: string, { id, name }: SoakServer, what: object): Promise<void> {
    const { control, decided } = this.#world;
    if (id === null) return;
    const asked = Date.now();
    const run = control.run<{ decided: Shown[]; waiting: string[] }>('expose', { app, server: name, ...what });
    const result = await this.#sure(run, () => decided.unsureOfServer(app, id));
    decided.chose(app, result.decided, asked);
    decided.awaits(app, id, result.waiting);
  }

  async #toSet(): Promise<void> {
    const server = this.#random.pick(this.#world.present());
    if (server === undefined || server.id === null) return;
    const { control, decided, apps } = this.#world;
    const { id } = server;
    const waiting = await this.#waiting();
    // Asked before: where it cannot be asked afterwards, for the gateway is gone, the choice is made all the same.
    const { profiles } = await control.run<{ profiles: { name: string; apps: string[] }[] }>('profiles.list');
    const assigned = profiles.find(({ name }) => name === 'work')?.apps ?? [];
    const asked = Date.now();
    const run = control.run<{ shown: Shown[] }>('profiles.add', { profile: 'work', server: server.name });
    const { shown } = await this.#sure(run, () => apps.forEach((app) => decided.unsureOfServer(app, id)));
    for (const app of assigned) {
      decided.chose(app, free(app, shown, waiting), asked);
      if (!server.isKnown) decided.awaits(app, id, KINDS);
    }
  }

  async #assign(): Promise<void> {
    const { control, decided } = this.#world;
    const app = this.#app();
    const waiting = await this.#waiting();
    const asked = Date.now();
    const run = control.run<{ shown: Shown[] }>('profiles.assign', { profile: 'work', app });
    const unsure = (): void => this.#world.servers.forEach(({ id }) => id !== null && decided.unsureOfServer(app, id));
    const { shown } = await this.#sure(run, unsure);
    decided.chose(app, free(app, shown, waiting), asked);
    for (const { id, isKnown } of this.#world.servers) if (id !== null && !isKnown) decided.awaits(app, id, KINDS);
  }

  /** What asks for an answer is not answered by choosing its server. */
  async #waiting(): Promise<Review[]> {
    const { reviews } = await this.#world.control.run<{ reviews: Review[] }>('review.list');
    return reviews.filter(({ state }) => state === 'pending');
  }

  async #reviews(states: readonly string[]): Promise<Review | undefined> {
    const { reviews } = await this.#world.control.run<{ reviews: Review[] }>('review.list');
    return this.#random.pick(reviews.filter(({ state, kind }) => states.includes(state) && kind === 'tool'));
  }

  async #decide(verdict: 'approved' | 'kept off'): Promise<void> {
    const { control, decided } = this.#world;
    const review = await this.#reviews(verdict === 'approved' ? ['pending', 'kept-off'] : ['pending', 'approved']);
    if (review === undefined) return;
    const { app, ref, targetId: id } = review;
    const command = verdict === 'approved' ? 'review.approve' : 'review.keep-off';
    const asked = Date.now();
    const run = control.run(command, { id: review.id, app, target: id });
    await this.#sure(run, () => decided.unsureOf(app, { ref, id }));
    decided.decided(app, { ref, id }, verdict, asked);
  }

  async #undo(): Promise<void> {
    const { control, decided } = this.#world;
    const review = await this.#reviews(['approved', 'kept-off']);
    if (review === undefined) return;
    const { app, ref, targetId: id } = review;
    const asked = Date.now();
    await this.#sure(control.run('review.undo', { id: review.id, app }), () => decided.unsureOf(app, { ref, id }));
    decided.undid(app, { ref, id }, asked);
  }

  async #sure<T>(run: Promise<T>, otherwise: () => void): Promise<T> {
    try {
      return await run;
    } catch (error) {
      if (!(error instanceof Refused)) otherwise();
      throw error;
    }
  }
}

function free(app: string, shown: readonly Shown[], waiting: readonly Review[]): Shown[] {
  const isWaiting = ({ ref, id }: Shown): boolean =>
    waiting.some((review) => review.app === app && review.ref === ref && review.targetId === id);
  return shown.filter((one) => !isWaiting(one));
}
