import type { ReviewView, Snapshot } from '../electron/control/snapshot.ts';
import { linesOf, undecided, type Card } from './cards.ts';
import { TIERS, type Tier } from './risk.ts';
import type { Words } from './words.ts';

type Open = Snapshot['incidents'][number];
type Group = Open['groups'][number];

/** Changes of one upgrade that have one cause. */
export interface Section {
  readonly cause: Group['cause'];
  /** Decides them together. */
  readonly id: string;
  readonly cards: readonly Card[];
}

/** One upgrade with several changes: one thing in the list, decided as a whole, one by one, or for one app first. */
export interface IncidentCard {
  readonly key: string;
  readonly serverName: string;
  readonly fromVersion: string | null;
  readonly toVersion: string | null;
  readonly tier: Tier;
  readonly sections: readonly Section[];
  readonly cards: readonly Card[];
  /** What may be approved as a whole: nothing that has to be looked at by itself. */
  readonly together: readonly Card[];
  readonly missing: number;
  readonly quiet: number;
}

/** One row of the inbox. */
export type Entry =
  | { readonly type: 'card'; readonly key: string; readonly card: Card }
  | { readonly type: 'incident'; readonly key: string; readonly incident: IncidentCard };

/** Causes that are never approved with the rest. */
const ALONE: readonly Group['cause'][] = ['careful', 'claims'];

/** Rows of the inbox: changes of one upgrade are one row, where they are several. Keeps the order of the cards. */
export function entriesOf(waiting: readonly Card[], incidents: Snapshot['incidents']): Entry[] {
  const grouped = incidents.map((open) => incidentOf(open, waiting)).filter(({ cards }) => cards.length > 1);
  const incidentWith = new Map(grouped.flatMap((incident) => incident.cards.map((card) => [card.key, incident])));
  const shown = new Set<string>();
  return waiting.flatMap((card): Entry[] => {
    const incident = incidentWith.get(card.key);
    if (incident === undefined) return [{ type: 'card', key: card.key, card }];
    if (shown.has(incident.key)) return [];
    shown.add(incident.key);
    return [{ type: 'incident', key: incident.key, incident }];
  });
}

/** One upgrade, with those of its changes that wait. */
export function incidentOf(open: Open, waiting: readonly Card[]): IncidentCard {
  const sections = open.groups
    .map(({ id, cause, reviews }) => {
      const ids = new Set<string>(reviews);
      return { id, cause, cards: waiting.filter((card) => card.reviews.some((review) => ids.has(review.id))) };
    })
    .filter(({ cards }) => cards.length > 0);
  const cards = [...new Set(sections.flatMap((section) => section.cards))];
  const alone = new Set(sections.filter(({ cause }) => ALONE.includes(cause)).flatMap((section) => section.cards));
  return {
    key: open.id,
    serverName: open.serverName,
    fromVersion: open.fromVersion,
    toVersion: open.toVersion,
    tier: TIERS.find((tier) => cards.some((card) => card.tier === tier)) ?? 'small',
    sections,
    cards,
    together: cards.filter((card) => !alone.has(card)),
    missing: open.missing,
    quiet: open.quiet,
  };
}

/** How many of what, gravest first, as one line. */
export function countsOf({ sections }: Pick<IncidentCard, 'sections'>, { t }: Words): string {
  return sections.map(({ cause, cards }) => t(`incident.${cause}`, { n: cards.length })).join(' · ');
}

/** A change in one line. */
export function summaryOf(card: Card, words: Words): string {
  const lines = linesOf(card, words).map(({ text }) => text);
  const more = lines.length - MAX_LINES;
  return words.join(more > 0 ? [...lines.slice(0, MAX_LINES), words.t('list.more', { n: more })] : lines);
}
const MAX_LINES = 3;

/** Apps that wait for a decision on some of these, each once, in their order. */
export function appsOf(cards: readonly Card[]): { readonly id: ReviewView['app']; readonly name: string }[] {
  const apps = new Map(cards.flatMap(undecided).map(({ app, appName }) => [app, appName]));
  return [...apps].map(([id, name]) => ({ id, name }));
}

/** From one version to another, where the server tells them. */
export function versionLine({ fromVersion, toVersion }: IncidentCard, { t }: Words): string | null {
  if (fromVersion === null || toVersion === null || fromVersion === toVersion) return null;
  return t('incident.version', { from: fromVersion, to: toVersion });
}
