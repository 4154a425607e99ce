import { BOUNDS } from '../bounds.ts';
import type { Fact, Severity } from '../model.ts';

/** No definition has more text than this; one that had would not be looked through, and count as dangerous. */
const MAX_TEXT = BOUNDS.definitionLength.value * 2;
const MAX_QUOTE = 120;

interface Row {
  readonly class: string;
  readonly severity: Severity;
  /** Everything in the text that counts, word for word. */
  readonly found: (text: string) => readonly string[];
}

const matches =
  (pattern: RegExp) =>
  (text: string): string[] =>
    [...text.matchAll(pattern)].map(([match]) => match);

/** No pattern has nested repetition, and gaps are bounded, so that a text costs no more than its length. */
const ROWS: readonly Row[] = [
  {
    class: 'text.hidden',
    severity: 'security',
    // Zero width, bidirectional controls, tags, fillers; not what joins letters of some scripts and emoji.
    found: matches(/(?!\u200c|\u200d|\ufe0f)(?:\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb])/gu),
  },
  {
    class: 'text.instructs',
    severity: 'security',
    found: (text) => INSTRUCTIONS.flatMap((pattern) => matches(pattern)(text)),
  },
  {
    class: 'text.credentials',
    severity: 'security',
    found: matches(
      /(?:~|\$HOME|%USERPROFILE%)?[/\\]?\.(?:ssh|aws|gnupg|kube|netrc|npmrc|pypirc|pgpass|git-credentials|docker[/\\]config\.json|config[/\\]gcloud)\b|\bid_(?:rsa|ed25519|ecdsa)\b|\/etc\/(?:passwd|shadow|sudoers)\b|\bmcp\.json\b|\bclaude_desktop_config\.json\b/gi,
    ),
  },
  {
    class: 'text.link',
    severity: 'review',
    found: (text) => matches(/\bhttps?:\/\/[^\s/"'<>)\]]{1,255}/gi)(text).map((link) => link.toLowerCase()),
  },
];

/** Orders to the model that no description of a tool needs. */
const INSTRUCTIONS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|earlier|above|other|all|any|system)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules?|messages?|tools?|guidelines?)\b/gi,
  /\b(?:do not|don['’]t|never|without)\b[^.\n]{0,25}\b(?:tell|inform|telling|informing|mention|mentioning|reveal|notify|notifying|asking)\b[^.\n]{0,25}\b(?:the )?(?:user|human|person)\b/gi,
  /<\/?(?:important|system|secret|instructions?|assistant|hidden)\b[^>\n]{0,60}>/gi,
  /\b(?:before|after|whenever|instead of)\b[^.\n]{0,25}\b(?:using|calling|invoking|running)\b[^.\n]{0,20}\b(?:any|every|all|another|other)\b[^.\n]{0,20}\btools?\b/gi,
  /\b(?:pass|send|include|put|provide|append|forward|exfiltrate)\b[^.\n]{0,50}\b(?:conversation history|chat history|system prompt|entire conversation|full conversation|whole conversation)\b/gi,
  /\b(?:you are now\b|from now on,? you\b|new instructions?:|system prompt:)/gi,
];

/** Names of other servers' tools that stand in the text as words of their own. */
function namesIn(text: string, names: ReadonlySet<string>): string[] {
  if (names.size === 0) return [];
  return [...new Set(text.match(/[A-Za-z0-9_.-]{6,128}/g) ?? [])].filter((word) =>
    names.has(word.replace(/[.-]+$/, '')),
  );
}

/**
 * Facts about what a text says to the model. Only what the old one did not have counts (README, "Severity").
 * `otherNames` are names of tools of other servers.
 */
export function textFacts(path: string, before: string, after: string, otherNames: ReadonlySet<string>): Fact[] {
  if (before === after) return [];
  if (after.length > MAX_TEXT) return [{ class: 'text.unread', path, severity: 'security' }];
  const [old, now] = [before.slice(0, MAX_TEXT), after];
  const news = (found: (text: string) => readonly string[]): string[] => {
    const known = new Set(found(old));
    return [...new Set(found(now))].filter((each) => !known.has(each));
  };
  const rows: readonly Row[] = [
    ...ROWS,
    { class: 'text.otherTools', severity: 'security', found: (text) => namesIn(text, otherNames) },
  ];
  return rows.flatMap((row): Fact[] => {
    const [first] = news(row.found);
    return first === undefined
      ? []
      : [{ class: row.class, path, after: first.slice(0, MAX_QUOTE), severity: row.severity }];
  });
}
