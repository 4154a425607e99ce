import type { ReviewView } from '../control/snapshot.ts';
import type { Change, Fact, ReviewId, Settings } from '../core/model.ts';
import { words } from '../core/words.ts';

type Language = Settings['language'];

/** What happened in one incident, as far as a notification is concerned. */
export interface IncidentNews {
  readonly serverName: string;
  readonly reviews: readonly ReviewView[];
  /** Names of what the server no longer offers: a notice, not a question. */
  readonly removed: readonly string[];
  /** Names of what it describes in a way that cannot be used: a notice, too. */
  readonly unusable: readonly string[];
}

/** A decision taken from a notification is about exactly the definition that was shown in it. */
export interface ShownReview {
  readonly id: ReviewId;
  readonly target: string;
}

export interface Notice {
  readonly title: string;
  readonly body: string;
  readonly button: { readonly act: 'approve' | 'review'; readonly label: string } | null;
  readonly openLabel: string;
  /** What it asks about; empty where it asks nothing. */
  readonly reviews: readonly ShownReview[];
}

/** One change of one definition, with all the apps it is off in. */
interface Card {
  readonly reviews: readonly [ReviewView, ...ReviewView[]];
}

const MAX_SENTENCES = 3;

/** The one notification of an incident, or `null` where there is nothing to tell. */
export function noticeOf(news: IncidentNews, language: Language): Notice | null {
  const asking = news.reviews.filter((review) => review.state === 'pending' && !review.quiet);
  const cards = cardsOf(asking);
  const text = changedText(cards, news, language) ?? removedText(news, language);
  if (text === null) return null;
  const act = buttonFor(cards, language);
  return {
    ...text,
    button: act === null ? null : { act, label: words(act === 'approve' ? 'act.approve' : 'act.review', language) },
    openLabel: words('act.review', language),
    reviews: asking.map(({ id, targetId }) => ({ id, target: targetId })),
  };
}

function cardsOf(reviews: readonly ReviewView[]): Card[] {
  const cards = new Map<string, [ReviewView, ...ReviewView[]]>();
  for (const review of reviews) {
    const key = `${review.ref} ${review.targetId}`;
    const known = cards.get(key);
    if (known === undefined) cards.set(key, [review]);
    else known.push(review);
  }
  return [...cards.values()].map((all) => ({ reviews: all }));
}

/** Approving from a notification is a blind click: only small changes, or one that has to be looked at, allow it. */
function buttonFor(cards: readonly Card[], language: Language): 'approve' | 'review' | null {
  if (cards.length === 0) return null;
  const severities = cards.flatMap(({ reviews }) => reviews.map(({ severity }) => severity));
  if (severities.every((severity) => severity === 'compatible')) return 'approve';
  const [card] = cards;
  if (card === undefined || cards.length > 1 || severities.includes('security')) return 'review';
  return sentencesOf(card, language).length <= MAX_SENTENCES ? 'approve' : 'review';
}

function changedText(
  cards: readonly Card[],
  { serverName }: IncidentNews,
  language: Language,
): Pick<Notice, 'title' | 'body'> | null {
  const [card, ...more] = cards;
  if (card === undefined) return null;
  if (more.length > 0) return manyText(cards.length, serverName, language);
  const [first] = card.reviews;
  const isDanger = card.reviews.some(({ change }) => doesMore(change));
  const key = isDanger ? 'note.danger' : 'note.one';
  const apps = joinNames([...new Set(card.reviews.map(({ appName }) => appName))], language);
  const line = sentencesOf(card, language)
    .slice(0, MAX_SENTENCES)
    .join(language === 'en' ? ' ' : '');
  return {
    title: words(`${key}.title`, language, { tool: first.title }),
    body: words(`${key}.body`, language, { apps, line }).trim(),
  };
}

function manyText(n: number, server: string, language: Language): Pick<Notice, 'title' | 'body'> {
  return { title: words('note.many.title', language, { server, n }), body: words('note.many.body', language) };
}

function removedText(
  { serverName: server, removed, unusable }: IncidentNews,
  language: Language,
): Pick<Notice, 'title' | 'body'> | null {
  const [key, lost] = removed.length > 0 ? (['missing', removed] as const) : (['unusable', unusable] as const);
  const [tool, ...more] = lost;
  if (tool === undefined) return null;
  const body = words(`note.${key}.body`, language);
  if (more.length === 0) return { title: words(`note.${key}.title`, language, { tool, server }), body };
  return { title: words(`note.${key}.many.title`, language, { server, n: lost.length }), body };
}

function sentencesOf({ reviews }: Card, language: Language): string[] {
  return [...new Set(reviews.flatMap(({ change }) => change.sentences[language]))];
}

/** The value of a hint that lets a tool do more; a flip the other way is a claim, to be looked at all the same. */
const DOES_MORE: Readonly<Record<string, boolean | null>> = {
  'hint.readOnlyHint': false,
  'hint.destructiveHint': true,
  'hint.openWorldHint': true,
  'hint.idempotentHint': null,
};

/** `hint.openWorldHint.claimed` -> `hint.openWorldHint`. */
function hintOf({ class: name }: Fact): string {
  return name.split('.').slice(0, 2).join('.');
}

/** True where “can do more now” is a true thing to say; of a text that is after the model it is not. */
function doesMore({ severity, facts }: Change): boolean {
  if (severity !== 'security') return false;
  const risks = facts.filter((fact) => fact.severity === 'security');
  const isMore = (fact: Fact): boolean => {
    const hint = hintOf(fact);
    return hint in DOES_MORE ? DOES_MORE[hint] === fact.after : !fact.class.startsWith('text.');
  };
  return risks.length === 0 || risks.some(isMore);
}

/** “Claude, Cursor and VS Code”; in Chinese with a space between the scripts. */
export function joinNames(names: readonly string[], language: Language): string {
  const head = names.slice(0, -1).join(language === 'en' ? ', ' : '、');
  const last = names.at(-1) ?? '';
  if (head === '') return last;
  const joined = `${head}${words('list.and', language)}${last}`;
  return language === 'en'
    ? joined
    : joined.replaceAll(/(?<=[\w)])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=[\w(])/gu, ' ');
}
