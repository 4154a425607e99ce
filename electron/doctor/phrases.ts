import { BOUNDS } from '../core/bounds.ts';
import { ERROR_CODES } from '../core/errors.ts';

/**
 * Reasons as this program words them. A reason may go on with what a server said, so a known one is passed on as it
 * stands here, and anything else as `other`.
 */
const PHRASES: readonly (string | RegExp)[] = [
  'its list cannot be read',
  'listing takes too long',
  'the list kept changing while it was read',
  'it stopped',
  'it was stopped',
  'its answer is malformed',
  'its answer is not a list',
  'its answer is not a finished one',
  'its pages do not belong together',
  'its pages lead back to one that was read',
  'it does not say where its next page is',
  'it does not read what it is sent',
  'it sent a message that is too long',
  /^no answer within \d{1,6} s\b/,
  /^it exited with code \d{1,5}\b/,
  /^it was ended by SIG[A-Z]{2,6}\b/,
  /^it answered with error -?\d{1,6}\b/,
  ...Object.values(BOUNDS).flatMap((bound) => ('reason' in bound ? [bound.reason] : [])),
];

const SYSTEM_CODES = [
  'ENOENT',
  'EACCES',
  'EPERM',
  'ENOSPC',
  'ENOTDIR',
  'EMFILE',
  'E2BIG',
  'ENOEXEC',
  'EINVAL',
] as const;

/** The known part of a reason, in this program's own words; `other` where there is none. */
export function knownPhrase(reason: string): string {
  for (const phrase of PHRASES) {
    const found = typeof phrase === 'string' ? startsWith(reason, phrase) : phrase.exec(reason)?.[0];
    if (found !== undefined) return found;
  }
  const code = SYSTEM_CODES.find((each) => new RegExp(`\\b${each}\\b`).test(reason));
  return code === undefined ? 'other' : `it could not be started: ${code}`;
}

function startsWith(reason: string, phrase: string): string | undefined {
  const next = reason.charAt(phrase.length);
  return phrase !== '' && reason.startsWith(phrase) && !/[\w-]/.test(next) ? phrase : undefined;
}

/** Why calls were refused, as the traces have it. */
const REFUSALS: readonly string[] = [
  ...['changed', 'missing', 'hidden', 'rejected', 'new', 'invalid', 'conflict'],
  ...['paused', 'unknown', 'starting', 'start-failed', 'not-shown', 'list-failed', 'definition-differs'],
  ...['changed-since-listed', 'server-stopped'],
];

export function knownRefusal(reason: string): string {
  return REFUSALS.includes(reason) ? reason : 'other';
}

/** A code of this program's errors; `undefined` for any other text. */
export function knownErrorCode(text: unknown): string | undefined {
  return ERROR_CODES.find((code) => code === text);
}
