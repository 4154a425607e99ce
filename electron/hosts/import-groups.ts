import { createHmac } from 'node:crypto';
import type { FoundServer, ImportSource } from './import-look.ts';
import type { ImportStart, ReadServer } from './import-read.ts';
import type { ImportBlank } from './import-variables.ts';

/** One server, in whatever apps it was found. */
export interface ImportGroup {
  /** Of all that would run: what is taken under this id is what was shown. */
  readonly id: string;
  /** Among all that was found and the names that are taken, no other has it. */
  readonly name: string;
  readonly start: ImportStart;
  readonly blanks: readonly ImportBlank[];
  readonly sources: readonly (ImportSource & Pick<ReadServer, 'isDisabled' | 'tools'>)[];
}

const MAX_NAME = 100;

/** The same server in several apps is one; two of one name get names that can be told apart. */
export function groupServers(found: readonly FoundServer[], token: string, taken: readonly string[]): ImportGroup[] {
  const groups = new Map<string, FoundServer[]>();
  for (const server of found) {
    const id = idOf(server, token);
    groups.set(id, [...(groups.get(id) ?? []), server]);
  }
  const names = new Set(taken.map(likeness));
  return [...groups].flatMap(([id, servers]) => {
    const [first] = servers;
    if (first === undefined) return [];
    const name = freeName(first, names);
    names.add(likeness(name));
    const { start, blanks } = first;
    const sources = servers.map(({ source, isDisabled, tools }) => ({ ...source, isDisabled, tools }));
    return [{ id, name, start, blanks, sources }];
  });
}

/** Under this installation's secret, because keys are a part of it. */
function idOf({ start, blanks }: FoundServer, token: string): string {
  const parts =
    start.kind === 'address'
      ? [start.url, pairs(start.headers)]
      : [start.command, start.args, pairs(start.env), start.cwd];
  const tokens = blanks.map((blank) => blank.token);
  return createHmac('sha256', token)
    .update(`server ${JSON.stringify([start.kind, parts, tokens])}`)
    .digest('hex')
    .slice(0, 16);
}

function pairs(all: Readonly<Record<string, string>>): unknown[] {
  return Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
}

function freeName({ source }: FoundServer, taken: ReadonlySet<string>): string {
  const plain = source.entry.trim().slice(0, MAX_NAME - 40);
  const candidates = [plain, `${plain} (${source.title})`];
  for (let number = 2; number <= taken.size + 2; number += 1) candidates.push(`${plain} (${source.title} ${number})`);
  return candidates.find((name) => !taken.has(likeness(name))) ?? plain;
}

/** What a person cannot tell apart at a glance is one name. */
function likeness(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
