import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { linuxLoginStart, systemLoginStart, type LoginProgram } from '../../electron/desktop/login-start.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'holdfast-login-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const program: LoginProgram = { command: '/opt/Holdfast/holdfast', args: ['--hidden'], dataDir: undefined };
const file = () => path.join(home, 'autostart', 'holdfast.desktop');

describe('on Linux', () => {
  test('a file for the session starts the app hidden, and goes again', () => {
    const login = linuxLoginStart(home, program);
    expect(login.isOn()).toBe(false);
    login.set(true);
    expect(login.isOn()).toBe(true);
    expect(readFileSync(file(), 'utf8')).toContain('\nExec="/opt/Holdfast/holdfast" "--hidden"\n');
    login.set(true);
    login.set(false);
    expect([login.isOn(), existsSync(file())]).toEqual([false, false]);
    login.set(false);
  });

  test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])('the desktop’s own switch counts (%s)', (line) => {
    const login = linuxLoginStart(home, program);
    login.set(true);
    const text = readFileSync(file(), 'utf8').replace('X-GNOME-Autostart-enabled=true', line);
    writeFileSync(file(), text);
    expect(login.isOn()).toBe(false);
    login.set(true);
    expect(login.isOn()).toBe(true);
  });

  test('any path arrives as it is, and so does a data folder of its own', () => {
    const odd = path.join(home, 'a b "c" $d `e` \\f 100%.sh');
    const out = path.join(home, 'out');
    writeFileSync(odd, `#!/bin/sh\nprintf '%s|%s' "$HOLDFAST_HOME" "$1" > '${out}'\n`, { mode: 0o755 });
    linuxLoginStart(home, { command: odd, args: ['--hidden'], dataDir: '/data $x' }).set(true);
    const exec = /^Exec=(.*)$/m.exec(readFileSync(file(), 'utf8'))?.[1] ?? '';
    // As the specification has it read: a text first, then field codes, then arguments, whose quoting a shell shares.
    const command = exec.replaceAll('\\\\', '\\').replaceAll('%%', '%');
    execFileSync('/bin/sh', ['-c', command]);
    expect(readFileSync(out, 'utf8')).toBe('/data $x|--hidden');
  });

  test('a path that cannot stand in such a file is refused, and nothing is written', () => {
    const login = linuxLoginStart(home, { ...program, command: '/opt/a\nExec=evil' });
    expect(() => login.set(true)).toThrow('line break');
    expect(existsSync(file())).toBe(false);
  });
});

test('elsewhere the system’s own list is asked and told, of exactly this program', () => {
  let isOpen = false;
  const seen: unknown[] = [];
  const login = systemLoginStart(
    {
      getLoginItemSettings: (asked) => {
        seen.push(asked);
        return { openAtLogin: isOpen };
      },
      setLoginItemSettings: ({ openAtLogin, ...about }) => {
        seen.push(about);
        isOpen = openAtLogin;
      },
    },
    program,
  );
  login.set(true);
  expect(login.isOn()).toBe(true);
  expect(seen).toEqual(Array(2).fill({ path: program.command, args: ['--hidden'] }));
});
