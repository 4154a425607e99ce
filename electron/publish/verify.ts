import { setTimeout as pause } from 'node:timers/promises';
import { BOUNDS } from '../core/bounds.ts';
import { cleanName } from '../core/display.ts';
import { HoldfastError } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/model.ts';
import type { Mask } from '../core/redact.ts';
import { readAnswer, type Answer } from '../gateway/answer.ts';
import type { Connection } from '../gateway/connection.ts';
import { isTooDeep } from '../gateway/json-span.ts';
import { isObject, textOf } from '../gateway/rpc.ts';
import type { About } from './contract.ts';
import type { Sample } from './samples.ts';
import { withServer, type Starting } from './started-server.ts';
import { verdictOf, type Reply, type Verdict } from './verdict.ts';

/** What came of one sample. */
export interface Checked {
  /** In the file, counted from 1. */
  readonly line: number;
  readonly kind: Sample['kind'];
  readonly name: string;
  readonly expect: Sample['expect'];
  readonly got: Verdict['outcome'];
  readonly holds: boolean;
  readonly reason?: string;
  readonly isOwnError?: true;
}

/** What came of all of them. */
export interface Verification {
  readonly ok: boolean;
  readonly server: About;
  readonly total: number;
  readonly held: number;
  readonly broken: readonly Checked[];
  readonly calls: readonly Checked[];
}

export interface VerifyOptions {
  readonly starting: Starting;
  readonly samples: readonly Sample[];
  /** How long one request may take. */
  readonly timeoutMs: number;
  readonly mask: Mask;
}

/** A server that fell silent or stopped so often in a row is not asked any more. */
const MAX_SILENT = 5;
const MAX_REASON = 300;
const MALFORMED: Reply = { type: 'none', reason: 'its answer is malformed' };

/**
 * Sends every sample for real, one after the other, to a server that is started for it. One that stops, or does not answer
 * in time, is ended and started anew for the next sample.
 * @throws HoldfastError SERVER_NOT_STARTED where it never ran
 */
export async function verifySamples({ starting, samples, timeoutMs, mask }: VerifyOptions): Promise<Verification> {
  const calls: Checked[] = [];
  const told = (sample: Sample, verdict: Verdict): number => calls.push(checked(sample, verdict, mask));
  let server: About = { name: null, version: null };
  let silent = 0;
  /** Until one is not answered: what a server does after that says nothing about the next. */
  const sendFrom = async (connection: Connection, first: number): Promise<void> => {
    server = aboutOf(connection, mask);
    const declared = declaredBy(connection);
    for (const sample of samples.slice(first)) {
      const verdict = await sendSample(connection, sample, timeoutMs, declared);
      told(sample, verdict);
      silent = verdict.outcome === 'unanswered' ? silent + 1 : 0;
      if (silent > 0) return;
    }
  };
  while (calls.length < samples.length && silent < MAX_SILENT) {
    const first = calls.length;
    await withServer(starting, (connection) => sendFrom(connection, first)).catch((thrown: unknown) => {
      if (first === 0) throw thrown;
      silent = MAX_SILENT; // it does not start any more
    });
  }
  const reason = 'it was not sent, because the server had stopped answering';
  for (const sample of samples.slice(calls.length)) told(sample, { outcome: 'unanswered', reason });
  const broken = calls.filter(({ holds }) => !holds);
  return {
    ok: broken.length === 0,
    server,
    total: calls.length,
    held: calls.length - broken.length,
    broken,
    calls,
  };
}

function aboutOf({ info }: Connection, mask: Mask): About {
  const masked = (text: string | null | undefined): string | null => (typeof text === 'string' ? mask(text) : null);
  return { name: masked(info?.name), version: masked(info?.version) };
}

function checked({ line, kind, name, expect }: Sample, verdict: Verdict, mask: Mask): Checked {
  return {
    line,
    kind,
    name: mask(name),
    expect,
    got: verdict.outcome,
    holds: verdict.outcome === expect,
    // Masked before it is cut, so that no half of a key is left.
    ...(verdict.reason !== undefined && { reason: cleanName(mask(verdict.reason), MAX_REASON) }),
    ...(verdict.isOwnError && { isOwnError: true }),
  };
}

