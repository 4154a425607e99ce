/** What a person should know about an edit that was done, in both languages. */
export interface HostNote {
  readonly code: NoteCode;
  readonly en: string;
  readonly 'zh-CN': string;
}

const NOTES = {
  'bom-dropped': [
    '{app} cannot read settings that begin with a byte order mark, so it was taken out; the backup has it.',
    '{app} 无法读取以字节顺序标记（BOM）开头的设置，因此已将其去掉；备份中仍保留。',
  ],
  'hard-link': [
    'This file has a second name (a hard link); it was changed in place, so that both names show the same settings.',
    '该文件有第二个名称（硬链接），因此是就地修改的，两个名称看到的设置相同。',
  ],
  misplaced: [
    'The servers under “{section}” in this file are in a place that {app} does not read. They were left as they are.',
    '该文件中“{section}”下的服务位于 {app} 不会读取的位置，没有改动它们。',
  ],
  'other-name': [
    'The name of our entry was taken by another one, which was left as it is; ours is called “{name}”.',
    '我们的条目名称已被其他条目占用，没有改动那一项；我们的条目名为“{name}”。',
  ],
} as const satisfies Record<string, readonly [en: string, zh: string]>;

type NoteCode = keyof typeof NOTES;

/** A note with its values filled in. */
export function note(code: NoteCode, values: Readonly<Record<string, string>>): HostNote {
  const [en, zh] = NOTES[code].map((text) => text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '–'));
  return { code, en: en ?? '', 'zh-CN': zh ?? '' };
}
