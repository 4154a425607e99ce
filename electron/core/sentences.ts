import { BOUNDS } from './bounds.ts';
import { cleanName, showsNothing } from './display.ts';
import { factSentences } from './fact-sentences.ts';
import type { Change, Fact, Kind, StoredDefinition } from './model.ts';

type Words = Change['sentences'];

/** What is new or gone, in one sentence; what changed has one for each of its facts. */
const PRESENCE_SENTENCES: Readonly<Record<'added' | 'removed', (name: string) => Words>> = {
  added: (name) => ({
    en: [`“${name}” is new. It is off until you turn it on.`],
    'zh-CN': [`“${name}”是新增的，启用前保持关闭。`],
  }),
  removed: () => ({
    en: ['The server no longer offers it. Your choice is kept in case it comes back.'],
    'zh-CN': ['服务不再提供它，你的选择会保留，以备恢复。'],
  }),
};

/** What changed, in plain words. */
export function changeSentences(change: Change['change'], shown: StoredDefinition, facts: readonly Fact[]): Words {
  const told = factSentences(facts);
  if (change === 'changed') return told;
  const presence = PRESENCE_SENTENCES[change](displayName(shown));
  return { en: [...presence.en, ...told.en], 'zh-CN': [...presence['zh-CN'], ...told['zh-CN']] };
}

const INSTRUCTIONS_NAME = 'instructions';

/** What a person calls a capability: its title, else its name made readable. */
export function displayName(shown: Pick<StoredDefinition, 'kind' | 'originKey'> & Partial<StoredDefinition>): string {
  const { title, name } = shown.definition ?? {};
  const given = shown.kind === 'resource' ? [title, name] : [title];
  const visible = given.find((text): text is string => typeof text === 'string' && !showsNothing(text));
  return visible !== undefined ? cleanName(visible) : readableName(shown.kind, shown.originKey);
}

/** `web_search_exa` -> `Web search exa`; URIs stay as they are. */
function readableName(kind: Kind, originKey: string): string {
  if (kind === 'instructions') return INSTRUCTIONS_NAME;
  if (kind !== 'tool' && kind !== 'prompt') return cleanName(originKey);
  const words = originKey
    .slice(0, BOUNDS.keyLength.value)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_\-./]+/g, ' ')
    .trim()
    .toLowerCase();
  return cleanName(words.charAt(0).toUpperCase() + words.slice(1)) || cleanName(originKey);
}
