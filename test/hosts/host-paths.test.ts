import { describe, expect, it } from 'vitest';
import { hostApp, hostApps, hostCards } from '../../electron/hosts/host-apps.ts';
import { chooseFiles, configFiles, isInstalled } from '../../electron/hosts/host-paths.ts';
import type { HostPlatform } from '../../electron/hosts/host-paths.ts';

const HOMES: Record<HostPlatform, string> = { darwin: '/Users/Ada L', linux: '/home/王', win32: 'C:\\Users\\Ada L' };
const RA = 'C:\\Users\\Ada L\\AppData\\Roaming';
const LA = 'C:\\Users\\Ada L\\AppData\\Local';
const MAC = '/Users/Ada L/Library/Application Support';

/** The file of an app that a machine with these files in its folders has. */
function chosen(id: string, platform: HostPlatform, env: Record<string, string> = {}, there: readonly string[] = []) {
  const app = hostApp(id);
  if (!app) throw new Error(`${id} has no writer`);
  return chooseFiles(app, { platform, home: HOMES[platform], env }, seeing(platform, there));
}

/** A list of folders in which exactly these files are. */
function seeing(platform: HostPlatform, there: readonly string[]) {
  const separator = platform === 'win32' ? '\\' : '/';
  return (folder: string): string[] => {
    const start = folder.endsWith(separator) ? folder : folder + separator;
    const below = there.filter((file) => file.startsWith(start));
    return [...new Set(below.map((file) => file.slice(start.length).split(separator)[0] ?? ''))];
  };
}

