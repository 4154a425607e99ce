import type { Json, JsonObject } from '../electron/core/model.ts';

/** What a tool says it may do and needs, for the table of before and now. */
export interface Abilities {
  readonly mayDo: 'read' | 'change' | 'delete';
  readonly isOnline: boolean;
  /** `null` where the schema does not say it in a way that can be told in a line. */
  readonly needs: readonly string[] | null;
  readonly extras: readonly string[] | null;
}

/** Reads a tool's definition. Labels that are missing count as the protocol says: not read-only, deleting, online. */
export function abilitiesOf(tool: JsonObject): Abilities {
  const hints = asObject(tool['annotations']);
  const isReadOnly = hints['readOnlyHint'] === true;
  const deletes = typeof hints['destructiveHint'] === 'boolean' ? hints['destructiveHint'] : !isReadOnly;
  return {
    mayDo: deletes ? 'delete' : isReadOnly ? 'read' : 'change',
    isOnline: hints['openWorldHint'] !== false,
    ...fieldsOf(asObject(tool['inputSchema'])),
  };
}

const UNTELLABLE = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentRequired', 'dependentSchemas'];

function fieldsOf(schema: JsonObject): Pick<Abilities, 'needs' | 'extras'> {
  if (UNTELLABLE.some((keyword) => Object.hasOwn(schema, keyword))) return { needs: null, extras: null };
  // A set: a server may name thousands.
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : []); // any[]
  const properties = asObject(schema['properties']);
  const names = new Set([...[...required].filter((name) => typeof name === 'string'), ...Object.keys(properties)]);
  const labels = (isNeeded: boolean): string[] =>
    [...names].filter((name) => required.has(name) === isNeeded).map((name) => fieldLabel(name, properties[name]));
  return { needs: labels(true), extras: labels(false) };
}

const MAX_LABEL = 40;

/** “maxAgeHours” -> “max age hours”; a title that the server gave comes first. */
export function fieldLabel(name: string, schema: Json | undefined): string {
  const title = asObject(schema)['title'];
  const raw = typeof title === 'string' && title.trim() !== '' ? title : splitName(name);
  const label = raw
    .slice(0, 16 * MAX_LABEL)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\s]+/gu, ' ')
    .trim();
  return label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label || '–';
}

function splitName(name: string): string {
  const spaced = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[_\-.]+/g, ' ');
  return spaced.toLowerCase();
}

/** Text of a server, with what would hide in it made visible: it is shown as a quotation, never as ours. */
export function visibleText(text: string): string {
  return text.replaceAll(
    /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (hidden) => {
      const code = hidden.codePointAt(0) ?? 0;
      return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
    },
  );
}

function asObject(value: Json | undefined): JsonObject {
  // An array is an object to JavaScript, not to JSON.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
