import { expect, test } from 'vitest';
import type { ServerView } from '../../electron/control/snapshot.ts';
import { trayMenu, trayStatus } from '../../electron/desktop/tray-menu.ts';
import { snapshot } from '../support/desktop-samples.ts';

test('the first line says how things stand', () => {
  expect(trayStatus(snapshot())).toBe('All good. 12 tools ready');
  expect(trayStatus(snapshot({ tray: 'attention', waiting: 1 }))).toBe('1 tool is waiting for your OK');
  expect(trayStatus(snapshot({ tray: 'attention', waiting: 2 }))).toBe('2 tools are waiting for your OK');
  expect(trayStatus(snapshot({ tray: 'attention', waiting: 1, language: 'zh-CN' }))).toBe('有 1 个工具等你确认');
  expect(trayStatus(snapshot({ tray: 'paused', waiting: 2 }))).toBe('Paused. Your AI apps can’t use tools');
});

test('an error names the server that is broken', () => {
  const servers = [
    { name: 'Exa', state: 'working' },
    { name: 'Notion', state: 'problem' },
  ] as ServerView[]; // the rest is not read
  expect(trayStatus(snapshot({ tray: 'error', servers }))).toBe('Notion isn’t working');
});

test('the menu offers to pause, and when paused to resume', () => {
  const labels = (lines: ReturnType<typeof trayMenu>) =>
    lines.flatMap((line) => (line.type === 'separator' ? [] : [line.label]));
  expect(labels(trayMenu(snapshot()))).toEqual([
    'All good. 12 tools ready',
    'Review changes…',
    'Pause all tools',
    'Open Holdfast',
    'Quit (tools stop working)',
  ]);
  const pause = trayMenu(snapshot()).find((line) => line.type === 'submenu');
  expect(pause?.lines.map((line) => line.type === 'act' && line.act)).toEqual(['pause-hour', 'pause']);
  expect(labels(trayMenu(snapshot({ tray: 'paused' })))).toContain('Resume');
  expect(trayMenu(snapshot({ tray: 'paused' })).some((line) => line.type === 'submenu')).toBe(false);
});
