import { EN } from './words/en.ts';
import { ZH_CN } from './words/zh-cn.ts';

export type Language = 'en' | 'zh-CN';
/** A string, or its plural forms by CLDR category. */
export type Phrase = string | { readonly one: string; readonly other: string };
export type WordKey = keyof typeof EN;

/** Names of the `{slots}` in a string. */
type Slots<S extends string> = S extends `${string}{${infer Slot}}${infer Rest}` ? Slot | Slots<Rest> : never;
type Text<K extends WordKey> = (typeof EN)[K] extends string ? (typeof EN)[K] : (typeof EN)[K][keyof (typeof EN)[K]];
type Values<K extends WordKey> =
  Text<K> extends infer S extends string ? { readonly [Slot in Slots<S>]: string | number } : never;

/** One string, filled; a slot without its value does not compile. A number named `n` picks the plural form. */
export type Translate = <K extends WordKey>(
  key: K,
  ...values: keyof Values<K> extends never ? [] : [values: Values<K>]
) => string;

const TABLES: Readonly<Record<Language, Readonly<Record<WordKey, Phrase>>>> = { en: EN, 'zh-CN': ZH_CN };

/** Everything the window says, in one language. */
export interface Words {
  readonly language: Language;
  readonly t: Translate;
  /** “Claude, Cursor and VS Code” */
  readonly list: (names: readonly string[]) => string;
}

export function wordsFor(language: Language): Words {
  const table = TABLES[language];
  const plural = new Intl.PluralRules(language);
  const t: Translate = (key, ...[values]) => {
    const phrase = table[key];
    const filled: Readonly<Record<string, string | number>> = values ?? {};
    const text = typeof phrase === 'string' ? phrase : phrase[isOne(plural, filled['n']) ? 'one' : 'other'];
    return text.replaceAll(/\{(\w+)\}/g, (_, slot: string) => String(filled[slot] ?? '–'));
  };
  return { language, t, list: (names) => joinNames(names, t, language) };
}

function isOne(plural: Intl.PluralRules, n: string | number | undefined): boolean {
  return typeof n === 'number' && plural.select(n) === 'one';
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
