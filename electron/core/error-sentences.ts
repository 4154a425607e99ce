import { BOUNDS, isBoundName } from './bounds.ts';
import { cleanText } from './display.ts';
import type { ErrorCode, ErrorDetails, HoldfastError } from './errors.ts';
import type { Settings } from './model.ts';
import { refusalRow } from './refusal-sentences.ts';
import { systemReason } from './system-reasons.ts';

/** What a person reads about an error: what happened, and what to do next. */
export interface ErrorWords {
  readonly code: ErrorCode;
  readonly message: string;
  readonly next: string;
}

type Row = readonly [en: readonly [message: string, next: string], zh: readonly [message: string, next: string]];

/** `{name}` is filled from the error's details. */
const SENTENCES: Readonly<Record<ErrorCode, Row>> = {
  UPSTREAM_NOT_FOUND: [
    ['There is no server called “{server}”.', 'Run "holdfast servers list" to see the servers you have.'],
    ['没有名为“{server}”的服务。', '运行 “holdfast servers list” 查看已有的服务。'],
  ],
  UPSTREAM_NAME_TAKEN: [
    [
      'There is a server called “{server}” already. Nothing was changed.',
      'Choose another name, or change it with "holdfast servers set".',
    ],
    ['已经有名为“{server}”的服务，没有做任何更改。', '请换一个名字，或用 “holdfast servers set” 修改它。'],
  ],
  UPSTREAM_KNOWN_BEFORE: [
    [
      'You had this server before, as “{server}”, and your choices for it are kept. Nothing was changed.',
      'Add --restore to bring them back, or --fresh to start anew.',
    ],
    [
      '你以前用过这个服务（名为“{server}”），当时的选择仍保留着，没有做任何更改。',
      '加上 --restore 恢复这些选择，或加上 --fresh 重新开始。',
    ],
  ],
  UPSTREAM_START_FAILED: [
    [
      '{server} could not be started: {reason}. Nothing you use was changed.',
      'Check its command with "holdfast servers list", then run "holdfast servers check".',
    ],
    [
      '无法启动 {server}：{reason}。你使用的内容没有变化。',
      '用 “holdfast servers list” 检查它的命令，再运行 “holdfast servers check”。',
    ],
  ],
  UPSTREAM_CLOSED: [
    ['{server} stopped.', 'It is started again when it is needed; try once more.'],
    ['{server} 已停止。', '需要时会重新启动，请再试一次。'],
  ],
  UPSTREAM_TIMEOUT: [
    ['{server} did not answer in time. Nothing you use was changed.', 'Try again in a moment.'],
    ['{server} 没有及时响应，你使用的内容没有变化。', '请稍后再试。'],
  ],
  CONSUMER_NOT_FOUND: [
    [
      'There is no app called “{app}”.',
      'Run "holdfast apps list" to see your apps, or add it with "holdfast apps add {app}".',
    ],
    ['没有名为“{app}”的应用。', '运行 “holdfast apps list” 查看应用，或用 “holdfast apps add {app}” 添加。'],
  ],
  PROFILE_NOT_FOUND: [
    ['There is no tool set called “{profile}”.', 'Run "holdfast profiles list" to see the tool sets you have.'],
    ['没有名为“{profile}”的工具组合。', '运行 “holdfast profiles list” 查看已有的组合。'],
  ],
  PROFILE_NAME_TAKEN: [
    ['There is a tool set called “{profile}” already. Nothing was changed.', 'Choose another name.'],
    ['已经有名为“{profile}”的工具组合，没有做任何更改。', '请换一个名字。'],
  ],
  CAPABILITY_UNKNOWN: [
    [
      'There is no {kind} called “{name}” there. Nothing was changed.',
      'Run "holdfast servers check" to see what the server offers.',
    ],
    ['那里没有名为“{name}”的 {kind}，没有做任何更改。', '运行 “holdfast servers check” 查看服务提供的内容。'],
  ],
  CAPABILITY_WITHDRAWN: [
    ['“{name}” has changed and is off until it is approved. Nothing was run.', 'Run "holdfast review list" to decide.'],
    ['“{name}”有变化，在允许之前保持关闭，没有执行任何操作。', '运行 “holdfast review list” 来决定。'],
  ],
  CAPABILITY_CHANGED_SINCE_LISTED: [
    [
      '“{name}” has changed since the app loaded it. Nothing was run.',
      'Load the list of tools again, or restart the app.',
    ],
    ['“{name}”在应用载入之后有变化，没有执行任何操作。', '请重新载入工具列表，或重启该应用。'],
  ],
  REVIEW_UNKNOWN: [
    [
      'There is no such review: {review}. Nothing was changed.',
      'Run "holdfast review list" to see what waits for you.',
    ],
    ['没有这一项：{review}。没有做任何更改。', '运行 “holdfast review list” 查看等你确认的内容。'],
  ],
  REVIEW_STALE: [
    [
      'It has changed again since you looked. Nothing was changed.',
      'Look at it once more and decide on what is there now.',
    ],
    ['在你查看之后它又有了变化，没有做任何更改。', '请再看一次，然后对现在的内容做决定。'],
  ],
  STORE_CORRUPT: [
    [
      'A file in the data folder is damaged: {file}. What it stands for stays off; nothing else is affected.',
      'Run "holdfast servers check" so that it is read from the server again.',
    ],
    [
      '数据文件夹中的文件已损坏：{file}。相关内容保持关闭，其他不受影响。',
      '运行 “holdfast servers check”，从服务重新读取。',
    ],
  ],
  APP_MISPLACED: [
    [
      'Holdfast runs from a place that is gone after a restart, so apps could not find it there.',
      'Move Holdfast to Applications and open it from there.',
    ],
    ['Holdfast 正从一个重启后就会消失的位置运行，应用之后会找不到它。', '请把 Holdfast 移到“应用程序”，再从那里打开。'],
  ],
  UPDATE_NONE: [
    ['There is no update to install.', 'Nothing needs to be done.'],
    ['目前没有可安装的更新。', '无需任何操作。'],
  ],
  STORE_NEWER: [
    [
      'The data folder was written by a newer Holdfast (format {found}; this one knows {known}). It was not touched.',
      'Install the newer Holdfast again.',
    ],
    [
      '数据文件夹由更新版本的 Holdfast 写入（格式 {found}，当前版本支持到 {known}），没有改动任何内容。',
      '请重新安装较新的 Holdfast。',
    ],
  ],
  STORE_LOCKED: [
    ['Holdfast is running already with this data folder (process {pid}).', 'Use that one, or close it first.'],
    ['Holdfast 已在使用这个数据文件夹（进程 {pid}）。', '请使用已运行的那个，或先关闭它。'],
  ],
  STORE_WRITE_FAILED: [
    [
      'Holdfast could not save to its data folder: {reason}. Nothing was changed.',
      'Check that the disk has room and that the folder may be written.',
    ],
    ['Holdfast 无法写入数据文件夹：{reason}。没有做任何更改。', '请检查磁盘空间，以及文件夹是否可写。'],
  ],
  SECRETS_LOCKED: [
    [
      'The keys of your servers are locked, so they cannot be read or changed here. Nothing was changed, and nothing is lost.',
      'End the Holdfast that runs without the app, if one does (“holdfast doctor” names its process), then open the app.',
    ],
    [
      '服务的密钥已锁定，目前无法在这里读取或修改。没有做任何更改，也没有丢失任何内容。',
      '如果有不带应用运行的 Holdfast（“holdfast doctor” 会给出它的进程），请先结束它，然后打开 Holdfast 应用。',
    ],
  ],
  SECRETS_NO_KEY_STORE: [
    [
      'The keys of your servers are locked, because this computer’s key store is. Nothing was changed, and nothing is lost.',
      'Unlock this computer’s key store, then quit Holdfast and open it again.',
    ],
    [
      '这台电脑的密钥存储无法使用，因此服务的密钥已锁定。没有做任何更改，也没有丢失任何内容。',
      '请解锁这台电脑的密钥存储，然后退出 Holdfast 并重新打开。',
    ],
  ],
  SECRETS_UNOPENABLE: [
    [
      'This computer’s key store works, but it does not open the keys of your servers. Nothing was changed, and the file is kept.',
      'Put the former key store back and open Holdfast again, or run "holdfast servers forget-keys" and enter the keys again.',
    ],
    [
      '这台电脑的密钥存储可以使用，但打不开服务的密钥。没有做任何更改，文件会保留。',
      '请恢复以前的密钥存储并重新打开 Holdfast，或运行 “holdfast servers forget-keys” 并重新输入密钥。',
    ],
  ],
  IMPORT_STALE: [
    ['The app’s settings have changed since they were shown. Nothing was changed.', 'Look again, and choose anew.'],
    ['应用的设置在显示之后已有变化。没有做任何更改。', '请重新查看，然后再选择。'],
  ],
  HOST_UNSUPPORTED: [
    [
      'Holdfast cannot write the settings of “{app}” yet, so they were left alone.',
      'Add this entry to its settings by hand: {entry}',
    ],
    ['Holdfast 还不能写入“{app}”的设置，因此没有改动它们。', '请手动把这一项加入它的设置：{entry}'],
  ],
  HOST_CONFIG_UNREADABLE: [
    ['Holdfast left {file} as it is: {hint} Nothing was changed.', 'Put that right, then try again.'],
    ['Holdfast 没有改动 {file}：{hint} 没有做任何更改。', '请先处理好，然后重试。'],
  ],
  HOST_CONFIG_CONFLICT: [
    ['The settings in {file} could not be changed: {hint} Nothing was changed.', 'Close the app and try again.'],
    ['无法更改 {file} 中的设置：{hint} 没有做任何更改。', '请关闭该应用，然后重试。'],
  ],
  HOST_RESTART_FAILED: [
    ['Holdfast could not restart {app}.', 'Close {app} and open it yourself.'],
    ['Holdfast 未能重启 {app}。', '请自己关闭 {app}，然后重新打开。'],
  ],
  FILE_EXISTS: [
    ['There is a file at {file} already. It was left as it is.', 'Name another file with -o.'],
    ['{file} 已存在，没有改动它。', '请用 -o 指定其他文件。'],
  ],
  FILE_NOT_WRITTEN: [
    ['The file {file} could not be written: {reason}.', 'Name a file in a folder that you may write into, with -o.'],
    ['无法写入文件 {file}：{reason}。', '请用 -o 指定你有权写入的文件夹中的文件。'],
  ],
  FILE_UNREADABLE: [
    ['The file {file} cannot be read: {reason}.', 'Name a file that is there and that you may read.'],
    ['无法读取文件 {file}：{reason}。', '请指定存在且你有权读取的文件。'],
  ],
  FILE_NOT_SNAPSHOT: [
    ['{file} is there already and is no snapshot. It was left as it is.', 'Name another file with -o.'],
    ['{file} 已存在，而且不是快照，没有改动它。', '请用 -o 指定其他文件。'],
  ],
  SNAPSHOT_UNREADABLE: [
    ['The snapshot {file} cannot be used: {reason}.', 'Take it again with "holdfast snapshot -o FILE -- COMMAND".'],
    ['快照 {file} 无法使用：{reason}。', '请用 “holdfast snapshot -o FILE -- COMMAND” 重新生成。'],
  ],
  SNAPSHOT_NEWER: [
    [
      'The snapshot {file} was written by a newer Holdfast (format {found}; this one knows {known}).',
      'Use the newer Holdfast, or take the snapshot again with this one.',
    ],
    [
      '快照 {file} 由更新版本的 Holdfast 写入（格式 {found}，当前版本支持到 {known}）。',
      '请使用较新的 Holdfast，或用当前版本重新生成快照。',
    ],
  ],
  SAMPLES_UNREADABLE: [
    [
      'The samples in {file} cannot be used: {reason}. Nothing was run.',
      'Run "holdfast verify --help" to see the format.',
    ],
    ['{file} 中的样例无法使用：{reason}。没有执行任何操作。', '运行 “holdfast verify --help” 查看格式。'],
  ],
  SERVER_NOT_STARTED: [
    ['{command} could not be started: {reason}.', 'Run the command by itself to see what it prints.'],
    ['无法启动 {command}：{reason}。', '请单独运行该命令，看看它输出了什么。'],
  ],
  // What is the matter is told by the table of refusals.
  OFFER_REFUSED: [
    ['That server was not added.', 'Add it with the command that its own page gives.'],
    ['没有添加该服务。', '请用该服务自己页面上给出的命令来添加它。'],
  ],
  GATEWAY_UNREACHABLE: [
    ['Holdfast does not answer: {reason}.', 'Open Holdfast, or run "holdfast serve", then try again.'],
    ['Holdfast 没有响应：{reason}。', '请打开 Holdfast，或运行 “holdfast serve”，然后重试。'],
  ],
  COMMAND_BAD_INPUT: [
    ['That is not a command Holdfast understands: {reason}. Nothing was changed.', 'Run "holdfast help".'],
    ['Holdfast 不理解这条命令：{reason}。没有做任何更改。', '运行 “holdfast help”。'],
  ],
  FORBIDDEN: [
    [
      'This program may not talk to Holdfast: its token is wrong or missing.',
      'Connect the app again with "holdfast apps connect".',
    ],
    ['这个程序不能与 Holdfast 通信：令牌错误或缺失。', '请用 “holdfast apps connect” 重新连接该应用。'],
  ],
  // What was reached is told by the table of bounds.
  LIMIT_REACHED: [
    ['{limit}', 'Close or take out what is not needed, then try again.'],
    ['{limit}', '请关闭或移除不需要的内容，然后重试。'],
  ],
  INTERNAL: [
    [
      'Something went wrong inside Holdfast: {reason}. Nothing was changed.',
      'Try again; if it happens again, report it.',
    ],
    ['Holdfast 内部出错：{reason}。没有做任何更改。', '请重试；如果再次出现，请反馈。'],
  ],
};

