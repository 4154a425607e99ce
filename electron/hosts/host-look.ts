import { existsSync } from 'node:fs';
import path from 'node:path';
import { DIALECTS } from './dialects.ts';
import { decode } from './encoding.ts';
import { carriesOwner, wordsOf } from './entry.ts';
import type { HostApp } from './host-apps.ts';
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
    const noEntry = (): HostLook => ({ kind: 'no-entry', wasConnected: readRecord(key) !== undefined });
    if (content === undefined) return noEntry();
    const place = { section: app.section, owner: key.owner };
    const { entries } = DIALECTS[app.dialect].see(decode(content.bytes).text, place);
    const own = entries.find(({ value }) => carriesOwner(value, key.owner));
    const entry = own ?? entries.find(({ name }) => name === entryName);
    const [command, ...args] = entry ? wordsOf(entry.value) : [];
    return command === undefined ? noEntry() : { kind: 'entry', isOurs: own !== undefined, command, args };
  } catch (error) {
    const problem = asProblem(error);
    const hint = problem instanceof HostConfigProblem ? problem.message : 'This file cannot be opened.';
    return { kind: 'unreadable', hint };
  }
}
