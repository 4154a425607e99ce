import { BOUNDS } from '../core/bounds.ts';
import { sha256 } from '../core/canonical.ts';
import { capabilityId } from '../core/identity.ts';
import type { JsonObject, Kind, ListedKind, Route, ServerId } from '../core/model.ts';
import { inspectWith } from '../core/observe.ts';
import type { Inspect, Inspected } from '../core/observe.ts';

/** Longer texts are remembered by their hash. */
const SHORT = 2_000;

/** Remembers verdicts by an entry's JSON text, so that a list that did not change is not hashed again. */
export class IdCache {
  readonly #server: ServerId;
  readonly #known = new Map<string, Inspected>();

  constructor(server: ServerId) {
    this.#server = server;
  }

  inspectFor(route: Route): Inspect {
    const inspect = inspectWith((kind, originKey, definition) => this.identify(route, kind, originKey, definition));
    return (kind: ListedKind, originKey: string, definition: JsonObject) => {
      const text = cacheKey(kind, route, definition);
      const known = text === null ? undefined : this.#known.get(text);
      if (known) return known;
      const inspected = inspect(kind, originKey, definition);
      if (text === null) return inspected;
      if (this.#known.size >= BOUNDS.rememberedIds.value) this.#known.clear();
      this.#known.set(text, inspected);
      return inspected;
    };
  }

  identify(route: Route, kind: Kind, originKey: string, definition: JsonObject): ReturnType<typeof capabilityId> {
    return capabilityId({ serverId: this.#server, kind, originKey, route, definition });
  }
}

/** `null` for what cannot be written as text; its inspection says so. */
function cacheKey(kind: ListedKind, route: Route, definition: JsonObject): string | null {
  try {
    const plain = JSON.stringify(definition);
    if (plain.includes('null')) JSON.stringify(definition, refuseInfinite);
    const text = `${kind} ${route} ${plain}`;
    return text.length <= SHORT ? text : sha256(text);
  } catch {
    return null;
  }
}

/** A number like 1e400 is written as null, and must not pass for it. */
function refuseInfinite(_: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('not finite');
  return value;
}
