import { cleanName } from './display.ts';
import { SEVERITIES, type Change, type Fact, type Json } from './model.ts';

type Words = Change['sentences'];
type Language = keyof Words;
type Pair = Readonly<Record<Language, string>>;

const pair = (en: string, zh: string): Pair => ({ en, 'zh-CN': zh });

/** The one sentence that is true of every change. */
const ANY = pair('The details it needs have changed.', '它需要的信息有变化。');

/**
 * Class of a fact -> its sentence. `{fields}` names inputs or answers, `{old}` and `{new}` are values, `{quote}` is the
 * server's own text. Facts with the same sentence are told together, by all their fields.
 */
const SENTENCES: Readonly<Record<string, Pair>> = {
  description: pair('Its description was reworded.', '说明文字有改动。'),
  'title.added': pair('Its display name is now {new}.', '显示名称改为{new}。'),
  'title.changed': pair('Its display name is now {new}.', '显示名称改为{new}。'),
  'title.removed': pair('It no longer has a display name.', '它不再有显示名称。'),
  instructions: pair('The server’s note to your AI has changed.', '服务给 AI 的说明有变化。'),
  definition: ANY,
  'definition.unreadable': pair('What it was, or is now, cannot be read here.', '它以前或现在的定义在本机无法读取。'),
  launch: pair('It now comes from a different program: {new}.', '它现在来自另一个程序：{new}。'),
  dispatcher: pair(
    'It can run other tools by name. Approving it approves all of them.',
    '它可以按名称运行其他工具，允许它就等于允许所有这些工具。',
  ),
  execution: pair('How it is carried out has changed.', '它的执行方式有变化。'),
  mimeType: pair('It is another kind of file now: {new} (was {old}).', '文件类型变为 {new}（原为 {old}）。'),
  'uri.origin': pair(
    'It now comes from another place: {new} (was {old}).',
    '它现在来自另一个位置：{new}（原为 {old}）。',
  ),
  'uri.changed': pair('It now has another address: {new} (was {old}).', '地址变为 {new}（原为 {old}）。'),
  'uri.code': pair('Its address holds contents or code by itself: {new}.', '它的地址本身就含有内容或代码：{new}。'),
  field: pair('Something else about it has changed: {fields}.', '它的其他信息有变化：{fields}。'),

  'text.hidden': pair('Its text now holds characters that you cannot see.', '它的文字中含有看不见的字符。'),
  'text.instructs': pair(
    'Its description now gives your AI extra instructions: “{quote}”',
    '它的说明里新增了给 AI 的指令：“{quote}”',
  ),
  'text.credentials': pair(
    'Its text now names a place where passwords or keys are kept: “{quote}”',
    '它的文字提到了存放密码或密钥的位置：“{quote}”',
  ),
  'text.secrets': pair(
    'Its text now holds or asks for passwords or keys: “{quote}”',
    '它的文字含有或索要密码或密钥：“{quote}”',
  ),
  'text.otherTools': pair(
    'Its text now speaks of another server’s tool: “{quote}”',
    '它的文字提到了其他服务的工具：“{quote}”',
  ),
  'text.unread': pair('Its text is too long to be looked through.', '它的文字过长，无法检查。'),
  'text.link': pair('Its text has a new link: {quote}', '它的文字中有新链接：{quote}'),

  'hint.readOnlyHint.claimed': pair(
    'Now says it only reads. Before, it did not say.',
    '现在声明为只读，以前没有说明。',
  ),
  'hint.readOnlyHint.claimsSafer': pair(
    'Now says it only reads. Before, it could change things.',
    '现在声明为只读，以前可以修改内容。',
  ),
  'hint.readOnlyHint.claimsRiskier': pair(
    'No longer says it only reads. We treat it as able to make changes.',
    '不再声明“只读”，我们按“可修改内容”处理。',
  ),
  'hint.destructiveHint.claimed': pair('Now says it deletes and overwrites nothing.', '现在声明不会删除或覆盖内容。'),
  'hint.destructiveHint.claimsSafer': pair(
    'Now says it deletes and overwrites nothing. Before, it could.',
    '现在声明不会删除或覆盖内容，以前可以。',
  ),
  'hint.destructiveHint.claimsRiskier': pair('Can now delete or overwrite things.', '现在可以删除或覆盖内容。'),
  'hint.openWorldHint.claimed': pair('Now says it stays off the internet.', '现在声明不会访问互联网。'),
  'hint.openWorldHint.claimsSafer': pair(
    'Now says it stays off the internet. Before, it went online.',
    '现在声明不会访问互联网，以前会。',
  ),
  'hint.openWorldHint.claimsRiskier': pair(
    'Can now reach the internet or other services.',
    '现在可以访问互联网或其他服务。',
  ),
  'hint.idempotentHint.claimed': pair('Now says running it twice does no harm.', '现在声明重复运行没有影响。'),
  'hint.idempotentHint.claimsSafer': pair('Now says running it twice does no harm.', '现在声明重复运行没有影响。'),
  'hint.idempotentHint.claimsRiskier': pair('Running it twice may now do the work twice.', '重复运行可能会重复执行。'),

  'in.prop.added.optional': pair('Can now also use: {fields} (optional).', '新增可选信息：{fields}。'),
  'in.prop.added.required': pair('Now also needs: {fields}.', '现在还需要提供：{fields}。'),
  'in.prop.added.requiredWithDefault': pair('Now also needs: {fields}.', '现在还需要提供：{fields}。'),
  'in.prop.added.dangerous': pair(
    'Has a new setting that sounds risky: {fields}.',
    '新增了听起来有风险的选项：{fields}。',
  ),
  'in.prop.removed': pair('No longer asks for: {fields}.', '不再需要：{fields}。'),
  'in.prop.description': pair('The explanation of {fields} was reworded.', '{fields} 的说明有改动。'),
  'in.required.added': pair('Used to be optional, now needed: {fields}.', '以前可不填，现在必填：{fields}。'),
  'in.required.dropped': pair('Can now be left out: {fields}.', '现在可以不填：{fields}。'),
  'in.type.widened': pair('Takes more kinds of values than before: {fields}.', '可接受更多类型：{fields}。'),
  'in.type': pair('“{fields}” was {old}. Now it must be {new}.', '“{fields}”以前是{old}，现在必须是{new}。'),
  'in.enum.widened': pair('Has new choices: {fields}.', '新增选项：{fields}。'),
  'in.enum.dropped': pair('Is no longer limited to a list of choices: {fields}.', '不再限于固定选项：{fields}。'),
  'in.enum': pair('Has fewer or other choices: {fields}.', '可选项减少或有变化：{fields}。'),
  'in.bound.tightened': pair('Has stricter limits: {fields}.', '限制变严：{fields}。'),
  'in.bound.loosened': pair('Has looser limits: {fields}.', '限制放宽：{fields}。'),
  'in.pattern.removed': pair('May now be written freely: {fields}.', '书写格式不再受限：{fields}。'),
  'in.pattern': pair('Must be written in a different way: {fields}.', '书写格式要求有变化：{fields}。'),
  'in.format.removed': pair('May now be written freely: {fields}.', '书写格式不再受限：{fields}。'),
  'in.format': pair('Must be written in a different way: {fields}.', '书写格式要求有变化：{fields}。'),
  'in.default.added': pair('If you don’t say, “{fields}” is now {new}.', '不指定时，“{fields}”默认为 {new}。'),
  'in.default.changed': pair(
    'If you don’t say, “{fields}” is now {new} (was {old}).',
    '不指定时，“{fields}”默认为 {new}（原为 {old}）。',
  ),
  'in.default.removed': pair(
    'If you don’t say, “{fields}” is no longer {old}.',
    '不指定时，“{fields}”不再默认为 {old}。',
  ),
  'in.union.widened': pair('Takes more kinds of values than before: {fields}.', '可接受更多类型：{fields}。'),
  'in.union': pair('Takes fewer or other kinds of values: {fields}.', '可接受的类型减少或有变化：{fields}。'),
  'in.additionalProperties.opened': pair('Now takes details of your own, too.', '现在也接受自定义信息。'),
  'in.additionalProperties.closed': pair('Now takes only the details it names.', '现在只接受列出的信息。'),
  'in.additionalProperties.closed.map': pair(
    'No longer takes details of your own: {fields}.',
    '不再接受自定义内容：{fields}。',
  ),
  'in.spelling': pair('It is written differently and means the same.', '写法不同，含义不变。'),
  'in.schema.removed': pair('It no longer says what it needs.', '它不再说明需要哪些信息。'),
  'in.other': pair('A note on {fields} has changed.', '{fields} 的附加说明有变化。'),
  in: ANY,

  'out.prop.added': pair('Answers now also include: {fields}.', '结果中新增：{fields}。'),
  'out.prop.removed': pair('Answers no longer include: {fields}.', '结果中不再包含：{fields}。'),
  'out.prop.description': pair('The explanation of its answers was reworded.', '对结果的说明有改动。'),
  'out.required.dropped': pair('Answers may now leave out: {fields}.', '结果中可能没有：{fields}。'),
  'out.required.added': pair('Answers now always include: {fields}.', '结果中一定包含：{fields}。'),
  'out.schema.added': pair('It now says what its answers look like.', '它现在说明了结果的格式。'),
  'out.schema.removed': pair('It no longer says what its answers look like.', '它不再说明结果的格式。'),
  'out.spelling': pair('It is written differently and means the same.', '写法不同，含义不变。'),
  'out.other': pair('The explanation of its answers was reworded.', '对结果的说明有改动。'),
  out: pair('Its answers can now look different: {fields}.', '结果的内容可能有变化：{fields}。'),

  'arg.added.optional': pair('Can now also use: {fields} (optional).', '新增可选信息：{fields}。'),
  'arg.added.required': pair('Now also needs: {fields}.', '现在还需要提供：{fields}。'),
  'arg.removed': pair('No longer asks for: {fields}.', '不再需要：{fields}。'),
  'arg.required.added': pair('Used to be optional, now needed: {fields}.', '以前可不填，现在必填：{fields}。'),
  'arg.required.dropped': pair('Can now be left out: {fields}.', '现在可以不填：{fields}。'),
  'arg.spelling': pair('It is written differently and means the same.', '写法不同，含义不变。'),
  'arg.description': pair('The explanation of {fields} was reworded.', '{fields} 的说明有改动。'),
};

