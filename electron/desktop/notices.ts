import type { Place, ReviewView, Snapshot } from '../control/snapshot.ts';
import type { Change, Fact, ReviewId, ServerId, Settings } from '../core/model.ts';
import { words } from '../core/words.ts';
import type { Lost, Told } from './note-plan.ts';

type Language = Settings['language'];

/** A decision taken from a notification is about exactly the definition that was shown in it. */
export interface ShownReview {
  readonly id: ReviewId;
  readonly target: string;
  readonly severity: ReviewView['severity'];
}

export interface Notice {
  readonly title: string;
  readonly body: string;
  readonly button: { readonly act: 'approve' | 'review'; readonly label: string } | null;
  readonly openLabel: string;
  /** What it asks about; empty where it asks nothing. */
  readonly reviews: readonly ShownReview[];
  /** What a click on it opens. */
  readonly place: Place;
}

type Text = Pick<Notice, 'title' | 'body'>;

/** One change of one definition, with all the apps it is off in. */
interface Card {
  readonly reviews: readonly [ReviewView, ...ReviewView[]];
}

const MAX_SENTENCES = 3;

/**
 * The words of a note, or `null` where there is nothing to tell.
 * @param others how many other tools of a server go on working
 * @param continuity the changes of names that a person is asked about
 */
export function noticeOf(
  told: Told,
  others: (server: ServerId) => number,
  language: Language,
  continuity: Snapshot['continuity'] = [],
): Notice | null {
  const renamed = renamedNotice(told, continuity, language);
  if (renamed !== null) return renamed;
  const cards = cardsOf(told.reviews);
  const text =
    changedText(cards, others, language) ?? lostText(told.lost, language) ?? brokenText(told.broken, language);
  if (text === null) return null;
  const place = told.broken.length > 0 && cards.length === 0 ? 'servers' : placeOf(cards);
  return { ...text, ...asking(cards, buttonFor(cards, language), language), place };
}

/** The words of the note that an app tried to use something; its change is not told in it, so only a small one is approved here. */
export function triedNotice(consumer: string, reviews: readonly ReviewView[], language: Language): Notice | null {
  const cards = cardsOf(reviews);
  const [card] = cards;
  if (card === undefined) return null;
  const tool = card.reviews[0].title;
  const act = isSmall(cards) ? 'approve' : 'review';
  return {
    title: words('note.tried.title', language, { consumer, tool }),
    body: words('note.tried.body', language),
    ...asking(cards, act, language),
    place: placeOf(cards),
  };
}

/** Where all that went and came is one change of names, that is what there is to decide: it opens at once. */
function renamedNotice(told: Told, continuity: Snapshot['continuity'], language: Language): Notice | null {
  const gone = told.lost.flatMap(({ removedRefs = [] }) => removedRefs);
  const isWhole = ({ old, now }: Snapshot['continuity'][number]): boolean =>
    gone.every((ref) => old.some((one) => one.ref === ref)) &&
    told.reviews.every(({ ref }) => now.some((one) => one.ref === ref));
  const hasMore = told.broken.length > 0 || told.lost.some(({ unusable }) => unusable.length > 0);
  const question = gone.length === 0 || hasMore ? undefined : continuity.find(isWhole);
  const [before, after] = [question?.old[0]?.title, question?.now[0]?.title];
  if (question === undefined || before === undefined || after === undefined) return null;
  const values = { old: before, tool: question.type === 'split' ? before : after };
  const n = question.type === 'merged' ? question.old.length : question.now.length;
  const isOpenQuestion = question.type === 'renamed' && n > 1;
  return {
    title: words(`note.${isOpenQuestion ? 'renamed.several' : question.type}.title`, language, { ...values, n }),
    body: words('note.one.body', language, { apps: joinNames(question.apps, language), line: '' }).trim(),
    button: { act: 'review', label: words('act.review', language) },
    openLabel: words('act.review', language),
    reviews: [],
    place: question.id,
  };
}

function asking(
  cards: readonly Card[],
  act: 'approve' | 'review' | null,
  language: Language,
): Pick<Notice, 'button' | 'openLabel' | 'reviews'> {
  return {
    button: act === null ? null : { act, label: words(act === 'approve' ? 'act.approve' : 'act.review', language) },
    openLabel: words('act.review', language),
    reviews: cards.flatMap(({ reviews }) =>
      reviews.map(({ id, targetId, severity }) => ({ id, target: targetId, severity })),
    ),
  };
}

