import type { ServerView } from '../electron/control/snapshot.ts';
import { laterServer, type ServerCause } from './later.ts';
import type { WordKey, Words } from './words.ts';

/** What stands under a server's name, and how it looks. */
export interface ServerState {
  readonly look: 'ok' | 'quiet' | 'problem';
  readonly status: string;
  /** The problem in one sentence; `null` where there is none. */
  readonly problem: string | null;
  readonly fix: { readonly label: string; readonly cause: ServerCause | 'unknown' } | null;
}

const LOOKS = { idle: 'quiet', starting: 'quiet', working: 'ok', problem: 'problem' } as const;

/** Puts a server's state into words, and a problem with its one fix. */
export function serverState(server: ServerView, { t }: Words): ServerState {
  const { cause } = laterServer(server);
  if (server.state !== 'problem' && cause !== 'partial')
    return { look: LOOKS[server.state], status: t(`servers.${server.state}`), problem: null, fix: null };
  const isPartial = cause === 'partial';
  const label = t(cause === undefined ? 'servers.fix.crash' : (`servers.fix.${cause}` satisfies WordKey));
  return {
    // An incomplete check changes nothing, so it is no alarm.
    look: isPartial ? 'quiet' : 'problem',
    status: t(isPartial ? 'servers.partial' : 'servers.problem'),
    problem: problemText(server, { t }),
    fix: { label, cause: cause ?? 'unknown' },
  };
}

function problemText(server: ServerView, { t }: Pick<Words, 't'>): string | null {
  const { cause, program, site } = laterServer(server);
  const name = server.name;
  if (cause === 'program' && program !== undefined) return t('servers.error.program', { server: name, program });
  if (cause === 'key' && site !== undefined) return t('servers.error.key', { server: name, site });
  if (cause === 'crash') return t('servers.error.crash', { server: name });
  if (cause === 'slow') return t('servers.error.slow', { server: name });
  if (cause === 'partial') return t('servers.error.partial', { server: name });
  return server.problem;
}
