import { fill } from './error-sentences.ts';
import type { Settings } from './model.ts';

type Language = Settings['language'];

/** Words that leave the main process: answers to host apps, tray, notifications. The window has its own. */
const WORDS = {
  'chat.blocked': [
    '“{tool}” has changed and is off until the user approves it in {app}. Nothing was run. Tell the user to click the {app} icon and choose Review.',
    '“{tool}”有变化，在用户于 {app} 中允许之前保持关闭，本次没有执行任何操作。请提醒用户点击 {app} 图标并选择“查看”。',
  ],
  'chat.keptOff': [
    '“{tool}” was turned off by the user in {app}. Nothing was run. Do not try again; tell the user it can be turned on in {app}.',
    '“{tool}”已被用户在 {app} 中关闭，本次没有执行任何操作。请不要重试，可告诉用户能在 {app} 中重新启用。',
  ],
  'chat.missing': [
    '“{tool}” is no longer offered by {server}. Nothing was run. The user’s choice is kept in case it comes back.',
    '{server} 不再提供“{tool}”，本次没有执行任何操作。用户的选择会保留，以备它恢复。',
  ],
  'chat.paused': [
    'The user has paused all tools in {app}. Nothing was run.',
    '用户已在 {app} 中暂停全部工具，本次没有执行任何操作。',
  ],
  'chat.starting': [
    '{server} is still starting. Nothing was run. Try again in a moment.',
    '{server} 正在启动，本次没有执行任何操作，请稍后再试。',
  ],
  'chat.changedSinceListed': [
    '“{tool}” has changed since this chat loaded it. Nothing was run. Load the list of tools again, or ask the user to restart {consumer}.',
    '“{tool}”在本次对话载入之后有变化，没有执行任何操作。请重新载入工具列表，或请用户重启 {consumer}。',
  ],
  'chat.notReachable': [
    '{app} isn’t running, so its tools can’t be used. Ask the user to open {app}.',
    '{app} 没有运行，暂时无法使用其中的工具。请用户打开 {app}。',
  ],
  'chat.notWorking': [
    '{server} isn’t working right now. Nothing was run. The user can see why in {app}.',
    '{server} 目前无法使用，本次没有执行任何操作。用户可在 {app} 中查看原因。',
  ],
  'tray.ok.one': ['All good. {n} tool ready', '一切正常，{n} 个工具可用'],
  'tray.ok.other': ['All good. {n} tools ready', '一切正常，{n} 个工具可用'],
  'tray.attention.one': ['{n} tool is waiting for your OK', '有 {n} 个工具等你确认'],
  'tray.attention.other': ['{n} tools are waiting for your OK', '有 {n} 个工具等你确认'],
  'tray.error': ['{server} isn’t working', '{server} 无法使用'],
  'tray.notSaved': ['Changes can’t be saved right now', '目前无法保存更改'],
  'tray.paused': ['Paused. Your AI apps can’t use tools', '已暂停，AI 应用暂时不能使用工具'],
  'tray.review': ['Review changes…', '查看变化…'],
  'tray.pause': ['Pause all tools', '暂停全部工具'],
  'tray.pauseHour': ['For 1 hour', '1 小时'],
  'tray.pauseOpen': ['Until I resume', '直到我恢复'],
  'tray.resume': ['Resume', '恢复'],
  'tray.restart': ['Restart {consumer} to see the update', '重启 {consumer} 后生效'],
  'tray.fix': ['{server} isn’t working – Fix…', '{server} 无法使用 – 修复…'],
  'tray.update': ['Restart to update to {version}', '重新启动并更新到 {version}'],
  'tray.open': ['Open {app}', '打开 {app}'],
  'tray.quit': ['Quit (tools stop working)', '退出（工具将停止工作）'],
  'note.one.title': ['{tool} changed', '“{tool}”有变化'],
  'note.one.body': ['It’s off in {apps} until you decide. {line}', '在你决定之前，它在 {apps} 中保持关闭。{line}'],
  'note.many.title': ['{server} changed {n} tools', '{server} 更新了 {n} 个工具'],
  'note.many.body': ['They’re off until you decide.', '在你决定之前它们保持关闭。'],
  'note.many.danger.body': [
    '{tool} can do more now. They’re off until you decide.',
    '“{tool}”现在能做更多事。在你决定之前它们保持关闭。',
  ],
  'note.several.title': ['{n} servers changed {m} tools', '{n} 个服务更新了 {m} 个工具'],
  'note.others.one': ['The other one still works.', '其余 1 个照常可用。'],
  'note.others.other': ['The other {m} still work.', '其余 {m} 个照常可用。'],
  'note.danger.title': ['{tool} can do more now', '“{tool}”现在能做更多事'],
  'note.danger.body': ['{line} It’s off until you decide.', '{line}在你决定之前保持关闭。'],
  'note.missing.title': ['{tool} is gone from {server}', '{server} 不再提供“{tool}”'],
  'note.missing.many.title': ['{n} tools are gone from {server}', '{server} 不再提供 {n} 个工具'],
  'note.missing.several.title': ['{n} tools are gone from {m} servers', '{m} 个服务不再提供 {n} 个工具'],
  'note.renamed.title': ['{old} is gone. Is {tool} the same tool?', '“{old}”不见了，“{tool}”是同一个工具吗？'],
  'note.renamed.several.title': [
    '{old} is gone. One of {n} new tools may be the same',
    '“{old}”不见了，{n} 个新工具中可能有它的接替者',
  ],
  'note.merged.title': ['{n} tools became one: {tool}', '{n} 个工具合并成了一个：“{tool}”'],
  'note.split.title': ['{tool} was split into {n} tools', '“{tool}”拆成了 {n} 个工具'],
  'note.unusable.title': ['{tool} of {server} can’t be used any more', '{server} 的“{tool}”目前无法使用'],
  'note.unusable.many.title': ['{n} tools of {server} can’t be used any more', '{server} 有 {n} 个工具目前无法使用'],
  'note.unusable.several.title': [
    '{n} tools of {m} servers can’t be used any more',
    '{m} 个服务有 {n} 个工具目前无法使用',
  ],
  'note.unusable.body': [
    'The server describes them in a way that breaks apps. They come back when it is mended.',
    '服务对它们的描述会使应用出错，服务修正后会恢复。',
  ],
  'note.missing.body': ['Your choice is kept in case it comes back.', '你的选择会保留，以备恢复。'],
  'note.tried.title': ['{consumer} tried to use {tool}', '{consumer} 想使用“{tool}”'],
  'note.tried.body': ['It’s waiting for your OK. Nothing was run.', '它在等你确认，刚才没有执行任何操作。'],
  'note.broken.many.title': ['{n} servers aren’t working', '{n} 个服务无法使用'],
  'note.broken.body': ['Apps can’t use its tools until it works again.', '在恢复之前，应用无法使用它的工具。'],
  'note.broken.many.body': [
    'Apps can’t use their tools until they work again.',
    '在恢复之前，应用无法使用它们的工具。',
  ],
  'act.approve': ['Approve', '允许'],
  'act.keepOff': ['Keep off', '保持关闭'],
  'act.review': ['Review', '查看'],
  'demo.server': ['Demo', '演示'],
  'demo.app': ['Example app', '示例应用'],
  'demo.city': ['Tokyo', '东京'],
  'list.and': [' and ', '和'],
  'notice.restored': [
    'A settings file was damaged. We restored your settings from the last good copy and kept the damaged one.',
    '设置文件已损坏。我们已从上一份完好的副本恢复，并保留了损坏的文件。',
  ],
  'notice.startedEmpty': [
    'Your settings were missing or could not be read. We kept what was left of them and started with nothing turned on.',
    '你的设置缺失或无法读取。我们保留了剩下的内容，目前没有启用任何内容。',
  ],
  'notice.history': [
    'A file of your history was damaged. We kept it aside; your settings and choices are not affected.',
    '一个历史记录文件已损坏。我们已保留该文件，你的设置和选择不受影响。',
  ],
  'notice.lost': [
    '{app} took Holdfast out of its settings again, so it was left at that. Connect it again under Apps.',
    '{app} 再次从设置中移除了 Holdfast，因此没有再写入。可以在“应用”中重新连接。',
  ],
  'notice.notSaved': [
    'Changes can’t be saved right now: {reason}. What you use goes on as it was; new choices and changes have to wait until there is room.',
    '目前无法保存更改：{reason}。正在使用的内容照常运行；新的选择和变化要等可以写入后才会生效。',
  ],
  'notice.secrets': [
    'The file with your servers’ keys was damaged. We kept it aside; the keys have to be entered again.',
    '保存服务密钥的文件已损坏。我们已保留该文件，请重新输入密钥。',
  ],
  'keys.locked': [
    'its keys are locked; end {app} where it runs without the app, then open the {app} app',
    '它的密钥已锁定，请先结束不带应用运行的 {app}，然后打开 {app} 应用',
  ],
  'keys.no-key-store': [
    'its keys are locked; unlock this computer’s key store, then quit {app} and open it again',
    '它的密钥已锁定，请解锁这台电脑的密钥存储，然后退出 {app} 并重新打开',
  ],
  'keys.unopenable': [
    'its keys cannot be opened with this computer’s key store; “holdfast doctor” says what to do',
    '这台电脑的密钥存储打不开它的密钥，“holdfast doctor” 会说明怎么办',
  ],
  'keys.note.file': [
    'Keys are kept in a file that only you can read, and not encrypted.',
    '密钥保存在只有你能读取的文件中，没有加密。',
  ],
  'keys.note.shut': [
    'Your servers’ keys cannot be opened, and nothing is lost. Run “holdfast doctor” to see what to do.',
    '服务的密钥目前打不开，没有丢失任何内容。运行 “holdfast doctor” 查看怎么办。',
  ],
  'keys.forgotten': [
    'The keys were put aside in {file}, not deleted. Enter them again with "holdfast servers set NAME --env KEY=VALUE"; until then servers that need them stay off.',
    '密钥文件已另存为 {file}，没有删除。请用 “holdfast servers set NAME --env KEY=VALUE” 重新输入密钥，在此之前需要密钥的服务保持关闭。',
  ],
  'keys.notForgotten': ['The keys can be opened, so nothing was put aside.', '密钥可以打开，因此没有做任何更改。'],
  'keys.missing': [
    'its keys are missing; enter them again with "holdfast servers set"',
    '它的密钥缺失，请用 “holdfast servers set” 重新输入',
  ],
  'notice.confirm': [
    'Your AI apps are paused because we can’t be sure the restored settings are complete. Look them over, then choose Resume.',
    '由于无法确定恢复的设置是否完整，AI 应用已暂停。请检查一遍，然后选择“恢复”。',
  ],
} as const satisfies Record<string, readonly [en: string, zh: string]>;
export type WordKey = keyof typeof WORDS;

/** One string in the person's language, filled. */
export function words(
  key: WordKey,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fill(WORDS[key][language === 'en' ? 0 : 1], { app: 'Holdfast', ...values });
}
