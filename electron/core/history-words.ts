import { fill } from './error-sentences.ts';
import type { ErrorDetails } from './errors.ts';
import type { Settings } from './model.ts';

/** What is told of each thing that happened: one plain sentence, in each language. */
const HISTORY = {
  'server-added': ['{server} was added.', '已添加 {server}。'],
  'server-changed': ['How {server} is started was changed.', '{server} 的启动方式已更改。'],
  'server-removed': ['{server} was removed; your choices for it are kept.', '已移除 {server}，你的选择会保留。'],
  'server-restored': [
    '{server} was added again, with your earlier choices.',
    '已重新添加 {server}，并恢复以前的选择。',
  ],
  'server-asks': [
    '{server} asks questions of its own, so each app gets its own copy of it.',
    '{server} 会主动提问，因此每个应用使用各自的副本。',
  ],
  'policy-set.review': [
    'You are asked about every change of {server} from now on.',
    '从现在起，{server} 的每处变化都会先询问你。',
  ],
  'policy-set.follow-safe': [
    'Safe changes of {server} are followed from now on.',
    '从现在起，{server} 的安全变化会自动接受。',
  ],
  'policy-set.follow': [
    'All changes of {server} but risky ones are followed from now on.',
    '从现在起，除有风险的以外，{server} 的变化都会自动接受。',
  ],
  'policy-applied': [
    'What waited of {server} and is followed now was accepted.',
    '{server} 中等待确认且符合自动接受设置的变化已接受。',
  ],
  'consumer-added': ['{app} was added.', '已添加 {app}。'],
  'exposed.all': ['Everything {server} offers was turned on in {app}.', '在 {app} 中启用了 {server} 的全部内容。'],
  'exposed.one': ['“{name}” of {server} was turned on in {app}.', '在 {app} 中启用了 {server} 的“{name}”。'],
  'hidden.all': ['Everything of {server} was turned off in {app}.', '在 {app} 中关闭了 {server} 的全部内容。'],
  'hidden.one': ['“{name}” of {server} was turned off in {app}.', '在 {app} 中关闭了 {server} 的“{name}”。'],
  'profile-created': ['The tool set “{profile}” was made.', '已创建工具组合“{profile}”。'],
  'profile-added.all': [
    'Everything {server} offers was put into the tool set “{profile}”.',
    '{server} 的全部内容已加入工具组合“{profile}”。',
  ],
  'profile-added.one': [
    '“{name}” of {server} was put into the tool set “{profile}”.',
    '{server} 的“{name}”已加入工具组合“{profile}”。',
  ],
  'profile-removed.all': [
    'Everything of {server} was taken out of the tool set “{profile}”.',
    '{server} 的全部内容已移出工具组合“{profile}”。',
  ],
  'profile-removed.one': [
    '“{name}” of {server} was taken out of the tool set “{profile}”.',
    '{server} 的“{name}”已移出工具组合“{profile}”。',
  ],
  'profile-assigned': ['The tool set “{profile}” was given to {app}.', '工具组合“{profile}”已分配给 {app}。'],
  'profile-unassigned': ['The tool set “{profile}” was taken from {app}.', '已从 {app} 收回工具组合“{profile}”。'],
  'decided.approved': ['You approved “{name}” of {server} in {app}.', '你在 {app} 中允许了 {server} 的“{name}”。'],
  'decided.rejected': ['You kept “{name}” of {server} off in {app}.', '你让 {server} 的“{name}”在 {app} 中保持关闭。'],
  undone: [
    'A decision about “{name}” of {server} in {app} was undone.',
    '已撤销 {app} 中对 {server} 的“{name}”的决定。',
  ],
  rebound: [
    'You said that “{old}” of {server} is “{name}” now, and approved that in {app}.',
    '你确认 {server} 的“{old}”现在是“{name}”，并在 {app} 中允许了它。',
  ],
  'told-apart': [
    'You said that nothing new of {server} is “{name}” in {app}.',
    '你确认 {server} 没有新内容是 {app} 中的“{name}”。',
  ],
  'observed.one': ['{server} was looked at: it offers 1 item.', '已查看 {server}：它提供 1 项内容。'],
  'observed.other': ['{server} was looked at: it offers {n} items.', '已查看 {server}：它提供 {n} 项内容。'],
  'observed.partly': [
    '{server} was looked at, and part of what it offers could not be read ({kinds}). Nothing was taken away for that.',
    '已查看 {server}，但有一部分内容无法读取（{kinds}），没有因此关闭任何内容。',
  ],
  'observed.failed': [
    '{server} could not be looked at. Nothing was taken away for that.',
    '无法查看 {server}，没有因此关闭任何内容。',
  ],
  listed: ['{app} loaded its list of {kind}.', '{app} 载入了{kind}列表。'],
  'notified.one': ['You were told of a change.', '已通知你一处变化。'],
  'notified.other': ['You were told of {n} changes.', '已通知你 {n} 处变化。'],
  'paused.open': ['All tools were paused.', '全部工具已暂停。'],
  'paused.until': ['All tools were paused until {until}.', '全部工具已暂停至 {until}。'],
  'paused.recovered': [
    'All tools were paused, so that you can look over the restored settings.',
    '全部工具已暂停，以便你检查恢复的设置。',
  ],
  resumed: ['All tools may be used again.', '全部工具恢复可用。'],
  language: ['The language was changed.', '语言已更改。'],
  'tell-set': ['What you are told about was changed.', '通知范围已更改。'],
  publication: ['{app} may use {names} now.', '{app} 现在可以使用{names}。'],
  'publication.quiet': ['What {app} may use was renewed.', '{app} 可用的内容已更新。'],
  contraction: ['{app} may not use {names} any more.', '{app} 不能再使用{names}。'],
  followed: [
    '{names} changed, and {app} goes on using it: the change was accepted automatically.',
    '{names}有变化，已自动接受，{app} 继续使用。',
  ],
  launch: ['{server} was started.', '{server} 已启动。'],
  unknown: ['Something was recorded that this version cannot put into words.', '有一条记录，当前版本无法用文字说明。'],
  'kind.tool': ['tools', '工具'],
  'kind.prompt': ['prompts', '提示'],
  'kind.resource': ['resources', '资源'],
  'kind.resourceTemplate': ['resource templates', '资源模板'],
  'kind.instructions': ['instructions', '说明'],
  'list.and': [', ', '、'],
  'list.more': ['{names} and {n} more', '{names}等另外 {n} 项'],
} as const satisfies Record<string, readonly [en: string, zh: string]>;
export type HistoryKey = keyof typeof HISTORY;

/** One sentence of the history in the person's language, filled. */
export function historyWords(key: HistoryKey, language: Settings['language'], values: ErrorDetails = {}): string {
  return fill(HISTORY[key][language === 'en' ? 0 : 1], values);
}
