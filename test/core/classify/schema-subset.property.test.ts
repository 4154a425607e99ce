import Ajv from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaFacts } from '../../../electron/core/classify/schema-facts.ts';
import type { Json, JsonObject } from '../../../electron/core/model.ts';
import { Maker } from '../../vectors/maker.ts';
import { mutated } from '../../vectors/mutations.ts';
import { plainSchema, randomFrom } from '../../vectors/schemas.ts';

/** Pairs of schemas per direction. */
const RUNS = Number(process.env['HOLDFAST_SCHEMA_RUNS'] ?? 1_000);
const SEED = Number(process.env['HOLDFAST_SEED'] ?? 71_113);
const VALUES_PER_PAIR = 12;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What takes only names that the schema declares: `undefined` where the schema cannot be compiled at all. */
type Check = (value: Json) => boolean | undefined;
function compiled(schema: JsonObject): Check | undefined {
  try {
    const check = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema);
    return (value) => {
      try {
        return check(value);
      } catch {
        return undefined; // a reference to itself without a step into the value
      }
    };
  } catch {
    return undefined;
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

const worst = (facts: ReturnType<typeof schemaFacts>): boolean =>
  facts.some(({ severity }) => severity === 'breaking' || severity === 'security');

describe('a value that is no longer valid is at least breaking', () => {
  const found = { broken: 0, harmless: 0 };
  const check = (direction: 'in' | 'out'): void => {
    Object.assign(found, { broken: 0, harmless: 0 });
    fc.assert(
      fc.property(pairs, ({ before, after, seed }) => {
        const facts = schemaFacts(before, after, direction);
        const [from, to] = direction === 'in' ? [before, after] : [after, before];
        const accepts = compiled(closed(from) as JsonObject);
        const full = compiled(from);
        const takes = compiled((direction === 'out' ? open(to) : to) as JsonObject);
        if (!accepts || !full || !takes) return;
        // What is opened below a negation is closed by it: such pairs say nothing about answers.
        if (direction === 'out' && /"(?:not|if)":/.test(JSON.stringify([before, after]))) return;
        if (worst(facts)) found.broken += 1;
        else found.harmless += 1;
        for (let at = 0; at < VALUES_PER_PAIR; at += 1) {
          const value = new Maker(from, seed + at).make();
          if (accepts(value) !== true || full(value) !== true || takes(value) !== false) continue;
          expect(
            worst(facts),
            `${JSON.stringify(value)} under ${JSON.stringify(from)} and not under ${JSON.stringify(to)}: ${JSON.stringify(facts)}`,
          ).toBe(true);
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // Otherwise everything could be called breaking.
    expect(found.harmless).toBeGreaterThan(RUNS / 20);
    expect(found.broken).toBeGreaterThan(RUNS / 20);
  };

  it('where callers may send it', { timeout: 600_000 }, () => check('in'));
  it('where callers may get it, the other way round', { timeout: 600_000 }, () => check('out'));
});
