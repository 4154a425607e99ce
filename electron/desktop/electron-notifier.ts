import { Notification } from 'electron';
import type { Note, Notifier, OnNote } from './note.ts';

/** Not every desktop says that it has shown a note. */
const SHOW_TIMEOUT_MS = 5_000;

/** Electron's own notifications: with a button on macOS (signed apps) and Windows, without one elsewhere. */
export class ElectronNotifier implements Notifier {
  /** A note that is not kept here loses its events to the garbage collector. */
  readonly #shown = new Map<string, Notification>();

  notify(note: Note, onNote: OnNote): Promise<boolean> {
    if (!Notification.isSupported()) return Promise.resolve(false);
    this.close(note.id);
    const shown = new Notification({
      title: note.title,
      body: note.body,
      silent: true,
      actions: note.button === null ? [] : [{ type: 'button', text: note.button.label }],
    });
    this.#shown.set(note.id, shown);
    this.#listen(note, shown, onNote);
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

  #listen(note: Note, shown: Notification, onNote: OnNote): void {
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
      // It went from the screen into the list of notifications, where it can still be clicked and has to be removed.
      if (reason !== 'timedOut') this.#forget(note.id, shown);
    });
  }

  #forget(id: string, shown: Notification): void {
    if (this.#shown.get(id) === shown) this.#shown.delete(id);
  }
}
