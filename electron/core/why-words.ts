import { fill } from './error-sentences.ts';
import type { Settings } from './model.ts';

/** Why a capability is on or off in an app, and what a person can do: one sentence each, in each language. */
const WHY = {
  on: ['“{name}” is on in {app}.', '“{name}”在 {app} 中已启用。'],
  'on.person': [
    '“{name}” is on in {app}: you approved it as it is now.',
    '“{name}”在 {app} 中已启用，你允许了现在的样子。',
  ],
  'on.first-seen': [
    '“{name}” is on in {app}: it is as it was when {server} was first seen.',
    '“{name}”在 {app} 中已启用，与首次看到 {server} 时相同。',
  ],
  'on.policy': [
    '“{name}” is on in {app}: its last change was accepted automatically.',
    '“{name}”在 {app} 中已启用，最近一次变化是自动接受的。',
  ],
  changed: [
    '“{name}” is off in {app}: it has changed, and nobody has approved the change.',
    '“{name}”在 {app} 中已关闭：它有变化，还没有人允许。',
  ],
  new: [
    '“{name}” is off in {app}: it is new, and nobody has approved it.',
    '“{name}”在 {app} 中已关闭：它是新增的，还没有人允许。',
  ],
  rejected: ['“{name}” is off in {app}: you kept it off.', '“{name}”在 {app} 中已关闭：你选择了保持关闭。'],
  missing: [
    '“{name}” is off in {app}: {server} no longer offers it. Your choice is kept.',
    '“{name}”在 {app} 中已关闭：{server} 不再提供它，你的选择会保留。',
  ],
  unseen: [
    '“{name}” is off in {app}: {server} has never offered it.',
    '“{name}”在 {app} 中已关闭：{server} 从未提供过它。',
  ],
  'hidden.signed-in': [
    '“{name}” is off in {app}: {server} does not offer it since you signed in or out.',
    '“{name}”在 {app} 中已关闭：你登录或退出之后，{server} 没有提供它。',
  ],
  'hidden.launch': [
    '“{name}” is off in {app}: {server} does not offer it since its keys or settings were changed.',
    '“{name}”在 {app} 中已关闭：更改密钥或设置之后，{server} 没有提供它。',
  ],
  'hidden.other': [
    '“{name}” is off in {app}: {server} offers it only in other circumstances.',
    '“{name}”在 {app} 中已关闭：{server} 只在其他情况下提供它。',
  ],
  invalid: [
    '“{name}” is off in {app}: the way {server} describes it cannot be used ({reason}).',
    '“{name}”在 {app} 中已关闭：{server} 对它的描述无法使用（{reason}）。',
  ],
  unreadable: [
    '“{name}” is off in {app}: its file here cannot be read. It comes back when {server} shows it again.',
    '“{name}”在 {app} 中已关闭：本机上的文件无法读取，{server} 再次提供后会恢复。',
  ],
  conflict: [
    '“{name}” is off in {app}: something else has its name there.',
    '“{name}”在 {app} 中已关闭：它的名称已被占用。',
  ],
  excluded: ['“{name}” is off in {app}: you turned it off there.', '“{name}”在 {app} 中已关闭：你在那里关闭了它。'],
  unchosen: ['“{name}” is off in {app}: it was not chosen there.', '“{name}”在 {app} 中已关闭：没有在那里选择它。'],
  archived: [
    '“{name}” is off in {app}: {server} was removed. Your choices are kept.',
    '“{name}”在 {app} 中已关闭：{server} 已移除，你的选择会保留。',
  ],
  paused: ['All tools are paused for now.', '全部工具目前已暂停。'],
  problem: ['{server} isn’t working right now: {reason}', '{server} 目前无法使用：{reason}'],
  'next.nothing': ['There is nothing to do.', '无需任何操作。'],
  'next.review': [
    'Look at the change and approve it, or keep it off: “holdfast review show {review}”.',
    '查看变化后允许或保持关闭：“holdfast review show {review}”。',
  ],
  'next.undo': [
    'To change your mind: “holdfast review undo {review}”.',
    '要改变主意：“holdfast review undo {review}”。',
  ],
  'next.expose': [
    'To turn it on, choose it for {app} in the window, or use “holdfast expose”.',
    '要启用它，请在窗口中为 {app} 选择它，或使用 “holdfast expose”。',
  ],
  'next.check': [
    'To look again: “holdfast servers check {serverId}”.',
    '要再次查看：“holdfast servers check {serverId}”。',
  ],
  'next.restore': [
    'Add the server again with --restore to bring your choices back.',
    '用 --restore 重新添加该服务即可恢复你的选择。',
  ],
  'next.resume': ['Resume in the tray menu, or “holdfast resume”.', '在托盘菜单中恢复，或运行 “holdfast resume”。'],
} as const satisfies Record<string, readonly [en: string, zh: string]>;
export type WhyKey = keyof typeof WHY;

/** One sentence in the person's language, filled. */
export function whyWords(
  key: WhyKey,
  language: Settings['language'],
  values: Readonly<Record<string, string>> = {},
): string {
  return fill(WHY[key][language === 'en' ? 0 : 1], values);
}
