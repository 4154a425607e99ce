import type { Invariants } from './invariants.ts';

/** What the person of this soak decided, by its own account; nothing of it is read back from the product. */
export type Verdict = 'approved' | 'kept off';

interface Account {
  /** Oldest first; undoing takes the newest one out. */
  verdicts: Verdict[];
  /** A command about it was cut off by the end of the gateway: it may have been carried out. */
  isUncertain: boolean;
  /** When it was last approved, in milliseconds. */
  approvedUntil: number;
}

export interface Shown {
  readonly ref: string;
  readonly id: string;
}

const kindOf = (ref: string): string => ref.split('/').slice(0, 2).join('/');

export class Decided {
  readonly #accounts = new Map<string, Account>();
  /** App and kind of a server whose first list is approved as it comes. */
  readonly #baselines = new Set<string>();
  /** Apps and servers about which a command was cut off. */
  readonly #unsure = new Set<string>();
  readonly #invariants: Invariants;

  constructor(invariants: Invariants) {
    this.#invariants = invariants;
  }

  #account(app: string, { ref, id }: Shown): Account {
    const key = `${app} ${ref} ${id}`;
    const account = this.#accounts.get(key) ?? { verdicts: [], isUncertain: false, approvedUntil: 0 };
    this.#accounts.set(key, account);
    return account;
  }

  /** Chosen with other things: what was kept off stays off, and must not be told as approved. */
  chose(app: string, shown: readonly Shown[]): void {
    for (const one of shown) {
      const { verdicts, isUncertain } = this.#account(app, one);
      const isKeptOff = verdicts.at(-1) === 'kept off' && !isUncertain;
      if (!isKeptOff) verdicts.push('approved');
    }
  }

  /** The first list of this kind is still to come. */
  awaits(app: string, server: string, kinds: readonly string[]): void {
    for (const kind of kinds) this.#baselines.add(`${app} ${server}/${kind}`);
  }

  decided(app: string, shown: Shown, verdict: Verdict): void {
    const account = this.#account(app, shown);
    if (account.verdicts.at(-1) === 'approved') account.approvedUntil = Date.now();
    account.verdicts.push(verdict);
    account.isUncertain = false;
  }

  undid(app: string, shown: Shown): void {
    const account = this.#account(app, shown);
    if (account.verdicts.at(-1) === 'approved') account.approvedUntil = Date.now();
    account.verdicts.pop();
  }

  /** It is not known whether a command about it was carried out. */
  unsureOf(app: string, shown: Shown): void {
    this.#account(app, shown).isUncertain = true;
  }
  unsureOfServer(app: string, server: string): void {
    this.#unsure.add(`${app} ${server}`);
  }

  /** True where this app may be served this definition now, or could be a moment ago. */
  isAllowed(app: string, shown: Shown, since = Date.now()): boolean {
    const { verdicts, isUncertain, approvedUntil } = this.#account(app, shown);
    if (isUncertain || this.#unsure.has(`${app} ${shown.ref.split('/')[0] ?? ''}`)) return true;
    // Its first list may have come since anybody last looked at the surface.
    if (verdicts.length === 0 && this.#baselines.has(`${app} ${kindOf(shown.ref)}`)) return true;
    return verdicts.at(-1) === 'approved' || approvedUntil >= since;
  }

  /** Looks at all that an app is served at one moment. */
  checkSurface(app: string, entries: readonly Shown[]): void {
    const firstSeen = new Set<string>();
    for (const entry of entries) {
      const baseline = `${app} ${kindOf(entry.ref)}`;
      const { verdicts } = this.#account(app, entry);
      if (verdicts.length === 0 && this.#baselines.has(baseline)) {
        firstSeen.add(baseline);
        verdicts.push('approved');
      }
      const told = (): string =>
        `${app} is served ${entry.ref} as ${entry.id}, which is ${verdicts.at(-1) ?? 'undecided'}`;
      this.#invariants.check('approved', this.isAllowed(app, entry), told);
    }
    for (const baseline of firstSeen) this.#baselines.delete(baseline);
  }
}
