import type { ReviewView, Snapshot } from '../electron/control/snapshot.ts';
import { factKeys, risksOf, TIERS, tierOf, type Risk, type Tier } from './risk.ts';
import type { Words } from './words.ts';

/** One change of one definition for all the apps it concerns: what a person decides about. */
export interface Card {
  readonly key: string;
  readonly ref: string;
  readonly title: string;
  readonly serverName: string;
  readonly tier: Tier;
  readonly risks: readonly Risk[];
  /** Never there before, rather than changed. */
  readonly isNew: boolean;
  /** `waiting` asks; `off` and `on` are decided or keep still; `outdated` has been overtaken by a newer change. */
  readonly state: 'waiting' | 'off' | 'on' | 'outdated';
  /** One per app. */
  readonly reviews: readonly [ReviewView, ...ReviewView[]];
}

/** The inbox, in its order. */
export interface Inbox {
  readonly waiting: readonly Card[];
  /** Waits, too, and is asked about only when it is needed. */
  readonly unused: readonly Card[];
  readonly off: readonly Card[];
  readonly on: readonly Card[];
}

/** One line of “what changed”. */
export interface Line {
  readonly text: string;
  readonly tier: Tier;
}

const MAX_ON = 10;

/** Groups reviews of the same change over all apps. */
export function cardsOf(reviews: readonly ReviewView[]): Card[] {
  const groups = new Map<string, [ReviewView, ...ReviewView[]]>();
  for (const review of reviews) {
    const key = cardKey(review);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [review]);
    else group.push(review);
  }
  return [...groups].map(([key, group]) => cardOf(key, group));
}

export function cardKey({ ref, targetId }: Pick<ReviewView, 'ref' | 'targetId'>): string {
  return `${ref} ${targetId}`;
}

function cardOf(key: string, reviews: Card['reviews']): Card {
  const [{ ref, title, serverName }] = reviews;
  const tiers = reviews.map(({ severity }) => tierOf(severity));
  const changes = reviews.map(({ change }) => change);
  return {
    key,
    ref,
    title,
    serverName,
    tier: TIERS.find((tier) => tiers.includes(tier)) ?? 'small',
    risks: risksOf(changes),
    isNew: changes.every(({ change }) => change === 'added'),
    state: stateOf(reviews),
    reviews,
  };
}

function stateOf(reviews: Card['reviews']): Card['state'] {
  if (reviews.some(({ state, quiet }) => state === 'pending' && !quiet)) return 'waiting';
  if (reviews.some(({ state }) => state === 'pending' || state === 'kept-off')) return 'off';
  return reviews.some(({ state }) => state === 'approved') ? 'on' : 'outdated';
}

/** What waits, what stays off, and what was turned on lately. A capability shows up once, with its newest change. */
export function inboxOf(
  cards: readonly Card[],
  { apps, lastUsed }: Pick<Snapshot, 'apps' | 'lastUsed'> = { apps: [] },
): Inbox {
  // What is missed first is asked first in a backlog; else what is risky.
  const usedAt = ({ ref }: Card): string => lastUsed?.[ref] ?? '';
  const byUse = (a: Card, b: Card): number => Number(usedAt(b) > usedAt(a)) - Number(usedAt(a) > usedAt(b));
  const asking = cards.filter(({ state }) => state === 'waiting').sort((a, b) => byUse(a, b) || byRisk(a, b));
  const taken = new Set(asking.map(({ ref }) => ref));
  const isUnused = ({ reviews }: Card): boolean => reviews.every((review) => review.isUnused);
  const isHeld = (card: Card): boolean =>
    card.state === 'off' && card.reviews.some((review) => isWithheld(review, apps));
  const off = newestPerRef(cards.filter(isHeld), taken);
  const on = newestPerRef(
    cards.filter(({ state, reviews }) => state === 'on' && newest(reviews) > 0),
    taken,
  );
  return {
    waiting: asking.filter((card) => !isUnused(card)),
    unused: asking.filter(isUnused),
    off,
    on: on.slice(0, MAX_ON),
  };
}

/** A rejected definition that is not the present one holds nothing back: the tool may be on with another one. */
function isWithheld({ app, title, kind, state }: ReviewView, apps: Snapshot['apps']): boolean {
  if (state === 'pending') return true;
  const held = apps.find(({ id }) => id === app)?.withheld ?? [];
  return held.some((entry) => entry.title === title && entry.kind === kind);
}

/** Open ones first, then by the latest decision; adds the refs it keeps to `taken`. */
function newestPerRef(cards: readonly Card[], taken: Set<string>): Card[] {
  const rank = ({ reviews }: Card): number =>
    reviews.some(({ state }) => state === 'pending') ? Number.MAX_SAFE_INTEGER : newest(reviews);
  const sorted = [...cards].sort((a, b) => rank(b) - rank(a));
  return sorted.filter(({ ref }) => !taken.has(ref) && taken.add(ref));
}

function newest(reviews: Card['reviews']): number {
  return Math.max(...reviews.map(({ decision }) => decision ?? 0));
}

function byRisk(a: Card, b: Card): number {
  return TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) || a.title.localeCompare(b.title);
}

/** The reviews that a decision on the whole card is about. */
export function undecided(card: Card): ReviewView[] {
  return card.reviews.filter(({ state }) => state === 'pending');
}

export function appNames(reviews: readonly Pick<ReviewView, 'appName'>[]): string[] {
  return [...new Set(reviews.map(({ appName }) => appName))];
}

/** What changed, riskiest first, each sentence once. */
export function linesOf(card: Card, { t, language }: Words): Line[] {
  // Of a first claim the change’s own sentence says all there is: nothing is known of before.
  const told = isFirstClaim(card) ? card.risks.filter((risk) => !risk.startsWith('safer.')) : card.risks;
  const lines: Line[] = factKeys(told).map((key) => ({
    text: t(key, { server: card.serverName }),
    tier: 'careful',
  }));
  const tier = card.tier === 'careful' && lines.length > 0 ? 'check' : card.tier;
  for (const text of card.reviews.flatMap(({ change }) => change.sentences[language])) lines.push({ text, tier });
  const breaks = card.reviews.some(({ severity, change }) => severity === 'breaking' && change.change === 'changed');
  if (breaks) lines.push({ text: t('fact.breaks'), tier: 'check' });
  return lines.filter(({ text }, i) => lines.findIndex((line) => line.text === text) === i);
}

/** All that is risky about it is what the server says of itself, for the first time. */
function isFirstClaim({ reviews }: Card): boolean {
  const facts = reviews.flatMap(({ change }) => change.facts).filter(({ severity }) => severity === 'security');
  return facts.length > 0 && facts.every((fact) => /^hint\.\w+\.claimed$/.test(fact.class));
}

/** What a server no longer offers, with the apps that want it. */
export interface Gone {
  readonly tool: string;
  readonly server: string;
  readonly apps: readonly string[];
}

/** One line for all apps that miss the same thing. */
export function missingOf(missing: Snapshot['missing']): Gone[] {
  const gone: (Gone & { apps: string[] })[] = [];
  for (const { title: tool, serverName: server, app } of missing) {
    const known = gone.find((entry) => entry.tool === tool && entry.server === server);
    if (known === undefined) gone.push({ tool, server, apps: [app] });
    else if (!known.apps.includes(app)) known.apps.push(app);
  }
  return gone;
}

/** Changes that may be approved together. */
export function smallOnes(cards: readonly Card[]): Card[] {
  return cards.filter(({ tier }) => tier === 'small');
}
