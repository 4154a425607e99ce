import { expect, test } from 'vitest';
import type { AppView, ServerView, Snapshot } from '../../electron/control/snapshot.ts';
import { trayFacts, trayMenu, trayStatus, type TrayLine } from '../../electron/desktop/tray-menu.ts';
import { snapshot } from '../support/desktop-samples.ts';

const USED = new Set(['srv-exa', 'srv-notion']);
const status = (given: Partial<Snapshot> = {}) => trayStatus(snapshot(given), trayFacts(snapshot(given), USED));
const menu = (given: Partial<Snapshot> = {}) => trayMenu(snapshot(given), trayFacts(snapshot(given), USED));
const labels = (lines: readonly TrayLine[]) => lines.flatMap((line) => (line.type === 'separator' ? [] : [line.label]));
const acts = (lines: readonly TrayLine[]) => lines.flatMap((line) => (line.type === 'act' ? [line.act] : []));
// What is not read is left out.
const SERVERS = [
  { id: 'srv-exa', name: 'Exa', state: 'working' },
  { id: 'srv-old', name: 'Unused', state: 'problem' },
  { id: 'srv-notion', name: 'Notion', state: 'problem' },
] as ServerView[];
const app = (name: string, connected: number, isCurrent?: boolean) =>
  ({ name, connected, ...(isCurrent !== undefined && { fetched: { at: '', isCurrent } }) }) as unknown as AppView;

test('the first line says how things stand', () => {
  expect(status()).toBe('All good. 12 tools ready');
  expect(status({ tray: 'attention', waiting: 1 })).toBe('1 tool is waiting for your OK');
  expect(status({ tray: 'attention', waiting: 2 })).toBe('2 tools are waiting for your OK');
  expect(status({ tray: 'attention', waiting: 1, language: 'zh-CN' })).toBe('有 1 个工具等你确认');
  expect(status({ tray: 'paused', waiting: 2 })).toBe('Paused. Your AI apps can’t use tools');
});

test('an error names the server in use that is broken, and where none is, says what it is', () => {
  expect(status({ tray: 'error', servers: SERVERS })).toBe('Notion isn’t working');
  expect(status({ tray: 'error' })).toBe('Changes can’t be saved right now');
});

test('an update that is ready is offered by its version', () => {
  const line = menu({ update: { version: '2.0.0' } }).find((one) => one.type === 'act' && one.act.do === 'update');
  expect(line).toMatchObject({ label: 'Restart to update to 2.0.0' });
  expect(acts(menu()).map((act) => act.do)).not.toContain('update');
});

test('the menu is the state, the way to the changes, a pause, the window and the end', () => {
  const lines = menu();
  expect(labels(lines)).toEqual([
    'All good. 12 tools ready',
    'Review changes…',
    'Pause all tools',
    'Open Holdfast',
    'Quit (tools stop working)',
  ]);
  expect(lines[0]?.type).toBe('text');
  expect(acts(lines)).toEqual([{ do: 'review' }, { do: 'open' }, { do: 'quit' }]);
  const pause = lines.find((line) => line.type === 'submenu');
  expect(labels(pause?.lines ?? [])).toEqual(['For 1 hour', 'Until I resume']);
  expect(acts(pause?.lines ?? [])).toEqual([{ do: 'pause-hour' }, { do: 'pause' }]);
});

test('when paused it offers to resume, and nothing to pause', () => {
  const lines = menu({ tray: 'paused' });
  expect(labels(lines)).toContain('Resume');
  expect(lines.some((line) => line.type === 'submenu')).toBe(false);
});

test('a server in use that does not work has a line that leads to it, and only then', () => {
  const lines = menu({ tray: 'error', servers: SERVERS });
  expect(labels(lines).slice(0, 3)).toEqual(['Notion isn’t working', 'Review changes…', 'Notion isn’t working – Fix…']);
  expect(acts(lines)).toContainEqual({ do: 'open', place: 'servers' });
});

test('an app that runs with an old list is named, and one that has the new one or does not run is not', () => {
  const apps = [app('Claude', 1, false), app('Cursor', 1, true), app('Zed', 0, false), app('Windsurf', 1)];
  const lines = menu({ apps });
  expect(labels(lines).filter((label) => label.startsWith('Restart'))).toEqual(['Restart Claude to see the update']);
  expect(acts(lines)).toContainEqual({ do: 'open', place: 'apps' });
});

test('the menu reads as Chinese in Chinese', () => {
  expect(labels(menu({ language: 'zh-CN', tray: 'error', servers: SERVERS, apps: [app('Claude', 1, false)] }))).toEqual(
    [
      'Notion 无法使用',
      '查看变化…',
      '重启 Claude 后生效',
      'Notion 无法使用 – 修复…',
      '暂停全部工具',
      '打开 Holdfast',
      '退出（工具将停止工作）',
    ],
  );
});

test('however much there is to mend, the menu stays a menu', () => {
  const servers = Array.from({ length: 20 }, (_, i) => ({ ...SERVERS[2], name: `Server ${i}` })) as ServerView[];
  expect(labels(menu({ tray: 'error', servers })).filter((label) => label.endsWith('Fix…'))).toHaveLength(3);
});
