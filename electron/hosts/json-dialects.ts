import type { Dialect } from './entry.ts';
import { addEntry, removeEntry, seeConfig } from './json-edit.ts';
import type { JsonSyntax } from './json-tree.ts';

function jsonDialect(syntax: JsonSyntax): Dialect {
  return {
    add: (text, place, wantedName, content) => addEntry(text, place, wantedName, content, syntax),
    remove: (text, place, options) => removeEntry(text, place, options, syntax),
    see: (text, place) => seeConfig(text, place, syntax),
    print: (section, name, value) => JSON.stringify({ [section]: { [name]: value } }, null, 2),
    printInside: (name, value) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  };
}

/** What `JSON.parse` takes, and nothing else. */
export const STRICT_JSON = jsonDialect({ isRelaxed: false });

/** JSON with comments, and with commas behind the last of several things. */
export const RELAXED_JSON = jsonDialect({ isRelaxed: true });
