import { refsInIntent, serversInIntent } from '../core/intent.ts';
import { parseRef } from '../core/identity.ts';
import type { CapabilityRef, ConsumerId, Server, ServerId, State } from '../core/model.ts';
import { isOwnProgram } from '../core/own-programs.ts';
import { reviewItems, type ReviewItem } from '../core/review.ts';
import { entriesOf } from '../core/state.ts';
import { deriveSurface, type Surface } from '../core/surface.ts';
import { view } from '../core/view.ts';
import { isShut } from '../store/secrets.ts';
import type { CommandContext, DataPlane, LoginStart, SecretsPort } from './context.ts';
import type { HostAppsPort } from './host-apps-port.ts';
import { offersAlways } from './always.ts';
import { continuityQuestions } from './continuities.ts';
import { fetchedBy } from './fetched.ts';
import { openIncidents } from './open-incidents.ts';
import { reviewView, titleOf } from './review-view.ts';
import { causeOfServer } from './server-cause.ts';
import { keysFor } from './server-keys.ts';
import type { UpdatesPort } from './updates-port.ts';
import type { AppView, PreferencesView, ReviewView, ServerView, Snapshot } from './snapshot.ts';

interface Reader extends Pick<CommandContext, 'state' | 'definition' | 'manifest' | 'isUnused'> {
  /** When an app last used it, as far as the traces tell. */
  readonly lastUsed: (ref: CapabilityRef) => string | null;
}

/** With more than this waiting, it is a backlog, to be caught up on in the order in which things are missed. */
const CATCH_UP = 5;

/** What the state does not hold. */
export interface Around {
  readonly data: DataPlane;
  readonly notices: readonly string[];
  readonly isPaused: boolean;
  readonly secrets: SecretsPort;
  readonly login: LoginStart | undefined;
  readonly updates?: UpdatesPort | undefined;
  readonly hosts: Pick<HostAppsPort, 'trouble' | 'restarts'>;
}

/** Everything window and tray show, built anew after every commit. */
export function buildSnapshot(reader: Reader, around: Around): Snapshot {
  const { data, notices, isPaused, secrets, hosts } = around;
  const { state } = reader;
  const surfaces = new Map(entriesOf(state.consumers).map(([id]) => [id, deriveSurface(state, id)]));
  const reviews = shownItems(state).map((item) => reviewView(reader, item));
  const servers = Object.values(state.servers)
    .filter((server) => server.archivedAt === null)
    .map((server) => serverView(reader, server, data, secrets));
  const waiting = distinct(reviews.filter((review) => review.state === 'pending' && !review.quiet));
  const inUse = serversInUse(state);
  return {
    sequence: state.sequence,
    language: state.settings.language,
    tray: trayState(
      isPaused,
      waiting,
      servers.filter((server) => inUse.has(server.id)),
    ),
    waiting,
    ...(waiting > CATCH_UP && { lastUsed: lastUses(reader, reviews) }),
    readyTools: countReady([...surfaces.values()]),
    reviews,
    incidents: openIncidents(state, reviews),
    continuity: continuityQuestions(reader).map((question) => question.view),
    missing: missingOf(reader),
    servers,
    apps: [...surfaces].map(([id, surface]) => ({
      ...appView(reader, data, id, surface),
      trouble: hosts.trouble(id),
      ...(hosts.restarts(id) && { canRestart: true as const }),
    })),
    notices,
    keys: keysOf(state, secrets.keeping),
    preferences: preferencesOf(state, around),
  };
}

/** What a person chose of how the program behaves: some of it is kept by the system or in a file of its own. */
export function preferencesOf(
  { settings }: State,
  { login, updates }: Pick<Around, 'login' | 'updates'>,
): PreferencesView {
  const chosen = { tell: settings.tell, startAtLogin: login?.isOn() ?? null };
  return updates === undefined ? chosen : { ...chosen, lookForUpdates: updates.isOn };
}

function serverView(reader: Reader, server: Server, data: DataPlane, secrets: SecretsPort): ServerView {
  const { id, name, version, policy, launch } = server;
  const status = data.status(id);
  // Only of one that does not run it matters what it said and which keys it lacks; both take their time to tell.
  const isBroken = status.state === 'problem';
  const facts = {
    state: status.state,
    reason: status.problem,
    lastWords: isBroken ? data.details(id).lastWords : [],
    command: launch.command,
    args: launch.args,
    lostKeys: isBroken ? keysLost(secrets, server) : [],
    areKeysShut: isShut(secrets.keeping),
    hasTroubles: data.hasTroubles(id),
  };
  const cause = causeOfServer(facts, reader.state.settings.language);
  return {
    id,
    name,
    version,
    policy,
    tools: countTools(reader.state, id),
    ...(isOwnProgram(launch.command) && { isExample: true }),
    ...status,
    cause,
    offersAlways: offersAlways(reader, id),
  };
}

