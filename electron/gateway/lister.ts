import { BOUNDS } from '../core/bounds.ts';
import type { CapabilityId, KindOutcome, ListedKind, ObservedItem } from '../core/model.ts';
import { LISTS, ListReader, isSameOutcome } from '../core/observe.ts';
import type { Inspect, PageAnswer } from '../core/observe.ts';
import { Pacer } from './pacer.ts';
import type { Timings } from './timings.ts';

const SLICE_MS = 10;

export type Outcomes = ReadonlyMap<ListedKind, KindOutcome>;
/** What a list showed for one key: its id, that it is invalid, that it is not there, or that none could be had. */
export type Showing =
  | { readonly type: 'id'; readonly id: CapabilityId }
  | { readonly type: 'invalid' }
  | { readonly type: 'absent' }
  | { readonly type: 'failed'; readonly reason: string };

export interface ListerOptions {
  /** Kinds that one `list_changed` speaks for. */
  readonly kinds: readonly ListedKind[];
  isDeclared(kind: ListedKind): boolean;
  ask(method: string, cursor: string | undefined, timeoutMs: number): Promise<PageAnswer>;
  readonly inspect: Inspect;
  readonly timings: Timings;
  /** Lists that nobody else waits for: on notice or for a waiting call. */
  onOutcomes(outcomes: Outcomes): void;
}

interface Waiter {
  readonly kind: ListedKind;
  readonly originKey: string;
  readonly arrival: number;
  readonly onShowing: (showing: Showing) => void;
}

/**
 * Lists the kinds that share a change notice, over one connection, one list at a time. It also holds what those
 * lists verified: a definition may be used only while a page that was begun after the last notice showed it.
 */
export class Lister {
  readonly #options: ListerOptions;
  readonly #pacer: Pacer;
  readonly #verified = new Map<ListedKind, Map<string, Showing>>();
  readonly #waiters = new Set<Waiter>();
  /** Orders arrivals of calls and beginnings of lists. */
  #clock = 0;
  #generation = 0;
  #latest: Outcomes | null = null;
  #inFlight: Promise<Outcomes> | null = null;
  #next: Promise<Outcomes> | null = null;
  /** The list whose outcomes will be told already. */
  #told: Promise<Outcomes> | null = null;
  #isClosed = false;

  constructor(options: ListerOptions) {
    this.#options = options;
    const { firstGapMs, maxGapMs } = options.timings;
    this.#pacer = new Pacer(() => this.#runAndTell(), firstGapMs, maxGapMs);
  }

  /** Outcomes of the list that ended last. */
  get latest(): Outcomes | null {
    return this.#latest;
  }

  /** What the last valid page showed; `undefined` where nothing is known since the last notice. */
  verified(kind: ListedKind, originKey: string): Showing | undefined {
    return this.#verified.get(kind)?.get(originKey);
  }

