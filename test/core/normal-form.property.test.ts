import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalText } from '../../electron/core/canonical.ts';
import type { Json, JsonObject } from '../../electron/core/model.ts';
import { normalForm } from '../../electron/core/normal-form.ts';
import { oddRoot, plainSchema, randomFrom, toolWith } from '../vectors/schemas.ts';
import { Endless, Validator } from '../vectors/validator.ts';
import type { Dialect } from '../vectors/validator.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
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

const ATOMS: readonly Json[] = [null, true, false, 0, 1, 2.5, -3, '', 'a', 'b', 'cc', [], {}, [1], { a: 1 }];
const KEYS = ['a', 'b', 'c', 'type', 'required', 'enum', '$ref', '10', '9'];

/** Values that a schema may well accept: made after its words, with a slip now and then. */
class Maker {
  readonly #root: JsonObject;
  readonly #random: () => number;

  constructor(root: JsonObject, seed: number) {
    this.#root = root;
    this.#random = randomFrom(seed);
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)]!;
  }

  make(schema: Json = this.#root, depth = 0): Json {
    if (!isObject(schema) || this.#random() < 0.08) return this.#pick(ATOMS);
    if (depth > 5) return this.#pick(ATOMS);
    const ref = schema['$ref'];
    if (typeof ref === 'string') return this.make(this.#at(ref), depth + 1);
    const values = schema['enum'] as readonly Json[] | undefined;
    if (values !== undefined) return this.#pick(values);
    if (schema['const'] !== undefined) return schema['const'];
    const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => (schema[word] as readonly Json[] | undefined) ?? []);
    if (branches.length > 0) return this.make(this.#pick(branches), depth + 1);
    const type = schema['type'];
    return this.#ofType(Array.isArray(type) ? this.#pick(type as readonly Json[]) : type, schema, depth);
  }

  #ofType(type: Json | undefined, schema: JsonObject, depth: number): Json {
    if (type === 'array')
      return Array.from({ length: this.#pick([0, 1, 2]) }, () => this.make(schema['items'] ?? true, depth + 1));
    if (type !== 'object' && !isObject(schema['properties']))
      return this.#pick(
        ATOMS.filter((atom) => typeof atom === type || type === undefined || (type === 'integer' && atom === 1)).concat(
          null,
        ),
      );
    const properties = (schema['properties'] ?? {}) as JsonObject;
    const required = (schema['required'] ?? []) as readonly string[];
    const names = [...required, ...Object.keys(properties), this.#pick(KEYS)].filter(
      (name) => required.includes(name) || this.#random() < 0.4,
    );
    const rest = schema['additionalProperties'] ?? true;
    return Object.fromEntries(
      names.map((name) => [name, this.make(Object.hasOwn(properties, name) ? properties[name]! : rest, depth + 1)]),
    );
  }

  #at(ref: string): Json {
    const steps = ref.split('/').slice(1);
    return steps.reduce((node: Json, step) => (isObject(node) ? (node[step] ?? true) : true), this.#root);
  }
}

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
