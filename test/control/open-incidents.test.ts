import { beforeEach, expect, test } from 'vitest';
import type { Control } from '../../electron/control/control.ts';
import { capabilityId } from '../../electron/core/identity.ts';
import type { Json, Observation } from '../../electron/core/model.ts';
import { controlOn, DEMO, exposeDemo, listing } from '../store/control.ts';
import { AT } from '../store/sample.ts';
import { openStore, temporaryFolder } from '../store/support.ts';

let control: Control;

beforeEach(async () => {
  const { store } = await openStore(temporaryFolder());
  control = controlOn(store);
  await exposeDemo(control, { search: 'Finds.', fetch: 'Reads.', map: 'Draws.', old: 'Is old.' });
});

/** What the server lists next, each tool with what differs from before. */
async function upgrade(tools: Readonly<Record<string, Readonly<Record<string, Json>>>>): Promise<void> {
  const plain = listing(Object.fromEntries(Object.keys(tools).map((name) => [name, 'x'])));
  const items = Object.entries(tools).map(([originKey, more]) => {
    const definition = { name: originKey, inputSchema: { type: 'object' }, ...more };
    const { route } = plain;
    return { originKey, definition, id: capabilityId({ serverId: DEMO, kind: 'tool', originKey, route, definition }) };
  });
  const kinds = { tool: { status: 'complete', items } } as unknown as Observation['kinds']; // built from plain parts
  await control.dispatch({ type: 'observed', at: AT, observation: { ...plain, version: '2.0.0', kinds } });
}
const approve = (input: object): Promise<unknown> => control.run('review.approve', input);
const causes = (): string[] => control.snapshot().incidents.flatMap(({ groups }) => groups.map(({ cause }) => cause));

const says = { annotations: { readOnlyHint: true } };
const UPGRADE = {
  search: { description: 'Finds.', ...says },
  fetch: { description: 'Reads.', ...says },
  map: { description: 'Draws.', inputSchema: { type: 'object', properties: { city: {} }, required: ['city'] } },
};

test('one upgrade is one incident with its versions, what is gone, and its changes by cause', async () => {
  await upgrade(UPGRADE);
  const { incidents, reviews } = control.snapshot();
  expect(incidents).toMatchObject([
    { serverName: 'Demo', fromVersion: '1.0.0', toVersion: '2.0.0', missing: 1, quiet: 0 },
  ]);
  const names = incidents[0]!.groups.map(({ cause, reviews: ids }) => [
    cause,
    ids.map((id) => reviews.find((one) => one.id === id)?.originKey).sort(),
  ]);
  expect(names).toEqual([
    ['claims', ['fetch', 'search']],
    ['breaking', ['map']],
  ]);
});

test('approved as a whole, claims are left; in their own click they are not', async () => {
  await upgrade(UPGRADE);
  const [incident] = control.snapshot().incidents;
  const reviews = incident!.groups.flatMap((group) => group.reviews);
  await approve({ id: incident!.id, reviews });
  expect(causes()).toEqual(['claims']);
  const claims = control.snapshot().incidents[0]!.groups[0]!;
  await approve({ id: claims.id, reviews: claims.reviews });
  expect(control.snapshot().incidents).toEqual([]);
});

test('what was not shown when it was decided is left', async () => {
  await upgrade(UPGRADE);
  const [incident] = control.snapshot().incidents;
  await approve({ id: incident!.id, reviews: [] });
  expect(causes()).toEqual(['claims', 'breaking']);
});

test('what is held back since a later change was kept off is covered by no answer to the others', async () => {
  const map = (more: string): Readonly<Record<string, Readonly<Record<string, Json>>>> => ({
    search: { description: 'Finds.' },
    map: { description: 'Draws.', inputSchema: { type: 'object', properties: { [more]: {} }, required: [more] } },
  });
  await upgrade(map('city'));
  const [first] = control.snapshot().incidents;
  await upgrade(map('street'));
  const later = control.snapshot().reviews.find(({ state, originKey }) => state === 'pending' && originKey === 'map');
  await control.run('review.keep-off', { id: later!.id });
  await upgrade(map('city'));
  const held = control.snapshot().reviews.find(({ state, originKey }) => state === 'pending' && originKey === 'map');
  expect([held?.incident, held?.quiet]).toEqual([first!.id, true]);
  await approve({ id: first!.id, reviews: [held!.id] }).catch(() => undefined);
  expect(control.snapshot().reviews.find(({ id }) => id === held!.id)?.state).toBe('pending');
});
