import { existsSync } from 'node:fs';
import path from 'node:path';
import { decode } from './encoding.ts';
import type { HostApp } from './host-apps.ts';
import { isJsonObject, valueOf, type JsonValue, type Member } from './json-tree.ts';
import { ownedEntry, parseConfig, type ParsedConfig } from './json-section.ts';
import { readRecord, type RecordKey } from './ownership.ts';
import { HostConfigProblem } from './problem.ts';
import { asProblem, readTarget } from './target-file.ts';

/** What a host app's settings say of Holdfast. */
export type HostLook =
  | { readonly kind: 'not-installed' }
  | { readonly kind: 'unreadable'; readonly hint: string }
  /** `wasConnected`: Holdfast wrote an entry there and never took it out. */
  | { readonly kind: 'no-entry'; readonly wasConnected: boolean }
  | {
      readonly kind: 'entry';
      /** Written by this installation, whatever its name. */
      readonly isOurs: boolean;
      readonly command: string;
      readonly args: readonly string[];
    };

/** Looks at a host app's settings file without changing anything. Never throws. */
export function lookAtHost(app: HostApp, key: RecordKey, entryName: string): HostLook {
  try {
    if (!existsSync(path.dirname(key.file))) return { kind: 'not-installed' };
    const { content } = readTarget(key.file);
    const noEntry: HostLook = { kind: 'no-entry', wasConnected: readRecord(key) !== undefined };
    if (content === undefined) return noEntry;
    const config = parseConfig(decode(content.bytes).text, app.section);
    const own = ownedEntry(config, key.owner);
    const entry = own ?? config.entries.find((member) => member.key === entryName);
    return (entry && startOf(config, entry, own !== undefined)) ?? noEntry;
  } catch (error) {
    const problem = asProblem(error);
    const hint = problem instanceof HostConfigProblem ? problem.message : 'This file cannot be opened.';
    return { kind: 'unreadable', hint };
  }
}

function startOf({ text }: ParsedConfig, { value }: Member, isOurs: boolean): HostLook | undefined {
  const entry: JsonValue = valueOf(text, value);
  const command = isJsonObject(entry) ? entry['command'] : undefined;
  const args = isJsonObject(entry) ? entry['args'] : undefined;
  if (typeof command !== 'string') return undefined;
  const listed: readonly JsonValue[] = Array.isArray(args) ? (args as readonly JsonValue[]) : []; // widens to any[]
  return { kind: 'entry', isOurs, command, args: listed.filter((arg) => typeof arg === 'string') };
}
