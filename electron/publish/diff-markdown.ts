import { cleanName } from '../core/display.ts';
import type { Change } from '../core/model.ts';
import { evidenceWord, kindWord, MAX_SHOWN, shownName, unknownWords, verdictWords, versionsOf } from './diff-words.ts';
import type { ContractDiff } from './diff.ts';

/** The comparison for a comment on a pull request. What a server says of itself stays text in it, whatever it says. */
export function diffMarkdown(diff: ContractDiff): string {
  const [name, from, to] = versionsOf(diff);
  const head = [
    `### Holdfast: ${verdictWords(diff)}`,
    `${codeSpan(name)} ${codeSpan(from)} → ${codeSpan(to)}`,
    ...(diff.launch === undefined
      ? []
      : [`Started in another way: ${span(diff.launch.to)} (was ${span(diff.launch.from)})`]),
  ];
  const unknown = diff.unknown.map((each) => `- **not compared**: ${safeText(unknownWords(each))}`);
  const changes = diff.changes.map(changeItem);
  const known = diff.continuity.map((row) => {
    const quote = row.quote === undefined ? '' : `: ${span(row.quote)}`;
    return `- ${codeSpan(shownName(row.kind, row.from))} → ${codeSpan(shownName(row.kind, row.to))}: ${evidenceWord(row)}${quote}`;
  });
  const parts = [
    head.join('\n\n'),
    [...unknown, ...changes].join('\n'),
    known.length === 0 ? '' : `**What may continue what is gone** (a suggestion, nothing more)\n\n${known.join('\n')}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function changeItem({ kind, originKey, change, severity, sentences }: Change): string {
  const item = `- **${severity}**: ${kindWord(kind)} ${codeSpan(shownName(kind, originKey))} ${change}`;
  return [item, ...sentences.en.map((sentence) => `  - ${safeText(sentence)}`)].join('\n');
}

function span(text: string): string {
  return codeSpan(cleanName(text, MAX_SHOWN));
}

/**
 * Text as code: no markup, HTML, link, mention or reference in it is one. The fence is longer than any run of backticks in
 * the text, and blanks keep them apart. The text is one line.
 */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(text) ? ' ' : '';
  return text === '' ? '–' : `${fence}${pad}${text}${pad}${fence}`;
}

/** Plain words: nothing in them can start markup, a link, a mention or a reference. */
const PLAIN = /^[\p{L}\p{M}\p{N}\s.,:;?!'"“”‘’()%+–…=-]*$/u;
/** Of plain words, what a renderer may still make a link or a reference of, or take for the start of a block. */
const LINKS = /www\.|:\/|:[\w+-]+:|\b[0-9a-f]{7,40}\b|\bGH-\d|^\s*(?:[-+=]|\d+[.)])|\s{2}/iu;

/** One of our sentences, with whatever it quotes: as text where that is harmless, else as code. */
function safeText(sentence: string): string {
  const line = cleanLine(sentence);
  return PLAIN.test(line) && !LINKS.test(line) ? line : codeSpan(line);
}

function cleanLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
