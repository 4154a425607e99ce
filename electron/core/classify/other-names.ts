import { parseRef } from '../identity.ts';
import type { ServerId, State } from '../model.ts';
import { entriesOf } from '../state.ts';

/** A name of one plain word stands in many texts without meaning a tool. */
const TELLING = /[a-z0-9][_.-][a-z0-9]|[a-z][A-Z]/;
const MIN_LENGTH = 6;

/** The last answer per server: as long as the names are the same, so is the set. */
const last = new Map<ServerId, ReadonlySet<string>>();
const known = new WeakMap<State['catalogs'], Map<ServerId, ReadonlySet<string>>>();

/** Names of tools that only other servers have; a text that speaks of one may be after it. */
export function otherToolNames({ catalogs }: State, server: ServerId): ReadonlySet<string> {
  const perServer = known.get(catalogs) ?? new Map<ServerId, ReadonlySet<string>>();
  known.set(catalogs, perServer);
  const before = perServer.get(server);
  if (before !== undefined) return before;
  const tools = Object.values(catalogs).flatMap((catalog) =>
    entriesOf(catalog).flatMap(([ref, entry]) => {
      const { kind, ...rest } = parseRef(ref);
      return kind === 'tool' && entry.state === 'present' ? [rest] : [];
    }),
  );
  const own = new Set(tools.filter((tool) => tool.server === server).map(({ originKey }) => originKey));
  const others = tools.filter((tool) => tool.server !== server && !own.has(tool.originKey));
  const names = new Set(
    others.map(({ originKey }) => originKey).filter((name) => name.length >= MIN_LENGTH && TELLING.test(name)),
  );
  const same = sameAsLast(server, names);
  perServer.set(server, same);
  return same;
}

function sameAsLast(server: ServerId, names: ReadonlySet<string>): ReadonlySet<string> {
  const earlier = last.get(server);
  if (earlier?.size === names.size && [...names].every((name) => earlier.has(name))) return earlier;
  last.set(server, names);
  return names;
}
