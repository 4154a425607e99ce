/** Random histories: moves (`moves.ts`) turned into events against the state they meet, as the real commands do it. */
import { capabilityRef, parseRef } from '../../../electron/core/identity.ts';
import { launchRoute } from '../../../electron/core/launch.ts';
import {
  PRESETS,
  type ConsumerId,
  type Context,
  type Event,
  type Kind,
  type KindOutcome,
  type Launch,
  type ListedKind,
  type ManifestId,
  type ProfileId,
  type Observation,
  type ObservedItem,
  type ServerId,
  type Shown,
  type State,
  type Target,
} from '../../../electron/core/model.ts';
import { assignmentOf } from '../../../electron/core/events/profiles.ts';
import { pendingReviews } from '../../../electron/core/review.ts';
import { entriesOf } from '../../../electron/core/state.ts';
import { deriveSurface } from '../../../electron/core/surface.ts';
import { shownBy } from '../../../electron/core/view.ts';
import {
  ALL_KEYS,
  UNKNOWN,
  type Deciding,
  type History,
  type Move,
  type Observing,
  type ProfileMove,
  type Rerouting,
  type ServerMove,
  type SmallMove,
  type Spoilt,
  type Undoing,
} from './moves.ts';
import { app, HERE, item, minute, npx, profileId, serverId, versionOf, type Told } from './build.ts';

const SERVERS = [
  { id: serverId('exa'), name: 'Exa' },
  { id: serverId('two'), name: 'exa!' },
  { id: serverId('three'), name: '数据' },
];
const CONSUMERS = [app('claude'), app('cursor'), app('zed')];
const PROFILES = [profileId('work'), profileId('home')];
const CONTEXTS: Context[] = [
  HERE,
  { ...HERE, signedIn: false },
  { ...HERE, launch: 'key 2' },
  { ...HERE, capabilities: 'none' },
];
/** The second starts the same thing in another version; the others are other routes. */
function launches(server: ServerId): Launch[] {
  const script: Launch = { type: 'stdio', command: 'node', args: [`/srv/${server}.js`], envNames: [] };
  return [npx(server), npx(`${server}@2`), script, npx(`${server}-next`)];
}

const at = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length];

/** Two servers, two apps and a profile are there from the start. */
const BEGINNING: Told[] = [
  ...SERVERS.slice(0, 2).map(({ id, name }) => ({
    type: 'server-added' as const,
    server: { id, name, launch: npx(id) },
  })),
  ...CONSUMERS.slice(0, 2).map((id) => ({ type: 'consumer-added' as const, consumer: id, name: id })),
  { type: 'profile-created', profile: profileId('work'), name: profileId('work') },
];

const [FIRST, SECOND] = SERVERS.map(({ id }) => id);
/** Whole servers that are wanted before anything of them was listed, directly and through a profile. */
const USE: Told[] = [FIRST, SECOND].flatMap((id): Told[] =>
  id === undefined
    ? []
    : [
        { type: 'exposed', consumer: app('claude'), server: id, target: 'all', shown: [] },
        { type: 'profile-added', profile: profileId('work'), server: id, target: 'all', shown: [] },
        { type: 'profile-assigned', profile: profileId('work'), consumer: app('cursor'), shown: [] },
      ],
);

/** Calls back with each event of a history, in the state that it meets; the answer is the state after it. */
export function play({ inUse, moves }: History, take: (event: Event, state: State) => State, start: State): State {
  let state = start;
  let clock = 0;
  const last = new Map<ServerId, Observation>();
  const tell = (told: Told): void => {
    state = take({ ...told, at: minute(clock++) }, state);
  };
  for (const told of inUse ? [...BEGINNING, ...USE] : BEGINNING) tell(told);
  for (const one of moves.flatMap(stepsOf)) {
    const told = eventFor(state, one, last);
    if (told === null) continue;
    if (told.type === 'observed') last.set(told.observation.server, told.observation);
    tell(told);
  }
  return state;
}

type Step = Exclude<Move, Rerouting>;
function stepsOf(one: Move): Step[] {
  if (one.do !== 'reroute') return [one];
  const { server, launch } = one;
  return [
    { do: 'change', server, launch },
    { do: 'observe again', server, connection: 'third' },
  ];
}

