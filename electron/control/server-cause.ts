import type { ServerView } from './snapshot.ts';

/** Why a server does not work as it should: each has its sentence and its one fix on the screen. */
export type ServerCause =
  /** Something it is started with is not on this computer. */
  | { readonly kind: 'program'; readonly program: string }
  /** It asks for a key; its name, where it says one. */
  | { readonly kind: 'key'; readonly name: string | null }
  /** Its keys are there and cannot be read at present. */
  | { readonly kind: 'locked' }
  /** It ended by itself. */
  | { readonly kind: 'crash' }
  /** It, or what it needs from the network, does not answer. */
  | { readonly kind: 'slow' }
  /** It works, and part of what it offers could not be read. */
  | { readonly kind: 'partial' }
  | { readonly kind: 'other' };

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

// From the beginning: what a server printed may stand behind it.
const NOT_FOUND = /^its program was not found/;
const NO_ANSWER = /^(?:its list of tools cannot be read: )?no answer within/;
const ENDED = /^it (?:exited|stopped|was ended by)/;
const NO_FILE = /cannot find module|no such file|can.t open file|module not found/i;
const NO_NETWORK = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|getaddrinfo)\b/;
const REFUSED =
  /\b(?:401|403)\b|unauthori[sz]ed|authentication (?:failed|required)|invalid (?:api )?(?:key|token|credential)/i;
const LACKS = /missing|required?|must|need|not (?:set|provided|found|defined|configured)|no |please|undefined|empty/i;
/** A variable that is named for what it holds. */
const KEY_NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|PAT|CREDENTIALS)\b/;
const KEY_WORDS =
  /\b(?:api[ _-]?key|access[ _-]?token|auth[ _-]?token|bearer token|credentials?|secret key|password)\b/i;

/** The gravest thing that explains it, looked for in this order; `null` where nothing is wrong. */
export function causeOfServer(facts: ServerFacts): ServerCause | null {
  const { state, reason, lostKeys, areKeysShut, hasTroubles } = facts;
  if (state === 'working') return hasTroubles ? { kind: 'partial' } : null;
  if (state !== 'problem') return null;
  const [lost] = lostKeys;
  if (lost !== undefined) return areKeysShut ? { kind: 'locked' } : { kind: 'key', name: lost };
  const why = reason ?? '';
  if (NOT_FOUND.test(why)) return { kind: 'program', program: nameOf(facts.command) };
  // Only of one that ended is what it printed last the reason.
  if (ENDED.test(why)) return missingFile(facts) ?? missingKey(facts) ?? unreachable(facts) ?? { kind: 'crash' };
  if (NO_ANSWER.test(why)) return missingKey(facts) ?? { kind: 'slow' };
  return { kind: 'other' };
}

function nameOf(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? file;
}

/** A script or folder that it is started with, and that it says is not there. */
function missingFile({ lastWords, args }: ServerFacts): ServerCause | null {
  const files = args.filter((arg) => /[\\/]/.test(arg) && !arg.startsWith('-') && !arg.startsWith('@'));
  const found = files.find((file) => lastWords.some((line) => line.includes(file) && NO_FILE.test(line)));
  return found === undefined ? null : { kind: 'program', program: nameOf(found) };
}

function missingKey({ lastWords }: ServerFacts): ServerCause | null {
  for (const line of lastWords) {
    const name = KEY_NAME.exec(line)?.[0] ?? null;
    const isLacking = (name !== null || KEY_WORDS.test(line)) && LACKS.test(line);
    if (isLacking || REFUSED.test(line)) return { kind: 'key', name };
  }
  return null;
}

function unreachable({ lastWords }: ServerFacts): ServerCause | null {
  return lastWords.some((line) => NO_NETWORK.test(line)) ? { kind: 'slow' } : null;
}
