import { canonicalText, isObject } from '../canonical.ts';
import {
  SEVERITIES,
  type Change,
  type Fact,
  type Json,
  type JsonObject,
  type Severity,
  type StoredDefinition,
} from '../model.ts';
import { normalForm } from '../normal-form.ts';
import { changeSentences } from '../sentences.ts';
import { listOf } from './assertions.ts';
import { isDispatcher } from './dispatcher.ts';
import { argumentFacts, fieldFacts } from './field-facts.ts';
import { hintFacts } from './hint-facts.ts';
import { schemaFacts } from './schema-facts.ts';
import { textFacts } from './text-facts.ts';
import { executionFacts } from './tool-facts.ts';
import { uriFacts } from './uri-facts.ts';

/** The higher one counts. */
export function highest(severities: readonly Severity[]): Severity {
  return severities.reduce((a, b) => (SEVERITIES.indexOf(b) > SEVERITIES.indexOf(a) ? b : a), 'none');
}

/** What a change is compared with besides the two definitions. */
export interface Surroundings {
  /** Names of tools of other servers: a text that speaks of them may be after them. */
  readonly otherNames: ReadonlySet<string>;
}
const NOTHING_ELSE: Surroundings = { otherNames: new Set() };

/**
 * Compares two definitions of one ref (README, "Severity"): facts with their severities, of which the highest counts.
 * With one side only, the capability was added or removed.
 */
export function classify(
  before: StoredDefinition | null,
  after: StoredDefinition | null,
  surroundings: Surroundings = NOTHING_ELSE,
): Change {
  const shown = after ?? before;
  if (shown === null) throw new TypeError('a change has at least one side');
  const change = before === null ? 'added' : after === null ? 'removed' : 'changed';
  const facts = factsOf(before, after, surroundings);
  const least: Severity = change === 'added' ? 'compatible' : change === 'removed' ? 'breaking' : 'none';
  const severity = highest([least, ...facts.map((fact) => fact.severity)]);
  return {
    kind: shown.kind,
    originKey: shown.originKey,
    change,
    severity,
    facts,
    sentences: changeSentences(change, shown, facts),
  };
}

/**
 * True where its text is after the model, or hides something (of something new nothing else counts), or its address is code
 * or contents itself: exposing a whole server leaves it out (README, "Selecting").
 */
export function hasDangerousText(shown: StoredDefinition, surroundings?: Surroundings): boolean {
  const { facts } = classify(null, shown, surroundings);
  return facts.some((fact) => fact.class.startsWith('text.') || fact.class === 'uri.code');
}

function factsOf(before: StoredDefinition | null, after: StoredDefinition | null, surroundings: Surroundings): Fact[] {
  if (after === null) return [];
  const empty: StoredDefinition = { ...after, definition: {} };
  const texts = textsOf(before ?? empty, after, surroundings);
  // Of something new, only what is dangerous counts: there is no older text that it could differ from.
  if (before === null)
    return [
      ...texts.filter(({ severity }) => severity === 'security'),
      ...uriFacts(null, after),
      ...dispatcherFacts({}, after),
    ];
  const facts = [...launchFacts(before, after), ...definitionFacts(before, after), ...texts];
  if (facts.length > 0 || hasSameForm(before, after)) return facts;
  // Something effective changed that no rule speaks of.
  return [{ class: 'definition', path: '/definition', severity: 'review' }];
}

function hasSameForm(before: StoredDefinition, after: StoredDefinition): boolean {
  const form = ({ kind, definition }: StoredDefinition): string => canonicalText(normalForm(kind, definition));
  return form(before) === form(after);
}

function launchFacts(before: StoredDefinition, after: StoredDefinition): Fact[] {
  if (before.route === after.route) return [];
  return [{ class: 'launch', path: '/route', before: before.route, after: after.route, severity: 'security' }];
}

function definitionFacts({ definition: before }: StoredDefinition, after: StoredDefinition): Fact[] {
  const { kind, definition } = after;
  const fields = fieldFacts(kind, before, definition);
  if (kind === 'prompt') return [...fields, ...argumentFacts(before, definition)];
  if (kind !== 'tool') return [...fields, ...uriFacts(before, after)];
  return [
    ...fields,
    ...hintFacts(before, definition),
    ...executionFacts(before, definition),
    ...schemaFacts(before['inputSchema'], definition['inputSchema'], 'in'),
    ...schemaFacts(before['outputSchema'], definition['outputSchema'], 'out'),
    ...dispatcherFacts(before, after),
  ];
}

function dispatcherFacts(before: JsonObject, { kind, definition }: StoredDefinition): Fact[] {
  if (kind !== 'tool' || !isDispatcher(definition) || isDispatcher({ ...before, name: definition['name'] ?? '' }))
    return [];
  return [{ class: 'dispatcher', path: '/definition', severity: 'security' }];
}

/** All that a definition says to the model, wherever in it; its own name is none of other servers' names. */
function textsOf(before: StoredDefinition, after: StoredDefinition, { otherNames }: Surroundings): Fact[] {
  const path = '/definition';
  const inside = textFacts(path, said(before.definition), said(after.definition), otherNames);
  const found = new Set(inside.map((fact) => fact.class));
  const ofName = textFacts(`${path}/name`, nameOf(before), nameOf(after), NOTHING_ELSE.otherNames);
  return [...inside, ...ofName.filter((fact) => !found.has(fact.class))];
}

function nameOf({ definition }: StoredDefinition): string {
  return typeof definition['name'] === 'string' ? definition['name'] : '';
}

/** Addresses of schemas are no text, as long as they look like some. */
const ADDRESSES = new Set(['$schema', '$ref', '$id']);
const ADDRESS = /^[\x21-\x7e]*$/;

function said(definition: JsonObject): string {
  const texts: string[] = [];
  const walk = (value: Json): void => {
    if (typeof value === 'string') texts.push(value);
    else if (isObject(value))
      for (const [key, child] of Object.entries(value)) {
        // Names are read, too.
        texts.push(key);
        const isAddress = ADDRESSES.has(key) && typeof child === 'string' && ADDRESS.test(child);
        if (!isAddress) walk(child);
      }
    else listOf(value).forEach(walk);
  };
  const { name: _, ...rest } = definition;
  walk(rest);
  return texts.join('\n\n');
}
