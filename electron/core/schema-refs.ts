import { BOUNDS } from './bounds.ts';
import { isObject } from './canonical.ts';
import type { Json, JsonObject } from './model.ts';
import { mapSubschemas, plainPointer, resolvePointer, someSchema, visitSchemas } from './schema-positions.ts';

/** Words that move the base of references: with any of them, references are left as they are written. */
const BASE_KEYWORDS = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef'];

interface References {
  readonly root: Json;
  /** Pointer as written in the kept references -> the definition's body, inlined. */
  readonly definitions: ReadonlyMap<string, Json>;
}
interface Target {
  readonly body: Json;
  readonly refs: readonly string[];
  /** Values and characters in the body: what one more copy of it costs. */
  readonly size: number;
}
type Targets = ReadonlyMap<string, Target>;

/**
 * Rule 4, first half: unused definitions are dropped, local references resolved. Recursive ones, those with
 * words beside them, and all of them over the budget stay references.
 */
export function inlineReferences(schema: JsonObject): References {
  const targets = collectTargets(schema);
  if (targets === undefined) return { root: schema, definitions: new Map() };
  const isSmall = targets.size <= BOUNDS.inlinedDefinitions.value;
  const plain = new Set(isSmall ? [...targets.keys()].filter((pointer) => !reachesItself(pointer, targets)) : []);
  const hasUnevaluated = [schema, ...[...targets.values()].map(({ body }) => body)].some(usesUnevaluated);
  const mayInline = (pointer: string, bare: JsonObject): boolean => plain.has(pointer) && isAlone(bare, hasUnevaluated);
  const { isWithin, ...inlined } = expand(schema, targets, mayInline, BOUNDS.inlinedSchemas.value);
  return isWithin ? inlined : expand(schema, targets, () => false, Infinity);
}

/** Every pointer in reach of the root with its target; `undefined` where the rule cannot be applied safely. */
function collectTargets(schema: JsonObject): Targets | undefined {
  if (someSchema([schema], (node) => BASE_KEYWORDS.some((keyword) => keyword in node))) return undefined;
  const targets = new Map<string, Target>();
  const sizeOf = sizes();
  const ofRoot = localRefs(schema);
  let { walked } = ofRoot;
  let size = 0;
  const queue = [...ofRoot.refs];
  for (let pointer = queue.pop(); pointer !== undefined; pointer = queue.pop()) {
    if (targets.has(pointer)) continue;
    const body = resolvePointer(schema, pointer);
    if (body === undefined || targets.size >= BOUNDS.referenceTargets.value) return undefined;
    size += sizeOf(body);
    if (size > BOUNDS.referencedLength.value) return undefined;
    const { refs, walked: more } = localRefs(body);
    walked += more;
    if (walked > BOUNDS.referencedSchemas.value) return undefined;
    targets.set(pointer, { body, refs, size: sizeOf(body) });
    queue.push(...refs);
  }
  return targets;
}

/** Values and characters of text in a value, keys included. Targets may lie within one another; each is measured once. */
function sizes(): (value: Json) => number {
  const known = new WeakMap<object, number>();
  const sizeOf = (value: Json): number => {
    if (typeof value === 'string') return 1 + value.length;
    if (typeof value !== 'object' || value === null) return 1;
    const before = known.get(value);
    if (before !== undefined) return before;
    const size = Object.entries(value).reduce(
      (sum, [key, child]) => sum + (Array.isArray(value) ? 0 : key.length) + sizeOf(child),
      1,
    );
    known.set(value, size);
    return size;
  };
  return sizeOf;
}

/** Local references of a schema, not counting those inside definitions that it only carries along. */
function localRefs(schema: Json): { readonly refs: readonly string[]; readonly walked: number } {
  const refs: string[] = [];
  let walked = 0;
  const walk = (node: Json): Json => {
    walked += 1;
    if (!isObject(node)) return node;
    if (isLocalRef(node['$ref'])) refs.push(plainPointer(node['$ref']));
    return mapSubschemas(dropDefinitions(node), walk);
  };
  walk(schema);
  return { refs, walked };
}

function isLocalRef(ref: Json | undefined): ref is string {
  return typeof ref === 'string' && ref.startsWith('#');
}

