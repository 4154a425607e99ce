import type { ServerView } from '../electron/control/snapshot.ts';
import type { Words } from './words.ts';

type Cause = NonNullable<ServerView['cause']>;

/** What stands under a server's name, and how it looks. */
export interface ServerState {
  readonly look: 'ok' | 'quiet' | 'problem';
  readonly status: string;
  /** The problem in one sentence; `null` where there is none. */
  readonly problem: string | null;
  readonly fix: { readonly label: string; readonly kind: Cause['kind'] } | null;
}

const LOOKS = { idle: 'quiet', starting: 'quiet', working: 'ok', problem: 'problem' } as const;

/** Puts a server's state into words, and a problem with its one fix. */
export function serverState(server: ServerView, { t }: Pick<Words, 't'>): ServerState {
  const cause = server.cause ?? (server.state === 'problem' ? OTHER : null);
  if (cause === null)
    return { look: LOOKS[server.state], status: t(`servers.${server.state}`), problem: null, fix: null };
  const isPartial = cause.kind === 'partial';
  return {
    // An incomplete check changes nothing, so it is no alarm.
    look: isPartial ? 'quiet' : 'problem',
    status: t(isPartial ? 'servers.partial' : 'servers.problem'),
    problem: problemText(server.name, cause, t),
    fix: { label: t(`servers.fix.${cause.kind}`), kind: cause.kind },
  };
}

const OTHER: Cause = { kind: 'other', told: null };

function problemText(server: string, cause: Cause, t: Words['t']): string {
  if (cause.kind === 'program') return t('servers.error.program', { server, program: cause.program });
  if ('told' in cause && cause.told !== null) return `${cause.told.sentence} ${cause.told.fix}`;
  return t(`servers.error.${cause.kind}`, { server });
}
