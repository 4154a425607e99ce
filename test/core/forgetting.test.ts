import { expect, it } from 'vitest';
import { BOUNDS } from '../../electron/core/bounds.ts';
import { withoutForgotten, withoutSeen } from '../../electron/core/events/forgetting.ts';
import { capabilityRef } from '../../electron/core/identity.ts';
import type {
  CapabilityId,
  Catalog,
  CatalogEntry,
  ConsumerId,
  ProfileId,
  ServerId,
  State,
} from '../../electron/core/model.ts';
import { emptyState } from '../../electron/core/state.ts';

const SERVER = 'srv' as ServerId;
const APP = 'app' as ConsumerId;
const id = `sha256:${'0'.repeat(64)}` as CapabilityId;
const context = { era: '2025', capabilities: '', launch: '', signedIn: false };
const ref = (name: string) => capabilityRef(SERVER, 'tool', name);
const absent: CatalogEntry = { state: 'absent', lastId: id, reason: 'missing', why: null, context };
const present: CatalogEntry = { state: 'present', id, context };

const decided = {
  sequence: 1,
  id,
  verdict: 'approved',
  by: 'person',
  at: '2026-01-01T00:00:00Z',
  basis: 'review',
} as const;
const state: State = {
  ...emptyState(),
  decisions: { [APP]: { [ref('decided')]: [decided] } },
  exposures: { [APP]: { [SERVER]: { all: true, chosen: [{ kind: 'tool', originKey: 'chosen' }], excluded: [] } } },
  seen: { [APP]: { [ref('old-0')]: [id], [ref('decided')]: [id] } },
};

function catalogOf(gone: number): Catalog {
  const names = Array.from({ length: gone }, (_, at) => `old-${at}`);
  return Object.fromEntries([
    [ref('decided'), absent],
    [ref('chosen'), absent],
    [ref('there'), present],
    ...names.map((name): [string, CatalogEntry] => [ref(name), absent]),
  ]);
}

it('what a server no longer offers is kept within the bound', () => {
  const catalog = catalogOf(BOUNDS.absentEntries.value - 2);
  expect(withoutForgotten(state, SERVER, catalog)).toBe(catalog);
});

it('beyond it the oldest is forgotten, but nothing that a person decided on or chose, and nothing that is there', () => {
  const catalog = catalogOf(BOUNDS.absentEntries.value);
  const kept = withoutForgotten(state, SERVER, catalog);
  expect(Object.keys(catalog).filter((key) => !(key in kept))).toEqual([ref('old-0'), ref('old-1')]);
});

it('what was seen of a forgotten one is forgotten with it', () => {
  const catalog = catalogOf(BOUNDS.absentEntries.value);
  const { seen } = withoutSeen(state, catalog, withoutForgotten(state, SERVER, catalog));
  expect(seen).toEqual({ [APP]: { [ref('decided')]: [id] } });
});

it('what came quietly is forgotten with it too, and nothing is written anew where nothing is forgotten', () => {
  const [before, quiet] = [
    catalogOf(BOUNDS.absentEntries.value),
    { [APP]: { [ref('old-0')]: [id], [ref('there')]: [id] } },
  ];
  const after = withoutForgotten(state, SERVER, before);
  expect(withoutSeen({ ...state, quiet }, before, after).quiet).toEqual({ [APP]: { [ref('there')]: [id] } });
  expect(withoutSeen({ ...state, quiet }, after, after)).toEqual({ seen: state.seen, quiet });
  expect(withoutSeen({ ...state, quiet }, after, after).quiet).toBe(quiet);
});

it('what a tool set holds by name is kept, and what is chosen of another server is none of this one', () => {
  const key = { kind: 'tool', originKey: 'old-0' } as const;
  const selections = (server: ServerId) => ({ [server]: { all: false, chosen: [key], excluded: [] } });
  const work = (server: ServerId) => ({
    id: 'p' as ProfileId,
    name: 'work',
    consumers: [],
    selections: selections(server),
  });
  const catalog = catalogOf(BOUNDS.absentEntries.value);
  const gone = (server: ServerId): string[] => {
    const kept = withoutForgotten({ ...state, profiles: { p: work(server) } as State['profiles'] }, SERVER, catalog);
    return Object.keys(catalog).filter((one) => !(one in kept));
  };
  expect(gone(SERVER)).toEqual([ref('old-1'), ref('old-2')]);
  expect(gone('other' as ServerId)).toEqual([ref('old-0'), ref('old-1')]);
});
