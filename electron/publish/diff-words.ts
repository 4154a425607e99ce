import type { Continuity, Evidence } from '../core/continuity.ts';
import { cleanName } from '../core/display.ts';
import { SEVERITIES, type Change, type Kind, type Severity } from '../core/model.ts';
import type { ContractDiff, Unknown } from './diff.ts';

/** Longest part of a stranger's name or words in a line of ours. */
export const MAX_SHOWN = 160;

const KIND_WORDS: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  tool: ['tool', 'tools'],
  prompt: ['prompt', 'prompts'],
  resource: ['resource', 'resources'],
  resourceTemplate: ['resource template', 'resource templates'],
  instructions: ['instructions', 'instructions'],
};

/** What speaks for it, after the two names. */
const EVIDENCE_WORDS: Readonly<Record<Evidence, string>> = {
  said: 'its maintainer says so',
  'same-content': 'description and schema are the same',
  'same-name': 'the name is the same but for case, “-” and “_”',
  similar: 'name and description are alike',
};

/** What came or went, for who made it: the core’s sentence, always the first, is for who uses it. */
const PRESENCE: Readonly<Record<'added' | 'removed', Readonly<Record<keyof Change['sentences'], string>>>> = {
  added: { en: 'It is new: nobody depends on it yet.', 'zh-CN': '这是新增内容，还没有人依赖它。' },
  removed: {
    en: 'The server no longer offers it: whoever uses it loses it.',
    'zh-CN': '服务不再提供它，正在使用它的人将无法再使用。',
  },
};

/** The same change in words for who publishes the server. */
export function forPublishers(change: Change): Change {
  if (change.change === 'changed') return change;
  const presence = PRESENCE[change.change];
  const { en, 'zh-CN': zh } = change.sentences;
  return {
    ...change,
    sentences: { en: [presence.en, ...en.slice(1)], 'zh-CN': [presence['zh-CN'], ...zh.slice(1)] },
  };
}

export function kindWord(kind: Kind): string {
  return KIND_WORDS[kind][0];
}

export function kindWords(kind: Kind): string {
  return KIND_WORDS[kind][1];
}

/** A stranger's name or words, in one line without tricks. */
export function shownName(kind: Kind, originKey: string): string {
  return kind === 'instructions' ? 'instructions' : cleanName(originKey, MAX_SHOWN);
}

export function evidenceWord({ evidence, confidence }: Continuity): string {
  return `${EVIDENCE_WORDS[evidence]} (${confidence} confidence)`;
}

/** `breaking (2 breaking, 1 review)`: the highest, and how many of each. */
export function verdictWords({ severity, changes }: ContractDiff): string {
  const counts = [...SEVERITIES].reverse().flatMap((each: Severity) => {
    const count = changes.filter((change) => change.severity === each).length;
    return count === 0 ? [] : [`${count} ${each}`];
  });
  return counts.length === 0 ? 'No change' : `${severity} (${counts.join(', ')})`;
}

/** Name and version as the server gives them, for a head line. */
export function versionsOf({ old, new: now }: ContractDiff): readonly [name: string, from: string, to: string] {
  const shown = (text: string | null): string => (text === null ? '–' : cleanName(text));
  return [shown(now.name ?? old.name), shown(old.version), shown(now.version)];
}

/** What could not be compared, and why. It holds a stranger’s words. */
export function unknownWords({ kind, originKey, side, reason, isMaskedName }: Unknown): string {
  const snapshot = side === 'old' ? 'old snapshot' : 'new snapshot';
  if (isMaskedName === true && originKey !== undefined)
    return `The ${kindWord(kind)} ${shownName(kind, originKey)} was not compared, because its name holds a value that was given to the server, and the ${snapshot} has another name for it, or the value itself. Take both snapshots with the same --env.`;
  const why = cleanName(reason, MAX_SHOWN);
  return originKey === undefined
    ? `The ${kindWords(kind)} were not compared, because the ${snapshot} does not have them whole: ${why}`
    : `The ${kindWord(kind)} ${shownName(kind, originKey)} was not compared, because no app could use it in the ${snapshot}: ${why}`;
}
