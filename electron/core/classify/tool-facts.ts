import { isObject } from '../canonical.ts';
import type { Fact, Json, JsonObject } from '../model.ts';
import { wordsOf } from './dangerous.ts';
import { mapOf } from './assertions.ts';

/** Verbs of tools that run other things by name. */
const RUNS = new Set(['execute', 'exec', 'call', 'run', 'invoke', 'dispatch']);
const WHAT = new Set([
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
]);
/** Inputs that hold whatever the thing that is run takes. */
const FREE_INPUTS = new Set([
  'arguments',
  'args',
  'params',
  'parameters',
  'input',
  'inputs',
  'payload',
  'body',
  'data',
]);
const NAMING_INPUTS = new Set([
  'tool',
  'toolname',
  'function',
  'functionname',
  'method',
  'action',
  'operation',
  'command',
]);

/** A tool that runs other tools by name, whatever they may do: approving it approves all of them (README, "Severity"). */
export function isDispatcher(tool: JsonObject): boolean {
  const name = typeof tool['name'] === 'string' ? tool['name'] : '';
  const words = wordsOf(name);
  const schema = isObject(tool['inputSchema']) ? tool['inputSchema'] : {};
  const inputs = Object.entries(mapOf(schema['properties']));
  const isFree = inputs.some(([input, own]) => FREE_INPUTS.has(input.toLowerCase()) && isFreeForm(own));
  const isNaming = inputs.some(([input]) => NAMING_INPUTS.has(wordsOf(input).join('')));
  const runs = words.some((word) => RUNS.has(word));
  return (isFree && (isNaming || runs)) || (runs && words.some((word) => WHAT.has(word)) && isNaming);
}

/** An object without declared properties, or anything at all. */
function isFreeForm(schema: Json): boolean {
  if (schema === true) return true;
  if (!isObject(schema)) return false;
  const hasNames = Object.keys(mapOf(schema['properties'])).length > 0;
  const type = schema['type'];
  const mayBeObject = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  const isUnion = ['anyOf', 'oneOf', 'enum', 'const', '$ref'].some((keyword) => keyword in schema);
  return mayBeObject && !hasNames && !isUnion && schema['additionalProperties'] !== false;
}

/** How a tool is carried out: as a task, and whatever later versions add. */
export function executionFacts(before: JsonObject, after: JsonObject): Fact[] {
  const [old, now] = [effective(before['execution']), effective(after['execution'])];
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  return [{ class: 'execution', path: '/definition/execution', before: old, after: now, severity: 'security' }];
}

/** Forbidding tasks is the default. */
function effective(execution: Json | undefined): JsonObject {
  if (!isObject(execution)) return {};
  const entries = Object.entries(execution).filter(([key, value]) => !(key === 'taskSupport' && value === 'forbidden'));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
