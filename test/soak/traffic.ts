import { setTimeout as pause } from 'node:timers/promises';
import { capabilityId, parseRef } from '../../electron/core/identity.ts';
import type { CapabilityRef, JsonObject, ServerId } from '../../electron/core/model.ts';
import { bridgeOf, type Message, type RawClient } from '../support/raw-client.ts';
import { Gone } from './control-client.ts';
import type { Random } from './random.ts';
import type { Arrived } from './servers.ts';
import type { Surface, World } from './world.ts';

/** What an app does with one connection. */
const USES = {
  echo: 20,
  plain: 8,
  list: 10,
  listEverything: 4,
  prompt: 3,
  read: 3,
  subscribe: 3,
  cancel: 5,
  progress: 3,
  log: 2,
  storm: 2,
  crash: 2,
  large: 1,
  wait: 4,
} as const;
type Use = keyof typeof USES;

/** Longer than a call may wait for its server, and for its answer. */
const ANSWER_MS = 100_000;
const MAX_TRIES = 10;

/** Calls are known by a marker, from the app that makes them to the server that gets them. */
export class Markers {
  readonly #sent = new Map<string, { readonly app: string; readonly at: number }>();
  #last = 0;

  next(app: string): string {
    const marker = `call-${++this.#last}`;
    this.#sent.set(marker, { app, at: Date.now() });
    return marker;
  }

  /** Each use that came through is looked at once. */
  check(world: World, { server, tool, marker, shown, showings, at }: Arrived): void {
    const sent = this.#sent.get(marker);
    if (sent === undefined) return;
    const isAllowed = shown.some((one) => world.decided.isAllowed(sent.app, one, sent.at, at));
    const once = [...new Map(shown.map((one) => [`${one.ref} ${one.id}`, one])).values()];
    const told = (): string => {
      const decisions = once.map((one) => `\n    ${world.decided.told(sent.app, one)}`);
      const call = `${marker}, under way for ${at - sent.at} ms, looked at ${Date.now() - at} ms later`;
      const said = showings.slice(-8).map((one) => `${one.at - at} ms ${one.shown?.id.slice(-8) ?? 'not there'}`);
      return `${sent.app} called ${tool} of ${server.name} (${call}), which said ${said.join(', ')}${decisions.join('')}`;
    };
    world.invariants.check('pinned', isAllowed, told);
  }
}

export class Traffic {
  readonly #world: World;
  readonly #random: Random;
  readonly #app: string;
  readonly #markers: Markers;

  constructor(world: World, random: Random, app: string, markers: Markers) {
    this.#world = world;
    this.#random = random;
    this.#app = app;
    this.#markers = markers;
  }

  /** One process of the app after another. */
  async live(): Promise<void> {
    while (!this.#world.isOver) {
      await this.#world.gateway.ready();
      const app = bridgeOf(this.#app, this.#world.installation);
      this.#world.count('app: started');
      if (await this.#bounded('initialize', app.introduce(), () => app.isGone)) await this.#work(app);
      const isKilled = this.#random.chance(0.3);
      this.#world.count(isKilled ? 'app: killed' : 'app: left');
      await app.leave(isKilled);
      await pause(this.#random.below(400));
    }
  }

  /** Some uses at once, some one after the other. */
  async #work(app: RawClient): Promise<void> {
    const turns = 5 + this.#random.below(40);
    const open: Promise<unknown>[] = [];
    for (let turn = 0; turn < turns && !app.isGone && !this.#world.isOver; turn++) {
      const use = this.#random.weighted(USES);
      this.#world.count(`use: ${use}`);
      const done = this.#use(app, use).catch((error: unknown) => {
        if (!(error instanceof Gone)) throw error;
      });
      open.push(done);
      if (this.#random.chance(0.7)) await done;
      await pause(this.#random.below(60));
    }
    // Now and then it leaves in the middle of its calls.
    if (this.#random.chance(0.7)) await Promise.all(open);
    else await Promise.race([Promise.all(open), pause(50)]);
  }

  #use(app: RawClient, use: Use): Promise<unknown> {
    switch (use) {
      case 'echo':
        return this.#echo(app);
      case 'list':
        return this.#list(app);
      case 'listEverything':
        return this.#all(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'], app);
      case 'cancel':
        return this.#cancel(app);
      case 'prompt':
        return this.#ask(app, 'prompts/get', { name: `ask-${this.#someServer()}` });
      case 'read':
        return this.#ask(app, 'resources/read', { uri: `x://${this.#someServer()}/a` });
      case 'subscribe':
        return this.#subscribe(app);
      default:
        return this.#call(app, DEEDS[use]);
    }
  }

  async #all(methods: readonly string[], app: RawClient): Promise<void> {
    await Promise.all(methods.map((method) => this.#ask(app, method)));
  }

  #someServer(): string {
    return this.#random.pick(this.#world.servers)?.name ?? '';
  }

  async #subscribe(app: RawClient): Promise<void> {
    const uri = `x://${this.#someServer()}/a`;
    await this.#ask(app, 'resources/subscribe', { uri });
    if (this.#random.chance(0.5)) await this.#ask(app, 'resources/unsubscribe', { uri });
  }

  /** A tool of the surface, by the name that the app knows. */
  async #tool(): Promise<string> {
    const { entries } = await this.#world.look(this.#app);
    return this.#random.pick(entries.filter(({ kind }) => kind === 'tool'))?.name ?? 'none';
  }

  async #call(app: RawClient, deed: object): Promise<Message | null> {
    const name = await this.#tool();
    const args = { ...deed, marker: this.#markers.next(this.#app) };
    return this.#ask(app, 'tools/call', { name, arguments: args, _meta: { progressToken: args.marker } });
  }

  /** What comes back is what went out, or a refusal in words. */
  async #echo(app: RawClient): Promise<void> {
    const marker = this.#markers.next(this.#app);
    const params = { name: await this.#tool(), arguments: { do: 'echo', marker } };
    const answer = await this.#ask(app, 'tools/call', params);
    if (answer === null) return;
    const text = JSON.stringify(answer);
    const isRefused = answer.error !== undefined || answer.result?.['isError'] === true;
    this.#world.count(isRefused ? 'call: refused' : 'call: answered');
    this.#world.invariants.check(
      'answered',
      isRefused || text.includes(marker),
      () => `${marker}: ${text.slice(0, 500)}`,
    );
  }

