import type { Json, JsonObject } from '../../electron/core/model.ts';
import { randomFrom } from './schemas.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ATOMS: readonly Json[] = [null, true, false, 0, 1, 2.5, -3, '', 'a', 'b', 'cc', [], {}, [1], { a: 1 }];
const KEYS = ['a', 'b', 'c', 'type', 'required', 'enum', '$ref', '10', '9'];

/** Values that a schema may well accept: made after its words, with a slip now and then. */
export class Maker {
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

