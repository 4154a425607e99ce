/** What may happen in a random history, before it is known what it happens to. */
import fc from 'fast-check';
import { KINDS, type CapabilityKey, type Kind } from '../../../electron/core/model.ts';

/** Few keys, so that they meet: across servers, with a prefix, and once made legal. */
const KEYS: Readonly<Record<Kind, readonly string[]>> = {
  tool: ['search', 'exa_search', 'web.search', 'web_search', `long.${'x'.repeat(60)}`],
  prompt: ['search', 'plan'],
  resource: ['file:///a', 'file:///b'],
  resourceTemplate: ['file:///{path}'],
  instructions: [''],
};
export const ALL_KEYS: CapabilityKey[] = KINDS.flatMap((kind) => KEYS[kind].map((originKey) => ({ kind, originKey })));

const pick = fc.nat({ max: 30 });
const entry = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('v1', 'v1', 'v2', 'v3', 'more', 'needs', 'force', 'reads', 'reads on') },
  { weight: 1, arbitrary: fc.constantFrom('broken', 'odd') },
);
const list = (kind: Kind): fc.Arbitrary<readonly [string, string][]> =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS[kind]), entry), { selector: ([name]) => name, minLength: 1 });
const listed = (kind: Kind) =>
  fc.oneof(
    { weight: 12, arbitrary: list(kind) },
    { weight: 2, arbitrary: fc.constant('complete-empty' as const) },
    { weight: 1, arbitrary: fc.constant('unsupported' as const) },
    { weight: 1, arbitrary: fc.constant('incomplete' as const) },
    { weight: 2, arbitrary: fc.constant('failed' as const) },
  );
const lists = fc.record(
  {
    tool: listed('tool'),
    prompt: listed('prompt'),
    resource: listed('resource'),
    resourceTemplate: listed('resourceTemplate'),
    instructions: listed('instructions'),
  },
  { requiredKeys: ['tool'] },
);

/** How a command's shown set is spoilt; mostly it is not. */
const spoil = fc.oneof(
  { weight: 8, arbitrary: fc.constant('no' as const) },
  { weight: 1, arbitrary: fc.constantFrom('forgets one' as const, 'another id' as const, 'one too many' as const) },
);
/** Mostly one of those that are there; the last number stands for one that may not be. */
export const UNKNOWN = 12;
const server = fc.nat({ max: UNKNOWN });
const consumer = fc.nat({ max: UNKNOWN });
const profile = fc.nat({ max: UNKNOWN });
const target = fc.oneof(fc.constant('all' as const), pick);

const observe = fc.record({
  do: fc.constant('observe' as const),
  server,
  own: fc.option(consumer),
  connection: fc.constantFrom('first', 'second', 'third'),
  context: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 3 }) }),
  stale: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  version: fc.constantFrom(null, '1.0.0', '1.1.0'),
  lists,
});
/** The last lists of a server once more; on another connection they confirm what was taken away. */
const observeAgain = fc.record({
  do: fc.constant('observe again' as const),
  server,
  connection: fc.constantFrom('first', 'second', 'third'),
});
const choose = fc.record({ do: fc.constant('expose' as const), server, consumer, target, spoil });
const hide = fc.record({ do: fc.constant('hide' as const), server, consumer, target });
const profiles = fc.record({
  do: fc.constantFrom(
    'create profile' as const,
    'add to profile' as const,
    'add to profile' as const,
    'take out' as const,
    'assign' as const,
    'assign' as const,
    'assign' as const,
    'unassign' as const,
    'unassign' as const,
  ),
  profile,
  server,
  consumer,
  target,
  spoil,
});
const decide = fc.record({
  do: fc.constant('decide' as const),
  consumer,
  pick,
  verdict: fc.constantFrom('approved' as const, 'rejected' as const),
  spoil,
});
const undo = fc.record({ do: fc.constant('undo' as const), consumer, pick, spoil });
const servers = fc.record({
  do: fc.constantFrom(
    'add' as const,
    'change' as const,
    'change' as const,
    'remove' as const,
    'restore' as const,
    'restore' as const,
  ),
  server,
  launch: fc.nat({ max: 3 }),
});
/** A changed launch, and the last lists of the server under its new route. */
const reroute = fc.record({ do: fc.constant('reroute' as const), server, launch: fc.nat({ max: 3 }) });
const rest = fc.record({
  do: fc.constantFrom(
    'asks' as const,
    'asks' as const,
    'app' as const,
    'list' as const,
    'pause' as const,
    'notify' as const,
    'policy' as const,
    'policy' as const,
    'policy' as const,
    'apply policy' as const,
  ),
  server,
  consumer,
  pick,
});
const move = fc.oneof(
  { weight: 9, arbitrary: observe },
  { weight: 5, arbitrary: observeAgain },
  { weight: 4, arbitrary: choose },
  { weight: 2, arbitrary: hide },
  { weight: 5, arbitrary: profiles },
  { weight: 6, arbitrary: decide },
  { weight: 2, arbitrary: undo },
  { weight: 2, arbitrary: servers },
  { weight: 3, arbitrary: reroute },
  { weight: 3, arbitrary: rest },
);
type Made<A> = A extends fc.Arbitrary<infer M> ? M : never;
export type Move = Made<typeof move>;
export type Observing = Made<typeof observe>;
export type Deciding = Made<typeof decide>;
export type Undoing = Made<typeof undo>;
export type ServerMove = Made<typeof servers>;
export type Rerouting = Made<typeof reroute>;
export type SmallMove = Made<typeof rest>;
export type ProfileMove = Made<typeof profiles>;
export type Spoilt = Made<typeof spoil>;

/** Two servers, two apps and a profile are there from the start; in use, where the history begins so. */
export const histories = fc.record({
  inUse: fc.boolean(),
  moves: fc.array(move, { minLength: 1, maxLength: 60, size: 'max' }),
});
export type History = Made<typeof histories>;
