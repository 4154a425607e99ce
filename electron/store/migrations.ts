import { HoldfastError } from '../core/errors.ts';
import { isRecord } from './json.ts';

/** Version of the stored document. A change of its shape adds one, and a step to {@link MIGRATIONS}. */
export const SCHEMA_VERSION = 4;

/** Longest version of a program that is kept, in characters. */
export const MAX_WRITTEN_BY = 100;

type Document = Readonly<Record<string, unknown>>;

/** Entry `n` turns version `n` into `n + 1`. */
const MIGRATIONS: Readonly<Record<number, (document: Document) => Document>> = {
  // Version 1 did not say which version of the program wrote it, and told of a recovery as long as it was applied.
  1: (document) => ({ ...document, writtenBy: '', outbox: withTelling(document['outbox']) }),
  // Version 2 asked about every change: so it stays for the servers that were there, until a person says otherwise.
  2: (document) => ({ ...document, state: withPolicies(document['state']) }),
  // Version 3 did not say when an app had listed what it last listed, told a person of everything, and knew no new names.
  3: (document) => ({ ...document, state: withTimesOfLists(document['state']) }),
};

function withPolicies(state: unknown): unknown {
  if (!isRecord(state)) return state;
  const { servers, incidents } = state;
  const asking = isRecord(servers) ? mapValues(servers, (server) => extended(server, { policy: 'review' })) : servers;
  const told = Array.isArray(incidents)
    ? incidents.map((incident: unknown) => extended(withQuiet(incident), OLD_INCIDENT))
    : incidents;
  return { ...state, servers: asking, incidents: told, quiet: {}, stops: {}, moves: {} };
}

function withTimesOfLists(state: unknown): unknown {
  if (!isRecord(state)) return state;
  const { lastListed, settings } = state;
  const timed = (lists: unknown): unknown =>
    isRecord(lists) ? mapValues(lists, (manifestId) => ({ manifestId, at: null })) : lists;
  return {
    ...state,
    lastListed: isRecord(lastListed) ? mapValues(lastListed, timed) : lastListed,
    settings: extended(settings, { tell: 'all' }),
    rebinds: {},
    apart: {},
  };
}

/** What the earlier ones told was all told aloud, and there was one scope to each. */
const OLD_INCIDENT = { followed: [], unusable: [], change: '', loud: true };

function withQuiet(incident: unknown): unknown {
  if (!isRecord(incident) || !Array.isArray(incident['reviews'])) return incident;
  const reviews = incident['reviews'].map((review: unknown) => extended(review, { quiet: false }));
  return { ...incident, reviews };
}

/** What is no record stays as it is, and is refused by the schema. */
function extended(value: unknown, more: Document): unknown {
  return isRecord(value) ? { ...value, ...more } : value;
}

function mapValues(record: Document, change: (value: unknown) => unknown): Document {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function withTelling(outbox: unknown): unknown {
  if (!isRecord(outbox)) return outbox;
  const { replay } = outbox;
  return { ...outbox, telling: { recovery: isRecord(replay) ? replay['kind'] : null, known: [] } };
}

/** A document of the present version, and the one that it was. */
export interface Migrated {
  readonly document: Document;
  readonly version: number;
}

/**
 * Brings a stored document to the present version; `undefined` for what is no such document.
 * @throws HoldfastError STORE_NEWER when a later version of the program wrote it. The file must stay as it is.
 */
export function migrate(document: unknown, file: string): Migrated | undefined {
  if (!isRecord(document)) return undefined;
  const version = versionOf(document);
  if (version === undefined) return undefined;
  if (version > SCHEMA_VERSION) throw newer(document, version, file);
  let current: Document = document;
  for (let step = version; step < SCHEMA_VERSION; step += 1) {
    const change = MIGRATIONS[step];
    if (change === undefined) return undefined;
    current = { ...change(current), holdfast: step + 1 };
  }
  return { document: current, version };
}

function versionOf(document: Document): number | undefined {
  const version = Object.hasOwn(document, 'holdfast') ? document['holdfast'] : undefined;
  return typeof version === 'number' && Number.isSafeInteger(version) && version > 0 ? version : undefined;
}

/** Who wrote it is named where a later format still says it in the same place. */
function newer(document: Document, found: number, file: string): HoldfastError {
  const writtenBy = Object.hasOwn(document, 'writtenBy') ? document['writtenBy'] : undefined;
  const isKnown = typeof writtenBy === 'string' && VERSION.test(writtenBy);
  return new HoldfastError('STORE_NEWER', { file, found, known: SCHEMA_VERSION, ...(isKnown && { writtenBy }) });
}

/** What may be shown to a person: it comes from a file that nothing else has checked. */
const VERSION = new RegExp(`^[0-9A-Za-z][0-9A-Za-z.+-]{0,${MAX_WRITTEN_BY - 1}}$`);
