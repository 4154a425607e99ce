import type { Json, JsonObject } from '../../electron/core/model.ts';

/** A schema refers to itself without a step into the value, so it says neither yes nor no. */
export class Endless extends Error {}

/** In draft-07 words beside `$ref` are ignored, and a list in `items` is a tuple. */
export type Dialect = 'draft-07' | '2020-12';

type Evaluated = ReadonlySet<string>;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const textOf = (value: Json): string =>
  isObject(value)
    ? `{${Object.keys(value)
        .sort()
        .map((key) => `${JSON.stringify(key)}:${textOf(value[key]!)}`)
        .join(',')}}`
    : isList(value)
      ? `[${value.map(textOf).join(',')}]`
      : JSON.stringify(value);

function isOfType(value: Json, type: Json): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return isList(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/**
 * A small JSON Schema validator for the meaning checks, with what the generated schemas use. It shares nothing with the
 * normal form.
 */
export class Validator {
  readonly #root: Json;
  readonly #dialect: Dialect;
  readonly #ids = new Map<JsonObject, number>();
  readonly #open = new Set<string>();

  constructor(root: Json, dialect: Dialect) {
    this.#root = root;
    this.#dialect = dialect;
  }

  /** @throws Endless */
  accepts(value: Json): boolean {
    this.#open.clear();
    return this.#check(this.#root, value) !== undefined;
  }

  /** The properties that were looked at; `undefined` where the value is not valid. */
  #check(schema: Json, value: Json): Evaluated | undefined {
    if (schema === true) return new Set();
    if (!isObject(schema)) return undefined;
    const id = this.#ids.get(schema) ?? this.#ids.size;
    this.#ids.set(schema, id);
    const visit = `${id} ${textOf(value)}`;
    if (this.#open.has(visit)) throw new Endless();
    this.#open.add(visit);
    const result = this.#checkWords(schema, value);
    this.#open.delete(visit);
    return result;
  }

  #checkWords(schema: JsonObject, value: Json): Evaluated | undefined {
    const seen = new Set<string>();
    const add = (result: Evaluated | undefined): boolean => {
      for (const name of result ?? []) seen.add(name);
      return result !== undefined;
    };
    const ref = schema['$ref'];
    if (typeof ref === 'string') {
      const target = this.#check(this.#at(ref), value);
      if (this.#dialect === 'draft-07') return target;
      if (!add(target)) return undefined;
    }
    const isValid = [
      () => checkValue(schema, value),
      () => this.#checkItems(schema, value),
      () => this.#checkBranches(schema, value, add),
      () => this.#checkProperties(schema, value, seen),
    ].every((check) => check());
    return isValid ? seen : undefined;
  }

  #checkItems(schema: JsonObject, value: Json): boolean {
    if (!isList(value)) return true;
    const items = schema['items'];
    const isTuple = isList(items) && this.#dialect === 'draft-07';
    const tuple = isTuple ? items : this.#dialect === '2020-12' ? schema['prefixItems'] : undefined;
    const heads = isList(tuple) ? tuple : [];
    const rest = isTuple ? schema['additionalItems'] : items;
    return value.every((item, at) => {
      const one = at < heads.length ? heads[at] : rest;
      return one === undefined || isList(one) || this.#check(one, item) !== undefined;
    });
  }

  #checkBranches(schema: JsonObject, value: Json, add: (result: Evaluated | undefined) => boolean): boolean {
    const results = (word: string) => {
      const branches = schema[word];
      return isList(branches) ? branches.map((branch) => this.#check(branch, value)) : undefined;
    };
    const all = results('allOf');
    if (all !== undefined && !all.every(add)) return false;
    const any = results('anyOf');
    if (any !== undefined && any.filter(add).length === 0) return false;
    const one = results('oneOf');
    if (one !== undefined && one.filter(add).length !== 1) return false;
    if (schema['not'] !== undefined && this.#check(schema['not'], value) !== undefined) return false;
    if (schema['if'] === undefined) return true;
    const next = schema[add(this.#check(schema['if'], value)) ? 'then' : 'else'];
    return next === undefined || add(this.#check(next, value));
  }

  #checkProperties(schema: JsonObject, value: Json, seen: Set<string>): boolean {
    if (!isObject(value)) return true;
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const known = new Set(Object.keys(properties));
    for (const [name, item] of Object.entries(value)) {
      const property = known.has(name) ? properties[name] : schema['additionalProperties'];
      if (property === undefined) continue;
      if (this.#check(property, item) === undefined) return false;
      seen.add(name);
    }
    const dependent = isObject(schema['dependentSchemas']) ? Object.entries(schema['dependentSchemas']) : [];
    if (this.#dialect === '2020-12')
      for (const [name, below] of dependent)
        if (Object.hasOwn(value, name) && this.#check(below, value) === undefined) return false;
    const rest = this.#dialect === '2020-12' ? schema['unevaluatedProperties'] : undefined;
    if (rest === undefined) return true;
    for (const [name, item] of Object.entries(value)) {
      if (!seen.has(name) && this.#check(rest, item) === undefined) return false;
      seen.add(name);
    }
    return true;
  }

  #at(ref: string): Json {
    const steps = ref.split('/').slice(1);
    return steps.reduce((node: Json, step) => {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      const next = isObject(node) ? node[name] : isList(node) ? node[Number(name)] : undefined;
      if (next === undefined) throw new Error(`${ref} leads nowhere.`);
      return next;
    }, this.#root);
  }
}

/** The words that need no schema below them. */
function checkValue(schema: JsonObject, value: Json): boolean {
  const { type, enum: values, const: only, required } = schema;
  if (type !== undefined && !(isList(type) ? type : [type]).some((name) => isOfType(value, name))) return false;
  if (isList(values) && !values.some((item) => textOf(item) === textOf(value))) return false;
  if (only !== undefined && textOf(only) !== textOf(value)) return false;
  if (isObject(value) && isList(required) && !required.every((name) => Object.hasOwn(value, name as string)))
    return false;
  const size = typeof value === 'number' ? value : typeof value === 'string' ? value.length : undefined;
  const [least, most] = typeof value === 'number' ? ['minimum', 'maximum'] : ['minLength', 'maxLength'];
  const bound = (word: string): number | undefined => schema[word] as number | undefined;
  return size === undefined || (size >= (bound(least) ?? size) && size <= (bound(most) ?? size));
}
