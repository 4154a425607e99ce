import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endingsIn, programFile, type ProgramPlace } from '../../electron/system/find-program.ts';
import { knownFolders, type KnownPlace } from '../../electron/system/known-folders.ts';
import { packagedRuntimes, runtimesAtHand } from '../../electron/system/runtimes.ts';
import { foldersIn } from '../../electron/system/windows-path.ts';

/** A disk that has these files and no others. */
function disk(files: readonly string[], separator: string): Required<Pick<KnownPlace, 'list' | 'read'>> {
  return {
    list: (folder) => {
      const inside = files.flatMap((file) =>
        file.startsWith(folder + separator) ? [file.slice(folder.length + 1)] : [],
      );
      return [...new Set(inside.map((rest) => rest.split(separator)[0] ?? ''))];
    },
    read: () => null,
  };
}

describe('folders where people’s programs are', () => {
  test.each<[string, Partial<KnownPlace>, readonly string[], readonly string[]]>([
    [
      'those of Homebrew on a Mac',
      { platform: 'darwin', home: '/Users/a' },
      ['/opt/homebrew/bin/node', '/usr/local/bin/uv', '/home/linuxbrew/.linuxbrew/bin/x'],
      ['/opt/homebrew/bin', '/usr/local/bin'],
    ],
    [
      'the newest Node of nvm, not the first by name',
      { platform: 'darwin', home: '/Users/a' },
      [
        '/Users/a/.nvm/versions/node/v9.11.2/bin/node',
        '/Users/a/.nvm/versions/node/v22.1.0/bin/node',
        '/Users/a/.nvm/versions/node/v18.20.4/bin/node',
      ],
      ['/Users/a/.nvm/versions/node/v22.1.0/bin'],
    ],
    [
      'the Node of nvm that the person chose',
      { home: '/h', read: (file) => (file === '/h/.nvm/alias/default' ? '18\n' : null) },
      [
        '/h/.nvm/versions/node/v22.1.0/bin/node',
        '/h/.nvm/versions/node/v18.2.0/bin/node',
        '/h/.nvm/versions/node/v18.19.0/bin/node',
      ],
      ['/h/.nvm/versions/node/v18.19.0/bin'],
    ],
    [
      'those of version managers, before the system’s',
      { home: '/h' },
      [
        '/usr/local/bin/node',
        '/h/.volta/bin/node',
        '/h/.asdf/shims/node',
        '/h/.local/share/mise/shims/x',
        '/h/.pyenv/shims/python',
        '/h/.cargo/bin/uv',
        '/h/.local/bin/uvx',
      ],
      [
        '/h/.local/bin',
        '/h/.volta/bin',
        '/h/.asdf/shims',
        '/h/.local/share/mise/shims',
        '/h/.pyenv/shims',
        '/h/.cargo/bin',
        '/usr/local/bin',
      ],
    ],
    [
      'those of fnm',
      { home: '/h' },
      [
        '/h/.local/share/fnm/aliases/default/bin/node',
        '/h/.local/share/fnm/node-versions/v20.1.0/installation/bin/node',
      ],
      ['/h/.local/share/fnm/aliases/default/bin', '/h/.local/share/fnm/node-versions/v20.1.0/installation/bin'],
    ],
    ['none that is not there', { home: '/h' }, [], []],
    [
      'on Windows those of installers and package managers',
      {
        platform: 'win32',
        home: 'C:\\Users\\a',
        env: { APPDATA: 'C:\\Users\\a\\AppData\\Roaming', ProgramFiles: 'D:\\Programs' },
      },
      [
        'D:\\Programs\\nodejs\\node.exe',
        'C:\\Users\\a\\AppData\\Roaming\\npm\\x.cmd',
        'C:\\Users\\a\\.local\\bin\\uv.exe',
        'C:\\Users\\a\\AppData\\Local\\Programs\\Python\\Python39\\python.exe',
        'C:\\Users\\a\\AppData\\Local\\Programs\\Python\\Python313\\python.exe',
      ],
      [
        'C:\\Users\\a\\.local\\bin',
        'D:\\Programs\\nodejs',
        'C:\\Users\\a\\AppData\\Roaming\\npm',
        'C:\\Users\\a\\AppData\\Local\\Programs\\Python\\Python313',
      ],
    ],
  ])('are %s', (_, place, files, found) => {
    const platform = place.platform ?? 'linux';
    const eyes = disk(files, platform === 'win32' ? '\\' : '/');
    expect(knownFolders({ platform, home: '/h', env: {}, ...eyes, ...place })).toEqual(found);
  });
});

