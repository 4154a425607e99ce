import { z } from 'zod';
import type { JsonValue } from './json-value.ts';

const MAX_APPS = 200;
const MAX_PLACES = 10;
const MAX_TEXT = 300;

const text = z.string().min(1).max(MAX_TEXT);
const name = z.string().regex(/^[\w.@ -]{1,60}$/);

/** `{base}/part/part`: a folder of the system, or `{env:NAME}`, and what is below it; `*` only within one part. */
const place = z
  .string()
  .max(MAX_TEXT)
  .regex(/^\{(?:home|root|applicationSupport|xdgConfig|appData|localAppData|env:[A-Z_]+)\}(?:\/[\w.@* -]+)*$/);

/** The same everywhere, or by system. */
function bySystem<T>(value: z.ZodType<T>) {
  const each = z.strictObject({ darwin: value, linux: value, win32: value });
  return z.union([value.transform((all) => ({ darwin: all, linux: all, win32: all })), each]);
}

const places = bySystem(z.array(place).max(MAX_PLACES));
const processNames = bySystem(z.array(name).max(MAX_PLACES));

const json: z.ZodType<JsonValue> = z.json();
/** A literal, or `$command`, `$args`, `$commandLine` (both in one list), `$env`, `$env?` (left out where empty). */
const template = z.record(name, json).refine((entry) => Object.keys(entry).length > 0);

const verified = z.strictObject({
  what: text,
  how: z.enum(['tried', 'documentation', 'source code', 'public report', 'memory']),
  from: text,
  on: z.iso.date(),
});

const about = {
  id: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
  title: z.string().min(1).max(60),
  dialect: z.enum(['json', 'jsonc', 'toml', 'yaml']),
  /** The member of the settings that holds the servers. */
  section: name,
  entry: template,
  /** When a change of the settings takes effect. */
  reload: z.enum(['restart', 'live', 'unknown']),
  /** Whether the app takes notice when a server says that its list changed. */
  listChanged: z.enum(['yes', 'no', 'unknown']),
  /** Longest name of a tool, with what the app puts before it, and most tools in use; null where nobody has told. */
  limits: z.strictObject({
    name: z.number().int().positive().nullable(),
    tools: z.number().int().positive().nullable(),
  }),
  /** What the app replaces in its entries: nothing, what editors do, `${NAME}`, also `$NAME`, or opencode's `{env:NAME}`. */
  variables: z.enum(['none', 'editor', 'braces', 'dollar', 'opencode']).default('none'),
  /** Files that are never written and may hold servers too. */
  alsoRead: places.default({ darwin: [], linux: [], win32: [] }),
  verified: z.array(verified).min(1),
};

const written = z.strictObject({
  ...about,
  files: places,
  /** Settings of further profiles: each that is there is written like the first. */
  profiles: places.default({ darwin: [], linux: [], win32: [] }),
  /** Which of several files is written: `installed`, each that belongs to an installation; `existing`, the first that is there. */
  choose: z.enum(['installed', 'existing']).default('existing'),
  /** What is there where the app is installed, besides the folder of its settings; and what it is called on the PATH. */
  installed: z.strictObject({ places, commands: z.array(name).max(MAX_PLACES) }),
  processes: processNames.default({ darwin: [], linux: [], win32: [] }),
  /** Executables of an app with windows, exactly where they lie: only what runs from there is restarted. */
  programs: places.default({ darwin: [], linux: [], win32: [] }),
  /** Written with a new entry only. */
  entryAtFirst: template.default({}),
  /** Sections that other apps use and that do nothing here. */
  misplaced: z.array(name).default([]),
  /** The app refuses or resets a file that begins with a byte order mark. */
  rejectsBom: z.boolean().default(false),
  /** The app writes the file itself, so our entry can vanish. */
  rewritesOwnFile: z.boolean().default(false),
  /** Its writers take turns by a lock that others have to take too. */
  lock: z.enum(['cline']).nullable().default(null),
});

const card = z.strictObject({ ...about, /** Where a person pastes the entry. */ where: text });

/** `resources/hosts.json`. */
export const hostTableSchema = z.strictObject({
  format: z.literal(1),
  apps: z
    .array(z.union([written, card]))
    .max(MAX_APPS)
    .refine((apps) => new Set(apps.map(({ id }) => id)).size === apps.length, 'every app once'),
});

/** What Holdfast knows about a program whose settings it can write. */
export type HostApp = z.infer<typeof written>;
/** A program whose settings a person has to change by hand. */
export type HostCard = z.infer<typeof card>;