/** With one change that one, with several of one upgrade all of that, else the list of all that waits. */
function placeOf(cards: readonly Card[]): Place {
  const [card, ...more] = cards;
  if (card === undefined) return 'inbox';
  const [{ id, incident }] = card.reviews;
  if (more.length === 0) return id;
  const isOne = cards.every(({ reviews }) => reviews.every((review) => review.incident === incident));
  return (isOne ? incident : null) ?? 'inbox';
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

/**
 * Approving from a notification is a blind click: only small changes allow it, or one to be looked at of a tool that a
 * person approved as read-only and that still says so, where all there is to say stands in the note.
 */
function buttonFor(cards: readonly Card[], language: Language): 'approve' | 'review' | null {
  const [card, ...more] = cards;
  if (card === undefined) return null;
  const severities = severitiesOf(cards);
  if (isSmall(cards)) return 'approve';
  if (more.length > 0 || severities.includes('security')) return 'review';
  const isReadOnly = card.reviews.every((review) => review.isReadOnly);
  return isReadOnly && sentencesOf(card, language).length <= MAX_SENTENCES ? 'approve' : 'review';
}

/** Small changes of what there was; what is new nobody has seen yet. */
function isSmall(cards: readonly Card[]): boolean {
  const reviews = cards.flatMap((card) => card.reviews);
  return reviews.every(({ severity, change }) => severity === 'compatible' && change.change === 'changed');
}

function severitiesOf(cards: readonly Card[]): ReviewView['severity'][] {
  return cards.flatMap(({ reviews }) => reviews.map(({ severity }) => severity));
}

function changedText(cards: readonly Card[], others: (server: ServerId) => number, language: Language): Text | null {
  const [card, ...more] = cards;
  if (card === undefined) return null;
  if (more.length > 0) return manyText(cards, others, language);
  const [first] = card.reviews;
  const key = isDanger(card) ? 'note.danger' : 'note.one';
  const apps = joinNames([...new Set(card.reviews.map(({ appName }) => appName))], language);
  const line = sentencesOf(card, language)
    .slice(0, MAX_SENTENCES)
    .join(language === 'en' ? ' ' : '');
  return {
    title: words(`${key}.title`, language, { tool: first.title }),
    body: words(`${key}.body`, language, { apps, line }).trim(),
  };
}

/** The riskiest one is named, however many there are. */
function manyText(cards: readonly Card[], others: (server: ServerId) => number, language: Language): Text {
  const servers = new Map(cards.map(({ reviews: [{ server, serverName }] }) => [server, serverName]));
  const [only, ...more] = servers;
  const title =
    only === undefined || more.length > 0
      ? words('note.several.title', language, { n: servers.size, m: cards.length })
      : words('note.many.title', language, { server: only[1], n: cards.length });
  const danger = cards.find(isDanger)?.reviews[0].title;
  const body =
    danger === undefined
      ? words('note.many.body', language)
      : words('note.many.danger.body', language, { tool: danger });
  return { title, body: body + othersText([...servers.keys()], others, language) };
}

function othersText(servers: readonly ServerId[], others: (server: ServerId) => number, language: Language): string {
  const m = servers.reduce((sum, server) => sum + others(server), 0);
  if (m === 0) return '';
  const space = language === 'en' ? ' ' : '';
  return `${space}${words(m === 1 ? 'note.others.one' : 'note.others.other', language, { m })}`;
}

function lostText(lost: readonly Lost[], language: Language): Text | null {
  const removed = lost.filter((one) => one.removed.length > 0);
  if (removed.length > 0)
    return goneText(
      'missing',
      removed.map(({ server, removed: names }) => ({ server, names })),
      language,
    );
  const unusable = lost.filter((one) => one.unusable.length > 0);
  if (unusable.length === 0) return null;
  return goneText(
    'unusable',
    unusable.map(({ server, unusable: names }) => ({ server, names })),
    language,
  );
}

type Gone = Readonly<{ server: string; names: readonly string[] }>;

function goneText(key: 'missing' | 'unusable', gone: readonly Gone[], language: Language): Text {
  const names = gone.flatMap((one) => one.names);
  const body = words(`note.${key}.body`, language);
  const servers = new Set(gone.map(({ server }) => server));
  const [server = ''] = servers;
  if (servers.size > 1)
    return { title: words(`note.${key}.several.title`, language, { n: names.length, m: servers.size }), body };
  const [tool = '', ...more] = names;
  if (more.length === 0) return { title: words(`note.${key}.title`, language, { tool, server }), body };
  return { title: words(`note.${key}.many.title`, language, { server, n: names.length }), body };
}

function brokenText(broken: readonly string[], language: Language): Text | null {
  const [server, ...more] = broken;
  if (server === undefined) return null;
  if (more.length === 0)
    return { title: words('tray.error', language, { server }), body: words('note.broken.body', language) };
  const title = words('note.broken.many.title', language, { n: broken.length });
  return { title, body: words('note.broken.many.body', language) };
}

function isDanger({ reviews }: Card): boolean {
  return reviews.some(({ change }) => doesMore(change));
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
