import { isToldType } from '../core/history.ts';
import { parseRef } from '../core/identity.ts';
import type { JsonObject, Server, State } from '../core/model.ts';
import { reviewItems } from '../core/review.ts';
import { entriesOf } from '../core/state.ts';
import type { JournalLine } from '../store/journal-line.ts';
import { callStatistics, type Call } from './call-statistics.ts';
import { stateOf, type Facts, type ServerFacts } from './facts.ts';
import { knownErrorCode, knownPhrase } from './phrases.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { report, type CheckView, type Finding } from './report.ts';

/** What of the machine is told beside the facts. */
export interface SystemFacts {
  readonly platform: string;
  readonly arch: string;
  /** Version of the operating system, which may have words of whoever built it. */
  readonly release: string;
}

export interface DiagnosticsInput {
  readonly facts: Facts;
  readonly findings: readonly Finding[];
  readonly system: SystemFacts;
  /** Newest first. */
  readonly journal: readonly JournalLine[];
  readonly calls: readonly unknown[];
}

const MAX_SERVERS = 200;
const MAX_APPS = 100;
const MAX_CHECKS = 1_500;

/**
 * What a person can send to whoever helps them. Nothing in it is a text of theirs or of a server: it is built from
 * numbers, from words of this program, and from stand-ins for names.
 */
export function diagnostics({ facts, findings, system, journal, calls }: DiagnosticsInput): JsonObject {
  const state = stateOf(facts);
  const names = new Pseudonyms(state);
  const checks = findings.map((finding) => maskedCheck(finding, names));
  const { bytes, folder, gateway, own } = facts;
  return {
    format: 1,
    at: facts.at,
    program: { version: own.version, node: own.node, electron: own.electron },
    system: { platform: system.platform, arch: system.arch, release: numbersOnly(system.release) },
    gateway: {
      kind: gateway.kind,
      sameVersion: gateway.kind === 'answers' ? gateway.version === own.version : null,
      refused: gateway.kind === 'refused' ? (knownErrorCode(gateway.code) ?? 'other') : null,
    },
    state: { kind: facts.present.kind, previous: facts.previous.kind, keys: facts.keys, freeBytes: folder.freeBytes },
    counts: { ...counts(state), journalBytes: bytes.journal, traceBytes: bytes.traces },
    doctor: checks.slice(0, MAX_CHECKS),
    servers: facts.servers.slice(0, MAX_SERVERS).map((server) => serverView(facts, state, server, names)),
    apps: appViews(facts, names).slice(0, MAX_APPS),
    journal: {
      lines: journal.length,
      types: tally(journal.map(({ type }) => knownType(type))),
      errors: errorCodes(journal),
    },
    calls: callStatistics(calls.filter(isCall), names, MAX_SERVERS),
    leftOut: {
      checks: Math.max(0, checks.length - MAX_CHECKS),
      servers: Math.max(0, facts.servers.length - MAX_SERVERS),
    },
  };
}

/** Our own words and numbers; every other value gives way to what it stands for. */
const OWN_WORDS: ReadonlySet<string> = new Set(['version', 'size', 'node', 'needed', 'pids']);

function maskedCheck(finding: Finding, names: Pseudonyms): JsonObject {
  const { found, values = {}, server, app } = finding;
  const masked = Object.entries(values).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'number' || OWN_WORDS.has(name) ? value : maskedValue(name, value),
  ]);
  const part = (id: string): { id: string; name: string } => ({ id, name: id });
  const blank: Finding = {
    found,
    values: Object.fromEntries(masked),
    ...(server && { server: part(names.server(server.id)) }),
    ...(app && { app: part(names.app(app.id)) }),
  };
  const [check] = report([blank], 'en').checks;
  return check === undefined ? {} : plain(check);
}

function maskedValue(name: string, value: string): string {
  if (name === 'problem') return knownPhrase(value);
  if (name === 'theirs' && /^\d{1,4}(\.\d{1,4}){1,3}$/.test(value)) return value;
  return `[${name}]`;
}

function plain({ id, found, status, server, app, message }: CheckView): JsonObject {
  return { id, found, status, ...(server !== undefined && { server }), ...(app !== undefined && { app }), message };
}

