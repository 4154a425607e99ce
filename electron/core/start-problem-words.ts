import { cleanName } from './display.ts';
import type { Settings } from './model.ts';

export const START_PROBLEM_CODES = [
  'program-missing',
  'file-missing',
  'part-missing',
  'package-missing',
  'version-missing',
  'image-missing',
  'runtime-old',
  'wrong-machine',
  'needs-network',
  'unreachable',
  'traffic-inspected',
  'key-missing',
  'key-refused',
  'needs-more',
  'not-allowed',
  'disk-full',
  'port-taken',
  'engine-off',
  'out-of-memory',
  'ended-by-system',
  'not-a-server',
  'crashed',
  'too-slow',
  'other',
] as const;
export type StartProblemCode = (typeof START_PROBLEM_CODES)[number];

/** Why a server does not start. */
export interface StartProblem {
  readonly code: StartProblemCode;
  /** The program, file, package or key that it is about; empty where a key has no name. */
  readonly subject: string;
}

export interface StartProblemWords {
  /** What is wrong, in one sentence. */
  readonly sentence: string;
  /** The one thing that helps. */
  readonly fix: string;
}

type Row = readonly [en: readonly [sentence: string, fix: string], zh: readonly [sentence: string, fix: string]];

/** `{subject}` is what it is about. */
const WORDS: Readonly<Record<StartProblemCode, Row>> = {
  'program-missing': [
    ['“{subject}” is not on this computer.', 'Install “{subject}”, then try again.'],
    ['这台电脑上没有“{subject}”。', '请安装“{subject}”，然后重试。'],
  ],
  'file-missing': [
    [
      '“{subject}” is not there any more, or was never there.',
      'Choose the right file or folder in the server’s settings.',
    ],
    ['找不到“{subject}”，它可能已被移动或删除。', '请在服务的设置中选择正确的文件或文件夹。'],
  ],
  'part-missing': [
    ['A part of the server is missing: “{subject}”.', 'Install the server again, or ask its author.'],
    ['该服务缺少一部分：“{subject}”。', '请重新安装该服务，或联系其作者。'],
  ],
  'package-missing': [
    ['There is no package called “{subject}”.', 'Check how the name is spelled.'],
    ['没有名为“{subject}”的软件包。', '请检查名称是否拼写正确。'],
  ],
  'version-missing': [
    ['“{subject}” does not exist in this version.', 'Choose another version, or leave the version out.'],
    ['“{subject}”没有这个版本。', '请换一个版本，或不写版本。'],
  ],
  'image-missing': [
    ['The container “{subject}” cannot be found.', 'Check how the name is spelled, and whether you may use it.'],
    ['找不到容器“{subject}”。', '请检查名称是否正确，以及是否有权使用。'],
  ],
  'runtime-old': [
    [
      'The server needs a newer {subject} than this computer has.',
      'Update {subject}, or choose an older version of the server.',
    ],
    ['该服务需要更新的 {subject}。', '请更新 {subject}，或选择该服务的较旧版本。'],
  ],
  'wrong-machine': [
    ['“{subject}” is made for another kind of computer.', 'Get the version for this computer.'],
    ['“{subject}”适用于另一种电脑。', '请获取适合这台电脑的版本。'],
  ],
  'needs-network': [
    [
      'The server has to be downloaded first, and the internet cannot be reached.',
      'Connect to the internet, then try again.',
    ],
    ['该服务需要先下载，但无法连接互联网。', '请连接互联网，然后重试。'],
  ],
  unreachable: [
    ['The server cannot reach what it connects to.', 'Check your internet connection, then try again.'],
    ['该服务无法连接到它需要的地址。', '请检查网络连接，然后重试。'],
  ],
  'traffic-inspected': [
    [
      'Your network looks into what is downloaded, so it cannot be trusted.',
      'Ask whoever runs your network, or try another one.',
    ],
    ['你的网络会检查下载的内容，因此无法信任。', '请联系网络管理员，或换一个网络再试。'],
  ],
  'key-missing': [
    ['The server needs a key: {subject}', 'Add the key in the server’s settings.'],
    ['该服务需要密钥：{subject}', '请在服务的设置中添加密钥。'],
  ],
  'key-refused': [
    ['The server’s key was not accepted.', 'Put in a new key in the server’s settings.'],
    ['该服务的密钥未被接受。', '请在服务的设置中填入新的密钥。'],
  ],
  'needs-more': [
    ['The server has to be told more to start.', 'Look up in its instructions what belongs behind the command.'],
    ['该服务启动时还缺少信息。', '请查看它的说明，了解命令后面要写什么。'],
  ],
  'not-allowed': [
    [
      '“{subject}” is not allowed to run, or to use a file that it needs.',
      'Allow it in your system’s settings, or install it again.',
    ],
    ['“{subject}”没有运行的权限，或无权使用所需的文件。', '请在系统设置中允许它，或重新安装。'],
  ],
  'disk-full': [
    ['The disk is full.', 'Make room on the disk, then try again.'],
    ['磁盘已满。', '请清理磁盘空间，然后重试。'],
  ],
  'port-taken': [
    ['Another program is in its place already.', 'Close the other program, then try again.'],
    ['已有其他程序占用了它的位置。', '请关闭那个程序，然后重试。'],
  ],
  'engine-off': [
    ['“{subject}” is installed, but it is not running.', 'Start {subject}, then try again.'],
    ['“{subject}”已安装，但没有运行。', '请启动 {subject}，然后重试。'],
  ],
  'out-of-memory': [
    ['The server ran out of memory.', 'Close other programs, then try again.'],
    ['该服务的内存不足。', '请关闭其他程序，然后重试。'],
  ],
  'ended-by-system': [
    [
      'The server was ended by the system or by another program.',
      'Try again. If it happens again, close other programs.',
    ],
    ['该服务被系统或其他程序结束了。', '请重试；如果再次发生，请关闭其他程序。'],
  ],
  'not-a-server': [
    [
      '“{subject}” started, but it does not behave like a server for AI apps.',
      'Check the command against the server’s instructions.',
    ],
    ['“{subject}”已启动，但不像是供 AI 应用使用的服务。', '请对照该服务的说明检查命令。'],
  ],
  crashed: [
    ['The server started and stopped at once.', 'Try again. If it happens again, look at what it printed.'],
    ['该服务启动后立即停止。', '请重试；如果再次发生，请查看它输出的内容。'],
  ],
  'too-slow': [
    ['The server does not answer.', 'Try again in a moment.'],
    ['该服务没有响应。', '请稍后重试。'],
  ],
  other: [
    ['The server does not start.', 'Look at what it printed.'],
    ['该服务无法启动。', '请查看它输出的内容。'],
  ],
};

const MAX_SUBJECT = 80;

/** The sentence of a problem and its fix. What the server printed is not trusted to be a name. */
export function startProblemWords({ code, subject }: StartProblem, language: Settings['language']): StartProblemWords {
  const [sentence, fix] = WORDS[code][language === 'en' ? 0 : 1];
  const name = cleanName(subject, MAX_SUBJECT);
  const filled = (text: string): string => text.replaceAll('{subject}', () => name);
  return { sentence: code === 'key-missing' ? ended(sentence, name, language) : filled(sentence), fix: filled(fix) };
}

/** A key that was not named is not named. */
function ended(sentence: string, name: string, language: Settings['language']): string {
  const stop = language === 'en' ? '.' : '。';
  return name === ''
    ? sentence.replace(/[:：]\s*\{subject\}/, stop)
    : `${sentence.replace('{subject}', () => name)}${stop}`;
}
