import { IntlMessageFormat } from 'intl-messageformat';
import { EN } from './words/en.ts';
import type { NumberSlots, Slots, WordKey } from './words/translation.ts';
import { ZH_CN } from './words/zh-cn.ts';

export type Language = 'en' | 'zh-CN';
export type { WordKey };
/** Every string in one language, as ICU messages. */
export type Table = Readonly<Record<WordKey, string>>;
export type Tables = Readonly<Record<Language, Table>>;

type Text<K extends WordKey> = (typeof EN)[K];
type Values<K extends WordKey> = {
  readonly [Slot in Slots<Text<K>>]: Slot extends NumberSlots<Text<K>> ? number : string;
};

/** One string, filled; a placeholder without its value does not compile. */
export type Translate = <K extends WordKey>(
  key: K,
  ...values: Slots<Text<K>> extends never ? [] : [values: Values<K>]
) => string;

export const TABLES: Tables = { en: EN, 'zh-CN': ZH_CN };

/** Everything the window says, in one language. */
export interface Words {
  readonly language: Language;
  readonly t: Translate;
  /** “Claude, Cursor and VS Code” */
  readonly list: (names: readonly string[]) => string;
  /** Sentences one after another, as the language does it. */
  readonly join: (sentences: readonly string[]) => string;
  readonly date: (at: string) => string;
  readonly time: (at: string) => string;
  /** Day and time. */
  readonly moment: (at: string) => string;
}

/** The words of one language; `table` stands in for its strings where a test wants others. */
export function wordsFor(language: Language, table: Table = TABLES[language]): Words {
  const messages = new Map<WordKey, IntlMessageFormat>();
  const message = (key: WordKey): IntlMessageFormat => {
    const found = messages.get(key) ?? new IntlMessageFormat(table[key], language, undefined, { ignoreTag: true });
    messages.set(key, found);
    return found;
  };
  const t: Translate = (key, ...[values]) => String(message(key).format<string>(values ?? {}));
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long' });
  const both = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  return {
    language,
    t,
    list: (names) => joinNames(names, t, language),
    join: (sentences) => sentences.join(language === 'en' ? ' ' : ''),
    date: (at) => day.format(new Date(at)),
    time: (at) => clock.format(new Date(at)),
    moment: (at) => both.format(new Date(at)),
  };
}

function joinNames(names: readonly string[], t: Translate, language: Language): string {
  const head = names.slice(0, -1).join(t('list.comma'));
  const last = names.at(-1) ?? '';
  if (head === '') return last;
  const joined = `${head}${t('list.and')}${last}`;
  return language === 'zh-CN' ? spaceScripts(joined) : joined;
}

/** Chinese typography puts a space between Han and Latin. */
function spaceScripts(text: string): string {
  return text.replaceAll(/(?<=[\w)])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=[\w(])/gu, ' ');
}