  /** The server says that its list is another one now. */
  changed(): void {
    this.#generation++;
    this.#verified.clear();
    // A list in flight sees the notice itself when it ends.
    if (!this.#inFlight) this.#pacer.notice();
  }

  /** Outcomes of a list begun at or after this call. */
  run(): Promise<Outcomes> {
    if (!this.#inFlight) return this.#begin();
    const begin = (): Promise<Outcomes> => {
      this.#next = null;
      return this.#begin();
    };
    this.#next ??= this.#inFlight.then(begin, begin);
    return this.#next;
  }

  /**
   * Tells what a list shows for the key, and starts one at once, ahead of any gap. The answer is told in the same
   * tick as it is read, so that no notice can come in between.
   */
  show(kind: ListedKind, originKey: string, onShowing: (showing: Showing) => void): void {
    const known = this.verified(kind, originKey);
    if (known) return onShowing(known);
    if (this.#isClosed) return onShowing({ type: 'failed', reason: 'it stopped' });
    this.#waiters.add({ kind, originKey, arrival: ++this.#clock, onShowing });
    // A list in flight may show it yet; if it ends without, another one follows.
    if (!this.#inFlight) this.#runAndTell();
  }

  close(reason: string): void {
    this.#isClosed = true;
    this.#pacer.stop();
    this.#verified.clear();
    for (const waiter of this.#waiters) this.#resolve(waiter, { type: 'failed', reason });
  }

  #runAndTell(): void {
    if (this.#isClosed) return;
    const run = this.run();
    if (run === this.#told) return;
    this.#told = run;
    run.then((outcomes) => this.#options.onOutcomes(outcomes)).catch(() => undefined); // told as failed already
  }

  #begin(): Promise<Outcomes> {
    this.#inFlight = this.#listUntilSettled();
    return this.#inFlight;
  }

  /** Lists again when a notice came in the middle, until a list had none or two in a row are the same. */
  async #listUntilSettled(): Promise<Outcomes> {
    const deadline = performance.now() + this.#options.timings.observationMs;
    let previous: Outcomes | null = null;
    let outcomes: Outcomes = new Map();
    let isSettled = false;
    let generation = this.#generation;
    try {
      for (let tries = 0; tries < BOUNDS.listTries.value && !isSettled; tries++) {
        generation = this.#generation;
        outcomes = await this.#listOnce(deadline);
        isSettled = generation === this.#generation || (previous !== null && areSame(previous, outcomes));
        previous = outcomes;
      }
    } finally {
      this.#inFlight = null;
    }
    if (!isSettled) outcomes = unsettled(outcomes);
    this.#latest = outcomes;
    this.#pacer.ended();
    // One that is due already serves them; two at once would overtake each other.
    if (this.#next) return outcomes;
    if (this.#waiters.size > 0) this.#runAndTell();
    else if (generation !== this.#generation && !this.#isClosed) this.#pacer.notice();
    return outcomes;
  }

  async #listOnce(deadline: number): Promise<Outcomes> {
    const begun = { at: ++this.#clock, generation: this.#generation };
    const outcomes = new Map<ListedKind, KindOutcome>();
    await Promise.all(
      this.#options.kinds.map(async (kind) => outcomes.set(kind, await this.#listKind(kind, begun, deadline))),
    );
    return outcomes;
  }

  async #listKind(kind: ListedKind, begun: { at: number; generation: number }, deadline: number): Promise<KindOutcome> {
    const outcome = await this.#readPages(kind, begun, deadline).catch((): KindOutcome => ({
      status: 'failed',
      reason: 'its list cannot be read',
    }));
    this.#forgetUnshown(kind, outcome, begun.generation);
    for (const waiter of this.#waiters) {
      if (waiter.kind === kind && waiter.arrival < begun.at) this.#resolve(waiter, unshown(outcome));
    }
    return outcome;
  }

  async #readPages(
    kind: ListedKind,
    begun: { at: number; generation: number },
    deadline: number,
  ): Promise<KindOutcome> {
    if (!this.#options.isDeclared(kind)) return { status: 'unsupported' };
    const reader = new ListReader(kind, this.#options.inspect);
    for (;;) {
      const timeoutMs = Math.min(this.#options.timings.pageMs, deadline - performance.now());
      const answer: PageAnswer =
        timeoutMs <= 0
          ? { type: 'none', reason: BOUNDS.observationMs.reason }
          : await this.#options.ask(LISTS[kind].method, reader.cursor, timeoutMs);
      for (const item of await taken(reader, answer)) this.#shown(kind, item, begun);
      if (reader.outcome) return reader.outcome;
    }
  }

  /** What a whole list does not show is no longer verified by an earlier one. */
  #forgetUnshown(kind: ListedKind, outcome: KindOutcome, generation: number): void {
    const verified = this.#verified.get(kind);
    if (!verified || generation !== this.#generation || !('items' in outcome)) return;
    const shown = new Set(outcome.items.map(({ originKey }) => originKey));
    for (const originKey of verified.keys()) if (!shown.has(originKey)) verified.delete(originKey);
  }

  #shown(kind: ListedKind, item: ObservedItem, begun: { at: number; generation: number }): void {
    const showing: Showing = 'id' in item ? { type: 'id', id: item.id } : { type: 'invalid' };
    const isValid = begun.generation === this.#generation && !this.#isClosed;
    if (isValid) {
      const verified = this.#verified.get(kind) ?? new Map<string, Showing>();
      this.#verified.set(kind, verified.set(item.originKey, showing));
    }
    for (const waiter of this.#waiters) {
      if (waiter.kind !== kind || waiter.originKey !== item.originKey) continue;
      // A list begun after the call came in is enough for that call, whatever notice arrived since.
      if (isValid || waiter.arrival < begun.at) this.#resolve(waiter, showing);
    }
  }

  #resolve(waiter: Waiter, showing: Showing): void {
    this.#waiters.delete(waiter);
    waiter.onShowing(showing);
  }
}

/** In slices, so that calls and other servers go on while a large page is looked at. */
async function taken(reader: ListReader, answer: PageAnswer): Promise<readonly ObservedItem[]> {
  const taking = reader.taking(answer);
  let sliceEnd = performance.now() + SLICE_MS;
  for (;;) {
    const step = taking.next();
    if (step.done === true) return step.value;
    if (performance.now() < sliceEnd) continue;
    await new Promise((resolve) => setImmediate(resolve));
    sliceEnd = performance.now() + SLICE_MS;
  }
}

function areSame(a: Outcomes, b: Outcomes): boolean {
  return [...a].every(([kind, outcome]) => {
    const other = b.get(kind);
    return other !== undefined && isSameOutcome(outcome, other);
  });
}

function unsettled(outcomes: Outcomes): Outcomes {
  const give = (outcome: KindOutcome): KindOutcome => {
    if (outcome.status !== 'complete' && outcome.status !== 'complete-empty') return outcome;
    const count = outcome.status === 'complete' ? outcome.items.length : 0;
    return { status: 'incomplete', reason: BOUNDS.listTries.reason, count };
  };
  return new Map([...outcomes].map(([kind, outcome]) => [kind, give(outcome)]));
}

/** What a list that ended without showing a key says about it. */
function unshown(outcome: KindOutcome): Showing {
  switch (outcome.status) {
    case 'complete':
    case 'complete-empty':
    case 'unsupported':
      return { type: 'absent' };
    case 'incomplete':
    case 'failed':
      return { type: 'failed', reason: outcome.reason };
  }
}
