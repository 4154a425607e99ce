import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Installation, ROOT, until } from '../support/holdfast.ts';

const FIXTURE = path.join(ROOT, 'test/fixtures/upstream.mjs');
let installation: Installation;
let control: string;

beforeEach(() => {
  installation = new Installation();
  control = path.join(installation.home, 'server.json');
});
afterEach(() => installation.dispose());

interface Review {
  id: string;
  app: string;
  originKey: string;
  state: string;
  quiet: boolean;
  decidedBy: string | null;
  decision: number | null;
}
interface Group {
  id: string;
  cause: string;
  reviews: string[];
}
interface Reviews {
  left: { id: string; reason: string }[];
  incidents: { id: string; reviews: string[]; followed: string[]; groups: Group[] }[];
  reviews: Review[];
}
interface Surface {
  epoch: number;
  entries: { originKey: string }[];
  withheld: { originKey: string; reason: string }[];
}
interface Why {
  on: boolean;
  reason: string;
  sentences: string[];
  next: string;
  review: string | null;
}
interface Policy {
  policy: string;
  accepted: string[];
  acceptable: number;
}

const text = { type: 'string' };
const tool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { query: text } },
  ...more,
});
const wider = { inputSchema: { type: 'object', properties: { query: text, page: text } } };
const stricter = { inputSchema: { type: 'object', properties: { query: text }, required: ['query'] } };
const claims = { annotations: { readOnlyHint: true } };

function offer(...tools: object[]): void {
  writeFileSync(`${control}.new`, JSON.stringify({ tools }));
  renameSync(`${control}.new`, control);
}
const list = () => installation.ok<Reviews>('review', 'list');
const surface = (app = 'cursor') => installation.ok<Surface>('surface', app);
const names = ({ entries }: Surface): string[] => entries.map(({ originKey }) => originKey).sort();
const why = (...words: string[]) => installation.ok<Why>('why', 'cursor', ...words);

/** A server in use in some apps; each further list is a check that a person asked for. */
async function use(tools: object[], apps = ['cursor']): Promise<void> {
  offer(...tools);
  await installation.ok('servers', 'add', 'Demo', '--', process.execPath, FIXTURE, control);
  for (const app of apps) {
    await installation.ok('apps', 'add', app);
    await installation.ok('expose', app, 'Demo');
  }
}
async function upgrade(...tools: object[]): Promise<Reviews> {
  offer(...tools);
  await installation.ok('servers', 'check', 'Demo');
  return list();
}

test('a safe change is followed without a gap, is listed with its undo, and is held back once it was undone', async () => {
  await use([tool('search'), tool('fetch')]);
  const before = await surface();
  const { incidents, reviews } = await upgrade(tool('search', wider), tool('fetch'));
  expect(names(await surface())).toEqual(['fetch', 'search']);
  expect((await surface()).epoch).toBe(before.epoch + 1);
  expect(incidents).toMatchObject([{ reviews: [], followed: [reviews[0]?.id], groups: [] }]);
  expect(reviews).toMatchObject([{ originKey: 'search', state: 'approved', decidedBy: 'policy' }]);
  expect(await why('search')).toMatchObject({ on: true, reason: 'on.policy', review: reviews[0]?.id });
  expect(await installation.ok<Policy>('servers', 'policy', 'Demo')).toMatchObject({
    policy: 'follow-safe',
    accepted: [reviews[0]?.id],
  });
  const told = await installation.ok<{ events: { text: string }[] }>('history');
  expect(told.events.map((event) => event.text).join('\n')).toContain('“search” changed, and Cursor goes on using it');

  await installation.ok('review', 'undo', reviews[0]?.id ?? '');
  expect(names(await surface())).toEqual(['fetch']);
  const later = await upgrade(tool('search', { ...wider, title: 'Search it' }), tool('fetch'));
  expect(later.reviews.filter(({ state }) => state === 'pending')).toMatchObject([
    { originKey: 'search', quiet: true },
  ]);
});

test('a policy is changed by name; what waits is accepted only when it is applied', async () => {
  await use([tool('search')]);
  await installation.ok('servers', 'policy', 'Demo', 'review');
  await upgrade(tool('search', wider));
  expect(names(await surface())).toEqual([]);
  expect(await installation.ok<Policy>('servers', 'policy', 'Demo', 'follow')).toMatchObject({ acceptable: 1 });
  expect(names(await surface())).toEqual([]);
  const applied = await installation.ok<Policy & { reviews: Review[] }>('servers', 'policy', 'Demo', '--apply');
  expect(applied).toMatchObject({ policy: 'follow', acceptable: 0, reviews: [{ originKey: 'search' }] });
  expect(names(await surface())).toEqual(['search']);
  expect((await installation.run('servers', 'policy', 'Demo', 'sometimes')).status).toBe(2);
  expect((await installation.run('servers', 'policy', 'Nobody')).status).toBe(1);
});

