/** What must hold all the time; each is counted whenever it is looked at, and what breaks is kept for the report. */
export const INVARIANTS = {
  approved: 'what an app is served was approved for it, and is not kept off',
  listed: 'what an app lists is what its surface says, with those very definitions',
  pinned: 'a call reaches a server only while it shows the definition that was approved',
  epoch: 'epochs only grow, also over restarts',
  failedList: 'a list that fails takes nothing away',
  answered: 'every call is answered, with its own answer',
  commands: 'every command is answered, and never with an internal error',
  alive: 'the gateway ends only when it is told to',
  swept: 'a start of the gateway ends what the one before left running',
  stopped: 'a gateway that ends takes its servers along',
} as const;
export type Invariant = keyof typeof INVARIANTS;

const MAX_KEPT = 20;

export class Invariants {
  readonly #checked = new Map<Invariant, number>();
  readonly #broken = new Map<Invariant, string[]>();
  /** The time of the soak, for stories. */
  readonly now: () => string;

  constructor(now: () => string) {
    this.now = now;
  }

  /** Counts one look; keeps the story where it does not hold. */
  check(invariant: Invariant, holds: boolean, story: () => string): void {
    this.#checked.set(invariant, this.checked(invariant) + 1);
    if (holds) return;
    const broken = this.#broken.get(invariant) ?? [];
    this.#broken.set(invariant, broken);
    if (broken.length < MAX_KEPT) broken.push(`${this.now()} ${story()}`);
  }

  checked(invariant: Invariant): number {
    return this.#checked.get(invariant) ?? 0;
  }

  broken(invariant: Invariant): readonly string[] {
    return this.#broken.get(invariant) ?? [];
  }
}
