import { z } from 'zod';
import { HoldfastError } from '../../core/errors.ts';
import { tell, type Names, type Told } from '../../core/history.ts';
import { parseRef } from '../../core/identity.ts';
import type { CapabilityRef, ConsumerId, Json, JsonObject, ServerId, State } from '../../core/model.ts';
import type { TraceLine } from '../../gateway/ports.ts';
import type { JournalLine } from '../../store/journal-line.ts';
import { version } from '../../../package.json';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { appInput, nameInput, nothing } from '../inputs.ts';
import { consumerNamed, serverOf } from '../resolve.ts';
import { titleOf } from '../review-view.ts';

const limitInput = z.int().min(1).max(1_000).default(50);
const historyInput = z.strictObject({ server: nameInput.optional(), app: appInput.optional(), limit: limitInput });
const traceInput = z.strictObject({ app: appInput.optional(), limit: limitInput });

/** What happened, what was called, and which program it was that saw it. */
export const EVIDENCE_COMMANDS = {
  history: command(historyInput, (context, input) => ({ events: history(context, input) }), { inWindow: true }),
  trace: command(traceInput, (context, input) => ({ calls: trace(context, input) })),
  /** What only the running program knows of itself: its version, and the PATH it looks programs up on. */
  about: command(nothing, (context) => about(context), { inWindow: true }),
} as const;

async function about({ data }: CommandContext) {
  return {
    version,
    pid: process.pid,
    node: process.versions.node,
    electron: 'electron' in process.versions ? process.versions.electron : null,
    path: await data.searchedPath(),
  };
}

/** One thing that happened, for a person. Names are what they are called now. */
export interface HistoryEvent {
  readonly at: string;
  /** The commit it belongs to, or the last one before it. */
  readonly sequence: number;
  readonly type: string;
  readonly server?: string;
  readonly app?: ConsumerId;
  readonly text: string;
}

function history(context: CommandContext, { server, app, limit }: z.output<typeof historyInput>): HistoryEvent[] {
  const { state } = context;
  const wantedServers = server === undefined ? undefined : everCalled(state, server);
  const wantedApp = app === undefined ? undefined : consumerNamed(state, app).id;
  const isWanted = (line: JournalLine): boolean => {
    const who = tell(line, untitled(state));
    const isApp = wantedApp === undefined || who.app === wantedApp;
    return isApp && (wantedServers === undefined || isAbout(state, line, who, wantedServers));
  };
  const names: Names = { ...untitled(state), title: (ref, id) => titleOf(context, ref, id) };
  return context.history(limit, isWanted).map((line) => {
    const told = tell(line, names);
    return {
      at: line.at,
      sequence: line.sequence,
      type: line.type,
      ...(told.server !== undefined && { server: names.server(told.server) }),
      ...(told.app !== undefined && { app: told.app }),
      text: told.text,
    };
  });
}

/** Reads no definitions: for finding lines, of which there may be many. */
function untitled({ servers, consumers, profiles, settings }: State): Names {
  return {
    language: settings.language,
    server: (id) => servers[id]?.name ?? id,
    app: (id) => consumers[id]?.name ?? id,
    profile: (id) => profiles[id]?.name ?? id,
    title: () => '',
  };
}

/**
 * Every server of that name, removed ones too: history outlives them.
 * @throws HoldfastError UPSTREAM_NOT_FOUND
 */
function everCalled({ servers }: State, name: string): ReadonlySet<ServerId> {
  const found = Object.values(servers).filter((server) => server.name === name || server.id === name);
  if (found.length === 0) throw new HoldfastError('UPSTREAM_NOT_FOUND', { server: name });
  return new Set(found.map(({ id }) => id));
}

/** A publication names no server, but what was published does. */
function isAbout(state: State, line: JournalLine, who: Told, wanted: ReadonlySet<ServerId>): boolean {
  if (who.server !== undefined) return wanted.has(who.server);
  const published = who.app === undefined ? {} : (state.names[who.app] ?? {});
  const labels = [...listOf(line.details?.['withdrawn']), ...listOf(line.details?.['added'])];
  return labels.some((label) => {
    const ref = typeof label === 'string' && Object.hasOwn(published, label) ? published[label] : undefined;
    return ref !== undefined && wanted.has(parseRef(ref).server);
  });
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []; // Array.isArray widens to any[]
}

const size = z.number().min(0);
/** Traces are files that anything may have happened to: a line that does not fit is left out. */
const callShape = z.looseObject({
  at: z.string().max(40),
  call: z.number().exactOptional(),
  consumer: z.string(),
  method: z.string(),
  name: z.string(),
  ref: z.string().nullable(),
  outcome: z.enum(['result', 'tool-error', 'error', 'cancelled', 'refused']),
  durationMs: size,
  requestBytes: size,
  responseBytes: size,
});
type Call = Omit<TraceLine, 'consumer' | 'ref'> & {
  readonly consumer: string;
  readonly ref: string | null;
  /** The server's name; `null` where the call was for nothing that is published. */
  readonly server: string | null;
};

function trace(context: CommandContext, { app, limit }: z.output<typeof traceInput>): Call[] {
  const { state } = context;
  const wanted = app === undefined ? undefined : consumerNamed(state, app).id;
  const isWanted = (line: JsonObject): boolean => {
    const call = callShape.safeParse(line).data;
    return call !== undefined && (wanted === undefined || call.consumer === wanted);
  };
  return context.recentCalls(limit, isWanted).map((line) => {
    const call = line as unknown as Omit<Call, 'server'>; // checked above; the gateway wrote the rest of it
    return { ...call, server: call.ref === null ? null : serverName(state, call.ref) };
  });
}

function serverName(state: State, ref: string): string | null {
  return /^[^/]+\/[a-zA-Z]+\//.test(ref) ? (serverOf(state, ref as CapabilityRef)?.name ?? null) : null; // of that shape
}
