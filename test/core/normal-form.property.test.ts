import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalText } from '../../electron/core/canonical.ts';
import type { Json, JsonObject } from '../../electron/core/model.ts';
import { normalForm } from '../../electron/core/normal-form.ts';
import { Maker } from '../vectors/maker.ts';
import { oddRoot, plainSchema, toolWith } from '../vectors/schemas.ts';
import { Endless, Validator } from '../vectors/validator.ts';
import type { Dialect } from '../vectors/validator.ts';

const normal = (schema: JsonObject): Json => normalForm('tool', { inputSchema: schema })['inputSchema']!;

describe('the normal form', () => {
  it('of a normal form is itself', () => {
    fc.assert(
      fc.property(toolWith(plainSchema), (tool) => {
        const once = normalForm('tool', tool);
        expect(canonicalText(normalForm('tool', once))).toBe(canonicalText(once));
      }),
      { numRuns: 300 },
    );
  });

  it('leaves the definition as it was', () => {
    fc.assert(
      fc.property(toolWith(oddRoot), (tool) => {
        const before = JSON.stringify(tool);
        normalForm('tool', tool);
        expect(JSON.stringify(tool)).toBe(before);
      }),
      { numRuns: 200 },
    );
  });

  it('of a prompt, a resource template and instructions is the definition', () => {
    fc.assert(
      fc.property(
        toolWith(oddRoot),
        fc.constantFrom('prompt', 'resourceTemplate', 'instructions'),
        (definition, kind) => {
          expect(normalForm(kind, definition)).toEqual(definition);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a value is valid under the normal form exactly where it is under the schema', () => {
  const PAIRS_PER_SCHEMA = 8;
  const outcomes = { yes: 0, no: 0, endless: 0 };
  const check = (schema: JsonObject, dialect: Dialect, seed: number): void => {
    const [before, after] = [new Validator(schema, dialect), new Validator(normal(schema), dialect)];
    for (let pair = 0; pair < PAIRS_PER_SCHEMA; pair += 1) {
      const value = new Maker(schema, seed + pair).make();
      let expected: boolean;
      try {
        expected = before.accepts(value);
      } catch (error) {
        if (!(error instanceof Endless)) throw error;
        outcomes.endless += 1;
        continue;
      }
      outcomes[expected ? 'yes' : 'no'] += 1;
      expect(after.accepts(value), `${JSON.stringify(value)} under ${JSON.stringify(normal(schema))}`).toBe(expected);
    }
  };

  it.each<Dialect>(['draft-07', '2020-12'])('read as %s', (dialect) => {
    Object.assign(outcomes, { yes: 0, no: 0, endless: 0 });
    fc.assert(
      fc.property(plainSchema, fc.nat(), (schema, seed) => check(schema, dialect, seed)),
      { numRuns: 500 },
    );
    // Otherwise the comparison would say little.
    expect(outcomes.yes).toBeGreaterThan(500);
    expect(outcomes.no).toBeGreaterThan(500);
    expect(outcomes.yes + outcomes.no).toBeGreaterThan(2_000);
  });
});
