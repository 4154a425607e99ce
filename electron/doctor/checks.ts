import { cleanName } from '../core/display.ts';
import { stateOf, type AppFacts, type Facts, type ServerFacts, type Told } from './facts.ts';
import type { CaseKey, CheckId, Finding } from './report.ts';

const MB = 1024 * 1024;
const FULL_BYTES = 20 * MB;
const LOW_BYTES = 500 * MB;
const LARGE_JOURNAL_BYTES = 500 * MB;
/** The traces are kept to 50 MB. */
const LARGE_TRACES_BYTES = 80 * MB;
/** Of what a gateway says. */
const MAX_SAID = 300;
/** Clocks of a machine and of what it is set by differ a little. */
const AHEAD_MS = 5 * 60_000;

const found = (key: CaseKey, values?: Finding['values']): Finding[] => [
  { found: key, ...(values !== undefined && { values }) },
];

type Check = (facts: Facts) => Finding[];

/** One row per check, in the order in which they are shown. */
const CHECKS: Readonly<Record<CheckId, Check>> = {
  folder: ({ folder }) => {
    const { path } = folder;
    if (folder.kind === 'missing') return found('folder.missing');
    if (folder.kind === 'not-folder') return found('folder.notFolder', { path });
    if (folder.kind === 'unreadable') return found('folder.unreadable', { path });
    if (!folder.canWrite) return found('folder.unwritable', { path });
    return folder.isPrivate ? found('folder.ok') : found('folder.open', { path });
  },
  space: ({ folder: { freeBytes } }) => {
    if (freeBytes === null) return [];
    const size = sizeText(freeBytes);
    return found(freeBytes < FULL_BYTES ? 'space.full' : freeBytes < LOW_BYTES ? 'space.low' : 'space.ok', { size });
  },
  state: (facts) => settings(facts),
  'set-aside': ({ setAside: n }) => (n === 0 ? found('set-aside.none') : found('set-aside.some', { n })),
  gateway: ({ gateway, own: { version } }) => {
    if (gateway.kind === 'none') return found('gateway.stopped');
    if (gateway.kind === 'silent') return found('gateway.silent', { pid: gateway.pid ?? '?' });
    if (gateway.kind === 'no-token') return found('gateway.noToken');
    if (gateway.kind === 'refused') return refusal(gateway);
    const isSame = gateway.version === version;
    return isSame
      ? found('gateway.ok', { version })
      : found('gateway.otherVersion', { version, theirs: gateway.version ?? '?' });
  },
  'only-one': ({ owners, gateway }) => {
    const answering = gateway.kind === 'answers' && gateway.pid !== null ? [gateway.pid] : [];
    const pids = [...new Set([...owners, ...answering])];
    return pids.length > 1 ? found('only-one.two', { pids: pids.join(', ') }) : found('only-one.ok');
  },
  socket: ({ socket: { kind, path } }) => found(`socket.${kind}`, { path }),
  token: ({ token, folder, gateway }) => {
    if (token !== 'missing') return found(`token.${token}`);
    const isFresh = folder.kind === 'missing' || gateway.kind === 'none';
    return found(isFresh ? 'token.none' : 'token.missing');
  },
  bridge: ({ bridge, gateway, apps }) => {
    const isNeeded = gateway.kind === 'answers' || apps.some(({ look }) => look.kind === 'connected');
    return found(bridge === 'missing' && !isNeeded ? 'bridge.unknown' : `bridge.${bridge}`);
  },
  launch: ({ launch }) => {
    if (launch.kind === 'gone') return found('launch.programGone', { path: launch.path });
    return found(launch.kind === 'missing' ? 'launch.none' : `launch.${launch.kind}`);
  },
  runtime: ({ own: { node, needed } }) =>
    found(isAtLeast(node, needed) ? 'runtime.ok' : 'runtime.old', { node, needed }),
  keys: ({ keys, gateway }) => {
    const shut = gateway.kind === 'answers' ? SHUT_CASES.get(gateway.told?.keys ?? '') : undefined;
    if (shut === undefined || gateway.kind !== 'answers') return found(`keys.${keys}`);
    return found(shut, shut === 'keys.locked' ? { pid: gateway.pid ?? '?' } : undefined);
  },
  // While a gateway runs, they are its own.
  'left-over': ({ leftOver, gateway }) =>
    leftOver.length === 0 || gateway.kind !== 'none'
      ? found('left-over.none')
      : found('left-over.some', { n: leftOver.length, pids: leftOver.join(', ') }),
  clock: ({ newest, at }) => {
    const ahead = newest === null ? 0 : Date.parse(newest) - Date.parse(at);
    return ahead > AHEAD_MS ? found('clock.back', { minutes: Math.round(ahead / 60_000) }) : found('clock.ok');
  },
  journal: ({ bytes }) => sized('journal', bytes.journal, LARGE_JOURNAL_BYTES),
  traces: ({ bytes }) => sized('traces', bytes.traces, LARGE_TRACES_BYTES),
  paused: (facts) => {
    const paused = stateOf(facts)?.settings.paused ?? null;
    const isOver = paused === null || (paused.until !== null && paused.until <= facts.at);
    return isOver ? [] : found(`paused.${paused.reason}`);
  },
  told: ({ gateway }) => (toldBy(gateway)?.notices ?? []).flatMap((notice) => found('told.notice', { notice })),
  servers: ({ servers: { length: n } }) => (n === 0 ? found('servers.none') : found('servers.some', { n })),
  'server-program': ({ servers }) => servers.flatMap((server) => about({ server }, program(server))),
  'server-script': ({ servers }) =>
    servers.flatMap((server) =>
      server.missingScript === null
        ? []
        : about({ server }, found('server-script.missing', { path: server.missingScript })),
    ),
  'server-state': ({ servers, gateway }) =>
    servers.flatMap((server) => about({ server }, serverState(server, toldBy(gateway)))),
  'server-lists': ({ servers }) => servers.flatMap((server) => about({ server }, lists(server))),
  'app-settings': ({ apps }) => apps.flatMap((app) => about({ app }, appSettings(app))),
  'app-state': (facts) => appStates(facts),
};