test('one upgrade is decided by cause: first claims in a click of their own, for one app first', async () => {
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => tool(name));
  await use(all, ['cursor', 'zed']);
  const [a, b] = ['a', 'b'].map((name) => tool(name, claims));
  const [c, d] = ['c', 'd'].map((name) => tool(name, stricter));
  const risky = tool('e', { annotations: { openWorldHint: false, readOnlyHint: true }, title: 'E', ...stricter });
  const { incidents } = await upgrade(...[a, b, c, d, risky].filter((one) => one !== undefined));
  const [incident] = incidents;
  expect(incident?.groups.map(({ cause, reviews }) => [cause, reviews.length])).toEqual([
    ['careful', 2],
    ['claims', 4],
    ['breaking', 4],
  ]);
  const group = (cause: string): string => incident?.groups.find((one) => one.cause === cause)?.id ?? '';

  // The whole leaves what is risky, and claims; the claims have their own click.
  await installation.ok('review', 'approve', group('breaking'), '--app', 'cursor');
  expect(names(await surface('cursor'))).toEqual(['c', 'd']);
  expect(names(await surface('zed'))).toEqual([]);
  await installation.ok('review', 'approve', group('claims'));
  expect(names(await surface('cursor'))).toEqual(['a', 'b', 'c', 'd']);
  const whole = await installation.run('--json', 'review', 'approve', incident?.id ?? '');
  expect(whole.status).toBe(1);
  expect((JSON.parse(whole.stdout) as Reviews).left).toHaveLength(2);
  expect(names(await surface('zed'))).toEqual(['a', 'b', 'c', 'd']);
  const careful = await installation.run('--json', 'review', 'approve', group('careful'));
  expect(careful.status).toBe(1);
});

test('a new tool of a whole server waits quietly, and one call says why it is off', async () => {
  await use([tool('search')]);
  const { incidents, reviews } = await upgrade(tool('search'), tool('extra'));
  expect(reviews).toMatchObject([{ originKey: 'extra', state: 'pending', quiet: true }]);
  expect(incidents[0]?.groups).toMatchObject([{ cause: 'new', quiet: true }]);
  expect(await why('Demo', 'extra')).toMatchObject({ on: false, reason: 'new', review: reviews[0]?.id });
});

test('“why is it off” answers for everything that can be the case', async () => {
  await use([tool('search'), tool('fetch'), tool('kept'), tool('gone')]);
  await upgrade(tool('search', stricter), tool('fetch'), tool('kept', stricter), { name: 'bad', inputSchema: 7 });
  const { reviews } = await list();
  await installation.ok('review', 'keep-off', reviews.find(({ originKey }) => originKey === 'kept')?.id ?? '');
  await installation.ok('hide', 'cursor', 'Demo', 'tool', 'fetch');
  const reasons = async (...keys: string[]): Promise<string[]> => {
    const found: string[] = [];
    for (const key of keys) found.push((await why('Demo', 'tool', key)).reason);
    return found;
  };
  expect(await reasons('search', 'kept', 'fetch', 'gone', 'bad', 'nowhere')).toEqual(['changed', 'rejected', 'excluded', 'missing', 'invalid', 'unseen']); // prettier-ignore
  const changed = await why('Demo', 'search');
  expect(changed.sentences).toHaveLength(2);
  expect(changed.next).toContain(changed.review);
  const plain = await installation.run('why', 'cursor', 'Demo', 'search');
  expect(plain.stdout).toContain('it has changed, and nobody has approved the change');
  await installation.ok('apps', 'add', 'zed');
  expect(await installation.ok<Why>('why', 'zed', 'Demo', 'search')).toMatchObject({ on: false, reason: 'unchosen' });
  await installation.ok('servers', 'remove', 'Demo');
  expect(await reasons('search')).toEqual(['archived']);
  expect((await installation.run('why', 'cursor', 'Nobody', 'search')).status).toBe(1);
});

test('a running gateway follows a change that the server announces, and the app calls on without a refusal', async () => {
  await use([tool('search')]);
  await installation.serve();
  const { client: app } = await installation.hostApp('cursor');
  expect((await app.listTools()).tools.map(({ name }) => name)).toEqual(['search']);
  offer(tool('search', wider));
  const { tools } = await until(
    () => app.listTools(),
    (listed) => 'page' in (listed.tools[0]?.inputSchema.properties ?? {}),
  );
  expect(tools).toHaveLength(1);
  expect((await app.callTool({ name: 'search', arguments: { query: 'x', page: '2' } })).isError).not.toBe(true);
  expect((await list()).reviews.filter(({ state }) => state === 'pending')).toEqual([]);
});
