import { isObject } from '../canonical.ts';
import { HINTS } from '../hints.ts';
import type { Fact, Json, JsonObject, Kind, Severity } from '../model.ts';
import { areSame, listOf, mapOf, pointerStep } from './assertions.ts';

interface Row {
  readonly field: string;
  readonly class: string;
  readonly severity: Severity;
}

const WORDS: readonly Row[] = [
  { field: 'title', class: 'title', severity: 'review' },
  { field: 'description', class: 'description', severity: 'review' },
];
/** Fields of each kind that change by themselves; the rest is compared elsewhere, or unknown. */
const FIELDS: Readonly<Record<Kind, readonly Row[]>> = {
  tool: WORDS,
  prompt: WORDS,
  resource: [
    ...WORDS,
    { field: 'name', class: 'title', severity: 'review' },
    { field: 'mimeType', class: 'mimeType', severity: 'breaking' },
  ],
  resourceTemplate: [
    ...WORDS,
    { field: 'name', class: 'title', severity: 'review' },
    { field: 'mimeType', class: 'mimeType', severity: 'breaking' },
  ],
  instructions: [{ field: 'instructions', class: 'instructions', severity: 'review' }],
};
const ELSEWHERE: Readonly<Record<Kind, readonly string[]>> = {
  tool: ['name', 'inputSchema', 'outputSchema', 'execution'],
  prompt: ['name', 'arguments'],
  resource: ['uri', 'size'],
  resourceTemplate: ['uriTemplate'],
  instructions: [],
};
/** Facts about the fields of a definition by themselves: its words, its MIME type, and fields that nobody knows. */
export function fieldFacts(kind: Kind, before: JsonObject, after: JsonObject): Fact[] {
  const [old, now] = [withPlainTitle(kind, before), withPlainTitle(kind, after)];
  const rows = new Map(FIELDS[kind].map((row) => [row.field, row]));
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return fields.flatMap((field): Fact[] => {
    if (ELSEWHERE[kind].includes(field) || areSame(old[field], now[field])) return [];
    const row = rows.get(field);
    return [fact(row?.class ?? `field.${field}`, field, [old[field], now[field]], row?.severity ?? 'review')];
  });
}

function fact(
  name: string,
  field: string,
  [before, after]: [Json | undefined, Json | undefined],
  severity: Severity,
): Fact {
  const what = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  const sides = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  return {
    class: `${name}.${what}`,
    path: `/definition/${pointerStep(field)}`,
    ...sides,
    severity,
  };
}

/** A title may stand in the annotations of a tool; hints are compared elsewhere, and what is left has no known meaning. */
function withPlainTitle(kind: Kind, definition: JsonObject): JsonObject {
  const { annotations, ...rest } = definition;
  if (!isObject(annotations)) return definition;
  const isTool = kind === 'tool';
  const { title } = annotations;
  const isTitle = isTool && typeof title === 'string' && (rest['title'] === undefined || rest['title'] === title);
  const known: readonly string[] = isTool ? [...HINTS, ...(isTitle ? ['title'] : [])] : ['lastModified'];
  const others = Object.fromEntries(Object.entries(annotations).filter(([key]) => !known.includes(key)));
  return {
    ...rest,
    ...(isTitle && { title }),
    ...(Object.keys(others).length > 0 && { annotations: others }),
  };
}

/** Arguments of a prompt are inputs, by name. */
export function argumentFacts(before: JsonObject, after: JsonObject): Fact[] {
  const [old, now] = [argumentsOf(before), argumentsOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  const facts = names.flatMap((name) => argumentFact(name, old.get(name), now.get(name)));
  const path = '/definition/arguments';
  if (facts.length > 0 || areSame(before['arguments'] ?? null, after['arguments'] ?? null)) return facts;
  // In another order they may be shown in another order.
  if (!areSame([...plainArguments(before)], [...plainArguments(after)])) return [];
  return [{ class: 'arg.spelling', path, severity: 'compatible' }];
}

function argumentFact(name: string, was: JsonObject | undefined, is: JsonObject | undefined): Fact[] {
  const path = `/definition/arguments/${pointerStep(name)}`;
  const isRequired = (argument: JsonObject | undefined): boolean => argument?.['required'] === true;
  if (was === undefined) {
    const kind = isRequired(is) ? 'required' : 'optional';
    return [{ class: `arg.added.${kind}`, path, severity: isRequired(is) ? 'breaking' : 'compatible' }];
  }
  if (is === undefined) return [{ class: 'arg.removed', path, severity: 'breaking' }];
  const facts: Fact[] = [];
  if (isRequired(was) !== isRequired(is))
    facts.push({
      class: isRequired(is) ? 'arg.required.added' : 'arg.required.dropped',
      path,
      severity: isRequired(is) ? 'breaking' : 'compatible',
    });
  const words = (argument: JsonObject): JsonObject => ({ ...argument, required: null });
  if (!areSame(words(was), words(is))) facts.push({ class: 'arg.description', path, severity: 'review' });
  return facts;
}

/** An argument that need not be given says so, or nothing. */
function plainArguments(prompt: JsonObject): readonly Json[] {
  return listOf(prompt['arguments']).map((argument) => {
    const { required, ...rest } = mapOf(argument);
    return isObject(argument)
      ? { ...rest, ...(required !== false && required !== undefined && { required }) }
      : argument;
  });
}

function argumentsOf(prompt: JsonObject): Map<string, JsonObject> {
  const named = listOf(prompt['arguments']).flatMap((argument): [string, JsonObject][] => {
    const own = mapOf(argument);
    return typeof own['name'] === 'string' ? [[own['name'], own]] : [];
  });
  return new Map(named);
}
