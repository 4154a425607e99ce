import { createHash } from 'node:crypto';
import type { Banner, Place, Snapshot } from '../control/snapshot.ts';
import type { IncidentId, ReviewId, ServerId } from '../core/model.ts';
import {
  hear,
  NOTHING_YET,
  notShown,
  plan,
  planTried,
  type Facts,
  type Lost,
  type Told,
  type Tried,
} from './note-plan.ts';
import { noticeOf, triedNotice, type Notice, type ShownReview } from './notices.ts';
import type { Notifier } from './note.ts';

/** Time, so that tests can play it. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Returns what calls it off. */
  after(delayMs: number, act: () => void): () => void;
}

export interface NotesDeps {
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly snapshot: () => Snapshot;
  /** What an incident took away, as far as it is still gone. */
  readonly lost: (incident: IncidentId) => Lost;
  /** Servers in use that do not run. */
  readonly broken: () => readonly ServerId[];
  /** How many tools of a server are in force. */
  readonly inForce: (server: ServerId) => number;
  readonly run: (command: 'review.approve', input: { id: ReviewId; target: string }) => Promise<unknown>;
  readonly open: (place: Place) => void;
  /** Of this incident the person need not hear any more. */
  readonly told: (incident: IncidentId) => void;
  /** True while the person looks at the window: it is told there. */
  readonly isWindowInFront: () => boolean;
  /** Shows it in the window, in place of an earlier one. */
  readonly banner: (banner: Banner) => void;
}

/** One of each at most is on the screen; a later one takes its place. */
type NoteId = 'changes' | 'tried' | 'broken';

interface Live {
  readonly reviews: readonly ShownReview[];
  readonly place: Place;
}

/** Shows what the planner decides, carries out the button, and takes a note away once it asks nothing any more. */
export class Notes {
  readonly #deps: NotesDeps;
  readonly #live = new Map<NoteId, Live>();
  #memory = NOTHING_YET;
  #banner: Facts['banner'] = { at: 0, reviews: new Set() };
  #callOff: () => void = () => undefined;
  #isShowing = false;

  constructor(deps: NotesDeps) {
    this.#deps = deps;
  }

  /** An incident that the person should hear of, in its time. */
  hear(incident: IncidentId): void {
    this.#memory = hear(this.#memory, incident, this.#deps.clock.now());
    this.look();
  }

