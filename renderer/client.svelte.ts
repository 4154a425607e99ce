import type { CommandInput, CommandOutput } from '../electron/control/commands.ts';
import type { Banner, Place, ReviewView, Snapshot } from '../electron/control/snapshot.ts';
import type { ErrorWords, HoldfastApi, OpenWish, WindowCommand } from '../electron/ipc/contract.ts';
import { appNames, cardKey, cardsOf, inboxOf, undecided, type Card } from './cards.ts';
import { entriesOf, incidentOf, type IncidentCard, type Section } from './incidents.ts';
import { Preferences } from './preferences.svelte.ts';
import { SCREENS, screenOf, type View } from './view.ts';
import { TABLES, wordsFor, type Language, type Tables } from './words.ts';

/** The decision that Undo takes back. */
export interface Done {
  readonly text: string;
  readonly reviews: readonly Pick<ReviewView, 'id' | 'decision'>[];
}

type Verdict = 'approve' | 'keep-off';

/** What the window knows: the last snapshot, where the person is, and the way to ask for things. */
export class Client {
  readonly #api: HoldfastApi;
  readonly #tables: Tables;
  readonly #stop: (() => void)[];
  readonly preferences = new Preferences();
  #wanted: string | null = null;
  #isDeciding = false;

  #banner = $state.raw<Banner | null>(null);
  snapshot = $state.raw<Snapshot | null>(null);
  view = $state.raw<View>({ screen: 'inbox' });
  error = $state.raw<ErrorWords | null>(null);
  /** What a person opened with the app, until it is laid out. */
  wish = $state.raw<OpenWish | null>(null);
  done = $state.raw<Done | null>(null);
  /** Read out once by screen readers. */
  announcement = $state.raw('');

