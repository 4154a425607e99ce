import { DbusNotifier } from './dbus-notifier.ts';
import { ElectronNotifier } from './electron-notifier.ts';
import type { Note, Notifier, OnNote } from './note.ts';

/** The notifier for this desktop. On Linux Electron's own is the fallback, without a button. */
export function desktopNotifier(appIcon: string, onCold: () => void): Notifier {
  const own = new ElectronNotifier(appIcon, onCold);
  return process.platform === 'linux' ? new FirstThatCan([new DbusNotifier(appIcon), own]) : own;
}

/** Asks one notifier after the other until one shows the note. */
class FirstThatCan implements Notifier {
  readonly #notifiers: readonly Notifier[];

  constructor(notifiers: readonly Notifier[]) {
    this.#notifiers = notifiers;
  }

  async notify(note: Note, onNote: OnNote, onGone: () => void): Promise<boolean> {
    for (const notifier of this.#notifiers) if (await notifier.notify(note, onNote, onGone)) return true;
    return false;
  }

  close(id: string): void {
    for (const notifier of this.#notifiers) notifier.close(id);
  }

  dispose(): void {
    for (const notifier of this.#notifiers) notifier.dispose();
  }
}
