import dbus from 'dbus-next';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const ITEM = 'org.kde.StatusNotifierItem';
const MENU = 'com.canonical.dbusmenu';
const NOTES = 'org.freedesktop.Notifications';
const NOTES_PATH = '/org/freedesktop/Notifications';
const PROPERTIES = 'org.freedesktop.DBus.Properties';

/** A notification as the desktop was asked to show it. */
export interface ShownNote {
  readonly id: number;
  readonly replaces: number;
  readonly summary: string;
  readonly body: string;
  /** Key and label of each. */
  readonly actions: readonly { readonly key: string; readonly label: string }[];
  readonly hints: Readonly<Record<string, unknown>>;
}

/** One line of the tray's menu as a panel would draw it. */
export interface MenuLine {
  readonly id: number;
  readonly label: string;
  readonly isEnabled: boolean;
  readonly lines: readonly MenuLine[];
}

/** `(ia{sv}av)` of the menu protocol. */
type Layout = [id: number, properties: Record<string, dbus.Variant>, children: dbus.Variant<Layout>[]];

const REASON_DISMISSED = 2;
const REASON_CLOSED_BY_APP = 3;

/** A Linux desktop on the session bus: the panel that shows tray icons, and the daemon that shows notifications. */
export class FakeDesktop {
  /** What the daemon says it can do; to be changed before the app asks. */
  capabilities = ['body', 'actions', 'persistence'];
  readonly notes: ShownNote[] = [];
  /** Numbers of notes that the app took away. */
  readonly closed: number[] = [];
  readonly #bus: dbus.MessageBus;
  readonly #items: { service: string; path: string }[] = [];
  #nextNote = 1;
  #isStopped = false;

