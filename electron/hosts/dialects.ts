import type { Dialect } from './entry.ts';
import type { HostApp } from './host-app-schema.ts';
import { RELAXED_JSON, STRICT_JSON } from './json-dialects.ts';
import { TOML } from './toml-edit.ts';
import { YAML } from './yaml-edit.ts';

/** How settings are written, by the language they are in. */
export const DIALECTS: Readonly<Record<HostApp['dialect'], Dialect>> = {
  json: STRICT_JSON,
  jsonc: RELAXED_JSON,
  toml: TOML,
  yaml: YAML,
};