/** What rule 8 drops does not stand beside a reference. */
function isAlone(bare: JsonObject, hasUnevaluated: boolean): boolean {
  return Object.entries(bare).every(
    ([key, value]) => key === '$ref' || (key === 'additionalProperties' && !hasUnevaluated && isOpen(value)),
  );
}

function isOpen(value: Json): boolean {
  if (!isObject(value)) return value === true;
  return Object.entries(dropDefinitions(value)).every(
    ([key, inner]) => key === 'additionalProperties' && isOpen(inner),
  );
}

/** Not counting definitions that it only carries along. */
function usesUnevaluated(schema: Json): boolean {
  let found = false;
  const walk = (node: Json): Json => {
    if (!isObject(node)) return node;
    if (Object.keys(node).some((key) => key.startsWith('unevaluated'))) found = true;
    return mapSubschemas(dropDefinitions(node), walk);
  };
  walk(schema);
  return found;
}

function reachesItself(start: string, targets: Targets): boolean {
  const seen = new Set<string>();
  const queue = [start];
  for (let pointer = queue.pop(); pointer !== undefined; pointer = queue.pop())
    for (const next of targets.get(pointer)?.refs ?? []) {
      if (next === start) return true;
      if (!seen.has(next)) queue.push(next);
      seen.add(next);
    }
  return false;
}

/** Inlines what may be inlined; of no use where that grows beyond the budget. */
function expand(
  schema: JsonObject,
  targets: Targets,
  mayInline: (pointer: string, bare: JsonObject) => boolean,
  budget: number,
): References & { readonly isWithin: boolean } {
  let left = budget;
  let room: number = BOUNDS.inlinedLength.value;
  const kept = new Set<string>();
  const walk = (node: Json): Json => {
    if (--left < 0 || room < 0 || !isObject(node)) return node;
    const bare = dropDefinitions(node);
    if (isLocalRef(bare['$ref'])) {
      const ref = plainPointer(bare['$ref']);
      if (mayInline(ref, bare)) {
        left += 1; // what stands there counts, not the reference to it
        room -= targets.get(ref)?.size ?? 0;
        return walk(bodyOf(ref, targets));
      }
      kept.add(ref);
    }
    return mapSubschemas(bare, walk);
  };
  const root = walk(schema);
  const definitions = new Map<string, Json>();
  // The set grows while it is iterated: definitions may keep further references. `#` is the root itself.
  for (const pointer of kept) if (pointer !== '#') definitions.set(pointer, walk(bodyOf(pointer, targets)));
  return { root, definitions, isWithin: left >= 0 && room >= 0 };
}

function bodyOf(pointer: string, targets: Targets): Json {
  return targets.get(pointer)?.body ?? true; // every pointer in reach has been collected
}

function dropDefinitions(node: JsonObject): JsonObject {
  if (!('$defs' in node || 'definitions' in node)) return node;
  return Object.fromEntries(Object.entries(node).filter(([key]) => key !== '$defs' && key !== 'definitions'));
}

/**
 * Rule 4, second half: kept definitions are numbered in the order in which a walk over the finished schema meets them
 * (see `subschemas`; definitions after the root, in their order), so that their own names say nothing.
 */
export function renameDefinitions(root: Json, definitions: ReadonlyMap<string, Json>): Json {
  if (definitions.size === 0 || !isObject(root)) return root;
  const names = new Map<string, string>();
  const meet = (schema: Json): void => {
    visitSchemas(schema, ({ $ref }) => {
      if (!isLocalRef($ref)) return;
      const ref = plainPointer($ref);
      if (definitions.has(ref) && !names.has(ref)) names.set(ref, String(names.size + 1));
    });
  };
  meet(root);
  for (const pointer of names.keys()) meet(definitions.get(pointer) ?? true);
  const rename = (node: Json): Json => {
    if (!isObject(node)) return node;
    const name = isLocalRef(node['$ref']) ? names.get(plainPointer(node['$ref'])) : undefined;
    return mapSubschemas(name === undefined ? node : { ...node, $ref: `#/$defs/${name}` }, rename);
  };
  const bodies = [...names].map(([pointer, name]): [string, Json] => [name, rename(definitions.get(pointer) ?? true)]);
  const renamed = rename(root);
  return isObject(renamed) ? { ...renamed, $defs: Object.fromEntries(bodies) } : renamed;
}
