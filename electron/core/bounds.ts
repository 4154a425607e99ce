import { BOUND_SENTENCES } from './bound-sentences.ts';
import type { Settings } from './model.ts';

type Unit =
  | 'bytes'
  | 'characters'
  | 'levels'
  | 'values'
  | 'entries'
  | 'pages'
  | 'messages'
  | 'requests'
  | 'connections'
  | 'times'
  | 'per second'
  | 'ms';
type Of = 'server' | 'app' | 'person' | 'both';

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;

/**
 * Everything a server or a host app may send, and how long it may take: value, unit, and whose it is. Whoever checks a
 * bound takes the number from here, and the words from the sentence of the same name.
 */
const NUMBERS = {
  // Messages. Results of 10 MiB and more are ordinary (images).
  lineBytes: [64 * MIB, 'bytes', 'both'],
  handshakeBytes: [4 * KIB, 'bytes', 'app'],
  /** Deeper ones are refused wherever they are parsed: writing them out again would exhaust the stack. */
  messageDepth: [1_000, 'levels', 'both'],
  batchLength: [100, 'messages', 'both'],
  methodLength: [256, 'characters', 'both'],
  idLength: [256, 'characters', 'both'],
  progressTokenLength: [256, 'characters', 'both'],
  capabilitiesLength: [64 * KIB, 'characters', 'both'],

  // What waits to be read or answered.
  /** Twice what one app may have under way, so that an honest server never gets there. */
  unreadBytes: [128 * MIB, 'bytes', 'server'],
  queuedBytes: [1 * MIB, 'bytes', 'app'],
  stalledBytes: [64 * MIB, 'bytes', 'app'],
  requestsInFlight: [1_000, 'requests', 'app'],
  /** One message is let through whatever its size. */
  unansweredBytes: [64 * MIB, 'bytes', 'app'],
  serverRequests: [100, 'requests', 'server'],
  serverRequestBytes: [64 * MIB, 'bytes', 'server'],
  logsPerSecond: [200, 'per second', 'server'],
  progressPerSecond: [200, 'per second', 'server'],
  connectionsPerApp: [64, 'connections', 'app'],
  connections: [512, 'connections', 'app'],
  /** Those that have not introduced themselves and those for commands count too. */
  sockets: [1_024, 'connections', 'both'],
  subscriptions: [1_000, 'entries', 'app'],
  commandsInFlight: [100, 'requests', 'person'],
  commandBytes: [1 * MIB, 'bytes', 'person'],

  // What a server says of itself.
  nameLength: [200, 'characters', 'server'],
  versionLength: [200, 'characters', 'server'],
  instructionsLength: [100_000, 'characters', 'server'],
  reasonLength: [500, 'characters', 'server'],
  /** Of a server's own text within a reason. */
  quotedLength: [200, 'characters', 'server'],
  stderrBytes: [16 * KIB, 'bytes', 'server'],
  lastWordLines: [50, 'entries', 'server'],
  lastWordsLength: [200, 'characters', 'server'],

  // Lists. More than any server needs; a list that goes on beyond is one that does not end.
  pages: [100, 'pages', 'server'],
  items: [5_000, 'entries', 'server'],
  listBytes: [16 * MIB, 'bytes', 'server'],
  cursorLength: [64 * KIB, 'characters', 'server'],
  keyLength: [8_192, 'characters', 'server'],
  /** Of one list, all together: the state keeps them. */
  keysLength: [2_000_000, 'characters', 'server'],
  /** Of one server: what it no longer offers and nobody decided on. */
  absentEntries: [10_000, 'entries', 'server'],
  listTries: [3, 'times', 'server'],
  rememberedIds: [20_000, 'entries', 'server'],

  // One definition.
  definitionDepth: [100, 'levels', 'server'],
  definitionValues: [100_000, 'values', 'server'],
  /** In UTF-16 code units, keys included. */
  definitionLength: [1_000_000, 'characters', 'server'],
  /** Each costs a few milliseconds, and nobody reads so many. */
  followedPerList: [1_000, 'entries', 'server'],
  inlinedSchemas: [2_000, 'values', 'server'],
  inlinedDefinitions: [200, 'entries', 'server'],
  inlinedLength: [100_000, 'characters', 'server'],
  referenceTargets: [2_000, 'entries', 'server'],
  referencedSchemas: [20_000, 'values', 'server'],
  referencedLength: [4_000_000, 'characters', 'server'],
  /** Host apps refuse longer ones once they have put their own prefix before them. */
  publishedName: [48, 'characters', 'server'],
  prefixLength: [16, 'characters', 'person'],
  displayName: [60, 'characters', 'both'],
  /** Of a server, an app or a tool set, as the person calls it. */
  givenName: [100, 'characters', 'person'],

  // Resources.
  templateLength: [2_048, 'characters', 'server'],
  templateExpressions: [10, 'entries', 'server'],
  templateSteps: [64, 'entries', 'server'],
  templates: [1_000, 'entries', 'server'],
  matchedUriLength: [2_048, 'characters', 'app'],
  inspectedBytes: [4 * MIB, 'bytes', 'server'],
  returnedUris: [10_000, 'entries', 'server'],
  returnedUrisPerAnswer: [1_000, 'entries', 'server'],

  // What a person has.
  servers: [200, 'entries', 'person'],
  apps: [200, 'entries', 'person'],
  profiles: [200, 'entries', 'person'],

  // Times.
  initializeMs: [30 * SECOND, 'ms', 'server'],
  /** First start through a package runner, which may have to download first. */
  firstInitializeMs: [120 * SECOND, 'ms', 'server'],
  pageMs: [15 * SECOND, 'ms', 'server'],
  observationMs: [60 * SECOND, 'ms', 'server'],
  /** How long a call waits for its definition to be seen. */
  verifyMs: [45 * SECOND, 'ms', 'server'],
  /** Between closing stdin, SIGTERM and SIGKILL. */
  killStepMs: [2 * SECOND, 'ms', 'server'],
  /** What a process that has exited may still have in its pipes. */
  pipeDrainMs: [500, 'ms', 'server'],
  quickCrashes: [5, 'times', 'server'],
  /** An exit sooner than this after the start is a crash that counts. */
  quickCrashMs: [60 * SECOND, 'ms', 'server'],
  /** Between two lists that follow change notices. */
  maxGapMs: [4 * SECOND, 'ms', 'server'],
  handshakeMs: [5 * SECOND, 'ms', 'app'],
  /** For answers under way when an app closes its side. */
  drainMs: [2 * SECOND, 'ms', 'app'],
  /** How long one stalled app may hold a server back that others share. */
  stallMs: [10 * SECOND, 'ms', 'app'],
  shutdownMs: [5 * SECOND, 'ms', 'server'],
} as const satisfies Readonly<Record<string, readonly [value: number, unit: Unit, of: Of]>>;

