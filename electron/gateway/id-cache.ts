import { capabilityId } from '../core/identity.ts';
import type { JsonObject, Kind, ListedKind, Route, ServerId } from '../core/model.ts';
import { inspectWith } from '../core/observe.ts';
import type { Inspect, Inspected } from '../core/observe.ts';

const MAX_CACHED = 20_000;

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
      if (this.#known.size >= MAX_CACHED) this.#known.clear();
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
    return `${kind} ${route} ${JSON.stringify(definition)}`;
  } catch {
    return null;
  }
}