  /** An app tried to use something that is off. */
  tried(tried: Tried): void {
    const snapshot = this.#deps.snapshot();
    const planned = planTried(this.#memory, this.#facts(snapshot), tried);
    if (planned === null) return;
    const { language, apps } = snapshot;
    const app = apps.find(({ id }) => id === tried.consumer)?.name ?? tried.consumer;
    const notice = triedNotice(app, planned.reviews, language);
    if (notice === null) return;
    this.#memory = planned.memory;
    const about = new Set(planned.reviews.map(({ id }) => id));
    if (this.#live.get('changes')?.reviews.every(({ id }) => about.has(id)) === true) this.#close('changes');
    void this.#put('tried', notice);
    this.look();
  }

  /** Takes away the notes that no longer have a question; to be called after every commit. */
  update(snapshot: Snapshot): void {
    const { reviews } = snapshot;
    const pending = new Set(reviews.filter(({ state }) => state === 'pending').map(({ id }) => id));
    for (const [id, { reviews: asked }] of this.#live)
      if (asked.length > 0 && !asked.some((review) => pending.has(review.id))) this.#close(id);
    for (const [id, { place }] of this.#live)
      if (place.startsWith('con-') && !snapshot.continuity.some((question) => question.id === place)) this.#close(id);
    if (this.#live.has('broken') && this.#deps.broken().length === 0) this.#close('broken');
    this.look(snapshot);
  }

  /** Looks whether it is time to tell something: the clock may have jumped, or the window has come to the front. */
  look(snapshot: Snapshot = this.#deps.snapshot()): void {
    if (this.#isShowing) return; // it looks again when that is done
    this.#callOff();
    const { memory, note, banner, told, settled, lookAgainAt } = plan(this.#memory, this.#facts(snapshot));
    this.#memory = memory;
    if (lookAgainAt !== null) this.#lookAt(lookAgainAt);
    for (const incident of settled) this.#deps.told(incident);
    if (note !== null) void this.#show(note, told);
    if (banner !== null) this.#tellInWindow(banner, snapshot);
  }

  #tellInWindow(told: Told, { language, continuity }: Snapshot): void {
    const notice = noticeOf(told, this.#deps.inForce, language, continuity);
    if (notice === null) return;
    const { title, body, openLabel, place, reviews } = notice;
    this.#banner = { at: this.#deps.clock.now(), reviews: new Set(reviews.map(({ id }) => id)) };
    this.#deps.banner({ title, body, openLabel, place, reviews: reviews.map(({ id }) => id) });
  }

  dispose(): void {
    this.#callOff();
  }

  #lookAt(at: number): void {
    this.#callOff = this.#deps.clock.after(Math.max(0, at - this.#deps.clock.now()), () => {
      this.look();
    });
  }

  #facts(snapshot: Snapshot): Facts {
    const broken = new Set(this.#deps.broken());
    return {
      at: this.#deps.clock.now(),
      telling: snapshot.preferences.tell,
      isWindowInFront: this.#deps.isWindowInFront(),
      reviews: snapshot.reviews,
      onScreen: new Set(this.#live.get('changes')?.reviews.map(({ id }) => id)),
      banner: this.#banner,
      lost: this.#deps.lost,
      broken: snapshot.servers.filter(({ id }) => broken.has(id)),
    };
  }

  /** What a note tells counts as told when it is out, so that no crash swallows it. */
  async #show(note: Told, told: readonly IncidentId[]): Promise<void> {
    this.#isShowing = true;
    const at = this.#deps.clock.now();
    const { language, continuity } = this.#deps.snapshot();
    const notice = noticeOf(note, this.#deps.inForce, language, continuity);
    const isShown = notice !== null && (await this.#put(note.broken.length > 0 ? 'broken' : 'changes', notice));
    if (!isShown) this.#memory = notShown(this.#memory, at);
    this.#isShowing = false;
    for (const incident of told) this.#deps.told(incident);
    // It may have been decided while the desktop was slow to show it.
    this.update(this.#deps.snapshot());
  }

  async #put(id: NoteId, notice: Notice): Promise<boolean> {
    const { title, body, button, openLabel, reviews, place } = notice;
    const live: Live = { reviews, place };
    this.#live.set(id, live);
    const key = `${button?.act ?? ''}.${digest(reviews)}`;
    const note = { id, title, body, openLabel, button: button && { key, label: button.label } };
    const forget = (): void => {
      if (this.#live.get(id) === live) this.#live.delete(id);
    };
    const onPress = (pressed: string | null): void => {
      forget();
      // A press that crossed with a change of the note carries the key of what was read: it approves nothing else.
      if (button?.act === 'approve' && pressed === key) void this.#approve(live);
      else this.#deps.open(place);
    };
    const isShown = await this.#deps.notifier.notify(note, onPress, forget);
    if (!isShown) forget();
    return isShown;
  }

  #close(id: NoteId): void {
    this.#live.delete(id);
    this.#deps.notifier.close(id);
  }

  /** Approves exactly what was shown, and only while all of it waits; else the window shows what there is to decide. */
  async #approve({ reviews, place }: Live): Promise<void> {
    const now = new Map(this.#deps.snapshot().reviews.map((review) => [review.id, review]));
    // The same id is another change where what it is judged from has become another.
    const isOpen = ({ id, target, severity }: ShownReview): boolean => {
      const found = now.get(id);
      return found?.state === 'pending' && found.targetId === target && found.severity === severity;
    };
    if (!reviews.every(isOpen)) {
      this.#deps.open(place);
      return;
    }
    for (const { id, target } of reviews) {
      try {
        await this.#deps.run('review.approve', { id, target });
      } catch {
        this.#deps.open(place);
        return;
      }
    }
  }
}

function digest(reviews: readonly ShownReview[]): string {
  const shown = reviews.map(({ id, target }) => `${id} ${target}`).sort();
  return createHash('sha256').update(shown.join('\n')).digest('hex').slice(0, 16);
}
