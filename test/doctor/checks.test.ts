import { expect, test } from 'vitest';
import { examine } from '../../electron/doctor/checks.ts';
import type { Facts } from '../../electron/doctor/facts.ts';
import { allCases, report, statusOf, type CaseKey } from '../../electron/doctor/report.ts';
import { AT, healthy, seenApp, seenServer, server, stateWith } from './facts.ts';

const good = { kind: 'good', format: 2, state: stateWith([]) } as const;
const told = { servers: [], apps: [], notices: [] };
const answers = (more: object): Facts['gateway'] => ({ kind: 'answers', version: '1.2.3', pid: 42, told, ...more });
const stopped = { gateway: { kind: 'none' }, owners: [] } as const;
const folder = (more: Partial<Facts['folder']>): Partial<Facts> => ({ folder: { ...healthy().folder, ...more } });
const paused = (until: string | null, reason: 'person' | 'recovered'): Partial<Facts> => ({
  present: {
    ...good,
    state: stateWith([], [], { settings: { language: 'en', tell: 'all', paused: { until, reason } } }),
  },
});

/** One machine per case; what is not named is healthy. */
const MACHINES: Readonly<Record<CaseKey, Partial<Facts>>> = {
  'folder.ok': {},
  'folder.missing': folder({ kind: 'missing' }),
  'folder.notFolder': folder({ kind: 'not-folder' }),
  'folder.unreadable': folder({ kind: 'unreadable' }),
  'folder.unwritable': folder({ canWrite: false }),
  'folder.open': folder({ isPrivate: false }),
  'space.ok': {},
  'space.low': folder({ freeBytes: 100 * 1024 * 1024 }),
  'space.full': folder({ freeBytes: 0 }),
  'state.ok': {},
  'state.missing': {
    present: { kind: 'missing' },
    previous: { kind: 'missing' },
    bytes: { journal: 0, traces: 0 },
  },
  'state.gone': { present: { kind: 'missing' }, previous: { kind: 'missing' } },
  'state.damaged': { present: { kind: 'damaged' }, previous: good },
  'state.lost': { present: { kind: 'damaged' }, previous: { kind: 'missing' } },
  'state.previous': { previous: { kind: 'damaged' } },
  'state.newer': { present: { kind: 'newer' } },
  'state.unreadable': { present: { kind: 'unreadable' } },
  'set-aside.none': {},
  'set-aside.some': { setAside: 2 },
  'gateway.ok': {},
  'gateway.stopped': stopped,
  'gateway.silent': { gateway: { kind: 'silent', pid: 42 } },
  'gateway.refused': { gateway: { kind: 'refused', code: 'FORBIDDEN', said: 'no' } },
  'gateway.said': { gateway: { kind: 'refused', code: 'LIMIT_REACHED', said: 'Too many apps are connected.' } },
  'gateway.noToken': { gateway: { kind: 'no-token' } },
  'gateway.otherVersion': { gateway: answers({ version: '1.2.2' }) },
  'only-one.ok': {},
  'only-one.two': { owners: [42, 43] },
  'socket.ok': {},
  'socket.none': { socket: { path: '/s', kind: 'none' } },
  'socket.open': { socket: { path: '/s', kind: 'open' } },
  'socket.foreign': { socket: { path: '/s', kind: 'foreign' } },
  'token.ok': {},
  'token.none': { ...stopped, token: 'missing' },
  'token.missing': { token: 'missing' },
  'token.damaged': { token: 'damaged' },
  'token.unreadable': { token: 'unreadable' },
  'token.open': { token: 'open' },
  'bridge.ok': {},
  'bridge.missing': { bridge: 'missing' },
  'bridge.different': { bridge: 'different' },
  'bridge.unknown': { ...stopped, bridge: 'missing', apps: [] },
  'launch.ok': {},
  'launch.none': { launch: { kind: 'missing' } },
  'launch.unreadable': { launch: { kind: 'unreadable' } },
  'launch.programGone': { launch: { kind: 'gone', path: '/gone' } },
  'runtime.ok': {},
  'runtime.old': { own: { ...healthy().own, node: '18.14.9' } },
  'keys.none': { keys: 'none' },
  'keys.sealed': {},
  'keys.plain': { keys: 'plain' },
  'keys.open': { keys: 'open' },
  'keys.locked': { gateway: answers({ told: { ...told, keys: 'locked' } }) },
  'keys.noKeyStore': { gateway: answers({ told: { ...told, keys: 'no-key-store' } }) },
  'keys.unopenable': { gateway: answers({ told: { ...told, keys: 'unopenable' } }) },
  'keys.unreadable': { keys: 'unreadable' },
  'left-over.none': {},
  'left-over.some': { ...stopped, leftOver: [7, 8] },
  'clock.ok': {},
  'clock.back': { newest: '2026-03-01T13:00:00.000Z' },
  'journal.ok': {},
  'journal.large': { bytes: { journal: 10 ** 9, traces: 0 } },
  'traces.ok': {},
  'traces.large': { bytes: { journal: 0, traces: 10 ** 8 } },
  'paused.person': paused(null, 'person'),
  'paused.recovered': paused(null, 'recovered'),
  'told.notice': { gateway: answers({ told: { ...told, notices: ['Something was restored.'] } }) },
  'servers.none': { servers: [] },
  'servers.some': {},
  'server-program.ok': {},
  'server-program.ownPath': { servers: [seenServer('srv-1', 'Files', { program: 'own-path' })] },
  'server-program.missing': { servers: [seenServer('srv-1', 'Files', { program: 'missing' })] },
  'server-program.notProgram': { servers: [seenServer('srv-1', 'Files', { program: 'not-program' })] },
  'server-script.missing': { servers: [seenServer('srv-1', 'Files', { missingScript: '/gone.js' })] },
  'server-state.ok': {},
  'server-state.idle': {
    gateway: answers({ told: { ...told, servers: [{ id: 'srv-1', state: 'idle', problem: null }] } }),
  },
  'server-state.problem': {
    gateway: answers({ told: { ...told, servers: [{ id: 'srv-1', state: 'problem', problem: 'it stopped' }] } }),
  },
  'server-lists.ok': {},
  'server-lists.failed': {
    servers: [seenServer('srv-1', 'Files', { outcomes: { tool: { status: 'failed', count: null, reason: 'no' } } })],
  },
  'app-settings.connected': {},
  'app-settings.notInstalled': { apps: [seenApp({ kind: 'not-installed' })] },
  'app-settings.notConnected': { apps: [seenApp({ kind: 'not-connected' })] },
  'app-settings.gone': { apps: [seenApp({ kind: 'gone' })] },
  'app-settings.unreadable': { apps: [seenApp({ kind: 'unreadable', hint: 'A comma is missing.' })] },
  'app-settings.elsewhere': { apps: [seenApp({ kind: 'elsewhere' })] },
  'app-settings.programGone': { apps: [seenApp({ kind: 'program-gone', program: '/gone' })] },
  'app-state.connected': {},
  'app-state.idle': {
    gateway: answers({ told: { ...told, apps: [{ id: 'cursor', connected: 0, entries: 3, withheld: [] }] } }),
  },
  'app-state.withheld': {
    gateway: answers({
      told: { ...told, apps: [{ id: 'cursor', connected: 1, entries: 3, withheld: [{ reason: 'changed' }] }] },
    }),
  },
};

