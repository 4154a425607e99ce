import { historyWords, type HistoryKey } from './history-words.ts';
import { parseRef } from './identity.ts';
import { KINDS } from './model.ts';
import type {
  CapabilityId,
  CapabilityRef,
  ConsumerId,
  Event,
  Json,
  JsonObject,
  Kind,
  KindOutcome,
  ProfileId,
  ServerId,
  Settings,
  Target,
} from './model.ts';
import { cleanName } from './display.ts';
import { displayName } from './sentences.ts';

/** Evidence that stands in the journal beside the events: every kind of line has a sentence below. */
export type NoteType = 'launch' | 'publication' | 'contraction' | 'followed';

type Seen = { readonly status: KindOutcome['status']; readonly items?: readonly unknown[] };
/** An event as the journal keeps it: of an observation, only what a sentence says is looked at. */
export type ToldEvent =
  | Exclude<Event, { type: 'observed' }>
  | {
      readonly at: string;
      readonly type: 'observed';
      readonly observation: {
        readonly server: ServerId;
        readonly consumer: ConsumerId | null;
        readonly kinds: Partial<Readonly<Record<Kind, Seen>>>;
      };
    };

/** A line of the journal, as far as a person is told of it. */
export interface ToldLine {
  readonly type: string;
  readonly event?: ToldEvent;
  readonly details?: JsonObject;
}

/** What ids are called now. */
export interface Names {
  readonly language: Settings['language'];
  server(id: ServerId): string;
  app(id: ConsumerId): string;
  profile(id: ProfileId): string;
  /** Title of a capability; by its key alone where the definition is not known. */
  title(ref: CapabilityRef, id: CapabilityId | null): string;
}

/** Who a line is about, and its sentence. */
export interface Told {
  readonly server?: ServerId;
  readonly app?: ConsumerId;
  readonly text: string;
}

interface Words {
  readonly key: HistoryKey;
  readonly server?: ServerId;
  readonly app?: ConsumerId;
  readonly values?: Readonly<Record<string, string | number>>;
}

type Tellers = {
  readonly [T in ToldEvent['type']]: (event: Extract<ToldEvent, { type: T }>, names: Names) => Words;
};

const about =
  (key: HistoryKey) =>
  ({ server, consumer }: { readonly server?: ServerId; readonly consumer?: ConsumerId }): Words => ({
    key,
    ...(server !== undefined && { server }),
    ...(consumer !== undefined && { app: consumer }),
  });

const choice =
  (key: 'exposed' | 'hidden') =>
  ({
    server,
    consumer,
    target,
  }: {
    readonly server: ServerId;
    readonly consumer: ConsumerId;
    readonly target: Target;
  }): Words => ({ ...targeted(key, target), server, app: consumer });

const inProfile =
  (key: 'profile-added' | 'profile-removed') =>
  (
    { profile, server, target }: { readonly profile: ProfileId; readonly server: ServerId; readonly target: Target },
    names: Names,
  ): Words => {
    const { values, ...rest } = targeted(key, target);
    return { ...rest, server, values: { ...values, profile: cleanName(names.profile(profile)) } };
  };

const assignment =
  (key: 'profile-assigned' | 'profile-unassigned') =>
  ({ profile, consumer }: { readonly profile: ProfileId; readonly consumer: ConsumerId }, names: Names): Words => ({
    key,
    app: consumer,
    values: { profile: cleanName(names.profile(profile)) },
  });

function targeted(key: 'exposed' | 'hidden' | 'profile-added' | 'profile-removed', target: Target): Words {
  return target === 'all' ? { key: `${key}.all` } : { key: `${key}.one`, values: { name: displayName(target) } };
}

/** One row per event there is: a new one does not compile without its sentence. */
const EVENTS: Tellers = {
  'server-added': ({ server }) => ({
    key: 'server-added',
    server: server.id,
    values: { server: cleanName(server.name) },
  }),
  'server-changed': about('server-changed'),
  'server-removed': about('server-removed'),
  'server-restored': ({ server, name }) => ({ key: 'server-restored', server, values: { server: cleanName(name) } }),
  'server-asks': about('server-asks'),
  'policy-set': ({ server, policy }) => ({ key: `policy-set.${policy}`, server }),
  'policy-applied': about('policy-applied'),
  'consumer-added': ({ consumer, name }) => ({
    key: 'consumer-added',
    app: consumer,
    values: { app: cleanName(name) },
  }),
  exposed: choice('exposed'),
  hidden: choice('hidden'),
  'profile-created': ({ name }) => ({ key: 'profile-created', values: { profile: cleanName(name) } }),
  'profile-added': inProfile('profile-added'),
  'profile-removed': inProfile('profile-removed'),
  'profile-assigned': assignment('profile-assigned'),
  'profile-unassigned': assignment('profile-unassigned'),
  decided: ({ consumer, ref, id, verdict }, names) => capability(`decided.${verdict}`, consumer, ref, id, names),
  undone: ({ consumer, ref, id }, names) => capability('undone', consumer, ref, id, names),
  observed: ({ observation: { server, consumer, kinds } }, names) => observed(server, consumer, kinds, names),
  listed: ({ consumer, kind }, { language }) => ({
    key: 'listed',
    app: consumer,
    values: { kind: historyWords(`kind.${kind}`, language) },
  }),
  notified: ({ incidents: { length: n } }) => ({ key: n === 1 ? 'notified.one' : 'notified.other', values: { n } }),
  paused: ({ until, reason }) => {
    if (reason === 'recovered') return { key: 'paused.recovered' };
    return until === null ? { key: 'paused.open' } : { key: 'paused.until', values: { until: shortTime(until) } };
  },
  resumed: () => ({ key: 'resumed' }),
  language: () => ({ key: 'language' }),
  rebound: ({ consumer, from, to }, names) => {
    const [old, fresh] = [from[0], to[0]];
    if (old === undefined || fresh === undefined) return { key: 'unknown' };
    const name = names.title(fresh.ref, fresh.id);
    const { server } = parseRef(old);
    return { key: 'rebound', app: consumer, server, values: { name, old: names.title(old, null) } };
  },
  'told-apart': ({ consumer, ref }, names) => capability('told-apart', consumer, ref, null, names),
  'tell-set': () => ({ key: 'tell-set' }),
};

