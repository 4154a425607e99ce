import type { EntryContent } from './entry.ts';
import type { HostApp, HostCard } from './host-app-schema.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

/** How a host app starts the bridge. */
export interface BridgeStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const LEFT_OUT: unique symbol = Symbol('left out');

const PLACEHOLDERS: Readonly<Record<string, (start: BridgeStart) => JsonValue | typeof LEFT_OUT>> = {
  $command: ({ command }) => command,
  $args: ({ args }) => args,
  $commandLine: ({ command, args }) => [command, ...args],
  $env: ({ env }) => env,
  '$env?': ({ env }) => (Object.keys(env).length === 0 ? LEFT_OUT : env),
};

/** The entry in the app's own form. */
export function entryFor(app: HostApp | HostCard, start: BridgeStart): EntryContent {
  const atFirst = 'files' in app ? app.entryAtFirst : {};
  return { always: filled(app.entry, start), atFirst: filled(atFirst, start) };
}

function filled(template: Readonly<Record<string, JsonValue>>, start: BridgeStart): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(template)) {
    const placeholder =
      typeof value === 'string' && Object.hasOwn(PLACEHOLDERS, value) ? PLACEHOLDERS[value] : undefined;
    const item = placeholder ? placeholder(start) : value;
    if (item !== LEFT_OUT) members.push([key, item]);
  }
  return Object.fromEntries(members);
}
