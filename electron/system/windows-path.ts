import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ASK_MS = 3_000;
const KEYS = ['HKCU\\Environment', 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment'] as const;

/**
 * PATH as Windows keeps it for programs that start from now on: one that runs keeps the PATH of its own start, and so
 * does not know what was installed since. The person's folders come last, as Windows puts them. None on other systems.
 */
export async function readWindowsPath(env: NodeJS.ProcessEnv): Promise<string[]> {
  const reg = path.win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'reg.exe');
  const answers = KEYS.map(async (key) => {
    try {
      const { stdout } = await run(reg, ['query', key, '/v', 'Path'], { timeout: ASK_MS, windowsHide: true });
      return foldersIn(stdout, env);
    } catch {
      return []; // the person has none of their own, or nobody may ask
    }
  });
  const [own = [], system = []] = await Promise.all(answers);
  return [...system, ...own];
}

/** The folders in what `reg query` prints, with `%NAME%` filled in; what is not absolute then is left out. */
export function foldersIn(said: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const value = /^\s+Path\s+REG_(?:EXPAND_)?SZ\s+(.*?)\s*$/im.exec(said)?.[1] ?? '';
  const names = new Map(Object.entries(env).map(([name, text]) => [name.toUpperCase(), text]));
  return value
    .split(';')
    .map((folder) =>
      folder.replace(/^"|"$/g, '').replace(/%([^%]+)%/g, (all, name: string) => names.get(name.toUpperCase()) ?? all),
    )
    .filter((folder) => /^[a-z]:[\\/]|^\\\\/i.test(folder) && !folder.includes('%'));
}
