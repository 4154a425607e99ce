import { BOUNDS } from '../bounds.ts';
import type { Fact, Severity } from '../model.ts';
import { ASKED_SECRETS, CREDENTIALS, HIDDEN, INSTRUCTIONS, matchesOf } from './text-patterns.ts';
import { plainText } from './text-plain.ts';

/** No definition has more text than this; one that had would not be looked through, and count as dangerous. */
const MAX_TEXT = BOUNDS.definitionLength.value * 2;
const MAX_QUOTE = 120;

interface Row {
  readonly class: string;
  readonly severity: Severity;
  /** Everything in the text that counts, word for word. */
  readonly found: (text: string) => readonly string[];
  /** Looked for in the text as it is written, not as it is read. */
  readonly isOfRaw?: true;
}

const ROWS: readonly Row[] = [
  { class: 'text.hidden', severity: 'security', found: matchesOf(HIDDEN), isOfRaw: true },
  { class: 'text.instructs', severity: 'security', found: matchesOf(INSTRUCTIONS) },
  { class: 'text.credentials', severity: 'security', found: matchesOf(CREDENTIALS) },
  { class: 'text.secrets', severity: 'security', found: matchesOf(ASKED_SECRETS) },
  {
    class: 'text.link',
    severity: 'review',
    isOfRaw: true,
    found: (text) => matchesOf([/\bhttps?:\/\/[^\s/"'<>)\]]{1,255}/gi])(text).map((link) => link.toLowerCase()),
  },
];

const lowered = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** Names of other servers' tools that stand in the text as words of their own. */
function namesIn(text: string, names: ReadonlySet<string>): string[] {
  if (names.size === 0) return [];
  const known = lowered.get(names) ?? new Set([...names].map((name) => name.toLowerCase()));
  lowered.set(names, known);
  return [...new Set(text.match(/[A-Za-z0-9_.-]{6,128}/g) ?? [])].filter((word) =>
    known.has(word.replace(/[.-]+$/, '').toLowerCase()),
  );
}

/** What is found more often than it was: of what hides, one more may say something else. */
function newsOf(old: readonly string[], now: readonly string[], isCounted: boolean): string | undefined {
  const known = new Map<string, number>();
  for (const each of old) known.set(each, (known.get(each) ?? 0) + 1);
  return now.find((each) => {
    const left = known.get(each) ?? 0;
    if (isCounted) known.set(each, left - 1);
    return left <= 0;
  });
}

/**
 * Facts about what a text says to the model. Only what the old one did not have counts (README, "Severity").
 * `otherNames` are names of tools of other servers.
 */
export function textFacts(path: string, before: string, after: string, otherNames: ReadonlySet<string>): Fact[] {
  if (before === after) return [];
  if (after.length > MAX_TEXT) return [{ class: 'text.unread', path, severity: 'security' }];
  const [old, now] = [before.slice(0, MAX_TEXT), after];
  const [plainOld, plainNow] = [plainText(old), plainText(now)];
  const rows: readonly Row[] = [
    ...ROWS,
    { class: 'text.otherTools', severity: 'security', found: (text) => namesIn(text, otherNames) },
  ];
  return rows.flatMap((row): Fact[] => {
    const [was, is] = row.isOfRaw ? [old, now] : [plainOld, plainNow];
    const first = newsOf(row.found(was), row.found(is), row.class === 'text.hidden');
    return first === undefined
      ? []
      : [{ class: row.class, path, after: first.slice(0, MAX_QUOTE), severity: row.severity }];
  });
}
