import { isObject } from './canonical.ts';
import { DEFAULT_HINTS, effectiveHints, HINTS } from './hints.ts';
import type { Json, JsonObject, Kind } from './model.ts';
import { schemaNormalForm } from './schema-form.ts';

/**
 * A definition without what has no effect, for hashing only (README, "Normal form"). Every rule there is named by its
 * number here. Never served, never shown.
 */
export function normalForm(kind: Kind, definition: JsonObject): JsonObject {
  if (kind === 'tool') return toolForm(definition);
  if (kind === 'resource') return resourceForm(definition);
  return definition;
}

function toolForm(tool: JsonObject): JsonObject {
  const entries = Object.entries(moveTitle(tool)).flatMap(([key, value]): [string, Json][] => {
    if (key === 'inputSchema' || key === 'outputSchema') return [[key, schemaNormalForm(value)]];
    if (key === 'annotations') return keepUnlessEmpty(key, value, hintForm);
    if (key === 'execution') return keepUnlessEmpty(key, value, executionForm);
    return [[key, value]];
  });
  return Object.fromEntries(entries);
}

/** Rule 7: a title in `annotations.title` is the tool's title; where both say the same, one is enough. */
function moveTitle(tool: JsonObject): JsonObject {
  const annotations = tool['annotations'];
  if (!isObject(annotations)) return tool;
  const inner = annotations['title'];
  const outer = tool['title'];
  if (typeof inner !== 'string' || (outer !== undefined && outer !== inner)) return tool;
  return fromEntries([
    ...Object.entries(tool), // of two entries with one key the last counts
    ['title', inner],
    ['annotations', without(annotations, ['title'])],
  ]);
}

/** Rule 5: hints at their effective default say nothing. */
function hintForm(annotations: JsonObject): JsonObject {
  const effective = effectiveHints(annotations);
  const idle = HINTS.filter((hint) => {
    const value = annotations[hint];
    if (typeof value !== 'boolean') return false;
    if (effective.readOnlyHint && hint === 'idempotentHint') return true;
    const fallback = hint === 'destructiveHint' ? !effective.readOnlyHint : DEFAULT_HINTS[hint];
    return value === fallback;
  });
  return without(annotations, idle);
}

/** Rule 6: forbidding tasks is the default. */
function executionForm(execution: JsonObject): JsonObject {
  return execution['taskSupport'] === 'forbidden' ? without(execution, ['taskSupport']) : execution;
}

/** Rule 10: how large a resource is, and when it was last written, is news about its contents. */
function resourceForm(resource: JsonObject): JsonObject {
  const entries = Object.entries(resource).flatMap(([key, value]): [string, Json][] => {
    if (key === 'size') return [];
    if (key === 'annotations') return keepUnlessEmpty(key, value, (a) => without(a, ['lastModified']));
    return [[key, value]];
  });
  return fromEntries(entries);
}

/** An object that a rule emptied is the same as none; one that is no object is kept as it is. */
function keepUnlessEmpty(key: string, value: Json, form: (object: JsonObject) => JsonObject): [string, Json][] {
  if (!isObject(value)) return [[key, value]];
  const result = form(value);
  return Object.keys(result).length === 0 ? [] : [[key, result]];
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** `Object.fromEntries` makes own properties of any name, `__proto__` included; a spread of literals would not. */
function fromEntries(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}
