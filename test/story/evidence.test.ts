import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Installation, ROOT, until } from '../support/holdfast.ts';

const UPSTREAM = path.join(ROOT, 'test/fixtures/upstream.mjs');
let installation: Installation;
let control: string;

beforeEach(async () => {
  installation = new Installation();
  control = path.join(installation.home, 'control.json');
  offer('Answers a question.');
  await installation.ok('apps', 'add', 'cursor', '--name', 'Cursor');
  await installation.ok(
    'servers',
    'add',
    'Demo',
    '--env',
    'KEY=private-value',
    '--',
    process.execPath,
    UPSTREAM,
    control,
  );
  await installation.ok('expose', 'cursor', 'Demo');
});
afterEach(() => installation.dispose());

function offer(description: string): void {
  const tools = [{ name: 'ask_it', description, inputSchema: { type: 'object' } }];
  writeFileSync(control, JSON.stringify({ tools, capabilities: { tools: {} } }));
}

interface HistoryEvent {
  readonly at: string;
  readonly sequence: number;
  readonly type: string;
  readonly server?: string;
  readonly app?: string;
  readonly text: string;
}
interface Call {
  readonly at: string;
  readonly consumer: string;
  readonly name: string;
  readonly server: string | null;
  readonly ref: string;
  readonly outcome: string;
  readonly durationMs: number;
  readonly epoch: number;
}

const history = async (...args: readonly string[]): Promise<HistoryEvent[]> =>
  (await installation.ok<{ events: HistoryEvent[] }>('history', ...args)).events;

test('a change, what it took away and the decision are told in sentences, newest first, with nothing private', async () => {
  offer('Answers a question, and deletes it.');
  await installation.ok('servers', 'check', 'Demo');
  const { reviews } = await installation.ok<{ reviews: { id: string }[] }>('review', 'list');
  await installation.ok('review', 'approve', reviews[0]?.id ?? '');
  const events = await history();
  const texts = events.map(({ text }) => text);
  expect(texts.slice(0, 2)).toEqual(['Cursor may use “ask_it” now.', 'You approved “Ask it” of Demo in Cursor.']);
  expect(texts).toContain('Cursor may not use “ask_it” any more.');
  expect(texts.at(-1)).toBe('Cursor was added.');
  const order = events.map(({ sequence }) => sequence);
  expect(order).toEqual([...order].sort((a, b) => b - a));
  expect(events.find(({ type }) => type === 'decided')).toMatchObject({ server: 'Demo', app: 'cursor' });
  expect(texts).toContain('Demo was added.');
  expect(JSON.stringify(events)).not.toMatch(/private-value|upstream\.mjs|KEY/);
  expect(JSON.stringify(events)).not.toContain(installation.home);
});

test('it can be asked of one server or one app, also of one that was removed', async () => {
  await installation.ok('servers', 'add', 'Other', '--', process.execPath, UPSTREAM, control, 'other');
  await installation.ok('apps', 'add', 'zed');
  await installation.ok('servers', 'remove', 'Other');
  expect((await history('--server', 'Other')).map(({ text }) => text)).toEqual([
    'Other was removed; your choices for it are kept.',
    'Other was added.',
  ]);
  const demo = await history('--server', 'Demo');
  // What was published is a publication of this server’s.
  expect(demo.map(({ text }) => text)).toContain('Cursor may use “ask_it” now.');
  expect(demo.filter(({ server }) => server === 'Other')).toEqual([]);
  // There are two of it: that it was added, and its first publication.
  expect((await history('--app', 'zed', '--limit', '1')).map(({ app, type }) => [app, type])).toEqual([
    ['zed', 'publication'],
  ]);
});

test('an unknown server or app and a limit beyond its bounds are refused', async () => {
  for (const [args, status] of [
    [['history', '--server', 'Nobody'], 1],
    [['history', '--app', 'nobody'], 1],
    [['history', '--limit', '1001'], 2],
    [['trace', '--limit', '0'], 2],
  ] as const)
    expect([args, (await installation.run(...args)).status]).toEqual([args, status]);
});

test('calls are told with app, server, outcome and duration; what was said in them is not kept', async () => {
  await installation.serve();
  const { client } = await installation.hostApp('cursor');
  await client.listTools();
  await client.callTool({ name: 'ask_it', arguments: { question: 'private-question' } });
  await client.callTool({ name: 'nothing', arguments: {} }).catch(() => undefined);
  const trace = async (...args: readonly string[]): Promise<Call[]> =>
    (await installation.ok<{ calls: Call[] }>('trace', ...args)).calls;
  const calls = await until(trace, (all) => all.length === 2);
  expect(calls.map(({ name, server, outcome }) => [name, server, outcome])).toEqual([
    ['nothing', null, 'refused'],
    ['ask_it', 'Demo', 'result'],
  ]);
  expect(calls[1]).toMatchObject({ consumer: 'cursor', method: 'tools/call', epoch: expect.any(Number) });
  expect(JSON.stringify(calls)).not.toContain('private-question');
  expect(await trace('--limit', '1')).toHaveLength(1);
  await installation.ok('apps', 'add', 'zed');
  expect(await trace('--app', 'zed')).toEqual([]);
  const { stdout } = await installation.run('trace');
  expect(stdout.split('\n')[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +cursor +ask_it +Demo +result +\d+ ms$/);
});

test('traces that anything happened to are read as far as they can be', async () => {
  const day = new Date().toISOString().slice(0, 10);
  const line = { at: `${day}T00:00:00.000Z`, consumer: 'cursor', method: 'tools/call', name: 'x', ref: null };
  const sizes = { outcome: 'result', durationMs: 1, requestBytes: 1, responseBytes: 1 };
  const lines = [
    '{"half":',
    JSON.stringify({ ...line, ...sizes, outcome: 'made-up' }),
    '[]',
    JSON.stringify({ ...line, ...sizes }),
  ];
  writeFileSync(path.join(installation.data, 'traces', `${day}.jsonl`), `${lines.join('\n')}\n`);
  const { calls } = await installation.ok<{ calls: Call[] }>('trace');
  expect(calls.map(({ name, outcome }) => [name, outcome])).toEqual([['x', 'result']]);
});
