import { app } from 'electron';
import type { OpenWish } from '../control/getting-port.ts';

/**
 * What a person opened with this app, from the start on: macOS tells it by events, which come before anything can show
 * it, so it waits until somebody listens. Only the last one counts while nobody does.
 */
export class Opened {
  #waiting: OpenWish | undefined;
  #listener: ((wish: OpenWish) => void) | undefined;

  constructor(first: OpenWish | undefined) {
    this.#waiting = first;
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.tell({ type: 'link', text: link });
    });
    app.on('open-file', (event, file) => {
      event.preventDefault();
      this.tell({ type: 'file', text: file });
    });
  }

  tell(wish: OpenWish): void {
    if (this.#listener === undefined) this.#waiting = wish;
    else this.#listener(wish);
  }

  listen(listener: (wish: OpenWish) => void): void {
    this.#listener = listener;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) listener(waiting);
  }
}
