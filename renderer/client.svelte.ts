import type { ReviewView, Snapshot } from '../electron/control/snapshot.ts';
import type { CommandInput, CommandOutput } from '../electron/control/commands.ts';
import type { ErrorWords, HoldfastApi, WindowCommand } from '../electron/ipc/contract.ts';
import { appNames, cardKey, cardsOf, inboxOf, undecided, type Card } from './cards.ts';
import { wordsFor, type Language } from './words.ts';

export type View =
  { readonly screen: 'inbox' | 'servers' | 'apps' } | { readonly screen: 'review'; readonly key: string };

/** The decision that Undo takes back. */
export interface Done {
  readonly text: string;
  readonly reviews: readonly Pick<ReviewView, 'id' | 'decision'>[];
}

type Verdict = 'approve' | 'keep-off';

/** What the window knows: the last snapshot, where the person is, and the way to ask for things. */
export class Client {
  readonly #api: HoldfastApi;
  readonly #stop: (() => void)[];
  #wanted: string | null = null;
  #isDeciding = false;

  snapshot = $state.raw<Snapshot | null>(null);
  view = $state.raw<View>({ screen: 'inbox' });
  error = $state.raw<ErrorWords | null>(null);
  done = $state.raw<Done | null>(null);
  /** Read out once by screen readers. */
  announcement = $state.raw('');

  readonly language: Language = $derived(this.snapshot?.language ?? guessLanguage());
  readonly words = $derived(wordsFor(this.language));
  readonly cards = $derived(cardsOf(this.snapshot?.reviews ?? []));
  readonly inbox = $derived(inboxOf(this.cards, this.snapshot?.apps ?? []));

  constructor(api: HoldfastApi) {
    this.#api = api;
    this.#stop = [
      api.onSnapshot((snapshot) => {
        this.#receive(snapshot);
      }),
      api.onFocusReview((id) => {
        this.#wanted = id;
        this.#openWanted();
      }),
    ];
  }

  /** Fetches the first snapshot; later ones come by themselves. */
  async start(): Promise<void> {
    const snapshot = await this.ask('snapshot', {});
    if (snapshot !== null) this.#receive(snapshot);
  }

  dispose(): void {
    for (const stop of this.#stop) stop();
  }

  go(view: View): void {
    this.view = view;
    this.error = null;
  }

  card(key: string): Card | undefined {
    return this.cards.find((card) => card.key === key);
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
    if (this.#isDeciding) return false; // a double click is one click
    this.#isDeciding = true;
    this.error = null;
    const decided: ReviewView[] = [];
    for (const { id, targetId } of reviews) {
      const outcome = await this.ask(`review.${verdict}`, { id, target: targetId });
      if (outcome === null) break;
      decided.push(...outcome.reviews);
    }
    this.#isDeciding = false;
    if (decided.length > 0) this.#tell(this.#outcomeText(card, verdict, decided), decided);
    return decided.length === reviews.length;
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

  #receive(snapshot: Snapshot): void {
    // An answer to a question may be older than what was pushed meanwhile.
    if (this.snapshot !== null && snapshot.sequence < this.snapshot.sequence) return;
    this.snapshot = snapshot;
    this.#openWanted();
  }

  #openWanted(): void {
    const review = this.snapshot?.reviews.find(({ id }) => id === this.#wanted);
    if (review === undefined) return;
    this.#wanted = null;
    this.go({ screen: 'review', key: cardKey(review) });
  }

  #tell(text: string, reviews: Done['reviews']): void {
    this.done = { text, reviews: reviews.map(({ id, decision }) => ({ id, decision })) };
    this.announcement = text;
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
