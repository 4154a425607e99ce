import type { Banner, Place, ReviewView, Snapshot } from '../../electron/control/snapshot.ts';
import type { Answer, HoldfastApi, OpenWish } from '../../electron/ipc/contract.ts';
import { snapshot } from '../support/desktop-samples.ts';

export type Answers = Readonly<Record<string, (input: never) => Answer<unknown>>>;

/** The main process as the window sees it: reviews that can be decided, and a record of what was asked. */
export class FakeApi implements HoldfastApi {
  readonly asked: [command: string, input: unknown][] = [];
  /** Answers that come instead of the usual ones. */
  answers: Answers = {};
  current: Snapshot;
  #onSnapshot: (snapshot: Snapshot) => void = () => undefined;
  #onFocus: (place: Place) => void = () => undefined;
  #onBanner: (banner: Banner) => void = () => undefined;
  #onOpen: (wish: OpenWish) => void = () => undefined;

  constructor(given: Partial<Snapshot> = {}) {
    this.current = snapshot(given);
  }

  invoke: HoldfastApi['invoke'] = (command, input) => {
    this.asked.push([command, input]);
    const answer = this.answers[command]?.(input as never) ?? this.#answer(command, input);
    return Promise.resolve(answer as never); // one function stands for all commands
  };

  onSnapshot(listener: (snapshot: Snapshot) => void): () => void {
    this.#onSnapshot = listener;
    return () => (this.#onSnapshot = () => undefined);
  }

  onFocus(listener: (place: Place) => void): () => void {
    this.#onFocus = listener;
    return () => (this.#onFocus = () => undefined);
  }

  onOpen(listener: (wish: OpenWish) => void): () => void {
    this.#onOpen = listener;
    return () => (this.#onOpen = () => undefined);
  }

  onBanner(listener: (banner: Banner) => void): () => void {
    this.#onBanner = listener;
    return () => (this.#onBanner = () => undefined);
  }

  pathOf(file: File): string {
    return `/dropped/${file.name}`;
  }

  banner(banner: Banner): void {
    this.#onBanner(banner);
  }

  open(wish: OpenWish): void {
    this.#onOpen(wish);
  }

  push(given: Partial<Snapshot>): void {
    this.current = { ...this.current, sequence: this.current.sequence + 1, ...given };
    this.#onSnapshot(this.current);
  }

  focus(place: string): void {
    this.#onFocus(place as Place); // a sample id, or a screen
  }

  #answer(command: string, input: object): Answer<unknown> {
    const id = 'id' in input ? input.id : undefined;
    const states = { 'review.approve': 'approved', 'review.keep-off': 'kept-off', 'review.undo': 'pending' } as const;
    if (command === 'snapshot') return { ok: true, value: this.current };
    if (!(command in states)) return { ok: true, value: null };
    const state = states[command as keyof typeof states]; // looked up above
    const decision = state === 'pending' ? null : this.current.sequence + 1;
    const ids = 'reviews' in input ? (input.reviews as string[]) : [id]; // of an incident: those that were shown
    // Of several, what is risky is left, but for what a group's own id names.
    const isWhole = String(id).startsWith('inc-') && !String(id).includes('.') && state === 'approved';
    const isMeant = (view: ReviewView): boolean => ids.includes(view.id) && !(isWhole && view.severity === 'security');
    const meant = this.current.reviews.filter(isMeant).map((view) => view.id);
    const change = (view: ReviewView): ReviewView => (meant.includes(view.id) ? { ...view, state, decision } : view);
    this.push({ reviews: this.current.reviews.map(change) });
    return {
      ok: true,
      value: { reviews: this.current.reviews.filter((view) => meant.includes(view.id)), changed: [] },
    };
  }
}
