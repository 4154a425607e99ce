import dbus from 'dbus-next';

/** Text, numbers, lists and variants, as the D-Bus signature beside them says. */
type Body = readonly unknown[];

export interface Call {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: Body;
}
export interface Reply {
  readonly sender: string;
  readonly body: Body;
}
export interface Signal extends Reply {
  readonly interface: string;
  readonly member: string;
}

const CALL_TIMEOUT_MS = 5_000;

/**
 * The desktop's session bus: connects at the first call and anew after a loss. Plain messages, because not every
 * service describes itself.
 */
export class SessionBus {
  readonly #rules: readonly string[];
  readonly #onSignal: (signal: Signal) => void;
  readonly #onLost: () => void;
  #bus: dbus.MessageBus | undefined;
  #failPending = new Set<(error: Error) => void>();

  /** Listens to what the match rules describe, on every connection it makes. */
  constructor(rules: readonly string[], onSignal: (signal: Signal) => void, onLost: () => void) {
    this.#rules = rules;
    this.#onSignal = onSignal;
    this.#onLost = onLost;
  }

  /** @throws Error where there is no bus, nobody answers in time, or the answer is an error. */
  async call(call: Call): Promise<Reply> {
    this.#bus ??= this.#connect();
    return this.#send(this.#bus, call);
  }

  dispose(): void {
    const bus = this.#bus;
    this.#bus = undefined;
    this.#fail(new Error('The session bus is no longer used.'));
    bus?.disconnect();
  }

  #connect(): dbus.MessageBus {
    const bus = dbus.sessionBus();
    // Without a listener the loss of the bus would end the app.
    bus.on('error', (error: unknown) => {
      this.#lose(bus, error);
    });
    bus.on('message', (message) => {
      if (this.#bus === bus && message.type === dbus.MessageType.SIGNAL) this.#onSignal(message);
    });
    // The library answers strangers' calls, and throws where nobody can catch it once the stream has ended.
    bus.addMethodHandler(() => this.#bus !== bus);
    for (const rule of this.#rules) {
      // A rule that fails shows in the call that follows it.
      this.#send(bus, { ...BUS_ITSELF, member: 'AddMatch', signature: 's', body: [rule] }).catch(() => undefined);
    }
    return bus;
  }

  #send(bus: dbus.MessageBus, { body = [], ...call }: Call): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#failPending.delete(fail);
      };
      const fail = (error: Error): void => {
        end();
        reject(error);
      };
      const timer = setTimeout(() => {
        fail(new Error(`${call.destination} did not answer.`));
      }, CALL_TIMEOUT_MS);
      this.#failPending.add(fail);
      bus.call(new dbus.Message({ ...call, body: [...body] })).then(
        (reply) => {
          end();
          if (reply === null) reject(new Error('There is no reply.'));
          else resolve(reply);
        },
        (error: unknown) => {
          fail(error instanceof Error ? error : new Error(String(error)));
          // Anything but an answer means that there is nobody to answer.
          if (!(error instanceof dbus.DBusError)) this.#lose(bus, error);
        },
      );
    });
  }

  #lose(bus: dbus.MessageBus, cause: unknown): void {
    if (this.#bus !== bus) return;
    this.#bus = undefined;
    this.#fail(new Error('The session bus is lost.', { cause }));
    this.#onLost();
  }

  #fail(error: Error): void {
    for (const fail of [...this.#failPending]) fail(error);
  }
}

const BUS_ITSELF = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};

/** A value in an `a{sv}` dictionary. */
export function variant(signature: string, value: unknown): unknown {
  return new dbus.Variant(signature, value);
}
