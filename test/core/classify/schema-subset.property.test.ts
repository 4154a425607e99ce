import Ajv from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaFacts } from '../../../electron/core/classify/schema-facts.ts';
import type { Json, JsonObject } from '../../../electron/core/model.ts';
import { Maker } from '../../vectors/maker.ts';
import { mutated } from '../../vectors/mutations.ts';
import { plainSchema, randomFrom } from '../../vectors/schemas.ts';

/** Pairs of schemas, each compared in both directions; 20,000 for the night (README.md, "Tests"). */
const RUNS = Number(process.env['HOLDFAST_SCHEMA_RUNS'] ?? 2_000);
const SEED = Number(process.env['HOLDFAST_SEED'] ?? 71_113);
const VALUES_PER_PAIR = 12;
const TIMEOUT_MS = 60_000 + RUNS * 300;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One for all schemas: what is said about schemas is compiled once. */
const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });

/** What takes only names that the schema declares: `undefined` where the schema cannot be compiled at all. */
type Check = (value: Json) => boolean | undefined;
function compiled(schema: JsonObject): Check | undefined {
  try {
    const check = ajv.compile(schema);
    return (value) => {
      try {
        return check(value);
      } catch {
        return undefined; // a reference to itself without a step into the value
      }
    };
  } catch {
    return undefined;
  } finally {
    ajv.removeSchema(schema);
  }
}

/** Objects that declare names take no others. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(closed);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      ['enum', 'const', 'default', 'required', 'examples', 'x-note', 'not', 'if'].includes(key) ? value : closed(value),
    ]),
  );
  const others = inner['additionalProperties'];
  const isOpen = others === undefined || others === true || (isObject(others) && Object.keys(others).length === 0);
  if (!isObject(schema['properties']) || !isOpen) return inner;
  return { ...inner, additionalProperties: false };
}

/** Fields that were not announced are no harm to who reads an answer. */
function open(schema: Json): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(open);
  if (!isObject(schema)) return schema;
  const { additionalProperties, ...rest } = schema;
  const kept = additionalProperties === false && isObject(schema['properties']) ? rest : schema;
  return Object.fromEntries(
    Object.entries(kept).map(([key, value]) => [
      key,
      ['enum', 'const', 'default', 'required', 'examples', 'x-note'].includes(key) ? value : open(value),
    ]),
  );
}

const pairs = fc
  .tuple(plainSchema, plainSchema, fc.nat(), fc.integer({ min: 0, max: 9 }))
  .map(([schema, other, seed, kind]) => {
    // Draft-07 reads words beside `$ref` another way; what is compared here is 2020-12.
    const { $schema: _, ...before } = schema;
    const after = kind === 0 ? other : mutated(before, randomFrom(seed));
    return { before, after, seed };
  });

const valuesOf = (schema: JsonObject, seed: number): Json[] =>
  Array.from({ length: VALUES_PER_PAIR }, (_, at) => new Maker(schema, seed + at).make());

const worst = (facts: ReturnType<typeof schemaFacts>): boolean =>
  facts.some(({ severity }) => severity === 'breaking' || severity === 'security');

describe('a value that is no longer valid is at least breaking', () => {
  const found = { broken: 0, harmless: 0 };
  const check = (direction: 'in' | 'out'): void => {
    Object.assign(found, { broken: 0, harmless: 0 });
    fc.assert(
      fc.property(pairs, ({ before, after, seed }) => {
        const facts = schemaFacts(before, after, direction);
        if (worst(facts)) {
          found.broken += 1;
          return;
        }
        // What is opened below a negation is closed by it: such pairs say nothing about answers.
        if (direction === 'out' && /"(?:not|if)":/.test(JSON.stringify([before, after]))) return;
        const [from, to] = direction === 'in' ? [before, after] : [after, before];
        const takes = compiled((direction === 'out' ? open(to) : to) as JsonObject);
        if (!takes) return;
        found.harmless += 1;
        const refused = valuesOf(from, seed).filter((value) => takes(value) === false);
        // Compiling takes most of the time: what is never refused need not be compiled.
        const [accepts, full] = refused.length > 0 ? [compiled(closed(from) as JsonObject), compiled(from)] : [];
        const harmed = refused.find((value) => accepts?.(value) === true && full?.(value) === true);
        expect(
          harmed,
          `under ${JSON.stringify(from)} and not under ${JSON.stringify(to)}: ${JSON.stringify(facts)}`,
        ).toBe(undefined);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // Otherwise everything could be called breaking.
    expect(found.harmless).toBeGreaterThan(RUNS / 20);
    expect(found.broken).toBeGreaterThan(RUNS / 20);
  };

  it('where callers may send it', { timeout: TIMEOUT_MS }, () => check('in'));
  it('where callers may get it, the other way round', { timeout: TIMEOUT_MS }, () => check('out'));
});
