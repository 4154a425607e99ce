import type { Telling } from './document.ts';
import type { Files } from './files.ts';
import { folderNames } from './opening.ts';

/** Something about the files that the person has still to be told. */
export type Untold = 'restored' | 'started-empty' | 'history' | 'secrets';

const ASIDE = '.damaged-';

/** Names of the damaged files that were put aside, whenever that was. */
export function setAsideNames(files: Files, dir: string): string[] {
  const names = [...files.list(dir), ...files.list(folderNames(dir).journal)];
  return names.filter((name) => name.includes(ASIDE));
}

/**
 * What has to be told, the gravest first. It follows from what lies on the disk, so that a run that set a file aside and
 * ended swallows nothing. A damaged state file is told of as the recovery that it led to.
 */
export function untoldOf({ recovery, known }: Telling, aside: readonly string[]): Untold[] {
  const isKnown = new Set(known);
  const news = aside.filter((name) => !isKnown.has(name));
  const untold: Untold[] = recovery === null ? [] : [recovery === 'previous' ? 'restored' : 'started-empty'];
  if (news.some((name) => name.endsWith('.jsonl'))) untold.push('history');
  if (news.some((name) => name.startsWith('secrets.'))) untold.push('secrets');
  return untold;
}
