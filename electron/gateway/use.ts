import { BOUNDS } from '../core/bounds.ts';
import type { CapabilityId, JsonObject, ManifestId } from '../core/model.ts';
import type { Connection } from './connection.ts';
import { memberSpan } from './json-span.ts';
import type { ActiveSurface, SurfaceEntry, TraceLine } from './ports.ts';
import type { Request } from './rpc.ts';
import { isObject, textOf } from './rpc.ts';
import type { Session } from './session.ts';

/** One use of a published capability, from its arrival to its answer. It is bound to one surface for its whole life. */
export interface Use {
  /** Number of the call, for what it causes. */
  readonly number: number;
  readonly session: Session;
  request: Request;
  readonly requestBytes: number;
  readonly surface: ActiveSurface;
  readonly startedAt: number;
  /** What the app called it: published name or URI. */
  readonly name: string;
  entry: SurfaceEntry | null;
  listedId: CapabilityId | null;
  /** Set while an answer is awaited upstream. */
  sent: { readonly connection: Connection; readonly id: number } | null;
  isOver: boolean;
  /** Set while it waits for its definition to be seen. */
  patience: NodeJS.Timeout | null;
}

/** Kind and name that a request asks for; the kind of a URI is found out later. */
export function targetOf(request: Request): { kind: 'tool' | 'prompt' | 'uri' | 'template'; name: string } {
  const { method, params } = request;
  if (method === 'tools/call') return { kind: 'tool', name: textOf(params['name']) };
  if (method === 'prompts/get') return { kind: 'prompt', name: textOf(params['name']) };
  if (method !== 'completion/complete') return { kind: 'uri', name: textOf(params['uri']) };
  const ref = isObject(params['ref']) ? params['ref'] : {};
  if (ref['type'] === 'ref/prompt') return { kind: 'prompt', name: textOf(ref['name']) };
  return { kind: 'template', name: textOf(ref['uri']) };
}

/**
 * The params as they go upstream: the published name gives way to the server's own, the progress token to ours.
 * Everything else is as it came; `arguments` byte for byte, because numbers do not survive parsing.
 */
export function forwardedParams(request: Request, entry: SurfaceEntry, id: number): string {
  const params: Record<string, unknown> = { ...request.params };
  const isNamed = entry.kind === 'tool' || entry.kind === 'prompt';
  if (isNamed && typeof params['name'] === 'string') params['name'] = entry.originKey;
  const { ref, _meta: meta } = request.params;
  if (isNamed && isObject(ref)) params['ref'] = { ...ref, name: entry.originKey };
  if (isObject(meta) && meta['progressToken'] !== undefined) params['_meta'] = { ...meta, progressToken: id };
  const raw = rawArguments(request);
  const members = Object.entries(params).map(([key, value]) => {
    return `${JSON.stringify(key)}:${key === 'arguments' && raw !== null ? raw : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}

function rawArguments({ line }: Request): string | null {
  const params = memberSpan(line, 0, 'params');
  const span = params && memberSpan(line, params.start, 'arguments');
  return span ? line.toString('utf8', span.start, span.end) : null;
}

/** The app's own progress token of a use. */
export function progressToken(params: JsonObject): unknown {
  return isObject(params['_meta']) ? params['_meta']['progressToken'] : undefined;
}

/** How a use ended, for the trace. */
export interface Ending {
  readonly outcome: TraceLine['outcome'];
  readonly reason?: string;
  readonly responseBytes: number;
}

/** The trace line of a use. Arguments and results are not in it. */
export function traceOf(use: Use, ending: Ending, at: string): TraceLine {
  const { surface, entry, request } = use;
  const isListedElse = entry !== null && use.listedId !== null && use.listedId !== entry.id;
  const manifestId: ManifestId = surface.manifestId;
  return {
    at,
    call: use.number,
    consumer: surface.consumer,
    method: request.method,
    // Longer ones are no name of anything.
    name: use.name.slice(0, BOUNDS.keyLength.value),
    ref: entry?.ref ?? null,
    id: entry?.id ?? null,
    ...(isListedElse && use.listedId !== null && { listedId: use.listedId }),
    manifestId,
    epoch: surface.epoch,
    rendering: 1,
    build: use.sent?.connection.build ?? null,
    durationMs: Date.now() - use.startedAt,
    outcome: ending.outcome,
    ...(ending.reason !== undefined && { reason: ending.reason }),
    requestBytes: use.requestBytes,
    responseBytes: ending.responseBytes,
  };
}