/** Sentences that say more, where the error has the detail for it. */
const CLOSER: Readonly<Partial<Record<ErrorCode, readonly [detail: string, row: Row]>>> = {
  HOST_CONFIG_UNREADABLE: [
    'entry',
    [
      [
        'The settings in {file} cannot be changed safely: {hint} Nothing was changed.',
        'Put this into the section “{section}” by hand: {entry}',
      ],
      ['无法安全地更改 {file} 中的设置：{hint} 没有做任何更改。', '请手动把以下内容放入“{section}”部分：{entry}'],
    ],
  ],
  HOST_UNSUPPORTED: [
    'where',
    [
      ['Holdfast does not write the settings of {app}, so they were left alone.', 'Put this into {where}: {entry}'],
      ['Holdfast 不写入 {app} 的设置，因此没有改动它们。', '请把以下内容放入 {where}：{entry}'],
    ],
  ],
  STORE_NEWER: [
    'writtenBy',
    [
      [
        'The data folder was written by Holdfast {writtenBy}, which is newer than this one (format {found}; this one knows {known}). It was not touched.',
        'Install Holdfast {writtenBy} or a newer one again.',
      ],
      [
        '数据文件夹由更新版本的 Holdfast {writtenBy} 写入（格式 {found}，当前版本支持到 {known}），没有改动任何内容。',
        '请重新安装 Holdfast {writtenBy} 或更新的版本。',
      ],
    ],
  ],
  STORE_WRITE_FAILED: [
    'limitMb',
    [
      [
        'Holdfast has more to remember than its {limitMb} MB allow, so this could not be saved. Nothing was changed.',
        'Look for a server that lists far too much, and take it out of your apps.',
      ],
      [
        'Holdfast 需要记录的内容超过了 {limitMb} MB 的上限，因此无法保存。没有做任何更改。',
        '请找出列出过多内容的服务，并在应用中停用它。',
      ],
    ],
  ],
};

/** Why it happened: in words where the system's code has some, else as it was said. */
export function reasonWords({ details }: HoldfastError, language: Settings['language']): string {
  return systemReason(details['system'], language) ?? String(details['reason'] ?? '–');
}

/** The one plain sentence of an error, and its next step. */
export function errorWords(error: HoldfastError, language: Settings['language'] = 'en'): ErrorWords {
  const [detail, closer] = CLOSER[error.code] ?? [];
  const isCloser = detail !== undefined && error.details[detail] !== undefined;
  const { reason, limit, refusal } = error.details;
  const rows = refusalRow(refusal) ?? (isCloser && closer ? closer : SENTENCES[error.code]);
  const row = rows[language === 'en' ? 0 : 1];
  const details = {
    ...error.details,
    ...(reason !== undefined && { reason: reasonWords(error, language) }),
    ...(isBoundName(limit) && { limit: BOUNDS[limit].then[language] }),
  };
  return { code: error.code, message: fill(row[0], details), next: fill(row[1], details) };
}

/** Puts values into `{name}`; a value that is missing reads as a dash rather than as a hole. */
export function fill(template: string, values: ErrorDetails): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => cleanText(String(values[name] ?? '–')));
}