test.each([
  [
    '\r\nHKEY_CURRENT_USER\\Environment\r\n    Path    REG_EXPAND_SZ    %USERPROFILE%\\bin;C:\\Tools\\;"C:\\Program Files\\x"\r\n\r\n',
    ['C:\\Users\\a\\bin', 'C:\\Tools\\', 'C:\\Program Files\\x'],
  ],
  ['    Path    REG_SZ    C:\\a;;relative;%NOBODY%\\x;\\\\server\\share', ['C:\\a', '\\\\server\\share']],
  ['ERROR: The system was unable to find the specified registry key or value.', []],
  ['    PathX    REG_SZ    C:\\a', []],
])('of what the registry says, %j, the folders are %j', (said, folders) => {
  expect(foldersIn(said, { UserProfile: 'C:\\Users\\a' })).toEqual(folders);
});

describe('a program on Windows', () => {
  const files = [
    'C:\\nodejs\\npx',
    'C:\\nodejs\\npx.cmd',
    'C:\\nodejs\\node.exe',
    'C:\\py\\python3.11.exe',
    'C:\\s\\server.js',
  ];
  const place: ProgramPlace = {
    path: 'C:\\nodejs;C:\\py',
    cwd: 'C:\\work',
    platform: 'win32',
    look: (file: string) => (files.includes(file) ? 'found' : 'missing'),
  };
  test.each([
    ['npx', 'C:\\nodejs\\npx.cmd'],
    ['node', 'C:\\nodejs\\node.exe'],
    ['node.exe', 'C:\\nodejs\\node.exe'],
    ['python3.11', 'C:\\py\\python3.11.exe'],
    ['C:\\s\\server.js', 'C:\\s\\server.js'],
    ['C:\\nodejs\\node', 'C:\\nodejs\\node.exe'],
    ['..\\nodejs\\node', 'C:\\nodejs\\node.exe'],
    ['server.js', null],
    ['uvx', null],
  ])('that is called %s is %s', (command, file) => {
    expect(programFile(command, place)).toBe(file);
  });

  test.each([
    ['.COM;.EXE;.BAT;.CMD;.VBS;.JS', ['.com', '.exe', '.bat', '.cmd']],
    ['.EXE;.PY', ['.exe']],
    ['', ['.com', '.exe', '.bat', '.cmd']],
    [undefined, ['.com', '.exe', '.bat', '.cmd']],
  ])('has by %j one of the endings %j', (pathext, endings) => {
    expect(endingsIn(pathext)).toEqual(endings);
  });
});

describe('the runtimes that Holdfast brings along', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'holdfast-runtimes-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const put = (...parts: string[]): string => {
    const file = path.join(root, ...parts);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '');
    return file;
  };

  test('are found as their makers lay them out, in the package before the data folder', () => {
    put('data/runtimes/linux-x64/node/bin/node');
    const uv = put('data/runtimes/linux-x64/uv/uv');
    const node = put('package/runtimes/linux-x64/node/bin/node');
    const npx = put('package/runtimes/linux-x64/node/lib/node_modules/npm/bin/npx-cli.js');
    const roots = [path.join(root, 'package'), path.join(root, 'data')];
    expect(packagedRuntimes({ roots, platform: 'linux', arch: 'x64' })).toEqual({
      node: { file: node, env: {} },
      npm: path.dirname(path.dirname(npx)),
      uv,
      isPackaged: true,
    });
    expect(packagedRuntimes({ roots, platform: 'linux', arch: 'arm64' })).toBe(null);
  });

  test('are found on Windows', () => {
    const node = put('runtimes/win32-x64/node/node.exe');
    put('runtimes/win32-x64/node/node_modules/npm/bin/npx-cli.js');
    const found = packagedRuntimes({ roots: [root], platform: 'win32', arch: 'x64' });
    expect(found).toMatchObject({
      node: { file: node },
      npm: path.join(path.dirname(node), 'node_modules/npm'),
      uv: null,
    });
  });

  test('are, from a checkout, the Node that runs it with its npm', () => {
    const node = put('bin/node');
    put('lib/node_modules/npm/bin/npx-cli.js');
    expect(runtimesAtHand(node, false)).toMatchObject({
      node: { file: node, env: {} },
      npm: path.join(root, 'lib/node_modules/npm'),
    });
    expect(runtimesAtHand(node, true)).toMatchObject({ node: { env: { ELECTRON_RUN_AS_NODE: '1' } }, npm: null });
  });
});
