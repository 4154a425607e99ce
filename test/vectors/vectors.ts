import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalText, NotCanonical } from '../../electron/core/canonical.ts';
import { capabilityId, effectiveRecord } from '../../electron/core/identity.ts';
import type { JsonObject, Kind, StoredDefinition } from '../../electron/core/model.ts';

const folder = path.dirname(fileURLToPath(import.meta.url));

export interface Vector {
  readonly name: string;
  readonly stored: StoredDefinition;
  readonly canonical: string;
  readonly id: string;
}
/** Definitions that have one id (`same`), or of which no two have the same (`different`). */
interface Group {
  readonly name: string;
  readonly rule: string;
  readonly kind?: Kind;
  readonly definitions?: readonly JsonObject[];
  /** Each stands for a tool that has it as its `inputSchema`. */
  readonly schemas?: readonly JsonObject[];
}
export interface VectorFile {
  readonly record?: Pick<StoredDefinition, 'serverId' | 'originKey' | 'route'>;
  readonly vectors?: readonly Vector[];
  readonly same?: readonly Group[];
  readonly different?: readonly Group[];
  /** `raw` is the JSON text of a tool. */
  readonly invalid?: readonly { readonly name: string; readonly raw: string }[];
  readonly launch?: readonly {
    readonly name: string;
    readonly command: string;
    readonly args: readonly string[];
    readonly route: string;
  }[];
}
/** What an implementation says about one definition. */
export type Result = { readonly canonical: string; readonly id: string } | { readonly invalid: string };

export const vectorFiles: ReadonlyMap<string, VectorFile> = new Map(
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as VectorFile]),
);

export function storedIn(file: VectorFile, group: Group): StoredDefinition[] {
  const { record } = file;
  if (record === undefined) throw new Error(`The file of "${group.name}" has no record.`);
  const tools = (group.schemas ?? []).map((schema) => ({ name: record.originKey, inputSchema: schema }));
  return [...(group.definitions ?? []), ...tools].map((definition) => ({
    ...record,
    kind: group.kind ?? 'tool',
    definition,
  }));
}

export function invalidIn(file: VectorFile): { name: string; stored: StoredDefinition }[] {
  return (file.invalid ?? []).map(({ name, raw }) => {
    if (file.record === undefined) throw new Error(`The file of "${name}" has no record.`);
    return { name, stored: { ...file.record, kind: 'tool', definition: JSON.parse(raw) as JsonObject } };
  });
}

/** Every definition of a file by the name under which the second implementation reports it. */
export function namedIn(file: VectorFile): [string, StoredDefinition][] {
  const groups = [...(file.same ?? []), ...(file.different ?? [])];
  return [
    ...(file.vectors ?? []).map(({ name, stored }): [string, StoredDefinition] => [name, stored]),
    ...groups.flatMap((group) =>
      storedIn(file, group).map((stored, at): [string, StoredDefinition] => [`${group.name} #${at + 1}`, stored]),
    ),
    ...invalidIn(file).map(({ name, stored }): [string, StoredDefinition] => [name, stored]),
  ];
}

/** What the app says about a definition. */
export function identify(stored: StoredDefinition): Result {
  try {
    const id = capabilityId(stored);
    return { canonical: canonicalText(effectiveRecord(stored)), id };
  } catch (error) {
    if (error instanceof NotCanonical) return { invalid: error.message };
    throw error;
  }
}

export type PythonLine = Result | { readonly route: string };

/** What the second implementation says about files of vectors: one process for all of them. */
export function runPython(paths: readonly string[]): ReadonlyMap<string, PythonLine> {
  const args = ['-B', path.join(folder, 'identity.py'), ...paths];
  const done = spawnSync('python3', args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (done.error !== undefined)
    throw new Error(
      `The second implementation of the identity needs python3 3.11 on the PATH, and it cannot be started: ${done.error.message}`,
    );
  if (done.status !== 0) throw new Error(`The second implementation failed: ${done.stderr}`);
  const lines = done.stdout.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const { name, ...result } = JSON.parse(line) as { name: string } & PythonLine;
      return [name, result];
    }),
  );
}

/** The paths of the files of vectors. */
export function vectorPaths(): string[] {
  return [...vectorFiles.keys()].map((name) => path.join(folder, name));
}
