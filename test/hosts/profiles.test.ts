import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hostApp } from '../../electron/hosts/host-apps.ts';
import { UserHome } from './host-folder.ts';

const MAIN = '{\n  "servers": {}\n}\n';
const WORK = '// work\r\n{\r\n\t"servers": {\r\n\t\t"a": { "command": "a" },\r\n\t},\r\n}';

test('each profile of VS Code that has settings gets our entry and its bytes back, and no other gets a file', () => {
  const user = new UserHome();
  const main = user.fileOf(hostApp('vscode')!); // in the table
  const profiles = path.join(path.dirname(main), 'profiles');
  const work = path.join(profiles, '4f1c', 'mcp.json');
  user.write(main, MAIN);
  user.write(work, WORK);
  user.write(path.join(profiles, '-7a2b', 'settings.json'), '{}');
  expect(user.connect('vscode', true).diff).toContain(work);
  expect(user.connect('vscode')).toMatchObject({ file: main, changed: true, others: [work] });
  const entry = /"holdfast": \{/;
  expect([main, work].map((file) => entry.test(fs.readFileSync(file, 'utf8')))).toEqual([true, true]);
  expect(user.connect('vscode').changed).toBe(false);
  expect(fs.readdirSync(path.join(profiles, '-7a2b'))).toEqual(['settings.json']);
  user.disconnect('vscode');
  expect([main, work].map((file) => fs.readFileSync(file, 'utf8'))).toEqual([MAIN, WORK]);
});

test('a profile that cannot be read keeps the others as they are, and is named with the line', () => {
  const user = new UserHome();
  const main = user.fileOf(hostApp('vscode')!); // in the table
  const work = path.join(path.dirname(main), 'profiles', '4f1c', 'mcp.json');
  user.write(main, MAIN);
  user.write(work, '{\n  "servers": [\n');
  expect(() => user.connect('vscode')).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ file: work, problem: 'SYNTAX' }) }),
  );
  expect(fs.readFileSync(main, 'utf8')).toBe(MAIN);
});
