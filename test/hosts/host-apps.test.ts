import { describe, expect, it } from 'vitest';
import { hostApp } from '../../electron/hosts/host-apps.ts';
import type { HostApp } from '../../electron/hosts/host-apps.ts';
import { configFiles } from '../../electron/hosts/host-paths.ts';
import type { HostPlatform } from '../../electron/hosts/host-paths.ts';

function claudeDesktop(): HostApp {
  const app = hostApp('claude-desktop');
  if (!app) throw new Error('claude-desktop has no writer');
  return app;
}

function files(
  platform: HostPlatform,
  home: string,
  env: Record<string, string>,
  folders: Record<string, string[]> = {},
) {
  return configFiles(claudeDesktop(), { platform, home, env }, (folder) => folders[folder] ?? []);
}

describe('the table of host apps', () => {
  it('knows that Claude Desktop rejects a BOM and rewrites its own file', () => {
    expect(claudeDesktop()).toMatchObject({
      id: 'claude-desktop',
      title: 'Claude Desktop',
      dialect: 'json',
      section: 'mcpServers',
      rejectsBom: true,
      rewritesOwnFile: true,
    });
  });

  it('has no writer for apps that are known but not supported, nor for names of object properties', () => {
    for (const id of ['amp', 'constructor', '__proto__', '']) expect(hostApp(id)).toBeUndefined();
  });

  it('cannot be changed at run time', () => {
    expect(Object.isFrozen(claudeDesktop())).toBe(true);
  });
});

describe('the settings file of Claude Desktop', () => {
  it('is in Application Support on macOS, also for a home folder with spaces', () => {
    expect(files('darwin', '/Users/Ada L', {})).toEqual([
      '/Users/Ada L/Library/Application Support/Claude/claude_desktop_config.json',
    ]);
  });

  it('is in the XDG configuration folder on Linux', () => {
    expect(files('linux', '/home/ada', {})).toEqual(['/home/ada/.config/Claude/claude_desktop_config.json']);
    expect(files('linux', '/home/ada', { XDG_CONFIG_HOME: '/cfg' })).toEqual([
      '/cfg/Claude/claude_desktop_config.json',
    ]);
  });

  it('ignores a relative or empty XDG folder', () => {
    for (const folder of ['', 'cfg']) {
      expect(files('linux', '/home/ada', { XDG_CONFIG_HOME: folder })[0]).toMatch(/^\/home\/ada\/\.config\//);
    }
  });

  const LOCAL = 'C:\\Users\\ada\\AppData\\Local';
  const ROAMING = 'C:\\Users\\ada\\AppData\\Roaming';
  const CLASSIC = `${ROAMING}\\Claude\\claude_desktop_config.json`;
  const PACKAGED = `${LOCAL}\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json`;
  const PACKAGES = { [`${LOCAL}\\Packages`]: ['Claude_pzs8sxrjxfjjc', 'NotClaude_x', 'Claude'] };

  it('is in the roaming folder on Windows where no package is installed', () => {
    expect(files('win32', 'C:\\Users\\ada', {})).toEqual([CLASSIC]);
    expect(files('win32', 'C:\\Users\\ada', { APPDATA: 'D:\\R' })).toEqual([
      'D:\\R\\Claude\\claude_desktop_config.json',
    ]);
  });

  it('is in the private folder of the package on Windows where one is installed', () => {
    expect(files('win32', 'C:\\Users\\ada', {}, PACKAGES)).toEqual([PACKAGED]);
  });

  it('is in both places where a classic installation is there too', () => {
    const folders = { ...PACKAGES, [`${ROAMING}\\Claude`]: ['claude_desktop_config.json'] };
    expect(files('win32', 'C:\\Users\\ada', {}, folders)).toEqual([PACKAGED, CLASSIC]);
  });

  it('names every package where there are several', () => {
    const folders = { ['D:\\L\\Packages']: ['Claude_b', 'Claude_a'] };
    expect(files('win32', 'C:\\Users\\ada', { LOCALAPPDATA: 'D:\\L' }, folders)).toEqual([
      'D:\\L\\Packages\\Claude_a\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
      'D:\\L\\Packages\\Claude_b\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
    ]);
  });
});