const METHODS = { tool: 'tools/call', prompt: 'prompts/get', resource: 'resources/read' } as const;

async function sendSample(
  { upstream }: Connection,
  sample: Sample,
  timeoutMs: number,
  declared: Declared,
): Promise<Verdict> {
  const { kind, name, arguments: given } = sample;
  const params: JsonObject = kind === 'resource' ? { uri: name } : { name, arguments: given ?? {} };
  const method = METHODS[kind];
  const id = upstream.nextId();
  const answered = new Promise<Reply>((resolve) => {
    upstream.request(id, method, JSON.stringify(params), (answer) => {
      resolve(answer === null ? { type: 'none', reason: upstream.transport.endReason ?? 'it stopped' } : read(answer));
    });
  });
  const over = new AbortController();
  const late = pause(timeoutMs, undefined, { signal: over.signal }).then((): Reply => {
    upstream.forget(id);
    upstream.notify('notifications/cancelled', { requestId: id, reason: 'it took too long' });
    return { type: 'none', reason: `no answer within ${timeoutMs / 1000} s` };
  });
  late.catch(() => undefined); // called off below
  const reply = await Promise.race([answered, late]);
  over.abort();
  return verdictOf({ method, name, inputs: await inputsOf(sample, reply, declared) }, reply);
}

/** Names of the inputs of each tool, as the server lists them. */
type Declared = () => Promise<ReadonlyMap<string, readonly string[]>>;

/** Listed where a tool has reported an error, and then once. What cannot be listed helps nobody, and harms nothing. */
function declaredBy(connection: Connection): Declared {
  let listing: ReturnType<Declared> | undefined;
  return () =>
    (listing ??= connection.observe().then(
      ({ kinds: { tool } }) =>
        new Map(
          (tool?.status === 'complete' ? tool.items : []).map((item) => [
            item.originKey,
            'definition' in item ? namesIn(item.definition['inputSchema']) : [],
          ]),
        ),
      () => new Map(),
    ));
}

function namesIn(schema: Json | undefined): string[] {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}

async function inputsOf({ kind, name, arguments: given }: Sample, reply: Reply, declared: Declared): Promise<string[]> {
  const isError = reply.type === 'result' && isObject(reply.result) && reply.result['isError'] === true;
  if (kind !== 'tool' || !isError) return [];
  return [...new Set([...Object.keys(given ?? {}), ...((await declared()).get(name) ?? [])])];
}

/** Whatever a server answers, it is no more than an answer. */
function read(answer: Answer): Reply {
  if (isTooDeep(answer.line, answer.start, answer.end)) return { type: 'none', reason: BOUNDS.messageDepth.reason };
  try {
    const { result, error } = readAnswer(answer);
    if (!answer.isError) return { type: 'result', result };
    if (!isObject(error)) return MALFORMED;
    const code = typeof error['code'] === 'number' ? error['code'] : null;
    return { type: 'error', code, message: textOf(error['message']) };
  } catch {
    return MALFORMED;
  }
}

/** @throws HoldfastError COMMAND_BAD_INPUT */
export function timeoutOf(given: string | undefined): number {
  const seconds = given === undefined ? 30 : Number(given);
  if (!(seconds >= 0.1 && seconds <= 600))
    throw new HoldfastError('COMMAND_BAD_INPUT', { reason: '--timeout takes seconds, from 0.1 to 600' });
  return seconds * 1000;
}

/** The outcome for a person: what broke, and a summary. */
export function verifyText({ server, total, held, broken, calls }: Verification): string {
  const own = calls.filter(({ isOwnError }) => isOwnError).length;
  const lines = broken.map(
    ({ line, kind, name, expect, got, reason }) =>
      `line ${line}: ${kind} ${cleanName(name)}: expected ${expect}, was ${got}${reason === undefined ? '' : ` (${reason})`}`,
  );
  const build = [server.name, server.version].flatMap((text) => (text === null ? [] : [cleanName(text)])).join(' ');
  const summary = `${build === '' ? 'The server' : build}: ${held} of ${total} samples hold, ${broken.length} broke.`;
  const note = own === 0 ? '' : ` In ${own} the call was taken and the tool then reported an error of its own.`;
  return `${[...lines, `${summary}${note}`].join('\n')}\n`;
}
