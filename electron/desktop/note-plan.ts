import type { ReviewView, ServerView, Snapshot } from '../control/snapshot.ts';
import type { ConsumerId, IncidentId, ServerId, Tell } from '../core/model.ts';

/** What one incident took away, by name, as far as it is still gone. */
export interface Lost {
  readonly server: string;
  readonly removed: readonly string[];
  /** Refs of the same. */
  readonly removedRefs?: readonly string[];
  /** Described in a way that cannot be used. */
  readonly unusable: readonly string[];
}

/** An app tried to use something. */
export interface Tried {
  readonly consumer: ConsumerId;
  readonly ref: string;
}

/** How things are at the moment of planning. Times are milliseconds of one clock. */
export interface Facts {
  readonly at: number;
  readonly telling: Tell;
  /** The person looks at the window, which shows the same. */
  readonly isWindowInFront: boolean;
  readonly reviews: Snapshot['reviews'];
  /** Ids of the reviews that a note on the screen asks about. */
  readonly onScreen: ReadonlySet<string>;
  /** Ids of the reviews that the window told of, and when it last did. */
  readonly banner: { readonly at: number; readonly reviews: ReadonlySet<string> };
  readonly lost: (incident: IncidentId) => Lost;
  /** Servers in use that do not run. */
  readonly broken: readonly Pick<ServerView, 'id' | 'name'>[];
}

/** What the planner remembers; it is lost with the program, and what was told is not: that is stored. */
export interface Memory {
  /** Heard of and not told yet, oldest first. */
  readonly waiting: readonly { readonly incident: IncidentId; readonly since: number }[];
  /** Keys of the changes that were told, oldest first. */
  readonly told: readonly string[];
  /** Notes of the last day. */
  readonly notes: readonly { readonly at: number; readonly isCareful: boolean }[];
  /** When a change was told because it was tried. */
  readonly tried: Readonly<Record<string, number>>;
  readonly broken: Readonly<Record<ServerId, { readonly since: number; readonly isTold: boolean }>>;
}

export const NOTHING_YET: Memory = { waiting: [], told: [], notes: [], tried: {}, broken: {} };

/** What one note tells. */
export interface Told {
  readonly reviews: readonly ReviewView[];
  readonly lost: readonly Lost[];
  /** Names of servers. */
  readonly broken: readonly string[];
}

export interface Plan {
  readonly memory: Memory;
  /** To be shown now; `null` for nothing. */
  readonly note: Told | null;
  /** The same, in the window, which the person looks at. Takes the place of an earlier one. */
  readonly banner: Told | null;
  /** The incidents that the note tells of. */
  readonly told: readonly IncidentId[];
  /** Incidents of which nothing has to be told any more. */
  readonly settled: readonly IncidentId[];
  /** When to plan again, if nothing happens before. */
  readonly lookAgainAt: number | null;
}

/** What happens within this time is told together. */
const COLLECT_MS = 20_000;
/** Between two notes of changes that add no risk. */
const BETWEEN_MS = 4 * 60 * 60_000;
const PER_DAY = 3;
const DAY_MS = 24 * 60 * 60_000;
/** A server that comes back sooner has restarted, which is nothing to tell. */
const BROKEN_MS = 60_000;
const MAX_TOLD = 5_000;

/** An incident that may have to be told. */
export function hear(memory: Memory, incident: IncidentId, at: number): Memory {
  if (memory.waiting.some((one) => one.incident === incident)) return memory;
  return { ...memory, waiting: [...memory.waiting, { incident, since: at }] };
}

/** Decides what is told now, what never will be, and when to look again. */
export function plan(given: Memory, facts: Facts): Plan {
  const memory = upToDate(given, facts);
  const news = memory.waiting.map((one) => ({ ...one, ...newsOf(memory, facts, one.incident) }));
  const [live, over] = [news.filter(({ isOver }) => !isOver), news.filter(({ isOver }) => isOver)];
  const silent = over.map(({ incident }) => incident);
  const broken = facts.telling === 'all' ? facts.broken.filter(({ id }) => memory.broken[id]?.isTold === false) : [];
  if (facts.isWindowInFront) return seen(memory, facts, live, silent, broken);
  const changes = dueChanges(memory, live);
  const waiting = live.map(({ incident, since }) => ({ incident, since }));
  const rest = { ...memory, waiting };
  if (changes !== null && changes <= facts.at) return tellChanges(rest, facts, live, silent, broken);
  const breakages = dueBroken(memory, broken);
  if (breakages !== null && breakages <= facts.at) return tellBroken(rest, facts, silent, broken, changes);
  return {
    memory: rest,
    note: null,
    banner: null,
    told: [],
    settled: silent,
    lookAgainAt: earliest(changes, breakages),
  };
}

