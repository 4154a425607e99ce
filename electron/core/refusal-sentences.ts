type Words = readonly [message: string, next: string];
type Row = readonly [en: Words, zh: Words];

const NOT_ADDED: Words = ['Nothing was added.', '没有添加任何内容。'];
const FRESH_COPY = [
  'Get the file again from where the server comes from.',
  '请从该服务的来源重新获取这个文件。',
] as const;
const ASK_PUBLISHER = [
  'Ask whoever publishes the server for another file.',
  '请向该服务的发布者索取另一个文件。',
] as const;
const OTHER_WAY = [
  'Add the server with the command that its own page gives.',
  '请用该服务自己页面上给出的命令来添加它。',
] as const;

function row(en: string, zh: string, [nextEn, nextZh]: readonly [string, string]): Row {
  return [
    [`${en} ${NOT_ADDED[0]}`, nextEn],
    [`${zh}${NOT_ADDED[1]}`, nextZh],
  ];
}

/** Why a file, a link or an entry of a list is not taken as a server; `{name}` is filled from the error's details. */
const REFUSALS = {
  unreadable: row('{file} could not be read: {reason}.', '无法读取 {file}：{reason}。', FRESH_COPY),
  'not-zip': row('{file} is no bundle, or is damaged.', '{file} 不是服务包，或已损坏。', FRESH_COPY),
  'too-big': row('{file} is larger than {limit}.', '{file} 超过了 {limit}。', ASK_PUBLISHER),
  'too-many': row('{file} holds more than {limit} files.', '{file} 中的文件超过 {limit} 个。', ASK_PUBLISHER),
  bomb: row(
    '{file} would grow to more than it may when it is unpacked.',
    '{file} 解包后会超过允许的大小。',
    ASK_PUBLISHER,
  ),
  encrypted: row('“{entry}” in {file} is locked with a password.', '{file} 中的“{entry}”被密码锁定。', ASK_PUBLISHER),
  method: row(
    '“{entry}” in {file} is packed in a way that is not known here.',
    '{file} 中“{entry}”的压缩方式无法识别。',
    ASK_PUBLISHER,
  ),
  path: row(
    '“{entry}” in {file} would be put where it does not belong, or cannot be on every computer.',
    '{file} 中的“{entry}”会被放到不该放的位置，或无法存在于某些电脑上。',
    ASK_PUBLISHER,
  ),
  twice: row(
    '“{entry}” is in {file} twice, or differs from another name only in a way that some computers do not see.',
    '“{entry}”在 {file} 中出现了两次，或与另一个名字的差别在某些电脑上无法区分。',
    ASK_PUBLISHER,
  ),
  link: row(
    '“{entry}” in {file} is no plain file but points elsewhere.',
    '{file} 中的“{entry}”不是普通文件，而是指向别处。',
    ASK_PUBLISHER,
  ),
  damaged: row('“{entry}” in {file} is damaged.', '{file} 中的“{entry}”已损坏。', FRESH_COPY),
  'no-manifest': row('{file} does not say what server is in it.', '{file} 没有说明其中是什么服务。', ASK_PUBLISHER),
  manifest: row(
    '{file} describes its server in a way that does not fit: {reason}.',
    '{file} 对其服务的描述不符合要求：{reason}。',
    ASK_PUBLISHER,
  ),
  newer: row(
    '{file} is made for a newer Holdfast (its form is {found}).',
    '{file} 是为更新版本的 Holdfast 制作的（格式 {found}）。',
    ['Update Holdfast, or ask for a file in an older form.', '请更新 Holdfast，或索取旧格式的文件。'],
  ),
  platform: row(
    'The server in {file} does not run on this kind of computer.',
    '{file} 中的服务不能在这种电脑上运行。',
    ['Ask whoever publishes it for the file for your system.', '请向发布者索取适用于你的系统的文件。'],
  ),
  'no-entry': row(
    '{file} wants to start “{entry}”, which is not in it.',
    '{file} 想启动“{entry}”，但其中没有它。',
    ASK_PUBLISHER,
  ),
  secret: row(
    '“{name}” is a key, and would be on the command line, where every program on this computer can read it.',
    '“{name}”是密钥，却会出现在命令行里，这台电脑上的任何程序都能读到。',
    OTHER_WAY,
  ),
  steers: row(
    '{file} sets “{name}”, which would change which programs are started or where they come from.',
    '{file} 设置了“{name}”，这会改变启动哪些程序或它们的来源。',
    ASK_PUBLISHER,
  ),
  digest: row(
    'The file from {host} is not the one that was published: its fingerprint is another one.',
    '来自 {host} 的文件与发布的文件不同：指纹不一致。',
    ['Do not use it. Tell whoever publishes the server.', '请不要使用它，并告知该服务的发布者。'],
  ),
  incomplete: row('It still needs: {names}.', '还需要填写：{names}。', [
    'Fill that in; on the command line with --set KEY=VALUE.',
    '请填写这些内容；在命令行中使用 --set KEY=VALUE。',
  ]),
  value: row('“{name}” cannot be what was given.', '“{name}”不能是所给的值。', [
    'Look at what it may be, and give it again.',
    '请查看允许的值，然后重新填写。',
  ]),
  gone: row('That server is no longer laid out to be added.', '该服务已不在待添加之列。', [
    'Open the file, link or entry again.',
    '请重新打开该文件、链接或条目。',
  ]),
  'not-listed': row('There is no server called “{name}” in the list.', '列表中没有名为“{name}”的服务。', [
    'Run "holdfast catalogue search WORD" to look for it.',
    '请用 “holdfast catalogue search WORD” 查找。',
  ]),
  offline: row('The public list of servers cannot be reached: {reason}.', '无法访问公共服务列表：{reason}。', [
    'Try again when you are online; the servers that come with Holdfast are there all the same.',
    '请联网后重试；Holdfast 自带的服务列表仍可使用。',
  ]),
  'no-way': row('Holdfast cannot start {name}: {reason}.', 'Holdfast 无法启动 {name}：{reason}。', OTHER_WAY),
  linked: row('That link does not say which server to add: {reason}.', '该链接没有说明要添加哪个服务：{reason}。', [
    'Look up the server’s own page and paste what it says there.',
    '请查看该服务自己的页面，并粘贴那里给出的内容。',
  ]),
} as const satisfies Readonly<Record<string, Row>>;

/** Why something offered is not taken; each has its sentence and next step here. */
export type Refusal = keyof typeof REFUSALS;

/** The sentence and next step of a refusal; `undefined` for what is none. */
export function refusalRow(refusal: unknown): Row | undefined {
  return typeof refusal === 'string' && Object.hasOwn(REFUSALS, refusal) ? REFUSALS[refusal as Refusal] : undefined;
}