function eventFor(state: State, one: Step, last: ReadonlyMap<ServerId, Observation>): Told | null {
  switch (one.do) {
    case 'observe':
      return { type: 'observed', observation: observationFor(state, one) };
    case 'observe again': {
      const known = last.get(serverOf(state, one.server).id);
      if (known === undefined) return null;
      return { type: 'observed', observation: { ...listedNow(state, known), connection: one.connection } };
    }
    case 'expose': {
      const [{ id }, own] = [serverOf(state, one.server), consumerOf(state, one.consumer)];
      const what = targetOf(state, id, own, one.target);
      const shown = spoiled(shownFor(state, id, own, what), one.spoil);
      return { type: 'exposed', consumer: own, server: id, target: what, shown };
    }
    case 'hide': {
      const [{ id }, own] = [serverOf(state, one.server), consumerOf(state, one.consumer)];
      return { type: 'hidden', consumer: own, server: id, target: targetOf(state, id, own, one.target) };
    }
    case 'decide':
      return decisionFor(state, one);
    case 'undo':
      return undoFor(state, one);
    case 'add':
    case 'change':
    case 'remove':
    case 'restore':
      return serverEvent(state, one);
    case 'asks':
    case 'app':
    case 'list':
    case 'pause':
    case 'notify':
    case 'policy':
    case 'apply policy':
      return smallEvent(state, one);
    default:
      return profileEvent(state, one);
  }
}

type Named = (typeof SERVERS)[number];
function serverOf(state: State, n: number): Named {
  const there = SERVERS.filter(({ id }) => state.servers[id] !== undefined);
  return at(n === UNKNOWN ? SERVERS.slice(2) : there, n) ?? { id: serverId('exa'), name: 'Exa' };
}
function consumerOf(state: State, n: number): ConsumerId {
  const there = CONSUMERS.filter((id) => state.consumers[id] !== undefined);
  return at(n === UNKNOWN ? CONSUMERS.slice(2) : there, n) ?? app('claude');
}
function profileOf(state: State, n: number): ProfileId {
  const there = PROFILES.filter((id) => state.profiles[id] !== undefined);
  return at(n === UNKNOWN ? PROFILES.slice(1) : there, n) ?? profileId('work');
}

function targetOf(state: State, of: ServerId, own: ConsumerId | null, wanted: 'all' | number): Target {
  if (wanted === 'all') return 'all';
  const inView = shownBy(state, of, own).map(({ ref }) => parseRef(ref));
  const { kind, originKey } = at([...inView, ...inView, ...ALL_KEYS], wanted) ?? { kind: 'tool', originKey: 'search' };
  return { kind, originKey };
}

function shownFor(state: State, of: ServerId, own: ConsumerId | null, what: Target): Shown[] {
  return shownBy(state, of, own).filter(({ ref }) => {
    const { kind, originKey } = parseRef(ref);
    return what === 'all' || kind === 'instructions' || (kind === what.kind && originKey === what.originKey);
  });
}

function spoiled(shown: readonly Shown[], how: Spoilt): Shown[] {
  const [first, ...others] = shown;
  if (how === 'no' || first === undefined) return [...shown];
  if (how === 'forgets one') return others;
  const { server: of, kind, originKey } = parseRef(first.ref);
  const other = item(of, launchRoute(npx(of)), { kind, originKey }, 'v9');
  const id = 'id' in other ? other.id : first.id;
  return how === 'another id'
    ? [{ ...first, id }, ...others]
    : [...shown, { ref: capabilityRef(of, kind, 'elsewhere'), id }];
}

function observationFor(state: State, one: Observing): Observation {
  const { id } = serverOf(state, one.server);
  const present = state.servers[id]?.route ?? launchRoute(npx(id));
  const route = one.stale ? launchRoute(launches(id)[2] ?? npx(id)) : present;
  const isOwn = one.own !== null && state.servers[id]?.asks === true;
  const kinds = Object.entries(one.lists) as [Kind, string | readonly [string, string][]][]; // keys are kinds
  const outcomeOf = (kind: Kind, what: (typeof kinds)[number][1]): KindOutcome => {
    if (typeof what !== 'string') return { status: 'complete', items: what.map((e) => itemFor(id, route, kind, e)) };
    if (what === 'incomplete') return { status: what, reason: 'a page failed', count: 1 };
    return what === 'failed' ? { status: what, reason: 'time-out' } : { status: what as 'complete-empty' };
  };
  return {
    server: id,
    consumer: isOwn ? consumerOf(state, one.own ?? 0) : null,
    connection: one.connection,
    route,
    context: CONTEXTS[one.context] ?? HERE,
    version: one.version,
    kinds: Object.fromEntries(kinds.map(([kind, what]) => [kind, outcomeOf(kind, what)])),
  };
}

/** The same lists under the route that the server has now. */
function listedNow(state: State, known: Observation): Observation {
  const { server, kinds } = known;
  const route = state.servers[server]?.route ?? known.route;
  const moved = entriesOf(kinds as Record<Kind, KindOutcome>).map(([kind, outcome]) => {
    if (outcome.status !== 'complete') return [kind, outcome];
    const items = outcome.items.map((one) =>
      'id' in one ? item(server, route, { kind, originKey: one.originKey }, versionOf(one.id)) : one,
    );
    return [kind, { ...outcome, items }];
  });
  return { ...known, route, kinds: Object.fromEntries(moved) as Observation['kinds'] }; // the same kinds
}