const MAX_FIELDS = 5;
const MAX_VALUE = 40;

/** Kinds of values in plain words. */
const TYPES: Readonly<Record<string, Pair>> = {
  string: pair('text', '文本'),
  number: pair('a number', '数字'),
  integer: pair('a whole number', '整数'),
  boolean: pair('yes or no', '是或否'),
  array: pair('a list', '列表'),
  object: pair('a group of details', '一组信息'),
  null: pair('nothing', '空'),
};

/** What these facts come to, in plain sentences, the gravest first; each is said once. */
export function factSentences(facts: readonly Fact[]): Words {
  const graver = (a: Fact, b: Fact): number => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity);
  const groups = new Map<Pair, Fact[]>();
  for (const fact of [...facts].sort(graver)) {
    const sentence = sentenceOf(fact.class);
    const key = takesFieldsOnly(sentence) ? sentence : { ...sentence };
    groups.set(key, [...(groups.get(key) ?? []), fact]);
  }
  const all = [...groups].map(([sentence, group]) => ({
    en: filled(sentence, group, 'en'),
    'zh-CN': filled(sentence, group, 'zh-CN'),
  }));
  const each = (language: Language): string[] => [...new Set(all.map((words) => words[language]))];
  return { en: each('en'), 'zh-CN': each('zh-CN') };
}

