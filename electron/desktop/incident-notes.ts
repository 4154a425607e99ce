import type { ReviewView, Snapshot } from '../control/snapshot.ts';
import type { IncidentId, ReviewId } from '../core/model.ts';
import { noticeOf, type IncidentNews, type Notice, type ShownReview } from './notices.ts';
import type { Notifier } from './note.ts';

export interface IncidentNotesDeps {
  readonly notifier: Notifier;
  readonly snapshot: () => Snapshot;
  /** What an incident took away, by name, and whose server it was. */
  readonly removedBy: (incident: IncidentId) => Promise<Omit<IncidentNews, 'reviews'>>;
  readonly run: (command: 'review.approve', input: { id: ReviewId; target: string }) => Promise<unknown>;
  /** Opens the window, on one review where there is one. */
  readonly open: (review?: ReviewId) => void;
  /** True while the person looks at the window, which shows the same. */
  readonly isWindowInFront: () => boolean;
}

/** One notification per incident: shows it, carries out its button, and takes it away once it is decided elsewhere. */
export class IncidentNotes {
  readonly #deps: IncidentNotesDeps;
  readonly #live = new Map<IncidentId, readonly ShownReview[]>();

  constructor(deps: IncidentNotesDeps) {
    this.#deps = deps;
  }

  /** Resolves when the note is shown, or when there is nothing to show it for or on. */
  async notify(incident: IncidentId): Promise<void> {
    if (this.#deps.isWindowInFront()) return;
    const notice = await this.#notice(incident);
    if (notice === null) return;
    const { title, body, button, openLabel, reviews } = notice;
    this.#live.set(incident, reviews);
    const note = { id: incident, title, body, openLabel, button: button && { key: button.act, label: button.label } };
    const isShown = await this.#deps.notifier.notify(note, (key) => {
      this.#live.delete(incident);
      if (key === 'approve') void this.#approve(reviews);
      else this.#deps.open(reviews[0]?.id);
    });
    if (!isShown) this.#live.delete(incident);
    // It may have been decided while the desktop was slow to show it.
    else this.update(this.#deps.snapshot());
  }

  /** Takes away the notes that no longer have a question. */
  update({ reviews }: Snapshot): void {
    const pending = new Set(reviews.filter(({ state }) => state === 'pending').map(({ id }) => id));
    for (const [incident, asked] of this.#live) {
      if (asked.length === 0 || asked.some(({ id }) => pending.has(id))) continue;
      this.#live.delete(incident);
      this.#deps.notifier.close(incident);
    }
  }

  async #notice(incident: IncidentId): Promise<Notice | null> {
    const snapshot = this.#deps.snapshot();
    const reviews = snapshot.reviews.filter((review) => review.incident === incident);
    const [first] = reviews;
    if (first !== undefined && reviews.some(isAsking))
      return noticeOf({ serverName: first.serverName, reviews, removed: [], unusable: [] }, snapshot.language);
    return noticeOf({ reviews: [], ...(await this.#deps.removedBy(incident)) }, snapshot.language);
  }

  /** Each approval names what was shown: where the tool has moved on since, the person decides in the window. */
  async #approve(reviews: readonly ShownReview[]): Promise<void> {
    for (const review of reviews) {
      try {
        await this.#deps.run('review.approve', review);
      } catch {
        this.#deps.open(review.id); // the window shows what there is to decide now
        return;
      }
    }
  }
}

function isAsking({ state, quiet }: ReviewView): boolean {
  return state === 'pending' && !quiet;
}
