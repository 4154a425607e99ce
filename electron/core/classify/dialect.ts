import { isObject } from '../canonical.ts';
import type { Json } from '../model.ts';
import { schemaNormalForm } from '../schema-form.ts';

/** What a schema without a word on it is written in, and what is compared here. */
const NEWEST = 'https://json-schema.org/draft/2020-12/schema';

/** True where the schemas are written in different dialects, and it matters: a keyword may mean something else. */
export function isOtherDialect(before: Json, after: Json): boolean {
  const [old, now] = [nameOf(before) ?? NEWEST, nameOf(after) ?? NEWEST];
  if (old === now) return false;
  // Normal form drops the name where every keyword means the same in all of them.
  const kept = [before, after].map((schema) => nameOf(schemaNormalForm(schema))).filter((name) => name !== undefined);
  return kept.length === 2 || kept.some((name) => name !== NEWEST);
}

function nameOf(schema: Json): string | undefined {
  const name = isObject(schema) ? schema['$schema'] : undefined;
  return typeof name === 'string' ? name.replace(/#$/, '').replace(/^http:/, 'https:') : undefined;
}