describe('where the settings of an app are', () => {
  it.each([
    ['claude-desktop', 'darwin', `${MAC}/Claude/claude_desktop_config.json`],
    ['claude-desktop', 'linux', '/home/王/.config/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'win32', `${RA}\\Claude\\claude_desktop_config.json`],
    ['cursor', 'darwin', '/Users/Ada L/.cursor/mcp.json'],
    ['cursor', 'win32', 'C:\\Users\\Ada L\\.cursor\\mcp.json'],
    ['vscode', 'darwin', `${MAC}/Code/User/mcp.json`],
    ['vscode', 'linux', '/home/王/.config/Code/User/mcp.json'],
    ['vscode', 'win32', `${RA}\\Code\\User\\mcp.json`],
    ['vscode-insiders', 'win32', `${RA}\\Code - Insiders\\User\\mcp.json`],
    ['claude-code', 'win32', 'C:\\Users\\Ada L\\.claude.json'],
    ['windsurf', 'darwin', '/Users/Ada L/.codeium/windsurf/mcp_config.json'],
    ['zed', 'darwin', '/Users/Ada L/.config/zed/settings.json'],
    ['zed', 'win32', `${RA}\\Zed\\settings.json`],
    ['codex', 'linux', '/home/王/.codex/config.toml'],
    ['gemini-cli', 'linux', '/home/王/.gemini/settings.json'],
    ['antigravity', 'darwin', '/Users/Ada L/.gemini/config/mcp_config.json'],
    ['cline', 'linux', '/home/王/.cline/data/settings/cline_mcp_settings.json'],
    ['lmstudio', 'win32', 'C:\\Users\\Ada L\\.lmstudio\\mcp.json'],
    ['kiro', 'linux', '/home/王/.kiro/settings/mcp.json'],
    ['continue', 'win32', 'C:\\Users\\Ada L\\.continue\\mcpServers\\holdfast.json'],
    ['opencode', 'linux', '/home/王/.config/opencode/opencode.jsonc'],
    ['goose', 'darwin', '/Users/Ada L/.config/goose/config.yaml'],
    ['goose', 'win32', `${RA}\\Block\\goose\\config\\config.yaml`],
  ] as const)('%s on %s', (id, platform, file) => {
    expect(chosen(id, platform)).toEqual({ files: [file], isAmbiguous: false });
  });

  it.each([
    ['claude-code', 'linux', { CLAUDE_CONFIG_DIR: '/c' }, '/c/.claude.json'],
    ['claude-code', 'win32', { CLAUDE_CONFIG_DIR: 'D:\\c' }, 'D:\\c\\.claude.json'],
    ['claude-code', 'linux', { CLAUDE_CONFIG_DIR: 'c' }, '/home/王/.claude.json'],
    ['codex', 'linux', { CODEX_HOME: '/x' }, '/x/config.toml'],
    ['cline', 'linux', { CLINE_MCP_SETTINGS_PATH: '/s/m.json', CLINE_DIR: '/d' }, '/s/m.json'],
    ['cline', 'linux', { CLINE_DATA_DIR: '/dd' }, '/dd/settings/cline_mcp_settings.json'],
    ['cline', 'linux', { CLINE_DIR: '/d' }, '/d/data/settings/cline_mcp_settings.json'],
    ['opencode', 'darwin', { OPENCODE_CONFIG: '/o/own.json' }, '/o/own.json'],
    ['goose', 'linux', { GOOSE_PATH_ROOT: '/g' }, '/g/config/config.yaml'],
    ['goose', 'linux', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/goose/config.yaml'],
    ['vscode', 'win32', { APPDATA: 'D:\\R' }, 'D:\\R\\Code\\User\\mcp.json'],
  ] as const)('%s on %s, moved by %o', (id, platform, env, file) => {
    expect(chosen(id, platform, { ...env }).files).toEqual([file]);
  });

  it.each([
    ['lmstudio', 'linux', ['/home/王/.cache/lm-studio/mcp.json'], '/home/王/.cache/lm-studio/mcp.json'],
    ['lmstudio', 'linux', ['/home/王/.lmstudio/bin', '/home/王/.cache/lm-studio/x'], '/home/王/.lmstudio/mcp.json'],
    ['opencode', 'linux', ['/home/王/.config/opencode/opencode.json'], '/home/王/.config/opencode/opencode.json'],
    [
      'cline',
      'linux',
      ['/home/王/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'],
      '/home/王/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    ],
    ['antigravity', 'linux', ['/home/王/.gemini/antigravity/x'], '/home/王/.gemini/antigravity/mcp_config.json'],
  ] as const)('%s on %s takes the one of its places that is there: %o', (id, platform, there, file) => {
    expect(chosen(id, platform, {}, there).files).toEqual([file]);
  });

  const CLASSIC = `${RA}\\Claude\\claude_desktop_config.json`;
  const packaged = (name: string): string =>
    `${LA}\\Packages\\${name}\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json`;

  it('is the private folder of the package where Claude Desktop came as one, and the classic one beside it', () => {
    const folder = `${LA}\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\x`;
    expect(chosen('claude-desktop', 'win32', {}, [folder]).files).toEqual([packaged('Claude_pzs8sxrjxfjjc')]);
    expect(chosen('claude-desktop', 'win32', {}, [folder, CLASSIC]).files).toEqual([
      packaged('Claude_pzs8sxrjxfjjc'),
      CLASSIC,
    ]);
  });

  it('is that of the package with settings where there are several, and a question where that does not tell', () => {
    const both = ['a', 'b'].map((name) => `${LA}\\Packages\\Claude_${name}\\LocalCache\\x`);
    expect(chosen('claude-desktop', 'win32', {}, both).isAmbiguous).toBe(true);
    expect(chosen('claude-desktop', 'win32', {}, [...both, packaged('Claude_b')])).toEqual({
      files: [packaged('Claude_b')],
      isAmbiguous: false,
    });
    expect(
      chosen(
        'claude-desktop',
        'win32',
        {},
        ['a', 'b'].map((name) => packaged(`Claude_${name}`)),
      ).isAmbiguous,
    ).toBe(true);
  });
});

describe('whether an app is installed', () => {
  it.each([
    ['claude-desktop', 'darwin', {}, ['/Applications/Claude.app/Contents'], true],
    ['cursor', 'win32', { Path: 'C:\\bin;D:\\x' }, ['D:\\x\\cursor.cmd'], true],
    ['goose', 'linux', { PATH: '/usr/bin' }, ['/usr/bin/goose'], true],
    ['goose', 'linux', { PATH: '/usr/bin' }, ['/usr/bin/goosed'], false],
    ['kiro', 'linux', {}, [], false],
  ] as const)('%s on %s: %o with %o', (id, platform, env, there, expected) => {
    const machine = { platform, home: HOMES[platform], env };
    expect(isInstalled(hostApp(id)!, machine, seeing(platform, there))).toBe(expected);
  });
});

describe('the table of apps', () => {
  it('has every app that is written, in its order, and a card for others', () => {
    expect(hostApps().map(({ id }) => id)).toEqual([
      ...['claude-desktop', 'cursor', 'vscode', 'vscode-insiders', 'claude-code', 'windsurf', 'zed', 'codex'],
      ...['gemini-cli', 'antigravity', 'cline', 'lmstudio', 'kiro', 'continue', 'opencode', 'goose'],
    ]);
    expect(hostCards().length).toBeGreaterThan(10);
  });

  it('says of each app what is verified, from where and when', () => {
    for (const { verified } of [...hostApps(), ...hostCards()]) {
      expect(verified.length).toBeGreaterThan(0);
      for (const { on } of verified) expect(on).toMatch(/^2026-/);
    }
  });

  it.each(['darwin', 'linux', 'win32'] as const)('has an absolute path for each app on %s', (platform) => {
    const machine = { platform, home: HOMES[platform], env: {} };
    for (const app of hostApps()) {
      const files = configFiles(app, machine, () => []);
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expect(file).toMatch(platform === 'win32' ? /^[A-Z]:\\[^/*]+$/ : /^\/[^\\*]+$/);
    }
  });
});
