const FILE = /^(\d{4}-\d{2})(?:\.(\d{3,}))?(\.damaged-.*)?\.jsonl$/;

/** A file of the journal, by its name: `2026-03.jsonl`, `2026-03.001.jsonl`, `2026-03.damaged-<time>.jsonl`. */
export interface JournalFile {
  readonly name: string;
  readonly month: string;
  /** Later parts of a month that had more to say than fits into one file. */
  readonly part: number;
  /** Set aside: still read, never added to. */
  readonly isAside: boolean;
}

/** The journal's files in the order they were written; other names are left out. */
export function journalFiles(names: readonly string[]): JournalFile[] {
  const files = names.flatMap((name): JournalFile[] => {
    const [, month, part, aside] = FILE.exec(name) ?? [];
    return month === undefined ? [] : [{ name, month, part: Number(part ?? 0), isAside: aside !== undefined }];
  });
  return files.sort(
    (a, b) =>
      compare(a.month, b.month) || a.part - b.part || Number(b.isAside) - Number(a.isAside) || compare(a.name, b.name),
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * The file for a line of this time after the one in use. Names only grow, so that lines stay in the order they were
 * written: where the clock was set back, the file of the later month goes on, and after a jump ahead so does that one.
 * One that was set aside is followed by another part, which no later one can then come before.
 */
export function fileAfter(current: string | undefined, at: string, isFull: boolean): string {
  const fresh = `${at.slice(0, 7)}.jsonl`;
  const [wanted] = journalFiles([fresh]);
  const [last] = current === undefined ? [] : journalFiles([current]);
  if (last === undefined) return wanted === undefined ? '0000-00.jsonl' : fresh;
  if (wanted !== undefined && wanted.month > last.month) return fresh;
  return isFull || last.isAside ? `${last.month}.${String(last.part + 1).padStart(3, '0')}.jsonl` : last.name;
}
