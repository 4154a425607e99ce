import { expect, test } from 'vitest';
import type { ConsumerId, ServerId } from '../../electron/core/model.ts';
import { examine } from '../../electron/doctor/checks.ts';
import { diagnostics, type DiagnosticsInput } from '../../electron/doctor/diagnostics.ts';
import type { Facts } from '../../electron/doctor/facts.ts';
import type { JournalLine } from '../../electron/store/journal-line.ts';
import { AT, healthy, seenApp, seenServer, server, stateWith } from './facts.ts';

const CANARY = 'canary';
const say = (what: string): string => `${CANARY}-${what}`;

function input(facts: Facts, more: Partial<DiagnosticsInput> = {}): DiagnosticsInput {
  const system = { platform: 'linux', arch: 'x64', release: '6.1.0-17-amd64' };
  return { facts, findings: examine(facts), system, journal: [], calls: [], ...more };
}

/** A machine on which every text is somebody's. */
function privateFacts(): Facts {
  const servers = [server(say('id'), say('server'), `/home/${say('user')}/prog`, [say('argument')])];
  const failed = { status: 'failed', count: null, reason: `it answered with error -32000: ${say('message')}` } as const;
  const app = {
    ...seenApp({ kind: 'unreadable', hint: say('hint') }),
    id: say('host'),
    name: say('host'),
    file: say('file'),
  };
  return healthy({
    folder: { path: `/home/${say('user')}`, kind: 'there', isPrivate: false, canWrite: false, freeBytes: 1 },
    present: { kind: 'good', format: 2, state: stateWith(servers, [say('app')]) },
    owners: [42, 43],
    gateway: {
      kind: 'answers',
      version: say('version'),
      pid: 44,
      told: {
        servers: [{ id: say('id'), state: 'problem', problem: `it exited with code 3 (${say('last-word')})` }],
        apps: [
          { id: say('app'), connected: 1, entries: 1, withheld: [{ reason: say('reason') }, { reason: 'changed' }] },
        ],
        notices: [say('notice')],
      },
    },
    socket: { path: say('socket'), kind: 'open' },
    launch: { kind: 'gone', path: say('launch') },
    servers: [
      seenServer(say('id'), say('server'), {
        command: say('command'),
        program: 'missing',
        missingScript: say('script'),
        outcomes: { tool: failed, prompt: { ...failed, reason: say('reason') } },
      }),
    ],
    apps: [app],
  });
}

const journal = [
  {
    sequence: 1,
    index: null,
    at: AT,
    type: say('type'),
    details: { code: 'STORE_CORRUPT', [say('key')]: say('value') },
  },
  { sequence: 1, index: null, at: AT, type: 'launch', details: { server: say('id'), build: say('build') } },
] satisfies readonly JournalLine[];
const call = { ref: `${say('id')}/tool/${say('tool')}`, name: say('tool'), outcome: 'result', durationMs: 10 };
const calls = [
  { ...call, outcome: 'refused', reason: say('reason') },
  { ...call, outcome: say('outcome') },
  { ...call, ref: `${say('other')}/tool/x` },
  { ...call, ref: null, outcome: 'refused', reason: 'unknown' },
  say('nonsense'),
];

test('nothing that anybody named, wrote or was told is in it', () => {
  const facts = privateFacts();
  const system = { platform: 'linux', arch: 'x64', release: `6.1.0-${say('kernel')}` };
  const file = diagnostics(input(facts, { system, journal, calls }));
  // The input has them all, so that finding none says something.
  expect(JSON.stringify(input(facts, { system, journal, calls })).split(CANARY).length).toBeGreaterThan(40);
  expect(JSON.stringify(file)).not.toContain(CANARY);
});

test('what helps is in it: stand-ins, what was found, and reasons as this program words them', () => {
  const file = diagnostics(input(privateFacts(), { journal, calls }));
  expect(file).toMatchObject({
    system: { release: '6.1.0' },
    servers: [
      {
        server: 'server-1',
        launch: 'program',
        arguments: 1,
        state: 'problem',
        problem: 'it exited with code 3',
        kinds: {
          tool: { status: 'failed', reason: 'it answered with error -32000' },
          prompt: { status: 'failed', reason: 'other' },
        },
      },
    ],
    apps: [
      { app: 'app-1', connected: 1, withheld: { changed: 1, other: 1 } },
      { app: 'app-2', settings: 'unreadable' },
    ],
    journal: { lines: 2, types: { launch: 1, other: 1 }, errors: { STORE_CORRUPT: 1 } },
  });
  expect(file['doctor']).toContainEqual({
    id: 'server-state',
    found: 'problem',
    status: 'problem',
    server: 'server-1',
    message: 'It does not work: it exited with code 3. Nothing is taken away for that.',
  });
});

test('how long calls took is told per server, without those that were turned away', () => {
  const many = Array.from({ length: 100 }, (_, at) => ({ ...call, durationMs: at + 1 }));
  const refused = { ...call, outcome: 'refused', reason: 'changed', durationMs: 9_999 };
  const facts = healthy({ present: { kind: 'good', format: 2, state: stateWith([server(say('id'), 'x')]) } });
  expect(diagnostics(input(facts, { calls: [...many, refused] }))['calls']).toEqual([
    {
      server: 'server-1',
      calls: 101,
      outcomes: { result: 100, 'tool-error': 0, error: 0, cancelled: 0, refused: 1 },
      reasons: { changed: 1 },
      durationMs: { p50: 51, p90: 91, p99: 100, max: 100 },
    },
  ]);
});

test('an app that everybody knows keeps its id; any other gets a number', () => {
  const facts = healthy({
    gateway: {
      kind: 'answers',
      version: '1.2.3',
      pid: 1,
      told: {
        servers: [],
        apps: [...['cursor', 'my-private-app']].map((id) => ({ id, connected: 0, entries: 0, withheld: [] })),
        notices: [],
      },
    },
    apps: [],
  });
  expect(diagnostics(input(facts))['apps']).toMatchObject([{ app: 'cursor' }, { app: 'app-1' }]);
});

test('it stays small however much there is', () => {
  const ids = Array.from({ length: 3_000 }, (_, at) => `srv-${at}`);
  const kinds = ['tool', 'prompt', 'resource', 'resourceTemplate', 'instructions'];
  const outcomes = Object.fromEntries(
    kinds.map((kind) => [kind, { status: 'failed', count: 0, reason: 'x'.repeat(500) }]),
  );
  const facts = healthy({
    present: {
      kind: 'good',
      format: 2,
      state: stateWith(
        ids.map((id) => server(id, id)),
        ids,
      ),
    },
    servers: ids.map((id) => seenServer(id, id, { program: 'missing', missingScript: '/x.js', outcomes: outcomes })),
    gateway: {
      kind: 'answers',
      version: '1.2.3',
      pid: 1,
      told: {
        servers: ids.map((id) => ({ id, state: 'problem', problem: 'y'.repeat(500) })),
        apps: ids.map((id) => ({ id: id as ConsumerId, connected: 1, entries: 1, withheld: [{ reason: 'changed' }] })),
        notices: ids.map(() => 'z'.repeat(500)),
      },
    },
  });
  const some = ids.map((id) => ({ ...call, ref: `${id as ServerId}/tool/x` }));
  const file = diagnostics(input(facts, { calls: some, journal }));
  expect(Buffer.byteLength(JSON.stringify(file, null, 1))).toBeLessThan(1024 * 1024);
  expect(file['leftOut']).toMatchObject({ servers: 2_800 });
});
