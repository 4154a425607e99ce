import type { CommandOutput } from '../electron/control/commands.ts';
import type { ReviewView } from '../electron/control/snapshot.ts';
import type { Words } from './words.ts';

export type HistoryEvent = CommandOutput<'history'>['events'][number];
export const FILTERS = ['all', 'changes', 'problems'] as const;
export type Filter = (typeof FILTERS)[number];

/** Entries of one day, newest first. */
export interface Day {
  readonly label: string;
  readonly events: readonly HistoryEvent[];
}

/** Bookkeeping of the gateway: true, and of no use to a person who looks for what happened. */
const QUIET = ['listed', 'notified', 'launch', 'publication'];
const CHANGES = [
  'decided',
  'undone',
  'rebound',
  'told-apart',
  'followed',
  'policy-set',
  'policy-applied',
  'contraction',
  'exposed',
  'hidden',
  'server-added',
  'server-changed',
  'server-removed',
];

/** Things that happened, of one sort. An observation that read everything is no problem, and is told by its sentence only. */
export function filtered(events: readonly HistoryEvent[], filter: Filter): HistoryEvent[] {
  const isShown: Readonly<Record<Filter, (event: HistoryEvent) => boolean>> = {
    all: ({ type }) => !QUIET.includes(type),
    changes: ({ type }) => CHANGES.includes(type),
    problems: isProblem,
  };
  return events.filter(isShown[filter]);
}

/** The journal has no mark for what failed so far; its sentences do. */
export function isProblem({ type, text }: HistoryEvent): boolean {
  return type === 'observed' && /could not|couldn’t|失败|无法|没能/.test(text);
}

/** Days in the person's own time zone. */
export function byDay(events: readonly HistoryEvent[], now: Date, words: Words): Day[] {
  const labels = new Map<string, HistoryEvent[]>();
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  for (const event of events) {
    const day = new Date(event.at).toDateString();
    const label =
      day === now.toDateString()
        ? words.t('activity.today')
        : day === yesterday.toDateString()
          ? words.t('activity.yesterday')
          : words.date(event.at);
    labels.set(label, [...(labels.get(label) ?? []), event]);
  }
  return [...labels].map(([label, of]) => ({ label, events: of }));
}

const DECISIONS = ['decided', 'rebound', 'followed'];

/** The reviews whose decisions an entry tells of, as far as they stand: they can be taken back for ever. */
export function undoable({ type, sequence, app }: HistoryEvent, reviews: readonly ReviewView[]): ReviewView[] {
  if (!DECISIONS.includes(type)) return [];
  // What a policy accepted stands in a line of its own, one for each app.
  const isOf = (review: ReviewView): boolean =>
    type !== 'followed' || (review.decidedBy === 'policy' && review.app === app);
  return reviews.filter((review) => review.decision === sequence && isOf(review));
}
