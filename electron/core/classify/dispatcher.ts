import { isObject } from '../canonical.ts';
import type { Json, JsonObject } from '../model.ts';
import { resolvePointer } from '../schema-positions.ts';
import { listOf, mapOf } from './assertions.ts';
import { wordsOf } from './dangerous.ts';

/** Verbs of tools that run other things by name. */
const RUNS = new Set(['execute', 'exec', 'call', 'run', 'invoke', 'dispatch', 'use']);
const WHAT = new Set([
  ...[
    'tool',
    'tools',
    'function',
    'functions',
    'command',
    'commands',
    'action',
    'operation',
    'code',
    'method',
    'script',
  ],
]);
/** Inputs that hold whatever the thing that is run takes. */
const FREE = /^(?:(?:tool|action|function)?(?:arguments|args|params|parameters|inputs?|payload)|body|data)$/;
/** A text can hold all of it, too. */
const FREE_TEXT = /^(?:(?:tool|action|function)?(?:arguments|args|params|parameters|input))$/;
/** Inputs that name another tool, whatever else the tool says of itself. */
const NAMES_TOOL = /^(?:tool|function)(?:name|id|slug)?$|^action(?:id|slug|name)$/;
/** Inputs that may: unless only a few are allowed, or they say how an address is asked. */
const MAY_NAME = new Set(['method', 'action', 'operation', 'command']);
/** What a tool that runs things is told. */
const NAMES_THING = new Set(['name', 'id', 'slug']);
/** Things that are run, where the tool is called after them. */
const THINGS = new Set([
  'tool',
  'actor',
  'action',
  'agent',
  'api',
  'function',
  'plugin',
  'script',
  'skill',
  'workflow',
]);
/** Words that do not say which thing is run. */
const ANY_THING = new Set(['any', 'anything', 'it', 'the', 'this', 'that']);
const ADDRESSES = new Set(['url', 'uri', 'endpoint', 'path', 'href']);
const SAYS_SO =
  /\b(?:execut|run|call|invok|dispatch)\w{0,3}\b[^.\n]{0,30}\b(?:any|arbitrary|another|other)\b[^.\n]{0,20}\btools?\b|\b(?:execut|run|call|invok|dispatch)\w{0,3}\b[^.\n]{0,30}\btools? by (?:its |their )?(?:name|id|slug)/i;

interface Inputs {
  readonly names: readonly string[];
  readonly schemaOf: (name: string) => Json;
}

/** A tool that runs other tools by name, whatever they may do: approving it approves all of them (README, "Severity"). */
export function isDispatcher(tool: JsonObject): boolean {
  const root = tool['inputSchema'] ?? true;
  const words = wordsOf(typeof tool['name'] === 'string' ? tool['name'] : '');
  const inputs = inputsOf(root, root);
  const runs = words.some((word) => RUNS.has(word));
  const isNamed = runs && words.some((word) => WHAT.has(word));
  if (isNamed && inputs.names.some((name) => doesName(name, inputs))) return true;
  const says = typeof tool['description'] === 'string' && SAYS_SO.test(tool['description']);
  const isOwn = (name: string): boolean => NAMES_THING.has(joined(name)) || (THINGS.has(name) && words.includes(name));
  const isThing = inputs.names.some((name) => isOwn(name) && isText(inputs.schemaOf(name)));
  // Its name says that it runs something, but not what: what it takes says that.
  const isOpen = runs && words.every((word) => RUNS.has(word) || WHAT.has(word) || ANY_THING.has(word));
  return (
    (isOpen && inputs.names.some((name) => isFree(name, inputs, root))) ||
    takesAnything(inputs, root, (runs || says) && isThing) ||
    inBatches(inputs, root)
  );
}

/** It names something, and takes whatever that needs. */
function takesAnything(inputs: Inputs, root: Json, namesThing: boolean): boolean {
  const isSure = namesThing || inputs.names.some((name) => NAMES_TOOL.test(joined(name)));
  const namesSome = isSure || inputs.names.some((name) => doesName(name, inputs));
  return inputs.names.some((name) => {
    if (namesSome && isFree(name, inputs, root)) return true;
    return isSure && FREE_TEXT.test(joined(name)) && isText(inputs.schemaOf(name));
  });
}

function isFree(name: string, { schemaOf }: Inputs, root: Json): boolean {
  return FREE.test(joined(name)) && isFreeForm(schemaOf(name), root);
}

/** A list of calls. */
function inBatches(inputs: Inputs, root: Json): boolean {
  return inputs.names.some((name) => {
    const own = inputs.schemaOf(name);
    return isObject(own) && own['items'] !== undefined && takesAnything(inputsOf(own['items'], root), root, false);
  });
}

function doesName(name: string, { names, schemaOf }: Inputs): boolean {
  if (NAMES_TOOL.test(joined(name))) return true;
  const own = schemaOf(name);
  const isOpen = !isObject(own) || !('enum' in own || 'const' in own);
  const hasAddress = names.some((each) => ADDRESSES.has(each.toLowerCase()));
  return MAY_NAME.has(joined(name)) && isOpen && !(joined(name) === 'method' && hasAddress);
}

function joined(name: string): string {
  return wordsOf(name).join('');
}

function inputsOf(schema: Json, root: Json): Inputs {
  const own = mapOf(mapOf(resolved(schema, root))['properties']);
  return { names: Object.keys(own), schemaOf: (name) => resolved(own[name] ?? true, root) };
}

/** One step is enough: a definition that only leads on says nothing. */
function resolved(schema: Json, root: Json): Json {
  const ref = isObject(schema) ? schema['$ref'] : undefined;
  return typeof ref === 'string' ? (resolvePointer(root, ref) ?? schema) : schema;
}

function isText(schema: Json): boolean {
  const type = isObject(schema) ? schema['type'] : undefined;
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}

/** An object without declared properties, or anything at all; in one part of a union is enough. */
function isFreeForm(schema: Json, root: Json, depth = 0): boolean {
  if (schema === true) return true;
  if (!isObject(schema) || depth > 4) return false;
  const unions = ['anyOf', 'oneOf'].filter((keyword) => keyword in schema);
  const parts = unions.flatMap((keyword) => listOf(schema[keyword]));
  if (unions.length > 0) return parts.some((part) => isFreeForm(resolved(part, root), root, depth + 1));
  const hasNames = Object.keys(mapOf(schema['properties'])).length > 0;
  const type = schema['type'];
  const mayBeObject = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  const isFixed = ['enum', 'const', '$ref'].some((keyword) => keyword in schema);
  return mayBeObject && !hasNames && !isFixed && schema['additionalProperties'] !== false;
}