/** Names of keys that it was given and that are not to be had now. */
function keysLost(secrets: SecretsPort, server: Server): string[] {
  const keys = keysFor(secrets, server);
  return server.launch.envNames.filter((key) => !Object.hasOwn(keys, key));
}

/** Decided items that the window shows, the newest; older ones are in the list of reviews. */
const MAX_DECIDED = 300;

/** All that waits, and of what is settled the newest. */
function shownItems(state: State): ReviewItem[] {
  let settled = 0;
  return reviewItems(state).filter((item) => item.state === 'pending' || (settled += 1) <= MAX_DECIDED);
}

/** How the keys of the servers there are now are kept. */
export function keysOf({ servers }: State, keeping: SecretsPort['keeping']): Snapshot['keys'] {
  const hasKeys = Object.values(servers).some(
    ({ archivedAt, launch }) => archivedAt === null && launch.envNames.length > 0,
  );
  return hasKeys ? keeping : 'none';
}

/** Servers that some app wants. */
export function serversInUse(state: State): Set<ServerId> {
  return new Set(entriesOf(state.consumers).flatMap(([id]) => serversInIntent(state, id)));
}

function trayState(isPaused: boolean, waiting: number, servers: readonly ServerView[]): Snapshot['tray'] {
  if (isPaused) return 'paused';
  if (servers.some((server) => server.state === 'problem')) return 'error';
  return waiting > 0 ? 'attention' : 'ok';
}

/** One change is one thing to decide, however many apps it concerns. */
function distinct(reviews: readonly ReviewView[]): number {
  return new Set(reviews.map(({ ref, targetId }) => `${ref} ${targetId}`)).size;
}

function lastUses(reader: Reader, reviews: readonly ReviewView[]): Readonly<Record<string, string>> {
  const asking = reviews.filter((review) => review.state === 'pending' && !review.quiet);
  const refs = [...new Set(asking.map(({ ref }) => ref as CapabilityRef))]; // a view has it as plain text
  const uses = refs.flatMap((ref): [string, string][] => {
    const at = reader.lastUsed(ref);
    return at === null ? [] : [[ref, at]];
  });
  return Object.fromEntries(uses);
}

function countReady(surfaces: readonly Surface[]): number {
  const tools = surfaces.flatMap(({ manifest }) => manifest.entries.filter(({ kind }) => kind === 'tool'));
  return new Set(tools.map(({ ref }) => ref)).size;
}

function countTools(state: State, server: ServerId): number {
  const refs = Object.values(state.catalogs).flatMap((catalog) =>
    entriesOf(catalog).filter(([, entry]) => entry.state === 'present'),
  );
  const tools = refs.map(([ref]) => parseRef(ref)).filter((ref) => ref.server === server && ref.kind === 'tool');
  return new Set(tools.map(({ originKey }) => originKey)).size;
}

function missingOf(reader: Reader): Snapshot['missing'] {
  const { state } = reader;
  return entriesOf(state.consumers).flatMap(([id, consumer]) =>
    refsInIntent(state, id).flatMap((ref) => {
      const entry = view(state, id, ref);
      const server = state.servers[parseRef(ref).server];
      if (entry?.state !== 'absent' || entry.reason !== 'missing' || server?.archivedAt !== null) return [];
      return [{ app: consumer.name, serverName: server.name, title: titleOf(reader, ref, entry.lastId) }];
    }),
  );
}

function appView(
  reader: Reader,
  data: DataPlane,
  id: ConsumerId,
  { manifest, withheld }: Surface,
): Omit<AppView, 'trouble'> {
  const titleFor = (ref: CapabilityRef): string => {
    const entry = view(reader.state, id, ref);
    return titleOf(reader, ref, entry?.state === 'present' ? entry.id : (entry?.lastId ?? null));
  };
  return {
    id,
    name: reader.state.consumers[id]?.name ?? id,
    connected: data.connections(id),
    entries: manifest.entries.length,
    epoch: reader.state.publications[id]?.epoch ?? 0,
    fetched: fetchedBy(reader, id, data.listed(id)),
    withheld: withheld.map(({ ref, reason }) => ({ title: titleFor(ref), kind: parseRef(ref).kind, reason })),
  };
}
