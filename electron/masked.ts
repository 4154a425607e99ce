import type { DataPlane } from './control/context.ts';
import { asHoldfastError, HoldfastError, type ErrorDetails } from './core/errors.ts';
import type { Kind, KindOutcome, Observation } from './core/model.ts';
import { redactor, type Mask } from './core/redact.ts';
import type { GatewayPorts, TraceLine } from './gateway/ports.ts';

/** What is held of secrets; it only grows while the program runs. */
export interface KnownSecrets {
  readonly known: ReadonlySet<string>;
}

/** A mask for the gateway's own token and every value that servers were given, also those that come later. */
export function maskOf(token: string, secrets: KnownSecrets): Mask {
  let size = -1;
  let mask = redactor([]);
  return (text) => {
    if (secrets.known.size !== size) {
      size = secrets.known.size;
      mask = redactor([token, ...secrets.known]);
    }
    return mask(text);
  };
}

/**
 * Everything that comes from servers into records and to people passes here, and leaves its secrets behind. Definitions
 * stay as they are: they are what is hashed and served.
 */
export function maskedPorts(ports: GatewayPorts, mask: Mask): GatewayPorts {
  return {
    ...ports,
    onStarted: (started) => ports.onStarted({ ...started, build: maskedOrNull(started.build, mask) }),
    onObservation: (observation) => ports.onObservation(maskedObservation(observation, mask)),
    onTrace: (line) => ports.onTrace(maskedTrace(line, mask)),
    words: (key, values) => mask(ports.words(key, values)),
    describe: (error) => ports.describe(maskedError(error, mask)),
  };
}

/** The same on the way to commands and snapshots. */
export function maskedPlane(plane: DataPlane, mask: Mask): DataPlane {
  return {
    ...plane,
    observeNow: (server, consumer, isAskedFor) =>
      masking(plane.observeNow(server, consumer, isAskedFor), mask).then((observation) =>
        maskedObservation(observation, mask),
      ),
    confirm: (server, consumer) => masking(plane.confirm(server, consumer), mask),
    stopServer: (server) => masking(plane.stopServer(server), mask),
    status: (server) => {
      const { state, problem } = plane.status(server);
      return { state, problem: maskedOrNull(problem, mask) };
    },
    details: (server) => {
      const details = plane.details(server);
      const troubles = details.troubles.map(({ kind, reason }) => ({ kind, reason: mask(reason) }));
      return { ...details, troubles, lastWords: details.lastWords.map(mask) };
    },
  };
}

/** The same failure without secrets; its cause is left behind, because it may repeat them. */
export function maskedError(thrown: unknown, mask: Mask): HoldfastError {
  const { code, details } = asHoldfastError(thrown);
  const masked = Object.entries(details).map(([name, value]) => [
    name,
    typeof value === 'string' ? mask(value) : value,
  ]);
  return new HoldfastError(code, Object.fromEntries(masked) as ErrorDetails); // the same members
}

/** Passes a result on, and failures masked. */
export async function masking<T>(work: Promise<T>, mask: Mask): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw maskedError(thrown, mask);
  }
}

function maskedOrNull(text: string | null, mask: Mask): string | null {
  return text === null ? null : mask(text);
}

function maskedTrace(line: TraceLine, mask: Mask): TraceLine {
  return {
    ...line,
    name: mask(line.name),
    build: maskedOrNull(line.build, mask),
    ...(line.reason !== undefined && { reason: mask(line.reason) }),
  };
}

function maskedObservation(observation: Observation, mask: Mask): Observation {
  const kinds = Object.entries(observation.kinds).map(([kind, outcome]) => [kind, maskedOutcome(outcome, mask)]);
  return {
    ...observation,
    version: maskedOrNull(observation.version, mask),
    kinds: Object.fromEntries(kinds) as Partial<Record<Kind, KindOutcome>>, // the same kinds
  };
}

/** Ids and definitions are left alone. */
function maskedOutcome(outcome: KindOutcome, mask: Mask): KindOutcome {
  if ('reason' in outcome) return { ...outcome, reason: mask(outcome.reason) };
  if (outcome.status !== 'complete') return outcome;
  const items = outcome.items.map((item) => ('invalid' in item ? { ...item, invalid: mask(item.invalid) } : item));
  return { ...outcome, items };
}
