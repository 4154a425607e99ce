import fs from 'node:fs';
import path from 'node:path';
import type { Json, JsonObject, Kind, KindOutcome, Server, State } from '../core/model.ts';
import { KINDS } from '../core/model.ts';
import { isOwnProgram } from '../core/own-programs.ts';
import type { JournalLine } from '../store/journal-line.ts';
import type { AppFacts, Outcome, ServerFacts } from './facts.ts';
import { findProgram, type ProgramPlace } from '../system/find-program.ts';
import type { DoctorPorts, HostSettings } from './ports.ts';

/** Of the journal, the newest part says what came of the last looks. */
const LINES = 5_000;

export interface SeenServer {
  readonly outcomes: ServerFacts['outcomes'];
  readonly starts: number;
}

export interface JournalFacts {
  readonly servers: ReadonlyMap<string, SeenServer>;
  readonly newest: string | null;
}

/** What the newest part of the journal tells of each server. */
export function journalFacts(ports: Pick<DoctorPorts, 'journal'>): JournalFacts {
  const lines = ports.journal(LINES);
  const servers = new Map<string, SeenServer>();
  for (const line of lines) {
    const seen = observedIn(line);
    const id = seen?.server ?? line.details?.['server'];
    if (typeof id !== 'string') continue;
    const known = servers.get(id) ?? { outcomes: {}, starts: 0 };
    // The newest outcome of each kind counts; lines come newest first.
    const outcomes = { ...seen?.outcomes, ...known.outcomes };
    servers.set(id, { outcomes, starts: known.starts + (line.type === 'launch' ? 1 : 0) });
  }
  return { servers, newest: lines[0]?.at ?? null };
}

function observedIn({ event, details, type }: JournalLine) {
  if (event?.type === 'observed') {
    const { server, kinds } = event.observation;
    const rows = KINDS.flatMap((kind) => (kinds[kind] === undefined ? [] : [[kind, outcomeOf(kinds[kind])] as const]));
    return { server, outcomes: Object.fromEntries(rows) as ServerFacts['outcomes'] }; // keys are kinds
  }
  const kinds = details?.['kinds'];
  if (type !== 'observed' || !isObject(kinds)) return undefined;
  const rows = KINDS.flatMap((kind) => evidenceRow(kind, kinds[kind]));
  return { server: details?.['server'], outcomes: Object.fromEntries(rows) as ServerFacts['outcomes'] }; // the same
}

type StoredKinds = {
  readonly status: KindOutcome['status'];
  readonly items?: readonly unknown[];
  readonly reason?: string;
};

function outcomeOf({ status, items, reason }: StoredKinds): Outcome {
  return { status, count: items?.length ?? null, reason: reason ?? null };
}

const STATUSES: readonly string[] = ['complete', 'complete-empty', 'unsupported', 'incomplete', 'failed'];

/** An observation that changed nothing is kept as `kind -> [status, count or reason]`. */
function evidenceRow(kind: Kind, value: Json | undefined): [Kind, Outcome][] {
  const [status, more] = Array.isArray(value) ? (value as readonly Json[]) : []; // Array.isArray widens to any[]
  if (typeof status !== 'string' || !STATUSES.includes(status)) return [];
  const count = typeof more === 'number' ? more : null;
  const reason = typeof more === 'string' ? more : null;
  return [[kind, { status: status as Outcome['status'], count, reason }]]; // one of them, as just seen
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Servers that are not removed, each with its program looked up as it would be when it is started. */
export function serverFacts(
  { dataDir, platform, isBrought }: DoctorPorts,
  { servers }: State,
  searched: string | undefined,
  seen: ReadonlyMap<string, SeenServer>,
): ServerFacts[] {
  const present = Object.values(servers).filter((server) => server.archivedAt === null);
  return present.map((server) => {
    const { id, name, launch } = server;
    const cwd = path.join(dataDir, 'servers', id);
    const hasOwnPath = launch.envNames.some((variable) => variable.toUpperCase() === 'PATH');
    const isBare = !/[\\/]/.test(launch.command);
    const place = { path: searched, cwd, platform };
    return {
      id,
      name,
      command: launch.command,
      program: isBrought(launch.command) ? 'found' : programLook(launch.command, hasOwnPath && isBare, place),
      missingScript: missingScript(server, cwd),
      outcomes: seen.get(id)?.outcomes ?? {},
      starts: seen.get(id)?.starts ?? 0,
    };
  });
}

function programLook(command: string, isOnOwnPath: boolean, place: ProgramPlace): ServerFacts['program'] {
  if (isOwnProgram(command)) return 'found'; // what runs the gateway starts it
  return isOnOwnPath ? 'own-path' : findProgram(command, place);
}

/** The script of an interpreter is part of what is started, so it stands in the launch identity. */
function missingScript({ route }: Pick<Server, 'route'>, cwd: string): string | null {
  if (!route.startsWith('exec:')) return null;
  const script = scriptIn(route.slice('exec:'.length));
  if (script === undefined) return null;
  const isFile = path.isAbsolute(script) || /\.\w{1,5}$/.test(script);
  return isFile && !fs.existsSync(path.resolve(cwd, script)) ? script : null;
}

/** `[program, script]` or `[program, "-jar", file]`; a module's name is no file. */
function scriptIn(text: string): string | undefined {
  const [, first, second]: unknown[] = parsedList(text);
  const script = first === '-jar' ? second : first;
  return typeof script === 'string' && !script.startsWith('-') ? script : undefined;
}

function parsedList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as unknown[]) : []; // Array.isArray widens to any[]
  } catch {
    return [];
  }
}

/** Host apps whose settings can be looked at. */
export function appFacts(ports: DoctorPorts): AppFacts[] {
  return ports.hostSettings().map((settings) => {
    const { id, name, file } = settings;
    return { id, name, file, look: judged(ports, settings) };
  });
}

function judged({ dataDir, path: searched, platform }: DoctorPorts, { look }: HostSettings): AppFacts['look'] {
  if (look.kind === 'no-entry') return { kind: look.wasConnected ? 'gone' : 'not-connected' };
  if (look.kind !== 'entry') return look;
  const { isOurs, command, args } = look;
  const home = args[args.indexOf('--home') + 1];
  if (!isOurs || home === undefined || !isSameFolder(home, dataDir)) return { kind: 'elsewhere' };
  if (findProgram(command, { path: searched, cwd: dataDir, platform }) !== 'found')
    return { kind: 'program-gone', program: command };
  const bridge = args.find((arg) => path.isAbsolute(arg));
  return bridge === undefined || fs.existsSync(bridge)
    ? { kind: 'connected' }
    : { kind: 'program-gone', program: bridge };
}

function isSameFolder(one: string, other: string): boolean {
  try {
    return fs.realpathSync(one) === fs.realpathSync(other);
  } catch {
    return path.resolve(one) === path.resolve(other);
  }
}