interface News {
  readonly reviews: readonly ReviewView[];
  readonly lost: Lost;
  readonly isOver: boolean;
}
type Live = News & Memory['waiting'][number];

const NOTHING_LOST: Lost = { server: '', removed: [], unusable: [] };

function newsOf({ told }: Memory, facts: Facts, incident: IncidentId): News {
  const isNews = (review: ReviewView): boolean =>
    review.incident === incident && isAsking(review) && !told.includes(changeKey(review)) && !review.isUnused;
  const reviews = facts.reviews.filter((review) => isNews(review) && isWanted(facts.telling, review));
  const lost = facts.telling === 'all' ? facts.lost(incident) : NOTHING_LOST;
  return { reviews, lost, isOver: reviews.length + lost.removed.length + lost.unusable.length === 0 };
}

/** The person looks at the window, so it is told there, at once; a server that only restarts is nothing to tell there either. */
function seen(
  memory: Memory,
  facts: Facts,
  live: readonly Live[],
  silent: readonly IncidentId[],
  broken: Facts['broken'],
): Plan {
  const settled = [...silent, ...live.map(({ incident }) => incident)];
  const fresh = live.flatMap(({ reviews }) => reviews);
  const dueAt = ({ id }: Facts['broken'][number]): number => (memory.broken[id]?.since ?? 0) + BROKEN_MS;
  // A banner has room for one kind of news; what broke comes right after what changed.
  const down = live.length > 0 ? [] : broken.filter((server) => dueAt(server) <= facts.at);
  const next = withTold({ ...memory, waiting: [] }, fresh, down);
  // What came shortly before is told together with it, as in a note.
  const isRecent = facts.at - facts.banner.at < COLLECT_MS;
  const before = facts.reviews.filter((review) => facts.banner.reviews.has(review.id) && isAsking(review));
  const reviews = isRecent && fresh.length > 0 ? [...fresh, ...before.filter((one) => !fresh.includes(one))] : fresh;
  const isNews = live.length + down.length > 0;
  const banner = { reviews, lost: live.map(({ lost }) => lost), broken: down.map(({ name }) => name) };
  const later = broken.filter((server) => !down.includes(server)).map(dueAt);
  return {
    memory: next,
    note: null,
    banner: isNews ? banner : null,
    told: [],
    settled,
    lookAgainAt: earliest(...later),
  };
}

/** What adds risk is told at once; the rest is collected, and told rarely. */
function dueChanges({ notes }: Memory, live: readonly Live[]): number | null {
  const [first] = live;
  if (first === undefined) return null;
  if (live.some(({ reviews }) => reviews.some(isCareful))) return first.since;
  return Math.max(first.since + COLLECT_MS, allowedFrom(notes));
}

function dueBroken(memory: Memory, broken: Facts['broken']): number | null {
  const since = broken.flatMap(({ id }) => memory.broken[id]?.since ?? []);
  return since.length === 0 ? null : Math.max(Math.min(...since) + BROKEN_MS, allowedFrom(memory.notes));
}

function allowedFrom(notes: Memory['notes']): number {
  const ordinary = notes.filter((note) => !note.isCareful).at(-1);
  const oldest = notes.at(-PER_DAY);
  return Math.max(ordinary === undefined ? 0 : ordinary.at + BETWEEN_MS, oldest === undefined ? 0 : oldest.at + DAY_MS);
}

