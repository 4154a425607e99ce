/** Words for restarting an app so that it sees what has changed. */
export const RESTART_EN = {
  'apps.restartBtn': 'Restart {app}',
  'restart.ask': '{app} closes and opens again. Finish what you are typing there first.',
  'restart.yes': 'Close and reopen it now',
  'restart.busy': 'Waiting for {app} to close…',
  'restart.done': '{app} was restarted',
} as const;

/** The same in Simplified Chinese. */
export const RESTART_ZH = {
  'apps.restartBtn': '重启 {app}',
  'restart.ask': '{app} 会关闭并重新打开。请先完成正在输入的内容。',
  'restart.yes': '现在关闭并重新打开',
  'restart.busy': '正在等待 {app} 关闭…',
  'restart.done': '{app} 已重启',
} as const;
