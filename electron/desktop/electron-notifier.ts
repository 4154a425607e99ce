import { Notification } from 'electron';
import type { Note, Notifier, OnNote } from './note.ts';
import { isGone, toastOf, type ToOptions } from './toast.ts';

/** Not every desktop says that it has shown a note. */
const SHOW_TIMEOUT_MS = 5_000;

/** Electron's own notifications: with a button on macOS (signed apps) and Windows, without one elsewhere. */
export class ElectronNotifier implements Notifier {
  /** A note that is not kept here loses its events to the garbage collector. */
  readonly #shown = new Map<string, Notification>();

  readonly #toOptions: ToOptions = toastOf(process.platform);
  readonly #appIcon: string;
  #hasShown = false;

  /** @param onCold called for a click on a note of an earlier run, which only Windows passes on */
  constructor(appIcon: string, onCold: () => void) {
    this.#appIcon = appIcon;
    // Older versions have no such thing. What it says of notes of this run, their own events say as well.
    if (process.platform !== 'win32' || !('handleActivation' in Notification)) return;
    Notification.handleActivation(() => {
      if (!this.#hasShown) onCold();
    });
  }

  notify(note: Note, onNote: OnNote, onGone: () => void): Promise<boolean> {
    if (!Notification.isSupported()) return Promise.resolve(false);
    this.close(note.id);
    this.#hasShown = true;
    const shown = new Notification(this.#toOptions(note, this.#appIcon));
    this.#shown.set(note.id, shown);
    this.#listen(note, shown, onNote, onGone);
    return new Promise((resolve) => {
      setTimeout(resolve, SHOW_TIMEOUT_MS, false).unref();
      shown.once('show', () => {
        resolve(true);
      });
      shown.once('failed', () => {
        this.#forget(note.id, shown);
        resolve(false);
      });
      shown.show();
    });
  }

  close(id: string): void {
    const shown = this.#shown.get(id);
    this.#shown.delete(id);
    shown?.close();
  }

  dispose(): void {
    for (const id of [...this.#shown.keys()]) this.close(id);
  }

  #listen(note: Note, shown: Notification, onNote: OnNote, onGone: () => void): void {
    const finish = (key: string | null): void => {
      if (this.#shown.get(note.id) !== shown) return;
      this.#forget(note.id, shown);
      onNote(key);
    };
    // There is one button, so which one it was needs no asking; its number has moved between Electron's versions.
    shown.on('action', () => {
      if (note.button !== null) finish(note.button.key);
    });
    shown.on('click', () => {
      finish(null);
    });
    shown.on('close', ({ reason }) => {
      if (!isGone(reason) || this.#shown.get(note.id) !== shown) return;
      this.#forget(note.id, shown);
      onGone();
    });
  }

  #forget(id: string, shown: Notification): void {
    if (this.#shown.get(id) === shown) this.#shown.delete(id);
  }
}