  readonly language: Language = $derived(this.snapshot?.language ?? guessLanguage());
  readonly words = $derived.by(() => wordsFor(this.language, this.#tables[this.language]));
  readonly cards = $derived(cardsOf(this.snapshot?.reviews ?? []));
  readonly inbox = $derived(inboxOf(this.cards, this.snapshot ?? undefined));
  /** What has just happened, while something of it waits. */
  readonly banner = $derived.by(() => {
    const asked = this.#banner?.reviews ?? [];
    const isOpen = (id: ReviewView['id']): boolean =>
      this.snapshot?.reviews.some((review) => review.id === id && review.state === 'pending') === true;
    const isNamed = this.#banner?.place.startsWith('con-') === true;
    const isSettled = isNamed && !this.snapshot?.continuity.some(({ id }) => id === this.#banner?.place);
    const isAboutServers = asked.length === 0 && this.#banner?.place === 'servers';
    const isMended = isAboutServers && this.snapshot?.servers.every(({ state }) => state !== 'problem') === true;
    return isSettled || isMended || (asked.length > 0 && !asked.some(isOpen)) ? null : this.#banner;
  });
  readonly entries = $derived(entriesOf(this.inbox.waiting, this.snapshot?.incidents ?? []));
  readonly waiting = $derived(this.inbox.waiting.length + (this.snapshot?.continuity.length ?? 0));

  constructor(api: HoldfastApi, tables: Tables = TABLES) {
    this.#api = api;
    this.#tables = tables;
    this.#stop = [
      api.onSnapshot((snapshot) => {
        this.#receive(snapshot);
      }),
      api.onFocus((place) => {
        this.#openPlace(place);
      }),
      api.onBanner((banner) => {
        this.#banner = banner;
      }),
      api.onOpen((wish) => {
        this.go({ screen: 'add-server' });
        this.wish = wish;
      }),
    ];
  }

  /** Fetches the first snapshot; later ones come by themselves. */
  async start(): Promise<void> {
    const snapshot = await this.ask('snapshot', {});
    if (snapshot !== null) this.#receive(snapshot);
  }

  /** Goes where the banner leads to, which is then away. */
  openBanner(): void {
    const place = this.#banner?.place;
    this.closeBanner();
    if (place !== undefined) this.#openPlace(place);
  }

  closeBanner(): void {
    this.#banner = null;
  }

  dispose(): void {
    for (const stop of this.#stop) stop();
  }

  go(view: View): void {
    // What was done here is no news on another screen; Activity keeps it.
    if (screenOf(view) !== screenOf(this.view)) this.done = null;
    this.view = view;
    this.error = null;
  }

  /** Where a dropped file is; empty where that cannot be told. */
  pathOf(file: File): string {
    // Older Electrons give the file itself a path.
    const { path } = file as { readonly path?: string };
    return path !== undefined && path !== '' ? path : this.#api.pathOf(file);
  }

  card(key: string): Card | undefined {
    return this.cards.find((card) => card.key === key);
  }

  /** One upgrade of which something waits. */
  incident(key: string): IncidentCard | undefined {
    const open = this.snapshot?.incidents.find(({ id }) => id === key);
    const incident = open && incidentOf(open, this.inbox.waiting);
    return incident === undefined || incident.cards.length === 0 ? undefined : incident;
  }

  /** Runs one command; an error goes to the banner, and the answer is `null`. */
  async ask<N extends WindowCommand>(command: N, input: CommandInput<N>): Promise<CommandOutput<N> | null> {
    try {
      const answer = await this.#api.invoke(command, input);
      if (answer.ok) return answer.value;
      this.error = answer.error;
    } catch {
      const { t } = this.words;
      this.error = { code: 'INTERNAL', message: t('error.unreachable'), next: t('error.unreachable.next') };
    }
    return null;
  }

  /** Decides for all apps that wait, or for the given ones. Each decision names what is on the screen. */
  async decide(card: Card, verdict: Verdict, reviews: readonly ReviewView[] = undecided(card)): Promise<boolean> {
    const decided = await this.#decideAll(verdict, reviews);
    if (decided.length > 0) this.tell(this.#outcomeText(card, verdict, decided), decided);
    return decided.length === reviews.length && reviews.length > 0;
  }

  /** Approves small changes together; a card that is not small is left out whatever the caller says. */
  async approveSmall(cards: readonly Card[]): Promise<boolean> {
    const small = cards.filter(({ tier, state }) => tier === 'small' && state === 'waiting');
    const reviews = small.flatMap(undecided);
    const decided = await this.#decideAll('approve', reviews);
    if (decided.length > 0) this.tell(this.words.t('done.small', { n: small.length }), decided);
    return decided.length === reviews.length;
  }

  /**
   * Decides changes of one upgrade together, those that are on the screen, for all apps or for one. What has to be looked
   * at by itself is left out by the main process, whatever is asked.
   */
  async decideTogether(
    id: Section['id'],
    verdict: Verdict,
    cards: readonly Card[],
    app?: ReviewView['app'],
  ): Promise<boolean> {
    if (this.#isDeciding) return false;
    this.#isDeciding = true;
    this.error = null;
    const shown = cards.flatMap(undecided).filter((one) => !one.quiet && (app === undefined || one.app === app));
    const input = { id, reviews: shown.map((review) => review.id), ...(app !== undefined && { app }) };
    const outcome = await this.ask(`review.${verdict}`, input);
    this.#isDeciding = false;
    const decided = outcome?.reviews ?? [];
    if (decided.length > 0) this.tell(this.#togetherText(verdict, decided), decided);
    return outcome !== null;
  }

  #togetherText(verdict: Verdict, decided: readonly ReviewView[]): string {
    const { t, list } = this.words;
    const n = cardsOf(decided).length;
    return verdict === 'keep-off' ? t('done.manyOff', { n }) : t('done.many', { n, apps: list(appNames(decided)) });
  }

  async #decideAll(verdict: Verdict, reviews: readonly ReviewView[]): Promise<ReviewView[]> {
    if (this.#isDeciding) return []; // a double click is one click
    this.#isDeciding = true;
    this.error = null;
    const decided: ReviewView[] = [];
    for (const { id, targetId } of reviews) {
      const outcome = await this.ask(`review.${verdict}`, { id, target: targetId });
      if (outcome === null) break;
      decided.push(...outcome.reviews);
    }
    this.#isDeciding = false;
    return decided;
  }

  /** Takes decisions back: the last one of all, or a card's own. */
  async undo(done: Done | null = this.done): Promise<void> {
    if (done === null) return;
    this.error = null;
    const undone: ReviewView[] = [];
    for (const { id, decision } of done.reviews) {
      if (decision === null) continue;
      const outcome = await this.ask('review.undo', { id, decision });
      if (outcome === null) return;
      undone.push(...outcome.reviews);
    }
    this.done = null;
    const [first] = undone;
    if (first?.state === 'pending') this.announcement = this.words.t('done.undone', { tool: first.title });
  }

  /** What undoing a decided card means. */
  doneOf(card: Card): Done {
    return { text: '', reviews: card.reviews.filter(({ decision }) => decision !== null) };
  }

  /** Says what was done, to eyes and ears; Undo takes back these decisions. */
  tell(text: string, reviews: Done['reviews'] = []): void {
    this.done = { text, reviews: reviews.map(({ id, decision }) => ({ id, decision })) };
    this.announcement = text;
  }

  #receive(snapshot: Snapshot): void {
    // An answer to a question may be older than what was pushed meanwhile.
    if (this.snapshot !== null && snapshot.sequence < this.snapshot.sequence) return;
    const isFirst = this.snapshot === null;
    this.snapshot = snapshot;
    // The last part of first run is told in the inbox itself; it may also have been ended in another place.
    const hasFirstRun = snapshot.setup !== undefined && snapshot.setup.step !== 'story';
    if (isFirst && hasFirstRun) this.view = { screen: 'first-run' };
    if (!hasFirstRun && this.view.screen === 'first-run') this.view = { screen: 'inbox' };
    this.#openWanted();
  }

  #openPlace(place: Place): void {
    const screen = SCREENS.find((one) => one === place);
    this.#wanted = screen === undefined ? place : null;
    if (screen !== undefined) this.go({ screen });
    this.#openWanted();
  }

  #openWanted(): void {
    const wanted = this.#wanted;
    const review = this.snapshot?.reviews.find(({ id }) => id === wanted);
    const incident = this.snapshot?.incidents.find(({ id }) => id === wanted);
    const change = this.snapshot?.continuity.find(({ id }) => id === wanted);
    if (review === undefined && incident === undefined && change === undefined) return;
    this.#wanted = null;
    if (review !== undefined) this.go({ screen: 'review', key: cardKey(review) });
    else if (incident !== undefined) this.go({ screen: 'incident', key: incident.id });
    else if (change !== undefined) this.go({ screen: 'continuity', key: change.id });
  }

  #outcomeText(card: Card, verdict: Verdict, decided: readonly ReviewView[]): string {
    const { t, list } = this.words;
    if (verdict === 'keep-off') return t('done.keptOff', { tool: card.title });
    const values = { tool: card.title, apps: list(appNames(decided)) };
    return card.isNew ? t('done.turnedOn', values) : t('done.approved', values);
  }
}

/** Before the first snapshot there is no setting to go by. */
function guessLanguage(): Language {
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
}
