import type { Note, Notifier, OnNote } from './note.ts';
import { SessionBus, variant, type Reply, type Signal } from './session-bus.ts';

const SERVICE = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';
/** What the specification calls the click on the note itself. */
const DEFAULT_ACTION = 'default';

interface Shown {
  readonly note: string;
  readonly number: number;
  /** The daemon that gave the number; after its restart the same number is another app's note. */
  readonly daemon: string;
  readonly onNote: OnNote;
  readonly onGone: () => void;
}

/**
 * Notifications with a button on Linux. Electron's own have none there, so this speaks to the notification daemon
 * itself, and only where that daemon says it shows buttons.
 */
export class DbusNotifier implements Notifier {
  readonly #bus: SessionBus;
  readonly #appIcon: string;
  readonly #shown = new Map<string, Shown>();
  /** Signals that overtook the reply which tells a note's number. */
  #early: Signal[] = [];
  #underway = 0;

  constructor(appIcon: string) {
    this.#appIcon = appIcon;
    this.#bus = new SessionBus(
      [`type='signal',interface='${SERVICE}',path='${PATH}'`],
      (signal) => {
        this.#hear(signal);
      },
      () => {
        const lost = [...this.#shown.values()];
        this.#shown.clear();
        for (const { onGone } of lost) onGone();
      },
    );
  }

  async notify(note: Note, onNote: OnNote, onGone: () => void): Promise<boolean> {
    this.#underway += 1;
    try {
      const capabilities = await this.#call('GetCapabilities');
      const can = (capability: string): boolean =>
        Array.isArray(capabilities.body[0]) && capabilities.body[0].includes(capability);
      if (!can('actions')) return false;
      const reply = await this.#call(
        'Notify',
        'susssasa{sv}i',
        this.#arguments(note, capabilities.sender, can('body-markup')),
      );
      const number = reply.body[0];
      if (typeof number !== 'number') return false;
      this.#shown.set(note.id, { note: note.id, number, daemon: reply.sender, onNote, onGone });
      return true;
    } catch {
      return false; // no bus or no daemon: whoever asked has other ways to tell
    } finally {
      this.#underway -= 1;
      this.#hearEarly();
    }
  }

  close(id: string): void {
    const shown = this.#shown.get(id);
    if (shown === undefined) return;
    this.#shown.delete(id);
    const { daemon: destination, number } = shown;
    // Fails where the daemon that showed it is gone, and the note with it.
    this.#call('CloseNotification', 'u', [number], destination).catch(() => undefined);
  }

  dispose(): void {
    for (const id of [...this.#shown.keys()]) this.close(id);
    this.#bus.dispose();
  }

  #arguments(note: Note, daemon: string, hasMarkup: boolean): unknown[] {
    const text = (raw: string): string => (hasMarkup ? escapeMarkup(raw) : raw);
    const actions = [
      DEFAULT_ACTION,
      note.openLabel,
      ...(note.button === null ? [] : [note.button.key, note.button.label]),
    ];
    const hints = {
      urgency: variant('y', 1),
      'desktop-entry': variant('s', 'holdfast'),
      'suppress-sound': variant('b', true),
    };
    const before = this.#shown.get(note.id);
    const replaces = before?.daemon === daemon ? before.number : 0;
    return ['Holdfast', replaces, this.#appIcon, note.title, text(note.body), actions, hints, -1];
  }

  #hear(signal: Signal): void {
    if (signal.interface !== SERVICE) return;
    const [number, key] = signal.body;
    const shown = [...this.#shown.values()].find((s) => s.number === number && s.daemon === signal.sender);
    if (shown === undefined) {
      if (this.#underway > 0) this.#early.push(signal);
      return;
    }
    if (signal.member === 'NotificationClosed') {
      this.#shown.delete(shown.note);
      shown.onGone();
    }
    if (signal.member !== 'ActionInvoked' || typeof key !== 'string') return;
    this.#shown.delete(shown.note);
    shown.onNote(key === DEFAULT_ACTION ? null : key);
  }

  #hearEarly(): void {
    const early = this.#early;
    this.#early = [];
    for (const signal of early) this.#hear(signal);
  }

  #call(member: string, signature = '', body: readonly unknown[] = [], destination = SERVICE): Promise<Reply> {
    return this.#bus.call({ destination, path: PATH, interface: SERVICE, member, signature, body });
  }
}

/** Daemons with `body-markup` read links and pictures in a body; a tool's name must not become one. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
