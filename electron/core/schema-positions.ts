import { byCodeUnits, isObject } from './canonical.ts';
import type { Json, JsonObject } from './model.ts';

/** Where JSON Schema keywords hold schemas. Everything else (`default`, `const`, `enum`, unknown words) is data. */
const SCHEMA_KEYWORDS = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const SCHEMA_LIST_KEYWORDS = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);
const SCHEMA_MAP_KEYWORDS = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Maps the schemas directly below a schema object; data is handed through untouched. */
export function mapSubschemas(schema: JsonObject, map: (child: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, Json] => {
      if (Array.isArray(value)) {
        const list = value as readonly Json[]; // Array.isArray widens a Json array to any[]
        return [keyword, SCHEMA_LIST_KEYWORDS.has(keyword) ? list.map(map) : list];
      }
      if (isObject(value) && SCHEMA_MAP_KEYWORDS.has(keyword))
        // `dependencies` may hold lists of names: those are data.
        return [keyword, Object.fromEntries(Object.entries(value).map(([k, v]) => [k, Array.isArray(v) ? v : map(v)]))];
      return [keyword, SCHEMA_KEYWORDS.has(keyword) ? map(value) : value];
    }),
  );
}

/** The schemas directly below a schema object: keywords by code units, then names by code units or list order. */
function subschemas(schema: JsonObject): Json[] {
  return sortedEntries(schema).flatMap(([keyword, value]): Json[] => {
    if (Array.isArray(value)) return SCHEMA_LIST_KEYWORDS.has(keyword) ? [...(value as readonly Json[])] : []; // any[]
    if (isObject(value) && SCHEMA_MAP_KEYWORDS.has(keyword))
      return sortedEntries(value).flatMap(([, child]) => (Array.isArray(child) ? [] : [child]));
    return SCHEMA_KEYWORDS.has(keyword) ? [value] : [];
  });
}

/** Objects put keys that look like numbers first, so their own order is of no use. */
function sortedEntries(object: JsonObject): [string, Json][] {
  return Object.entries(object).sort(([a], [b]) => byCodeUnits(a, b));
}

/** Visits a schema and everything below it at schema positions, parents first, in the order of {@link subschemas}. */
export function visitSchemas(schema: Json, visit: (node: JsonObject) => void): void {
  if (!isObject(schema)) return;
  visit(schema);
  for (const child of subschemas(schema)) visitSchemas(child, visit);
}

/** Does any schema among these, or below them at schema positions, pass the test? */
export function someSchema(schemas: readonly Json[], test: (node: JsonObject) => boolean): boolean {
  return schemas.some((schema) => isObject(schema) && (test(schema) || someSchema(subschemas(schema), test)));
}

/** The schema a local reference points at; `undefined` where that is no schema position. */
export function resolvePointer(root: Json, pointer: string): Json | undefined {
  if (pointer === '#') return root;
  if (!pointer.startsWith('#/')) return undefined;
  const tokens = pointer.slice(2).split('/').map(decodeToken);
  let node: Json = root;
  for (let at = 0; at < tokens.length; at += 1) {
    const keyword = tokens[at] ?? '';
    const value: Json | undefined = isObject(node) && Object.hasOwn(node, keyword) ? node[keyword] : undefined;
    if (value === undefined) return undefined;
    if (Array.isArray(value) || SCHEMA_MAP_KEYWORDS.has(keyword)) {
      const holds = Array.isArray(value) ? SCHEMA_LIST_KEYWORDS.has(keyword) : isObject(value);
      at += 1;
      const child = holds ? childOf(value, tokens[at]) : undefined;
      if (child === undefined) return undefined;
      node = child;
    } else if (SCHEMA_KEYWORDS.has(keyword)) node = value;
    else return undefined;
  }
  return isSchema(node) ? node : undefined;
}

/** One spelling for each target: the same schema is one definition, however its references are written. */
export function plainPointer(pointer: string): string {
  if (!pointer.startsWith('#/')) return pointer;
  const tokens = pointer.slice(2).split('/').map(decodeToken);
  return `#/${tokens.map((token) => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}

function childOf(value: Json, token: string | undefined): Json | undefined {
  if (token === undefined) return undefined;
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? (value as readonly Json[])[Number(token)] : undefined;
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

function isSchema(value: Json): boolean {
  return typeof value === 'boolean' || isObject(value);
}

function decodeToken(token: string): string {
  let plain = token;
  try {
    plain = decodeURIComponent(token);
  } catch {
    // Not percent-encoded: the token is taken as written.
  }
  return plain.replaceAll('~1', '/').replaceAll('~0', '~');
}
