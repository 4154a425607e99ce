/** Words that a person who writes no software should never have to read (UX specification, "Words"). */
const JARGON =
  /\b(schema|hash|manifest|stdio|json|api|endpoint|token|env|argument|parameter|config|protocol|drift|ref|capability|consumer|upstream|proxy|digest|publication)s?\b/gi;
const JARGON_ZH = /模式|哈希|清单|令牌|环境变量|参数|配置文件|端点|协议|漂移|能力面/g;

/** Every word of the list that stands in a text. */
export function jargonIn(text: string, language: 'en' | 'zh-CN'): string[] {
  const english = text.match(JARGON) ?? [];
  return language === 'en' ? english : [...english, ...(text.match(JARGON_ZH) ?? [])];
}
