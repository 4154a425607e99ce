import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Installation, ROOT, until } from '../support/holdfast.ts';

const FIXTURE = path.join(ROOT, 'test/fixtures/upstream.mjs');
let installation: Installation;
let control: string;

beforeEach(() => {
  installation = new Installation();
  control = path.join(installation.home, 'clock.json');
});
afterEach(() => installation.dispose());

interface Tool {
  name: string;
  description: string;
  annotations?: object;
}
interface Reviews {
  left: { id: string; reason: string }[];
  incidents: { id: string }[];
  reviews: { id: string; originKey: string; state: string; decision: number | null }[];
}
interface Surface {
  entries: { name: string; id: string }[];
  withheld: { originKey: string; reason: string }[];
}

/** What the server offers from now on. */
function offer(...tools: readonly Tool[]): void {
  const listed = tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool }));
  writeFileSync(`${control}.new`, JSON.stringify({ tools: listed }));
  renameSync(`${control}.new`, control);
}

const READS = { name: 'read', description: 'Reads.', annotations: { readOnlyHint: true } };
const WRITES = { ...READS, annotations: { readOnlyHint: false } };
const CLOCK = { name: 'clock', description: 'Tells the time.' };

async function serveClock(): Promise<void> {
  offer(READS, CLOCK);
  await installation.ok('servers', 'add', 'Demo', '--', process.execPath, FIXTURE, control);
  await installation.ok('apps', 'add', 'cursor');
  await installation.ok('expose', 'cursor', 'Demo');
  await installation.serve();
}

test('a whole incident is approved but for what is risky, which is named and ends with 1', async () => {
  await serveClock();
  offer(WRITES, { ...CLOCK, description: 'Tells the time in a city.' });
  await installation.run('servers', 'check', 'Demo');
  const { incidents, reviews } = await until(
    () => installation.ok<Reviews>('review', 'list'),
    (all) => all.reviews.length === 2,
  );
  const ran = await installation.run('--json', 'review', 'approve', incidents[0]?.id ?? '');
  const risky = reviews.find(({ originKey }) => originKey === 'read');
  expect(ran.status).toBe(1);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    left: [{ id: risky?.id, reason: 'security' }],
    reviews: [{ originKey: 'clock', state: 'approved' }],
  });
  const surface = await installation.ok<Surface>('surface', 'cursor');
  expect(surface.entries.map(({ name }) => name)).toEqual(['clock']);
  expect(surface.withheld).toMatchObject([{ originKey: 'read', reason: 'changed' }]);
});

test('choosing names the definition that was seen, and is refused when it has moved on', async () => {
  offer(CLOCK);
  await installation.ok('servers', 'add', 'Demo', '--', process.execPath, FIXTURE, control);
  await installation.ok('apps', 'add', 'cursor');
  const other = `sha256:${'0'.repeat(64)}`;
  const ran = await installation.run('--json', 'expose', 'cursor', 'Demo', 'tool', 'clock', '--target', other);
  expect(ran.status).toBe(1);
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'REVIEW_STALE' } });
  expect((await installation.ok<Surface>('surface', 'cursor')).entries).toEqual([]);
});

test('a refused command keeps the keys of a removed server, and another program does not get those of the one before', async () => {
  offer(CLOCK);
  const secrets = (): unknown => JSON.parse(readFileSync(path.join(installation.data, 'secrets.json'), 'utf8'));
  const launch = [process.execPath, FIXTURE, control];
  await installation.ok('servers', 'add', 'Demo', '--env', 'KEY=first', '--', ...launch);
  await installation.ok('servers', 'remove', 'Demo');
  await installation.ok('servers', 'add', 'Taken', '--', 'some-other-program');
  const before = secrets();
  const refused = await installation.run('servers', 'add', 'Taken', '--restore', '--', ...launch);
  expect(refused.status).toBe(1);
  expect(secrets()).toEqual(before);
  await installation.ok('servers', 'add', 'Demo', '--restore', '--', ...launch);
  expect(JSON.stringify(secrets())).toContain('first');
  const moved = await installation.ok<{ droppedEnv: string[] }>('servers', 'set', 'Demo', '--', 'another-program');
  expect(moved.droppedEnv).toEqual(['KEY']);
  expect(JSON.stringify(secrets())).not.toContain('first');
});

test('calls leave a line in the trace with what was in force, and nothing of what was said', async () => {
  await serveClock();
  const app = await installation.hostApp('cursor');
  await app.client.callTool({ name: 'clock', arguments: { city: 'canary-argument' } });
  await installation.stop();
  const folder = path.join(installation.data, 'traces');
  const text = readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('');
  const [line] = text.split('\n').filter((one) => one.includes('tools/call'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ consumer: 'cursor', name: 'clock', epoch: 2, outcome: 'result' });
  expect(text).not.toContain('canary-argument');
});