/** The row of the class, or of the nearest one above it. */
function sentenceOf(name: string): Pair {
  const parts = name.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const key = parts.slice(0, length).join('.');
    const found = Object.hasOwn(SENTENCES, key) ? SENTENCES[key] : undefined;
    if (found !== undefined) return found;
  }
  return ANY;
}

/** Sentences with values in them are about one fact; the others can name all their fields at once. */
function takesFieldsOnly({ en }: Pair): boolean {
  return !/\{(?:old|new|quote)\}/.test(en);
}

function filled(sentence: Pair, group: readonly Fact[], language: Language): string {
  const [first] = group;
  const isType = first?.class.includes('.type.') === true;
  const values: Readonly<Record<string, string>> = {
    fields: fieldsOf(group, language),
    old: valueOf(first?.before, language, isType),
    new: valueOf(first?.after, language, isType),
    quote: typeof first?.after === 'string' ? cleanName(first.after) : '',
  };
  return sentence[language].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

function fieldsOf(group: readonly Fact[], language: Language): string {
  const names = [...new Set(group.map(({ path }) => fieldName(path)))].filter((name) => name !== '');
  if (names.length === 0) return language === 'en' ? 'its details' : '它的信息';
  const shown = names.slice(0, MAX_FIELDS).join(language === 'en' ? ', ' : '、');
  const more = names.length - MAX_FIELDS;
  if (more <= 0) return shown;
  return language === 'en' ? `${shown} and ${more} more` : `${shown} 等 ${names.length} 项`;
}

const AFTER_NAME = /\/(?:properties|arguments)\/([^/]+)/g;
const STEP = /^\/definition\/([^/]+)$/;

/** `/definition/inputSchema/properties/maxAge` -> `max age`. */
function fieldName(path: string): string {
  const name = [...path.matchAll(AFTER_NAME)].at(-1)?.[1] ?? STEP.exec(path)?.[1] ?? '';
  if (name === 'inputSchema' || name === 'outputSchema') return '';
  const plain = name.replaceAll('~1', '/').replaceAll('~0', '~');
  const words = plain.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ');
  return cleanName(words.toLowerCase().trim());
}

function valueOf(value: Json | undefined, language: Language, isType: boolean): string {
  if (value === undefined) return language === 'en' ? 'not set' : '未设置';
  if (isType) return typesOf(value, language);
  if (typeof value === 'string') return `“${cleanName(value, MAX_VALUE)}”`;
  return cleanName(JSON.stringify(value), MAX_VALUE);
}

function typesOf(value: Json, language: Language): string {
  const names = (Array.isArray(value) ? value : [value]).map((name: Json) => (typeof name === 'string' ? name : ''));
  const or = language === 'en' ? ' or ' : '或';
  return names.map((name) => TYPES[name]?.[language] ?? cleanName(name)).join(or);
}
