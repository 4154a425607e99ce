import { cleanName } from '../core/display.ts';
import type { Change } from '../core/model.ts';
import { evidenceWord, kindWord, MAX_SHOWN, shownName, unknownWords, verdictWords, versionsOf } from './diff-words.ts';
import type { ContractDiff, Unknown } from './diff.ts';

/** As many characters as a comment on GitHub may have. */
const MAX_MARKDOWN = 65_536;
/** For the last line, which says what was left out. */
const RESERVED = 500;

/**
 * The comparison for a comment on a pull request, the gravest first, and no longer than one may be. What a server says of
 * itself stays text in it, whatever it says.
 */
export function diffMarkdown(diff: ContractDiff): string {
  const [name, from, to] = versionsOf(diff);
  const head = [
    `### Holdfast: ${verdictWords(diff)}`,
    `${codeSpan(name)} ${codeSpan(from)} → ${codeSpan(to)}`,
    ...(diff.launch === undefined
      ? []
      : [`Started in another way: ${span(diff.launch.to)} (was ${span(diff.launch.from)})`]),
  ];
  const known = diff.continuity.map((row) => {
    const quote = row.quote === undefined ? '' : `: ${span(row.quote)}`;
    return `- ${codeSpan(shownName(row.kind, row.from))} → ${codeSpan(shownName(row.kind, row.to))}: ${evidenceWord(row)}${quote}`;
  });
  const changes: readonly Item[] = [
    ...diff.unknown.map((each) => ({ what: NOT_COMPARED, text: unknownItem(each) })),
    ...diff.changes.map((each) => ({ what: 'change', text: changeItem(each) })),
  ];
  const suggestions = known.map((text, at): Item => ({ what: 'suggestion', text: `${at === 0 ? TITLE : ''}${text}` }));
  return withinBound(head.join('\n\n'), [...apart(changes), ...apart(suggestions)]);
}

const NOT_COMPARED = 'part that was not compared';
const TITLE = '**What may continue what is gone** (a suggestion, nothing more)\n\n';

interface Item {
  /** One of what, for the line that counts what was left out. */
  readonly what: string;
  readonly text: string;
}

/** A list begins after an empty line. */
function apart(items: readonly Item[]): Item[] {
  return items.map(({ what, text }, at) => ({ what, text: `${at === 0 ? '\n\n' : '\n'}${text}` }));
}

/** Line by line, as far as it goes; an item that was cut counts as left out. */
function withinBound(head: string, items: readonly Item[]): string {
  const whole = `${head}${items.map(({ text }) => text).join('')}\n`;
  if (whole.length <= MAX_MARKDOWN) return whole;
  let kept = head;
  const left = new Map<string, number>();
  for (const { what, text } of items) {
    const fitting = left.size === 0 ? wholeLines(text, MAX_MARKDOWN - RESERVED - kept.length) : '';
    kept += fitting;
    if (fitting.length < text.length) left.set(what, (left.get(what) ?? 0) + 1);
  }
  const counts = [...left].map(([what, count]) => `${count} ${count === 1 ? what : what.replace(/^\w+/, '$&s')}`);
  return `${kept}\n\n**Left out, in whole or in part:** ${counts.join(', ')}. A comment may have no more than 65,536 characters; “holdfast diff” without “--markdown” tells all of it.\n`;
}

/** Its first lines, as many as there is room for. */
function wholeLines(text: string, room: number): string {
  return text.length <= room ? text : text.slice(0, Math.max(0, text.lastIndexOf('\n', Math.max(0, room))));
}

function unknownItem(unknown: Unknown): string {
  return `- **not compared**: ${safeText(unknownWords(unknown))}`;
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