export type BoundName = keyof typeof NUMBERS;
type Sentence = Readonly<Record<Settings['language'], string>>;

export interface Bound {
  readonly value: number;
  readonly unit: Unit;
  readonly of: Of;
  /** What happens when it is exceeded, for a person. */
  readonly then: Sentence;
  /** The same as a part of a sentence, where it is the reason of something else; always in English. */
  readonly reason: string;
}

/** The one table of bounds. */
export const BOUNDS: Readonly<Record<BoundName, Bound>> = Object.freeze(
  // The same names, which `Object.entries` and `fromEntries` lose.
  Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, Object.freeze(bound(name as BoundName))])) as Record<
    BoundName,
    Bound
  >,
);

function bound(name: BoundName): Bound {
  const [value, unit, of] = NUMBERS[name];
  const [en, zh, reason] = BOUND_SENTENCES[name];
  const fill = (text: string, language: Settings['language']): string =>
    text.replaceAll('{value}', amount(value, unit, language));
  return {
    value,
    unit,
    of,
    then: { en: fill(en, 'en'), 'zh-CN': fill(zh, 'zh-CN') },
    reason: fill(reason ?? '', 'en'),
  };
}

/** True for the name of a bound; what an error carries is a text. */
export function isBoundName(name: unknown): name is BoundName {
  return typeof name === 'string' && Object.hasOwn(BOUNDS, name);
}

/** `64 MB`, `10 s`, `5,000`: as a person reads it. The sentence names what is counted. */
export function amount(value: number, unit: Unit, language: Settings['language'] = 'en'): string {
  const isEnglish = language === 'en';
  if (unit === 'ms') return value < SECOND ? `${value} ms` : `${value / SECOND} ${isEnglish ? 's' : '秒'}`;
  if (unit !== 'bytes') return value.toLocaleString('en');
  return value < MIB ? `${value / KIB} KB` : `${value / MIB} MB`;
}
