import type { CaseRow } from './case-row.ts';

/** Findings about single servers and apps. */
export const PART_CASES = {
  'servers.none': {
    status: 'note',
    en: ['There are none yet.', 'Add one.'],
    zh: ['还没有服务。', '请添加一个。'],
    command: 'servers add NAME -- COMMAND',
  },
  'servers.some': { status: 'ok', en: ['There are {n}.'], zh: ['共 {n} 个。'] },
  'server-program.ok': { status: 'ok', en: ['It was found.'], zh: ['已找到。'] },
  'server-program.ownPath': {
    status: 'ok',
    en: ['It is looked up on a PATH of its own, which is not looked at here.'],
    zh: ['它在自己的 PATH 中查找，这里不检查。'],
  },
  'server-program.missing': {
    status: 'problem',
    en: [
      '“{program}” was not found. Nothing you use was changed.',
      'Install it, or give the whole path of the program.',
    ],
    zh: ['找不到“{program}”，你使用的内容没有变化。', '请安装它，或写出程序的完整路径。'],
    command: 'servers set {server} -- COMMAND',
  },
  'server-program.notProgram': {
    status: 'problem',
    en: ['“{program}” is there, but it may not be run.', 'Make the file executable, or name another program.'],
    zh: ['“{program}” 存在，但没有执行权限。', '请给该文件执行权限，或换用其他程序。'],
    command: 'servers set {server} -- COMMAND',
  },
  'server-script.missing': {
    status: 'problem',
    en: ['Its file {path} is not there.', 'Put it back, or name the right file.'],
    zh: ['它的文件 {path} 不存在。', '请把它放回，或写出正确的文件。'],
    command: 'servers set {server} -- COMMAND',
  },
  'server-state.ok': { status: 'ok', en: ['It works.'], zh: ['工作正常。'] },
  'server-state.idle': { status: 'ok', en: ['It is started when it is needed.'], zh: ['需要时启动。'] },
  'server-state.problem': {
    status: 'problem',
    en: ['It does not work: {problem}. Nothing is taken away for that.', 'See what it says when it is started.'],
    zh: ['无法使用：{problem}。没有因此关闭任何内容。', '请查看启动时的提示。'],
    command: 'servers check {server}',
  },
  'server-lists.ok': { status: 'ok', en: ['All its lists could be read.'], zh: ['它的列表都能读取。'] },
  'server-lists.failed': {
    status: 'note',
    en: ['When last looked at, {n} of its lists could not be read. What you have of them is kept.', 'Look again.'],
    zh: ['上次查看时，它有 {n} 个列表无法读取，已有的内容会保留。', '请再查看一次。'],
    command: 'servers check {server}',
  },
  'app-settings.connected': { status: 'ok', en: ['It is connected.'], zh: ['已连接。'] },
  'app-settings.notInstalled': {
    status: 'ok',
    en: ['It is not on this computer, or was never opened.'],
    zh: ['这台电脑上没有它，或从未打开过。'],
  },
  'app-settings.notConnected': {
    status: 'note',
    en: ['It is not connected to Holdfast.', 'Connect it, if you want to use your tools there.'],
    zh: ['没有连接到 Holdfast。', '如果想在其中使用工具，请连接它。'],
    command: 'apps connect {app}',
  },
  'app-settings.gone': {
    status: 'problem',
    en: [
      'It was connected, and its settings do not name Holdfast any more.',
      'Quit the app completely, then connect it again.',
    ],
    zh: ['它曾经连接过，但其设置中已没有 Holdfast。', '请完全退出该应用，然后重新连接。'],
    command: 'apps connect {app}',
  },
  'app-settings.unreadable': {
    status: 'problem',
    en: ['Its settings in {path} cannot be read: {hint}', 'Correct the file, then connect the app again.'],
    zh: ['无法读取 {path} 中的设置：{hint}', '请更正该文件，然后重新连接该应用。'],
    command: 'apps connect {app}',
  },
  'app-settings.elsewhere': {
    status: 'problem',
    en: ['Its settings name another data folder than this one.', 'Connect it again, if it is to use this one.'],
    zh: ['它的设置指向另一个数据文件夹。', '如果要使用当前文件夹，请重新连接。'],
    command: 'apps connect {app}',
  },
  'app-settings.programGone': {
    status: 'problem',
    en: [
      'Its settings name a program that is not there: {path}.',
      'Connect it again; that writes where the program is now.',
    ],
    zh: ['它的设置指向不存在的程序：{path}。', '请重新连接，会写入程序现在的位置。'],
    command: 'apps connect {app}',
  },
  'app-state.connected': {
    status: 'ok',
    en: ['It is connected now and may use {n} items.'],
    zh: ['目前已连接，可使用 {n} 项内容。'],
  },
  'app-state.idle': {
    status: 'ok',
    en: ['It may use {n} items; it is not open now.'],
    zh: ['可使用 {n} 项内容，目前没有打开。'],
  },
  'app-state.withheld': {
    status: 'note',
    en: ['It may use {n} items, and {withheld} more are off.', 'See which, and why.'],
    zh: ['可使用 {n} 项内容，另有 {withheld} 项关闭。', '查看是哪些以及原因。'],
    command: 'surface {app}',
  },
} as const satisfies Record<string, CaseRow>;

/** What each check is about. `{server}` and `{app}` are names. */
export const TITLES = {
  folder: ['Data folder', '数据文件夹'],
  space: ['Free space', '可用空间'],
  state: ['Your settings', '你的设置'],
  'set-aside': ['Damaged files', '损坏的文件'],
  gateway: ['Holdfast itself', 'Holdfast 本身'],
  'only-one': ['Only one at a time', '只运行一个'],
  socket: ['Where apps reach it', '应用的连接位置'],
  token: ['Key between apps and Holdfast', '应用与 Holdfast 之间的密钥'],
  bridge: ['What apps start', '应用启动的程序'],
  launch: ['Starting by itself', '自动启动'],
  runtime: ['Node.js', 'Node.js'],
  keys: ['Your servers’ keys', '服务的密钥'],
  'left-over': ['Left running', '遗留的进程'],
  clock: ['Clock', '时钟'],
  journal: ['Journal', '日志'],
  traces: ['Traces', '调用记录'],
  paused: ['Pause', '暂停'],
  told: ['Since the start', '启动以来'],
  servers: ['Servers', '服务'],
  'server-program': ['{server}: program', '{server}：程序'],
  'server-script': ['{server}: file', '{server}：文件'],
  'server-state': ['{server}', '{server}'],
  'server-lists': ['{server}: lists', '{server}：列表'],
  'app-settings': ['{app}: settings', '{app}：设置'],
  'app-state': ['{app}', '{app}'],
} as const satisfies Record<string, readonly [en: string, zh: string]>;
