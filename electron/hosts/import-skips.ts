/** Why an entry stays where it is, in both languages. */
export interface ImportSkip {
  readonly code: SkipCode;
  readonly en: string;
  readonly 'zh-CN': string;
}

const SKIPS = {
  ours: ['This is Holdfast’s own entry.', '这是 Holdfast 自己的条目。'],
  bridge: [
    'It leads to another program that brings servers together, and through it the way could lead back here.',
    '它通向另一个汇集服务的程序，经由它可能会绕回到这里。',
  ],
  empty: ['It names no program to start and no address.', '它没有写明要启动的程序，也没有地址。'],
  malformed: [
    'It is written in a way that Holdfast does not understand ({where}).',
    'Holdfast 不理解它的写法（{where}）。',
  ],
  transport: ['Holdfast cannot reach a server in this way ({type}).', 'Holdfast 无法以这种方式（{type}）连接服务。'],
  'built-in': ['It is a part of {app} and cannot run without it.', '它是 {app} 的一部分，离开 {app} 无法运行。'],
  'env-file': [
    'Its values are in another file ({file}). Add it by hand, with the values from there.',
    '它的值写在另一个文件中（{file}）。请手动添加，并填入其中的值。',
  ],
  hidden: ['It has hidden characters. Do not use it.', '其中含有隐藏字符，请不要使用。'],
  twice: [
    'Its name is there twice, so it is not clear which of the two is meant.',
    '这个名称出现了两次，无法确定指的是哪一个。',
  ],
  address: [
    'Its address cannot be used: it is no https address, or it has a password in it.',
    '它的地址无法使用：不是 https 地址，或者其中含有密码。',
  ],
  values: [
    'It needs values that only its app knows: {names}. Fill them in first.',
    '它需要只有原应用才知道的值：{names}。请先填写。',
  ],
  'not-started': ['It did not start: {reason}. It was left where it is.', '它没有启动：{reason}。它仍留在原处。'],
  settings: [
    'The settings of {app} cannot be changed: {hint} They were left as they are.',
    '无法更改 {app} 的设置：{hint} 这些设置保持原样。',
  ],
  'not-added': ['{message} It was left where it is.', '{message} 它仍留在原处。'],
  many: ['There are more than {limit} servers in this file.', '该文件中的服务超过 {limit} 个。'],
} as const satisfies Record<string, readonly [en: string, zh: string]>;

export type SkipCode = keyof typeof SKIPS;

/** A reason with its values filled in. */
export function skip(code: SkipCode, values: Readonly<Record<string, string | number>> = {}): ImportSkip {
  const [en, zh] = SKIPS[code].map((text) =>
    text.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? '–')),
  );
  return { code, en: en ?? '', 'zh-CN': zh ?? '' };
}