function itemFor(of: ServerId, route: Observation['route'], kind: Kind, [originKey, what]: readonly [string, string]) {
  const valid: ObservedItem = item(of, route, { kind, originKey }, what);
  return what === 'broken' || what === 'odd' ? { originKey, invalid: what } : valid;
}

function decisionFor(state: State, one: Deciding): Told | null {
  const own = consumerOf(state, one.consumer);
  const open = pendingReviews(state, own);
  const inForce = deriveSurface(state, own).manifest.entries;
  const inView = SERVERS.flatMap(({ id }) => shownBy(state, id, own));
  const shown = at(one.pick < 24 ? [...open, ...open, ...inForce] : inView, one.pick);
  const [spoilt] = shown === undefined ? [] : spoiled([{ ref: shown.ref, id: shown.id }], one.spoil);
  if (spoilt === undefined) return null;
  return { type: 'decided', consumer: own, ref: spoilt.ref, id: spoilt.id, verdict: one.verdict };
}

function undoFor(state: State, one: Undoing): Told | null {
  const own = consumerOf(state, one.consumer);
  const made = entriesOf(state.decisions[own] ?? {}).flatMap(([ref, list]) => list.map((d) => ({ ref, ...d })));
  made.sort((a, b) => b.sequence - a.sequence);
  const decision = at(made, one.pick);
  if (decision === undefined) return null;
  const { ref, id, sequence } = decision;
  return { type: 'undone', consumer: own, ref, id, sequence: one.spoil === 'no' ? sequence : sequence + 1 };
}

function serverEvent(state: State, one: ServerMove): Told | null {
  const { id, name } = serverOf(state, one.server);
  const launch = launches(id)[one.launch] ?? npx(id);
  const gone = SERVERS.find((other) => typeof state.servers[other.id]?.archivedAt === 'string');
  if (one.do === 'restore' && gone !== undefined && one.launch < 3)
    return {
      type: 'server-restored',
      server: gone.id,
      name: gone.name,
      launch: state.servers[gone.id]?.launch ?? launch,
    };
  if (one.do === 'change') return { type: 'server-changed', server: id, launch };
  if (one.do === 'remove') return { type: 'server-removed', server: id };
  if (one.do === 'restore') return { type: 'server-restored', server: id, name, launch };
  // Ids are given once: a removed server comes back by being restored.
  const [third] = SERVERS.slice(2);
  if (third === undefined || typeof state.servers[third.id]?.archivedAt === 'string') return null;
  return { type: 'server-added', server: { ...third, launch: npx(third.id) } };
}

function smallEvent(state: State, one: SmallMove): Told {
  const own = consumerOf(state, one.consumer);
  const kind: ListedKind = at(['tool', 'prompt', 'resource'] as const, one.pick) ?? 'tool';
  const none = 'sha256:none' as ManifestId; // of a manifest that is not stored any more
  switch (one.do) {
    case 'asks':
      return { type: 'server-asks', server: serverOf(state, one.server).id };
    case 'policy': {
      const policy = at(PRESETS, one.pick) ?? 'review';
      return { type: 'policy-set', server: serverOf(state, one.server).id, policy };
    }
    case 'apply policy':
      return { type: 'policy-applied', server: serverOf(state, one.server).id };
    case 'app': {
      const other = at(CONSUMERS, one.pick) ?? own;
      return { type: 'consumer-added', consumer: other, name: other };
    }
    case 'list':
      return { type: 'listed', consumer: own, kind, manifestId: state.publications[own]?.manifestId ?? none };
    case 'pause':
      return one.pick % 2 === 0 ? { type: 'paused', until: null, reason: 'person' } : { type: 'resumed' };
    case 'notify':
      return { type: 'notified', incidents: state.incidents.slice(0, one.pick).map(({ id }) => id) };
    default:
      return { type: 'language', language: 'zh-CN' };
  }
}

function profileEvent(state: State, one: ProfileMove): Told {
  const [id, own, of] = [
    profileOf(state, one.profile),
    consumerOf(state, one.consumer),
    serverOf(state, one.server).id,
  ];
  const known = state.profiles[id];
  const what = targetOf(state, of, null, one.target);
  switch (one.do) {
    case 'create profile': {
      const other = at(PROFILES, one.consumer) ?? id;
      return { type: 'profile-created', profile: other, name: other };
    }
    case 'take out':
      return { type: 'profile-removed', profile: id, server: of, target: what };
    case 'unassign':
      return { type: 'profile-unassigned', profile: id, consumer: own };
    case 'assign': {
      const shown = known === undefined ? [] : assignmentOf(state, known, own);
      return { type: 'profile-assigned', profile: id, consumer: own, shown: spoiled(shown, one.spoil) };
    }
    default: {
      const shown = spoiled(shownFor(state, of, null, what), one.spoil);
      return { type: 'profile-added', profile: id, server: of, target: what, shown };
    }
  }
}