function counts(state: State | undefined): JsonObject {
  if (state === undefined) return {};
  const servers = Object.values(state.servers);
  const decisions = Object.values(state.decisions).flatMap((byRef) => Object.values(byRef).flat());
  return {
    commits: state.sequence,
    servers: servers.filter(({ archivedAt }) => archivedAt === null).length,
    removedServers: servers.filter(({ archivedAt }) => archivedAt !== null).length,
    apps: Object.keys(state.consumers).length,
    profiles: Object.keys(state.profiles).length,
    decisions: tally(decisions.map(({ verdict, basis }) => `${verdict} ${basis}`)),
    reviews: tally(reviewItems(state).map((item) => item.state)),
    incidents: state.incidents.length,
  };
}

function serverView(facts: Facts, state: State | undefined, server: ServerFacts, names: Pseudonyms): JsonObject {
  const { id, program, missingScript, outcomes, starts } = server;
  const stored = state?.servers[id];
  const told =
    facts.gateway.kind === 'answers' ? facts.gateway.told?.servers.find((each) => each.id === id) : undefined;
  const kinds = Object.entries(outcomes).map(([kind, { status, count, reason }]): [string, JsonObject] => [
    kind,
    { status, count, ...(reason !== null && { reason: knownPhrase(reason) }) },
  ]);
  return {
    server: names.server(id),
    launch: stored === undefined ? null : launchKind(stored),
    environmentValues: stored?.launch.envNames.length ?? 0,
    arguments: stored?.launch.args.length ?? 0,
    ownProcessPerApp: stored?.asks ?? false,
    program,
    scriptMissing: missingScript !== null,
    state: told === undefined ? null : knownState(told.state),
    problem: told === undefined || told.problem === null ? null : knownPhrase(told.problem),
    offers: state === undefined ? {} : offers(state, id),
    kinds: Object.fromEntries(kinds),
    starts,
  };
}

const LAUNCHES: Readonly<Record<string, string>> = { npm: 'npm package', pypi: 'Python package', oci: 'container' };

/** By the scheme of the launch identity only. */
function launchKind({ route }: Pick<Server, 'route'>): string {
  const scheme = route.slice(0, route.indexOf(':'));
  if (scheme === 'exec') return route.includes('","') ? 'script' : 'program';
  return LAUNCHES[scheme] ?? 'command line';
}

function knownState(state: string): string {
  return ['idle', 'starting', 'working', 'problem'].includes(state) ? state : 'other';
}

/** How many of each kind are in view, over all scopes. */
function offers({ catalogs }: State, id: string): JsonObject {
  const refs = Object.values(catalogs).flatMap((catalog) =>
    entriesOf(catalog).flatMap(([ref, entry]) => (entry.state === 'present' ? [ref] : [])),
  );
  const own = [...new Set(refs)].map(parseRef).filter(({ server }) => server === id);
  return tally(own.map(({ kind }) => kind));
}

function appViews({ gateway, apps }: Facts, names: Pseudonyms): JsonObject[] {
  const told = gateway.kind === 'answers' ? (gateway.told?.apps ?? []) : [];
  const running = told.map(({ id, connected, entries, withheld }) => ({
    app: names.app(id),
    connected,
    entries,
    withheld: tally(withheld.map(({ reason }) => knownWithheld(reason))),
  }));
  return [...running, ...apps.map(({ id, look }) => ({ app: names.app(id), settings: look.kind }))];
}

function knownWithheld(reason: string): string {
  return ['changed', 'missing', 'hidden', 'rejected', 'new', 'invalid', 'conflict'].includes(reason) ? reason : 'other';
}

/** Types of lines are words of this program; a damaged or foreign journal may have others. */
function knownType(type: string): string {
  return isToldType(type) ? type : 'other';
}

function errorCodes(journal: readonly JournalLine[]): JsonObject {
  return tally(
    journal.flatMap(({ details }) => Object.values(details ?? {}).flatMap((value) => knownErrorCode(value) ?? [])),
  );
}

function isCall(value: unknown): value is Call {
  if (typeof value !== 'object' || value === null) return false;
  const call = value as Readonly<Record<string, unknown>>; // an object, just seen
  const ref = call['ref'];
  return (
    typeof call['outcome'] === 'string' &&
    typeof call['durationMs'] === 'number' &&
    (ref === null || typeof ref === 'string')
  );
}

/** How often each word is there. */
function tally(words: readonly string[]): Record<string, number> {
  const counted = new Map<string, number>();
  for (const word of words) counted.set(word, (counted.get(word) ?? 0) + 1);
  return Object.fromEntries([...counted].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `6.1.0-17-of-somebody` -> `6.1.0`. */
function numbersOnly(release: string): string {
  return /^\d{1,6}(\.\d{1,6}){0,4}/.exec(release)?.[0] ?? '';
}
