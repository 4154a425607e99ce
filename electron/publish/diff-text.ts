import { cleanName } from '../core/display.ts';
import type { Change, Fact } from '../core/model.ts';
import { evidenceWord, kindWord, MAX_SHOWN, shownName, unknownWords, verdictWords, versionsOf } from './diff-words.ts';
import type { ContractDiff } from './diff.ts';

/** The comparison for a person at a terminal: all of it, the gravest first. */
export function diffText(diff: ContractDiff): string {
  const [name, from, to] = versionsOf(diff);
  const head = [`${name} ${from} -> ${to}: ${verdictWords(diff)}`];
  if (diff.launch !== undefined)
    head.push(
      `Started in another way: ${cleanName(diff.launch.to, MAX_SHOWN)} (was ${cleanName(diff.launch.from, MAX_SHOWN)})`,
    );
  const known = diff.continuity.map((row) => {
    const quote = row.quote === undefined ? '' : `: “${cleanName(row.quote, MAX_SHOWN)}”`;
    return `  ${shownName(row.kind, row.from)} -> ${shownName(row.kind, row.to)}: ${evidenceWord(row)}${quote}`;
  });
  const parts = [
    head,
    diff.unknown.map(unknownWords),
    ...diff.changes.map(changeLines),
    known.length === 0 ? [] : ['What may continue what is gone (a suggestion, nothing more):', ...known],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function changeLines({ kind, originKey, change, severity, facts, sentences }: Change): string[] {
  return [
    `${severity}: ${kindWord(kind)} ${shownName(kind, originKey)} ${change}`,
    ...sentences.en.map((sentence) => `  ${sentence}`),
    ...facts.map((fact) => `    ${factLine(fact)}`),
  ];
}

/** `breaking in.prop.removed /definition/inputSchema/properties/q`. */
function factLine({ class: name, path, severity }: Fact): string {
  return `${severity} ${cleanName(name, MAX_SHOWN)} ${cleanName(path, MAX_SHOWN)}`;
}