  private constructor(bus: dbus.MessageBus) {
    this.#bus = bus;
    bus.addMethodHandler((message: dbus.Message) => this.#serve(message));
  }

  /** Takes the two names that every Linux desktop owns; needs a session bus without one. */
  static async start(): Promise<FakeDesktop> {
    const bus = dbus.sessionBus();
    bus.on('error', () => undefined);
    const desktop = new FakeDesktop(bus);
    await bus.requestName(WATCHER, 0);
    await bus.requestName(NOTES, 0);
    return desktop;
  }

  /** How many icons have been registered so far. */
  get icons(): number {
    return this.#items.length;
  }

  stop(): void {
    this.#isStopped = true;
    this.#bus.disconnect();
  }

  async tooltip(): Promise<string> {
    // (icon name, icon pixmaps, title, text)
    const [, , title] = (await this.#itemProperty('ToolTip')) as [string, unknown, string, string];
    return title;
  }

  /** The bytes of the largest picture of the icon: two states look alike when these are equal. */
  async icon(): Promise<string> {
    const pictures = (await this.#itemProperty('IconPixmap')) as [number, number, Buffer][];
    const largest = [...pictures].sort(([a], [b]) => b - a)[0];
    return largest === undefined ? '' : Buffer.from(largest[2]).toString('base64');
  }

  async menu(): Promise<readonly MenuLine[]> {
    const { service, path } = await this.#menu();
    const [, root] = await this.#call(service, path, MENU, 'GetLayout', 'iias', [0, -1, []]);
    return linesOf(root as Layout);
  }

  /** Clicks the line that is reached over these labels. */
  async clickMenu(...labels: readonly string[]): Promise<void> {
    let lines = await this.menu();
    for (const [depth, label] of labels.entries()) {
      const line = lines.find((other) => other.label === label);
      if (line === undefined) throw new Error(`The menu has no “${label}”: ${lines.map((l) => l.label).join(', ')}`);
      lines = line.lines;
      if (depth < labels.length - 1) continue;
      const { service, path } = await this.#menu();
      await this.#call(service, path, MENU, 'Event', 'isvu', [line.id, 'clicked', new dbus.Variant('s', ''), 0]);
    }
  }

  /** A left click on the icon. */
  async clickTray(): Promise<void> {
    const { service, path } = await this.#item();
    await this.#call(service, path, ITEM, 'Activate', 'ii', [0, 0]);
  }

  /** Presses a button of a note, or with `default` the note itself; like most daemons, closes it. */
  pressNote(id: number, key: string): void {
    this.#signal('ActionInvoked', 'us', [id, key]);
    this.#signal('NotificationClosed', 'uu', [id, REASON_DISMISSED]);
  }

  /** The person closes a note without having read it, or with having. */
  dismissNote(id: number): void {
    this.#signal('NotificationClosed', 'uu', [id, REASON_DISMISSED]);
  }

  /** Presses the one button of a note as it was when it was shown. */
  pressButton({ id, actions }: ShownNote): void {
    const button = actions.find(({ key }) => key !== 'default');
    if (button === undefined) throw new Error('The note has no button.');
    this.pressNote(id, button.key);
  }

  #serve(message: dbus.Message): boolean {
    // What arrives late is dropped: an answer would be written to a stream that has ended.
    if (this.#isStopped) return true;
    const answer = this.#answer(message);
    if (answer === undefined) return false;
    this.#bus.send(dbus.Message.newMethodReturn(message, answer.signature, answer.body));
    return true;
  }

  #answer({ interface: name, member, body, sender }: dbus.Message): { signature: string; body: unknown[] } | undefined {
    switch (`${name}.${member}`) {
      case `${WATCHER}.RegisterStatusNotifierItem`:
        return this.#register(String(body[0]), sender);
      case `${WATCHER}.RegisterStatusNotifierHost`:
        return { signature: '', body: [] };
      case `${PROPERTIES}.Get`:
        return { signature: 'v', body: [WATCHER_PROPERTIES[String(body[1])] ?? new dbus.Variant('s', '')] };
      case `${PROPERTIES}.GetAll`:
        return { signature: 'a{sv}', body: [WATCHER_PROPERTIES] };
      case `${NOTES}.GetCapabilities`:
        return { signature: 'as', body: [this.capabilities] };
      case `${NOTES}.GetServerInformation`:
        return { signature: 'ssss', body: ['fake', 'test', '1', '1.2'] };
      case `${NOTES}.Notify`:
        return { signature: 'u', body: [this.#show(body)] };
      case `${NOTES}.CloseNotification`:
        this.closed.push(Number(body[0]));
        this.#signal('NotificationClosed', 'uu', [Number(body[0]), REASON_CLOSED_BY_APP]);
        return { signature: '', body: [] };
      default:
        return undefined;
    }
  }

  #register(service: string, sender: string): { signature: string; body: unknown[] } {
    const slash = service.indexOf('/');
    if (slash < 0) this.#items.push({ service, path: '/StatusNotifierItem' });
    else this.#items.push({ service: service.slice(0, slash) || sender, path: service.slice(slash) });
    return { signature: '', body: [] };
  }

  #show(body: readonly unknown[]): number {
    // susssasa{sv}i, as the specification has it
    const [, replaces, , summary, text, actions, hints] = body as [
      string,
      number,
      string,
      string,
      string,
      string[],
      Record<string, dbus.Variant>,
      number,
    ];
    const id = replaces === 0 ? this.#nextNote++ : replaces;
    this.notes.push({
      id,
      replaces,
      summary,
      body: text,
      actions: actions.flatMap((key, i) => (i % 2 === 0 ? [{ key, label: actions[i + 1] ?? '' }] : [])),
      hints: Object.fromEntries(Object.entries(hints).map(([key, { value }]) => [key, value])),
    });
    return id;
  }

  #signal(member: string, signature: string, body: unknown[]): void {
    this.#bus.send(dbus.Message.newSignal(NOTES_PATH, NOTES, member, signature, body));
  }

  /** The newest icon; waits for it, because an app that starts has none yet. */
  async #item(): Promise<{ service: string; path: string }> {
    for (const end = Date.now() + 15_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
      const item = this.#items.at(-1);
      if (item !== undefined) return item;
    }
    throw new Error('No tray icon appeared.');
  }

  async #itemProperty(name: string): Promise<unknown> {
    const { service, path } = await this.#item();
    const [value] = await this.#call(service, path, PROPERTIES, 'Get', 'ss', [ITEM, name]);
    return (value as dbus.Variant).value;
  }

  async #menu(): Promise<{ service: string; path: string }> {
    const { service } = await this.#item();
    return { service, path: String(await this.#itemProperty('Menu')) };
  }

  /** Plain messages: Chromium's tray icon does not describe itself, so there can be no proxy for it. */
  async #call(destination: string, path: string, name: string, member: string, signature: string, body: unknown[]) {
    const message = new dbus.Message({ destination, path, interface: name, member, signature, body });
    const reply = await this.#bus.call(message);
    return reply?.body ?? [];
  }
}

const WATCHER_PROPERTIES: Readonly<Record<string, dbus.Variant>> = {
  IsStatusNotifierHostRegistered: new dbus.Variant('b', true),
  ProtocolVersion: new dbus.Variant('i', 0),
  RegisteredStatusNotifierItems: new dbus.Variant('as', []),
};

function linesOf([, , children]: Layout): MenuLine[] {
  return children
    .map(({ value }) => value)
    .filter(([, { type }]) => type?.value !== 'separator')
    .map((line) => {
      const [id, { label, enabled }] = line;
      // An underscore marks the letter to press; two are one.
      const text = String(label?.value ?? '').replaceAll(/_(_?)/g, '$1');
      return { id, label: text, isEnabled: enabled?.value !== false, lines: linesOf(line) };
    });
}
