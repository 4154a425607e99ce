import type { BoundName } from './bounds.ts';

/** The closed list of what can go wrong; a new code gets its sentence in `core/sentences.ts` and nowhere else. */
export const ERROR_CODES = [
  'UPSTREAM_NOT_FOUND',
  'UPSTREAM_NAME_TAKEN',
  'UPSTREAM_KNOWN_BEFORE',
  'UPSTREAM_START_FAILED',
  'UPSTREAM_CLOSED',
  'UPSTREAM_TIMEOUT',
  'CONSUMER_NOT_FOUND',
  'PROFILE_NOT_FOUND',
  'PROFILE_NAME_TAKEN',
  'CAPABILITY_UNKNOWN',
  'CAPABILITY_WITHDRAWN',
  'CAPABILITY_CHANGED_SINCE_LISTED',
  'REVIEW_UNKNOWN',
  'REVIEW_STALE',
  'STORE_CORRUPT',
  'STORE_NEWER',
  'STORE_LOCKED',
  'STORE_WRITE_FAILED',
  'SECRETS_LOCKED',
  'SECRETS_NO_KEY_STORE',
  'SECRETS_UNOPENABLE',
  'IMPORT_STALE',
  'HOST_UNSUPPORTED',
  'HOST_CONFIG_UNREADABLE',
  'HOST_CONFIG_CONFLICT',
  'HOST_RESTART_FAILED',
  'FILE_EXISTS',
  'FILE_NOT_WRITTEN',
  'FILE_UNREADABLE',
  'FILE_NOT_SNAPSHOT',
  'SNAPSHOT_UNREADABLE',
  'SNAPSHOT_NEWER',
  'SAMPLES_UNREADABLE',
  'SERVER_NOT_STARTED',
  'OFFER_REFUSED',
  'APP_MISPLACED',
  'UPDATE_NONE',
  'GATEWAY_UNREACHABLE',
  'COMMAND_BAD_INPUT',
  'FORBIDDEN',
  'LIMIT_REACHED',
  'INTERNAL',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Values that go into an error's sentence. Never secrets: they are shown, logged and sent to host apps. */
export type ErrorDetails = Readonly<Record<string, string | number | undefined>>;

/** What a caller cannot handle in line. Its sentence comes from `core/sentences.ts`, by code and details. */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(code, options);
    this.name = 'HoldfastError';
    this.code = code;
    this.details = details;
  }
}

/** What is refused because of this bound; its sentence is the bound's. */
export function limitReached(limit: BoundName): HoldfastError {
  return new HoldfastError('LIMIT_REACHED', { limit });
}

/** Wraps anything thrown, so that a boundary always has a code to show; the cause is kept for the log. */
export function asHoldfastError(thrown: unknown): HoldfastError {
  if (thrown instanceof HoldfastError) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new HoldfastError('INTERNAL', { reason }, { cause: thrown });
}
