import { isObject } from '../canonical.ts';
import type { Json, JsonObject } from '../model.ts';
import { listOf, mapOf } from './assertions.ts';
import { isSubset, type Budget } from './schema-subset.ts';

/** `in`: what callers may send. `out`: what callers may get. */
export type Direction = 'in' | 'out';

/** Where a comparison stands. */
export interface Place {
  readonly direction: Direction;
  /** JSON pointer into the effective record. */
  readonly path: string;
  readonly beforeRoot: Json;
  readonly afterRoot: Json;
  /** Places of names that nothing declared before. */
  readonly newPaths: ReadonlySet<string>;
  readonly budget: Budget;
}

/** True where it is proven that callers are served as before: what they sent is taken, what they got is what they get. */
export function isHarmless(before: Json, after: Json, direction: Direction, budget: Budget): boolean {
  return direction === 'in' ? isSubset(before, after, budget) : isSubset(openedUp(after), openedUp(before), budget);
}

const opened = new WeakMap<JsonObject, JsonObject>();

/** Fields that were not announced are no harm to who reads an answer. */
function openedUp(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const open = opened.get(schema) ?? withoutClosing(schema);
  opened.set(schema, open);
  return open;
}

function withoutClosing(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json][] => {
    if (keyword === 'additionalProperties' && value === false && isObject(schema['properties'])) return [];
    if (['properties', '$defs', 'patternProperties'].includes(keyword))
      return [
        [keyword, Object.fromEntries(Object.entries(mapOf(value)).map(([name, child]) => [name, openedUp(child)]))],
      ];
    if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return [[keyword, listOf(value).map(openedUp)]];
    return [[keyword, keyword === 'items' && !Array.isArray(value) ? openedUp(value) : value]];
  });
  return Object.fromEntries(entries.flat());
}
