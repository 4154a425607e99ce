import type { Invariants } from './invariants.ts';

/** What the person of this soak decided, by its own account; nothing of it is read back from the product. */
export type Verdict = 'approved' | 'kept off';

/** From when the command was sent that allowed it, to when the one was answered that no longer does; in milliseconds. */
interface Span {
  readonly from: number;
  until: number;
}

/** One app and one definition. Nothing here is about another definition of the same tool. */
interface Account {
  /** Oldest first, as far back as they are known; undoing takes the newest one out. */
  verdicts: Verdict[];
  /** What lies below them is not known: a command was cut off by the end of the gateway, and may have been carried out. */
  isUncertain: boolean;
  /** It may have been in the first list, which is approved as it comes. */
  mayBeFirst: boolean;
  readonly allowed: Span[];
  /** What happened to it, newest last. */
  readonly story: string[];
}

export interface Shown {
  readonly ref: string;
  readonly id: string;
}

const MAX_KEPT = 20;
/** For a list that was being read when it became the one that is awaited. */
const LISTING_MS = 10_000;
const ALWAYS = Number.POSITIVE_INFINITY;

const serverOf = (ref: string): string => ref.split('/')[0] ?? '';
const kindOf = (ref: string): string => ref.split('/').slice(0, 2).join('/');

function keep<T>(list: T[], one: T): void {
  list.push(one);
  if (list.length > MAX_KEPT) list.shift();
}

export class Decided {
  readonly #accounts = new Map<string, Account>();
  /** App and kind of a server whose first list is approved as it comes, and since when that is so. */
  readonly #baselines = new Map<string, number>();
  /** Apps and servers about which a command was cut off. */
  readonly #unsure = new Set<string>();
  readonly #invariants: Invariants;
  readonly #listedSince: (server: string, since: number) => readonly Shown[];

  /** @param listedSince all that a server has listed since, by its own log */
  constructor(invariants: Invariants, listedSince: (server: string, since: number) => readonly Shown[]) {
    this.#invariants = invariants;
    this.#listedSince = listedSince;
  }

  #account(app: string, { ref, id }: Shown): Account {
    const key = `${app} ${ref} ${id}`;
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const account = { verdicts: [], isUncertain: false, mayBeFirst: false, allowed: [], story: [] };
    this.#accounts.set(key, account);
    return account;
  }

  #change(app: string, shown: Shown, what: string, since: number, change: (account: Account) => void): void {
    const account = this.#account(app, shown);
    const wasAllowed = this.isAllowed(app, shown);
    change(account);
    keep(account.story, `${this.#invariants.now()} ${what}`);
    const open = account.allowed.find(({ until }) => until === ALWAYS);
    const isApproved = account.verdicts.at(-1) === 'approved';
    if (isApproved && open === undefined) keep(account.allowed, { from: wasAllowed ? 0 : since, until: ALWAYS });
    if (isApproved) return;
    if (open !== undefined) open.until = Date.now();
    else if (wasAllowed) keep(account.allowed, { from: 0, until: Date.now() });
  }

  /**
   * Chosen with other things: decided only where nothing was. A decision that is there already is not made once more;
   * counted as one more, it would be left over when the person takes the real one back.
   * @param since when the command was sent
   */
  chose(app: string, shown: readonly Shown[], since: number): void {
    for (const one of shown) {
      if (this.#account(app, one).verdicts.length > 0) continue;
      this.#change(app, one, 'chosen', since, ({ verdicts }) => verdicts.push('approved'));
    }
  }

  /** The first list of this kind is still to come. */
  awaits(app: string, server: string, kinds: readonly string[]): void {
    for (const kind of kinds) {
      const key = `${app} ${server}/${kind}`;
      if (!this.#baselines.has(key)) this.#baselines.set(key, Date.now());
    }
  }

  decided(app: string, shown: Shown, verdict: Verdict, since: number): void {
    this.#change(app, shown, verdict, since, ({ verdicts }) => verdicts.push(verdict));
  }

  undid(app: string, shown: Shown, since: number): void {
    this.#change(app, shown, 'undone', since, ({ verdicts }) => verdicts.pop());
  }

  /**
   * It is not known whether a command about it was carried out. The next decision is certain again, but not what comes
   * back when that one is undone.
   */
  unsureOf(app: string, shown: Shown): void {
    this.#change(app, shown, 'cut off', 0, (account) => {
      account.verdicts = [];
      account.isUncertain = true;
    });
  }

  /** Choosing decides only where nothing was decided, so what is known of single definitions stays. */
  unsureOfServer(app: string, server: string): void {
    this.#unsure.add(`${app} ${server}`);
  }

  /** True where this app may be served this definition, or was at any time between these two. */
  isAllowed(app: string, shown: Shown, from = ALWAYS, to = ALWAYS): boolean {
    const { verdicts, isUncertain, mayBeFirst, allowed } = this.#account(app, shown);
    if (allowed.some((span) => span.from <= to && span.until >= from)) return true;
    if (verdicts.length > 0) return false;
    // Its first list may have come since anybody last looked at the surface.
    const isAwaited = this.#baselines.has(`${app} ${kindOf(shown.ref)}`);
    return isUncertain || mayBeFirst || isAwaited || this.#unsure.has(`${app} ${serverOf(shown.ref)}`);
  }

  /** Looks at all that an app is served at one moment. */
  checkSurface(app: string, entries: readonly Shown[]): void {
    const firstSeen = new Set<string>();
    for (const entry of entries) {
      const baseline = `${app} ${kindOf(entry.ref)}`;
      if (this.#account(app, entry).verdicts.length === 0 && this.#baselines.has(baseline)) {
        firstSeen.add(kindOf(entry.ref));
        this.#change(app, entry, 'first seen', 0, ({ verdicts }) => verdicts.push('approved'));
      }
      this.#invariants.check('approved', this.isAllowed(app, entry), () => `served ${this.told(app, entry)}`);
    }
    for (const kind of firstSeen) this.#endBaseline(app, kind);
  }

  /** What was in the first list and is gone again by now is approved all the same, should it come back as it was. */
  #endBaseline(app: string, kind: string): void {
    const since = this.#baselines.get(`${app} ${kind}`) ?? 0;
    for (const one of this.#listedSince(serverOf(kind), since - LISTING_MS))
      if (kindOf(one.ref) === kind) this.#account(app, one).mayBeFirst = true;
    this.#baselines.delete(`${app} ${kind}`);
  }

  /** What is known of it, and of other definitions of the same tool, which is what tells a gap in here from a fault. */
  told(app: string, shown: Shown): string {
    const { verdicts, isUncertain, mayBeFirst } = this.#account(app, shown);
    const others = [...this.#accounts].flatMap(([key, { story }]) => {
      const isOther = key.startsWith(`${app} ${shown.ref} `) && !key.endsWith(shown.id) && story.length > 0;
      return isOther ? [`${key.slice(-8)}: ${story.join(', ')}`] : [];
    });
    const marks = [isUncertain && 'uncertain below', mayBeFirst && 'may be of the first list'].filter(Boolean);
    return [
      `${app} ${shown.ref} as ${shown.id}, which is ${verdicts.at(-1) ?? 'undecided'}`,
      `decided: ${this.#account(app, shown).story.join(', ') || 'never'} ${marks.join(', ')}`,
      `other definitions: ${others.join('; ') || 'none decided'}`,
    ].join('\n    ');
  }
}
