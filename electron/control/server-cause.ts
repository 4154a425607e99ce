import { startProblem } from '../core/start-problem.ts';
import { startProblemWords } from '../core/start-problem-words.ts';
import type { StartProblem, StartProblemCode, StartProblemWords } from '../core/start-problem-words.ts';
import type { Settings } from '../core/model.ts';
import type { ServerView } from './snapshot.ts';

/** Why a server does not work as it should: each has its sentence and its one fix on the screen. */
export type ServerCause =
  /** Something it is started with is not on this computer. */
  | { readonly kind: 'program'; readonly program: string }
  /** It asks for a key; its name, where it says one. */
  | { readonly kind: 'key'; readonly name: string | null }
  /** Its keys are there and cannot be read at present. */
  | { readonly kind: 'locked' }
  /** It ended by itself; or it, or what it needs from the network, does not answer; or something else is wrong. */
  | { readonly kind: 'crash' | 'slow' | 'other'; readonly told: StartProblemWords | null }
  /** It works, and part of what it offers could not be read. */
  | { readonly kind: 'partial' };

/** What is known of a server that matters for it. */
export interface ServerFacts {
  readonly state: ServerView['state'];
  /** Why it does not run, in the gateway's words; `null` where it does. */
  readonly reason: string | null;
  /** What it printed last, oldest first. */
  readonly lastWords: readonly string[];
  readonly command: string;
  readonly args: readonly string[];
  /** Keys that it was given and that are not to be had now. */
  readonly lostKeys: readonly string[];
  /** The keys of all servers are shut. */
  readonly areKeysShut: boolean;
  /** Some list of it was not read to its end. */
  readonly hasTroubles: boolean;
}

type Kind = 'program' | 'key' | 'crash' | 'slow' | 'other';
const KINDS: Readonly<Record<StartProblemCode, Kind>> = {
  'program-missing': 'program',
  'file-missing': 'other',
  'part-missing': 'crash',
  'package-missing': 'other',
  'version-missing': 'other',
  'image-missing': 'other',
  'runtime-old': 'other',
  'wrong-machine': 'other',
  'needs-network': 'slow',
  unreachable: 'slow',
  'traffic-inspected': 'slow',
  'key-missing': 'key',
  'key-refused': 'key',
  'needs-more': 'other',
  'not-allowed': 'other',
  'disk-full': 'other',
  'port-taken': 'other',
  'engine-off': 'other',
  'out-of-memory': 'crash',
  'ended-by-system': 'crash',
  'not-a-server': 'other',
  crashed: 'crash',
  'too-slow': 'slow',
  other: 'other',
};
/** Of these the screen says as much by itself. */
const PLAIN: readonly StartProblemCode[] = ['crashed', 'too-slow', 'other'];

/** The gravest thing that explains it, looked for in this order; `null` where nothing is wrong. */
export function causeOfServer(facts: ServerFacts, language: Settings['language']): ServerCause | null {
  const { state, reason, lastWords, command, args, lostKeys, areKeysShut, hasTroubles } = facts;
  if (state === 'working') return hasTroubles ? { kind: 'partial' } : null;
  if (state !== 'problem') return null;
  const [lost] = lostKeys;
  if (lost !== undefined) return areKeysShut ? { kind: 'locked' } : { kind: 'key', name: lost };
  return causeOf(startProblem({ reason: reason ?? '', lastWords, command, args }), language);
}

function causeOf(problem: StartProblem, language: Settings['language']): ServerCause {
  const { code, subject } = problem;
  const kind = KINDS[code];
  if (kind === 'program') return { kind, program: subject };
  if (kind === 'key') return { kind, name: subject === '' ? null : subject };
  return { kind, told: PLAIN.includes(code) ? null : startProblemWords(problem, language) };
}