function tellChanges(
  memory: Memory,
  facts: Facts,
  live: readonly Live[],
  settled: readonly IncidentId[],
  broken: Facts['broken'],
): Plan {
  const fresh = live.flatMap(({ reviews }) => reviews);
  // The note takes the place of the one on the screen, so it goes on asking what that one asks.
  const asked = facts.reviews.filter((review) => facts.onScreen.has(review.id) && isAsking(review));
  const reviews = [...fresh, ...asked.filter((review) => !fresh.includes(review))];
  const notes = [...memory.notes, { at: facts.at, isCareful: fresh.some(isCareful) }];
  const next = withTold({ ...memory, waiting: [], notes }, fresh, []);
  const note = { reviews, lost: live.map(({ lost }) => lost), broken: [] };
  const told = live.map(({ incident }) => incident);
  return { memory: next, note, banner: null, told, settled, lookAgainAt: dueBroken(next, broken) };
}

function tellBroken(
  memory: Memory,
  facts: Facts,
  settled: readonly IncidentId[],
  broken: Facts['broken'],
  changes: number | null,
): Plan {
  const notes = [...memory.notes, { at: facts.at, isCareful: false }];
  const next = withTold({ ...memory, notes }, [], broken);
  const note = { reviews: [], lost: [], broken: broken.map(({ name }) => name) };
  return {
    memory: next,
    note,
    banner: null,
    told: [],
    settled,
    lookAgainAt: changes === null ? null : allowedFrom(notes),
  };
}

/** The note of a change that an app tried to use, at most once a day for each; `null` for none. */
export function planTried(given: Memory, facts: Facts, tried: Tried): { memory: Memory; reviews: ReviewView[] } | null {
  const memory = upToDate(given, facts);
  const isTried = (review: ReviewView): boolean => review.app === tried.consumer && review.ref === tried.ref;
  const found = facts.reviews.find((review) => isTried(review) && isAsking(review));
  if (found === undefined || facts.isWindowInFront || !isWanted(facts.telling, found)) return null;
  const key = changeKey(found);
  // An assistant that tries one tool after the other makes one note; the chat says the same of each.
  const isTooSoon = Object.values(memory.tried).some((at) => at + COLLECT_MS > facts.at);
  if (memory.tried[key] !== undefined || isTooSoon) return null;
  const reviews = facts.reviews.filter((review) => isAsking(review) && changeKey(review) === key);
  return { memory: withTold({ ...memory, tried: { ...memory.tried, [key]: facts.at } }, reviews, []), reviews };
}

/** A note that could not be shown is none. */
export function notShown(memory: Memory, at: number): Memory {
  return { ...memory, notes: memory.notes.filter((note) => note.at !== at) };
}

/** What lies more than a day back does not count, nor what a clock that was set back puts into the future. */
function upToDate(memory: Memory, { at, broken }: Facts): Memory {
  const isRecent = (time: number): boolean => time <= at && time > at - DAY_MS;
  return {
    ...memory,
    waiting: memory.waiting.map((one) => ({ ...one, since: Math.min(one.since, at) })),
    notes: memory.notes.filter((note) => isRecent(note.at)),
    tried: Object.fromEntries(Object.entries(memory.tried).filter(([, time]) => isRecent(time))),
    broken: Object.fromEntries(broken.map(({ id }) => [id, memory.broken[id] ?? { since: at, isTold: false }])),
  };
}

function withTold(memory: Memory, reviews: readonly ReviewView[], broken: Facts['broken']): Memory {
  const keys = reviews.map(changeKey).filter((key) => !memory.told.includes(key));
  const marked = broken.map(({ id }) => [id, { since: memory.broken[id]?.since ?? 0, isTold: true }] as const);
  return {
    ...memory,
    told: [...memory.told, ...new Set(keys)].slice(-MAX_TOLD),
    broken: { ...memory.broken, ...Object.fromEntries(marked) },
  };
}

/** One change of one definition, in however many apps. */
function changeKey({ ref, targetId }: ReviewView): string {
  return `${ref} ${targetId}`;
}

/** It waits for the person and does so aloud. */
function isAsking({ state, quiet }: ReviewView): boolean {
  return state === 'pending' && !quiet;
}

function isCareful({ severity }: ReviewView): boolean {
  return severity === 'security';
}

function isWanted(telling: Tell, review: ReviewView): boolean {
  return telling === 'all' || (telling === 'careful' && isCareful(review));
}

function earliest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
