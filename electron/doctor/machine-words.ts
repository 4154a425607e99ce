import type { CaseRow } from './case-row.ts';

/** Findings about the machine and the data folder. Titles are in `titles.ts`. */
export const MACHINE_CASES = {
  'folder.ok': {
    status: 'ok',
    en: ['It is there, and only you can open it.'],
    zh: ['文件夹存在，且只有你能打开。'],
  },
  'folder.missing': {
    status: 'note',
    en: ['Nothing has been set up here yet.', 'Add a server; the folder is made then.'],
    zh: ['这里还没有任何设置。', '添加一个服务，文件夹会随之创建。'],
    command: 'servers add NAME -- COMMAND',
  },
  'folder.notFolder': {
    status: 'problem',
    en: ['There is something else than a folder at {path}.', 'Move it away, then open Holdfast again.'],
    zh: ['{path} 处不是文件夹。', '请把它移开，然后重新打开 Holdfast。'],
  },
  'folder.unreadable': {
    status: 'problem',
    en: ['You may not open {path}.', 'Make yourself the owner of this folder, or let an administrator do it.'],
    zh: ['你没有权限打开 {path}。', '请把该文件夹的所有者改为你自己，或请管理员处理。'],
  },
  'folder.unwritable': {
    status: 'problem',
    en: [
      'Nothing can be saved in {path}. What was saved before is still there.',
      'Give yourself the right to write into this folder, or free the disk from its write protection.',
    ],
    zh: ['无法在 {path} 中保存内容，之前保存的内容都还在。', '请给自己该文件夹的写入权限，或解除磁盘的写保护。'],
  },
  'folder.open': {
    status: 'problem',
    en: [
      'Other users of this computer may look into {path}.',
      'Close Holdfast and open it again: it makes the folder private when it starts.',
    ],
    zh: ['这台电脑的其他用户可以查看 {path}。', '请关闭 Holdfast 再重新打开，它会在启动时把文件夹设为私有。'],
  },
  'space.ok': { status: 'ok', en: ['{size} are free.'], zh: ['可用空间 {size}。'] },
  'space.low': {
    status: 'note',
    en: ['Only {size} are left on this disk.', 'Make room soon, so that your choices can go on being saved.'],
    zh: ['磁盘只剩 {size}。', '请尽快腾出空间，以便继续保存你的选择。'],
  },
  'space.full': {
    status: 'problem',
    en: [
      'The disk is full ({size} left). Nothing that was saved is lost, but nothing new can be saved.',
      'Delete what you do not need, or move it to another disk.',
    ],
    zh: ['磁盘已满（剩余 {size}）。已保存的内容没有丢失，但无法保存新内容。', '请删除不需要的文件，或移到其他磁盘。'],
  },
  'state.ok': {
    status: 'ok',
    en: ['They can be read (format {format}).'],
    zh: ['可以读取（格式 {format}）。'],
  },
  'state.missing': { status: 'ok', en: ['There are none yet.'], zh: ['还没有设置。'] },
  'state.gone': {
    status: 'problem',
    en: [
      'The settings are missing, and the journal shows that there were some. At the next start nothing is turned on.',
      'Put a copy of state.json from a backup into the data folder, or set your servers up again.',
    ],
    zh: [
      '设置缺失，而日志表明它们曾经存在。下次启动时不会启用任何内容。',
      '请从备份中把 state.json 放回数据文件夹，或重新设置服务。',
    ],
  },
  'state.damaged': {
    status: 'problem',
    en: [
      'The settings file is missing or damaged. The last good copy is there and is used at the next start; nothing widens by that.',
      'Close Holdfast and open it again. A damaged file is kept.',
    ],
    zh: [
      '设置文件缺失或已损坏。上一份完好的副本还在，下次启动时使用，不会因此多开放任何内容。',
      '请关闭 Holdfast 再重新打开，损坏的文件会保留。',
    ],
  },
  'state.lost': {
    status: 'problem',
    en: [
      'The settings file is missing or damaged, and there is no good copy beside it. At the next start nothing is turned on.',
      'Put a copy of state.json from a backup into the data folder, or set your servers up again.',
    ],
    zh: [
      '设置文件缺失或已损坏，旁边也没有完好的副本。下次启动时不会启用任何内容。',
      '请从备份中把 state.json 放回数据文件夹，或重新设置服务。',
    ],
  },
  'state.previous': {
    status: 'note',
    en: ['They can be read, but the copy beside them is damaged.', 'Nothing to do: the next start keeps it aside.'],
    zh: ['可以读取，但旁边的副本已损坏。', '无需操作：下次启动时会把它另行保留。'],
  },
  'state.newer': {
    status: 'problem',
    en: ['A newer Holdfast wrote them. They were not touched.', 'Install the newer Holdfast again.'],
    zh: ['它们由更新版本的 Holdfast 写入，没有改动任何内容。', '请重新安装较新的 Holdfast。'],
  },
  'state.unreadable': {
    status: 'problem',
    en: ['The settings file cannot be opened.', 'Make yourself the owner of the files in the data folder.'],
    zh: ['无法打开设置文件。', '请把数据文件夹中文件的所有者改为你自己。'],
  },
  'set-aside.none': { status: 'ok', en: ['None.'], zh: ['没有。'] },
  'set-aside.some': {
    status: 'note',
    en: [
      'Damaged files were kept: {n}. Holdfast goes on without them.',
      'When nothing is missing, delete the files with “damaged” in their names.',
    ],
    zh: [
      '保留了损坏的文件：{n} 个。Holdfast 不依赖它们。',
      '如果没有缺少任何内容，可以删除名称中带有 “damaged” 的文件。',
    ],
  },
  'gateway.ok': {
    status: 'ok',
    en: ['It runs and answers (version {version}).'],
    zh: ['正在运行并能响应（版本 {version}）。'],
  },
  'gateway.stopped': {
    status: 'note',
    en: ['It is not running. AI apps that are connected start it when they need it.', 'To start it now, open the app.'],
    zh: ['没有运行。已连接的 AI 应用会在需要时启动它。', '要现在启动，请打开应用。'],
    command: 'serve',
  },
  'gateway.silent': {
    status: 'problem',
    en: [
      'It has the data folder (process {pid}) and does not answer. Nothing was changed.',
      'Quit Holdfast; if that does not help, end process {pid}. Then open it again.',
    ],
    zh: [
      '它占用着数据文件夹（进程 {pid}），但没有响应，没有做任何更改。',
      '请退出 Holdfast；如果无效，请结束进程 {pid}，然后重新打开。',
    ],
  },
  'gateway.refused': {
    status: 'problem',
    en: [
      'It runs, and turns this command away, because the key between them has changed.',
      'Quit Holdfast and open it again.',
    ],
    zh: ['它正在运行，但因为双方的密钥已变而拒绝了此命令。', '请退出 Holdfast 再重新打开。'],
  },
  'gateway.said': {
    status: 'problem',
    en: ['It runs, and answers this command with: {said}', 'Do what it says; if that does not help, restart Holdfast.'],
    zh: ['它正在运行，对此命令的回答是：{said}', '请按其说明处理；如果无效，请重新启动 Holdfast。'],
  },
  'gateway.noToken': {
    status: 'problem',
    en: [
      'It runs, and could not be asked, because the file “token” is missing or cannot be read.',
      'See what is said of the key between apps and Holdfast.',
    ],
    zh: ['它正在运行，但 “token” 文件缺失或无法读取，因此无法询问。', '请查看关于应用与 Holdfast 之间密钥的说明。'],
  },
  'gateway.otherVersion': {
    status: 'problem',
    en: [
      'Version {theirs} is running, and this is version {version}.',
      'Quit Holdfast and open it again, so that both are the same.',
    ],
    zh: ['正在运行的是版本 {theirs}，而这里是版本 {version}。', '请退出 Holdfast 再重新打开，使两者一致。'],
  },
  'only-one.ok': { status: 'ok', en: ['No other one has this data folder.'], zh: ['没有其他程序占用这个数据文件夹。'] },
  'only-one.two': {
    status: 'problem',
    en: ['More than one Holdfast has this data folder (processes {pids}).', 'Quit all of them, then open one again.'],
    zh: ['有多个 Holdfast 占用这个数据文件夹（进程 {pids}）。', '请全部退出，然后只打开一个。'],
  },
  'socket.ok': { status: 'ok', en: ['Only you can reach it.'], zh: ['只有你能访问。'] },
  'socket.none': { status: 'ok', en: ['It is made when Holdfast starts.'], zh: ['Holdfast 启动时创建。'] },
  'socket.open': {
    status: 'problem',
    en: [
      'Other users of this computer may reach {path}. They still need the key of the data folder.',
      'Quit Holdfast and open it again: it makes its socket private when it starts.',
    ],
    zh: [
      '这台电脑的其他用户可以访问 {path}，但仍需要数据文件夹中的密钥。',
      '请退出 Holdfast 再重新打开，它会在启动时把套接字设为私有。',
    ],
  },
  'socket.foreign': {
    status: 'problem',
    en: [
      'The folder of {path} belongs to somebody else, so Holdfast does not listen there.',
      'Delete that folder, or set HOLDFAST_HOME to a folder with a shorter name.',
    ],
    zh: [
      '{path} 所在的文件夹属于其他用户，因此 Holdfast 不在那里监听。',
      '请删除该文件夹，或把 HOLDFAST_HOME 设为名称较短的文件夹。',
    ],
  },
  'token.ok': { status: 'ok', en: ['It is there, and only you can read it.'], zh: ['密钥存在，且只有你能读取。'] },
  'token.none': { status: 'ok', en: ['It is made at the first start.'], zh: ['第一次启动时创建。'] },
  'token.missing': {
    status: 'problem',
    en: [
      'The file “token” is missing, so apps cannot reach Holdfast.',
      'Quit Holdfast, open it again, then connect your apps again.',
    ],
    zh: ['缺少 “token” 文件，应用无法连接 Holdfast。', '请退出 Holdfast 再重新打开，然后重新连接应用。'],
    command: 'apps connect APP',
  },
  'token.damaged': {
    status: 'problem',
    en: [
      'The file “token” does not hold a key.',
      'Quit Holdfast and open it again: it makes a new one. Then connect your apps again.',
    ],
    zh: ['“token” 文件中没有密钥。', '请退出 Holdfast 再重新打开，它会生成新的密钥，然后重新连接应用。'],
    command: 'apps connect APP',
  },
  'token.unreadable': {
    status: 'problem',
    en: [
      'You may not read the file “token”, so apps of yours cannot reach Holdfast.',
      'Make yourself the owner of the files in the data folder, then open Holdfast again.',
    ],
    zh: [
      '你没有权限读取 “token” 文件，因此你的应用无法连接 Holdfast。',
      '请把数据文件夹中文件的所有者改为你自己，然后重新打开 Holdfast。',
    ],
  },
  'token.open': {
    status: 'problem',
    en: [
      'Other users of this computer may read the file “token”.',
      'Quit Holdfast, delete that file, open Holdfast again, then connect your apps again.',
    ],
    zh: [
      '这台电脑的其他用户可以读取 “token” 文件。',
      '请退出 Holdfast，删除该文件，重新打开 Holdfast，然后重新连接应用。',
    ],
    command: 'apps connect APP',
  },
  'bridge.ok': { status: 'ok', en: ['It is that of this version.'], zh: ['与当前版本一致。'] },
  'bridge.missing': {
    status: 'problem',
    en: ['The file that AI apps start is missing.', 'Quit Holdfast and open it again: it puts the file back.'],
    zh: ['AI 应用要启动的文件不见了。', '请退出 Holdfast 再重新打开，它会把文件放回原处。'],
  },
  'bridge.different': {
    status: 'problem',
    en: [
      'The file that AI apps start is not that of this version.',
      'Quit Holdfast and open it again, then restart your AI apps.',
    ],
    zh: ['AI 应用启动的文件与当前版本不一致。', '请退出 Holdfast 再重新打开，然后重启 AI 应用。'],
  },
  'bridge.unknown': { status: 'ok', en: ['There is nothing to compare yet.'], zh: ['暂时没有可比较的内容。'] },
  'launch.ok': { status: 'ok', en: ['AI apps know how to start Holdfast.'], zh: ['AI 应用知道如何启动 Holdfast。'] },
  'launch.none': { status: 'ok', en: ['It is written at the first start.'], zh: ['第一次启动时写入。'] },
  'launch.unreadable': {
    status: 'problem',
    en: ['AI apps cannot start Holdfast: launch.json cannot be read.', 'Open Holdfast once; it writes the file anew.'],
    zh: ['AI 应用无法启动 Holdfast：launch.json 无法读取。', '请打开一次 Holdfast，它会重新写入该文件。'],
    command: 'serve',
  },
  'launch.programGone': {
    status: 'problem',
    en: ['AI apps cannot start Holdfast: {path} is not there any more.', 'Open Holdfast once from where it is now.'],
    zh: ['AI 应用无法启动 Holdfast：{path} 已不存在。', '请从 Holdfast 现在的位置打开一次。'],
    command: 'serve',
  },
  'runtime.ok': { status: 'ok', en: ['Node {node} is supported.'], zh: ['支持 Node {node}。'] },
  'runtime.old': {
    status: 'problem',
    en: ['Node {node} is too old; Holdfast needs {needed}.', 'Install a newer Node.js.'],
    zh: ['Node {node} 版本过低，Holdfast 需要 {needed}。', '请安装较新的 Node.js。'],
  },
  'left-over.none': {
    status: 'ok',
    en: ['No server of an earlier run is left.'],
    zh: ['没有以前运行遗留的服务进程。'],
  },
  'left-over.some': {
    status: 'problem',
    en: [
      'Servers of an earlier run are still running ({n}; processes {pids}).',
      'Open Holdfast: it ends them when it starts.',
    ],
    zh: ['以前运行的服务仍在运行（{n} 个，进程 {pids}）。', '请打开 Holdfast，它会在启动时结束它们。'],
    command: 'serve',
  },
  'clock.ok': { status: 'ok', en: ['Nothing was saved in the future.'], zh: ['没有内容保存于未来的时间。'] },
  'clock.back': {
    status: 'note',
    en: [
      'Something was saved {minutes} minutes ahead of this computer’s clock. The order of what happened is kept.',
      'Check date and time of this computer.',
    ],
    zh: ['有内容的保存时间比这台电脑的时钟晚 {minutes} 分钟，事件的顺序不受影响。', '请检查电脑的日期和时间。'],
  },
  'journal.ok': { status: 'ok', en: ['It takes {size}.'], zh: ['占用 {size}。'] },
  'journal.large': {
    status: 'note',
    en: [
      'It takes {size}.',
      'Quit Holdfast; then the oldest files in the folder “journal” may be moved away. Leave the newest.',
    ],
    zh: ['占用 {size}。', '请退出 Holdfast，然后可以移走 “journal” 文件夹中最旧的文件，保留最新的。'],
  },
  'traces.ok': { status: 'ok', en: ['They take {size}.'], zh: ['占用 {size}。'] },
  'traces.large': {
    status: 'note',
    en: ['They take {size}, more than they should.', 'Open Holdfast: it deletes the oldest when it starts.'],
    zh: ['占用 {size}，超出了应有的大小。', '请打开 Holdfast，它会在启动时删除最旧的记录。'],
  },
  'paused.person': {
    status: 'note',
    en: ['All tools are paused, as you asked.', 'Resume when you are ready.'],
    zh: ['按你的要求，全部工具已暂停。', '准备好后请恢复。'],
    command: 'resume',
  },
  'paused.recovered': {
    status: 'note',
    en: [
      'All tools are paused, until you have looked over the restored settings.',
      'Look at what each app gets, then resume.',
    ],
    zh: ['全部工具已暂停，等你检查恢复的设置。', '请查看每个应用得到的内容，然后恢复。'],
    command: 'resume',
  },
  'told.notice': {
    status: 'note',
    en: ['{notice}', 'Open the window to see more.'],
    zh: ['{notice}', '请打开窗口查看详情。'],
  },
} as const satisfies Record<string, CaseRow>;