  async #cancel(app: RawClient): Promise<void> {
    const params = { name: await this.#tool(), arguments: { do: 'hang', marker: this.#markers.next(this.#app) } };
    const { id, answer } = app.begin('tools/call', params);
    await Promise.race([answer, pause(this.#random.below(300))]);
    app.cancel(id);
  }

  /**
   * What is listed is what the surface says, where no other publication came in between. A publication is in force a moment
   * after it is on the disk, so a difference has to last.
   */
  async #list(app: RawClient): Promise<void> {
    for (let tries = 1; ; tries++) {
      const wrong = await this.#listOnce(app);
      if (wrong === null) return;
      const isSure = wrong.length === 0 || tries === MAX_TRIES;
      if (isSure) this.#world.invariants.check('listed', wrong.length === 0, () => `${this.#app}: ${wrong.join('; ')}`);
      if (isSure) return;
      await pause(300);
    }
  }

  /** In what they differ; `null` where nothing can be said. */
  async #listOnce(app: RawClient): Promise<string[] | null> {
    const before = await this.#world.look(this.#app);
    const answer = await this.#ask(app, 'tools/list');
    const after = await this.#world.look(this.#app);
    if (answer?.result === undefined || before.manifestId !== after.manifestId || before.epoch !== after.epoch)
      return null;
    return differences(before, (answer.result['tools'] ?? []) as JsonObject[], this.#world); // looked at there
  }

  /** `null` where the connection went away first. */
  #ask(app: RawClient, method: string, params: object = {}): Promise<Message | null> {
    return this.#bounded(method, app.ask(method, params), () => app.isGone);
  }

  async #bounded<T>(what: string, answer: Promise<T>, isGone: () => boolean): Promise<T | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), ANSWER_MS)));
    const first = await Promise.race([answer, late]);
    clearTimeout(timer);
    this.#world.invariants.check('answered', first !== 'late' || isGone(), () => `${this.#app}: no answer to ${what}`);
    return first === 'late' ? null : first;
  }
}

const DEEDS: Readonly<
  Record<Exclude<Use, 'echo' | 'list' | 'listEverything' | 'cancel' | 'prompt' | 'read' | 'subscribe'>, object>
> = {
  plain: {},
  progress: { do: 'progress', count: 20 },
  log: { do: 'log', level: 'info' },
  storm: { do: 'storm', count: 200 },
  crash: { do: 'exit' },
  large: { do: 'big', bytes: 1_000_000 },
  wait: { do: 'wait', ms: 200 },
};

/** In what a list is not the surface. */
function differences(surface: Surface, tools: readonly JsonObject[], world: World): string[] {
  const expected = surface.entries.filter(({ kind }) => kind === 'tool');
  const listed = new Map(tools.map((tool) => [tool['name'], tool]));
  const extra = [...listed.keys()].filter((name) => !expected.some((entry) => entry.name === name));
  const wrong = expected.filter(({ name, ref, id }) => {
    const { server, originKey } = parseRef(ref as CapabilityRef); // from the product's own answer
    const definition = listed.get(name);
    const route = routeOf(world, server);
    if (definition === undefined) return true;
    if (route === undefined) return false; // the server was removed meanwhile
    return (
      capabilityId({
        serverId: server,
        kind: 'tool',
        originKey,
        route,
        definition: { ...definition, name: originKey },
      }) !== id
    );
  });
  return [
    ...extra.map((name) => `${JSON.stringify(name)} too many`),
    ...wrong.map(({ name }) => `${name} is missing or another`),
  ];
}

function routeOf(world: World, id: ServerId) {
  return world.servers.find((server) => server.id === id)?.route;
}