test.each(Object.entries(MACHINES))('a machine with %s is told so, and of nothing else in that check', (key, more) => {
  const found = examine(healthy(more)).map((finding) => finding.found);
  const check = key.slice(0, key.indexOf('.') + 1);
  expect(found.filter((each) => each.startsWith(check))).toEqual([key]);
});

test('a healthy machine has neither problems nor notes', () => {
  expect(examine(healthy()).filter((finding) => statusOf(finding) !== 'ok')).toEqual([]);
  expect(report(examine(healthy()), 'en')).toMatchObject({ ok: true, summary: 'Nothing is wrong.' });
});

test('only a problem makes the answer negative; a note does not', () => {
  const statuses = new Map(allCases().map(([key, row]) => [key, row.status]));
  for (const [key, more] of Object.entries(MACHINES)) {
    const { ok } = report(examine(healthy(more)), 'en');
    if (statuses.get(key as CaseKey) === 'problem') expect([key, ok]).toEqual([key, false]);
  }
  expect(report(examine(healthy(MACHINES['set-aside.some'])), 'en').ok).toBe(true);
});

test('a gateway that says no is quoted, in one line and within a bound', () => {
  const said = `Too many\napps \u202eare connected ${'x'.repeat(10_000)}`;
  const { checks } = report(examine(healthy({ gateway: { kind: 'refused', code: 'LIMIT_REACHED', said } })), 'en');
  const message = checks.find(({ id }) => id === 'gateway')?.message ?? '';
  expect(message).toMatch(/^It runs, and answers this command with: Too many apps are connected x+…$/);
  expect(message.length).toBeLessThan(400);
});

test('where the app sealed the keys, no row offers a gateway that could not open them', () => {
  const machine = { ...stopped, leftOver: [7], launch: { kind: 'gone', path: '/gone' } } as const;
  const commands = (keys: Facts['keys']) =>
    report(examine(healthy({ ...machine, keys })), 'en').checks.map((c) => c.command);
  expect(commands('plain').filter((command) => command === 'holdfast serve')).toHaveLength(3);
  expect(commands('sealed')).not.toContain('holdfast serve');
});

test('locked keys come with the process that is to be ended before the app can open them', () => {
  const { checks } = report(examine(healthy(MACHINES['keys.locked'])), 'en');
  expect(checks.find(({ id }) => id === 'keys')?.fix).toBe(
    'End the running Holdfast first (process 42), then open the Holdfast app.',
  );
});

test('a pause that is over is not told of', () => {
  expect(examine(healthy(paused('2026-03-01T11:00:00.000Z', 'person'))).map(({ found }) => found)).not.toContain(
    'paused.person',
  );
});

test('servers of a gateway that runs are its own, not left over', () => {
  expect(examine(healthy({ leftOver: [7] })).map(({ found }) => found)).toContain('left-over.none');
});

test('a clock that is behind by a little is no news', () => {
  const newest = new Date(Date.parse(AT) + 60_000).toISOString();
  expect(examine(healthy({ newest })).map(({ found }) => found)).toContain('clock.ok');
});

test('each server is judged by itself, and its name is in the title and in the command', () => {
  const servers = [seenServer('srv-1', 'Files'), seenServer('srv-2', 'My “$HOME” server', { program: 'missing' })];
  const present = { ...good, state: stateWith([server('srv-1', 'Files'), server('srv-2', 'My server')]) };
  const { checks } = report(examine(healthy({ servers, present })), 'en');
  const programs = checks.filter(({ id }) => id === 'server-program');
  expect(programs.map(({ status, server: name }) => [status, name])).toEqual([
    ['ok', 'Files'],
    ['problem', 'My “$HOME” server'],
  ]);
  expect(programs[1]?.command).toBe('holdfast servers set "My “\\$HOME” server" -- COMMAND');
});
