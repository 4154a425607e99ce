import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { LoginStart } from '../control/context.ts';

/** How the app is started without its window. */
export interface LoginProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The data folder, where it is not the usual one. */
  readonly dataDir: string | undefined;
}

/** What of Electron's `app` this uses. */
export interface LoginItems {
  getLoginItemSettings(options: { path: string; args: string[] }): { readonly openAtLogin: boolean };
  setLoginItemSettings(settings: { openAtLogin: boolean; path: string; args: string[] }): void;
}

/** Starting with the session on macOS and Windows, which keep a list of their own. */
export function systemLoginStart(items: LoginItems, { command, args }: LoginProgram): LoginStart {
  const program = { path: command, args: [...args] };
  return {
    isOn: () => items.getLoginItemSettings(program).openAtLogin,
    set: (openAtLogin) => items.setLoginItemSettings({ openAtLogin, ...program }),
  };
}

const FILE = 'holdfast.desktop';

/**
 * Starting with the session on Linux, where Electron does not: a file in the folder `autostart` (XDG autostart). A
 * desktop that turns it off in its own settings leaves the file and says so in it.
 */
export function linuxLoginStart(configHome: string, program: LoginProgram): LoginStart {
  const file = path.join(configHome, 'autostart', FILE);
  return {
    isOn: () => isEnabled(textOf(file)),
    set(isOn) {
      if (!isOn) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      // In one step: a half-written one would start nothing.
      writeFileSync(`${file}.tmp`, desktopEntry(program), { mode: 0o644 });
      renameSync(`${file}.tmp`, file);
    },
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isEnabled(text: string): boolean {
  if (!/^Exec=/m.test(text)) return false;
  return !/^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m.test(text);
}

function desktopEntry({ command, args, dataDir }: LoginProgram): string {
  const home = dataDir === undefined ? [] : ['env', `HOLDFAST_HOME=${dataDir}`];
  const words = [...home, command, ...args];
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Holdfast',
    `Exec=${words.map(execWord).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * One argument of `Exec`, quoted as the Desktop Entry Specification has it: first as an argument, then as a text.
 * @throws Error for a line break, which cannot stand there.
 */
function execWord(word: string): string {
  if (/[\n\r\0]/.test(word)) throw new Error('the path of Holdfast has a line break in it');
  const argument = `"${word.replaceAll(/["`$\\]/g, (character) => `\\${character}`)}"`;
  return argument.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}

/** Starting with the session, as this system does it. */
export function loginStart(items: LoginItems, program: LoginProgram): LoginStart {
  if (process.platform !== 'linux') return systemLoginStart(items, program);
  const { XDG_CONFIG_HOME: configHome = '' } = process.env;
  // One that is not absolute counts as none (XDG Base Directory Specification).
  return linuxLoginStart(path.isAbsolute(configHome) ? configHome : path.join(homedir(), '.config'), program);
}
