import { emptyState } from '../../electron/core/state.ts';
import type { ConsumerId, Server, ServerId, State } from '../../electron/core/model.ts';
import { launchRoute } from '../../electron/core/launch.ts';
import type { AppFacts, Facts, ServerFacts } from '../../electron/doctor/facts.ts';

export const AT = '2026-03-01T12:00:00.000Z';

export function server(id: string, name: string, command = 'node', args: readonly string[] = []): Server {
  const launch = { type: 'stdio', command, args, envNames: [] } as const;
  return {
    id: id as ServerId,
    name,
    prefix: 'x',
    launch,
    route: launchRoute(launch),
    formerRoutes: [],
    addedAt: AT,
    archivedAt: null,
    asks: false,
    known: [],
    version: null,
    policy: 'follow-safe',
  };
}

export function stateWith(servers: readonly Server[], apps: readonly string[] = [], more: Partial<State> = {}): State {
  return {
    ...emptyState(),
    servers: Object.fromEntries(servers.map((each) => [each.id, each])),
    consumers: Object.fromEntries(apps.map((id) => [id, { id: id as ConsumerId, name: `${id} app`, addedAt: AT }])),
    ...more,
  };
}

export function seenServer(id: string, name: string, more: Partial<ServerFacts> = {}): ServerFacts {
  return {
    id: id as ServerId,
    name,
    command: 'node',
    program: 'found',
    missingScript: null,
    outcomes: {},
    starts: 0,
    ...more,
  };
}

export function seenApp(look: AppFacts['look']): AppFacts {
  return { id: 'claude-desktop', name: 'Claude Desktop', file: '/u/settings.json', look };
}

/** A machine on which nothing is wrong, and on which Holdfast runs. */
export function healthy(more: Partial<Facts> = {}): Facts {
  return {
    at: AT,
    own: { version: '1.2.3', node: '20.0.0', electron: null, needed: '18.15' },
    folder: { path: '/u/data', kind: 'there', isPrivate: true, canWrite: true, freeBytes: 10 ** 11 },
    present: { kind: 'good', format: 2, state: stateWith([server('srv-1', 'Files')], ['cursor']) },
    previous: { kind: 'missing' },
    setAside: 0,
    owners: [42],
    gateway: {
      kind: 'answers',
      version: '1.2.3',
      pid: 42,
      told: {
        servers: [{ id: 'srv-1', state: 'working', problem: null }],
        apps: [{ id: 'cursor', connected: 1, entries: 3, withheld: [] }],
        notices: [],
      },
    },
    socket: { path: '/u/data/gateway.sock', kind: 'ok' },
    token: 'ok',
    bridge: 'ok',
    launch: { kind: 'ok' },
    keys: 'sealed',
    servers: [
      seenServer('srv-1', 'Files', { outcomes: { tool: { status: 'complete', count: 3, reason: null } }, starts: 1 }),
    ],
    apps: [seenApp({ kind: 'connected' })],
    leftOver: [],
    newest: AT,
    bytes: { journal: 1_000, traces: 1_000 },
    ...more,
  };
}