const NOTES: Readonly<Record<NoteType | 'observed', (details: JsonObject, names: Names) => Words>> = {
  launch: (details) => ({ key: 'launch', ...owners(details) }),
  publication: (details, names) => change('publication', details['added'], details, names),
  contraction: (details, names) => change('contraction', details['withdrawn'], details, names),
  followed: (details, names) => change('followed', details['followed'], details, names),
  // An observation that changed nothing is kept as `kind -> [status, count]`.
  observed: (details, names) => {
    const { server, app = null } = owners(details);
    return server === undefined ? { key: 'unknown' } : observed(server, app, countedKinds(details['kinds']), names);
  },
};

/** True for a type of line that there is a sentence for. */
export function isToldType(type: string): boolean {
  return Object.hasOwn(EVENTS, type) || Object.hasOwn(NOTES, type);
}

/** Puts a line of the journal into words. Never fails: what it does not know it says so of. */
export function tell(line: ToldLine, names: Names): Told {
  const { key, server, app, values } = wordsOf(line, names);
  const who = { ...(server !== undefined && { server }), ...(app !== undefined && { app }) };
  const filled = {
    ...(server !== undefined && { server: cleanName(names.server(server)) }),
    ...(app !== undefined && { app: cleanName(names.app(app)) }),
    ...values,
  };
  return { ...who, text: historyWords(key, names.language, filled) };
}

function wordsOf({ type, event, details }: ToldLine, names: Names): Words {
  if (event !== undefined) {
    // Each row takes the event of its own name; the table as a whole hides that from the compiler.
    const teller = EVENTS[event.type] as (event: ToldEvent, names: Names) => Words;
    return teller(event, names);
  }
  const note = Object.hasOwn(NOTES, type) ? NOTES[type as keyof typeof NOTES] : undefined; // just looked up
  return note === undefined || details === undefined ? { key: 'unknown' } : note(details, names);
}

function capability(
  key: HistoryKey,
  consumer: ConsumerId,
  ref: CapabilityRef,
  id: CapabilityId | null,
  names: Names,
): Words {
  return { key, app: consumer, server: parseRef(ref).server, values: { name: names.title(ref, id) } };
}

function observed(
  server: ServerId,
  consumer: ConsumerId | null,
  kinds: Partial<Readonly<Record<Kind, Seen>>>,
  { language }: Names,
): Words {
  const who = { server, ...(consumer !== null && { app: consumer }) };
  const tried = KINDS.filter((kind) => kinds[kind] !== undefined);
  const unread = tried.filter((kind) => ['failed', 'incomplete'].includes(kinds[kind]?.status ?? ''));
  if (unread.length === 0) {
    const n = tried.reduce((sum, kind) => sum + (kinds[kind]?.items?.length ?? 0), 0);
    return { key: n === 1 ? 'observed.one' : 'observed.other', ...who, values: { n } };
  }
  if (unread.length === tried.length) return { key: 'observed.failed', ...who };
  const named = unread.map((kind) => historyWords(`kind.${kind}`, language));
  return { key: 'observed.partly', ...who, values: { kinds: named.join(historyWords('list.and', language)) } };
}

/** No list has more; what the journal says is only read. */
const MAX_COUNTED = 10_000;
const STATUSES: readonly string[] = ['complete', 'complete-empty', 'unsupported', 'incomplete', 'failed'];

function countedKinds(kinds: Json | undefined): Partial<Record<Kind, Seen>> {
  const counted = isObject(kinds) ? kinds : {};
  const rows = KINDS.flatMap((kind): [Kind, Seen][] => {
    const [status, count] = listOf(counted[kind]);
    if (typeof status !== 'string' || !STATUSES.includes(status)) return [];
    const length = typeof count === 'number' ? Math.min(count, MAX_COUNTED) : 0;
    return [[kind, { status: status as Seen['status'], items: Array.from({ length }) }]]; // one of them, as just seen
  });
  return Object.fromEntries(rows); // keys are kinds
}

const MAX_NAMED = 3;

/** Names are kept as `<kind>/<published name>`. */
function change(
  key: 'publication' | 'contraction' | 'followed',
  list: Json | undefined,
  details: JsonObject,
  names: Names,
): Words {
  const all = listOf(list).filter((name) => typeof name === 'string');
  const shown = all.slice(0, MAX_NAMED).map((name) => `“${cleanName(name.slice(name.indexOf('/') + 1))}”`);
  if (all.length === 0) return { key: 'publication.quiet', ...owners(details) };
  const text = shown.join(historyWords('list.and', names.language));
  const n = all.length - shown.length;
  const whole = n === 0 ? text : historyWords('list.more', names.language, { names: text, n });
  return { key, ...owners(details), values: { names: whole } };
}

/** Lines of evidence name server and app by id. */
function owners({ server, consumer }: JsonObject): { readonly server?: ServerId; readonly app?: ConsumerId } {
  return {
    ...(typeof server === 'string' && { server: server as ServerId }), // written by this program from an id
    ...(typeof consumer === 'string' && { app: consumer as ConsumerId }), // the same
  };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []; // Array.isArray widens to any[]
}

/** `2026-11-30T13:00:00.000Z` -> `2026-11-30 13:00 UTC`. */
function shortTime(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