/** Judges by the facts alone, so that every case can be tried without a machine in that state. */
export function examine(facts: Facts): Finding[] {
  const findings = Object.values(CHECKS).flatMap((check) => check(facts));
  return facts.keys === 'sealed' ? findings.map((finding) => ({ ...finding, isForApp: true })) : findings;
}

/** Why a gateway cannot open the keys, as it says it itself. */
const SHUT_CASES: ReadonlyMap<string, CaseKey> = new Map([
  ['locked', 'keys.locked'],
  ['no-key-store', 'keys.noKeyStore'],
  ['unopenable', 'keys.unopenable'],
]);

/** Of anything but the token it is told what was said: the cause is its own. */
function refusal({ code, said }: Extract<Facts['gateway'], { kind: 'refused' }>): Finding[] {
  return code === 'FORBIDDEN' ? found('gateway.refused') : found('gateway.said', { said: cleanName(said, MAX_SAID) });
}

function settings({ present, previous, bytes }: Facts): Finding[] {
  if (present.kind === 'newer' || previous.kind === 'newer') return found('state.newer');
  if (present.kind === 'unreadable') return found('state.unreadable');
  if (present.kind === 'good')
    return previous.kind === 'damaged' ? found('state.previous') : found('state.ok', { format: present.format });
  if (previous.kind === 'good') return found('state.damaged');
  const isFresh = present.kind === 'missing' && previous.kind === 'missing';
  if (!isFresh) return found('state.lost');
  // A state file is there before the first line of the journal is.
  return found(bytes.journal > 0 ? 'state.gone' : 'state.missing');
}

function toldBy(gateway: Facts['gateway']): Told | null {
  return gateway.kind === 'answers' ? gateway.told : null;
}

function about(part: Pick<Finding, 'server' | 'app'>, findings: Finding[]): Finding[] {
  return findings.map((finding) => ({
    ...finding,
    ...(part.server && { server: { id: part.server.id, name: part.server.name } }),
    ...(part.app && { app: { id: part.app.id, name: part.app.name } }),
  }));
}

function program({ program: look, command }: ServerFacts): Finding[] {
  if (look === 'found') return found('server-program.ok');
  if (look === 'own-path') return found('server-program.ownPath');
  return found(look === 'missing' ? 'server-program.missing' : 'server-program.notProgram', { program: command });
}

function serverState({ id }: ServerFacts, told: Told | null): Finding[] {
  const server = told?.servers.find((each) => each.id === id);
  if (server === undefined) return [];
  if (server.state === 'problem') return found('server-state.problem', { problem: server.problem ?? '?' });
  return found(server.state === 'working' ? 'server-state.ok' : 'server-state.idle');
}

function lists({ outcomes }: ServerFacts): Finding[] {
  const all = Object.values(outcomes);
  const n = all.filter(({ status }) => status === 'failed' || status === 'incomplete').length;
  if (all.length === 0) return [];
  return n === 0 ? found('server-lists.ok') : found('server-lists.failed', { n });
}

const APP_CASES = {
  'not-installed': 'app-settings.notInstalled',
  'not-connected': 'app-settings.notConnected',
  gone: 'app-settings.gone',
  elsewhere: 'app-settings.elsewhere',
  connected: 'app-settings.connected',
} as const;

function appSettings({ look, file }: AppFacts): Finding[] {
  if (look.kind === 'unreadable') return found('app-settings.unreadable', { path: file, hint: look.hint });
  if (look.kind === 'program-gone') return found('app-settings.programGone', { path: look.program });
  return found(APP_CASES[look.kind]);
}

function appStates(facts: Facts): Finding[] {
  const consumers = Object.values(stateOf(facts)?.consumers ?? {});
  return (toldBy(facts.gateway)?.apps ?? []).flatMap(({ id, connected, entries: n, withheld: off }) => {
    const app = { id, name: consumers.find((consumer) => consumer.id === id)?.name ?? id };
    const withheld = off.length;
    if (withheld > 0) return about({ app }, found('app-state.withheld', { n, withheld }));
    return about({ app }, found(connected > 0 ? 'app-state.connected' : 'app-state.idle', { n }));
  });
}

function sized(check: 'journal' | 'traces', bytes: number, large: number): Finding[] {
  return found(bytes > large ? `${check}.large` : `${check}.ok`, { size: sizeText(bytes) });
}

/** `18.15` or more. */
function isAtLeast(version: string, needed: string): boolean {
  const numbers = (text: string): number[] => text.split('.').map(Number);
  const [major = 0, minor = 0] = numbers(version);
  const [leastMajor = 0, leastMinor = 0] = numbers(needed);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function sizeText(bytes: number): string {
  if (bytes >= 1024 * MB) return `${(bytes / 1024 / MB).toFixed(1)} GB`;
  return bytes >= MB ? `${Math.round(bytes / MB)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}
