import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { entryHome, linkFor, shortNameIn } from '../../electron/entry-home.ts';
import { isWalledOff } from '../../electron/hosts/app-edits.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'holdfast-entry-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function folder(...parts: readonly string[]): string {
  const made = path.join(home, ...parts);
  mkdirSync(made, { recursive: true });
  return made;
}

describe('the name of the data folder in entries', () => {
  const named = (dataDir: string): string => entryHome({ dataDir, home, platform: 'darwin' });

  test('is its own, where that has no space', () => {
    const dataDir = folder('data');
    expect(named(dataDir)).toBe(dataDir);
  });

  test('is a link without one, the same at every start, and leads there', () => {
    const dataDir = folder('Application Support', 'Holdfast');
    const link = named(dataDir);
    expect(link).toMatch(/^\S+\/\.holdfast-[0-9a-f]{8}$/);
    expect(named(dataDir)).toBe(link);
    expect(realpathSync(link)).toBe(dataDir);
    expect(named(folder('Other Support', 'Holdfast'))).not.toBe(link);
  });

  test('is its own where something else has the name of the link, and that is left alone', () => {
    const dataDir = folder('Application Support', 'Holdfast');
    const link = linkFor({ dataDir, home }) ?? '';
    writeFileSync(link, 'mine');
    expect(named(dataDir)).toBe(dataDir);
    expect(readFileSync(link, 'utf8')).toBe('mine');
    rmSync(link);
    symlinkSync(folder('elsewhere'), link);
    expect(named(dataDir)).toBe(dataDir);
    expect(readlinkSync(link)).toBe(path.join(home, 'elsewhere'));
  });

  test('is its own where the home folder has a space, too', () => {
    const dataDir = folder('Anna B', 'data');
    expect(entryHome({ dataDir, home: path.join(home, 'Anna B'), platform: 'linux' })).toBe(dataDir);
    expect(lstatSync(path.join(home, 'Anna B')).isDirectory()).toBe(true);
  });

  test('is the short one on Windows, where there is one', () => {
    const dataDir = 'C:\\Users\\Anna B\\AppData\\Roaming\\Holdfast';
    const asked = (said: string): string =>
      entryHome({ dataDir, home: 'C:\\Users\\Anna B', platform: 'win32', askShortName: () => said });
    expect(asked('C:\\Users\\ANNAB~1\\AppData\\Roaming\\Holdfast\r\n')).toBe(
      'C:\\Users\\ANNAB~1\\AppData\\Roaming\\Holdfast',
    );
    expect(asked(`${dataDir}\r\n`)).toBe(dataDir);
    expect(asked('')).toBe(dataDir);
  });

  test.each(['', 'echo', 'C:\\a b', '"C:\\a"', 'C:\\%A', 'C:\\a\r\nC:\\b'])('%j is no short name', (said) => {
    expect(shortNameIn(said)).toBe(null);
  });
});

test.each([
  [
    'C:\\Users\\a\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
    true,
  ],
  ['C:\\Users\\a\\AppData\\Roaming\\Claude\\claude_desktop_config.json', false],
  ['/home/a/.var/app/com.visualstudio.code/config/Code/User/mcp.json', true],
  ['/home/a/snap/chat/current/.config/chat/mcp.json', true],
  ['/home/a/snap/chat/x1/.config/chat/mcp.json', true],
  ['/home/a/.config/Code/User/mcp.json', false],
  ['/home/a/projects/snap/settings.json', false],
  ['', false],
])('an app with settings in %s is walled off: %s', (file, is) => {
  expect(isWalledOff(file)).toBe(is);
});
