import { parse as parseYaml } from 'yaml';
import type { z } from 'zod';
import { DIALECTS } from './dialects.ts';
import type { HostApp } from './host-app-schema.ts';
import { inputShape, inputsShape } from './import-shape.ts';
import { soundsSecret } from '../core/value-names.ts';
import type { ImportInput } from './import-variables.ts';
import { formsOf } from './json-tree.ts';
import type { JsonValue } from './json-value.ts';
import { isJsonObject, ownValue } from './json-value.ts';
import { HostConfigProblem } from './problem.ts';

/** A server's entry in a settings text, unread. */
export interface RawEntry {
  readonly name: string;
  readonly value: JsonValue;
  /** `section`: where the app looks. `project`: for one folder only. `misplaced`: where this app does not look. */
  readonly scope: 'section' | 'project' | 'misplaced';
  /** The folder of a project. */
  readonly folder: string | null;
}

/** The servers in a settings text, and what the app asks its person for. */
export interface RawServers {
  readonly entries: readonly RawEntry[];
  readonly inputs: readonly ImportInput[];
}

type TextOf = Pick<HostApp, 'dialect' | 'section'> & { readonly misplaced?: readonly string[] };

const MAX_PROJECTS = 500;

/** Reads an app's own settings, as strictly as they are written. @throws HostConfigProblem */
export function serversIn(app: TextOf, text: string): RawServers {
  const { entries, otherSections } = DIALECTS[app.dialect].see(text, { section: app.section, owner: '' });
  const own = entries.map(({ name, value }): RawEntry => ({ name, value, scope: 'section', folder: null }));
  const wanted = [...(app.misplaced ?? []), 'inputs', 'projects'];
  if (!otherSections.some((section) => wanted.includes(section))) return { entries: own, inputs: [] };
  const root = rootOf(app.dialect, text);
  const others = (app.misplaced ?? []).flatMap((section) => entriesOf(ownIn(root, section), 'misplaced', null));
  return { entries: [...own, ...others, ...projectEntries(root, app.section)], inputs: inputsIn(root) };
}

/** Reads a file beside an app's settings, where servers may be a list of entries with names in them. */
export function serversBeside(app: TextOf, file: string, text: string): RawServers {
  const dialect = /\.ya?ml$/i.test(file) ? 'yaml' : app.dialect;
  const root = rootOf(dialect, text);
  const section = dialect === 'yaml' ? 'mcpServers' : app.section;
  const found = entriesOf(ownIn(root, section), 'section', null);
  // One server alone, without a section.
  const isAlone = found.length === 0 && ownIn(root, 'command') !== undefined;
  const alone: RawEntry[] = isAlone ? [{ name: fileName(file), value: root, scope: 'section', folder: null }] : [];
  return { entries: [...found, ...alone], inputs: inputsIn(root) };
}

function fileName(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.\w+$/, '');
}

function rootOf(dialect: HostApp['dialect'], text: string): JsonValue {
  try {
    // Aliases can stand for more than memory holds.
    if (dialect === 'yaml') return (parseYaml(text, { maxAliasCount: 100, merge: true }) ?? {}) as JsonValue; // plain values, as its schema has no others
    if (dialect === 'toml') return {};
    return JSON.parse(formsOf(text, { isRelaxed: dialect === 'jsonc' }).strict || '{}') as JsonValue; // what JSON is
  } catch (cause) {
    throw new HostConfigProblem('SYNTAX', 'There is a mistake in this file.', undefined, { cause });
  }
}

function ownIn(value: JsonValue, key: string): JsonValue | undefined {
  return isJsonObject(value) ? ownValue(value, key) : undefined;
}

function textIn(value: JsonValue, key: string): string {
  const text = ownIn(value, key);
  return typeof text === 'string' ? text : '';
}

function entriesOf(value: JsonValue | undefined, scope: RawEntry['scope'], folder: string | null): RawEntry[] {
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value; // Array.isArray widens to any[]
    return items.map((item) => ({ name: textIn(item, 'name'), value: item, scope, folder }));
  }
  return isJsonObject(value) ? Object.entries(value).map(([name, item]) => ({ name, value: item, scope, folder })) : [];
}

/** Claude Code keeps servers for one folder among what it remembers of that folder. */
function projectEntries(root: JsonValue, section: string): RawEntry[] {
  const projects = ownIn(root, 'projects');
  if (!isJsonObject(projects)) return [];
  return Object.entries(projects)
    .slice(0, MAX_PROJECTS)
    .flatMap(([folder, project]) => entriesOf(ownIn(project, section), 'project', folder));
}

function inputsIn(root: JsonValue): ImportInput[] {
  const all = inputsShape.safeParse(ownIn(root, 'inputs'));
  return (all.data ?? []).flatMap((one) => {
    const { data } = inputShape.safeParse(one);
    return data === undefined ? [] : [inputOf(data)];
  });
}

function inputOf({ id, description, password, default: fallback }: z.output<typeof inputShape>): ImportInput {
  const isSecret = password ?? soundsSecret(id);
  return { id, description: description ?? id, isSecret, fallback: fallback ?? null };
}
