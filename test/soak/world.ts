import type { Installation } from '../support/holdfast.ts';
import type { ControlClient } from './control-client.ts';
import type { Decided, Shown } from './decided.ts';
import type { SoakGateway } from './gateway.ts';
import type { Invariants } from './invariants.ts';
import type { SoakServer } from './servers.ts';

export interface Surface {
  readonly app: string;
  readonly epoch: number;
  readonly manifestId: string | null;
  readonly entries: readonly (Shown & { readonly name: string; readonly kind: string; readonly originKey: string })[];
}

export interface WorldParts {
  readonly installation: Installation;
  readonly gateway: SoakGateway;
  readonly control: ControlClient;
  readonly invariants: Invariants;
  readonly decided: Decided;
  readonly servers: readonly SoakServer[];
  readonly apps: readonly string[];
}

/** What all who act in the soak share. */
export class World implements WorldParts {
  readonly installation: Installation;
  readonly gateway: SoakGateway;
  readonly control: ControlClient;
  readonly invariants: Invariants;
  readonly decided: Decided;
  readonly servers: readonly SoakServer[];
  readonly apps: readonly string[];
  /** How often each thing happened. */
  readonly events = new Map<string, number>();
  isOver = false;
  /** No more restarts: the life that is measured for growth. */
  isLastLife = false;
  readonly #epochs = new Map<string, number>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: WorldParts) {
    this.installation = parts.installation;
    this.gateway = parts.gateway;
    this.control = parts.control;
    this.invariants = parts.invariants;
    this.decided = parts.decided;
    this.servers = parts.servers;
    this.apps = parts.apps;
  }

  count(event: string): void {
    this.events.set(event, (this.events.get(event) ?? 0) + 1);
  }

  /** One after another: what a person does, and what must not be disturbed by it. */
  exclusively<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Servers that are added at present. */
  present(): SoakServer[] {
    return this.servers.filter(({ id }) => id !== null);
  }

  /** What an app gets; its epoch is looked at on the way. */
  async look(app: string): Promise<Surface> {
    const surface = await this.control.run<Surface>('surface', { app });
    const before = this.#epochs.get(app) ?? 0;
    this.invariants.check('epoch', surface.epoch >= before, () => `${app}: ${surface.epoch} after ${before}`);
    this.#epochs.set(app, Math.max(before, surface.epoch));
    return surface;
  }
}
